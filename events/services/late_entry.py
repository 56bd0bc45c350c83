"""Coming into an event that is under way, at the policy's price, and taking it back."""

from __future__ import annotations

import secrets
from collections.abc import Callable

from accounts.models import User
from accounts.names import clean_display_name
from cards.engine.streams import Stream
from config.errors import Conflict, NotAllowed
from events.engine.fairness import late_lot_label
from events.engine.standings import draw_late_lot
from events.models import Player
from events.queries.late_entry import LateTerms, can_be_undone, late_terms
from events.queries.registration import initial_name
from events.services.registration import create_entry, player_of
from events.services.transaction import Actor, Change, Command, EventTransaction, event_transaction


def enter_late(
    *,
    event_id: int,
    actor: Actor,
    round_number: int,
    name: str | None = None,
    user_id: int | None = None,
    player_id: int | None = None,
    hides_surname: bool = False,
    by_staff: bool = True,
    command: Command | None = None,
) -> Change:
    """Let somebody into the event from ``round_number`` on, the round that they were shown with its price: a person
    without an account by ``name``, an account by ``user_id``, or a ``player_id`` who dropped, was not there at the
    start or waits for a place. Players who had played before they left are let in by staff alone.

    The rounds before are missed, not byes. Who was not there when lots were drawn draws one now, from a stream of the
    event's secret of their own.

    Raises what ``late_terms`` raises, Conflict "late.price_changed", "registration.already", "registration.name_taken",
    NotFound "player.unknown", NotAllowed "late.by_staff", DomainError "account.display_name_*".
    """
    with event_transaction(event_id, actor=actor, command=command) as tx:
        player, create = _who(tx, name, user_id, player_id, hides_surname)
        if player is not None and player.state == Player.State.DROPPED and player.lot and not by_staff:
            raise NotAllowed("late.by_staff", "You have left this event. Ask the staff: they can let you in again.")
        terms = late_terms(tx.event, player)
        if terms.round != round_number:
            raise Conflict(
                "late.price_changed",
                f"A round was paired meanwhile: it would be from round {terms.round} on now. Look at the price again.",
                terms.as_json(),
            )
        player = player or create()
        _let_in(tx, player, terms)
        return tx.done(player=player.pk, name=player.name, round=terms.round, missed=list(terms.missed))


def undo_late_entry(*, event_id: int, actor: Actor, player_id: int, command: Command | None = None) -> Change:
    """Take a late entry back, until the next round is paired. Who had played before is dropped again after the same
    round; anybody else has never been in the event.

    Raises NotFound "player.unknown", Conflict "late.none", "undo.built_upon".
    """
    with event_transaction(event_id, actor=actor, command=command) as tx:
        player = player_of(tx, player_id)
        if not player.late_entries or player.state != Player.State.CHECKED_IN:
            raise Conflict("late.none", f"{player.name} has not come in late.")
        if not can_be_undone(tx.event, player):
            raise Conflict(
                "undo.built_upon",
                f"This can no longer be taken back. A round was paired with {player.name}: drop them instead.",
            )
        *before, last = player.late_entries
        player.late_entries = before
        player.state, player.dropped_after_round = Player.State(last["was"]), last["after"]
        player.entered_from_round = before[-1]["round"] if before else 1
        if last["new"]:
            player.lot = 0
        _save(player)
        tx.log("player.late_entry_undone", {"player": player.pk, "round": last["round"]})
        return tx.done(player=player.pk, state=player.state)


def bring_forward(tx: EventTransaction, discarded: int) -> None:
    """A draft is thrown away: who was to come in after it can play in its place."""
    coming = Player.objects.select_for_update().filter(event=tx.event, entered_from_round=discarded + 1)
    for player in coming.exclude(late_entries=[]):
        *before, last = player.late_entries
        missed = [number for number in last["missed"] if number != discarded]
        player.late_entries = [*before, {**last, "round": discarded, "missed": missed}]
        player.entered_from_round = discarded
        _save(player)


def _who(
    tx: EventTransaction, name: str | None, user_id: int | None, player_id: int | None, hides_surname: bool
) -> tuple[Player | None, Callable[[], Player]]:
    """Whose entry there is already, and how to make one. Raises Conflict "registration.already"."""
    if player_id is not None:
        return player_of(tx, player_id), lambda: player_of(tx, player_id)
    if user_id is not None:
        user = User.objects.get(pk=user_id)
        if Player.objects.filter(event=tx.event, user=user).exists():
            raise Conflict("registration.already", "You have an entry in this event already. Look at your own page.")
        public = initial_name(tx.event, user.display_name) if hides_surname else ""
        return None, lambda: create_entry(
            tx, name=user.display_name, user=user, public_name=public, state=Player.State.DROPPED
        )
    shown = clean_display_name(name or "")
    token = secrets.token_urlsafe(24)
    return None, lambda: create_entry(tx, name=shown, user=None, claim_token=token, state=Player.State.DROPPED)


def _let_in(tx: EventTransaction, player: Player, terms: LateTerms) -> None:
    new = player.lot == 0
    if new:
        starters = sum(not other.drew_lot_late for other in tx.event.players.filter(lot__gt=0))
        player.lot = draw_late_lot(starters, Stream(bytes(tx.event.secret), late_lot_label(player.pk)))
    entry = {
        "round": terms.round,
        "missed": list(terms.missed),
        "new": new,
        "was": player.state,
        "after": player.dropped_after_round,
    }
    player.late_entries = [*player.late_entries, entry]
    player.state, player.dropped_after_round, player.is_present = Player.State.CHECKED_IN, None, False
    player.entered_from_round = terms.round
    _save(player)
    tx.log(
        "player.entered_late",
        {"player": player.pk, "round": terms.round, "missed": list(terms.missed), "returns": not new},
    )


def _save(player: Player) -> None:
    player.save(
        update_fields=["late_entries", "state", "dropped_after_round", "is_present", "entered_from_round", "lot"]
    )
