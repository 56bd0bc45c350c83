"""Work that nobody waits for."""

from __future__ import annotations

import logging
from random import SystemRandom

from celery import Task, shared_task
from kombu.exceptions import OperationalError

from config.errors import Unavailable
from events.queries.publishing import unfollowed_publications
from events.queries.sheets import waiting_print_jobs
from events.services import deliveries, housekeeping, notices, outbox, printing, publishing, webhooks
from events.views.shared import make_for_guests

_log = logging.getLogger(__name__)


@shared_task
def relay_outbox() -> int:
    """Send mails, and hand on what a crash or a broken connection left behind."""
    return outbox.relay_mails() + outbox.relay()


@shared_task(ignore_result=True, expires=30)
def make_page_for_guests(key: list[str | bool]) -> None:
    """A page that takes long, and of which a slightly older copy is being shown."""
    make_for_guests(tuple(key))


@shared_task
def forget_old() -> dict[str, int]:
    return housekeeping.forget_old()


@shared_task(bind=True)
def follow_publication(self: Task, publication_id: int) -> bool:
    """Carry a publication into events, a good while at a time."""
    try:
        done = publishing.follow(publication_id=publication_id, seconds=45)
    except Unavailable:
        done = False
    if not done:
        self.apply_async([publication_id], countdown=5)
    return done


def start_following(publication_id: int) -> None:
    """Have a worker do it. Where the queue is away, the next sweep does."""
    try:
        follow_publication.delay(publication_id)
    except OperationalError:
        _log.warning("Publication %s waits for the sweep: the queue is away", publication_id)


@shared_task
def follow_publications() -> int:
    """Take up those that a crash or a broken connection left behind; their number."""
    waiting = unfollowed_publications()
    for publication_id in waiting:
        follow_publication.delay(publication_id)
    return len(waiting)


@shared_task
def make_papers(job_id: int) -> bool:
    return printing.run_print_job(job_id=job_id)


def start_making_papers(job_id: int) -> None:
    """Have a worker do it. Where the queue is away, the next sweep does."""
    try:
        make_papers.delay(job_id)
    except OperationalError:
        _log.warning("Print job %s waits for the sweep: the queue is away", job_id)


@shared_task
def make_waiting_papers() -> int:
    """Take up those that a broken connection left behind; their number."""
    waiting = waiting_print_jobs()
    for job_id in waiting:
        make_papers.delay(job_id)
    return len(waiting)


@shared_task
def send_notices() -> dict[str, int]:
    """Turn what was decided into deliveries, and send those that are due."""
    notices.fan_out()
    webhooks.queue_changes()
    return deliveries.send_due(jitter=SystemRandom().random)
