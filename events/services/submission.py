"""Decklists: submitted as text, judged and frozen at once, replaced or withdrawn until the deadline."""

from __future__ import annotations

from config.errors import Conflict, DomainError
from decks.services.freezing import freeze_decklist
from events.engine.decklist_rules import decklist_rules
from events.models import DecklistSubmission, Event, Player, PoolCard, Round, Stage
from events.queries.late_entry import has_time_of_own
from events.queries.visibility import players_in_cut
from events.services.registration import player_of
from events.services.transaction import Actor, Change, Command, EventTransaction, event_transaction

LONGEST_REASON = 300


def submit_decklist(
    *,
    event_id: int,
    actor: Actor,
    player_id: int,
    text: str,
    by_staff: bool = False,
    reason: str = "",
    command: Command | None = None,
) -> Change:
    """Freeze a decklist with its verdict and make it the player's current one; the one before is kept as replaced.

    An illegal list is stored too: the player sees what is wrong, the organiser sees who still has to mend theirs.
    The deadline is looked up by the database's clock. After it only staff may submit, with a reason.

    Raises NotFound "player.unknown", Conflict "decklist.closed", "decklist.not_asked", "player.dropped",
    "decklist.no_pool", DomainError
    "decklist.reason", "decks.*" for text that can't be read at all.
    """
    if len(reason) > LONGEST_REASON:
        raise DomainError("decklist.reason", f"Say why in at most {LONGEST_REASON} characters.")
    with event_transaction(event_id, actor=actor, command=command) as tx:
        event, player = tx.event, player_of(tx, player_id)
        if event.state not in (Event.State.REGISTRATION, Event.State.RUNNING):
            raise Conflict("decklist.closed", "The event is over.", {"state": event.state})
        if not decklist_rules(event.rules).asks:
            raise Conflict("decklist.not_asked", "This event asks for no decklists.")
        if player.state == Player.State.DROPPED:
            raise Conflict("player.dropped", f"{player.name} has dropped.")
        late = _closed(tx, player)
        if late and not by_staff:
            raise Conflict("decklist.closed", late)
        if late and not reason.strip():
            raise DomainError("decklist.reason", "Decklists are closed. Say why this one is changed all the same.")
        pool = _pool(tx, player)
        decklist = freeze_decklist(
            text=text,
            format_version=event.format_version,
            legality_date=event.legality_date,
            pool=pool,
            kept=event.kept_rules_id,
        )
        DecklistSubmission.objects.filter(player=player, replaced_at=None).update(replaced_at=tx.now)
        submission = DecklistSubmission.objects.create(
            event=event,
            player=player,
            decklist=decklist,
            submitted_at=tx.now,
            by_staff=by_staff,
            reason=reason.strip(),
        )
        outcome = decklist.verdict.outcome
        tx.log(
            "decklist.submitted",
            {
                "player": player.pk,
                "fingerprint": decklist.fingerprint,
                "outcome": outcome,
                "late": bool(late),
                "reason": submission.reason,
            },
            public=False,
        )
        return tx.done(player=player.pk, decklist=decklist.pk, fingerprint=decklist.fingerprint, outcome=outcome)


def withdraw_decklist(*, event_id: int, actor: Actor, player_id: int, command: Command | None = None) -> Change:
    """Take a decklist back without handing in another, until the deadline by the database's clock. It is kept in the
    history, and handing it in again makes it count again.

    Raises NotFound "player.unknown", Conflict "decklist.closed", "decklist.none".
    """
    with event_transaction(event_id, actor=actor, command=command) as tx:
        player = player_of(tx, player_id)
        if tx.event.state not in (Event.State.REGISTRATION, Event.State.RUNNING):
            raise Conflict("decklist.closed", "The event is over.", {"state": tx.event.state})
        if late := _closed(tx, player):
            raise Conflict("decklist.closed", late)
        current = DecklistSubmission.objects.select_related("decklist").filter(player=player, replaced_at=None).first()
        if current is None:
            raise Conflict("decklist.none", "There is no decklist to withdraw.")
        current.replaced_at = tx.now
        current.save(update_fields=["replaced_at"])
        tx.log(
            "decklist.withdrawn",
            {"player": player.pk, "fingerprint": current.decklist.fingerprint},
            public=False,
        )
        return tx.done(player=player.pk)


def consent_to_publication(
    *, event_id: int, actor: Actor, player_id: int, shows: bool, command: Command | None = None
) -> Change:
    """Agree that one's decklist is public from the cut on, or take that back, until the cut is made.

    Raises NotFound "player.unknown", Conflict "decklist.consent_not_asked", "decklist.consent_closed".
    """
    with event_transaction(event_id, actor=actor, command=command) as tx:
        player = player_of(tx, player_id)
        if tx.event.decklist_publication != Event.Publication.CUT:
            raise Conflict("decklist.consent_not_asked", "This event does not ask players whether to show decklists.")
        if tx.event.state not in (Event.State.REGISTRATION, Event.State.RUNNING) or players_in_cut(tx.event):
            raise Conflict("decklist.consent_closed", "The cut is made: what was chosen before it stands.")
        if player.shows_decklist != shows:
            player.shows_decklist = shows
            player.save(update_fields=["shows_decklist"])
            tx.log("decklist.consent", {"player": player.pk, "shows": shows}, public=False)
        return tx.done(player=player.pk, shows=player.shows_decklist)


def _closed(tx: EventTransaction, player: Player) -> str:
    """Why decklists are closed, or "". Who came in late has time until their own first table."""
    if has_time_of_own(player):
        return ""
    deadline = tx.event.decklist_deadline
    if deadline is not None and tx.now >= deadline:
        return f"Decklists were due by {deadline:%-d %B %Y, %H:%M} UTC. Only staff can change one now."
    if Round.objects.filter(event=tx.event).exclude(state=Round.State.DRAFT).exists():
        return "Decklists were due before round 1. Only staff can change one now."
    return ""


def _pool(tx: EventTransaction, player: Player) -> dict[int, int] | None:
    """What the decklist may use, by card; None in a constructed event. Raises Conflict "decklist.no_pool"."""
    limited = (Stage.Kind.DRAFT, Stage.Kind.SEALED)
    if not Stage.objects.filter(event=tx.event, kind__in=limited).exists():
        return None
    pool = dict(PoolCard.objects.filter(player=player).values_list("card_id", "count"))
    if not pool:
        raise Conflict(
            "decklist.no_pool",
            "There is no pool to build from yet. Submit the decklist once your cards are drafted or opened.",
        )
    return pool
