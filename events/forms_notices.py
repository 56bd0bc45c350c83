"""What people choose to be told, and where an organiser has programs told."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import forms

from events.channels.outward import LONGEST_URL
from events.channels.webhooks import LONGEST_SECRET
from events.models import Notice
from events.queries.notices import WAYS, is_wanted


class NoticesForm(forms.Form):
    """A box for each kind of notice and way, called ``<kind>-<channel>``."""

    def __init__(self, data: Any = None, *, choices: Mapping[tuple[str, str], bool] | None = None) -> None:
        super().__init__(data)
        for kind in Notice:
            for way in WAYS:
                self.fields[f"{kind}-{way}"] = forms.BooleanField(
                    label=f"{kind.label}: by {way.label.lower()}",
                    required=False,
                    initial=is_wanted(choices or {}, kind, way),
                )

    def rows(self) -> list[tuple[str, list[forms.BoundField]]]:
        return [(str(kind.label), [self[f"{kind}-{way}"] for way in WAYS]) for kind in Notice]

    @property
    def wanted(self) -> set[tuple[str, str]]:
        return {(kind, way) for kind in Notice.values for way in map(str, WAYS) if self.cleaned_data[f"{kind}-{way}"]}


class WebhookForm(forms.Form):
    url = forms.CharField(
        label="Address",
        max_length=LONGEST_URL,
        widget=forms.URLInput(attrs={"placeholder": "https://"}),
        error_messages={"required": "Write the address that is to be told."},
    )
    secret = forms.CharField(
        label="Secret",
        max_length=LONGEST_SECRET,
        required=False,
        strip=False,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
        help_text="Signs what is sent. Leave it empty to have one drawn.",
    )
