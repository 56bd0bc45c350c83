"""What staff press and type about the games of a match."""

from __future__ import annotations

from typing import Any

from django import forms

from events.engine.elimination import SAID_BY_STAFF
from events.engine.games import Ending

MOST = 2**31 - 1
DECIDED_BY = {
    "play_off": "a play-off",
    "higher_seed": "the higher seed",
    "concession": "concession",
    "no_show": "no-show",
    "disqualification": "disqualification",
    "judge": "a judge’s decision",
}


class GameForm(forms.Form):
    """A pressed button sends how the game ended, with its winner where it has one: "won-17", "drawn"."""

    number = forms.IntegerField(min_value=1, max_value=99)
    ended = forms.RegexField(rf"^({'|'.join(Ending)})(-\d{{1,10}})?$")

    def clean(self) -> dict[str, Any]:
        values: dict[str, Any] = super().clean() or {}
        ending, _, winner = values.get("ended", "").partition("-")
        values["ending"], values["winner"] = ending, int(winner) if winner else None
        return values


class TurnForm(forms.Form):
    number = forms.IntegerField(min_value=0, max_value=99)
    finished_by = forms.IntegerField(required=False, min_value=1, max_value=MOST)


class FirstForm(forms.Form):
    number = forms.IntegerField(min_value=1, max_value=99)
    first = forms.IntegerField(min_value=1, max_value=MOST)


class ConcedeForm(forms.Form):
    player = forms.IntegerField(min_value=1, max_value=MOST)
    for_prizes = forms.BooleanField(required=False, label="In exchange for prizes")
    permitted = forms.BooleanField(required=False, label="The head judge has permitted it")
    reason = forms.CharField(max_length=300, required=False, label="Why")


class AgreedDrawForm(forms.Form):
    reason = forms.CharField(max_length=300, required=False, label="Why")


class WinnerForm(forms.Form):
    """Who goes on in a bracket where the games leave it open. ``games`` are "1-1", from the first player's side."""

    games = forms.RegexField(r"^\d-\d$", label="Games", initial="1-1")
    winner = forms.IntegerField(min_value=1, max_value=MOST, label="Goes on")
    decided_by = forms.ChoiceField(choices=[], label="Decided by")
    reason = forms.CharField(max_length=300, required=False, label="Why")

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        field = self.fields["decided_by"]
        assert isinstance(field, forms.ChoiceField)
        field.choices = [(reason.value, DECIDED_BY[reason.value]) for reason in SAID_BY_STAFF]

    def clean_games(self) -> tuple[int, int]:
        first, second = str(self.cleaned_data["games"]).split("-")
        return int(first), int(second)
