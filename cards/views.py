"""Pages of games and cards. A card's own page is in ``rules``, which knows the lists and sections that name it."""

from __future__ import annotations

from dataclasses import dataclass

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from cards import queries
from cards.models import Game

PAGE = 60


@dataclass(frozen=True)
class FactFilter:
    """A box of the list's form: the values that a fact may have, and the one that was chosen."""

    key: str
    label: str
    values: list[str]
    chosen: str


@require_safe
def games(request: HttpRequest) -> HttpResponse:
    return render(request, "cards/games.html", {"games": queries.games_with_counts()})


@require_safe
def cards(request: HttpRequest, game: str) -> HttpResponse:
    found = queries.game_by_slug(slug=game)
    query = request.GET.get("q", "")[:200]
    filters = _filters(request, found)
    sets = list(queries.sets_of(game=found))
    chosen_set = next((one.code for one in sets if one.code == request.GET.get("set")), "")
    chosen = {one.key: one.chosen for one in filters if one.chosen}
    listed = queries.search_cards(query=query, game=found, facts=chosen, card_set=chosen_set)
    page = Paginator(listed, PAGE).get_page(request.GET.get("page"))
    context = {
        "game": found,
        "query": query,
        "filters": filters,
        "sets": sets,
        "chosen_set": chosen_set,
        "is_filtered": bool(query or chosen or chosen_set),
        "page": page,
        "rows": [(card, *_lines(found, card.facts)) for card in page],
    }
    is_part = request.headers.get("HX-Request") == "true" and "HX-History-Restore-Request" not in request.headers
    response = render(request, "cards/_cards.html" if is_part else "cards/cards.html", context)
    response["Vary"] = "HX-Request"
    return response


def _filters(request: HttpRequest, game: Game) -> list[FactFilter]:
    """One for each fact that has a list of values; a value that isn't on it chooses nothing."""
    found = []
    for key, spec in game.facts.items():
        if values := spec.get("values"):
            asked = request.GET.get(f"f-{key}", "")
            found.append(FactFilter(key, spec["label"], list(values), asked if asked in values else ""))
    return found


def _lines(game: Game, facts: dict[str, str | int | bool]) -> tuple[str, str]:
    """What a list says of a card: its facts in words, and its numbers with their names."""
    words, numbers = [], []
    for key, spec in game.facts.items():
        value = facts.get(key)
        if spec["type"] == "choice" and value is not None:
            words.append(str(value))
        elif spec["type"] == "number" and value is not None:
            numbers.append(f"{spec['label'].lower()} {value}")
    return " · ".join(words), " · ".join(numbers)
