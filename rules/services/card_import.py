"""The import of cards by a game's organisers: looked at first, then done exactly as it was shown."""

from __future__ import annotations

import json
import secrets
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import redis
from django.core.cache import cache

from accounts.models import User
from cards.engine.changes import CardImport
from cards.engine.facts import fact_specs
from cards.engine.files import CardFile, read_files
from cards.engine.rows import RowFault
from cards.models import Game
from cards.services import import_cards
from config.errors import DomainError, NotAllowed, NotFound, Unavailable
from rules.queries.publications import is_game_organiser

KEPT_FOR = 3600


@dataclass(frozen=True)
class Preview:
    """``token`` confirms it for an hour. With a clash there is none."""

    found: CardImport
    token: str


@dataclass(frozen=True)
class Done:
    """The counts of an import, and a file that gives the cards that it changed their old values."""

    counts: dict[str, int]
    undo: dict[str, Any]


def preview_cards(*, game: Game, user: User, cards: bytes, sets: bytes = b"") -> Preview:
    """What importing the files would change; nothing is written, and the files are kept for an hour.

    NotAllowed: not an organiser of the game. DomainError ``cards.unreadable``, ``cards.invalid``: the files are faulty.
    Unavailable: there is nowhere to keep them.
    """
    require_organiser(game=game, user=user)
    file = _read(game, cards, sets)
    found = import_cards(game=game, rows=file.rows, sets=file.sets, dry_run=True)
    if found.clashes or found.is_empty:
        return Preview(found, "")
    token = secrets.token_urlsafe(18)
    draft = {"cards": cards.decode("utf-8-sig"), "sets": sets.decode("utf-8-sig"), "digest": found.digest}
    _keep(game, user, token, draft)
    return Preview(found, token)


def confirm_preview(*, game: Game, user: User, token: str) -> Done:
    """Does what the preview showed. A preview that is done already is not done again: its outcome is returned.

    NotFound ``cards.no_preview``: it is older than an hour, or somebody else's. Conflict ``cards.changed_since``: the
    import would now do something else; nothing was written. Further as ``preview_cards``.
    """
    require_organiser(game=game, user=user)
    draft = _kept(game, user, token)
    if "undo" not in draft:
        file = _read(game, draft["cards"].encode(), draft["sets"].encode())
        done = import_cards(game=game, rows=file.rows, sets=file.sets, expected=draft["digest"])
        draft = {"counts": done.as_json()["counts"], "undo": done.undo}
        _keep(game, user, token, draft)
    return Done(draft["counts"], draft["undo"])


def preview_again(*, game: Game, user: User, token: str) -> Preview:
    """A new preview of the files of an old one. Raises as ``confirm_preview`` does."""
    draft = _kept(game, user, token)
    if "undo" in draft:
        raise NotFound("cards.no_preview", "That import is done already.", {})
    return preview_cards(game=game, user=user, cards=draft["cards"].encode(), sets=draft["sets"].encode())


def outcome_of(*, game: Game, user: User, token: str) -> Done:
    """What a confirmed preview did, for an hour. NotFound ``cards.no_preview``, NotAllowed."""
    require_organiser(game=game, user=user)
    draft = _kept(game, user, token)
    if "undo" not in draft:
        raise NotFound("cards.no_preview", "That import was not confirmed, so there is no outcome.", {})
    return Done(draft["counts"], draft["undo"])


def import_file(*, game: Game, user: User, file: CardFile, dry_run: bool, expected: str | None = None) -> CardImport:
    """One import of a file, or only its report. NotAllowed, and raises as ``cards.services.import_cards`` does."""
    require_organiser(game=game, user=user)
    _refuse_faults(file.faults)
    return import_cards(game=game, rows=file.rows, sets=file.sets, dry_run=dry_run, expected=expected)


def require_organiser(*, game: Game, user: User) -> None:
    """One query. NotAllowed ``cards.not_organiser``: the user doesn't publish for the game."""
    if not is_game_organiser(game=game, user=user):
        raise NotAllowed(
            "cards.not_organiser", f"Only an organiser of {game.name} may import its cards.", {"game": game.slug}
        )


def _read(game: Game, cards: bytes, sets: bytes) -> CardFile:
    file = read_files(cards, fact_specs(game.facts), sets)
    _refuse_faults(file.faults)
    return file


def _refuse_faults(faults: tuple[RowFault, ...]) -> None:
    if not faults:
        return
    messages = [f"{'sets, ' if fault.file == 'sets' else ''}line {fault.line}: {fault.message}" for fault in faults]
    shown = "; ".join(messages[:5]) + (f"; and {len(messages) - 5} more" if len(messages) > 5 else "")
    raise DomainError("cards.unreadable", f"The file can't be used: {shown}", {"faults": messages[:200]})


def _place(game: Game, user: User, token: str) -> str:
    return f"card-import:{game.pk}:{user.pk}:{token[:64]}"


def _keep(game: Game, user: User, token: str, draft: dict[str, Any]) -> None:
    with _memory():
        cache.set(_place(game, user, token), zlib.compress(json.dumps(draft).encode()), KEPT_FOR)


def _kept(game: Game, user: User, token: str) -> dict[str, Any]:
    with _memory():
        stored = cache.get(_place(game, user, token))
    if stored is None:
        raise NotFound(
            "cards.no_preview",
            "This preview is gone: it is kept for an hour, for whoever asked for it. Send the file again.",
            {},
        )
    draft: dict[str, Any] = json.loads(zlib.decompress(stored))
    return draft


@contextmanager
def _memory() -> Iterator[None]:
    try:
        yield
    except redis.RedisError as error:
        raise Unavailable("cards.no_memory", "The file can't be kept right now. Try again in a moment.") from error
