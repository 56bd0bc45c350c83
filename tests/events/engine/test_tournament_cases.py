"""Situations that went wrong elsewhere, and what is right in them. The numbers are those of our list of cases."""

from __future__ import annotations

from itertools import combinations, permutations

import pytest

from cards.engine.streams import Stream
from config.errors import Conflict
from events.engine.demanded_round import RoundPlan, pair_with_demands
from events.engine.demands import assigned_byes
from events.engine.fairness import pairing_label
from events.engine.health import DraftedPair, DraftedRound, HealthFinding, Severity, check_round
from events.engine.outcomes import Outcome
from events.engine.pairing import Entrant, Pair, PairingOptions, pair_round
from events.engine.standings_model import PlayerEntry, Result, StandingsPolicy
from events.engine.standings_table import ResultTable
from events.engine.swiss import RematchChoice, SwissWarning, WayOut, check_rounds, choice_before
from events.engine.swiss_state import swiss_state

POLICY = StandingsPolicy()
A, B, C, D, E = range(5)
WIN, LOSS, BYE, ASSIGNED = Outcome.WIN, Outcome.LOSS, Outcome.BYE, Outcome.ASSIGNED_BYE


def beat(number: int, winner: int, loser: int) -> Result:
    return Result(number, winner, loser, WIN, LOSS)


def field(ids: list[int], results: list[Result], gone: tuple[int, ...] = ()) -> tuple[list[Entrant], list[Pair]]:
    table = ResultTable.of([PlayerEntry(player, player in gone) for player in ids], results)
    entrants, history = swiss_state(table, POLICY, ~table.dropped)
    return entrants.single(), history.among(entrants)


def stream(seed: int, number: int = 1) -> Stream:
    return Stream(f"case {seed}".encode(), pairing_label(1, number))


def test_t1_no_rematch_for_any_order_of_input_and_any_seed() -> None:
    results = [beat(1, A, B), beat(1, C, D), beat(2, A, C), beat(2, B, D)]
    for seed, order in enumerate(permutations([A, B, C, D])):
        entrants, history = field(list(order), results)
        plan = pair_round(entrants, history, PairingOptions(), stream(seed))
        assert {frozenset((pair.a, pair.b)) for pair in plan.pairs} == {frozenset((A, D)), frozenset((B, C))}


def test_t2_too_many_rounds_are_warned_of_and_the_choice_is_an_open_one() -> None:
    assert check_rounds(8, 7) == (SwissWarning("swiss.rematches_possible", 8, 7, 4),)
    # Everybody has met the whole of the other group of three: only pairs inside the groups are new.
    apart = [(a, b) for a in range(3) for b in range(3, 6)]
    plan = pair_round([Entrant(player, 0) for player in range(6)], apart, PairingOptions(), stream(2))
    assert (plan.certified, plan.cost.rematches) == (True, 1)
    assert choice_before(4, plan.cost.rematches) == RematchChoice(4, 1, (WayOut.FEWEST_REMATCHES, WayOut.END_EARLY))
    assert choice_before(1, 1) == RematchChoice(1, 1, (WayOut.FEWEST_REMATCHES,))
    assert choice_before(4, 0) is None


def in_round(number: int, entrants: list[Entrant], history: list[Pair], awards: dict[int, int]) -> RoundPlan:
    demands = assigned_byes(awards, number)
    return pair_with_demands(entrants, history, demands, PairingOptions(), lambda pod: stream(3, number))


@pytest.mark.parametrize(("players", "assigned"), [(6, 1), (9, 4)])
def test_t3_assigned_byes_in_an_odd_field_are_given_once(players: int, assigned: int) -> None:
    ids = list(range(players))
    awards = dict.fromkeys(range(assigned), 1)
    first = in_round(1, *field(ids, []), awards)
    assert first == in_round(1, *field(ids, []), awards)
    assert len(first.pairs) == 2
    assert [bye.demanded for bye in first.byes] == [False] + [True] * assigned
    results = [beat(1, pair.a, pair.b) for pair in first.pairs]
    results += [Result(1, bye.player, None, ASSIGNED if bye.demanded else BYE) for bye in first.byes]
    entrants, history = field(ids, results)
    assert sorted(entrant.points for entrant in entrants) == [0] * 2 + [3] * (players - 2)
    second = in_round(2, entrants, history, awards)
    assert len(second.pairs) == players // 2
    assert [bye.demanded for bye in second.byes] == [False] * (players % 2)
    assert not {bye.player for bye in second.byes} & {bye.player for bye in first.byes}


