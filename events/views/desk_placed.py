"""Results of tables and of games of sides, as staff enter them at the floor."""

from __future__ import annotations

from typing import Any, TypeVar

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_POST

from config.errors import DomainError
from events.forms_placed import PlacesForm, SheetsForm
from events.models import Event
from events.queries.access import Viewer
from events.queries.desk import TableRow, floor_match
from events.services import placed_results
from events.views.desk import at_desk, attempt
from events.views.desk_results import match_shown


@at_desk("decides_results")
@require_POST
def decide_placed(request: HttpRequest, event: Event, viewer: Viewer, match_id: int) -> HttpResponse:
    """A form with places, with score sheets, or with the side that has won: its ``what`` says which."""
    row = floor_match(event=event, match_id=match_id)

    def refused(refusal: DomainError) -> HttpResponse:
        return match_shown(request, event, viewer, match_id, refusal)

    try:
        service, values = _read(request, row)
    except DomainError as slip:
        return refused(slip)
    return attempt(
        request,
        event,
        service,
        told=lambda _: f"{row.match}: the result is entered.",
        back=reverse("events:floor", args=[event.code]),
        page=refused,
        match_id=match_id,
        **values,
    )


def _read(request: HttpRequest, row: TableRow) -> tuple[Any, dict[str, Any]]:
    """Raises DomainError "result.form"."""
    if row.sides:
        version = request.POST.get("match_version", "")
        values = {"winner": request.POST.get("winner", ""), "reason": request.POST.get("reason", "")}
        return placed_results.decide_sides, {**values, "match_version": int(version) if version.isdecimal() else None}
    if request.POST.get("what") == "sheets":
        sheets = SheetsForm(row.seats, request.POST)
        return placed_results.decide_melee, {"sheets": _valid(sheets).sheets, **_known(sheets)}
    places = PlacesForm(row.seats, request.POST)
    return placed_results.decide_table, {"places": _valid(places).places, **_known(places)}


_Form = TypeVar("_Form", PlacesForm, SheetsForm)


def _valid(form: _Form) -> _Form:
    if not form.is_valid():
        raise DomainError("result.form", "That is no result yet: look at what is marked below.")
    return form


def _known(form: PlacesForm | SheetsForm) -> dict[str, Any]:
    return {name: form.cleaned_data[name] for name in ("reason", "match_version")}
