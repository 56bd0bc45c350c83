"""Sideboarding for a game of a match: how many copies of each card leave where they were registered."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, permutations
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from config.errors import DomainError, NotFound
from decks.engine.sideboarding import Move
from events.models import DecklistSubmission, Event, Match
from events.queries import sideboarding as queries
from events.queries.access import Viewer
from events.queries.public_pages import situation_of
from events.sentences import round_name
from events.services import sideboarding
from events.views.commands import actor_of, carry_out, command_of, event_and_viewer
from events.views.pages import show

LONGEST_COUNT = 3
SHOWN_BESIDE_THE_FORM = (400, 409, 422)


@dataclass(frozen=True)
class Row:
    """A card of one zone; ``moved`` is what stands in its field, as it was typed."""

    name: str
    field: str
    card: int
    count: int
    source: str
    target: str
    moved: str


@dataclass(frozen=True)
class Column:
    """A zone, and to which other its cards may go. ``now`` counts the moves in; None while they can't be read."""

    label: str
    to: str
    rows: Sequence[Row]
    registered: int
    now: int | None


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def sideboard(request: HttpRequest, code: str, match_id: int, game_number: int) -> HttpResponse:
    """A player's own. POST with ``record`` keeps it, with ``restore`` the deck as registered, else only checks."""
    event, viewer = event_and_viewer(request, code)
    if viewer.player is None:
        raise Http404
    return _page(request, event, viewer, match_id, viewer.player.pk, game_number)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def sideboard_for(request: HttpRequest, code: str, match_id: int, player_id: int, game_number: int) -> HttpResponse:
    """By staff who do not play, with a reason."""
    event, viewer = event_and_viewer(request, code)
    if not viewer.is_staff:
        raise Http404
    viewer.require(viewer.sees_decklists and viewer.decides_results)
    return _page(request, event, viewer, match_id, player_id, game_number, by_staff=True)


def _page(
    request: HttpRequest,
    event: Event,
    viewer: Viewer,
    match_id: int,
    player_id: int,
    game: int,
    *,
    by_staff: bool = False,
) -> HttpResponse:
    match = queries.match_of(event, match_id=match_id, player_id=player_id)
    submission = queries.submission_to_sideboard(event, player_id)
    if not 2 <= game <= queries.last_game(event):
        raise NotFound("game.unknown", "There is no such game to sideboard for.", {"game": game})
    recorded = queries.recorded(event, match, player=submission.player)
    start = queries.game_to_go_on_from(recorded, game=game, submission=submission)
    stored: list[dict[str, Any]] = [] if start is None else start.moves
    columns = _columns(event, submission, _filled(stored) if request.method != "POST" else request.POST)
    refusal: DomainError | None = None
    violations: list[dict[str, Any]] = []
    if request.method == "POST":
        try:
            moves = [] if "restore" in request.POST else _moves(row for column in columns for row in column.rows)
            if "record" in request.POST or "restore" in request.POST:
                return _record(request, event, match, player_id, game, moves, by_staff)
            violations = queries.violations_of(event, submission, moves)
        except DomainError as error:
            if error.status not in SHOWN_BESIDE_THE_FORM:
                raise
            refusal, violations = error, error.context.get("violations", [])
    context = {
        "match": match,
        "game": game,
        "begins_with": start.game if start is not None and start.game < game and request.method != "POST" else None,
        "games": range(2, event.rules["match"]["best_of"] + 1),
        "player": submission.player,
        "columns": columns,
        "configurations": recorded,
        "refusal": refusal,
        "violations": violations,
        "checked": request.method == "POST",
        "by_staff": by_staff,
        "reason": request.POST.get("reason", "")[:300],
        "is_open": match.state != Match.State.CONFIRMED,
        "round_name": round_name(match.round.stage, match.round.number, match.round.sequence),
    }
    status = refusal.status if refusal is not None else 200
    if request.method == "POST" and "HX-Request" in request.headers:
        return render(request, "events/_sizes.html", context)
    situation = situation_of(event)
    here = "desk" if by_staff else "me"
    return show(
        request,
        "sideboard",
        context,
        event=event,
        viewer=viewer,
        situation=situation,
        here=here,
        status=status,
        refreshes=False,
    )


def _record(
    request: HttpRequest, event: Event, match: Match, player_id: int, game: int, moves: list[Move], by_staff: bool
) -> HttpResponse:
    carry_out(
        sideboarding.record_configuration,
        event_id=event.pk,
        actor=actor_of(request),
        match_id=match.pk,
        player_id=player_id,
        game=game,
        moves=moves,
        by_staff=by_staff,
        reason=request.POST.get("reason", ""),
        command=command_of(request),
    )
    moved = sum(move.count for move in moves)
    said = f"{moved} card{'' if moved == 1 else 's'} changed places" if moved else "as registered"
    messages.success(request, f"Game {game}: {said}. The next match begins with the deck as registered.")
    return redirect(request.path)


def _columns(event: Event, submission: DecklistSubmission, typed: Mapping[str, str]) -> list[Column]:
    """One for each way that cards may go: with two zones, the main deck and the sideboard."""
    rule, labels, entries = queries.transition_of(event), queries.labels_of(event), submission.decklist.entries
    ways = list(permutations(rule.zones, 2)) if rule is not None else []
    rows: dict[tuple[str, str], list[Row]] = {way: [] for way in ways}
    for source, target in ways:
        for entry in entries:
            if entry["zone"] == source:
                field = _field(source, target, entry["card"])
                name, card, count = entry["name"], entry["card"], entry["count"]
                rows[source, target].append(Row(name, field, card, count, source, target, typed.get(field, "")))
    registered = {zone: sum(entry["count"] for entry in entries if entry["zone"] == zone) for zone in labels}
    sizes = _sizes(registered, chain.from_iterable(rows.values()))
    return [
        Column(labels[source], labels[target], found, registered[source], sizes.get(source))
        for (source, target), found in rows.items()
    ]


def _sizes(registered: Mapping[str, int], rows: Iterable[Row]) -> Mapping[str, int]:
    """How many cards each zone has after the moves; nothing while they can't be read."""
    sizes = dict(registered)
    try:
        for move in _moves(rows):
            sizes[move.source] -= move.count
            sizes[move.target] += move.count
    except DomainError:
        return {}
    return sizes


def _filled(stored: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    return {_field(move["from"], move["to"], move["card"]): str(move["count"]) for move in stored}


def _field(source: str, target: str, card: int) -> str:
    return f"{source}.{target}.{card}"


def _moves(rows: Iterable[Row]) -> list[Move]:
    """Raises DomainError "sideboarding.number"."""
    moves = []
    for row in rows:
        text = row.moved.strip() or "0"
        if not (text.isascii() and text.isdigit() and len(text) <= LONGEST_COUNT):
            raise DomainError("sideboarding.number", f"{row.name}: write a number from 0 to {row.count}.")
        if int(text):
            moves.append(Move(row.card, row.source, row.target, int(text)))
    return moves
