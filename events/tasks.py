"""Work that nobody waits for."""

from __future__ import annotations

from celery import shared_task

from events.services import housekeeping, outbox


@shared_task
def relay_outbox() -> int:
    """Hand on what a crash or a broken connection left behind."""
    return outbox.relay()


@shared_task
def forget_old() -> dict[str, int]:
    return housekeeping.forget_old()
