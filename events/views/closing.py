"""The end of an event at its desk: prizes, who got them, the archive; and another event like it."""

from __future__ import annotations

from datetime import timedelta
from zoneinfo import ZoneInfo

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.models import User
from config.errors import DomainError
from events.engine.report_file import TABLES
from events.forms_closing import CloneForm, HandOverForm, PrizesForm
from events.models import Event, Stage
from events.queries.access import Viewer
from events.queries.closing import archived_of, awards_for, final_places, handovers_of, prizes_of
from events.services import archive, cloning, prizes
from events.services.transaction import Change
from events.views.commands import actor_of, carry_out, command_of
from events.views.desk import SHOWN_BESIDE_THE_FORM, at_desk, attempt, show
from events.views.public import reached


@at_desk("runs_rounds")
@require_safe
def closing(request: HttpRequest, event: Event, viewer: Viewer) -> HttpResponse:
    return _closing(request, event, viewer)


def _closing(
    request: HttpRequest,
    event: Event,
    viewer: Viewer,
    refusal: DomainError | None = None,
    form: PrizesForm | None = None,
) -> HttpResponse:
    table = prizes_of(event)
    finished = event.state == Event.State.FINISHED
    finishes = final_places(event) if finished else []
    awards = awards_for(finishes, table)
    handed = handovers_of(event) if finished else {}
    stage = event.stages.filter(kind=Stage.Kind.SINGLE_ELIMINATION).first() if finished else None
    rows = [
        {
            "finish": finish,
            "reached": reached(stage, finish),
            "award": awards.get(finish.player.pk),
            "handover": handed.get(finish.player.pk),
        }
        for finish in finishes
    ]
    waiting = sum(row["award"] is not None and row["handover"] is None for row in rows)
    return show(
        request,
        event,
        viewer,
        "closing",
        tab="desk_closing",
        refusal=refusal,
        form=form or PrizesForm(initial={"prizes": "\n".join(prize.line for prize in table)}),
        prizes=table,
        rows=rows,
        waiting=waiting,
        handed=len(handed),
        may_set=event.state in prizes.OPEN and viewer.runs_event,
        tables=TABLES,
        is_over=event.state in archive.OVER,
    )


@at_desk("runs_event")
@require_POST
def set_prizes(request: HttpRequest, event: Event, viewer: Viewer) -> HttpResponse:
    form = PrizesForm(request.POST)
    if not form.is_valid():
        refusal = DomainError("prizes.form", "The prizes are not saved yet: look at what is marked below.")
        return _closing(request, event, viewer, refusal, form)
    return attempt(
        request,
        event,
        prizes.set_prizes,
        told=lambda change: f"Saved: {change.facts['prizes']} in the table.",
        back=reverse("events:desk_closing", args=[event.code]),
        page=lambda refusal: _closing(request, event, viewer, refusal, form),
        prizes=form.cleaned_data["prizes"],
    )


@at_desk("runs_rounds")
@require_POST
def hand_over(request: HttpRequest, event: Event, viewer: Viewer, player_id: int) -> HttpResponse:
    form = HandOverForm(request.POST)
    if not form.is_valid():
        return _closing(request, event, viewer, DomainError("prize.note", "Note it in at most 200 characters."))
    return attempt(
        request,
        event,
        prizes.hand_over,
        told=lambda change: f"Handed over: {change.facts['prize']}.",
        back=_row(event, player_id),
        page=lambda refusal: _closing(request, event, viewer, refusal),
        player_id=player_id,
        note=form.cleaned_data["note"],
    )


@at_desk("runs_rounds")
@require_POST
def take_back(request: HttpRequest, event: Event, viewer: Viewer, player_id: int) -> HttpResponse:
    return attempt(
        request,
        event,
        prizes.take_back,
        told=lambda _: "Noted: not handed over.",
        back=_row(event, player_id),
        page=lambda refusal: _closing(request, event, viewer, refusal),
        player_id=player_id,
    )


def _row(event: Event, player_id: int) -> str:
    return f"{reverse('events:desk_closing', args=[event.code])}#player-{player_id}"


ARCHIVE_STEPS = {
    "archive": (archive.archive_event, "The event is in the archive: in no list, and nothing in it changes."),
    "restore": (archive.restore_event, "The event is out of the archive."),
}


@at_desk("runs_event")
@require_POST
def archive_step(request: HttpRequest, event: Event, viewer: Viewer, step: str) -> HttpResponse:
    service, words = ARCHIVE_STEPS[step]
    return attempt(
        request,
        event,
        service,
        told=lambda _: words,
        back=reverse("events:desk_closing", args=[event.code]),
        page=lambda refusal: _closing(request, event, viewer, refusal),
    )


@at_desk("runs_event")
@require_http_methods(["GET", "HEAD", "POST"])
def clone(request: HttpRequest, event: Event, viewer: Viewer) -> HttpResponse:
    """A week later at the same time, if nothing else is typed."""
    zone = ZoneInfo(event.time_zone)
    if request.method != "POST":
        start = {"name": event.name, "starts_at": event.starts_at.astimezone(zone) + timedelta(days=7)}
        return _clone(request, event, viewer, CloneForm(zone=zone, initial=start))
    form = CloneForm(request.POST, zone=zone)
    if not form.is_valid():
        refusal = DomainError("event.form", "The event is not made yet: look at what is marked below.")
        return _clone(request, event, viewer, form, refusal)
    try:
        change: Change = carry_out(
            cloning.clone_event,
            event_id=event.pk,
            actor=actor_of(request),
            command=command_of(request),
            **form.cleaned_data,
        )
    except DomainError as refusal:
        if refusal.status not in (*SHOWN_BESIDE_THE_FORM, 404):  # 404: no version of the format is in force that day
            raise
        return _clone(request, event, viewer, form, refusal)
    messages.success(request, "The new event is made, and registration is open. Nobody is in it yet.")
    return redirect("events:desk", code=change.facts["code"])


def _clone(
    request: HttpRequest, event: Event, viewer: Viewer, form: CloneForm, refusal: DomainError | None = None
) -> HttpResponse:
    return show(request, event, viewer, "clone", tab="desk_settings", refusal=refusal, form=form)


@login_required
@require_safe
def archived(request: HttpRequest) -> HttpResponse:
    """Events in the archive that the visitor runs."""
    with timezone.override("UTC"):
        user = request.user
        events = archived_of(user) if isinstance(user, User) else []
        return render(request, "events/desk/archived.html", {"events": events})
