"""Papers of the desk: registration sheets of everybody, or blank ones, made in the background."""

from __future__ import annotations

from typing import Any, cast

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from accounts.models import User
from config.errors import DomainError, NotFound
from decks.sheets import PAPERS, render_sheets
from events.forms import SheetsForm
from events.models import Event, PrintJob
from events.queries.access import Viewer
from events.queries.sheets import filled_sheets, number_of_sheets, print_job, print_jobs, sheet_orders
from events.queries.visibility import visible_decklist
from events.services import printing
from events.tasks import start_making_papers
from events.views.commands import event_and_viewer
from events.views.desk import at_desk, show


@at_desk("sees_decklists")
@require_safe
def papers(request: HttpRequest, event: Event, viewer: Viewer) -> HttpResponse:
    return _papers(request, event, viewer)


def _papers(
    request: HttpRequest,
    event: Event,
    viewer: Viewer,
    form: SheetsForm | None = None,
    refusal: DomainError | None = None,
) -> HttpResponse:
    jobs = list(print_jobs(event, user_id=_user(request).pk))
    context: dict[str, Any] = {
        "jobs": jobs,
        "unfinished": any(job.state in (PrintJob.State.WAITING, PrintJob.State.RUNNING) for job in jobs),
    }
    if request.headers.get("HX-Request") == "true" and "HX-History-Restore-Request" not in request.headers:
        response = render(request, "events/desk/_papers.html", {**context, "event": event})
        response["Cache-Control"] = "no-store"
        return response
    context |= {"handed_in": number_of_sheets(event), "form": form or SheetsForm(orders=sheet_orders(event))}
    return show(request, event, viewer, "papers", tab="papers", refusal=refusal, **context)


@at_desk("sees_decklists")
@require_POST
def ask_for_sheets(request: HttpRequest, event: Event, viewer: Viewer) -> HttpResponse:
    form = SheetsForm(request.POST, orders=sheet_orders(event))
    if not form.is_valid():
        return _papers(request, event, viewer, form, DomainError("print.options", "Look at what is marked below."))
    options = {**form.cleaned_data, "origin": request.build_absolute_uri("/").rstrip("/")}
    try:
        job = printing.request_sheets(event=event, user_id=_user(request).pk, options=options)
    except DomainError as refusal:
        return _papers(request, event, viewer, form, refusal)
    start_making_papers(job.pk)
    return redirect("events:papers", code=event.code)


@at_desk("sees_decklists")
@require_safe
def paper(request: HttpRequest, event: Event, viewer: Viewer, job_id: int) -> HttpResponse:
    job = print_job(event, user_id=_user(request).pk, job_id=job_id)
    if job.content is None:
        raise NotFound("print.unfinished", "This paper is not made yet. Look again in a moment.", {"job": job_id})
    return _pdf(bytes(job.content), f"{event.code}-sheets.pdf")


@require_safe
def sheet(request: HttpRequest, code: str, player_id: int) -> HttpResponse:
    """One player's sheet, for whoever may read the decklist."""
    event, viewer = event_and_viewer(request, code)
    submission = visible_decklist(event, viewer, player_id)
    size = request.GET.get("paper", "A4")
    if size not in PAPERS:
        raise DomainError("print.options", f"There is paper of the sizes {' and '.join(PAPERS)}.")
    origin = request.build_absolute_uri("/").rstrip("/")
    sheets = filled_sheets(event, origin=origin, player_id=submission.player_id)
    return _pdf(render_sheets(sheets, paper="Letter" if size == "Letter" else "A4"), f"{event.code}-{player_id}.pdf")


def _pdf(content: bytes, name: str) -> HttpResponse:
    response = HttpResponse(content, content_type="application/pdf")
    response["Content-Disposition"] = f'inline; filename="{name}"'
    response["Cache-Control"] = "private, no-store"
    return response


def _user(request: HttpRequest) -> User:
    """Only behind ``at_desk``."""
    return cast(User, request.user)
