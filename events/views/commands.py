"""What every page that changes an event shares: whose event, who asks, and which command the form carries."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.http import Http404, HttpRequest

from accounts.models import User
from config.errors import DomainError
from events.models import Event
from events.queries.access import Viewer, event_of, viewer_of
from events.services.transaction import Actor, AlreadyDone, Change, Command

NOT_PART_OF_THE_REQUEST = {"csrfmiddlewaretoken", "idempotency_key", "version"}


def event_and_viewer(request: HttpRequest, code: str) -> tuple[Event, Viewer]:
    """3 queries for somebody signed in, else 1. Http404 for an unknown code."""
    event = event_of.first(code)
    if event is None:
        raise Http404
    return event, viewer_of(event, request.user)


def actor_of(request: HttpRequest) -> Actor:
    """Only behind ``login_required``."""
    user = request.user
    if not isinstance(user, User):
        raise TypeError("An anonymous visitor does not act.")
    return Actor(user_id=user.pk, name=user.display_name)


def command_of(request: HttpRequest) -> Command:
    """The form's hidden key (``{% command event %}``) and the version of the event that its page showed.

    Raises DomainError "request.no_key", "request.version".
    """
    key = request.POST.get("idempotency_key", "").strip()
    if not 8 <= len(key) <= 80:
        raise DomainError("request.no_key", "This form is incomplete. Reload the page and send it again.")
    version = request.POST.get("version", "").strip()
    if version and not (version.isascii() and version.isdigit() and len(version) <= 18):
        raise DomainError("request.version", "This form is damaged. Reload the page and send it again.")
    body = {name: values for name, values in sorted(request.POST.lists()) if name not in NOT_PART_OF_THE_REQUEST}
    return Command(
        key=key, body={"path": request.path, "form": body}, expected_version=int(version) if version else None
    )


def is_queued(request: HttpRequest) -> bool:
    """Whether a device sends what had waited on it: it wants its answer as JSON, and shows refusals by itself."""
    return request.method == "POST" and request.headers.get("Accept") == "application/json"


def carry_out(service: Callable[..., Change], **arguments: Any) -> Change:
    """Run a service; a repeated command gets the answer of the first time."""
    try:
        return service(**arguments)
    except AlreadyDone as repeat:
        return repeat.change
