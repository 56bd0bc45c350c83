"""The day that a page is asked about."""

from __future__ import annotations

from datetime import date

from django.http import HttpRequest
from django.utils import timezone

from config.errors import DomainError


def day_asked(request: HttpRequest) -> date:
    """``?on=``, today without it. DomainError: not a day."""
    asked = request.GET.get("on", "")
    if not asked:
        return timezone.localdate()
    try:
        # fromisoformat alone would also take 20250101 and week dates.
        if len(asked) == 10 and asked[4] == asked[7] == "-" and asked.isascii():
            return date.fromisoformat(asked)
    except ValueError:
        pass
    raise DomainError(
        "request.bad_day", f"{asked[:20]!r} is no day. Write it as year, month, day: 2025-03-01.", {"on": asked[:20]}
    )
