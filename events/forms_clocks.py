"""More or less time, as it is typed at the desk and on the floor."""

from __future__ import annotations

from typing import Any

from django import forms
from django.core.exceptions import ValidationError

from events.services.clocks import LONGEST_REASON, MOST_AT_ONCE

STEPS = (1, 3, 5)
"""Minutes that have a button of their own."""

WHYS = ("Deck check", "Judge call", "Seated late", "Table moved")
"""What is offered while somebody types why."""


class ExtendForm(forms.Form):
    """A pressed button sends ``minutes``; the one beside the number sends "other" and the number itself."""

    minutes = forms.CharField(max_length=5)
    other = forms.IntegerField(required=False, min_value=1, max_value=MOST_AT_ONCE, label="Minutes")
    reason = forms.CharField(max_length=LONGEST_REASON, label="Why")

    def clean(self) -> dict[str, Any]:
        values: dict[str, Any] = super().clean() or {}
        pressed = values.get("minutes", "")
        if pressed == "other":
            values["minutes"] = values.get("other")
        else:
            values["minutes"] = int(pressed) if pressed in map(str, STEPS) else None
        if values["minutes"] is None and not self.errors:
            raise ValidationError("Press +1, +3 or +5, or write how many minutes.", code="minutes")
        return values


class ExtendByNumberForm(ExtendForm):
    table = forms.IntegerField(min_value=1, max_value=32767, label="Table")


class AdjustForm(forms.Form):
    minutes = forms.IntegerField(min_value=-MOST_AT_ONCE, max_value=MOST_AT_ONCE, label="Minutes")
    reason = forms.CharField(max_length=LONGEST_REASON, label="Why")
