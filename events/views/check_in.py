"""The door: codes that phones show, and staff who read them."""

from __future__ import annotations

import segno
from django import forms
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_safe

from config.errors import DomainError
from events.models import Event, Player
from events.queries.access import Viewer
from events.queries.registration import latest_check_ins, player_with_code
from events.services import registration
from events.services.transaction import Change
from events.views.commands import event_and_viewer
from events.views.desk import at_desk, attempt, show

LONGEST_SCAN = 300


class ScanForm(forms.Form):
    code = forms.CharField(max_length=LONGEST_SCAN, label="Code")


def qr_of(text: str) -> HttpResponse:
    """``text`` as a QR: black on white whatever the page's colours, with the quiet zone of 4 that readers need."""
    modules = segno.make(text, error="m", micro=False).matrix
    side = len(modules) + 8
    dark = "".join(f"M{x} {y}h1v1h-1z" for y, row in enumerate(modules) for x, is_dark in enumerate(row) if is_dark)
    drawn = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="-4 -4 {side} {side}" shape-rendering="crispEdges">'
        f'<path fill="#fff" d="M-4-4h{side}v{side}h-{side}z"/><path d="{dark}"/></svg>'
    )
    return HttpResponse(drawn, content_type="image/svg+xml")


@require_safe
def event_qr(request: HttpRequest, code: str) -> HttpResponse:
    """The address of the event's front page."""
    event = get_object_or_404(Event.objects.only("code"), code=code)
    response = qr_of(request.build_absolute_uri(reverse("events:overview", args=[event.code])))
    response["Cache-Control"] = "public, max-age=86400"
    return response


@login_required
@require_safe
def my_qr(request: HttpRequest, code: str) -> HttpResponse:
    """What the player shows at the door: the address at which staff check this player in."""
    event, viewer = event_and_viewer(request, code)
    player = viewer.require_player()
    if not player.check_in_code:
        raise Http404
    address = reverse("events:desk_check_in_player", args=[event.code, player.check_in_code])
    response = qr_of(request.build_absolute_uri(address))
    response["Cache-Control"] = "private, no-store"
    return response


@at_desk("runs_rounds")
@require_http_methods(["GET", "HEAD", "POST"])
def desk(request: HttpRequest, event: Event, viewer: Viewer) -> HttpResponse:
    """A box that a scanner types into, and who came last."""
    if request.method != "POST":
        return _desk(request, event, viewer)
    form = ScanForm(request.POST)
    if not form.is_valid():
        return _desk(request, event, viewer, DomainError("check_in.form", "Nobody was checked in: scan a code."))
    return attempt(
        request,
        event,
        registration.check_in_by_code,
        told=_told,
        back=reverse("events:desk_check_in", args=[event.code]),
        page=lambda refusal: _desk(request, event, viewer, refusal),
        code=form.cleaned_data["code"],
    )


def _desk(request: HttpRequest, event: Event, viewer: Viewer, refusal: DomainError | None = None) -> HttpResponse:
    return show(
        request,
        event,
        viewer,
        "check_in",
        tab="desk_players",
        refusal=refusal,
        rows=latest_check_ins(event),
        registering=event.state == Event.State.REGISTRATION,
    )


def _told(change: Change) -> str:
    name = change.facts["name"]
    if change.facts["already"]:
        return f"{name} was checked in already."
    if change.facts["state"] == Player.State.WAITLISTED:
        return f"{name} is here, and on the waitlist."
    return f"{name} is checked in."


@at_desk("runs_rounds")
@require_safe
def scanned(request: HttpRequest, event: Event, viewer: Viewer, token: str) -> HttpResponse:
    """Where a phone of staff lands that reads a player's QR: who it is, and one button."""
    player = player_with_code(event, token)
    if player is None:
        raise Http404
    return show(
        request,
        event,
        viewer,
        "scanned",
        tab="desk_players",
        player=player,
        registering=event.state == Event.State.REGISTRATION,
    )
