"""Two players of a draft trade places: what it costs first, then the reason."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from config.errors import Conflict, DomainError
from events.models import Event
from events.queries.access import Viewer
from events.queries.desk import desk_round
from events.queries.round_health import cost_of, draft_of_round
from events.sentences_by_hand import COST_WORDS
from events.services import swapping
from events.views.desk import at_desk, attempt, show


@at_desk("runs_rounds")
@require_http_methods(["GET", "HEAD", "POST"])
def swap_players(request: HttpRequest, event: Event, viewer: Viewer, number: int) -> HttpResponse:
    """GET with ?one=&other= (players): the cost before and after. POST: the same with the reason."""
    desk_round(event=event, number=number)
    asked = request.POST if request.method == "POST" else request.GET
    one, other = _player(asked.get("one", "")), _player(asked.get("other", ""))
    if request.method != "POST":
        return _page(request, event, viewer, number, one, other)
    return attempt(
        request,
        event,
        swapping.swap_players,
        told=lambda _: "They have traded places. Discard the draft and pair again to undo it.",
        back=reverse("events:desk_round", args=[event.code, number]),
        page=lambda refusal: _page(request, event, viewer, number, one, other, refusal),
        round_number=number,
        one=one,
        other=other,
        reason=request.POST.get("reason", ""),
    )


def _page(
    request: HttpRequest,
    event: Event,
    viewer: Viewer,
    number: int,
    one: int,
    other: int,
    refusal: DomainError | None = None,
) -> HttpResponse:
    round_ = desk_round(event=event, number=number)
    draft = draft_of_round(round_)
    left, right = draft.match_of(one), draft.match_of(other)
    possible = round_.state == "draft" and left is not None and right is not None and left != right
    costs = []
    if possible and left is not None and right is not None:
        after = draft.swapped(one, other)
        before = {key: players for key, (_, players) in draft.matches.items()}
        group = [key for key, (match, _) in draft.matches.items() if match.pod_id == left.pod_id]
        was, would = (cost_of(event, round_, [matches[key] for key in group]).as_json() for matches in (before, after))
        costs = [(words, was[key], would[key]) for key, words in COST_WORDS.items()]
    elif refusal is None:
        refusal = Conflict("swap.not_in_round", "Choose two players of this draft who do not play each other.")
    names = dict(event.players.filter(pk__in=[one, other]).values_list("pk", "name"))
    return show(
        request,
        event,
        viewer,
        "swap",
        tab="desk_round",
        refusal=refusal,
        round=round_,
        one=one,
        other=other,
        one_name=names.get(one, ""),
        other_name=names.get(other, ""),
        costs=costs,
        reason=request.POST.get("reason", ""),
    )


def _player(text: str) -> int:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 16 else 0
