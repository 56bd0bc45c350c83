"""One player at the desk: what staff write down about them."""

from __future__ import annotations

from typing import Any

from django import forms
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from config.errors import DomainError
from events.models import Event, Player
from events.queries.access import Viewer
from events.queries.desk_players import avoidances_of, desk_player, others_of
from events.services import player_facts, privacy
from events.views.desk import at_desk, attempt, show


class PaidForm(forms.Form):
    paid = forms.TypedChoiceField(choices=[("1", "Paid"), ("0", "Not paid")], coerce=lambda word: word == "1")


class ByesForm(forms.Form):
    assigned_byes = forms.IntegerField(min_value=0, max_value=player_facts.MOST_BYES)


class TableForm(forms.Form):
    fixed_table = forms.IntegerField(min_value=0, max_value=player_facts.LAST_TABLE, required=False)
    fixed_table_kind = forms.ChoiceField(choices=Player.FixedTable.choices, required=False)

    def clean_fixed_table(self) -> int:
        return int(self.cleaned_data["fixed_table"] or 0)


class TeamForm(forms.Form):
    team = forms.CharField(max_length=player_facts.LONGEST_TEAM, required=False)


class AvoidForm(forms.Form):
    other_id = forms.IntegerField(min_value=1, max_value=10**15)
    is_strict = forms.BooleanField(required=False)
    reason = forms.CharField(max_length=player_facts.LONGEST_REASON, required=False)


class NameForm(forms.Form):
    style = forms.ChoiceField(choices=[(style, style) for style in privacy.STYLES])
    own = forms.CharField(max_length=60, required=False)


FACTS: dict[str, tuple[type[forms.Form], str]] = {
    "name": (NameForm, "The name that others read of {name} is noted."),
    "paid": (PaidForm, "Noted whether {name} has paid."),
    "byes": (ByesForm, "The byes of {name} are noted."),
    "table": (TableForm, "The table of {name} is noted."),
    "team": (TeamForm, "The team of {name} is noted."),
}


@at_desk("runs_rounds")
@require_safe
def player(request: HttpRequest, event: Event, viewer: Viewer, player_id: int) -> HttpResponse:
    return _player(request, event, viewer, desk_player(event, player_id))


def _player(
    request: HttpRequest, event: Event, viewer: Viewer, player: Player, refusal: DomainError | None = None
) -> HttpResponse:
    context: dict[str, Any] = {
        "player": player,
        "avoidances": avoidances_of(player),
        "others": others_of(player),
        "kinds": Player.FixedTable.choices,
        "teams": list(event.teams.values_list("name", flat=True)),
        "is_open": event.state in player_facts.OPEN,
    }
    return show(request, event, viewer, "player", tab="desk_players", refusal=refusal, **context)


@at_desk("runs_rounds")
@require_POST
def set_fact(request: HttpRequest, event: Event, viewer: Viewer, player_id: int, fact: str) -> HttpResponse:
    if fact not in FACTS:
        raise Http404
    kind, told = FACTS[fact]
    service = privacy.choose_public_name if fact == "name" else player_facts.change_facts
    return _change(request, event, viewer, player_id, kind(request.POST), service, told)


@at_desk("runs_rounds")
@require_POST
def keep_apart(request: HttpRequest, event: Event, viewer: Viewer, player_id: int) -> HttpResponse:
    told = "{name} is kept apart from this player."
    return _change(request, event, viewer, player_id, AvoidForm(request.POST), player_facts.keep_apart, told)


def _change(
    request: HttpRequest, event: Event, viewer: Viewer, player_id: int, form: forms.Form, service: Any, told: str
) -> HttpResponse:
    player = desk_player(event, player_id)

    def refused(refusal: DomainError) -> HttpResponse:
        return _player(request, event, viewer, desk_player(event, player_id), refusal)

    if not form.is_valid():
        words = " ".join(str(message) for messages in form.errors.values() for message in messages)
        return refused(DomainError("player.form", f"Nothing was changed. {words}"))
    return attempt(
        request,
        event,
        service,
        told=lambda _: told.format(name=player.name),
        back=reverse("events:desk_player", args=[event.code, player.pk]),
        page=refused,
        player_id=player.pk,
        **form.cleaned_data,
    )


@at_desk("runs_rounds")
@require_POST
def let_meet(request: HttpRequest, event: Event, viewer: Viewer, player_id: int, avoidance_id: int) -> HttpResponse:
    player = desk_player(event, player_id)
    return attempt(
        request,
        event,
        player_facts.let_meet,
        told=lambda _: "These two may meet.",
        back=reverse("events:desk_player", args=[event.code, player.pk]),
        page=lambda refusal: _player(request, event, viewer, player, refusal),
        avoidance_id=avoidance_id,
    )
