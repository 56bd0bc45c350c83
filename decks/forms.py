"""What people type about decks."""

from __future__ import annotations

from typing import Any

from django import forms
from django.core.exceptions import ValidationError

from config.errors import DomainError
from decks.engine.parser import MAX_BYTES, split_lines
from decks.queries import format_choices
from rules.models import Format
from rules.queries import format_by_slug


class FormatField(forms.ChoiceField):
    """A format as "engarde/standard"; its clean value is the Format."""

    def clean(self, value: Any) -> Format:
        game, _, slug = super().clean(value).partition("/")
        return format_by_slug(game=game, slug=slug)


class FormatForm(forms.Form):
    """A form with a FormatField called "format", whose choices are read once."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        field = self.fields["format"]
        assert isinstance(field, FormatField)
        field.choices = format_choices()


class DecklistField(forms.CharField):
    """The text of a decklist, as it stands."""

    def __init__(self, **options: Any) -> None:
        attrs = {"class": "decklist", "rows": 24, "spellcheck": "false", "autocapitalize": "off", "autocomplete": "off"}
        super().__init__(strip=False, max_length=MAX_BYTES, widget=forms.Textarea(attrs=attrs), **options)

    def clean(self, value: Any) -> str:
        text: str = super().clean(value)
        try:
            split_lines(text)
        except DomainError as error:
            raise ValidationError(error.message, code=error.code) from error
        return text


def _day() -> forms.DateField:
    widget = forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")
    return forms.DateField(label="On", widget=widget, input_formats=["%Y-%m-%d"], help_text="The day of the event.")


class CheckForm(FormatForm):
    format = FormatField(label="Format")
    on = _day()
    text = DecklistField(
        label="Decklist",
        required=False,
        help_text="One card a line: 3x Name. Write Sideboard above the cards of the sideboard.",
    )


class DeckForm(FormatForm):
    name = forms.CharField(label="Name", max_length=100)
    format = FormatField(label="Format")
    text = DecklistField(
        label="Decklist",
        required=False,
        help_text="One card a line: 3x Name. Write Sideboard above the cards of the sideboard.",
    )
