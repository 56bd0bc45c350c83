"""The time that decides, and more or less of it for a round or a table."""

from __future__ import annotations

from django import forms
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.cache import patch_vary_headers
from django.views.decorators.http import require_POST, require_safe

from config.errors import DomainError
from events.forms_clocks import AdjustForm, ExtendByNumberForm, ExtendForm
from events.models import Event
from events.queries.access import Viewer
from events.queries.clocks import database_now, running_clocks
from events.queries.desk import desk_round, floor_match, table_of
from events.sentences import round_name
from events.services import clocks
from events.services.transaction import Change
from events.views.desk import at_desk, attempt
from events.views.desk_results import match_shown
from events.views.desk_rounds import round_shown

LONGEST_LIST = 600


@require_safe
def now(request: HttpRequest) -> JsonResponse:
    """What every screen sets its countdown by, and again after a sleep: the database's clock."""
    return JsonResponse({"now": database_now().isoformat()}, headers={"Cache-Control": "no-store"})


@require_safe
def clocks_of_the_hall(request: HttpRequest) -> HttpResponse:
    """Every event's clock side by side, or of those whose codes stand in ``of`` with commas between."""
    asked = [code for code in request.GET.get("of", "")[:LONGEST_LIST].split(",") if code]
    context = {
        "found": [
            (shown, round_name(shown.round.stage, shown.round.number, shown.round.sequence))
            for shown in running_clocks(asked)
        ],
        "address": request.get_full_path(),
    }
    part = "_" if "HX-Request" in request.headers else ""
    response = render(request, f"events/{part}clocks.html", context)
    response["Cache-Control"] = "no-store"
    patch_vary_headers(response, ["HX-Request"])
    return response


@at_desk("runs_rounds")
@require_POST
def adjust(request: HttpRequest, event: Event, viewer: Viewer, number: int) -> HttpResponse:
    """A round becomes longer or shorter."""
    form = AdjustForm(request.POST)
    if not form.is_valid():
        return round_shown(request, event, viewer, number, _unfit(form))
    minutes = form.cleaned_data["minutes"]
    return attempt(
        request,
        event,
        clocks.adjust_clock,
        told=lambda _: f"Round {number} is {abs(minutes)} min {'longer' if minutes > 0 else 'shorter'}.",
        back=reverse("events:desk_round", args=[event.code, number]),
        page=lambda refusal: round_shown(request, event, viewer, number, refusal),
        round_number=number,
        minutes=minutes,
        reason=form.cleaned_data["reason"],
    )


@at_desk("runs_rounds")
@require_POST
def extend_by_number(request: HttpRequest, event: Event, viewer: Viewer, number: int) -> HttpResponse:
    """Time for the table whose number is typed at the desk."""
    form = ExtendByNumberForm(request.POST)
    if not form.is_valid():
        return round_shown(request, event, viewer, number, _unfit(form))
    try:
        match = table_of(round_=desk_round(event=event, number=number), table=form.cleaned_data["table"])
    except DomainError as slip:  # of the finger: not an address that is not there
        return round_shown(request, event, viewer, number, DomainError(slip.code, slip.message))
    return attempt(
        request,
        event,
        clocks.extend_table,
        told=_told,
        back=reverse("events:desk_round", args=[event.code, number]),
        page=lambda refusal: round_shown(request, event, viewer, number, refusal),
        match_id=match.pk,
        minutes=form.cleaned_data["minutes"],
        reason=form.cleaned_data["reason"],
    )


@at_desk("decides_results")
@require_POST
def extend(request: HttpRequest, event: Event, viewer: Viewer, match_id: int) -> HttpResponse:
    """Time for the table that a judge stands at."""
    floor_match(event=event, match_id=match_id)
    form = ExtendForm(request.POST)
    if not form.is_valid():
        return match_shown(request, event, viewer, match_id, _unfit(form))
    return attempt(
        request,
        event,
        clocks.extend_table,
        told=_told,
        back=reverse("events:floor_match", args=[event.code, match_id]),
        page=lambda refusal: match_shown(request, event, viewer, match_id, refusal),
        match_id=match_id,
        minutes=form.cleaned_data["minutes"],
        reason=form.cleaned_data["reason"],
    )


@at_desk("decides_results")
@require_POST
def take_back(request: HttpRequest, event: Event, viewer: Viewer, match_id: int) -> HttpResponse:
    floor_match(event=event, match_id=match_id)
    return attempt(
        request,
        event,
        clocks.take_back_extension,
        told=_told,
        back=reverse("events:floor_match", args=[event.code, match_id]),
        page=lambda refusal: match_shown(request, event, viewer, match_id, refusal),
        match_id=match_id,
    )


def _told(change: Change) -> str:
    table, minutes = change.facts["table"], change.facts["seconds"] // 60
    return f"Table {table} has {minutes} min more than the round." if minutes else f"Table {table} ends with the round."


def _unfit(form: forms.Form) -> DomainError:
    """The first thing that is wrong with the form, in a sentence."""
    for field, errors in form.errors.get_json_data().items():
        label = form.fields[field].label if field in form.fields else None
        return DomainError("clock.form", f"{label}: {errors[0]['message']}" if label else errors[0]["message"])
    raise RuntimeError("a form that is whole has no refusal")
