"""One key for all the ways in which people type a card's name."""

from __future__ import annotations

import re
import unicodedata

_PLAIN = str.maketrans(
    {
        **dict.fromkeys("\u2018\u2019\u201a\u201b\u2032\u02bc\u00b4\u0060\uff07", "'"),
        **dict.fromkeys("\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb", '"'),
        **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63\uff0d", "-"),
        "\u2044": "/",
        "æ": "ae",
        "œ": "oe",
        "ø": "o",
        "đ": "d",
        "ł": "l",
        "ı": "i",
    }
)
_HYPHENS = re.compile(r"-{2,}")


def name_key(text: str) -> str:
    """What a name is compared by: case, accents, curly quotes, kinds of dash and width of spaces do not count.

    ``name_key(name_key(text)) == name_key(text)``. Punctuation stays, since it can tell two names apart.
    """
    if text.isascii():  # nearly every name: nothing to fold but case, and the one quote that is ASCII
        plain = text.lower()
        if "`" in plain or "--" in plain or "\0" in plain:
            plain = _HYPHENS.sub("-", plain.replace("`", "'")).replace("\0", "")
        return " ".join(plain.split())
    # Quotes first: the compatibility form of an acute accent is a space and a mark, and would lose the apostrophe.
    folded = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", text.translate(_PLAIN)).casefold())
    kept = "".join(c for c in folded if unicodedata.category(c) not in ("Mn", "Me", "Cf", "Cs"))
    plain = unicodedata.normalize("NFKC", kept).translate(_PLAIN)
    return " ".join(_HYPHENS.sub("-", plain).replace("\0", "").split())
