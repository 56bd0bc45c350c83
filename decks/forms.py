"""What people type about decks."""

from __future__ import annotations

import re
from typing import Any

from django import forms
from django.core.exceptions import ValidationError

from cards.models import Game
from cards.queries import game_by_slug, games
from config.errors import DomainError
from decks.engine.containers.opening import MAX_BYTES, MAX_LINES, open_decklist
from decks.queries import format_choices
from rules.models import Format
from rules.queries import format_by_slug

_ADDRESS = re.compile(r"\s*(?:https?://|www\.)\S+\s*", re.I)


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


class GameField(forms.ChoiceField):
    """A game by its slug; its clean value is the Game."""

    def clean(self, value: Any) -> Game:
        return game_by_slug(slug=super().clean(value))


class DecklistField(forms.CharField):
    """The text of a decklist, as it stands. An address in its place is refused: nothing is ever fetched from one."""

    def __init__(self, rows: int = 24, **options: Any) -> None:
        attrs = {
            "class": "decklist",
            "rows": rows,
            "spellcheck": "false",
            "autocapitalize": "off",
            "autocomplete": "off",
        }
        super().__init__(strip=False, max_length=MAX_BYTES, widget=forms.Textarea(attrs=attrs), **options)

    def clean(self, value: Any) -> str:
        text: str = super().clean(value)
        if _ADDRESS.fullmatch(text):
            raise ValidationError(
                "That is an address. Lists are not fetched from other sites: open it, copy the list itself and paste "
                "that here.",
                code="decks.address",
            )
        try:
            open_decklist(text)
        except DomainError as error:
            raise ValidationError(error.message, code=error.code) from error
        return text


def _day() -> forms.DateField:
    widget = forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")
    return forms.DateField(label="On", widget=widget, input_formats=["%Y-%m-%d"], help_text="The day of the event.")


def _text() -> DecklistField:
    return DecklistField(
        label="Decklist",
        required=False,
        help_text="One card a line: 3x Name. Write Sideboard above the cards of the sideboard. What another program "
        "exports can be pasted as it is; an address can’t, since nothing is fetched from other sites.",
    )


def decklist_file() -> forms.FileField:
    return forms.FileField(
        label="Or a file",
        required=False,
        help_text=f"Text, CSV, JSON, .cod, .dek, .dck, .o8d, .ydk and others; at most {MAX_BYTES // 1000} kB and "
        f"{MAX_LINES:,} lines. It takes the place of what is in the box.",
    )


class CheckForm(FormatForm):
    format = FormatField(label="Format")
    on = _day()
    text = _text()
    file = decklist_file()


class DeckForm(FormatForm):
    """``seen`` is the number of the version that was opened, None for a new deck."""

    name = forms.CharField(label="Name", max_length=100)
    format = FormatField(label="Format")
    text = _text()
    file = decklist_file()
    seen = forms.IntegerField(required=False, min_value=1, max_value=2**31 - 1, widget=forms.HiddenInput)


class CompareForm(forms.Form):
    game = GameField(label="Game")
    first_text = DecklistField(rows=14, label="First list", required=False)
    second_text = DecklistField(rows=14, label="Second list", required=False)

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        field = self.fields["game"]
        assert isinstance(field, GameField)
        field.choices = [(game.slug, game.name) for game in games()]
