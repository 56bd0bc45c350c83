"""The one way in which people write a day."""

from __future__ import annotations

from datetime import date

from config.errors import DomainError


def day_of(text: str) -> date:
    """ "2025-03-01". DomainError ``request.bad_day``: anything else, 20250301 and week dates included."""
    try:
        if len(text) == 10 and text[4] == text[7] == "-" and text.isascii():
            return date.fromisoformat(text)
    except ValueError:
        pass
    raise DomainError(
        "request.bad_day", f"{text[:20]!r} is no day. Write it as year, month, day: 2025-03-01.", {"on": text[:20]}
    )
