"""What an organiser of a game types to publish a list, row by row."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from typing import Any

from django import forms

from cards.models import Game
from rules.models import Format

FIRST_ROWS, MORE_ROWS, MOST_ROWS = 3, 3, 200
STATUSES = [
    ("banned", "banned"),
    ("restricted", "restricted to"),
    ("limit", "at most"),
    ("points", "points"),
    ("legal", "legal again"),
]


def _day(label: str, *, required: bool = False, help_text: str = "") -> forms.DateField:
    widget = forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")
    return forms.DateField(
        label=label, required=required, help_text=help_text, widget=widget, input_formats=["%Y-%m-%d"]
    )


class PublicationForm(forms.Form):
    title = forms.CharField(max_length=160, widget=forms.TextInput(attrs={"placeholder": "Winter list"}))
    source = forms.CharField(
        max_length=300, label="Where it was announced", help_text="An address or the name of a letter."
    )
    announced_on = _day("Announced on")
    effective_on = _day("In force from", required=True, help_text="The first day with the new list.")


class ChangeRow(forms.Form):
    """One card on the list of one format. A row without a card is left out."""

    format = forms.ChoiceField()
    card = forms.CharField(required=False, max_length=120, widget=forms.TextInput(attrs={"autocomplete": "off"}))
    status = forms.ChoiceField(choices=STATUSES, label="Becomes")
    number = forms.IntegerField(required=False, min_value=0, max_value=1000, label="Copies or points")
    zone = forms.ChoiceField(required=False, label="Only in")
    section = forms.CharField(
        required=False,
        max_length=20,
        label="Rule",
        widget=forms.TextInput(attrs={"list": "sections", "autocomplete": "off"}),
    )
    effective_on = _day("From another day")

    def __init__(
        self,
        data: Mapping[str, Any] | None,
        *,
        zones: Iterable[tuple[str, str]],
        formats: Iterable[tuple[str, str]],
        cites: Mapping[str, str],
        **options: Any,
    ) -> None:
        super().__init__(data, **options)
        self.cites = cites
        self.fields["format"].choices = list(formats)  # type: ignore[attr-defined]
        self.fields["zone"].choices = [("", "every zone"), *zones]  # type: ignore[attr-defined]

    def as_change(self) -> dict[str, Any] | None:
        """As a publication has it. Without a section it is the one that lets the format have a list."""
        values = self.cleaned_data
        if not values["card"]:
            return None
        number = "points" if values["status"] == "points" else "max_copies"
        change = {
            "format": values["format"],
            "card": values["card"],
            "status": values["status"],
            number: values["number"],
            "zone": values["zone"] or None,
            "section": values["section"] or self.cites.get(values["format"], ""),
            "effective_on": _iso(values["effective_on"]),
        }
        return {key: value for key, value in change.items() if value is not None}


class TypedPublication:
    """The head of the form and its rows: as they were sent (``data``), or filled in to be changed (``initial``)."""

    def __init__(
        self,
        *,
        game: Game,
        formats: Iterable[Format],
        cites: Mapping[str, str],
        number: int = FIRST_ROWS,
        data: Mapping[str, Any] | None = None,
        initial: Mapping[str, Any] | None = None,
    ) -> None:
        filled = initial or {}
        names = [(format_.slug, format_.name) for format_ in formats]
        self.sections = sorted(set(cites.values()))
        self.head = PublicationForm(data, initial=dict(filled))
        self.rows = [
            ChangeRow(
                data,
                prefix=f"row-{place}",
                initial={
                    key: filled[f"row-{place}-{key}"] for key in ChangeRow.base_fields if f"row-{place}-{key}" in filled
                },
                zones=[(zone["key"], zone["label"]) for zone in game.zones],
                formats=names,
                cites=cites,
            )
            for place in range(number)
        ]

    def is_valid(self) -> bool:
        return all([self.head.is_valid(), *(row.is_valid() for row in self.rows)])

    def body(self) -> dict[str, Any]:
        values = self.head.cleaned_data
        body = {
            "title": values["title"],
            "source": values["source"],
            "announced_on": _iso(values["announced_on"]),
            "effective_on": _iso(values["effective_on"]),
            "changes": [change for row in self.rows if (change := row.as_change()) is not None],
        }
        return {key: value for key, value in body.items() if value is not None}

    def tell(self, faults: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
        """Put each fault beside its field; those that have none here are returned."""
        filled = [row for row in self.rows if row.cleaned_data.get("card")]
        left = []
        for fault in faults:
            place = str(fault["where"]).split()
            form: forms.Form = self.head
            if len(place) > 1 and place[0] == "changes":
                form, place = filled[int(place[1]) - 1], place[2:] or ["card"]
            field = {"max_copies": "number", "points": "number"}.get(place[0], place[0]) if place else ""
            if field in form.fields:
                form.add_error(field, str(fault["message"]))
            else:
                left.append(fault)
        return left


def typed(file: Mapping[str, Any]) -> dict[str, str]:
    """What fills in the form for a publication, to change it once more."""
    data = {key: str(file.get(key, "")) for key in ("title", "source", "announced_on", "effective_on")}
    for place, change in enumerate(file["changes"]):
        number = change.get("points", change.get("max_copies", ""))
        data |= {
            f"row-{place}-{key}": str(change.get(key, ""))
            for key in ("format", "card", "status", "zone", "section", "effective_on")
        }
        data[f"row-{place}-number"] = str(number)
    return data


def _iso(day: date | None) -> str | None:
    return None if day is None else day.isoformat()
