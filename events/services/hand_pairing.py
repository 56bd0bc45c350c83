"""A whole Swiss round by hand: everybody once, graded by the engine's measure, for a reason that all can read."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from config.errors import DomainError, Unprocessable
from events.engine.hand_pairing import amiss
from events.engine.outcomes import Outcome
from events.engine.pairing import Pair
from events.models import Round, RoundPlan
from events.queries.hand_pairing import Graded, HandRound, hand_round
from events.services.pairing import Seating, assigned_bye, kept_tables, store_seatings, tables_for
from events.services.results import LONGEST_REASON
from events.services.rounds import open_round, throw_away
from events.services.transaction import Actor, Change, Command, event_transaction, refuse_not_running


def draft_by_hand(
    *,
    event_id: int,
    pairs: Sequence[Pair],
    byes: Sequence[int],
    reason: str,
    actor: Actor,
    command: Command | None = None,
) -> Change:
    """Draft the next Swiss round as staff wrote it, instead of the draft that may lie there. ``pairs`` and ``byes`` are
    ids of players; who has a bye that was assigned before the event keeps it as such, or plays.

    All matches are marked as made by hand. The engine's proposal is stored beside them where there is one.
    Raises DomainError "hand.reason", Conflict "event.not_running", Unprocessable "hand.players" (who is in it twice,
    not at all, or not to be in it), "hand.pods", and as ``hand_round``.
    """
    reason = reason.strip()
    if not reason or len(reason) > LONGEST_REASON:
        raise DomainError("hand.reason", f"Say why, in at most {LONGEST_REASON} characters: everybody can read it.")
    with event_transaction(event_id, actor=actor, command=command) as tx:
        refuse_not_running(tx)
        hand = hand_round(tx.event)
        refuse_amiss(hand, pairs, byes)
        graded = hand.graded(pairs, byes)
        if hand.upcoming.draft is not None:
            throw_away(tx, hand.upcoming.draft)
        round_ = open_round(tx, hand.upcoming, hand_reason=reason)
        _store_plan(round_, hand, graded)
        seatings = _seatings(hand, graded)
        store_seatings(tx, round_, seatings)
        made = [list(seating.players) for seating in seatings]
        facts = {"round": round_.sequence, "stage": round_.stage.number, "made": made, "reason": reason}
        tx.log("round.drafted_by_hand", facts, public=False)
        return tx.done(round=round_.sequence)


def refuse_amiss(hand: HandRound, pairs: Sequence[Pair], byes: Sequence[int]) -> None:
    """Raises Unprocessable "hand.players", "hand.pods", as ``draft_by_hand``."""
    found = amiss(pairs, byes, hand.names.keys())
    if found:
        told = [
            f"{words}: {_listed(players, hand)}."
            for words, players in (
                ("In the round more than once", found.twice),
                ("Neither paired nor given a bye", found.missing),
                ("Not to be in the round", found.strangers),
            )
            if players
        ]
        facts: dict[str, Any] = {"twice": found.twice, "missing": found.missing, "strangers": found.strangers}
        raise Unprocessable("hand.players", " ".join(told), {key: list(players) for key, players in facts.items()})
    across = [pair for pair in pairs if hand.group_of[pair[0]] is not hand.group_of[pair[1]]]
    if across:
        players = [player for pair in across for player in pair]
        raise Unprocessable(
            "hand.pods", f"Players of different pods do not meet: {_listed(players, hand)}.", {"players": players}
        )


def _listed(players: Iterable[int], hand: HandRound) -> str:
    return ", ".join(hand.names.get(player, f"player {player}") for player in players)


def _store_plan(round_: Round, hand: HandRound, graded: Sequence[Graded]) -> None:
    """What was known, what staff made of it and what it costs, and what the engine would have made."""
    groups = [
        {
            **one.group.facts(one.group.everybody),
            "pairs": [list(pair) for pair in one.pairs],
            "byes": list(one.byes),
            "cost": one.cost.as_json(),
            "certified": False,
            "proposal": one.group.answer() if one.engine is not None else None,
        }
        for one in graded
    ]
    content = {"kind": round_.stage.kind, "by_hand": True, "groups": groups}
    content["assigned_byes"] = list(hand.swiss.wishes.awarded)
    met = [one.group.history.among(one.group.everybody) for one in graded]
    RoundPlan.objects.create(round=round_, content=content, history=met)


def _seatings(hand: HandRound, graded: Sequence[Graded]) -> list[Seating]:
    swiss = hand.swiss
    tables = iter(tables_for([one.pairs for one in graded], swiss))
    awarded = set(swiss.wishes.awarded)
    seatings: list[Seating] = []
    for one in graded:
        for pair in one.pairs:
            table = next(tables)
            reasons = [{"code": "paired_by_hand"}, *kept_tables(pair, table, swiss)]
            seatings.append(Seating(pair, table, reasons, one.group.pod, by_hand=True))
        for player in one.byes:
            if player in awarded:
                seatings.append(assigned_bye(player))
            else:
                by_hand: list[dict[str, Any]] = [{"code": "bye_by_hand"}]
                seatings.append(Seating((player,), None, by_hand, one.group.pod, alone=Outcome.BYE, by_hand=True))
    return seatings
