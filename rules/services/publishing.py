"""Publishes changed lists and format versions: from a day on, never for the past, and the same again after a reload."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.db import IntegrityError, connection, transaction
from django.utils import timezone

from accounts.models import User
from cards.models import Game
from config.errors import Conflict, DomainError, NotAllowed
from config.text import unstorable_character
from rules.engine.digests import digest_of
from rules.engine.publication import Fault, PublicationFile, publication_faults, refusal
from rules.models import GameOrganiser, Publication
from rules.queries.publications import is_game_organiser, known_to
from rules.services.amendments import Amendments, Refused

CODES = {
    "missing": "publication.card_gone",
    "exists": "publication.version_exists",
    "scheduled": "publication.scheduled",
    "redundant": "publication.redundant",
}
"""By kind of clash, the gravest first."""


@dataclass(frozen=True)
class Published:
    """``created`` is False when the very same was published before; then nothing was done."""

    publication: Publication
    created: bool


def publish(*, game: Game, user: User, file: PublicationFile, text: str = "") -> Published:
    """Make the lists say what the publication says, from its days on, and keep it; the same twice counts once.

    ``text`` is the TOML that it was read from, to name lines in refusals. Runs in one transaction, one at a time for a
    game, and neither beside a load of its pack. What held before a day stays as it was.

    Raises NotAllowed ``publication.not_organiser``; DomainError ``publication.invalid`` with every fault and
    ``publication.past``; Conflict ``publication.redundant`` (the lists say so already), ``publication.scheduled``
    (another change stands for that day or a later one), ``publication.version_exists``, and ``publication.overlap``
    (the constraints saw what another had stored in the meantime).
    """
    require_organiser(game=game, user=user)
    payload = file.as_json()
    if found := unstorable_character("".join(_texts(payload))):
        raise DomainError("publication.invalid", f"This can't be published: it holds {found}.", {"faults": []})
    digest = digest_of([game.slug, payload])
    with transaction.atomic():
        lock_game(game)
        before = Publication.objects.filter(digest=digest).first()
        if before is not None:
            return Published(before, False)
        _refuse_past(file, timezone.localdate(), text)
        known = known_to(game=game, file=file)
        if faults := publication_faults(file, known):
            raise refusal(faults, text=text)
        try:
            with transaction.atomic():
                summary = Amendments(game, file, known).apply()
                publication = Publication.objects.create(
                    game=game,
                    published_by=user,
                    title=file.title,
                    effective_on=file.effective_on,
                    payload=payload,
                    summary=summary,
                    digest=digest,
                )
        except Refused as refused:
            raise _conflict(refused, text) from refused
        except IntegrityError as error:
            raise Conflict(
                "publication.overlap",
                "Another change of the same cards or formats was stored in the meantime. Look at what is in force now, "
                "and publish again what still has to be changed.",
                {"game": game.slug},
            ) from error
    return Published(publication, True)


def reapply_publications(*, game: Game) -> None:
    """After a load has made the lists those of the pack: amend them by what was published since, in order.

    A change that the pack says by now is passed over. Runs in the load's transaction. Raises Conflict
    ``publication.contradicts_pack``: the pack says something else from that day or from a later one.
    """
    for publication in Publication.objects.filter(game=game).order_by("pk"):
        file = PublicationFile.model_validate(publication.payload)
        try:
            Amendments(game, file, known_to(game=game, file=file), again=True).apply()
        except Refused as refused:
            reasons = "; ".join(fault.message for _, fault in refused.clashes)
            raise Conflict(
                "publication.contradicts_pack",
                f"The pack is at odds with “{publication.title}”, which was published for {game.name}: {reasons}. "
                "Write into the pack what was published, then what changes after it.",
                {"game": game.slug, "publication": publication.pk},
            ) from refused


def require_organiser(*, game: Game, user: User) -> None:
    """Raises NotAllowed ``publication.not_organiser``. One query."""
    if not is_game_organiser(game=game, user=user):
        raise NotAllowed(
            "publication.not_organiser",
            f"Only organisers of {game.name} publish its lists and formats. Ask whoever runs this site for the role.",
            {"game": game.slug},
        )


def add_game_organiser(*, game: Game, user: User) -> tuple[GameOrganiser, bool]:
    """The role, and whether it is new."""
    return GameOrganiser.objects.get_or_create(game=game, user=user)


def remove_game_organiser(*, game: Game, user: User) -> bool:
    """Whether the person had been one. What they published stays."""
    return bool(GameOrganiser.objects.filter(game=game, user=user).delete()[0])


def lock_game(game: Game) -> None:
    """Until the transaction ends. Loading the game's pack takes the same lock."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))", [f"pack {game.slug}"])


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield key
            yield from _texts(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _texts(inner)


def _refuse_past(file: PublicationFile, today: date, text: str) -> None:
    past = [
        Fault(where, f"{day} is over; the first day that can still change is {today}")
        for where, day in file.first_days()
        if day < today
    ]
    if past:
        told = refusal(past, text=text)
        raise DomainError("publication.past", told.message, told.context)


def _conflict(refused: Refused, text: str) -> Conflict:
    kinds = {kind for kind, _ in refused.clashes}
    code = next(code for kind, code in CODES.items() if kind in kinds)
    told = refusal([fault for _, fault in refused.clashes], text=text)
    return Conflict(code, told.message, told.context)
