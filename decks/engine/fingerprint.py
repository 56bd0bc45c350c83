"""A short mark of what a deck is, the same for every order and spelling of it."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterable

from cards.engine.names import name_key
from decks.engine.parser import Entry

ALPHABET = "23456789ABCDEFGHJKMNPQRSTVWXYZ"  # no 0 O, 1 I L, U: read aloud and copied by hand
LENGTH = 12


def fingerprint(entries: Iterable[Entry]) -> str:
    """Twelve characters in three groups ("K7QM-2XWD-9RTB") over zone, canonical name and count.

    Names, not card ids, so that two installations agree. 30^12 marks: two decks of a million share one with a chance
    of about one in a million.
    """
    counts: Counter[tuple[str, str]] = Counter()
    for entry in entries:
        counts[entry.zone, name_key(entry.name)] += entry.count
    content = json.dumps([[*key, count] for key, count in sorted(counts.items())])
    number = int.from_bytes(hashlib.sha256(content.encode()).digest())
    characters = []
    for _ in range(LENGTH):
        number, place = divmod(number, len(ALPHABET))
        characters.append(ALPHABET[place])
    mark = "".join(characters)
    return "-".join(mark[start : start + 4] for start in range(0, LENGTH, 4))
