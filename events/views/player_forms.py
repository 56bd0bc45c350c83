"""What the forms of a player's own page share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods

from config.errors import DomainError

LONGEST_NUMBER = 18
View = Callable[..., HttpResponse]


def acts(view: View) -> View:
    """POST for who is logged in. Somebody who had to log in first comes back by GET: to their page."""

    def seen(request: HttpRequest, code: str, **words: Any) -> HttpResponse:
        if request.method != "POST":
            return redirect("events:me", code=code)
        return view(request, code, **words)

    return login_required(require_http_methods(["GET", "HEAD", "POST"])(seen))


def number_of(request: HttpRequest, field: str) -> int:
    """A hidden number of the form. Raises DomainError "match.unreadable"."""
    text = request.POST.get(field, "")
    if not (text.isascii() and text.isdigit() and len(text) <= LONGEST_NUMBER):
        raise DomainError("match.unreadable", "This form is damaged. Reload the page and send it again.")
    return int(text)
