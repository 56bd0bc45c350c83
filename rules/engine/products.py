"""A booster as a pack's file describes it, made into one that names card ids."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from cards.engine.boosters import ProductDefinition, Sheet, Slot
from cards.engine.names import name_key
from cards.engine.rows import CardDraft
from rules.engine.packschema import ProductSpec, SheetSpec


def sheet_names(sheet: SheetSpec, drafts: Sequence[CardDraft]) -> dict[str, int]:
    """The printed name and weight of each card of the sheet, in the order of the pack's table. Weights add up."""
    weights: dict[str, int] = {}
    for draft in drafts:
        sets = {code for code, _ in draft.printings}
        keys = {name_key(name) for name in draft.spellings}
        for entry in sheet.entries:
            if entry.set in sets or (entry.card is not None and name_key(entry.card) in keys):
                weights[draft.name] = weights.get(draft.name, 0) + entry.weight
    return weights


def resolve(spec: ProductSpec, drafts: Sequence[CardDraft], ids: Mapping[str, int]) -> ProductDefinition:
    """``ids`` maps printed names to card ids. pydantic's ValidationError: packs of it can't always be filled."""
    return ProductDefinition(
        name=spec.name,
        pack_size=spec.pack_size,
        unique_in_pack=spec.unique_in_pack,
        slots=tuple(Slot(name=slot.name, count=slot.count, sheet=slot.sheet) for slot in spec.slots),
        sheets=tuple(
            Sheet(
                name=sheet.name,
                entries=tuple((ids[name], weight) for name, weight in sheet_names(sheet, drafts).items()),
            )
            for sheet in spec.sheets
        ),
    )
