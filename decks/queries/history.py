"""The versions of a deck, and what changed from one to the next."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from accounts.models import User
from config.errors import NotFound
from decks.engine.comparing import ZoneDifference, compare
from decks.engine.headings import ZoneSpec
from decks.engine.parser import ParsedDecklist
from decks.models import Deck, DeckRevision
from decks.queries import deck_of, zone_specs
from decks.queries.texts import read_texts

PER_PAGE = 20


@dataclass(frozen=True)
class Version:
    """``is_now`` for the deck's own text, which is no revision yet."""

    number: int
    name: str
    text: str
    saved_at: datetime
    is_now: bool = False


@dataclass(frozen=True)
class Change:
    """A version and what it changed of the one before. ``is_first``: there is none before, or it is no longer kept.

    ``problems`` counts its lines that are not understood; ``old_name`` is that of the one before where it had another.
    ``is_rewritten``: the text is another, whether or not the cards are.
    """

    version: Version
    zones: tuple[ZoneDifference, ...]
    count: int
    problems: int
    is_first: bool
    old_name: str = ""
    is_rewritten: bool = True

    @property
    def changed(self) -> list[ZoneDifference]:
        """The zones of which some card changed."""
        return [zone for zone in self.zones if zone.added or zone.removed]


@dataclass(frozen=True)
class History:
    """``older`` is the number below which the next page begins, None on the last one."""

    changes: tuple[Change, ...]
    older: int | None


def newest_number(*, deck: Deck) -> int:
    """The number of the deck's own text: one more than that of its newest revision, 1 without any. One query."""
    newest = DeckRevision.objects.filter(deck=deck).order_by("-number").values_list("number", flat=True).first()
    return (newest or 0) + 1


def versions_of(*, deck: Deck, before: int | None = None, limit: int | None = None) -> list[Version]:
    """The newest first, from below ``before``, at most ``limit``. Two queries."""
    now = Version(newest_number(deck=deck), deck.name, deck.text, deck.updated_at, is_now=True)
    kept = DeckRevision.objects.filter(deck=deck)
    if before is not None:
        kept = kept.filter(number__lt=before)
    versions = [Version(each.number, each.name, each.text, each.saved_at) for each in kept[:limit]]
    return [version for version in (now, *versions) if before is None or version.number < before][:limit]


def version_of(*, owner: User, deck_id: int, number: int) -> tuple[Deck, Version]:
    """Three queries. Raises NotFound ``decks.not_found`` and ``decks.no_revision``."""
    deck = deck_of(owner=owner, deck_id=deck_id)
    newest = newest_number(deck=deck)
    if number == newest:
        return deck, Version(number, deck.name, deck.text, deck.updated_at, is_now=True)
    found = DeckRevision.objects.filter(deck=deck, number=number).first()
    if found is None:
        raise NotFound("decks.no_revision", f"There is no version {number} of this deck.", {"number": number})
    return deck, Version(found.number, found.name, found.text, found.saved_at)


def history_of(*, deck: Deck, before: int | None = None) -> History:
    """A page of PER_PAGE versions with their changes. Those of ``versions_of``, and one for all their names."""
    versions = versions_of(deck=deck, before=before, limit=PER_PAGE + 1)
    parsed = read_texts(texts=[version.text for version in versions], game=deck.game)
    zones = zone_specs(deck.game)
    changes = [
        _change(version, versions[place + 1 : place + 2], parsed[place : place + 2], zones)
        for place, version in enumerate(versions[:PER_PAGE])
    ]
    return History(tuple(changes), versions[PER_PAGE - 1].number if len(versions) > PER_PAGE else None)


def _change(
    version: Version, before_it: Sequence[Version], pair: Sequence[ParsedDecklist], zones: tuple[ZoneSpec, ...]
) -> Change:
    new, *old = pair
    before = old[0].entries if old else ()
    return Change(
        version,
        compare(before, new.entries, zones),
        sum(entry.count for entry in new.entries),
        len(new.problems),
        is_first=not old,
        old_name=next((one.name for one in before_it if one.name != version.name), ""),
        is_rewritten=all(one.text != version.text for one in before_it),
    )
