"""What an account is told: a page of its own, and the link in every mail that ends them."""

from __future__ import annotations

from typing import Any, cast

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_POST

from accounts.models import User
from config.errors import DomainError
from events.channels.push import public_key
from events.channels.tokens import UNSUBSCRIBE, number_of
from events.forms_notices import NoticesForm
from events.queries.notices import WAYS, browsers_of, choices_of, mutable_events, unconfirmed
from events.services import notice_settings


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def choose(request: HttpRequest) -> HttpResponse:
    user = _user(request)
    if request.method == "POST":
        _said(request, "choose")
        form = NoticesForm(request.POST)
        if form.is_valid():
            notice_settings.choose_notices(user_id=user.pk, wanted=form.wanted)
            messages.success(request, "Your choice is kept.")
            return redirect("notices:choose")
    context: dict[str, Any] = {
        "form": NoticesForm(choices=choices_of(user.pk)),
        "ways": [way.label for way in WAYS],
        "events": mutable_events(user.pk),
        "browsers": browsers_of(user.pk),
        "push_key": public_key(),
        "is_unconfirmed": bool(unconfirmed([user.pk])),
    }
    return render(request, "events/notices/choose.html", context)


@login_required
@require_POST
def mute(request: HttpRequest, code: str) -> HttpResponse:
    muted = _said(request, "mute", "unmute") == "mute"
    notice_settings.mute_event(user_id=_user(request).pk, code=code, muted=muted)
    messages.success(request, "You are told nothing of this event." if muted else "You are told again.")
    return redirect("notices:choose")


@login_required
@require_POST
def end_browsers(request: HttpRequest) -> HttpResponse:
    notice_settings.unsubscribe_all_browsers(user_id=_user(request).pk)
    messages.success(request, "No browser shows your notices any more.")
    return redirect("notices:choose")


@csrf_exempt  # mail programs post here by themselves (RFC 8058), without a cookie; the token is the right to do it
@require_http_methods(["GET", "HEAD", "POST"])
def stop_mail(request: HttpRequest, token: str) -> HttpResponse:
    """Reading the page changes nothing: mail programs look at links before people do."""
    user_id = number_of(UNSUBSCRIBE, token)
    if request.method == "POST":
        notice_settings.stop_mail(user_id=user_id)
    response = render(request, "events/notices/stop.html", {"done": request.method == "POST"})
    response["Referrer-Policy"] = "no-referrer"
    response["Cache-Control"] = "no-store"
    return response


def _said(request: HttpRequest, *known: str) -> str:
    """What the form is for. A form whose boxes are all empty sends nothing else, and one that was lost on the way must
    not be taken for it. Raises DomainError "request.incomplete"."""
    word = request.POST.get("do", "")
    if word not in known:
        raise DomainError("request.incomplete", "This form is incomplete. Reload the page and send it again.")
    return word


def _user(request: HttpRequest) -> User:
    """Only behind ``login_required``."""
    return cast(User, request.user)
