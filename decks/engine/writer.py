"""A deck as text that every common program reads, and that reads back as the same deck."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from cards.engine.names import name_key
from decks.engine.headings import ZoneSpec
from decks.engine.parser import Entry


def write_decklist(entries: Iterable[Entry], zones: Sequence[ZoneSpec]) -> str:
    """``entries`` as text: a ``// Sideboard (15)`` heading per zone that has cards, ``3x Name`` per card.

    The count always stands there, and with an x, so that a name that begins with digits can't be taken for it. A deck
    in the first zone only has no heading. Cards go by name inside a zone. Empty text for no entries.
    """
    by_zone: dict[str, list[Entry]] = {zone.key: [] for zone in zones}
    for entry in entries:
        by_zone[entry.zone].append(entry)
    only_first = not any(by_zone[zone.key] for zone in zones[1:])
    blocks = []
    for zone in zones:
        found = sorted(by_zone[zone.key], key=lambda entry: (name_key(entry.name), entry.card))
        if not found:
            continue
        heading = [] if only_first else [f"// {zone.label} ({sum(entry.count for entry in found)})"]
        blocks.append("\n".join([*heading, *(f"{entry.count}x {entry.name}" for entry in found)]) + "\n")
    return "\n".join(blocks)
