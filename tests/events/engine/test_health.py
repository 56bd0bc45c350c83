from __future__ import annotations

from dataclasses import replace
from time import process_time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cards.engine.streams import Stream
from events.engine.demanded_round import pair_with_demands
from events.engine.health import DraftedBye, DraftedPair, DraftedRound, HealthFinding, Severity, check_round, is_fit
from events.engine.pairing import Entrant, PairingOptions
from events.engine.tables import FixedSeat, SeatKind, assign_tables

GOOD = DraftedRound(
    active=frozenset({1, 2, 3, 4, 5, 6}),
    pairs=(DraftedPair(1, 2, 1), DraftedPair(3, 4, 2)),
    byes=(DraftedBye(5),),
    sitting_out=frozenset({6}),
    fewest_rematches=0,
)


def told(round_: DraftedRound) -> list[tuple[str, tuple[int, ...], tuple[int, ...]]]:
    return [(finding.code, finding.players, finding.tables) for finding in check_round(round_)]


def test_a_good_round_has_no_findings() -> None:
    assert check_round(GOOD) == ()
    assert is_fit(check_round(GOOD))


@pytest.mark.parametrize(
    ("change", "found"),
    [
        ({"open_tables": (7, 2)}, ("results_missing", (), (2, 7))),
        ({"without_decklist": frozenset({4, 5})}, ("decklist_missing", (4,), ())),
        ({"with_illegal_decklist": frozenset({1, 3, 6})}, ("decklist_illegal", (1, 3), ())),
        ({"dropped": frozenset({3}), "active": GOOD.active - {3}}, ("dropped_player", (3,), (2,))),
        ({"active": GOOD.active - {2}}, ("unknown_player", (2,), (1,))),
        ({"sitting_out": frozenset({5, 6})}, ("unknown_player", (5,), ())),
        ({"active": GOOD.active | {8, 7}}, ("player_missing", (7, 8), ())),
        ({"byes": (DraftedBye(5), DraftedBye(1))}, ("player_twice", (1,), (1,))),
        ({"active": GOOD.active | {7}, "byes": (DraftedBye(7), DraftedBye(5))}, ("too_many_byes", (5, 7), ())),
        ({"pairs": (*GOOD.pairs, DraftedPair(6, 6, 3)), "sitting_out": frozenset()}, ("paired_with_self", (6,), (3,))),
        ({"pairs": (DraftedPair(1, 2, 1), DraftedPair(3, 4, 1))}, ("table_twice", (1, 2, 3, 4), (1,))),
        ({"pairs": (DraftedPair(1, 2, 1), DraftedPair(3, 4, None))}, ("table_missing", (3, 4), ())),
        ({"pods": {1: 1, 3: 1, 2: 2, 4: 1}}, ("across_pods", (1, 2), (1,))),
    ],
)
def test_each_fault_stops_the_posting_and_names_its_players_and_tables(
    change: dict[str, object], found: tuple[str, tuple[int, ...], tuple[int, ...]]
) -> None:
    findings = check_round(replace(GOOD, **change))  # type: ignore[arg-type]
    assert found in told(replace(GOOD, **change))  # type: ignore[arg-type]
    assert {finding.code for finding in findings if finding.severity is Severity.STOPS} >= {found[0]}
    assert {finding.code for finding in findings} - {found[0]} <= {"too_many_byes"}
    assert not is_fit(findings)


def test_demanded_byes_are_as_many_as_were_given_and_each_pod_has_one_of_its_own() -> None:
    byes = (DraftedBye(5), DraftedBye(7, demanded=True), DraftedBye(8, pod=1), DraftedBye(9, pod=2))
    assert check_round(replace(GOOD, active=GOOD.active | {7, 8, 9}, byes=byes)) == ()


def test_an_avoidable_rematch_is_told_and_another_is_not() -> None:
    again = replace(GOOD, history=((2, 1),))
    rematch = HealthFinding(
        "avoidable_rematch",
        Severity.WARNS,
        "Two players meet again, and the round could be paired with fewer rematches.",
        (1, 2),
        (1,),
    )
    assert check_round(again) == (rematch,)
    assert is_fit(check_round(again))
    assert check_round(replace(again, fewest_rematches=1)) == ()
    assert check_round(replace(again, fewest_rematches=None)) == (rematch,)


