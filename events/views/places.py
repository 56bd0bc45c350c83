"""Why somebody has a place in the standings: the neighbours, and every figure down to each opponent's."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from events.engine.metrics import metric
from events.engine.standings_reasons import Figure
from events.queries import public_pages as queries
from events.queries.places import Place, place_in
from events.queries.tie_breakers import has_own_order
from events.sentences_standings import compared, made_of, metric_value
from events.views.commands import event_and_viewer
from events.views.pages import nothing_here, show, whole_number


@require_safe
def place(request: HttpRequest, code: str, player_id: int) -> HttpResponse:
    """After the last complete round, or after ?round=."""
    event, viewer = event_and_viewer(request, code)
    situation = queries.situation_of(event)
    wanted = whole_number(request.GET.get("round"), field="a round")
    round_ = queries.round_of(queries.ranked_rounds(event), wanted)
    if round_ is None:
        raise nothing_here("place")
    found = place_in(event, round_, player_id)
    context = {
        "own_order": has_own_order(event),
        "ranked_round": round_,
        "is_you": viewer.player is not None and viewer.player.pk == player_id,
    }
    return show(
        request,
        "place",
        context | _explained(found),
        event=event,
        viewer=viewer,
        situation=situation,
        here="standings",
    )


def _explained(found: Place) -> dict[str, Any]:
    said, names = found.explanation, found.names
    neighbours = [comparison for comparison in (said.above, said.below) if comparison is not None]
    return {
        "name": names[said.player],
        "rank": said.rank,
        "neighbours": [compared(comparison, said.player, names) for comparison in neighbours],
        "figures": [_figure(figure, found) for figure in said.figures],
    }


def _figure(figure: Figure, found: Place) -> dict[str, Any]:
    return {
        "metric": metric(figure.key),
        "value": metric_value(figure.key, str(figure.value)),
        "exact": str(figure.value),
        "made": made_of(figure),
        "parts": [
            {
                "round": part.round,
                "opponent": found.names[part.opponent] if part.opponent is not None else "",
                "outcome": (part.outcome or "").replace("_", " "),
                "value": metric_value(figure.key, str(part.value)),
                "counts": part.counts,
            }
            for part in figure.parts
        ],
    }
