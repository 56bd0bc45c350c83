"""What is in a booster: slots filled from weighted sheets, out of a stream that can be replayed."""

from __future__ import annotations

from typing import Annotated, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from cards.engine.streams import Stream

Positive = Annotated[int, Field(ge=1)]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Sheet(_Strict):
    """Cards that one slot is filled from, as (card id, whole weight) pairs."""

    name: str
    entries: Annotated[tuple[tuple[int, Positive], ...], Field(min_length=1)]

    @model_validator(mode="after")
    def _each_card_once(self) -> Self:
        if len({card for card, _ in self.entries}) < len(self.entries):
            raise ValueError(f"sheet {self.name}: a card stands in it twice")
        return self


class Slot(_Strict):
    name: str
    count: Positive
    sheet: str


class ProductDefinition(_Strict):
    """A booster whose sheets name card ids. Every pack has ``pack_size`` cards; the slots add up to it."""

    name: str
    pack_size: Positive
    unique_in_pack: bool = False
    slots: Annotated[tuple[Slot, ...], Field(min_length=1)]
    sheets: tuple[Sheet, ...]

    @model_validator(mode="after")
    def _can_always_be_opened(self) -> Self:
        sheets = {sheet.name: {card for card, _ in sheet.entries} for sheet in self.sheets}
        if len(sheets) < len(self.sheets):
            raise ValueError("two sheets have one name")
        if sum(slot.count for slot in self.slots) != self.pack_size:
            raise ValueError(
                f"the slots hold {sum(slot.count for slot in self.slots)} cards, the pack {self.pack_size}"
            )
        for number, slot in enumerate(self.slots):
            if slot.sheet not in sheets:
                raise ValueError(f"slot {slot.name} is filled from sheet {slot.sheet}, which is not there")
            if self.unique_in_pack:
                cards = sheets[slot.sheet]
                taken = sum(min(s.count, len(cards & sheets[s.sheet])) for s in self.slots[:number])
                if len(cards) < slot.count + taken:
                    raise ValueError(f"slot {slot.name}: sheet {slot.sheet} can run out of different cards")
        return self


def open_pack(definition: ProductDefinition, rng: Stream) -> tuple[int, ...]:
    """Card ids of one pack, slot by slot. The same definition and stream give the same pack."""
    sheets = {sheet.name: sheet.entries for sheet in definition.sheets}
    pack: list[int] = []
    for slot in definition.slots:
        for _ in range(slot.count):
            entries = sheets[slot.sheet]
            if definition.unique_in_pack:
                entries = tuple(entry for entry in entries if entry[0] not in pack)
            pack.append(rng.weighted(entries))
    return tuple(pack)
