"""Tiltyard on a home screen: the manifest, the service worker that keeps pages for a phone without a network, and what
it has to know of whose pages they are."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import lru_cache
from hashlib import sha256
from pathlib import Path

from django.contrib.staticfiles import finders
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.middleware.csrf import get_token
from django.shortcuts import render
from django.templatetags.static import static
from django.urls import reverse
from django.utils.crypto import salted_hmac
from django.views.decorators.http import condition, require_safe

# Joined into one script, so that the browser sees in its bytes that any of them has changed.
WORKER = ("js/queue.js", "js/sw.js", "js/push.js")
# What a kept page needs to look and count as it did.
SHELL = (
    *("css/tiltyard.css", "css/events.css", "css/decks.css", "css/offline.css"),
    *(
        "js/app.js",
        "js/clock.js",
        "js/alarm.js",
        "js/live.js",
        "js/desk.js",
        "js/decks.js",
        "js/queue.js",
        "js/offline.js",
    ),
    *("django_htmx/htmx-2.min.js", "icons/tiltyard.svg", "icons/tiltyard-192.png"),
)
ICONS = (
    ("icons/tiltyard.svg", "any", "image/svg+xml", "any"),
    ("icons/tiltyard-192.png", "192x192", "image/png", "any"),
    ("icons/tiltyard-512.png", "512x512", "image/png", "any"),
    ("icons/tiltyard-maskable.png", "512x512", "image/png", "maskable"),
)


Respond = Callable[[HttpRequest], HttpResponse]


def person_token(user_id: int) -> str:
    """Tells a device whether two pages were for the same person, and nothing else of them."""
    return salted_hmac("tiltyard.person", str(user_id)).hexdigest()[:20]


class SayWhoseItIs:
    """A page for one person says whose it is, so that a shared device forgets what it kept for somebody else.

    Stands before KeepPrivateAnswers, which says what is for one person.
    """

    def __init__(self, get_response: Respond) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        is_page = response.get("Content-Type", "").startswith("text/html")
        if is_page and response.get("Cache-Control") == "no-store" and request.user.is_authenticated:
            response["Tiltyard-Person"] = person_token(request.user.pk)
        return response


def _file(name: str) -> Path:
    found = finders.find(name)
    if not isinstance(found, str):
        raise FileNotFoundError(name)
    return Path(found)


def _stamp(request: HttpRequest) -> str:
    files = (_file(name) for name in (*WORKER, *SHELL))
    return '"' + sha256(repr([(path.name, path.stat().st_mtime_ns) for path in files]).encode()).hexdigest()[:20] + '"'


@lru_cache(maxsize=1)
def _worker(stamp: str) -> str:
    contents = sha256(b"".join(_file(name).read_bytes() for name in (*WORKER, *SHELL))).hexdigest()
    facts = {
        "version": contents[:16],
        "shell": [static(name) for name in SHELL],
        "static": static(""),
        "offline": reverse("offline"),
        "sender": reverse("sender"),
        "logout": reverse("account_logout"),
    }
    sources = (_file(name).read_text(encoding="utf-8") for name in WORKER)
    return "\n".join([f"self.tiltyard = {json.dumps(facts)};", *sources])


@require_safe
@condition(etag_func=_stamp)
def worker(request: HttpRequest) -> HttpResponse:
    """At the root, so that it may look after every page. Browsers ask for it again at each visit: its bytes say which
    version of the files it keeps, and a new version takes over at once."""
    answer = HttpResponse(_worker(_stamp(request)), content_type="text/javascript; charset=utf-8")
    answer["Cache-Control"] = "no-cache"
    return answer


@require_safe
def manifest(request: HttpRequest) -> HttpResponse:
    facts = {
        "id": "/",
        "name": "Tiltyard",
        "short_name": "Tiltyard",
        "description": "Tournaments and deck legality for card games.",
        "lang": "en",
        "start_url": "/",
        "scope": "/",
        "display": "standalone",
        "background_color": "#f1f4f8",
        "theme_color": "#0f1d38",
        "icons": [
            {"src": static(name), "sizes": sizes, "type": kind, "purpose": purpose}
            for name, sizes, kind, purpose in ICONS
        ],
    }
    answer = HttpResponse(json.dumps(facts), content_type="application/manifest+json")
    answer["Cache-Control"] = "max-age=3600"
    return answer


@require_safe
def offline(request: HttpRequest) -> HttpResponse:
    """What a phone without a network shows in place of a page that it has not kept. The same for everybody."""
    page = render(request, "offline.html")
    page["Cache-Control"] = "no-cache"
    return page


@require_safe
def sender(request: HttpRequest) -> HttpResponse:
    """Who would send now, and the token that their forms need: what waited is sent only for whom it was written."""
    user = request.user
    person = person_token(user.pk) if user.is_authenticated else None
    return JsonResponse({"person": person, "csrf": get_token(request)}, headers={"Cache-Control": "no-store"})
