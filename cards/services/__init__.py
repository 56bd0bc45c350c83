"""The writers of games, cards and products."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.db import transaction

from cards.engine.changes import CardImport
from cards.engine.files import SetRow
from cards.engine.names import name_key
from cards.models import CardName, CardTag, Game, Product
from cards.services.importing import import_cards

__all__ = [
    "CardImport",
    "SetRow",
    "TagRow",
    "import_cards",
    "save_game",
    "save_product",
    "save_tags",
]


@dataclass(frozen=True)
class TagRow:
    """A card's membership from one day up to, and without, another. None is no bound."""

    tag: str
    card: str
    during: tuple[date | None, date | None]
    source: str
    announced_on: date | None = None


@transaction.atomic
def save_game(*, slug: str, name: str, values: Mapping[str, Any]) -> Game:
    """Creates or renews the game. ``values``: facts, zones, glossary, synonyms, digest."""
    game, _ = Game.objects.update_or_create(slug=slug, defaults={"name": name, **values})
    return game


@transaction.atomic
def save_tags(*, game: Game, tags: Sequence[TagRow]) -> None:
    """The game's tags become these, whole: what isn't among them is removed. ``card`` is any name of the card.

    Three queries at most.
    """
    names = dict(CardName.objects.filter(game=game).values_list("key", "card_id"))
    wanted = {(names[name_key(row.card)], row.tag, row.during, row.source, row.announced_on): row for row in tags}
    stale = []
    for tag in CardTag.objects.filter(game=game):
        key = (tag.card_id, tag.tag, (tag.during.lower, tag.during.upper), tag.source, tag.announced_on)
        if key in wanted:
            del wanted[key]
        else:
            stale.append(tag.pk)
    CardTag.objects.filter(pk__in=stale).delete()
    CardTag.objects.bulk_create(
        CardTag(game=game, card_id=card, tag=tag, during=during, source=source, announced_on=announced)
        for card, tag, during, source, announced in wanted
    )


@transaction.atomic
def save_product(
    *, game: Game, slug: str, version: int, name: str, definition: Mapping[str, Any], digest: str, sample: bool
) -> Product:
    """Creates the version. A published version stays as it is: the caller has made sure that nothing refers to it."""
    product, _ = Product.objects.update_or_create(
        game=game,
        slug=slug,
        version=version,
        defaults={"name": name, "definition": dict(definition), "digest": digest, "is_sample": sample},
    )
    return product