def test_without_a_plan_the_question_is_asked_anew() -> None:
    everybody_met = tuple((a, b) for a in range(1, 6) for b in range(1, a))
    asked = replace(GOOD, fewest_rematches=None)
    assert check_round(replace(asked, history=everybody_met)) == ()
    assert told(replace(asked, history=((1, 2),), forbidden=((1, 3), (1, 4), (1, 5)))) == [
        ("avoidable_rematch", (1, 2), (1,))
    ]
    assert check_round(replace(asked, history=((1, 2), (3, 4)), forbidden=((2, 3), (2, 4), (1, 3), (1, 4)))) == ()
    by_hand = (DraftedPair(1, 2, 1, by_hand=True), DraftedPair(3, 4, 2))
    assert check_round(replace(asked, history=((1, 2),), pairs=by_hand)) == ()


def test_a_fixed_seat_is_kept_unless_a_claim_as_strong_has_it() -> None:
    moved = [("fixed_seat_not_kept", (3,), (2,))]
    assert told(replace(GOOD, fixed_seats=(FixedSeat(3, 9),))) == moved
    assert told(replace(GOOD, fixed_seats=(FixedSeat(3, 1), FixedSeat(1, 1, SeatKind.FEATURE)))) == moved
    assert told(replace(GOOD, fixed_seats=(FixedSeat(3, 1), FixedSeat(1, 1)))) == []
    assert told(replace(GOOD, fixed_seats=(FixedSeat(3, 9), FixedSeat(4, 2)))) == []
    assert told(replace(GOOD, fixed_seats=(FixedSeat(3, 9), FixedSeat(4, 2, SeatKind.FEATURE)))) == moved
    assert told(replace(GOOD, fixed_seats=(FixedSeat(5, 9), FixedSeat(99, 1)))) == []


def test_what_stops_comes_before_what_warns() -> None:
    broken = replace(GOOD, fixed_seats=(FixedSeat(1, 9),), open_tables=(4,), history=((3, 4),))
    assert [finding.code for finding in check_round(broken)] == [
        "results_missing",
        "avoidable_rematch",
        "fixed_seat_not_kept",
    ]


def test_ten_thousand_players_are_looked_at_in_a_moment() -> None:
    players = range(10_000)
    pairs = tuple(DraftedPair(player, player + 1, player // 2 + 1) for player in players[::2])
    history = tuple((player, (player + 2 * step + 1) % 10_000) for step in range(1, 6) for player in players)
    round_ = DraftedRound(frozenset(players), pairs, history=(*history, (0, 1)))
    start = process_time()
    assert told(round_) == [("avoidable_rematch", (0, 1), (1,))]
    assert process_time() - start < 2


@settings(deadline=None, max_examples=50)
@given(
    st.integers(1, 12),
    st.lists(st.tuples(st.integers(0, 11), st.integers(0, 11)).filter(lambda pair: pair[0] != pair[1]), max_size=30),
    st.lists(st.builds(FixedSeat, st.integers(0, 11), st.integers(1, 9), st.sampled_from(SeatKind)), max_size=4),
)
def test_nothing_is_wrong_with_what_the_engine_pairs_and_seats(
    count: int, history: list[tuple[int, int]], fixed: list[FixedSeat]
) -> None:
    entrants = [Entrant(player, player % 3) for player in range(count)]
    plan = pair_with_demands(entrants, history, [], PairingOptions(), lambda pod: Stream(b"health", "pairing"))
    pairs = [(pair.a, pair.b) for pair in plan.pairs]
    tables = assign_tables(pairs, {entrant.id: entrant.points for entrant in entrants}, fixed).tables
    drafted = DraftedRound(
        active=frozenset(range(count)),
        pairs=tuple(DraftedPair(a, b, table) for (a, b), table in zip(pairs, tables, strict=True)),
        byes=tuple(DraftedBye(bye.player) for bye in plan.byes),
        history=tuple(history),
        fixed_seats=tuple(fixed),
    )
    assert check_round(drafted) == ()
