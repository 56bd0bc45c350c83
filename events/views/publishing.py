"""Publishing a list or a format version for a game, and what was published so far."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_safe

from accounts.models import User
from cards.models import Game
from cards.queries import game_by_slug
from config.errors import DomainError
from decks.models import Revalidation
from events import tasks
from events.queries.publishing import told_of
from events.services.publishing import Preview, preview
from rules.engine.publication import PublicationFile, publication_of, read_publication
from rules.forms import FIRST_ROWS, MORE_ROWS, MOST_ROWS, TypedPublication, typed
from rules.queries import formats
from rules.queries.publications import (
    is_game_organiser,
    publication_of_game,
    publications_of,
    sections_of_lists,
    shown,
)
from rules.services.publishing import publish as publish_lists
from rules.services.publishing import require_organiser

LARGEST = 256 * 1024
SHOWN = 20
BESIDE_THE_FORM = (400, 409)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def publish(request: HttpRequest, game: str) -> HttpResponse:
    """The form; with ``way`` what it, or a file, would change; with ``confirm`` the publication itself."""
    found = game_by_slug(slug=game)
    user = request.user
    assert isinstance(user, User)
    require_organiser(game=found, user=user)
    if request.method != "POST":
        return _form(request, found, _typed(found, initial=_tomorrow()))
    if "confirm" in request.POST:
        return _confirm(request, found, user)
    if "edit" in request.POST:
        return _edit(request, found)
    if request.POST.get("way") == "file":
        return _from_file(request, found, user)
    return _from_form(request, found, user)


def _from_form(request: HttpRequest, game: Game, user: User) -> HttpResponse:
    number = _rows(request.POST)
    if "add" in request.POST:
        return _form(request, game, _typed(game, min(number + MORE_ROWS, MOST_ROWS), initial=request.POST.dict()))
    form = _typed(game, number, data=request.POST)
    if not form.is_valid():
        return _form(request, game, form, DomainError("publication.form", "Look at what is marked below."))
    try:
        return _preview(request, preview(game=game, user=user, file=publication_of(form.body())))
    except DomainError as refusal:
        if refusal.status not in BESIDE_THE_FORM:
            raise
        faults = refusal.context.get("faults", [])
        left = form.tell(faults)
        said = refusal if left or not faults else DomainError(refusal.code, "Look at what is marked below.")
        said.status = refusal.status
        return _form(request, game, form, said, left)


def _from_file(request: HttpRequest, game: Game, user: User) -> HttpResponse:
    text = request.POST.get("text", "")
    try:
        text = _text(request)
        read = read_publication(text)
        return _preview(request, preview(game=game, user=user, file=read.file, text=read.text))
    except DomainError as refusal:
        if refusal.status not in BESIDE_THE_FORM:
            raise
        form = _typed(game, initial=_tomorrow())
        return _form(request, game, form, refusal, refusal.context.get("faults", []), text)


def _text(request: HttpRequest) -> str:
    """Raises DomainError ``publication.file``."""
    sent = request.FILES.get("file")
    if sent is None:
        if not request.POST.get("text", "").strip():
            raise DomainError("publication.file", "Choose a file, or paste its text.")
        return request.POST["text"]
    if (sent.size or 0) > LARGEST:
        raise DomainError("publication.file", "The file is larger than 256 kB. Send it in parts.")
    try:
        return sent.read().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise DomainError(
            "publication.file", "The file isn't text in UTF-8. Save it as UTF-8 and send it again."
        ) from error


def _confirm(request: HttpRequest, game: Game, user: User) -> HttpResponse:
    """A repeat of the same leads to the same publication."""
    file = _payload(request)
    try:
        published = publish_lists(game=game, user=user, file=file)
    except DomainError as refusal:
        if refusal.status not in BESIDE_THE_FORM:
            raise
        return _edit(request, game, refusal)
    tasks.start_following(published.publication.pk)
    return redirect("games:publication", game=game.slug, publication=published.publication.pk)


def _edit(request: HttpRequest, game: Game, refusal: DomainError | None = None) -> HttpResponse:
    """Back to the form, or to the text where the form has no rows for what is in it."""
    file = _payload(request).as_json()
    if file.get("formats") or file.get("tags") or len(file["changes"]) > MOST_ROWS:
        text, form = json.dumps(file, ensure_ascii=False, indent=2), _typed(game, initial=_tomorrow())
    else:
        text, form = "", _typed(game, len(file["changes"]), initial=typed(file))
    faults = refusal.context.get("faults", []) if refusal is not None else []
    return _form(request, game, form, refusal, faults, text)


def _payload(request: HttpRequest) -> PublicationFile:
    try:
        return publication_of(json.loads(request.POST.get("payload", "")))
    except (ValueError, RecursionError) as error:
        raise DomainError(
            "publication.damaged", "This page is incomplete. Go back, and preview the publication again."
        ) from error


def _rows(data: QueryDict) -> int:
    number = data.get("rows", "")
    return min(int(number), MOST_ROWS) if number.isascii() and number.isdigit() and len(number) < 4 else FIRST_ROWS


def _typed(game: Game, number: int = FIRST_ROWS, **given: Any) -> TypedPublication:
    cites = sections_of_lists(game=game)
    listed = [format_ for format_ in formats(game=game) if format_.slug in cites]
    return TypedPublication(game=game, formats=listed, cites=cites, number=number, **given)


def _tomorrow() -> dict[str, Any]:
    return {"effective_on": timezone.localdate() + timedelta(days=1)}


def _form(
    request: HttpRequest,
    game: Game,
    form: TypedPublication,
    refusal: DomainError | None = None,
    faults: Any = (),
    text: str = "",
) -> HttpResponse:
    context = {
        "game": game,
        "form": form,
        "refusal": refusal,
        "faults": faults,
        "text": text,
    }
    return render(request, "rules/publish.html", context, status=refusal.status if refusal is not None else 200)


def _preview(request: HttpRequest, found: Preview) -> HttpResponse:
    publication = found.publication
    context = {
        "game": publication.game,
        "publication": publication,
        "shown": shown(publication),
        "preview": found,
        "payload": json.dumps(publication.payload, ensure_ascii=False),
        "met": len(found.reach.decklist_ids),
        "today": timezone.localdate(),
    }
    return render(request, "rules/publish_preview.html", context)


@require_safe
def publications(request: HttpRequest, game: str) -> HttpResponse:
    """Everything that was published for a game, newest first. Four queries at most, five for somebody signed in."""
    found = game_by_slug(slug=game)
    rows = publications_of(game=found)
    before = request.GET.get("before", "")
    if before.isascii() and before.isdigit() and len(before) < 10:
        rows = rows.filter(pk__lt=int(before))
    read = list(rows[: SHOWN + 1])
    context = {
        "game": found,
        "publications": [shown(publication) for publication in read[:SHOWN]],
        "older": read[SHOWN - 1].pk if len(read) > SHOWN else None,
        "may_publish": is_game_organiser(game=found, user=request.user),
    }
    return render(request, "rules/publications.html", context)


@require_safe
def publication_page(request: HttpRequest, game: str, publication: int) -> HttpResponse:
    """What was published, for everybody; for the game's organisers, how far the decklists are judged again."""
    found = game_by_slug(slug=game)
    read = publication_of_game(game=found, number=publication)
    context: dict[str, Any] = {"game": found, "publication": read, "shown": shown(read), "today": timezone.localdate()}
    if is_game_organiser(game=found, user=request.user):
        context |= {
            "is_organiser": True,
            "revalidation": Revalidation.objects.filter(publication=read).first(),
            "told": told_of(publication_id=read.pk),
        }
    is_part = request.headers.get("HX-Request") == "true"
    if is_part and "is_organiser" in context:
        return render(request, "rules/_publication_progress.html", context)
    return render(request, "rules/publication.html", context)
