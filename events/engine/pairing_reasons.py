"""Why these two meet, and why this player has the bye: as data."""

from __future__ import annotations

import numpy as np

from events.engine.pairing_columns import Ints
from events.engine.pairing_field import NOBODY, Field
from events.engine.pairing_model import PlannedPair, Reason


class Explainer:
    """Explains one complete pairing of a field, given by positions, (k, 2), the higher first."""

    def __init__(self, field: Field, pairs: Ints, bye: int | None, *, certified: bool) -> None:
        self.field = field
        self.paired = pairs
        self.bye = bye
        self.certified = certified

    def pairs(self) -> tuple[PlannedPair, ...]:
        """Every pair with its reasons, best first."""
        field, (a, b) = self.field, self.paired.T
        met = field.meetings(a, b)
        apart = field.apart(a, b)
        unmet = self._unmet()
        only = self._only_rematch_free(unmet) if not met.any() and len(field) > 2 else {}
        fewest = int(met.sum())
        planned = []
        for high, low, times, kept_apart in zip(a.tolist(), b.tolist(), met.tolist(), apart.tolist(), strict=True):
            reasons = [self._score(high, low)]
            if times:
                why = "met_everyone" if not (unmet[high] and unmet[low]) else "fewest_in_the_round"
                code = "rematch_unavoidable" if self.certified else "rematch"
                reasons.append(Reason(code, {"meetings": times, "fewest": fewest, "why": why}))
            reasons += [Reason("only_rematch_free", {"player": int(field.ids[place])}) for place in only.get(high, ())]
            if kept_apart:
                reasons.append(Reason("kept_apart_not_possible", {"mode": str(field.options.avoid_mode)}))
            planned.append(PlannedPair(int(field.ids[high]), int(field.ids[low]), tuple(reasons)))
        return tuple(planned)

    def _only_rematch_free(self, unmet: Ints) -> dict[int, list[int]]:
        """By the higher of a pair, who of the two has nobody else to meet: of all players, or of those who are left
        when such pairs are seated, pair after pair."""
        field = self.field
        if unmet.min() > 1:
            return {}
        mate = np.full(len(field), NOBODY)
        mate[self.paired] = self.paired[:, ::-1]
        left, there = unmet.copy(), np.ones(len(field), np.bool_)
        if self.bye is not None:
            there[self.bye] = False
        found: dict[int, list[int]] = {}
        while (alone := np.flatnonzero(there & (left == 1))).size:
            for place in alone.tolist():
                found.setdefault(min(place, int(mate[place])), []).append(place)
            for place in np.unique([alone, mate[alone]]).tolist():
                there[place] = False
                left -= 1
                left[list(field.met(place))] += 1
        return found

    def _score(self, a: int, b: int) -> Reason:
        field = self.field
        high, low = int(field.points[a]), int(field.points[b])
        if high == low:
            return Reason("same_score", {"points": high})
        facts = {"player": int(field.ids[a]), "opponent": int(field.ids[b]), "from": high, "to": low}
        return Reason("paired_down", {**facts, "why": self._why_down(a)})

    def _unmet(self) -> Ints:
        """For each position, how many others who play this round it has not met."""
        field = self.field
        met = np.sort(field.opponents, axis=1)
        several: Ints = (met >= 0).sum(axis=1)
        if met.shape[1] > 1:
            several -= ((met[:, 1:] == met[:, :-1]) & (met[:, 1:] >= 0)).sum(axis=1)
        unmet: Ints = len(field) - 1 - several
        if self.bye is not None:
            unmet -= ~(field.opponents == self.bye).any(axis=1)
        return unmet

    def bye_reasons(self) -> tuple[Reason, ...]:
        """Reasons of the bye; empty in an even field."""
        field, bye = self.field, self.bye
        if bye is None:
            return ()
        points, byes = int(field.points[bye]), int(field.byes[bye])
        if len(field) == 1:
            return (Reason("only_player", {"points": points}),)
        facts = {"points": points, "earlier_byes": byes}
        better = (field.byes < byes) | ((field.byes == byes) & (field.points < points))
        if better.any() and not self.certified:
            return (Reason("best_bye_found", {**facts, "passed_over": int(better.sum())}),)
        if better.any():
            return (Reason("other_bye_would_force_rematch", {**facts, "passed_over": int(better.sum())}),)
        if byes:
            return (Reason("everyone_had_bye", facts),)
        lower = int((field.points < points).sum())
        if lower:
            return (Reason("lowest_score_without_bye", {**facts, "lower_with_bye": lower}),)
        return (Reason("lowest_score", facts),)

    def _why_down(self, place: int) -> str:
        field = self.field
        number = int(field.group[place])
        group = set(range(int(field.start[number]), int(field.stop[number]))) - {self.bye, place}
        if not group:
            return "alone_on_score"
        if len(group) <= field.opponents.shape[1] and group <= field.met(place):
            return "met_everyone_on_score"
        at_or_above = int(field.stop[number]) - (self.bye is not None and self.bye < field.stop[number])
        if at_or_above % 2:
            return "odd_number_on_score"
        return "keeps_whole_round_best"
