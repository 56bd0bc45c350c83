"""Reads of rulings: of a card, of a section, of a game, and of what somebody asks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from functools import reduce
from operator import or_
from typing import Literal

from django.contrib.postgres.search import SearchQuery, SearchRank, SearchVector
from django.db.models import Case, Exists, F, OuterRef, Prefetch, Q, QuerySet, Value, When
from django.db.models.fields import FloatField

from cards.engine.names import name_key
from cards.models import Card, CardName, Game
from config.errors import NotFound
from config.text import unstorable_character
from rules.engine.search import SnippetParts, Term, snippet
from rules.models import RulesDocument, Ruling, Section

Because = Literal["number", "card", "words"]
MOST_WORDS = 12
_VECTOR = SearchVector("question", weight="A", config="english") + SearchVector("answer", weight="B", config="english")


def _published() -> QuerySet[Ruling]:
    return Ruling.objects.filter(status=Ruling.Status.PUBLISHED).select_related("game").order_by("pk")


def rulings_of_card(*, card: Card, day: date) -> QuerySet[Ruling]:
    """The published rulings about the card that hold on the day. One query."""
    return _published().filter(cards=card, during__contains=day)


def rulings_citing(*, section: Section, document: RulesDocument) -> QuerySet[Ruling]:
    """The published rulings that cite the section of the document, of whichever version. One query."""
    return _published().filter(game=document.game_id, citations__contains=[f"{document.prefix} {section.number}"])


def rulings_of_game(*, game: Game, words: str = "") -> QuerySet[Ruling]:
    """Every ruling of the game, withdrawn ones too, with their cards. Two queries.

    With ``words`` only those that have all of them somewhere: in number, question, answer, citation or name of a card.
    """
    found = Ruling.objects.filter(game=game).select_related("game").prefetch_related("cards").order_by("pk")
    if unstorable_character(words):
        return found.none()
    for word in words.split()[:MOST_WORDS]:
        cards = CardName.objects.filter(game=game, key__contains=name_key(word)).values("card")
        named = Exists(Ruling.cards.through.objects.filter(ruling=OuterRef("pk"), card__in=cards))
        fields = ("number", "question", "answer", "authority", "citations")
        found = found.filter(reduce(or_, (Q(**{f"{field}__icontains": word}) for field in fields)) | Q(named))
    return found


def ruling_by_number(*, game: Game, number: str) -> Ruling:
    """The ruling with its cards, whatever its status. Two queries. NotFound: the game has none of that number."""
    cards = Prefetch("cards", Card.objects.select_related("game"))
    found = Ruling.objects.filter(game=game, number__iexact=number).prefetch_related(cards).first()
    if found is None:
        raise NotFound(
            "ruling.unknown", f"{game.name} has no ruling {number!r}.", {"game": game.slug, "number": number}
        )
    return found


def sections_of(*, rulings: Iterable[Ruling], game: Game, day: date) -> dict[str, Section]:
    """As ``sections_named`` does, those that the rulings cite. One query."""
    return sections_named(citations=(c for ruling in rulings for c in ruling.citations), game=game, day=day)


def sections_named(*, citations: Iterable[str], game: Game, day: date) -> dict[str, Section]:
    """The sections behind citations, by citation: as they read on the day, else the newest. One query."""
    cited = set(citations)
    numbers = {citation.partition(" ")[2] for citation in cited}
    sections = Section.objects.filter(document__game=game, number__in=numbers).defer("search")
    in_force = Case(When(document__during__contains=day, then=1), default=0)
    ordered = sections.select_related("document__game").order_by(in_force, F("document__during"))
    found = {f"{section.document.prefix} {section.number}": section for section in ordered}
    return {citation: found[citation] for citation in cited if citation in found}


@dataclass(frozen=True)
class RulingHit:
    """A ruling that answers, the stretch of it that does, and why it was found."""

    ruling: Ruling
    snippet: SnippetParts
    because: Because


def rulings_about(
    *, query: str, terms: Sequence[Term], cards: Sequence[Card], game: Game | None, day: date, limit: int
) -> list[RulingHit]:
    """The published rulings of the day with that number, on one of the cards, or with some of the terms. One query."""
    found = _published().filter(during__contains=day)
    if game is not None:
        found = found.filter(game=game)
    about = Ruling.cards.through.objects.filter(ruling=OuterRef("pk"), card__in=cards)
    texts = [term.text for term in terms if term.only_in is None and not term.text.isdigit()]
    rank: Value | SearchRank = Value(0.0, FloatField())
    if texts:
        sought = reduce(or_, (SearchQuery(text, config="english", search_type="phrase") for text in texts))
        rank = SearchRank(_VECTOR, sought)
    # Every game has a ruling 1: a bare figure names one only where it's known of which game.
    number = query.strip() if game is not None or not query.strip().isdigit() else ""
    is_asked = Case(When(number__iexact=number, then=True), default=False)
    found = found.annotate(rank=rank, is_about=Exists(about), is_asked=is_asked)
    best = found.filter(Q(is_asked=True) | Q(is_about=True) | Q(rank__gt=0)).order_by("-is_asked", "-is_about", "-rank")
    wanted = [*texts, *(card.name for card in cards)]
    hits = []
    for ruling in best[:limit]:
        because: Because = "number" if ruling.is_asked else "card" if ruling.is_about else "words"
        hits.append(RulingHit(ruling, snippet(ruling.answer, wanted), because))
    return hits
