"""The day that a page is asked about."""

from __future__ import annotations

from datetime import date

from django.http import HttpRequest
from django.utils import timezone

from rules.engine.days import day_of


def day_asked(request: HttpRequest) -> date:
    """``?on=``, today without it. DomainError: not a day."""
    asked = request.GET.get("on", "")
    return day_of(asked) if asked else timezone.localdate()
