"""Mistakes that come to light when the next round is paired: a wrong result, a drop by mistake, somebody who left."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from config.errors import Conflict, DomainError
from events.engine.outcomes import GameScore
from events.engine.repair import RepairPlan
from events.models import Match, Player, Result, Round, Seat, Standing
from events.queries.repairs import Repair, finished_match, repair_of_player, repair_of_result
from events.queries.scoring import missing_results
from events.queries.verification import verify_event
from events.services import registration, repairs, results, rounds
from events.services.transaction import Change
from tests.events.factories import Made
from tests.events.services.watching import last_entry, one_change

Make = Callable[..., Made]
pytestmark = pytest.mark.django_db


def pairs(round_: Round) -> set[frozenset[int]]:
    matches = round_.matches.prefetch_related("seats")
    return {frozenset(seat.player_id for seat in match.seats.all()) for match in matches}


def state(round_: Round) -> Round:
    return Round.objects.select_related("stage", "event").get(pk=round_.pk)


def wrongly_played(make_event: Make, *, clock: bool = True, posted: bool = True) -> tuple[Made, Match, Round]:
    """T14: eight players; the result of one match of round 1 was entered the wrong way round, and round 2 is paired on
    it. Seat A won every other match."""
    made = make_event(players=8, started=True)
    first = made.play_round()
    wrong = Match.objects.filter(round=first, table=2).get()
    return made, wrong, made.post_round(clock=clock) if posted else made.draft_round()


def shown(made: Made, match: Match, score: GameScore) -> Repair:
    found = repair_of_result(event=made.event, match=finished_match(event=made.event, match_id=match.pk), score=score)
    assert found is not None
    return found


def plan_of(repair: Repair, role: str) -> tuple[str, RepairPlan]:
    return next((key, plan) for key, plan in repair.plans.items() if plan.role == role)


def correct(made: Made, match: Match, wins_a: int = 0, wins_b: int = 2, **options: Any) -> Change:
    return repairs.correct_result(
        event_id=made.event.pk,
        actor=made.by_organiser,
        match_id=match.pk,
        wins_a=wins_a,
        wins_b=wins_b,
        **{"reason": "The slip says otherwise.", **options},
    )


def mend(made: Made, round_: Round, player: Player, plan: str) -> Change:
    return repairs.repair_round(
        event_id=made.event.pk,
        actor=made.by_organiser,
        round_number=round_.sequence,
        player_id=player.pk,
        plan=plan,
        reason="A mistake.",
    )


def drop(made: Made, player: Player) -> None:
    registration.drop_player(event_id=made.event.pk, actor=made.by_organiser, player_id=player.pk)
    player.refresh_from_db()


def finish(made: Made, round_: Round) -> None:
    for match in missing_results(round_):
        results.decide_result(event_id=made.event.pk, actor=made.by_organiser, match_id=match.pk, wins_a=2, wins_b=0)
    rounds.complete_round(event_id=made.event.pk, actor=made.by_organiser, round_number=round_.sequence)


# -- T14: a wrong result is found in the next round -------------------------------------------------------------------


@pytest.mark.parametrize("clock", [True, False])
def test_a_late_correction_stops_two_tables_and_leaves_the_finished_one(make_event: Make, clock: bool) -> None:
    made, wrong, second = wrongly_played(make_event, clock=clock)
    loser, winner = (seat.player_id for seat in wrong.seats.order_by("index"))
    of_loser, of_winner = (
        Seat.objects.filter(round=second, match__seats__player=one).exclude(player=one).get().player_id
        for one in (loser, winner)
    )
    kept = pairs(second) - {frozenset({loser, of_loser}), frozenset({winner, of_winner})}
    strong = next(
        m for m in second.matches.order_by("table") if frozenset(m.seats.values_list("player", flat=True)) in kept
    )
    results.decide_result(event_id=made.event.pk, actor=made.by_organiser, match_id=strong.pk, wins_a=2, wins_b=0)
    key, plan = plan_of(shown(made, wrong, GameScore(0, 2)), "best_pairing")

    with one_change(made.event, "result.corrected"):
        correct(made, wrong, plan=key)

    assert (len(plan.stopped), plan.cost.pairing.score_gap, plan.cost.pairing.rematches) == (2, 0, 0)
    assert pairs(second) == kept | {frozenset({winner, of_loser}), frozenset({loser, of_winner})}
    strong.refresh_from_db()
    assert (strong.state, strong.results.get().scores[0]["wins"]) == ("confirmed", 2)
    assert {told.player for told in plan.told} == {loser, winner, of_loser, of_winner}
    entry = last_entry(made.event)
    assert [entry.payload[name][0]["outcome"] for name in ("before", "after")] == ["win", "loss"]
    assert sorted(map(sorted, entry.payload["made"])) == sorted(
        [sorted([winner, of_loser]), sorted([loser, of_winner])]
    )
    assert verify_event(made.refresh()).faults == []


def test_the_standings_after_the_corrected_round_are_counted_again(make_event: Make) -> None:
    made, wrong, _ = wrongly_played(make_event)
    loser, winner = (seat.player for seat in wrong.seats.order_by("index"))
    key, _ = plan_of(shown(made, wrong, GameScore(0, 2)), "leave")

    correct(made, wrong, plan=key)

    points = dict(Standing.objects.filter(round=wrong.round).values_list("player", "values__match_points"))
    assert (points[winner.pk], points[loser.pk]) == ("3", "0")
    assert [row.superseded_at is None for row in Result.objects.filter(match=wrong).order_by("pk")] == [False, True]


def test_the_pairing_may_be_left_as_it_is(make_event: Make) -> None:
    made, wrong, second = wrongly_played(make_event)
    before = list(second.matches.order_by("pk").values_list("pk", flat=True))
    key, _ = plan_of(shown(made, wrong, GameScore(0, 2)), "leave")

    correct(made, wrong, plan=key)

    assert list(second.matches.order_by("pk").values_list("pk", flat=True)) == before
    assert verify_event(made.refresh()).faults == []


def test_of_a_draft_nobody_reads_who_is_moved(make_event: Make) -> None:
    made, wrong, second = wrongly_played(make_event, posted=False)
    key, _ = plan_of(shown(made, wrong, GameScore(0, 2)), "best_pairing")

    correct(made, wrong, plan=key)

    told = made.event.log.get(kind="result.corrected")
    assert (told.is_public, "made" in told.payload) == (True, False)
    assert made.event.log.get(kind="round.seats_changed").is_public is False
    assert verify_event(made.refresh()).faults == []
    rounds.post_round(event_id=made.event.pk, actor=made.by_organiser, round_number=second.sequence)
    assert verify_event(made.refresh()).faults == []


def test_a_plan_is_refused_once_the_round_has_gone_on(make_event: Make) -> None:
    made, wrong, second = wrongly_played(make_event)
    key, plan = plan_of(shown(made, wrong, GameScore(0, 2)), "best_pairing")
    match = Match.objects.get(round=second, table=plan.stopped[0].number)
    results.decide_result(event_id=made.event.pk, actor=made.by_organiser, match_id=match.pk, wins_a=2, wins_b=1)

    with pytest.raises(Conflict) as refusal:
        correct(made, wrong, plan=key)

    assert refusal.value.code == "repair.stale"
    assert Result.objects.filter(match=wrong).count() == 1


def test_without_a_plan_nothing_is_changed_where_one_is_needed(make_event: Make) -> None:
    made, wrong, _ = wrongly_played(make_event)

    with pytest.raises(Conflict) as refusal:
        correct(made, wrong)

    assert refusal.value.code == "repair.plan_needed"
    assert {plan["key"] for plan in refusal.value.context["plans"]} == set(shown(made, wrong, GameScore(0, 2)).plans)


def test_another_score_with_the_same_winner_needs_no_plan(make_event: Make) -> None:
    made, wrong, second = wrongly_played(make_event)
    before = pairs(second)

    correct(made, wrong, wins_a=2, wins_b=1)

    assert pairs(second) == before
    assert verify_event(made.refresh()).faults == []


def test_a_correction_needs_a_reason_and_a_change(make_event: Make) -> None:
    made, wrong, _ = wrongly_played(make_event)

    with pytest.raises(DomainError) as silent:
        correct(made, wrong, reason=" ")
    with pytest.raises(Conflict) as same:
        correct(made, wrong, wins_a=2, wins_b=0)

    assert (silent.value.code, same.value.code) == ("result.reason", "result.same")


# -- T15: a drop by mistake -------------------------------------------------------------------------------------------


def dropped_by_mistake(make_event: Make) -> tuple[Made, Player, Round]:
    """Eight players; the best of round 1 counts as gone, so that round 2 has seven and a bye."""
    made = make_event(players=8, started=True)
    first = made.play_round()
    player = Player.objects.get(standings__round=first, standings__rank=1)
    drop(made, player)
    return made, player, made.post_round()


def test_who_was_dropped_by_mistake_meets_the_bye_or_the_round_is_shifted(make_event: Make) -> None:
    made, player, second = dropped_by_mistake(make_event)
    bye = Seat.objects.get(round=second, match__table=None).player_id
    found = repair_of_player(event=made.event, round_=state(second), player=player)

    cheap = plan_of(found, "fewest_stopped")[1]
    cascade = plan_of(found, "best_pairing")[1]

    assert (cheap.pairs, cheap.cost.stopped, cheap.bye_after) == ({frozenset({player.pk, bye})}, 0, None)
    assert cascade.cost.stopped > 0
    assert cascade.cost.pairing.score_gap < cheap.cost.pairing.score_gap
    assert "leave" not in {plan.role for plan in found.plans.values()}


@pytest.mark.parametrize("role", ["fewest_stopped", "best_pairing"])
def test_who_was_dropped_by_mistake_is_put_back_into_the_round(make_event: Make, role: str) -> None:
    made, player, second = dropped_by_mistake(make_event)
    key, plan = plan_of(repair_of_player(event=made.event, round_=state(second), player=player), role)

    with one_change(made.event, "round.mended"):
        mend(made, second, player, key)

    player.refresh_from_db()
    assert (player.state, player.dropped_after_round) == ("checked_in", None)
    assert plan.pairs <= pairs(second)
    assert Seat.objects.filter(round=second).count() == 8
    assert not Match.objects.filter(round=second, table=None).exists()
    assert verify_event(made.refresh()).faults == []
    finish(made, second)
    assert verify_event(made.refresh()).faults == []


def test_a_reported_table_stays_when_somebody_comes_back(make_event: Make) -> None:
    made, player, second = dropped_by_mistake(make_event)
    top = Match.objects.get(round=second, table=1)
    results.decide_result(event_id=made.event.pk, actor=made.by_organiser, match_id=top.pk, wins_a=2, wins_b=0)

    found = repair_of_player(event=made.event, round_=state(second), player=player)

    assert all(1 in plan.kept for plan in found.plans.values())


def test_who_missed_a_round_comes_back_without_points_for_it(make_event: Make) -> None:
    made = make_event(players=8, started=True)
    made.play_round()
    player = made.players[0]
    drop(made, player)
    made.play_round()
    third = made.post_round()
    found = repair_of_player(event=made.event, round_=state(third), player=player)
    key, _ = plan_of(found, "leave")

    mend(made, third, player, key)

    player.refresh_from_db()
    assert player.state == "checked_in"
    assert not Seat.objects.filter(round=third, player=player).exists()
    assert verify_event(made.refresh()).faults == []


def test_nobody_comes_back_after_the_last_round_for_late_entries(make_event: Make) -> None:
    made = make_event(players=8, started=True)
    made.play_round()
    player = made.players[0]
    drop(made, player)
    made.play_round()
    third = made.post_round()
    made.event.late_until_round = 2
    made.event.save(update_fields=["late_until_round"])
    key, _ = plan_of(repair_of_player(event=made.event, round_=state(third), player=player), "leave")

    with pytest.raises(Conflict) as refusal:
        mend(made, third, player, key)

    assert refusal.value.code == "player.too_late"


# -- T16: a drop while the match is open ------------------------------------------------------------------------------


def test_a_match_is_finished_without_who_dropped(make_event: Make) -> None:
    made = make_event(players=4, started=True)
    first = made.post_round()
    gone = made.players[0]
    drop(made, gone)
    match = made.match_of(gone, first)

    found = repair_of_player(event=made.event, round_=state(first), player=gone)
    assert all(match.table in plan.kept for plan in found.plans.values())
    finish(made, first)

    second = made.post_round()
    assert not Seat.objects.filter(round=second, player=gone).exists()
    assert verify_event(made.refresh()).faults == []


def test_a_draft_with_somebody_gone_is_mended_and_posted(make_event: Make) -> None:
    made = make_event(players=8, started=True)
    made.play_round()
    second = made.draft_round()
    gone = made.players[0]
    drop(made, gone)
    with pytest.raises(Conflict, match="dropped after this round was drafted"):
        rounds.post_round(event_id=made.event.pk, actor=made.by_organiser, round_number=2)
    key, _ = plan_of(repair_of_player(event=made.event, round_=state(second), player=gone), "fewest_stopped")

    mend(made, second, gone, key)
    rounds.post_round(event_id=made.event.pk, actor=made.by_organiser, round_number=2)

    assert Seat.objects.filter(round=second).count() == 7
    assert Match.objects.filter(round=second, table=None).count() == 1
    assert verify_event(made.refresh()).faults == []


# -- tampering --------------------------------------------------------------------------------------------------------


def test_a_mended_round_that_is_changed_afterwards_is_found(make_event: Make) -> None:
    made, wrong, second = wrongly_played(make_event)
    key, plan = plan_of(shown(made, wrong, GameScore(0, 2)), "best_pairing")
    correct(made, wrong, plan=key)
    Match.objects.filter(round=second, table=plan.tables[0].number).delete()

    assert verify_event(made.refresh()).faults == ["Round 2 is not seated as it was posted and mended."]


def test_a_round_mended_without_a_word_in_the_log_is_found(make_event: Make) -> None:
    made, wrong, second = wrongly_played(make_event)
    one, other = (seat for match in second.matches.order_by("table")[:2] for seat in match.seats.filter(index=0))
    pair = one.player_id, other.player_id
    other.delete()
    one.player_id = pair[1]
    one.save()
    other.player_id, other.pk = pair[0], None
    other.save(force_insert=True)

    assert "Round 2 is not seated as it was posted and mended." in verify_event(made.refresh()).faults
