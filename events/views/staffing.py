"""Who helps at an event: the organiser adds, invites, lets roles end, and takes them away."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from config.errors import DomainError
from events.forms_staff import AddStaffForm, InviteForm, RoleEndForm
from events.models import Event, StaffInvite
from events.queries.access import Viewer, viewer_of
from events.queries.staffing import invite_rows, staff_rows
from events.sentences_staff import ROLE_SAYS, role_word
from events.services import administration, invites, setup
from events.services.invite_tokens import link_of
from events.services.transaction import Change
from events.views.commands import actor_of, carry_out, command_of
from events.views.desk import SHOWN_BESIDE_THE_FORM, at_desk, attempt, show


@at_desk("runs_event")
@require_safe
def staff(request: HttpRequest, event: Event, viewer: Viewer) -> HttpResponse:
    return _page(request, event, viewer)


def _page(
    request: HttpRequest,
    event: Event,
    viewer: Viewer,
    refusal: DomainError | None = None,
    *,
    form: AddStaffForm | None = None,
    invite_form: InviteForm | None = None,
    made: StaffInvite | None = None,
) -> HttpResponse:
    """``made`` is an invite whose link is shown, this once."""
    context: dict[str, Any] = {
        "rows": list(staff_rows(event)),
        "invites": list(invite_rows(event)[:50]),
        "form": form or AddStaffForm(auto_id="add_%s"),
        "invite_form": invite_form or InviteForm(auto_id="invite_%s"),
        "made": made,
        "link": link_of(made, _origin(request)) if made is not None and not made.email else "",
        "role_says": ROLE_SAYS,
    }
    return show(request, event, viewer, "staff", tab="desk_staff", refusal=refusal, **context)


@at_desk("runs_event")
@require_POST
def add(request: HttpRequest, event: Event, viewer: Viewer) -> HttpResponse:
    form = AddStaffForm(request.POST, auto_id="add_%s")
    if not form.is_valid():
        refusal = DomainError("staff.form", "Nobody was added: look at what is marked below.")
        return _page(request, event, viewer, refusal, form=form)
    return attempt(
        request,
        event,
        setup.add_staff,
        told=lambda change: f"Added as {role_word(change.facts['role'])}.",
        back=_back(event),
        page=lambda refusal: _page(request, event, viewer, refusal, form=form),
        **form.cleaned_data,
    )


@at_desk("runs_event")
@require_POST
def invite(request: HttpRequest, event: Event, viewer: Viewer) -> HttpResponse:
    """The answer is the page itself and no redirect: the link is in it, and nowhere else."""
    form = InviteForm(request.POST, auto_id="invite_%s")
    if not form.is_valid():
        refusal = DomainError("invite.form", "Nobody was invited: look at what is marked below.")
        return _page(request, event, viewer, refusal, invite_form=form)
    try:
        change = carry_out(
            invites.invite,
            event_id=event.pk,
            actor=actor_of(request),
            command=command_of(request),
            origin=_origin(request),
            **form.cleaned_data,
        )
    except DomainError as refusal:
        if refusal.status not in SHOWN_BESIDE_THE_FORM:
            raise
        event.refresh_from_db()
        return _page(request, event, viewer, refusal, invite_form=form)
    event.refresh_from_db()
    made = StaffInvite.objects.select_related("event").get(pk=change.facts["invite"])
    return _page(request, event, viewer, made=made)


@at_desk("runs_event")
@require_POST
def revoke(request: HttpRequest, event: Event, viewer: Viewer, invite_id: int) -> HttpResponse:
    return attempt(
        request,
        event,
        invites.revoke_invite,
        told=lambda _: "The invite is revoked: its link opens nothing any more.",
        back=_back(event),
        page=lambda refusal: _page(request, event, viewer, refusal),
        invite_id=invite_id,
    )


@at_desk("runs_event")
@require_POST
def change_end(request: HttpRequest, event: Event, viewer: Viewer, role_id: int) -> HttpResponse:
    form = RoleEndForm(request.POST)
    if not form.is_valid():
        refusal = DomainError("staff.expires_at", "Choose the day and time when the role ends, or that it does not.")
        return _page(request, event, viewer, refusal)
    return attempt(
        request,
        event,
        invites.change_role_end,
        told=lambda change: f"The end of that {role_word(change.facts['role'])} role is changed.",
        back=_back(event),
        page=lambda refusal: _page(request, event, viewer, refusal),
        role_id=role_id,
        expires_at=form.cleaned_data["expires_at"],
    )


@at_desk("runs_event")
@require_POST
def remove(request: HttpRequest, event: Event, viewer: Viewer, role_id: int) -> HttpResponse:

    def back(change: Change) -> str:
        gone = change.facts["user"] == actor_of(request).user_id and not viewer_of(event, request.user).runs_event
        return reverse("events:overview", args=[event.code]) if gone else _back(event)

    return attempt(
        request,
        event,
        administration.remove_staff,
        told=lambda change: f"That {role_word(change.facts['role'])} role is taken away.",
        back=back,
        page=lambda refusal: _page(request, event, viewer, refusal),
        role_id=role_id,
    )


def _back(event: Event) -> str:
    return reverse("events:desk_staff", args=[event.code])


def _origin(request: HttpRequest) -> str:
    return request.build_absolute_uri("/").rstrip("/")
