"""Reads of games and cards."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from datetime import date

from django.db.models import Count, F, Q, QuerySet, Value
from django.db.models.functions import Concat, StrIndex
from rapidfuzz import fuzz

from cards.engine.index import CardIndex
from cards.engine.names import name_key
from cards.models import Card, CardName, CardSet, CardTag, Erratum, Game, Printing, Product
from config.errors import NotFound


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


def search_cards(
    *,
    query: str,
    game: Game | None = None,
    facts: Mapping[str, str | int | bool] | None = None,
    card_set: str = "",
) -> QuerySet[Card]:
    """Cards one of whose names holds the words of the query, in any order; every card for an empty query.

    ``facts`` are values that cards must have, by the key of the fact; ``card_set`` is the code of a set that they came
    out in. One query, when evaluated.
    """
    cards = Card.objects.select_related("game").order_by("name", "pk")
    if game is not None:
        cards = cards.filter(game=game)
    words = name_key(query[:200]).split()
    if words:
        holds_all = Q()
        for word in words[:12]:
            holds_all &= Q(key__contains=word)
        cards = cards.filter(pk__in=CardName.objects.filter(holds_all).values("card"))
    if facts:
        cards = cards.filter(facts__contains=dict(facts))
    if card_set:
        cards = cards.filter(pk__in=Printing.objects.filter(card_set__code=card_set).values("card"))
    return cards


def sets_of(*, game: Game) -> QuerySet[CardSet]:
    """The game's releases, in the order in which they came out. One query."""
    return CardSet.objects.filter(game=game)


def cards_named_in(*, text: str, game: Game | None = None, limit: int = 5) -> list[Card]:
    """Cards whose whole name stands in the text, longest name first; else the cards with the most similar names.

    One query, or two where no name stands in it.
    """
    key = name_key(text[:200])
    if not key:
        return []
    names = CardName.objects.select_related("card__game")
    if game is not None:
        names = names.filter(game=game)
    padded = Concat(Value(" "), F("key"), Value(" "))
    spoken = names.annotate(at=StrIndex(Value(f" {_words_only(key)} "), padded)).filter(at__gt=0)
    found: list[CardName] = sorted(spoken[:50], key=lambda name: (-len(name.key), name.key))
    if not found:
        near = names.filter(key__trigram_similar=key).order_by("key")[:50]
        found = [name for name in near if _begins_or_nearly(key, name.key)]
    return list({name.card_id: name.card for name in found}.values())[:limit]


def _words_only(key: str) -> str:
    return key.translate(str.maketrans('?!.,;"', "      ")).strip()


def _begins_or_nearly(key: str, name: str) -> bool:
    typed, printed = (" ".join(re.findall(r"\w+", text)) for text in (key, name))
    return printed.startswith(typed) or fuzz.ratio(typed, printed) >= 82


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
