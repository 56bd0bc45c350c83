"""Work that nobody waits for."""

from __future__ import annotations

from celery import Task, shared_task

from config.errors import Unavailable
from events.queries.publishing import unfollowed_publications
from events.services import housekeeping, outbox, publishing


@shared_task
def relay_outbox() -> int:
    """Hand on what a crash or a broken connection left behind."""
    return outbox.relay()


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


@shared_task
def follow_publications() -> int:
    """Take up those that a crash or a broken connection left behind; their number."""
    waiting = unfollowed_publications()
    for publication_id in waiting:
        follow_publication.delay(publication_id)
    return len(waiting)
