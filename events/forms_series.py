"""Forms of a series."""

from __future__ import annotations

from typing import Any

from django import forms
from django.core.exceptions import ValidationError

from config.errors import DomainError
from events.engine.series import MOST_EVENTS, MOST_POINTS, PlacePoints, SeriesRules, check_rules, read_points
from events.models import Series

USUAL = "1: 10\n2: 7\n3-4: 5\n5-8: 3"


class SeriesForm(forms.Form):
    name = forms.CharField(max_length=120, widget=forms.TextInput(attrs={"autocomplete": "off"}))
    places = forms.CharField(
        required=False,
        max_length=6_000,
        widget=forms.Textarea(attrs={"rows": 6, "spellcheck": "false"}),
        label="Points by final place",
        help_text="One row a line: “1: 10”, “5-8: 3”. Places that are not named get none.",
    )
    per_match_point = forms.IntegerField(
        min_value=0, max_value=MOST_POINTS, required=False, label="Points for each match point"
    )
    taking_part = forms.IntegerField(min_value=0, max_value=MOST_POINTS, required=False, label="Points for taking part")
    best = forms.IntegerField(
        min_value=1,
        max_value=MOST_EVENTS,
        required=False,
        label="Events that count",
        help_text="Each player's best so many; empty: all.",
    )

    def clean_places(self) -> tuple[PlacePoints, ...]:
        try:
            return read_points(self.cleaned_data["places"])
        except DomainError as refusal:
            raise ValidationError(refusal.message, code=refusal.code) from refusal

    def clean(self) -> dict[str, Any]:
        said = super().clean() or {}
        if "places" in said:
            try:
                check_rules(self.rules)
            except DomainError as refusal:
                self.add_error("places", ValidationError(refusal.message, code=refusal.code))
        return said

    @property
    def rules(self) -> SeriesRules:
        said = self.cleaned_data
        numbers = [said.get(field) or 0 for field in ("per_match_point", "taking_part", "best")]
        return SeriesRules(said.get("places", ()), *numbers)

    @staticmethod
    def stored(series: Series) -> dict[str, Any]:
        """The series as the form shows it."""
        rules = SeriesRules.of_json(series.rules)
        return {
            "name": series.name,
            "places": "\n".join(row.line for row in rules.places),
            "per_match_point": rules.per_match_point or None,
            "taking_part": rules.taking_part or None,
            "best": rules.best or None,
        }


class JoinForm(forms.Form):
    code = forms.SlugField(max_length=20, label="Code of an event that you organise")
