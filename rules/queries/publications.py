"""Reads of what was published for a game, and of who may publish."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.db.models import QuerySet

from accounts.models import User
from cards.engine.facts import FactSpec
from cards.engine.names import name_key
from cards.models import CardName, CardSet, CardTag, Game
from cards.queries import card_index
from config.errors import NotFound
from rules.engine.formatcheck import GameNames
from rules.engine.formatparts import all_selectors, cards_named
from rules.engine.formatschema import FormatDefinition
from rules.engine.publication import Decides, Known, PublicationFile, lists_of
from rules.engine.schema import TagSelector
from rules.engine.selectors import walk
from rules.models import Format, FormatVersion, GameOrganiser, Publication, RulesDocument, Section

SUGGESTED = 50
"""Unknown names for which cards are looked up that they may mean."""


def is_game_organiser(*, game: Game, user: User | AnonymousUser) -> bool:
    """One query for somebody who is signed in."""
    return isinstance(user, User) and GameOrganiser.objects.filter(game=game, user=user).exists()


def publications_of(*, game: Game) -> QuerySet[Publication]:
    """Newest first. One query."""
    return Publication.objects.filter(game=game).select_related("game").order_by("-pk")


def publication_of_game(*, game: Game, number: int) -> Publication:
    """One query. NotFound: the game has no such publication."""
    found = publications_of(game=game).filter(pk=number).first()
    if found is None:
        raise NotFound(
            "publication.unknown",
            f"{game.name} has no publication {number}.",
            {"game": game.slug, "publication": number},
        )
    return found


@dataclass(frozen=True)
class Shown:
    """A publication as a page shows it: days are dates, zones have their labels."""

    publication: Publication
    source: str
    announced_on: date | None
    changes: tuple[dict[str, Any], ...]
    tags: tuple[dict[str, Any], ...]
    formats: tuple[dict[str, Any], ...]


def shown(publication: Publication) -> Shown:
    """No query; select ``game`` with the publication."""
    labels = {zone["key"]: zone["label"] for zone in publication.game.zones}

    def rows(table: str) -> tuple[dict[str, Any], ...]:
        return tuple(
            {**row, "from": date.fromisoformat(row["from"]), "zone": labels.get(row.get("zone"), row.get("zone", ""))}
            for row in publication.summary.get(table, ())
        )

    announced = publication.payload.get("announced_on")
    return Shown(
        publication,
        publication.payload["source"],
        None if announced is None else date.fromisoformat(announced),
        rows("changes"),
        rows("tags"),
        rows("formats"),
    )


def known_to(*, game: Game, file: PublicationFile) -> Known:
    """What the game has of what the publication may name. Seven queries, one more where a card is not known."""
    named = {change.card for change in file.changes}
    named |= {name for tag in file.tags for name in (*tag.add, *tag.remove)}
    named |= {name for definition in file.formats for _, name in cards_named(definition)}
    keys = {name_key(name) for name in named}
    spelt = CardName.objects.filter(game=game, key__in=keys).values_list("key", "card_id", "card__name")
    cards = {key: (card, name) for key, card, name in spelt}
    citations: dict[tuple[str, str], set[str]] = {
        key: set() for key in RulesDocument.objects.filter(game=game).values_list("slug", "version")
    }
    for slug, version, prefix, number in Section.objects.filter(document__game=game).values_list(
        "document__slug", "document__version", "document__prefix", "number"
    ):
        citations[slug, version].add(f"{prefix} {number}")
    lists: dict[str, set[Decides]] = {}
    versions = FormatVersion.objects.filter(format__game=game)
    for slug, described in versions.values_list("format__slug", "definition"):
        lists.setdefault(slug, set()).update(lists_of(FormatDefinition.model_validate(described)))
    return Known(
        names=GameNames(
            zones={zone["key"] for zone in game.zones},
            facts={key: FactSpec.model_validate(spec) for key, spec in game.facts.items()},
            tags=set(CardTag.objects.filter(game=game).values_list("tag", flat=True).distinct()),
            sets=set(CardSet.objects.filter(game=game).values_list("code", flat=True)),
            cards={key: name for key, (_, name) in cards.items()},
        ),
        cards={key: card for key, (card, _) in cards.items()},
        formats=dict(Format.objects.filter(game=game).values_list("slug", "name")),
        citations={key: frozenset(found) for key, found in citations.items()},
        lists={slug: frozenset(found) for slug, found in lists.items()},
        like=_like(game, sorted(keys - cards.keys())[:SUGGESTED]),
    )


def _like(game: Game, unknown: Sequence[str]) -> dict[str, list[str]]:
    """One query, or none."""
    if not unknown:
        return {}
    return dict(zip(unknown, card_index(game=game).suggestions(unknown, 2), strict=True))


def formats_counting(*, game: Game, tags: set[str]) -> dict[str, set[int]]:
    """For each tag, the formats with a version that selects cards by it. One query."""
    found: dict[str, set[int]] = {tag: set() for tag in tags}
    for format_id, described in FormatVersion.objects.filter(format__game=game).values_list("format", "definition"):
        for _, select in all_selectors(FormatDefinition.model_validate(described)):
            for part in walk(select):
                if isinstance(part, TagSelector) and part.tag in found:
                    found[part.tag].add(format_id)
    return found


def sections_of_lists(*, game: Game) -> dict[str, str]:
    """For each format with a list, by slug, the section by which its newest version has it. One query."""
    found: dict[str, str] = {}
    versions = FormatVersion.objects.filter(format__game=game).order_by("during")
    for slug, described in versions.values_list("format__slug", "definition"):
        for rule in FormatDefinition.model_validate(described).constraints:
            if rule.kind in ("status", "points"):
                found[slug] = rule.cite
                break
    return found
