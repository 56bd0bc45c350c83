"""Papers of the desk, made in the background: pairings, slips, standings, seats, badges, registration sheets."""

from __future__ import annotations

from typing import Any, cast

from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from accounts.models import User
from config.errors import DomainError, NotFound
from decks.sheets import PAPERS, render_sheets
from events.forms import PaperForm, SheetsForm
from events.models import Event, PrintJob, Round
from events.queries.access import Viewer
from events.queries.papers import KINDS, Kind, printable_rounds
from events.queries.sheets import filled_sheets, number_of_sheets, print_job, print_jobs, sheet_orders
from events.queries.visibility import visible_decklist
from events.sentences import round_name
from events.services import printing
from events.tasks import start_making_papers
from events.views.commands import event_and_viewer
from events.views.desk import at_desk, show


@at_desk("follows_event")
@require_safe
def papers(request: HttpRequest, event: Event, viewer: Viewer) -> HttpResponse:
    return _papers(request, event, viewer)


def _papers(
    request: HttpRequest,
    event: Event,
    viewer: Viewer,
    *,
    sheets: SheetsForm | None = None,
    form: PaperForm | None = None,
    refusal: DomainError | None = None,
) -> HttpResponse:
    jobs = list(print_jobs(event, user_id=_user(request).pk))
    context: dict[str, Any] = {
        "jobs": [(job, _words(job)) for job in jobs if _may_read(viewer, job)],
        "unfinished": any(job.state in (PrintJob.State.WAITING, PrintJob.State.RUNNING) for job in jobs),
    }
    if request.headers.get("HX-Request") == "true" and "HX-History-Restore-Request" not in request.headers:
        response = render(request, "events/desk/_papers.html", {**context, "event": event})
        response["Cache-Control"] = "no-store"
        return response
    context |= {"form": form or _paper_form(event, viewer), "kinds": _kinds(viewer)}
    if viewer.sees_decklists:
        context |= {
            "handed_in": number_of_sheets(event),
            "sheets": sheets or SheetsForm(orders=sheet_orders(event)),
        }
    return show(request, event, viewer, "papers", tab="papers", refusal=refusal, **context)


@at_desk("follows_event")
@require_POST
def ask_for_paper(request: HttpRequest, event: Event, viewer: Viewer) -> HttpResponse:
    """Pairings, slips, standings, seats or badges."""
    form = _paper_form(event, viewer, request.POST)
    if not form.is_valid():
        refusal = DomainError("print.options", "Look at what is marked below.")
        return _papers(request, event, viewer, form=form, refusal=refusal)
    options = {**form.cleaned_data, "origin": _origin(request), "drafts": viewer.runs_rounds}
    kind = options.pop("kind")
    try:
        job = printing.request_paper(event=event, user_id=_user(request).pk, kind=kind, options=options)
    except DomainError as refusal:
        return _papers(request, event, viewer, form=form, refusal=refusal)
    start_making_papers(job.pk)
    return redirect("events:papers", code=event.code)


@at_desk("sees_decklists")
@require_POST
def ask_for_sheets(request: HttpRequest, event: Event, viewer: Viewer) -> HttpResponse:
    viewer.require(viewer.follows_event)
    form = SheetsForm(request.POST, orders=sheet_orders(event))
    if not form.is_valid():
        refusal = DomainError("print.options", "Look at what is marked below.")
        return _papers(request, event, viewer, sheets=form, refusal=refusal)
    options = {**form.cleaned_data, "origin": _origin(request)}
    try:
        job = printing.request_sheets(event=event, user_id=_user(request).pk, options=options)
    except DomainError as refusal:
        return _papers(request, event, viewer, sheets=form, refusal=refusal)
    start_making_papers(job.pk)
    return redirect("events:papers", code=event.code)


@at_desk("follows_event")
@require_safe
def paper(request: HttpRequest, event: Event, viewer: Viewer, job_id: int) -> HttpResponse:
    job = print_job(event, user_id=_user(request).pk, job_id=job_id)
    viewer.require(_may_read(viewer, job))
    if job.content is None:
        raise NotFound("print.unfinished", "This paper is not made yet. Look again in a moment.", {"job": job_id})
    return _pdf(bytes(job.content), f"{event.code}-{job.kind}.pdf")


def _kinds(viewer: Viewer) -> list[Kind]:
    return [kind for kind in KINDS.values() if getattr(viewer, kind.right)]


def _paper_form(event: Event, viewer: Viewer, data: QueryDict | None = None) -> PaperForm:
    rounds = [
        (round_.sequence, f"{round_name(round_.stage, round_.number, round_.sequence)}{_draft_words(round_)}")
        for round_ in reversed(printable_rounds(event, drafts=viewer.runs_rounds))
    ]
    kinds = [(kind.key, kind.label) for kind in _kinds(viewer)]
    return PaperForm(data, kinds=kinds, rounds=rounds, auto_id="print_%s")


def _draft_words(round_: Round) -> str:
    return " (draft)" if round_.state == Round.State.DRAFT else ""


def _may_read(viewer: Viewer, job: PrintJob) -> bool:
    """Rights may have gone since the paper was asked for."""
    if job.kind == "sheets":
        return viewer.sees_decklists
    drafted = bool(job.options["drafts"]) and KINDS[job.kind].of_round
    return bool(getattr(viewer, KINDS[job.kind].right)) and (viewer.runs_rounds or not drafted)


def _words(job: PrintJob) -> tuple[str, str]:
    """What a paper is called, and what is counted while it is made."""
    if job.kind == "sheets":
        plural = "" if job.total == 1 else "s"
        blank = "blank " if job.options.get("which") == "blank" else ""
        return f"{job.total} {blank}sheet{plural}, {job.options.get('paper', 'A4')}", "sheets"
    number = job.options["round"]
    of_round = "" if number is None else f", round {number}"
    return f"{KINDS[job.kind].label}{of_round}, {job.options['paper']}", "slips" if job.kind == "slips" else "lines"


def _origin(request: HttpRequest) -> str:
    return request.build_absolute_uri("/").rstrip("/")


@require_safe
def sheet(request: HttpRequest, code: str, player_id: int) -> HttpResponse:
    """One player's sheet, for whoever may read the decklist."""
    event, viewer = event_and_viewer(request, code)
    submission = visible_decklist(event, viewer, player_id)
    size = request.GET.get("paper", "A4")
    if size not in PAPERS:
        raise DomainError("print.options", f"There is paper of the sizes {' and '.join(PAPERS)}.")
    knows = viewer.knows_names or submission.player == viewer.player
    sheets = filled_sheets(event, origin=_origin(request), player_id=submission.player_id, public=not knows)
    return _pdf(render_sheets(sheets, paper="Letter" if size == "Letter" else "A4"), f"{event.code}-{player_id}.pdf")


def _pdf(content: bytes, name: str) -> HttpResponse:
    response = HttpResponse(content, content_type="application/pdf")
    response["Content-Disposition"] = f'inline; filename="{name}"'
    response["Cache-Control"] = "private, no-store"
    return response


def _user(request: HttpRequest) -> User:
    """Only behind ``at_desk``."""
    return cast(User, request.user)
