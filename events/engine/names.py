"""Codes that people type or open, and names as papers are filed by them."""

from __future__ import annotations

from cards.engine.streams import Stream

# No vowels and nothing that looks like something else: a code is read aloud across a hall.
CODE_ALPHABET = "23456789bcdfghjkmnpqrstvwxz"
CODE_LENGTH = 7


def event_code(rng: Stream) -> str:
    """A short address for an event, such as ``k7tq2mx``."""
    return "".join(rng.choice(CODE_ALPHABET) for _ in range(CODE_LENGTH))


def first_name_and_initial(name: str) -> str:
    """ "Ada B." of "Ada Brook", for who hides the family name. One word stays as it is."""
    family, given = filing_name(name)
    first = given.split()[:1]
    letter = next((character for character in family if character.isalpha()), "")
    return f"{first[0]} {letter.upper()}." if first and letter else name


def filing_name(name: str) -> tuple[str, str]:
    """(family name, given names) of a name as people write it: "Ana de la Cruz" is filed under "de la Cruz".

    A comma says it outright; else the last word is the family name, with the small words before it. One word is both.
    """
    family, comma, given = (part.strip() for part in name.partition(","))
    if comma:
        return family, given
    words = name.split()
    start = len(words) - 1
    while start > 1 and words[start - 1].islower():
        start -= 1
    return " ".join(words[start:]), " ".join(words[:start])
