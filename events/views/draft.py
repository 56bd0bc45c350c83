"""A player's seat in the draft, and the pool that comes out of it."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_safe

from cards.models import Game
from config.errors import DomainError
from events.engine.drafting import Direction
from events.models import Player, PodSeat, Stage
from events.queries import player_pages as queries
from events.queries.drafting import PodDraft, draft_of
from events.queries.public_pages import situation_of
from events.queries.visibility import seat_in_draft
from events.services import drafts
from events.views.commands import actor_of, carry_out, command_of, event_and_viewer
from events.views.pages import show
from events.views.player_forms import acts

LONGEST_ID = 18


@login_required
@require_safe
def draft(request: HttpRequest, code: str, number: int | None = None) -> HttpResponse:
    """The pack in front of the viewer, and nobody else's. ``number`` is their own seat, from 1; else 404."""
    event, viewer = event_and_viewer(request, code)
    if viewer.player is None:
        raise Http404
    seat = seat_in_draft(event, viewer.player)
    if number is not None and number != seat.index + 1:
        raise Http404
    situation = situation_of(event)
    found = draft_of(seat.pod)
    context = {"seat": seat, **_seat_context(found, seat, event.game), "submission": None}
    return show(request, "draft", context, event=event, viewer=viewer, situation=situation, here="me")


def _seat_context(found: PodDraft, seat: PodSeat, game: Game) -> dict[str, Any]:
    state = found.state
    is_open = seat.pod.stage.state == Stage.State.ACTIVE
    waiting = state.waiting(seat.index)
    window = waiting.window if is_open else None
    shown = found.shown(window) if window is not None else []
    picked = list(state.pool(seat.index))
    cards = queries.cards_by_id([found.card_of[instance] for instance in [*shown, *picked]])
    current = state.current
    direction = state.directions[current[0]] if current is not None else None
    taken: dict[int, int] = {}
    for instance in picked:
        taken[found.card_of[instance]] = taken.get(found.card_of[instance], 0) + 1
    rows = sorted((queries.PoolRow(cards[card], count) for card, count in taken.items()), key=lambda row: row.card.name)
    return {
        "window": window,
        "pack_number": window.round + 1 if window is not None else None,
        "pack_size": state.sizes[window.round] if window is not None else None,
        "tiles": [
            {
                "instance": instance,
                "card": cards[found.card_of[instance]],
                "facts": _facts(cards, found, instance, game),
            }
            for instance in shown
        ],
        "current": None if current is None else (current[0] + 1, current[1] + 1),
        "is_open": is_open,
        "finished": state.finished,
        "waiting_for": [found.seats[index].player for index in state.pending if index != seat.index],
        "picked": len(picked),
        "total": state.total_picks,
        "groups": queries.grouped(rows, game),
        "has_samples": any(card.is_sample for card in cards.values()),
        "last": cards[found.card_of[picked[-1]]] if picked else None,
        "direction": direction,
        "table": _around(found, seat, direction),
    }


def _facts(cards: Any, found: PodDraft, instance: int, game: Game) -> list[str]:
    card = cards[found.card_of[instance]]
    return [str(card.facts[key]) for key in game.facts if key in card.facts and key in ("cost", "type", "rarity")]


def _around(found: PodDraft, seat: PodSeat, direction: Direction | None) -> dict[str, Any]:
    """The neighbours, and to whom the pack goes and from whom the next one comes."""
    size = len(found.seats)
    left, right = found.seats[(seat.index + 1) % size], found.seats[(seat.index - 1) % size]
    pending = set(found.state.pending)
    return {
        "left": {"player": left.player, "choosing": left.index in pending},
        "right": {"player": right.player, "choosing": right.index in pending},
        "you_choose": seat.index in pending,
        "to": left.player if direction is Direction.LEFT else right.player,
        "number": seat.index + 1,
        "size": size,
    }


@acts
def pick(request: HttpRequest, code: str) -> HttpResponse:
    """The window is named by the form, so that a tap on an old page never takes a card of the next pack."""
    event, viewer = event_and_viewer(request, code)
    player = viewer.require_player()
    carry_out(
        drafts.pick_card,
        event_id=event.pk,
        actor=actor_of(request),
        player_id=player.pk,
        pack_number=_number(request, "pack"),
        pick_number=_number(request, "pick"),
        pack_card_id=_number(request, "card"),
        command=command_of(request),
    )
    return redirect("events:draft", code=code)


def _number(request: HttpRequest, field: str) -> int:
    text = request.POST.get(field, "")
    if field == "card" and not text:
        raise DomainError("draft.no_card", "Choose one of the cards first, then take it.")
    if not (text.isascii() and text.isdigit() and len(text) <= LONGEST_ID):
        raise DomainError("draft.unreadable", "This form is damaged. Reload the page and pick again.")
    return int(text)


@login_required
@require_safe
def pool(request: HttpRequest, code: str) -> HttpResponse:
    """The viewer's own pool."""
    event, viewer = event_and_viewer(request, code)
    player: Player | None = viewer.player
    if player is None:
        raise Http404
    situation = situation_of(event)
    if not situation.is_limited:
        raise Http404
    rows = queries.pool_of(player)
    context = {
        "groups": queries.grouped(rows, event.game),
        "total": sum(row.count for row in rows),
        "has_samples": any(row.card.is_sample for row in rows),
        "drafting": queries.draft_open(situation.stages),
        "closed": queries.decklists_closed(event, situation.now, has_rounds=situation.has_rounds),
    }
    return show(request, "pool", context, event=event, viewer=viewer, situation=situation, here="me")
