"""What if: who is in the cut for certain, who can still come in, and whether a draw is safe.

Nothing here guesses. Points alone give bounds that hold for every end of the round and, for rounds not yet paired, for
every pairing of them. Where they leave something open that only tie-breakers settle, and few matches are open, every
end is played through and ranked by the event's own standings.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from math import prod

from config.errors import DomainError
from events.engine.outcomes import GameScore, Outcome, games_to_win
from events.engine.pairing import Fact, Reason
from events.engine.standings import PlayerEntry, Result, StandingRow, StandingsPolicy, standings
from events.engine.whatif_bounds import Ends, Rivals, later_rounds
from events.engine.whatif_model import Chance, CutOutlook, OpenMatch, PlayerOutlook, Scoreline

__all__ = ["Chance", "CutOutlook", "OpenMatch", "PlayerOutlook", "Scoreline", "outlook_for_cut", "scorelines"]

PLAYED_THROUGH = 2_500
"""Ends up to which the round is played through (about a millisecond each for 32 players)."""

WITHOUT_GAMES = frozenset(
    {
        "match_points",
        "mw",
        "omw",
        "oomw",
        "match_wins",
        "opponents_points",
        "buchholz",
        "buchholz_cut_1",
        "buchholz_cut_2",
        "buchholz_median",
        "sos",
        "esos",
        "head_to_head",
        "seed",
        "lot",
    }
)
"""Tie-breakers that the score of a match does not move, only who won it."""

Count = Callable[[int, int | None, int], int]


def scorelines(policy: StandingsPolicy, *, best_of: int = 3, draws: bool = True) -> tuple[Scoreline, ...]:
    """The ways in which a match ends that can matter to ``policy``: with every count of games lost by the winner, drawn
    at one game each and drawn without a game where its tie-breakers look at games; else one for each outcome."""
    need = games_to_win(best_of)
    lost = range(need) if set(policy.metrics) - WITHOUT_GAMES else (0,)
    won = [GameScore(need, games) for games in lost]
    found = [Scoreline(Outcome.WIN, score) for score in won]
    found += [Scoreline(Outcome.LOSS, score.reversed) for score in won]
    if draws:
        found.append(Scoreline(Outcome.DRAW, GameScore(need - 1, need - 1)))
        if len(lost) > 1:
            found.append(Scoreline(Outcome.INTENTIONAL_DRAW))
    return tuple(found)


def outlook_for_cut(
    players: Sequence[PlayerEntry],
    results: Sequence[Result],
    open_matches: Sequence[OpenMatch],
    policy: StandingsPolicy,
    *,
    cut: int,
    later: int = 0,
    best_of: int = 3,
    draws: bool = True,
    play_through: int = PLAYED_THROUGH,
) -> CutOutlook:
    """Everybody's chance of the best ``cut`` places after the open matches and ``later`` rounds not yet paired.

    ``results`` hold what is finished, byes of the current round included. Who has dropped takes no place. Taken for
    granted: nobody else drops, nobody enters, no match ends as a double loss, and games end as in ``scorelines``.

    Exact without later rounds when points settle everything, or when the ends (scorelines of every open match) are at
    most ``play_through``. Else sound: never a false "clinched", "eliminated" or "alive"; players level on points are
    taken as certain of nothing. Where the policy ranks by something else before match points, nothing but playing
    through tells, and without it everybody is unknown.

    Raises DomainError "whatif.cut" for a cut below 1, ``ValueError`` for a player in two open matches, a negative
    ``later``, or an unknown player.
    """
    entries = _checked(players, open_matches, cut, later)
    lines = scorelines(policy, best_of=best_of, draws=draws)
    prospects = _Prospects(entries, results, open_matches, policy, cut, later, draws=draws)
    played = 0
    ends = prod([len(lines)] * len(open_matches)) if len(open_matches) < 64 else play_through + 1
    if not later and prospects.open_questions() and ends <= play_through:
        played = ends
        _play_through(prospects, lines)
    return CutOutlook(
        cut,
        {player: prospects.outlook(player, played) for player in sorted(prospects.active)},
        {match: prospects.after_draw(match, played) for match in open_matches} if draws else {},
        exact=not later and not prospects.open_questions(),
    )


def _checked(
    players: Iterable[PlayerEntry], open_matches: Sequence[OpenMatch], cut: int, later: int
) -> dict[int, PlayerEntry]:
    entries = {entry.id: entry for entry in players}
    seated = [player for match in open_matches for player in match.players]
    if len(set(seated)) != len(seated) or not set(seated) <= entries.keys() or later < 0:
        raise ValueError("every player of an open match is known and in one of them, and rounds count from 0")
    if cut < 1:
        raise DomainError("whatif.cut", "A cut has one place at least.", {"cut": cut})
    return entries


@dataclass(slots=True)
class _Prospect:
    """One player with one end of the own match: whether that can lead in and out; None is not known.

    ``can_reach``: others who can end level or above at most, ``must_pass``: who end above at least.
    """

    least: int
    most: int
    can_reach: int
    must_pass: int
    comes_in: bool | None = None
    stays_out: bool | None = None


class _Prospects:
    """What is known of every player for every end of the own open match."""

    def __init__(
        self,
        entries: Mapping[int, PlayerEntry],
        results: Sequence[Result],
        open_matches: Sequence[OpenMatch],
        policy: StandingsPolicy,
        cut: int,
        later: int,
        *,
        draws: bool,
    ) -> None:
        self.entries, self.results, self.policy = entries, results, policy
        self.open_matches, self.cut, self.later_rounds, self.draws = open_matches, cut, later, draws
        rows = standings(entries.values(), results, policy)
        points = {row.player: int(row.values["match_points"]) for row in rows if "match_points" in policy.metrics}
        self.active = {player for player, entry in entries.items() if not entry.dropped}
        self.points = {player: points.get(player, 0) for player in entries}
        outcomes = [Outcome.WIN, Outcome.LOSS] + ([Outcome.DRAW] if draws else [])
        self.ends: list[tuple[Outcome, Outcome]] = [(outcome, outcome.opposite) for outcome in outcomes]
        ends: Ends = tuple((policy.points(a), policy.points(b)) for a, b in self.ends)
        self.later = later_rounds(policy, later, len(self.active), draws=draws)
        rivals = {player: own for player, own in self.points.items() if player in self.active}
        self.rivals = Rivals(rivals, open_matches, ends, self.later)
        self.found: dict[tuple[int, Outcome | None], _Prospect] = {}
        self.ends_of: dict[int, list[_Prospect]] = {}
        alike: dict[tuple[object, ...], _Prospect] = {}
        for player in self.active:
            case = self._case(player)
            for own, other in self.ends if player in self.rivals.match_of else [(None, None)]:
                known = alike.get((case, own))
                if known is None:
                    known = alike[case, own] = self._by_points(player, own, other)
                self.found[player, own] = replace(known)  # playing through tells players of one case apart
                self.ends_of.setdefault(player, []).append(self.found[player, own])

    def _case(self, player: int) -> tuple[object, ...]:
        """All that points alone can tell of a player: who share it share their bounds."""
        match = self.rivals.match_of.get(player)
        if match is None:
            return (self.points[player],)
        opponent = match.b if player == match.a else match.a
        return self.points[player], self.rivals.points.get(opponent)

    def _by_points(self, player: int, own: Outcome | None, other: Outcome | None) -> _Prospect:
        """What points alone say. Level on points counts against what is to be shown."""
        base = self.points[player] + (0 if own is None else self.policy.points(own))
        least, most = base + self.later.least, base + self.later.most
        if self.policy.metrics[:1] != ("match_points",):
            return _Prospect(least, most, can_reach=len(self.active) - 1, must_pass=0)
        gain = None if other is None else self.policy.points(other)
        rivals, cut = self.rivals, self.cut
        count = rivals.most_later_but if self.later_rounds else rivals.most_but
        can_reach = count(player, gain, least)
        must_pass = rivals.fewest_but(player, gain, most + 1 - self.later.least)
        prospect = _Prospect(least, most, can_reach, must_pass)
        if can_reach < cut:
            prospect.comes_in, prospect.stays_out = True, False
        elif must_pass >= cut:
            prospect.comes_in, prospect.stays_out = False, True
        else:
            prospect.comes_in = self._way(rivals.fewest_but, player, gain, base, good=True)
            prospect.stays_out = self._way(rivals.most_but, player, gain, base, good=False)
        return prospect

    def _way(self, count: Count, player: int, gain: int | None, base: int, *, good: bool) -> bool | None:
        """Whether there is an end for certain that brings the player in (``good``) or leaves him out.

        In later rounds all others draw, while this one wins, or loses; any pairing allows that. An odd field has byes,
        whose receivers nobody knows: they are taken to fall where they spoil it.
        """
        policy, later = self.policy, self.later_rounds
        if later and not self.draws:
            return None
        odd = len(self.active) % 2
        if good:
            own = min(policy.win, policy.bye) if odd else policy.win
            others = max(policy.draw, policy.loss)
            shown = count(player, gain, base + later * (own - others)) + later * odd < self.cut
        else:
            own = max(policy.loss, policy.bye) if odd else policy.loss
            others = min(policy.draw, policy.win, policy.bye) if odd else min(policy.draw, policy.win)
            shown = count(player, gain, base + later * (own - others) + 1) >= self.cut
        return True if shown else None

    def open_questions(self) -> bool:
        return any(one.comes_in is None or one.stays_out is None for one in self.found.values())

    def outlook(self, player: int, played: int) -> PlayerOutlook:
        return self._summary(player, self.ends_of[player], played)

    def after_draw(self, match: OpenMatch, played: int) -> tuple[PlayerOutlook, PlayerOutlook]:
        a, b = (
            self._summary(player, [self.found[player, Outcome.DRAW]] if player in self.active else [], played)
            for player in match.players
        )
        return a, b

    def _summary(self, player: int, prospects: Sequence[_Prospect], played: int) -> PlayerOutlook:
        least = min((one.least for one in prospects), default=0)
        most = max((one.most for one in prospects), default=0)
        facts: dict[str, Fact] = {"cut": self.cut}
        if not prospects:
            chance, code = Chance.ELIMINATED, "dropped"
        elif all(one.stays_out is False for one in prospects):
            reach = max(one.can_reach for one in prospects)
            by_points = reach < self.cut
            chance, code = Chance.CLINCHED, "out_of_reach" if by_points else "every_end"
            facts |= {"can_reach": reach} if by_points else {"ends": played}
        elif all(one.comes_in is False for one in prospects):
            ahead = min(one.must_pass for one in prospects)
            by_points = ahead >= self.cut
            chance, code = Chance.ELIMINATED, "too_many_ahead" if by_points else "no_end"
            facts |= {"must_pass": ahead} if by_points else {"ends": played}
        elif any(one.comes_in for one in prospects):
            chance, code = Chance.ALIVE, "some_ends" if played else "results_decide"
            facts |= {"ends": played} if played else {}
        else:
            chance, code = Chance.UNKNOWN, "later_rounds_decide" if self.later_rounds else "tie_breakers_decide"
        return PlayerOutlook(player, chance, least, most, Reason(code, facts))


def _play_through(prospects: _Prospects, lines: Sequence[Scoreline]) -> None:
    """Answer what is open by ranking every end; stops as soon as nothing is."""
    entries, policy = prospects.entries, prospects.policy
    lots_drawn = len({entry.lot for entry in entries.values()}) == len(entries)
    unanswered = {key: one for key, one in prospects.found.items() if one.comes_in is None or one.stays_out is None}
    for end in product(lines, repeat=len(prospects.open_matches)):
        own: dict[int, Outcome] = {}
        played = []
        for match, line in zip(prospects.open_matches, end, strict=True):
            played.append(Result(match.round, match.a, match.b, line.outcome, line.outcome.opposite, line.games))
            own[match.a] = Outcome.DRAW if line.outcome.is_draw else line.outcome
            own[match.b] = own[match.a].opposite
        asked = {player for player, outcome in unanswered if own.get(player) is outcome}
        if not asked:
            continue
        rows = standings(entries.values(), [*prospects.results, *played], policy)
        for player, (inside, outside) in _places(rows, prospects.cut, lots_drawn=lots_drawn).items():
            key = player, own.get(player)
            if key in unanswered:
                one = unanswered[key]
                one.comes_in = one.comes_in or inside or None
                one.stays_out = one.stays_out or outside or None
                if one.comes_in and one.stays_out:
                    del unanswered[key]
        if not unanswered:
            return
    for one in unanswered.values():
        one.comes_in, one.stays_out = bool(one.comes_in), bool(one.stays_out)


def _places(rows: Sequence[StandingRow], cut: int, *, lots_drawn: bool) -> dict[int, tuple[bool, bool]]:
    """For everybody who is still there: can these standings mean in the cut, and can they mean out of it. Both, where
    lots are still to be drawn across the line."""
    there = [row for row in rows if not row.dropped]
    groups: dict[int, list[int]] = {}
    for row in there:
        groups.setdefault(row.rank if lots_drawn else row.shared_rank, []).append(row.player)
    places: dict[int, tuple[bool, bool]] = {}
    for group in groups.values():
        above = len(places)
        places |= {player: (above < cut, above + len(group) > cut) for player in group}
    return places
