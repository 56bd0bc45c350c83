"""Reads of games and cards."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date

from django.db.models import Count, QuerySet

from cards.engine.index import CardIndex
from cards.models import Card, CardName, CardSet, CardTag, Erratum, Game, Product
from cards.queries.search import cards_named_in, near_cards, search_cards
from config.errors import NotFound

__all__ = [
    "any_sample",
    "card_by_slug",
    "card_index",
    "card_text_on",
    "cards_named_in",
    "errata_of",
    "game_by_slug",
    "games",
    "games_with_counts",
    "near_cards",
    "product",
    "search_cards",
    "sets_of",
    "tags_of",
    "tags_on",
]


def games() -> QuerySet[Game]:
    """Every game, by name. One query."""
    return Game.objects.all()


def games_with_counts() -> QuerySet[Game]:
    """Every game with ``card_count``. One query."""
    return Game.objects.annotate(card_count=Count("cards"))


def game_by_slug(*, slug: str) -> Game:
    """One query. NotFound: no such game."""
    game = Game.objects.filter(slug=slug).first()
    if game is None:
        raise NotFound("game.unknown", f"There is no game {slug!r} here.", {"game": slug})
    return game


def card_by_slug(*, game: Game, slug: str) -> Card:
    """The card with its printings, sets, names and tags. Four queries. NotFound: no such card."""
    card = Card.objects.filter(game=game, slug=slug).prefetch_related("printings__card_set", "names", "tags").first()
    if card is None:
        raise NotFound("card.unknown", f"{game.name} has no card {slug!r} here.", {"game": game.slug, "card": slug})
    return card


def errata_of(*, card: Card) -> list[Erratum]:
    """What was ever changed on the card, or will be, the earliest first. One query."""
    return list(Erratum.objects.filter(card=card).order_by("starts_on"))


def card_text_on(*, card: Card, day: date) -> str:
    """The card's text on the day: that of the latest erratum in force that has one, else the printed one. One query."""
    errata = Erratum.objects.filter(card=card, starts_on__lte=day).exclude(text="")
    latest = errata.order_by("-starts_on").values_list("text", flat=True).first()
    return card.text if latest is None else latest


def card_index(*, game: Game) -> CardIndex:
    """Every name of the game's cards, for the decklist parser. One query."""
    names = CardName.objects.filter(game=game)
    return CardIndex.of(names.values_list("key", "card_id", "card__name"))


def sets_of(*, game: Game) -> QuerySet[CardSet]:
    """The game's releases, in the order in which they came out. One query."""
    return CardSet.objects.filter(game=game)


def tags_of(*, game: Game) -> list[str]:
    """Every tag that a card of the game ever has. One query."""
    return list(CardTag.objects.filter(game=game).order_by("tag").values_list("tag", flat=True).distinct())


def any_sample(*, card_ids: Iterable[int]) -> bool:
    """Whether one of the cards is made up to try Tiltyard with. One query."""
    return Card.objects.filter(pk__in=list(card_ids), is_sample=True).exists()


def tags_on(*, card_ids: Iterable[int], day: date) -> dict[int, frozenset[str]]:
    """The tags that each card has on the day; cards without any are left out. One query."""
    found: dict[int, set[str]] = {}
    for card_id, tag in CardTag.objects.filter(card__in=list(card_ids), during__contains=day).values_list(
        "card_id", "tag"
    ):
        found.setdefault(card_id, set()).add(tag)
    return {card_id: frozenset(tags) for card_id, tags in found.items()}


def product(*, game: Game, slug: str, version: int | None = None) -> Product:
    """The product's version, the newest without one. One query. NotFound: no such product."""
    products = Product.objects.filter(game=game, slug=slug).order_by("-version")
    if version is not None:
        products = products.filter(version=version)
    newest = products.first()
    if newest is None:
        raise NotFound("product.unknown", f"{game.name} has no product {slug!r}.", {"game": game.slug, "product": slug})
    return newest
