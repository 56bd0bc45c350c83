"""The page on which cards are looked for."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from cards.engine.facts import FactSpec, FactValue, fact_specs
from cards.engine.filters import CardFilters, read_filters
from cards.models import Card, Game
from cards.queries import game_by_slug, near_cards, search_cards, sets_of, tags_of
from config.errors import NotFound
from rules import queries
from rules.queries.playable import playable_cards
from rules.queries.publications import is_game_organiser
from rules.views.days import day_asked

PAGE = 60


@dataclass(frozen=True)
class FactField:
    """Boxes of the form for one fact: the values that it may have, or the bounds of a number, and what was asked."""

    key: str
    label: str
    type: str
    values: tuple[str, ...]
    chosen: tuple[str, ...]
    least: int | None
    most: int | None


@require_safe
def cards(request: HttpRequest, game: str) -> HttpResponse:
    """Cards by name, text, facts, set, tag and format. What is misspelt is asked about, never taken."""
    found = game_by_slug(slug=game)
    day = day_asked(request)
    specs = fact_specs(found.facts)
    sets, tags, formats = list(sets_of(game=found)), tags_of(game=found), list(queries.formats(game=found))
    pairs = [(name, value) for name, values in request.GET.lists() for value in values]
    filters = read_filters(pairs, specs, [one.code for one in sets], tags)
    listed = search_cards(game=found, filters=filters, day=day)
    format = next((one for one in formats if one.slug == request.GET.get("format")), None)
    if format is None and request.GET.get("format"):
        raise NotFound("format.unknown", f"{found.name} has no such format.", {"game": found.slug})
    undetermined = 0
    if format is not None:
        playable = playable_cards(cards=listed, format=format, day=day)
        listed, undetermined = listed.filter(pk__in=playable.ids), playable.undetermined
    page = Paginator(listed, PAGE).get_page(request.GET.get("page"))
    near = near_cards(game=found, query=filters.name) if filters.name and not page.paginator.count else []
    is_narrowed = filters.has_conditions or format is not None
    context = {
        "game": found,
        "query": filters.name,
        "text": filters.text,
        "fields": _fields(specs, filters),
        "sets": sets,
        "chosen_set": filters.card_set,
        "tags": tags,
        "chosen_tag": filters.tag,
        "formats": formats,
        "format": format,
        "undetermined": undetermined,
        "day": day,
        "today": timezone.localdate(),
        "may_import": is_game_organiser(game=found, user=request.user),
        "is_narrowed": is_narrowed,
        "is_filtered": bool(filters.name) or is_narrowed,
        "page": page,
        "rows": list(_rows(found, page)),
        "near": list(_rows(found, near)),
    }
    is_part = request.headers.get("HX-Request") == "true" and "HX-History-Restore-Request" not in request.headers
    response = render(request, "cards/_cards.html" if is_part else "cards/cards.html", context)
    response["Vary"] = "HX-Request"
    return response


def _fields(specs: dict[str, FactSpec], filters: CardFilters) -> list[FactField]:
    found = []
    for key, spec in specs.items():
        values = ("yes", "no") if spec.type == "flag" else spec.values
        chosen = tuple(_word(value) for value in filters.one_of.get(key, ())) or (filters.says.get(key, ""),)
        least, most = filters.at_least.get(key), filters.at_most.get(key)
        found.append(FactField(key, spec.label, spec.type, values, chosen, least, most))
    return found


def _word(value: FactValue) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)


def _rows(game: Game, cards: Iterable[Card]) -> Iterable[tuple[Card, str, str]]:
    """A card, its facts in words, and its numbers with their names."""
    for card in cards:
        words, numbers = [], []
        for key, spec in game.facts.items():
            value = card.facts.get(key)
            if spec["type"] == "choice" and value is not None:
                words.append(str(value))
            elif spec["type"] == "number" and value is not None:
                numbers.append(f"{spec['label'].lower()} {value}")
        yield card, " · ".join(words), " · ".join(numbers)
