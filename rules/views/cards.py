"""Pages of cards."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from cards.queries import card_by_slug, game_by_slug
from rules import queries
from rules.standing import standing_text
from rules.views.days import day_asked


@require_safe
def card(request: HttpRequest, game: str, card: str) -> HttpResponse:
    day = day_asked(request)
    found_game = game_by_slug(slug=game)
    found = card_by_slug(game=found_game, slug=card)
    specs = found_game.facts.items()
    facts = queries.card_facts_for([found.pk], day=day)[found.pk]
    statuses = queries.statuses_of(card=found, day=day)
    context = {
        "game": found_game,
        "card": found,
        "day": day,
        "facts": [(spec["label"], found.facts[key]) for key, spec in specs if found.facts.get(key) is not None],
        "unknown": [spec["label"] for key, spec in specs if found.facts.get(key) is None],
        "other_names": [name for name in found.names.all() if name.text != found.name],
        "standings": [
            (standing, standing_text(standing, found_game))
            for standing in queries.standings_of_card(card=found, facts=facts, day=day)
        ],
        "statuses": statuses,
        "tags": [tag for tag in found.tags.all() if day in tag.during],
        "sections": queries.sections_about(card=found, day=day),
    }
    return render(request, "rules/card.html", context)
