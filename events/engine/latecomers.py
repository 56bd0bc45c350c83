"""Who came in after the start, and the rounds that they missed: rounds without a seat, never byes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from events.engine.outcomes import Outcome

Late = Sequence[Mapping[str, Any]]
"""A player's late entries: each with "round", the first to be played, "missed", those before it that had not been
counted yet, and "new", whether the lot was drawn then."""


def with_missed_rounds(
    late: Mapping[int, Late], columns: dict[str, list[Any]], *, up_to: int | None, entered_by: int | None
) -> set[int]:
    """The players who were not in by the round ``entered_by``, None for any. ``columns`` of seats, as
    ``stored_results.table_of_seats`` takes them, get one for every round up to ``up_to`` that the others missed."""
    seated = set(zip(columns["player"], columns["round"], strict=True))
    playing = set(columns["player"])
    out: set[int] = set()
    missed: list[tuple[int, int]] = []
    for player, entries in sorted(late.items()):
        begun = [entry for entry in entries if entered_by is None or entry["round"] <= entered_by]
        if entries and entries[0]["new"] and not begun and player not in playing:
            out.add(player)
            continue
        rounds = {number for entry in begun for number in entry["missed"] if up_to is None or number <= up_to}
        missed += [(player, number) for number in sorted(rounds) if (player, number) not in seated]
    for place, (player, number) in enumerate(missed, 1):
        alone = {"player": player, "round": number, "match": -place, "outcome": Outcome.ABSENT.value, "side": ""}
        for name, column in columns.items():
            column.append(alone.get(name, 0))
    return out
