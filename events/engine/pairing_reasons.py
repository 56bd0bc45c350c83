"""Why these two meet, and why this player has the bye: as data."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence

from events.engine.pairing_model import Field, Pair, Reason


class Explainer:
    """Explains the pairs of one complete pairing of a field."""

    def __init__(self, field: Field, pairs: Sequence[Pair], bye: int | None, *, certified: bool) -> None:
        self.field = field
        self.bye = bye
        self.certified = certified
        self.fewest_rematches = sum(field.met.get((min(pair), max(pair)), 0) for pair in pairs)
        self._descending = [-points for points in field.points]

    def pair(self, a: int, b: int) -> tuple[Reason, ...]:
        """Reasons of the pair at positions ``a`` < ``b``."""
        field = self.field
        high, low = field.entrants[a], field.entrants[b]
        reasons = []
        if high.points == low.points:
            reasons.append(Reason("same_score", {"points": high.points}))
        else:
            reasons.append(
                Reason(
                    "paired_down",
                    {
                        "player": high.id,
                        "opponent": low.id,
                        "from": high.points,
                        "to": low.points,
                        "why": self._why_down(a),
                    },
                )
            )
        met = field.met.get((a, b), 0)
        if met:
            code = "rematch_unavoidable" if self.certified else "rematch"
            reasons.append(Reason(code, {"meetings": met, "fewest": self.fewest_rematches}))
        else:
            for place in (a, b):
                if self._unmet(place) == 1 and len(field) > 2:
                    reasons.append(Reason("only_rematch_free", {"player": field.entrants[place].id}))
        if (a, b) in field.apart:
            reasons.append(Reason("kept_apart_not_possible", {"mode": str(field.options.avoid_mode)}))
        return tuple(reasons)

    def bye_reasons(self) -> tuple[Reason, ...]:
        """Reasons of the bye; empty in an even field."""
        field = self.field
        if self.bye is None:
            return ()
        receiver = field.entrants[self.bye]
        if len(field) == 1:
            return (Reason("only_player", {"points": receiver.points}),)
        facts = {"points": receiver.points, "earlier_byes": receiver.byes}
        best = min(field.bye_keys)
        if field.bye_keys[self.bye] != best:
            passed_over = sum(key < field.bye_keys[self.bye] for key in field.bye_keys)
            return (Reason("other_bye_would_force_rematch", {**facts, "passed_over": passed_over}),)
        fewer_points = sum(points < receiver.points for points in field.points)
        if receiver.byes:
            return (Reason("everyone_had_bye", facts),)
        if fewer_points:
            return (Reason("lowest_score_without_bye", {**facts, "lower_with_bye": fewer_points}),)
        return (Reason("lowest_score", facts),)

    def _group(self, place: int) -> range:
        score = self._descending[place]
        return range(bisect_left(self._descending, score), bisect_right(self._descending, score))

    def _unmet(self, place: int) -> int:
        opponents = self.field.opponents[place]
        playing = len(self.field) - 1 - (self.bye is not None and self.bye not in opponents)
        return playing - len(opponents)

    def _why_down(self, place: int) -> str:
        group = [other for other in self._group(place) if other != self.bye]
        if len(group) == 1:
            return "alone_on_score"
        if all(other == place or other in self.field.opponents[place] for other in group):
            return "met_everyone_on_score"
        at_or_above = group[-1] + 1 - (self.bye is not None and self.bye <= group[-1])
        if at_or_above % 2:
            return "odd_number_on_score"
        return "keeps_whole_round_best"
