"""How long somebody has a role of which nobody said how long."""

from __future__ import annotations

from datetime import datetime, timedelta

from events.models import Event, StaffRole

KEPT = timedelta(days=14)


def role_ends(event: Event, role: str, now: datetime) -> datetime | None:
    """Some days after the event, or after now where that is later; an organiser's role does not end (None)."""
    return None if role == StaffRole.Role.ORGANISER else max(event.starts_at, now) + KEPT
