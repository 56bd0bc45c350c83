"""Who is not there: the page of it, what staff do about it, and a player's word that nobody sits opposite."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from config.errors import DomainError
from events.forms_attendance import NoShowRuleForm
from events.models import Event
from events.queries.access import Viewer
from events.queries.attendance import attendance_of
from events.queries.desk import floor_match
from events.services import attendance
from events.services.transaction import Change
from events.views.commands import actor_of, carry_out, command_of, event_and_viewer
from events.views.desk import at_desk, attempt, show
from events.views.player_forms import acts, number_of


@at_desk("decides_results")
@require_safe
def absent(request: HttpRequest, event: Event, viewer: Viewer) -> HttpResponse:
    return _absent(request, event, viewer)


def _absent(
    request: HttpRequest,
    event: Event,
    viewer: Viewer,
    refusal: DomainError | None = None,
    form: NoShowRuleForm | None = None,
) -> HttpResponse:
    rule = {"minutes": event.no_show_minutes, "drops": event.no_show_drops}
    return show(
        request,
        event,
        viewer,
        "absent",
        tab="desk_players" if event.state == Event.State.REGISTRATION else "floor",
        refusal=refusal,
        found=attendance_of(event),
        form=form or NoShowRuleForm(initial=rule),
    )


@at_desk("runs_event")
@require_POST
def rule(request: HttpRequest, event: Event, viewer: Viewer) -> HttpResponse:
    form = NoShowRuleForm(request.POST)
    if not form.is_valid():
        wrong = DomainError("no_show.minutes", "Nothing was changed: look at what is marked below.")
        return _absent(request, event, viewer, wrong, form)
    return attempt(
        request,
        event,
        attendance.set_no_show_rule,
        told=lambda change: (
            f"A table waits {change.facts['minutes']} min now." if change.facts["minutes"] else "There is no rule now."
        ),
        back=_here(event),
        page=lambda refusal: _absent(request, event, viewer, refusal, form),
        **form.cleaned_data,
    )


@at_desk("runs_rounds")
@require_POST
def sweep_door(request: HttpRequest, event: Event, viewer: Viewer) -> HttpResponse:
    def told(change: Change) -> str:
        let_in = change.facts["let_in"]
        in_words = f" From the waitlist: {', '.join(let_in)}." if let_in else ""
        return f"Dropped as not there: {', '.join(change.facts['dropped'])}.{in_words}"

    return attempt(
        request,
        event,
        attendance.sweep_door,
        told=told,
        back=_here(event),
        page=lambda refusal: _absent(request, event, viewer, refusal),
    )


@at_desk("runs_rounds")
@require_POST
def sweep(request: HttpRequest, event: Event, viewer: Viewer, number: int) -> HttpResponse:
    return attempt(
        request,
        event,
        attendance.sweep_no_shows,
        told=lambda change: f"Decided, because somebody was not there: table {_listed(change.facts['tables'])}.",
        back=_here(event),
        page=lambda refusal: _absent(request, event, viewer, refusal),
        round_number=number,
    )


@at_desk("decides_results")
@require_POST
def take_back(request: HttpRequest, event: Event, viewer: Viewer, match_id: int) -> HttpResponse:
    row = floor_match(event=event, match_id=match_id)
    return attempt(
        request,
        event,
        attendance.take_no_show_back,
        told=lambda _: f"{row.match} plays after all.",
        back=_here(event),
        page=lambda refusal: _absent(request, event, viewer, refusal),
        match_id=match_id,
    )


@at_desk("decides_results")
@require_POST
def mark(request: HttpRequest, event: Event, viewer: Viewer, match_id: int) -> HttpResponse:
    """A judge says that a seat is empty, or that its player has come."""
    row = floor_match(event=event, match_id=match_id)
    player_id, came = number_of(request, "player"), request.POST.get("came") == "1"
    name = next((seat.player.name for seat in row.seats if seat.player_id == player_id), "Nobody")
    return attempt(
        request,
        event,
        attendance.take_absence_back if came else attendance.say_absent,
        told=lambda _: f"{row.match}: {name} {'has come' if came else 'is not there'}.",
        back=_here(event) if request.POST.get("from") == "absent" else _table(event, match_id),
        page=lambda refusal: _absent(request, event, viewer, refusal),
        match_id=match_id,
        player_id=player_id,
    )


@acts
def not_here(request: HttpRequest, code: str) -> HttpResponse:
    """A player says that the opponent is not at the table, or that somebody who was missed has come."""
    event, viewer = event_and_viewer(request, code)
    player = viewer.require_player()
    came = request.POST.get("came") == "1"
    carry_out(
        attendance.take_absence_back if came else attendance.say_absent,
        event_id=event.pk,
        actor=actor_of(request),
        match_id=number_of(request, "match"),
        player_id=number_of(request, "player"),
        by_player_id=player.pk,
        command=command_of(request),
    )
    messages.success(request, "Good: your match can begin." if came else "The staff see it. Stay at your table.")
    return redirect("events:me", code=code)


def _here(event: Event) -> str:
    return reverse("events:absent", args=[event.code])


def _table(event: Event, match_id: int) -> str:
    return reverse("events:floor_match", args=[event.code, match_id])


def _listed(tables: list[int]) -> str:
    return ", ".join(map(str, tables))
