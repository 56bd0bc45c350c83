"""The mail that holds out a role."""

from __future__ import annotations

import hashlib
from zoneinfo import ZoneInfo

from django.core.mail import EmailMessage
from django.db.models.functions import Now

from events.models import StaffInvite
from events.services.invite_tokens import link_of


def send_invite_mail(*, key: str, invite: int, origin: str) -> bool:
    """Send it, if the invite still stands; whether it was sent. ``key`` becomes the mail's own id, so that mail servers
    know a second one for the same. Raises OSError where the mail server can't be reached or refuses it."""
    found = (
        StaffInvite.objects.select_related("event")
        .filter(pk=invite, revoked_at=None, uses=0, expires_at__gt=Now())
        .first()
    )
    if found is None:
        return False
    event = found.event
    zone = ZoneInfo(event.time_zone)
    role, place = found.get_role_display().lower(), f", {event.place}" if event.place else ""
    body = (
        f"{found.inviter_name} asks you to be {role} of {event.name}"
        f" ({event.starts_at.astimezone(zone):%d %B %Y}{place}).\n\n"
        f"To accept, open this link with your own account:\n{link_of(found, origin)}\n\n"
        f"The link is for you alone, works once and until {found.expires_at.astimezone(zone):%d %B %Y, %H:%M %Z}.\n"
        "If you don't know what this is about, leave it alone: nothing happens then.\n"
    )
    message_id = f"<{hashlib.sha256(key.encode()).hexdigest()[:32]}@tiltyard.invalid>"
    mail = EmailMessage(
        f"{event.name}: will you be {role}?", body, to=[found.email], headers={"Message-ID": message_id}
    )
    mail.send()
    return True
