"""Series: total standings for everybody, and what their owner settles."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from config.errors import DomainError, NotFound
from events.api.serializers.series import SeriesStandingsAnswer
from events.engine.csv_text import csv_text
from events.forms_series import USUAL, JoinForm, SeriesForm
from events.models import Event, Series
from events.queries.series import SeriesStandings, all_series, series_standings
from events.services import series as services
from events.views.commands import actor_of, carry_out, command_of
from events.views.desk import SHOWN_BESIDE_THE_FORM


@require_safe
def index(request: HttpRequest) -> HttpResponse:
    return render(request, "events/series/index.html", {"rows": all_series()[:200]})


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def new(request: HttpRequest) -> HttpResponse:
    """Anybody with an account may run a series."""
    if request.method != "POST":
        return _form(request, SeriesForm(initial={"places": USUAL}))
    form = SeriesForm(request.POST)
    if not form.is_valid():
        return _form(request, form, refusal=_marked())
    try:
        change = carry_out(
            services.create_series,
            actor=actor_of(request),
            command=command_of(request),
            name=form.cleaned_data["name"],
            rules=form.rules,
        )
    except DomainError as refusal:
        if refusal.status not in SHOWN_BESIDE_THE_FORM:
            raise
        return _form(request, form, refusal=refusal)
    messages.success(request, "The series is made. Add the events that count in it.")
    return redirect("series:series", slug=change.facts["slug"])


@require_safe
def series(request: HttpRequest, slug: str) -> HttpResponse:
    return _series(request, get_object_or_404(Series, slug=slug))


def _series(
    request: HttpRequest, found: Series, refusal: DomainError | None = None, join: JoinForm | None = None
) -> HttpResponse:
    standings = series_standings(found)
    context = {
        "series": found,
        "standings": standings,
        "rows": [_row(standings, row) for row in standings.rows],
        "is_owner": request.user.is_authenticated and request.user.pk == found.owner_id,
        "join": join or JoinForm(),
        "refusal": refusal,
    }
    status = refusal.status if refusal is not None else 200
    return render(request, "events/series/series.html", context, status=status)


def _row(standings: SeriesStandings, row: Any) -> dict[str, Any]:
    """A row with a cell for each event that counts, None where the player was not in it."""
    by_event = {scored.event: scored for scored in row.results}
    return {"row": row, "cells": [by_event.get(event.code) for event in standings.counted]}


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def change(request: HttpRequest, slug: str) -> HttpResponse:
    found = get_object_or_404(Series, slug=slug)
    if request.user.pk != found.owner_id:
        raise NotFound("series.unknown", "There is no such page for you.")
    if request.method != "POST":
        return _form(request, SeriesForm(initial=SeriesForm.stored(found)), found)
    form = SeriesForm(request.POST)
    if not form.is_valid():
        return _form(request, form, found, _marked())
    try:
        carry_out(
            services.change_series,
            slug=slug,
            actor=actor_of(request),
            command=command_of(request),
            name=form.cleaned_data["name"],
            rules=form.rules,
        )
    except DomainError as refusal:
        if refusal.status not in SHOWN_BESIDE_THE_FORM:
            raise
        found.refresh_from_db()
        return _form(request, form, found, refusal)
    messages.success(request, "Saved. The standings are counted anew.")
    return redirect("series:series", slug=slug)


def _marked() -> DomainError:
    return DomainError("series.form", "Nothing is saved yet: look at what is marked below.")


def _form(
    request: HttpRequest, form: SeriesForm, found: Series | None = None, refusal: DomainError | None = None
) -> HttpResponse:
    context = {"form": form, "series": found, "refusal": refusal}
    status = refusal.status if refusal is not None else 200
    return render(request, "events/series/form.html", context, status=status)


@login_required
@require_POST
def join(request: HttpRequest, slug: str) -> HttpResponse:
    found = get_object_or_404(Series, slug=slug)
    form = JoinForm(request.POST)
    event = Event.objects.filter(code=form.cleaned_data["code"]).first() if form.is_valid() else None
    if event is None:
        unknown = DomainError("event.unknown", "There is no event with this code: it stands in the event's address.")
        return _series(request, found, unknown, form)
    return _carry(request, found, services.join_series, event, "The event counts in the series.", form)


@login_required
@require_POST
def leave(request: HttpRequest, slug: str, code: str) -> HttpResponse:
    found = get_object_or_404(Series, slug=slug)
    event = get_object_or_404(Event, code=code)
    return _carry(request, found, services.leave_series, event, "The event no longer counts in the series.")


def _carry(
    request: HttpRequest, found: Series, service: Any, event: Event, told: str, form: JoinForm | None = None
) -> HttpResponse:
    try:
        carry_out(service, event_id=event.pk, slug=found.slug, actor=actor_of(request), command=command_of(request))
    except DomainError as refusal:
        if refusal.status not in (*SHOWN_BESIDE_THE_FORM, 404):
            raise
        return _series(request, found, refusal, form)
    messages.success(request, told)
    return redirect("series:series", slug=found.slug)


@require_safe
def download(request: HttpRequest, slug: str, kind: str) -> HttpResponse:
    """The total standings as a file."""
    standings = series_standings(get_object_or_404(Series, slug=slug))
    if kind == "json":
        response: HttpResponse = JsonResponse(SeriesStandingsAnswer(standings).data)
    else:
        codes = [event.code for event in standings.counted]
        head = ["place", "player", "total", *(column for code in codes for column in (code, f"{code} counts"))]
        response = HttpResponse(csv_text(head, _lines(standings, codes)), content_type="text/csv; charset=utf-8")
    day = timezone.localdate().isoformat()
    response["Content-Disposition"] = f'attachment; filename="{slug}-{day}.{kind}"'
    return response


def _lines(standings: SeriesStandings, codes: list[str]) -> list[list[object]]:
    lines = []
    for row in standings.rows:
        by_event = {scored.event: scored for scored in row.results}
        cells: list[object] = []
        for code in codes:
            scored = by_event.get(code)
            cells += [None, None] if scored is None else [scored.points, "yes" if scored.counts else "no"]
        lines.append([row.place, row.name, row.total, *cells])
    return lines
