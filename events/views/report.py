"""The report of an event to download: everybody's, and the organiser's."""

from __future__ import annotations

from typing import Literal

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.http import require_safe

from events.engine.csv_text import csv_text
from events.engine.report_file import TABLES, table_of
from events.models import Event
from events.queries.access import Viewer
from events.queries.report import report_of
from events.views.commands import event_and_viewer
from events.views.desk import at_desk


@require_safe
def public_report(request: HttpRequest, code: str, table: str = "") -> HttpResponse:
    """The whole as JSON, or one table of it as CSV."""
    event, _ = event_and_viewer(request, code)
    return _download(event, "public", table)


@at_desk("runs_event")
@require_safe
def full_report(request: HttpRequest, event: Event, viewer: Viewer, table: str = "") -> HttpResponse:
    """With full names, teams, staff's reasons and what was handed over."""
    response = _download(event, "organiser", table)
    response["Cache-Control"] = "no-store"
    return response


def _download(event: Event, audience: Literal["public", "organiser"], table: str) -> HttpResponse:
    if table and table not in TABLES:
        raise Http404
    report = report_of(event, audience=audience)
    response: HttpResponse = JsonResponse(report.as_json())
    if table:
        response = HttpResponse(csv_text(*table_of(report, table)), content_type="text/csv; charset=utf-8")
    name = f"{event.code}-{table}.csv" if table else f"{event.code}-report.json"
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response
