"""A result as it is typed at the desk: "12 21" is table 12, two games to one."""

from __future__ import annotations

import re
from dataclasses import dataclass

from config.errors import DomainError
from events.engine.outcomes import games_to_win

LONGEST = 40
_ENTRY = re.compile(r"\s*(\d{1,5})\s*[\s:=,./-]\s*(\d)[\s:,./-]*(\d)(?:[\s:,./-]*(\d))?\s*", re.ASCII)


@dataclass(frozen=True, slots=True)
class TableEntry:
    """``wins_a`` are the games of the player who is listed first."""

    table: int
    wins_a: int
    wins_b: int
    draws: int = 0


def parse_entry(text: str) -> TableEntry:
    """The table and the games, in any of "12 21", "12 2-1", "12 2 1", "12: 2-1-1" (the last are drawn games).

    Raises DomainError "entry.unreadable".
    """
    found = _ENTRY.fullmatch(text) if len(text) <= LONGEST else None
    if found is None:
        raise DomainError(
            "entry.unreadable",
            "Write the table, a space, and the games of the player listed first and second: 12 21 is table 12, 2-1. "
            "A third digit counts drawn games: 12 111.",
        )
    table, wins_a, wins_b, draws = found.groups()
    return TableEntry(int(table), int(wins_a), int(wins_b), int(draws or 0))


def score_choices(best_of: int, *, at_time: bool, elimination: bool) -> tuple[tuple[int, int], ...]:
    """The scores worth a button of their own, (first, second) without drawn games: finished ones, and at time those
    that stand as they are."""
    need = games_to_win(best_of)
    finished = [(need, other) for other in range(need)] + [(other, need) for other in reversed(range(need))]
    if not at_time:
        return tuple(finished)
    stopped = [(a, b) for a in range(need) for b in range(need) if not (elimination and a == b)]
    return (*finished, *sorted(stopped, key=lambda score: (score[1] - score[0], score)))
