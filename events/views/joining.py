"""What a helper sees of their own roles: the invite, what a role is for, and the way out."""

from __future__ import annotations

from datetime import datetime

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from config.errors import Conflict, DomainError
from events.models import Event, StaffInvite
from events.queries.access import Viewer
from events.queries.public_pages import situation_of
from events.queries.staffing import has_role, invite_of, own_roles
from events.sentences_staff import role_says, role_word
from events.services import invites
from events.services.invite_tokens import hash_of
from events.views.commands import actor_of, carry_out, command_of, event_and_viewer
from events.views.desk import at_desk, attempt
from events.views.desk import show as show_at_desk
from events.views.pages import show


@require_http_methods(["GET", "HEAD", "POST"])
def join(request: HttpRequest, code: str, token: str) -> HttpResponse:
    """An invite, on its way to somebody with an account. What can't be accepted says why and what to do."""
    event, viewer = event_and_viewer(request, code)
    found = invite_of(event, hash_of(token))
    if viewer.user is None:
        return _join(request, event, viewer, found, token)
    if request.method != "POST":
        return _join(request, event, viewer, found, token, _refusal(event, viewer, found))
    try:
        change = carry_out(
            invites.accept_invite,
            token=token,
            actor=actor_of(request),
            user_id=viewer.user.pk,
            command=command_of(request),
        )
    except DomainError as refusal:
        if not refusal.code.startswith(("invite.", "staff.")):
            raise
        return _join(request, event, viewer, found, token, refusal)
    messages.success(request, f"You are {role_word(change.facts['role'])} of {event.name} now.")
    return redirect("events:desk", code=code)


def _refusal(event: Event, viewer: Viewer, found: StaffInvite) -> DomainError | None:
    assert viewer.user is not None
    if has_role(event, viewer.user, found.role):
        return Conflict("staff.already", f"You are {found.get_role_display().lower()} of this event already.")
    now: datetime = found.now  # type: ignore[attr-defined]  # annotated by invite_of
    try:
        invites.refuse_unacceptable(found, viewer.user, now)
    except DomainError as refusal:
        return refusal
    return None


def _join(
    request: HttpRequest,
    event: Event,
    viewer: Viewer,
    found: StaffInvite,
    token: str,
    refusal: DomainError | None = None,
) -> HttpResponse:
    context = {"invite": found, "token": token, "refusal": refusal, "says": role_says(found.role)}
    response = show(
        request,
        "join",
        context,
        event=event,
        viewer=viewer,
        situation=situation_of(event),
        here="",
        refreshes=False,
        status=200 if refusal is None else refusal.status,
    )
    response["Cache-Control"] = "no-store"
    response["Referrer-Policy"] = "no-referrer"
    return response


@at_desk("is_staff")
@require_safe
def roles(request: HttpRequest, event: Event, viewer: Viewer) -> HttpResponse:
    return _roles(request, event, viewer)


def _roles(request: HttpRequest, event: Event, viewer: Viewer, refusal: DomainError | None = None) -> HttpResponse:
    assert viewer.user is not None
    held = [(role, role_says(role.role)) for role in own_roles(event, viewer.user)]
    return show_at_desk(request, event, viewer, "roles", tab="my_roles", refusal=refusal, held=held)


@at_desk("is_staff")
@require_POST
def leave(request: HttpRequest, event: Event, viewer: Viewer) -> HttpResponse:
    return attempt(
        request,
        event,
        invites.leave,
        told=lambda change: f"You are no longer {role_word(change.facts['role'])} of {event.name}.",
        back=reverse("events:overview", args=[event.code]),
        page=lambda refusal: _roles(request, event, viewer, refusal),
        role=request.POST.get("role", ""),
    )
