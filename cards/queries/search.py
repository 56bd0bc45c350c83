"""The search for cards: by name, also misspelt, by words of their text, by facts, set and tag."""

from __future__ import annotations

import re
from datetime import date

from django.db.models import Case, F, IntegerField, JSONField, Q, QuerySet, TextField, Value, When
from django.db.models.fields.json import KeyTextTransform, KeyTransform
from django.db.models.functions import Concat, StrIndex
from django.db.models.lookups import GreaterThanOrEqual, IContains, LessThanOrEqual
from rapidfuzz import fuzz, process

from cards.engine.filters import CardFilters
from cards.engine.names import name_key
from cards.models import Card, CardName, CardTag, Game, Printing

MOST_WORDS = 12
_ALIKE, _PART_ALIKE, _SHORTEST_PART = 70, 75, 4
"""Of a hundred, below which a whole name or a part of one is not recognised any more; letters that make a part."""


def search_cards(*, game: Game | None, filters: CardFilters, day: date) -> QuerySet[Card]:
    """Cards that all of it holds of; every card where nothing is asked for. One query, when evaluated.

    A name holds the words in any order, also as a part: first the card that is called so, then those whose name begins
    so, then the others, each by name. A tag is that of the day.
    """
    cards = Card.objects.select_related("game")
    if game is not None:
        cards = cards.filter(game=game)
    cards = _with_facts(cards, filters)
    for word in filters.text.split()[:MOST_WORDS]:
        cards = cards.filter(text__icontains=word)
    if filters.card_set:
        cards = cards.filter(pk__in=Printing.objects.filter(card_set__code=filters.card_set).values("card"))
    if filters.tag:
        cards = cards.filter(pk__in=CardTag.objects.filter(tag=filters.tag, during__contains=day).values("card"))
    key = name_key(filters.name)
    if not key:
        return cards.order_by("name", "pk")
    names = CardName.objects.all() if game is None else CardName.objects.filter(game=game)
    holds_all = Q()
    for word in key.split()[:MOST_WORDS]:
        holds_all &= Q(key__contains=word)
    place = Case(
        When(pk__in=names.filter(key=key).values("card"), then=0),
        When(pk__in=names.filter(key__startswith=key).values("card"), then=1),
        default=2,
        output_field=IntegerField(),
    )
    return cards.filter(pk__in=names.filter(holds_all).values("card")).order_by(place, "name", "pk")


def _with_facts(cards: QuerySet[Card], filters: CardFilters) -> QuerySet[Card]:
    for key, values in filters.one_of.items():
        any_of = Q()
        for value in values:
            any_of |= Q(facts__contains={key: value})
        cards = cards.filter(any_of)
    for key, least in filters.at_least.items():
        cards = cards.filter(GreaterThanOrEqual(KeyTransform(key, "facts"), Value(least, JSONField())))
    for key, most in filters.at_most.items():
        cards = cards.filter(LessThanOrEqual(KeyTransform(key, "facts"), Value(most, JSONField())))
    for key, words in filters.says.items():
        for word in words.split()[:MOST_WORDS]:
            cards = cards.filter(IContains(KeyTextTransform(key, "facts"), Value(word, TextField())))
    return cards


def near_cards(*, game: Game, query: str, limit: int = 6) -> list[Card]:
    """Cards that may be meant by a name that none has: those spelt nearly so, then those with a part spelt nearly so.

    Only to ask, never to take. Two queries. All names are compared: at 30,000 that is quicker here than to have
    PostgreSQL count three-letter pieces.
    """
    key = name_key(query)
    if not key:
        return []
    names = list(CardName.objects.filter(game=game).order_by("key").values_list("key", "card_id"))
    near = process.extract(key, [name for name, _ in names], scorer=fuzz.ratio, score_cutoff=_ALIKE, limit=3 * limit)
    ids = dict.fromkeys(names[place][1] for *_, place in near)
    if len(ids) < limit and len(key) >= _SHORTEST_PART:
        longer = [(name, card) for name, card in names if len(name) > len(key)]
        keys = [name for name, _ in longer]
        parts = process.extract(key, keys, scorer=fuzz.partial_ratio, score_cutoff=_PART_ALIKE, limit=3 * limit)
        ids |= dict.fromkeys(longer[place][1] for *_, place in parts)
    wanted = list(ids)[:limit]
    cards = Card.objects.select_related("game").in_bulk(wanted)
    return [cards[pk] for pk in wanted]


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
