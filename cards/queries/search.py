"""The search for cards: by name, also misspelt, by words of their text, by facts, set and tag."""

from __future__ import annotations

import re
from datetime import date

from django.contrib.postgres.search import TrigramSimilarity, TrigramWordSimilarity
from django.db.models import Case, F, IntegerField, JSONField, Q, QuerySet, TextField, Value, When
from django.db.models.fields.json import KeyTextTransform, KeyTransform
from django.db.models.functions import Concat, Greatest, StrIndex
from django.db.models.lookups import GreaterThanOrEqual, IContains, LessThanOrEqual
from rapidfuzz import fuzz, process

from cards.engine.filters import CardFilters
from cards.engine.names import name_key
from cards.models import Card, CardName, CardTag, Game, Printing

MOST_WORDS = 12
_ALIKE = 70.0
"""Of a hundred: with one wrong letter in three, a name is not recognised any more."""


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
    """Cards that may be meant by a name that no card has, the most likely first. Only to ask, never to take.

    One query by the index of three-letter pieces; a second one over all names where nothing has enough of them.
    """
    key = name_key(query)
    if not key:
        return []
    names = CardName.objects.filter(game=game)
    likeness = Greatest(TrigramSimilarity("key", key), TrigramWordSimilarity(key, "key"))
    pieces = names.filter(Q(key__trigram_similar=key) | Q(key__trigram_word_similar=key)).annotate(likeness=likeness)
    found = pieces.order_by("-likeness", "key").values_list("key", "card_id", "card__name")[:60]
    scored = [(_alike(key, other), name, card) for other, card, name in found]
    if not any(score >= _ALIKE for score, *_ in scored):
        every = list(names.values_list("key", "card_id", "card__name"))
        near = process.extract(key, [other for other, *_ in every], scorer=fuzz.ratio, score_cutoff=_ALIKE, limit=limit)
        scored += [(score, every[place][2], every[place][1]) for _, score, place in near]
    ordered = sorted(scored, key=lambda one: (-one[0], one[1]))
    ids = list(dict.fromkeys(card for *_, card in ordered))[:limit]
    cards = {card.pk: card for card in Card.objects.filter(pk__in=ids).select_related("game")}
    return [cards[pk] for pk in ids]


def _alike(key: str, other: str) -> float:
    """Of a hundred: the whole spelling, or one part of a longer name for a little less."""
    part = 0.9 * fuzz.partial_ratio(key, other) if len(key) < len(other) else 0.0
    return max(fuzz.ratio(key, other), part)


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
