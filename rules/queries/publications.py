"""Reads of what was published for a game, and of who may publish."""

from __future__ import annotations

from django.contrib.auth.models import AnonymousUser
from django.db.models import QuerySet

from accounts.models import User
from cards.engine.facts import FactSpec
from cards.engine.names import name_key
from cards.models import CardName, CardSet, CardTag, Game
from config.errors import NotFound
from rules.engine.formatcheck import GameNames
from rules.engine.formatparts import all_selectors, cards_named
from rules.engine.formatschema import FormatDefinition
from rules.engine.publication import Known, PublicationFile
from rules.engine.schema import TagSelector
from rules.engine.selectors import walk
from rules.models import Format, FormatVersion, GameOrganiser, Publication, RulesDocument, Section


def is_game_organiser(*, game: Game, user: User | AnonymousUser) -> bool:
    """One query for somebody who is signed in."""
    return isinstance(user, User) and GameOrganiser.objects.filter(game=game, user=user).exists()


def game_organisers(*, game: Game) -> QuerySet[GameOrganiser]:
    """With their accounts, by address. One query."""
    return GameOrganiser.objects.filter(game=game).select_related("user").order_by("user__email")


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


def known_to(*, game: Game, file: PublicationFile) -> Known:
    """What the game has of what the publication may name. Six queries."""
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
    )


def formats_counting(*, game: Game, tags: set[str]) -> dict[str, set[int]]:
    """For each tag, the formats with a version that selects cards by it. One query."""
    found: dict[str, set[int]] = {tag: set() for tag in tags}
    for format_id, described in FormatVersion.objects.filter(format__game=game).values_list("format", "definition"):
        for _, select in all_selectors(FormatDefinition.model_validate(described)):
            for part in walk(select):
                if isinstance(part, TagSelector) and part.tag in found:
                    found[part.tag].add(format_id)
    return found
