"""The price of coming in late, and what the log says of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

Json = Mapping[str, Any]
Names = Mapping[int, str]


def terms_sentence(round_: int, missed: Sequence[int], *, count_as_lost: bool, who: str = "You") -> str:
    """ "You enter at round 3 with 2 losses: rounds 1 and 2 are missed. ..." for ``who``, "You" or a name."""
    verb = "enter" if who == "You" else "enters"
    if not missed:
        return f"{who} {verb} at round {round_} and {'have' if who == 'You' else 'has'} missed nothing."
    one = len(missed) == 1
    losses = f" with {len(missed)} loss{'' if one else 'es'}" if count_as_lost else ""
    lost = "as a lost match, not as a bye" if one else "as lost matches, not as byes"
    how = lost if count_as_lost else "for no points, and not in percentages"
    which = _rounds(missed).capitalize()
    return f"{who} {verb} at round {round_}{losses}: {which} {'counts' if one else 'count'} {how}."


def _rounds(numbers: Sequence[int]) -> str:
    if len(numbers) == 1:
        return f"round {numbers[0]}"
    return f"rounds {', '.join(map(str, numbers[:-1]))} and {numbers[-1]}"


def _name(names: Names, player: int) -> str:
    return names.get(player, f"player {player}")


def _entered(payload: Json, names: Names) -> str:
    missed = f"; {_rounds(payload['missed'])} missed" if payload["missed"] else ""
    verb = "comes back" if payload["returns"] else "comes in late"
    return f"{_name(names, payload['player'])} {verb}, from round {payload['round']} on{missed}"


LATE_LOG: dict[str, Callable[[Json, Names], str]] = {
    "player.entered_late": _entered,
    "player.late_entry_undone": lambda payload, names: (
        f"{_name(names, payload['player'])} does not come in at round {payload['round']} after all"
    ),
}
