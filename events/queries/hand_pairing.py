"""The Swiss round that staff pair by hand: who is to be in it, what the engine proposes, and what each costs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from config.errors import Conflict
from events.engine.hand_pairing import grade_by_hand
from events.engine.pairing import Pair, PairingCost
from events.models import Event, Stage
from events.queries.swiss_round import Group, NextRound, SwissRound, next_round, swiss_round


@dataclass(frozen=True)
class Graded:
    """Pairs and byes of one group by hand; ``engine`` is the cost of the engine's own, None where that failed its
    check."""

    group: Group
    pairs: tuple[Pair, ...]
    byes: tuple[int, ...]
    cost: PairingCost
    engine: PairingCost | None


@dataclass(frozen=True)
class HandRound:
    """``names`` are of everybody who is to be in the round."""

    upcoming: NextRound
    swiss: SwissRound
    names: Mapping[int, str]

    @property
    def holds(self) -> bool:
        """Whether the engine's proposal passes its check."""
        return all(group.check.holds for group in self.swiss.paired)

    @property
    def proposal(self) -> tuple[list[Pair], list[int]]:
        """Pairs and byes, those assigned before the event among them; nothing where the check failed."""
        if not self.holds:
            return [], []
        groups = self.swiss.paired
        byes = [group.plan.bye for group in groups if group.plan.bye is not None]
        return [pair for group in groups for pair in group.pairs], [*byes, *self.swiss.wishes.awarded]

    @cached_property
    def group_of(self) -> Mapping[int, Group]:
        return {
            player: group
            for group in self.swiss.groups
            for player in group.everybody.ids[group.everybody.playing_rows].tolist()
        }

    def graded(self, pairs: Sequence[Pair], byes: Sequence[int]) -> list[Graded]:
        """By group, the higher of a pair first. Give everybody once, and pairs within a group."""
        points, awarded = self.swiss.points, set(self.swiss.wishes.awarded)
        turned = [(a, b) if points[a] >= points[b] else (b, a) for a, b in pairs]
        found = []
        for group in self.swiss.groups:
            own = tuple(pair for pair in turned if self.group_of[pair[0]] is group)
            alone = tuple(player for player in byes if self.group_of[player] is group)
            cost = grade_by_hand(
                group.everybody, group.history, group.options, own, [bye for bye in alone if bye not in awarded]
            )
            found.append(Graded(group, own, alone, cost, group.plan.cost if group.check.holds else None))
        return found

    def rematches(self, pairs: Sequence[Pair]) -> list[Pair]:
        """Those of ``pairs`` who have met before."""
        met = {frozenset(pair) for pair in self.swiss.history.among(self.swiss.there)}
        return [pair for pair in pairs if frozenset(pair) in met]


def hand_round(event: Event) -> HandRound:
    """The next round, or the one whose draft lies there. 10 queries at most.

    Raises Conflict "round.not_swiss", "round.too_few_players", and as ``next_round``.
    """
    upcoming = next_round(event)
    if upcoming.stage.kind != Stage.Kind.SWISS:
        raise Conflict("round.not_swiss", "Only Swiss rounds are paired by hand.")
    swiss = swiss_round(event, upcoming.stage, number=upcoming.number, sequence=upcoming.sequence)
    everybody = dict(event.players.filter(pk__in=list(swiss.points)).values_list("pk", "name"))
    return HandRound(upcoming, swiss, everybody)
