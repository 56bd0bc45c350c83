"""A Swiss draft looked at as it is: whether it may be posted, and what it costs by the engine's measure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from events.engine.health import DraftedBye, DraftedPair, DraftedRound, HealthFinding, check_round
from events.engine.pairing import PairingCost, PairingOptions, grade
from events.engine.swiss_state import swiss_state
from events.models import Event, Match, Player, Round, Seat
from events.queries.scoring import result_table, standings_policy


@dataclass(frozen=True)
class Draft:
    """Matches of a draft by key, with their players by seat."""

    round: Round
    matches: Mapping[int, tuple[Match, tuple[int, ...]]]

    def match_of(self, player: int) -> Match | None:
        return next((match for match, players in self.matches.values() if player in players), None)

    def swapped(self, one: int, other: int) -> dict[int, tuple[int, ...]]:
        """The players of every match with the two in each other's places."""
        places = {one: other, other: one}
        return {
            key: tuple(places.get(player, player) for player in players) for key, (_, players) in self.matches.items()
        }


def draft_of_round(round_: Round) -> Draft:
    """2 queries."""
    players: dict[int, list[int]] = {}
    for match, player in Seat.objects.filter(round=round_).order_by("index").values_list("match_id", "player_id"):
        players.setdefault(match, []).append(player)
    matches = round_.matches.select_related("pod").order_by("table", "pk")
    return Draft(round_, {match.pk: (match, tuple(players.get(match.pk, ()))) for match in matches})


def health_of(event: Event, draft: Draft) -> tuple[HealthFinding, ...]:
    """What is wrong with a Swiss draft, what stops it first. 3 queries."""
    round_ = draft.round
    table = result_table(event, up_to=round_.sequence - 1)
    everyone, history = swiss_state(table, standings_policy(event), np.ones(len(table.ids), np.bool_))
    people = list(event.players.filter(lot__gt=0).values_list("pk", "state", "entered_from_round"))
    pod_of = {
        player: match.pod.number
        for match, players in draft.matches.values()
        for player in players
        if match.pod is not None
    }
    by_hand = bool(round_.hand_reason)
    groups = round_.plan.content.get("groups", ())
    awarded = set(round_.plan.content.get("assigned_byes", ()))
    return check_round(
        DraftedRound(
            active=frozenset(pk for pk, state, _ in people if state == Player.State.CHECKED_IN),
            sitting_out=frozenset(pk for pk, _, first in people if first > round_.sequence),
            dropped=frozenset(pk for pk, state, _ in people if state == Player.State.DROPPED),
            pairs=tuple(
                DraftedPair(players[0], players[1], match.table, pod_of.get(players[0]), match.by_hand)
                for match, players in draft.matches.values()
                if len(players) == 2
            ),
            byes=tuple(
                DraftedBye(players[0], pod_of.get(players[0]), demanded=match.by_hand or players[0] in awarded)
                for match, players in draft.matches.values()
                if len(players) == 1
            ),
            history=tuple((a, b) for a, b in history.among(everyone)),
            fewest_rematches=None if by_hand else sum(group["cost"]["rematches"] for group in groups),
            pods=pod_of,
        )
    )


def cost_of(event: Event, round_: Round, matches: Sequence[Sequence[int]]) -> PairingCost:
    """What a pairing of the round by hand costs, each pod graded by itself where there are pods. 2 queries."""
    table = result_table(event, up_to=round_.sequence - 1)
    seated = [player for players in matches for player in players]
    entrants, history = swiss_state(table, standings_policy(event), np.isin(table.ids, seated))
    pairs = [(players[0], players[1]) for players in matches if len(players) == 2]
    return grade(entrants, history, PairingOptions(), pairs)
