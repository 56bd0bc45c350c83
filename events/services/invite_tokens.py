"""The secret part of an invite's link."""

from __future__ import annotations

import base64
import hashlib

from django.urls import reverse
from django.utils.crypto import salted_hmac

from events.models import StaffInvite


def token_of(invite: StaffInvite) -> str:
    """What the link ends in: 43 characters, made anew each time out of the nonce and the site's key."""
    digest = salted_hmac("events.StaffInvite", invite.nonce, algorithm="sha256").digest()
    return base64.urlsafe_b64encode(digest).decode().rstrip("=")


def hash_of(token: str) -> str:
    """What of it is stored: SHA-256 in hex."""
    return hashlib.sha256(token.encode()).hexdigest()


def link_of(invite: StaffInvite, origin: str) -> str:
    """The whole link. ``origin`` is the site's address without a slash at its end."""
    return origin + reverse("events:join", args=[invite.event.code, token_of(invite)])
