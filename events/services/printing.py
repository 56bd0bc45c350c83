"""Papers that are made in the background: asked for once, made by a worker, kept for a while."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from django.db import transaction
from django.db.models import F
from django.db.models.functions import Now

from config.errors import DomainError
from decks.sheets import PAPERS, render_sheets
from events.models import Event, PrintJob
from events.queries.sheets import blank_sheet, filled_sheets, number_of_sheets, sheet_orders

KEPT = timedelta(hours=24)
MOST_BLANKS = 200
STEP = 20  # sheets between two words about how far it is


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
    with transaction.atomic():
        Event.objects.select_for_update(no_key=True).get(pk=event.pk)
        waiting = PrintJob.objects.filter(
            event=event,
            requested_by_id=user_id,
            kind="sheets",
            options=dict(options),
            state__in=[PrintJob.State.WAITING, PrintJob.State.RUNNING],
        ).first()
        return waiting or PrintJob.objects.create(
            event=event,
            requested_by_id=user_id,
            kind="sheets",
            options=dict(options),
            total=copies,
            expires_at=Now() + KEPT,
        )


def run_print_job(*, job_id: int) -> bool:
    """Make the PDF, once: False where another worker does or did, or the job is gone."""
    states = PrintJob.State
    if not PrintJob.objects.filter(pk=job_id, state=states.WAITING).update(state=states.RUNNING):
        return False
    job = PrintJob.objects.select_related("event__game", "event__format", "event__format_version").get(pk=job_id)

    def progress(done: int) -> None:
        if done % STEP == 0:
            PrintJob.objects.filter(pk=job_id).update(done=done)

    options = job.options
    try:
        if options["which"] == "blank":
            sheets = iter([blank_sheet(job.event)] * options["copies"])
        else:
            sheets = filled_sheets(job.event, origin=options["origin"], order=options["order"])
        content = render_sheets(sheets, paper=options["paper"], progress=progress)
    except Exception:
        PrintJob.objects.filter(pk=job_id).update(state=states.FAILED, finished_at=Now())
        raise
    PrintJob.objects.filter(pk=job_id).update(
        state=states.DONE, content=content, done=F("total"), finished_at=Now(), expires_at=Now() + KEPT
    )
    return True
