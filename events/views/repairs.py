"""Plans side by side: what becomes of the open round when a result was wrong or somebody is gone or back."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from config.errors import Conflict, DomainError
from events.engine.entry import score_choices
from events.engine.outcomes import GameScore
from events.engine.repair import Gone, MistakenDrop, Place, RepairPlan
from events.models import Event, Player
from events.queries.access import Viewer
from events.queries.desk import desk_round, floor_match
from events.queries.repairs import Repair, finished_match, repair_of_player, repair_of_result
from events.sentences import points
from events.sentences_reasons import reason_sentence
from events.services import repairs
from events.views.desk import at_desk, attempt, show

ROLES = {
    "leave": "Leave the pairing as it is",
    "fewest_stopped": "Stop no table",
    "best_pairing": "The best pairing",
    "between": "In between",
    "whole_round": "Pair the whole round again",
}


@at_desk("runs_rounds")
@require_http_methods(["GET", "HEAD", "POST"])
def correct_result(request: HttpRequest, event: Event, viewer: Viewer, match_id: int) -> HttpResponse:
    """GET: the scores to choose from; with ?score=2-1 the plans for it. POST: the score, the plan and the reason."""
    if request.method != "POST":
        return _result_page(request, event, viewer, match_id, request.GET.get("score", ""))
    score = request.POST.get("score", "")

    def page(refusal: DomainError) -> HttpResponse:
        return _result_page(request, event, viewer, match_id, score, refusal)

    try:
        games = _score(score)
    except DomainError as refusal:
        return page(refusal)
    return attempt(
        request,
        event,
        repairs.correct_result,
        told=lambda _: "The result is corrected, and the standings are counted again.",
        back=reverse("events:floor_match", args=[event.code, match_id]),
        page=page,
        match_id=match_id,
        wins_a=games.wins,
        wins_b=games.losses,
        draws=games.draws,
        reason=request.POST.get("reason", ""),
        plan=request.POST.get("plan", ""),
    )


@at_desk("runs_rounds")
@require_http_methods(["GET", "HEAD", "POST"])
def mend_round(request: HttpRequest, event: Event, viewer: Viewer, number: int, player_id: int) -> HttpResponse:
    player = get_object_or_404(Player, event=event, pk=player_id)
    round_ = desk_round(event=event, number=number)
    if request.method != "POST":
        return _player_page(request, event, viewer, number, player)
    return attempt(
        request,
        event,
        repairs.repair_round,
        told=lambda _: f"Round {number} is mended.",
        back=reverse("events:desk_round", args=[event.code, number]),
        page=lambda refusal: _player_page(request, event, viewer, number, player, refusal),
        round_number=round_.sequence,
        player_id=player_id,
        reason=request.POST.get("reason", ""),
        plan=request.POST.get("plan", ""),
    )


def _result_page(
    request: HttpRequest, event: Event, viewer: Viewer, match_id: int, score: str, refusal: DomainError | None = None
) -> HttpResponse:
    row = floor_match(event=event, match_id=match_id)
    repair, blocked = None, ""
    try:
        match = finished_match(event=event, match_id=match_id)
        if score:
            repair = repair_of_result(event=event, match=match, score=_score(score))
    except DomainError as reason:
        refusal = refusal or reason
        blocked = reason.code
    at_time = row.match.round.time_called_at is not None
    return show(
        request,
        event,
        viewer,
        "repair",
        tab="floor",
        refusal=refusal,
        row=row,
        title=f"Correct table {row.match.table} of round {row.match.round.sequence}",
        what="",
        choices=[
            (f"{first}-{second}", f"{first}-{second}" == score)
            for first, second in score_choices(event.rules["match"]["best_of"], at_time=at_time, elimination=False)
        ],
        score="" if blocked else score,
        reason=request.POST.get("reason", ""),
        open_round=repair.round.sequence if repair is not None else None,
        plans=_cards(event, repair),
        ready=bool(score) and not blocked,
    )


def _player_page(
    request: HttpRequest,
    event: Event,
    viewer: Viewer,
    number: int,
    player: Player,
    refusal: DomainError | None = None,
) -> HttpResponse:
    player.refresh_from_db()
    repair, what = None, ""
    try:
        repair = repair_of_player(event=event, round_=desk_round(event=event, number=number), player=player)
        what = _what(repair, player)
    except Conflict as reason:
        refusal = refusal or reason
    return show(
        request,
        event,
        viewer,
        "repair",
        tab="desk_round",
        refusal=refusal,
        title=f"Mend round {number}: {player.name}",
        what=what,
        reason=request.POST.get("reason", ""),
        open_round=number,
        plans=_cards(event, repair),
        ready=repair is not None,
    )


def _what(repair: Repair, player: Player) -> str:
    match repair.correction:
        case Gone():
            return f"{player.name} dropped, and sits in this round."
        case MistakenDrop(entrant):
            return f"{player.name} comes back with {points(entrant.points)}, and has to play this round."
    missed = repair.round.sequence - 1 - (player.dropped_after_round or 0)
    return f"{player.name} comes back. The {missed} round{'' if missed == 1 else 's'} missed give no points."


def _cards(event: Event, repair: Repair | None) -> list[dict[str, Any]]:
    """The plans in the engine's order, cheapest first, with names. 1 query."""
    if repair is None:
        return []
    names = dict(event.players.values_list("pk", "name"))
    return [{"key": key, **_card(plan, names)} for key, plan in repair.plans.items()]


def _card(plan: RepairPlan, names: dict[int, str]) -> dict[str, Any]:
    cost = plan.cost
    stopped = [table.number for table in plan.stopped]
    words = ROLES[str(plan.role)]
    if plan.role == "fewest_stopped" and stopped:
        words = "Stop as few tables as it takes"
    return {
        "title": words,
        "facts": [
            ("Tables stopped", ", ".join(map(str, stopped)) or "none"),
            ("Rematches", cost.pairing.rematches),
            ("Gaps in points, squared", cost.pairing.score_gap),
            ("Without an opponent", cost.idle),
        ],
        "told": [
            f"{names[told.player]}: {_place(told.after, names)}"
            for told in plan.told
            if told.after is not None or told.before is None
        ],
        "why": [reason_sentence(reason.as_json(), names) for reason in plan.reasons],
        "is_proved": plan.proved_best,
    }


def _place(place: Place | None, names: dict[int, str]) -> str:
    if place is None:
        return "does not play this round"
    if place.table is None:
        return "has the bye"
    if place.opponent is None:
        return f"stays at table {place.table} without an opponent"
    return f"table {place.table}, against {names[place.opponent]}"


def _score(text: str) -> GameScore:
    """ "2-1" or "1-1-1". Raises DomainError "score.unreadable"."""
    parts = text.split("-")
    if len(parts) not in (2, 3) or not all(part.isascii() and part.isdigit() and len(part) < 3 for part in parts):
        raise DomainError("score.unreadable", "Choose one of the scores.")
    return GameScore(*(int(part) for part in parts))
