"""Changing a draft by hand: two players trade places, for a reason that everybody can read afterwards."""

from __future__ import annotations

from config.errors import Conflict, DomainError, NotFound
from events.models import Match, Round, Stage
from events.queries.round_health import draft_of_round
from events.services.pairing import Seating, store_seatings
from events.services.results import LONGEST_REASON
from events.services.transaction import Actor, Change, Command, event_transaction, refuse_not_running


def swap_players(
    *,
    event_id: int,
    actor: Actor,
    round_number: int,
    one: int,
    other: int,
    reason: str,
    command: Command | None = None,
) -> Change:
    """Let two players of a Swiss draft trade places; a bye is a place too. Both matches are marked as made by hand.
    Discarding the draft and pairing again undoes it.

    Raises DomainError "swap.reason", NotFound "round.unknown", Conflict "round.state", "swap.not_in_round",
    "swap.same_match", "swap.pods".
    """
    if not reason.strip() or len(reason) > LONGEST_REASON:
        raise DomainError("swap.reason", f"Say why, in at most {LONGEST_REASON} characters: everybody can read it.")
    with event_transaction(event_id, actor=actor, command=command) as tx:
        refuse_not_running(tx)
        round_ = Round.objects.select_related("stage").filter(event=tx.event, sequence=round_number).first()
        if round_ is None:
            raise NotFound("round.unknown", f"There is no round {round_number} in this event.", {"round": round_number})
        if round_.state != Round.State.DRAFT or round_.stage.kind != Stage.Kind.SWISS:
            raise Conflict(
                "round.state", "Only the draft of a Swiss round is changed by hand.", {"round": round_number}
            )
        draft = draft_of_round(round_)
        left, right = draft.match_of(one), draft.match_of(other)
        if left is None or right is None:
            raise Conflict("swap.not_in_round", "Choose two players of this round.")
        if left == right:
            raise Conflict("swap.same_match", "These two play each other: choose players of two matches.")
        if left.pod_id != right.pod_id:
            raise Conflict("swap.pods", "Players of different pods do not meet.")
        after = draft.swapped(one, other)
        ended = [list(draft.matches[match.pk][1]) for match in (left, right)]
        seatings = [Seating(after[match.pk], match.table, [{"code": "by_hand"}], match.pod) for match in (left, right)]
        Match.objects.filter(pk__in=[left.pk, right.pk]).delete()
        store_seatings(tx, round_, seatings)
        moved = [player for seating in seatings for player in seating.players]
        Match.objects.filter(round=round_, seats__player__in=moved).update(by_hand=True)
        round_.hand_reason = reason.strip()
        round_.save(update_fields=["hand_reason"])
        made = [list(seating.players) for seating in seatings]
        facts = {"round": round_number, "ended": ended, "made": made, "reason": reason.strip()}
        tx.log("round.seats_changed", facts, public=False)
        return tx.done(round=round_number)
