"""What the pages about decks share: the list that was sent, and who sent it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Any

from django.core.files.uploadedfile import UploadedFile
from django.forms import Form
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from accounts.models import User
from cards.models import Game
from config.errors import DomainError
from decks import queries
from decks.details import Details, details_of
from decks.engine.containers.opening import MAX_BYTES, Opened, open_decklist
from decks.engine.passcodes import NUMBERS, named_rows, numbers_in
from decks.panels import Panel, mended, panel_of_check
from rules.models import Format
from rules.queries import format_by_slug, format_version_on


def signed_in(request: HttpRequest) -> User:
    """Who is logged in, behind ``login_required``."""
    assert isinstance(request.user, User)
    return request.user


@dataclass(frozen=True)
class Posted:
    """A form as it was sent, its list as a plain one.

    ``kind`` is the program's file that the list was ("Cockatrice .cod"), "" for a list that stays as it was written;
    ``charset`` what its letters were taken for, "" for UTF-8. ``refusal`` says what is wrong with the list, in the
    ``field`` that it came from.
    """

    data: dict[str, str]
    kind: str = ""
    charset: str = ""
    refusal: str = ""
    field: str = "text"

    def tell(self, form: Form) -> None:
        """Adds the refusal to the form's own errors."""
        if self.refusal and self.field not in form.errors:
            form.add_error(self.field, self.refusal)


def posted(request: HttpRequest, *, game: Game | None = None) -> Posted:
    """The list of the file, where one was sent, else of the box, as a plain list and with the pressed mend applied.

    ``game`` is that of the form's format where it isn't given.
    """
    data = {key: request.POST[key] for key in request.POST if key != "mend"}
    upload = request.FILES.get("file")
    kind = charset = ""
    try:
        if upload:
            kind, charset, data["text"] = _read(upload, data, game)
        else:
            kind, data["text"] = _plain(data, game)
    except DomainError as error:
        return Posted(data, refusal=error.message, field="file" if upload else "text")
    if mend := request.POST.get("mend"):
        data["text"] = mended(text=data["text"], mend=mend, game=game or _game(data))
    return Posted(data, kind, charset)


def _game(data: dict[str, str]) -> Game:
    game, _, slug = data.get("format", "").partition("/")
    return format_by_slug(game=game, slug=slug).game


def _read(upload: UploadedFile[Any], data: dict[str, str], game: Game | None) -> tuple[str, str, str]:
    """One byte more than is allowed is enough to be refused."""
    opened, charset = open_decklist(upload.read(MAX_BYTES + 1))
    return opened.kind, charset, _as_text(opened, data, game)


def _plain(data: dict[str, str], game: Game | None) -> tuple[str, str]:
    text = data.get("text", "")
    opened, _ = open_decklist(text)
    if opened.kind == "text" or (plain := _as_text(opened, data, game)).split() == text.split():
        return "", text
    return opened.kind, plain


def _as_text(opened: Opened, data: dict[str, str], game: Game | None) -> str:
    """People go on with names, so the numbers that the game knows become theirs."""
    if opened.kind != NUMBERS:
        return opened.as_text
    names = queries.GameNames(game=game or _game(data), keys=numbers_in(opened.rows))
    return named_rows(opened.rows, names.resolve)


@dataclass(frozen=True)
class Judged:
    panel: Panel
    details: Details


def judged(*, format: Format, day: date, text: str, mendable: bool = True) -> Judged:
    """NotFound where no version of the format is in force on the day."""
    version = format_version_on(format=format, day=day)
    checked = queries.check_text(text=text, game=format.game, format_version=version, day=day)
    panel = panel_of_check(checked=checked, format_version=version, day=day, mendable=mendable)
    return Judged(panel, details_of(checked=checked, game=format.game))


def answer(request: HttpRequest, page: str, context: dict[str, Any], status: int | None = None) -> HttpResponse:
    """The page, or for htmx what it shows beside the form."""
    live = "HX-Request" in request.headers
    found = context.pop("judged", None)
    context |= {
        "panel": found and found.panel,
        "details": found and found.details,
        "mend_form": "deck-form",
        "is_live": live,
        "leads_to_lines": not (live and "sent" in context and context["sent"].kind),
    }
    template = "decks/_answer.html" if live else page
    return render(request, template, context, status=status or (200 if context["form"].is_valid() else 400))