SECOND_BYE = [
    beat(1, A, B), beat(1, C, D), Result(1, E, None, BYE), beat(2, A, C), beat(2, E, B), Result(2, D, None, BYE)
]  # fmt: skip


def test_t4_nobody_has_a_second_bye_while_somebody_has_had_none() -> None:
    entrants, history = field([A, B, C, D, E], SECOND_BYE)
    assert [entrant.points for entrant in entrants] == [6, 0, 3, 3, 6]
    for seed in range(10):
        assert pair_round(entrants, history, PairingOptions(), stream(seed)).bye == B
    left, history = field([A, B, C, D, E], SECOND_BYE, gone=(B, C))
    for seed in range(10):
        plan = pair_round(left, history, PairingOptions(), stream(seed))
        assert (plan.bye, [{pair.a, pair.b} for pair in plan.pairs]) == (A, [{D, E}])
        assert plan.bye_reasons[0].code == "lowest_score_without_bye"
        assert plan.bye_reasons[0].facts["lower_with_bye"] == 1


def test_t6_byes_do_not_attract_byes() -> None:
    """50 events of 31 players and six rounds: bye holders meet as often as chance inside the score groups has it."""
    seen, expected, pairs = 0, 0.0, 0
    for seed in range(50):
        chance = Stream(f"case {seed}".encode(), "results")
        points, byes = [0] * 31, [0] * 31
        history: list[Pair] = []
        for number in range(1, 7):
            entrants = [Entrant(player, points[player], byes[player]) for player in range(31)]
            plan = pair_round(entrants, history, PairingOptions(), stream(seed, number))
            groups: dict[int, list[int]] = {}
            for player in range(31):
                if player != plan.bye:
                    groups.setdefault(points[player], []).append(player)
            for pair in plan.pairs:
                if points[pair.a] == points[pair.b]:
                    group = groups[points[pair.a]]
                    had = sum(byes[player] > 0 for player in group)
                    pairs += 1
                    seen += byes[pair.a] > 0 and byes[pair.b] > 0
                    expected += had * (had - 1) / (len(group) * (len(group) - 1))
            for pair in plan.pairs:
                history.append((pair.a, pair.b))
                points[pair.a if chance.below(2) else pair.b] += 3
            assert plan.bye is not None
            points[plan.bye] += 3
            byes[plan.bye] += 1
        assert max(byes) == 1
    assert pairs > 3000
    assert abs(seen - expected) < 3 * expected**0.5, (seen, expected, pairs)


def test_t7_an_intentional_draw_is_a_meeting_like_any_other() -> None:
    drawn = Outcome.INTENTIONAL_DRAW
    entrants, history = field([A, B, C, D], [Result(4, A, B, drawn, drawn), beat(4, C, D)])
    assert [entrant.points for entrant in entrants] == [1, 1, 3, 0]
    for seed in range(10):
        plan = pair_round(entrants, history, PairingOptions(), stream(seed))
        assert {A, B} not in [{pair.a, pair.b} for pair in plan.pairs]


def test_t11_a_claim_is_no_result_and_holds_the_pairing_up() -> None:
    claimed = Result(1, C, D, Outcome.UNFINISHED, Outcome.UNFINISHED)
    with pytest.raises(Conflict) as refusal:
        field([A, B, C, D], [beat(1, A, B), claimed])
    assert refusal.value.context == {"matches": [{"round": 1, "players": [C, D]}]}
    drafted = DraftedRound(frozenset({A, B}), (DraftedPair(A, B, 1),), open_tables=(2,))
    assert [(finding.code, finding.tables) for finding in check_round(drafted)] == [("results_missing", (2,))]


def test_t16_a_drafted_round_flags_the_table_of_who_dropped() -> None:
    drafted = DraftedRound(
        frozenset({B, C, D}), (DraftedPair(B, C, 1), DraftedPair(A, D, 2)), dropped=frozenset({A}), fewest_rematches=0
    )
    assert check_round(drafted) == (
        HealthFinding("dropped_player", Severity.STOPS, "A player who dropped is in the round.", (A,), (2,)),
    )


def test_a_round_that_was_played_out_is_told_as_unavoidable() -> None:
    everybody = list(combinations(range(4), 2))
    plan = pair_round([Entrant(player, 0) for player in range(4)], everybody, PairingOptions(), stream(0))
    assert [pair.reasons[1].code for pair in plan.pairs] == ["rematch_unavoidable"] * 2
