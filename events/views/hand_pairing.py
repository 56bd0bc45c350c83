"""A Swiss round by hand: a line for each pair, what is wrong beside the lines, what it costs beside the engine's."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from config.errors import DomainError, Unprocessable
from events.engine.hand_pairing import Slip, Written, amiss, read, written
from events.models import Event, Round
from events.queries.access import Viewer
from events.queries.hand_pairing import HandRound, hand_round
from events.queries.round_health import draft_of_round
from events.sentences import listed
from events.sentences_by_hand import COST_WORDS, problem_sentence, verdict
from events.services.hand_pairing import draft_by_hand
from events.views.desk import at_desk, attempt, show

LONGEST_TEXT = 500_000


@at_desk("runs_rounds")
@require_http_methods(["GET", "HEAD", "POST"])
def pair_by_hand(request: HttpRequest, event: Event, viewer: Viewer) -> HttpResponse:
    """GET: the draft that lies there, or the engine's proposal, as lines. POST: the lines; with ``do=compare`` what
    they cost, else the round with the reason."""
    if request.method != "POST":
        return _page(request, event, viewer)
    text = request.POST.get("pairs", "")[:LONGEST_TEXT]
    try:
        hand = hand_round(event)
    except DomainError as refusal:
        return _page(request, event, viewer, text, refusal)
    found = read(text, hand.names)
    if found.problems:
        slips = Unprocessable("hand.players", "The round is not whole yet. What is missing stands below.")
        return _page(request, event, viewer, text, slips)
    if request.POST.get("do") == "compare":
        return _page(request, event, viewer, text)
    return attempt(
        request,
        event,
        draft_by_hand,
        told=lambda change: f"Round {change.facts['round']} is drafted by hand. Only staff see it until you post it.",
        back=lambda change: reverse("events:desk_round", args=[event.code, change.facts["round"]]),
        page=lambda refusal: _page(request, event, viewer, text, refusal),
        pairs=found.pairs,
        byes=found.byes,
        reason=request.POST.get("reason", ""),
    )


def _page(
    request: HttpRequest, event: Event, viewer: Viewer, text: str | None = None, refusal: DomainError | None = None
) -> HttpResponse:
    facts: dict[str, Any] = {"sequence": None}
    try:
        hand = hand_round(event)
        facts = _facts(hand, text)
    except DomainError as reason:
        refusal = refusal or reason
    return show(
        request,
        event,
        viewer,
        "by_hand",
        tab="desk",
        refusal=refusal,
        reason=request.POST.get("reason", ""),
        **facts,
    )


def _facts(hand: HandRound, text: str | None) -> dict[str, Any]:
    if text is None:
        pairs, byes = _draft(hand.upcoming.draft) if hand.upcoming.draft is not None else hand.proposal
        if amiss(pairs, byes, hand.names.keys()):  # somebody left or came back since the draft
            pairs, byes = hand.proposal
        text = written(pairs, byes, hand.names)
    found = read(text, hand.names)
    return {
        "sequence": hand.upcoming.sequence,
        "draft": hand.upcoming.draft,
        "holds": hand.holds,
        "text": text,
        "rows": min(30, max(6, len(hand.names) // 2 + 2)),
        "problems": [(problem.line, problem_sentence(problem)) for problem in found.problems if problem.line],
        "missing": [problem.text for problem in found.problems if problem.slip is Slip.MISSING],
        **(_comparison(hand, found) if not found.problems else {}),
    }


def _draft(round_: Round) -> tuple[list[tuple[int, int]], list[int]]:
    seats = [players for _, players in draft_of_round(round_).matches.values()]
    return [(seat[0], seat[1]) for seat in seats if len(seat) == 2], [seat[0] for seat in seats if len(seat) == 1]


def _comparison(hand: HandRound, found: Written) -> dict[str, Any]:
    if any(hand.group_of[a] is not hand.group_of[b] for a, b in found.pairs):
        return {}
    again = [f"{hand.names[a]} and {hand.names[b]}" for a, b in hand.rematches(found.pairs)]
    return {
        "groups": [
            {
                "pod": graded.group.pod,
                "verdict": verdict(graded.engine, graded.cost, graded.group.options),
                "costs": [
                    (words, graded.engine.as_json()[key] if graded.engine else None, graded.cost.as_json()[key])
                    for key, words in COST_WORDS.items()
                ],
            }
            for graded in hand.graded(found.pairs, found.byes)
        ],
        "again": listed(again) if again else "",
    }
