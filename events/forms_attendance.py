"""How long a table waits, as the organiser types it."""

from __future__ import annotations

from django import forms

from events.services.attendance import MOST_MINUTES


class NoShowRuleForm(forms.Form):
    minutes = forms.IntegerField(
        required=False,
        min_value=1,
        max_value=MOST_MINUTES,
        label="Minutes",
        help_text="Of the round's clock. Empty: nobody loses by itself, staff decide.",
    )
    drops = forms.BooleanField(required=False, label="Who loses a match like this is dropped")
