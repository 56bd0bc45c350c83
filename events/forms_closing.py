"""Forms for how an event ends, and for another like it."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

from django import forms
from django.core.exceptions import ValidationError

from config.errors import DomainError
from events.engine.prizes import LONGEST_WORDS, MOST_PRIZES, Prize, read_prizes
from events.forms import WallClockField, in_zone


class PrizesForm(forms.Form):
    prizes = forms.CharField(
        required=False,
        max_length=MOST_PRIZES * (LONGEST_WORDS + 20),
        widget=forms.Textarea(attrs={"rows": 6, "spellcheck": "false"}),
        label="What places get",
        help_text="One a line: “1: a trophy”, “5-8: 2 packs”. Ranges may overlap.",
    )

    def clean_prizes(self) -> tuple[Prize, ...]:
        try:
            return read_prizes(self.cleaned_data["prizes"])
        except DomainError as refusal:
            raise ValidationError(refusal.message, code=refusal.code) from refusal


class HandOverForm(forms.Form):
    note = forms.CharField(max_length=200, required=False, label="Note")


class CloneForm(forms.Form):
    name = forms.CharField(max_length=120, widget=forms.TextInput(attrs={"autocomplete": "off"}))
    starts_at = WallClockField(label="Starts at", help_text="As the clock at the place shows it.")
    with_staff = forms.BooleanField(required=False, label="The same people have the same roles")

    def __init__(self, *args: object, zone: ZoneInfo, **options: object) -> None:
        super().__init__(*args, **options)  # type: ignore[arg-type]
        self.zone = zone

    def clean_starts_at(self) -> datetime:
        return in_zone(self.cleaned_data["starts_at"], self.zone)
