"""Pages on which a game's organisers import cards: send a file, look at what it changes, confirm."""

from __future__ import annotations

import json
from typing import Any

from django.contrib.auth.decorators import login_required
from django.core.files.uploadedfile import UploadedFile
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_safe

from accounts.models import User
from cards.engine.facts import fact_specs
from cards.engine.files import MAX_BYTES
from cards.models import Game
from cards.queries import game_by_slug, sets_of
from config.errors import Conflict, DomainError
from rules.services import card_import

SHOWN = 100
"""Cards of one kind on a preview: more than anybody reads, and a page that a phone can hold."""


def _user(request: HttpRequest) -> User:
    """Who is logged in, behind ``login_required``."""
    assert isinstance(request.user, User)
    return request.user


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def import_page(request: HttpRequest, game: str) -> HttpResponse:
    """The form, what its files would change, and the change itself."""
    found = game_by_slug(slug=game)
    card_import.require_organiser(game=found, user=_user(request))
    if request.method != "POST":
        return _page(request, found)
    if token := request.POST.get("token", ""):
        return _confirm(request, found, token)
    try:
        cards, sets = _sent(request)
        preview = card_import.preview_cards(game=found, user=_user(request), cards=cards, sets=sets)
    except DomainError as error:
        if "faults" not in error.context:
            raise
        pasted = request.POST.get("text", "")
        return _page(request, found, status=error.status, faults=error.context["faults"], pasted=pasted)
    return _page(request, found, **_shown(preview))


def _confirm(request: HttpRequest, game: Game, token: str) -> HttpResponse:
    try:
        card_import.confirm_preview(game=game, user=_user(request), token=token)
    except Conflict as error:
        if error.code != "cards.changed_since":
            raise
        preview = card_import.preview_again(game=game, user=_user(request), token=token)
        return _page(request, game, status=error.status, changed_since=error.message, **_shown(preview))
    return redirect("rules:card_import_done", game=game.slug, token=token)


@login_required
@require_safe
def done_page(request: HttpRequest, game: str, token: str) -> HttpResponse:
    found = game_by_slug(slug=game)
    done = card_import.outcome_of(game=found, user=_user(request), token=token)
    context = {"game": found, "counts": done.counts, "can_undo": any(done.undo.values()), "token": token}
    return render(request, "rules/import_done.html", context)


@login_required
@require_safe
def undo_file(request: HttpRequest, game: str, token: str) -> HttpResponse:
    found = game_by_slug(slug=game)
    done = card_import.outcome_of(game=found, user=_user(request), token=token)
    text = json.dumps(done.undo, ensure_ascii=False, indent=1)
    response = HttpResponse(text, content_type="application/json; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{found.slug}-undo.json"'
    return response


def _sent(request: HttpRequest) -> tuple[bytes, bytes]:
    """The cards and the sets that were sent. DomainError: none, twice, or too large."""
    upload, pasted = request.FILES.get("file"), request.POST.get("text", "").strip()
    if upload is not None and pasted:
        raise _fault("send a file or paste its text, not both")
    if upload is None and not pasted:
        raise _fault("choose a file, or paste its text")
    sets = request.FILES.get("sets")
    return (pasted.encode() if upload is None else _bytes(upload)), b"" if sets is None else _bytes(sets)


def _bytes(upload: UploadedFile) -> bytes:
    if (upload.size or 0) > MAX_BYTES:
        raise _fault(f"{(upload.name or 'the file')[:80]} has more than {MAX_BYTES // 1024**2} MB: send it in parts")
    return bytes(upload.read())


def _fault(message: str) -> DomainError:
    return DomainError("cards.unreadable", message, {"faults": [message]})


def _shown(preview: card_import.Preview) -> dict[str, Any]:
    found = preview.found
    added = [change for change in found.cards if change.is_new]
    changed = [change for change in found.cards if not change.is_new]
    return {
        "preview": preview,
        "found": found,
        "added": added[:SHOWN],
        "changed": changed[:SHOWN],
        "clashes": found.clashes[:SHOWN],
        "more_added": max(0, len(added) - SHOWN),
        "more_changed": max(0, len(changed) - SHOWN),
        "more_clashes": max(0, len(found.clashes) - SHOWN),
    }


def _page(request: HttpRequest, game: Game, status: int = 200, **context: Any) -> HttpResponse:
    context |= {"game": game, "sets": list(sets_of(game=game)), "specs": fact_specs(game.facts)}
    context["max_mb"] = MAX_BYTES // 1024**2
    return render(request, "rules/import.html", context, status=status)
