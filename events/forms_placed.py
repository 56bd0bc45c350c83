"""What staff type of a game that is not decided by the games of two players."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from django import forms

from events.engine.melee import Kind, Loot, Sheet
from events.models import Seat

MOST_TOKENS, MOST_VALUE, MOST_PAIRS = 42, 126, 21


class _SeatsForm(forms.Form):
    """Fields for every seat of a table, called ``<what>-<player>``."""

    reason = forms.CharField(max_length=300, required=False)
    match_version = forms.IntegerField(min_value=0, required=False, widget=forms.HiddenInput)

    def __init__(self, seats: Sequence[Seat], data: Any = None, **options: Any) -> None:
        super().__init__(data, **options)
        self.seats = seats

    def number(self, what: str, seat: Seat, *, least: int, most: int, now: int | None) -> None:
        self.fields[f"{what}-{seat.player_id}"] = forms.IntegerField(min_value=least, max_value=most, initial=now)

    def of(self, seat: Seat) -> dict[str, Any]:
        """What was typed for a seat."""
        end = f"-{seat.player_id}"
        return {name.removesuffix(end): value for name, value in self.cleaned_data.items() if name.endswith(end)}

    def rows(self) -> Iterator[tuple[Seat, list[forms.BoundField]]]:
        for seat in self.seats:
            yield seat, [self[name] for name in self.fields if name.endswith(f"-{seat.player_id}")]


class PlacesForm(_SeatsForm):
    def __init__(self, seats: Sequence[Seat], data: Any = None, **options: Any) -> None:
        super().__init__(seats, data, **options)
        for seat in seats:
            self.number("place", seat, least=1, most=len(seats), now=seat.place)

    @property
    def places(self) -> dict[int, int]:
        return {seat.player_id: self.of(seat)["place"] for seat in self.seats}


class SheetsForm(_SeatsForm):
    """Of Epic Melee: tokens and what they are worth together, for each kind of Loot, and pairs of symbols."""

    def __init__(self, seats: Sequence[Seat], data: Any = None, **options: Any) -> None:
        super().__init__(seats, data, **options)
        for seat in seats:
            stored = seat.sheet or {}
            for kind in Kind:
                tokens, value = stored.get(kind.value, (0, 0))
                self.number(f"{kind.value}_tokens", seat, least=0, most=MOST_TOKENS, now=tokens)
                self.number(f"{kind.value}_value", seat, least=0, most=MOST_VALUE, now=value)
            pairs = sum(count // 2 for count in stored.get("symbols", {}).values())
            self.number("pairs", seat, least=0, most=MOST_PAIRS, now=pairs)

    @property
    def sheets(self) -> list[Sheet]:
        return [self._sheet(seat) for seat in self.seats]

    def _sheet(self, seat: Seat) -> Sheet:
        typed = self.of(seat)
        loot = {kind.value: Loot(typed[f"{kind.value}_tokens"], typed[f"{kind.value}_value"]) for kind in Kind}
        return Sheet(seat.player_id, **loot, symbols={"pairs": 2 * typed["pairs"]} if typed["pairs"] else {})
