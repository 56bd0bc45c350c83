"""The deck checker, which anyone may use, and the decks of who is logged in."""

from __future__ import annotations

from datetime import date
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.models import User
from config.errors import NotFound
from decks import queries
from decks.forms import CheckForm, DeckForm
from decks.panels import Panel, mended, panel_of_check, verdict_json
from decks.services import decks as services
from rules.engine.days import day_of
from rules.models import Format
from rules.queries import format_by_slug, format_version_on


def signed_in(request: HttpRequest) -> User:
    """Who is logged in, behind ``login_required``."""
    assert isinstance(request.user, User)
    return request.user


@require_http_methods(["GET", "HEAD", "POST"])
def check(request: HttpRequest) -> HttpResponse:
    """The public deck checker. htmx gets the verdict alone; both show ``decks/_verdict.html``."""
    if request.method != "POST":
        chosen = {key: request.GET[key] for key in ("format", "on") if key in request.GET}
        if "format" in chosen:
            format_by_slug(game=chosen["format"].partition("/")[0], slug=chosen["format"].partition("/")[2])
        form = CheckForm(initial={"on": timezone.localdate(), **_readable_day(chosen)})
        return render(request, "decks/check.html", {"form": form})
    form = CheckForm(_mended(request))
    if not form.is_valid() or not form.cleaned_data["text"].strip():
        return _answer(request, "decks/check.html", {"form": form, "panel": None})
    values = form.cleaned_data
    try:
        if request.POST.get("as") == "json":
            found = {"game": values["format"].game.slug, "format": values["format"].slug}
            return JsonResponse(verdict_json(**found, day=values["on"], text=values["text"]))
        panel = _panel(values["format"], values["on"], values["text"])
    except NotFound as error:
        # No version is in force on that day: what was typed is kept, and the day can be mended.
        form.add_error("on", error.message)
        return _answer(request, "decks/check.html", {"form": form, "panel": None}, status=error.status)
    return _answer(request, "decks/check.html", {"form": form, "panel": panel})


def _readable_day(chosen: dict[str, str]) -> dict[str, Any]:
    if "on" not in chosen:
        return chosen
    return {**chosen, "on": day_of(chosen["on"])}


def _answer(request: HttpRequest, page: str, context: dict[str, Any], status: int | None = None) -> HttpResponse:
    template = "decks/_verdict.html" if "HX-Request" in request.headers else page
    context["mend_form"] = "deck-form"
    return render(request, template, context, status=status or (200 if context["form"].is_valid() else 400))


def _panel(format: Format, day: date, text: str) -> Panel:
    version = format_version_on(format=format, day=day)
    checked = queries.check_text(text=text, game=format.game, format_version=version, day=day)
    return panel_of_check(checked=checked, format_version=version, day=day)


def _mended(request: HttpRequest) -> dict[str, str]:
    """What was posted, with the mend of the pressed button applied to the text, and then no mend any more."""
    data = {key: request.POST[key] for key in request.POST if key != "mend"}
    if mend := request.POST.get("mend"):
        game, _, slug = data.get("format", "").partition("/")
        data["text"] = mended(text=data.get("text", ""), mend=mend, game=format_by_slug(game=game, slug=slug).game)
    return data


@login_required
@require_safe
def deck_list(request: HttpRequest) -> HttpResponse:
    return render(request, "decks/deck_list.html", {"decks": queries.decks_of(owner=signed_in(request))})


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def deck_new(request: HttpRequest) -> HttpResponse:
    return _edit(request, None)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def deck_edit(request: HttpRequest, deck_id: int) -> HttpResponse:
    return _edit(request, deck_id)


def _edit(request: HttpRequest, deck_id: int | None) -> HttpResponse:
    """Save on "save"; anything else (a mend, htmx's live check, the check button) only judges what is in the form."""
    deck = None if deck_id is None else queries.deck_of(owner=signed_in(request), deck_id=deck_id)
    if request.method == "POST":
        form = DeckForm(_mended(request))
        if form.is_valid() and "save" in request.POST:
            values = form.cleaned_data
            if deck is None:
                deck = services.create_deck(owner=signed_in(request), **values)
            else:
                deck = services.save_deck(owner=signed_in(request), deck_id=deck.pk, **values)
            messages.success(request, f"{deck.name} is saved.")
            return redirect("decks:edit", deck_id=deck.pk)
    elif deck is not None:
        stored = {"name": deck.name, "format": f"{deck.game.slug}/{deck.format.slug}", "text": deck.text}
        form = DeckForm(stored)
    else:
        form = DeckForm()
    panel = None
    if form.is_bound and form.is_valid() and form.cleaned_data["text"].strip():
        panel = _panel(form.cleaned_data["format"], timezone.localdate(), form.cleaned_data["text"])
    if request.method == "POST":
        return _answer(request, "decks/deck_edit.html", {"form": form, "panel": panel, "deck": deck})
    return render(request, "decks/deck_edit.html", {"form": form, "panel": panel, "deck": deck})


@login_required
@require_POST
def deck_delete(request: HttpRequest, deck_id: int) -> HttpResponse:
    services.delete_deck(owner=signed_in(request), deck_id=deck_id)
    messages.success(request, "The deck is deleted.")
    return redirect("decks:list")
