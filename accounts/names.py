"""What may be a display name. Pure: standard library and config.errors only."""

from __future__ import annotations

import re
import unicodedata

from config.errors import DomainError

MAX_LENGTH = 60
# Control, format, surrogate and private-use characters, line and paragraph separators: they hide or reorder text.
_REFUSED_CATEGORIES = frozenset({"Cc", "Cf", "Cs", "Co", "Zl", "Zp"})
# Fillers and the empty Braille cell count as letters or symbols, and show nothing.
_BLANKS = frozenset("\u115f\u1160\u2800\u3164\uffa0")


def clean_display_name(text: str) -> str:
    """``text`` in Unicode's composed form (NFC), without spaces around it and with single spaces within.

    Raises DomainError with a code that begins "account.display_name": nothing visible is left, more than 60 characters,
    or a character that would be invisible or would change the text around it (named by its code point).
    """
    composed = re.sub("[\t\r\n]", " ", unicodedata.normalize("NFC", text))
    for character in composed:
        if unicodedata.category(character) in _REFUSED_CATEGORIES or character in _BLANKS:
            code_point = f"U+{ord(character):04X}"
            raise DomainError(
                "account.display_name_character",
                f"The name holds an invisible character ({code_point}), which would spoil pairings and print-outs. "
                "Type the name by hand instead of pasting it.",
                {"code_point": code_point},
            )
    name = re.sub(r"\s+", " ", composed).strip()
    if not any(unicodedata.category(character)[0] in "LNPS" for character in name):
        raise DomainError(
            "account.display_name_empty",
            "The name is empty. Write at least one letter: it stands in pairings and standings.",
        )
    if len(name) > MAX_LENGTH:
        raise DomainError(
            "account.display_name_long",
            f"The name has {len(name)} characters and a pairings list has room for {MAX_LENGTH}. "
            f"Shorten it by {len(name) - MAX_LENGTH}.",
            {"length": len(name), "limit": MAX_LENGTH},
        )
    return name
