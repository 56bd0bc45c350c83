"""Papers that are made in the background: asked for once, made by a worker, kept for a while."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import F
from django.db.models.functions import Now

from config.errors import DomainError, NotFound
from decks.sheets import PAPERS, render_sheets
from events.models import Event, PrintJob
from events.papers.badges import render_badges
from events.papers.lists import render_list
from events.papers.slips import PER_PAGE, render_slips
from events.queries import papers
from events.queries.sheets import blank_sheet, filled_sheets, number_of_sheets, sheet_orders

KEPT = timedelta(hours=24)
MOST_BLANKS = 200
STEP = 20  # sheets, or lines of a paper, between two words about how far it is
NOTHING = {
    "by-name": "No round has been posted yet, so there are no pairings to print.",
    "by-table": "No round has been posted yet, so there are no pairings to print.",
    "slips": "No round with tables has been posted yet, so there are no slips to print.",
    "standings": "Standings can be printed once the first round is complete.",
    "pods": "The seats of a draft are not drawn yet, or there is no draft in this event.",
    "meeting": "Nobody is registered yet, so there is nobody to seat.",
    "badges": "Nobody is registered yet, so there are no badges to print.",
}


def request_sheets(*, event: Event, user_id: int, options: Mapping[str, Any]) -> PrintJob:
    """A job to print every decklist that counts, or ``copies`` blanks; the caller has a worker do it.

    ``options``: which ("filled" or "blank"), paper, order, copies, origin. The same job that still waits is not made
    twice. Raises DomainError "print.options", "print.nothing".
    """
    copies = options["copies"] if options["which"] == "blank" else number_of_sheets(event)
    if options["paper"] not in PAPERS or options["order"] not in dict(sheet_orders(event)):
        raise DomainError("print.options", "There is no such paper or order. Choose one of the list.")
    if not 1 <= copies <= MOST_BLANKS and options["which"] == "blank":
        raise DomainError("print.options", f"Ask for 1 to {MOST_BLANKS} blank sheets.")
    if not copies:
        raise DomainError("print.nothing", "Nobody has handed in a decklist yet, so there is nothing to print.")
    return _job(event, user_id, "sheets", options, copies)


def request_paper(*, event: Event, user_id: int, kind: str, options: Mapping[str, Any]) -> PrintJob:
    """A job to print one of ``papers.KINDS``; the caller has a worker do it.

    ``options``: paper, origin, round (its number, None for the newest), per_page (slips), drafts (whether a round that
    was not posted may be printed). The same job that still waits is not made twice. Raises DomainError "print.options",
    "print.nothing", NotFound "round.unknown".
    """
    if kind not in papers.KINDS or options["paper"] not in PAPERS or options["per_page"] not in PER_PAGE:
        raise DomainError("print.options", "There is no such paper. Choose one of the list.")
    round_ = None
    if papers.KINDS[kind].of_round:
        round_ = papers.printable_round(event, options["round"], drafts=options["drafts"])
    lines = papers.number_of_lines(event, kind, round_)
    if not lines:
        raise DomainError("print.nothing", NOTHING[kind])
    settled = {**options, "round": None if round_ is None else round_.sequence}
    return _job(event, user_id, kind, settled, lines)


def _job(event: Event, user_id: int, kind: str, options: Mapping[str, Any], total: int) -> PrintJob:
    with transaction.atomic():
        Event.objects.select_for_update(no_key=True).get(pk=event.pk)
        waiting = PrintJob.objects.filter(
            event=event,
            requested_by_id=user_id,
            kind=kind,
            options=dict(options),
            state__in=[PrintJob.State.WAITING, PrintJob.State.RUNNING],
        ).first()
        return waiting or PrintJob.objects.create(
            event=event,
            requested_by_id=user_id,
            kind=kind,
            options=dict(options),
            total=total,
            expires_at=Now() + KEPT,
        )


def run_print_job(*, job_id: int) -> bool:
    """Make the PDF, once: False where another worker does or did, or the job is gone.

    A job whose round is gone by now has failed, and that is all there is to say about it.
    """
    states = PrintJob.State
    if not PrintJob.objects.filter(pk=job_id, state=states.WAITING).update(state=states.RUNNING):
        return False
    found = PrintJob.objects.select_related("event__game", "event__format", "event__format_version")
    job = found.annotate(now=Now()).get(pk=job_id)

    def progress(done: int) -> None:
        if done % STEP == 0:
            PrintJob.objects.filter(pk=job_id).update(done=done)

    try:
        content = _sheets(job, progress) if job.kind == "sheets" else _paper(job, job.now, progress)
    except Exception as error:
        PrintJob.objects.filter(pk=job_id).update(state=states.FAILED, finished_at=Now())
        if isinstance(error, NotFound):
            return True
        raise
    PrintJob.objects.filter(pk=job_id).update(
        state=states.DONE, content=content, done=F("total"), finished_at=Now(), expires_at=Now() + KEPT
    )
    return True


def _sheets(job: PrintJob, progress: Callable[[int], None]) -> bytes:
    options = job.options
    if options["which"] == "blank":
        sheets = iter([blank_sheet(job.event)] * options["copies"])
    else:
        sheets = filled_sheets(job.event, origin=options["origin"], order=options["order"])
    return render_sheets(sheets, paper=options["paper"], progress=progress)


def _paper(job: PrintJob, now: datetime, progress: Callable[[int], None]) -> bytes:
    event, options, size = job.event, job.options, job.options["paper"]
    if papers.KINDS[job.kind].of_round:
        round_ = papers.printable_round(event, options["round"], drafts=options["drafts"])
        if round_ is None:
            raise NotFound("round.unknown", "The round is gone.", {"round": options["round"]})
        if job.kind == "slips":
            slips = papers.result_slips(event, round_, now, options["origin"])
            return render_slips(slips, per_page=options["per_page"], size=size, progress=progress)
        of_round = {"by-name": papers.pairings_by_name, "by-table": papers.pairings_by_table}[job.kind]
        return render_list(of_round(event, round_, now), size=size, progress=progress)
    if job.kind == "badges":
        return render_badges(papers.badges_of(event, now, options["origin"]), size=size, progress=progress)
    of_event = {
        "standings": papers.standings_list,
        "pods": papers.draft_seats,
        "meeting": papers.meeting_seats,
    }[job.kind]
    return render_list(of_event(event, now), size=size, progress=progress)
