"""The life of a round, and what it comes to."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

from config.errors import Conflict, NotFound
from events.models import Event, LogEntry, Match, Round, Seat, Standing
from events.queries.access import viewer_of
from events.queries.scoring import current_standings
from events.queries.verification import verify_event
from events.queries.visibility import visible_round
from events.services import administration, registration, results, rounds
from events.services.transaction import AlreadyDone, Change, Command
from tests.events.factories import Made, legal_text, make_user, too_many_copies, user_of
from tests.events.services.watching import last_entry, nothing_new, one_change, refused

Make = Callable[..., Made]
pytestmark = pytest.mark.django_db


def call(made: Made, service: Callable[..., Change], number: int = 1, **options: Any) -> Change:
    return service(event_id=made.event.pk, actor=made.by_organiser, round_number=number, **options)


def decide(made: Made, match: Match, wins_a: int = 2, wins_b: int = 0) -> None:
    results.decide_result(
        event_id=made.event.pk, actor=made.by_organiser, match_id=match.pk, wins_a=wins_a, wins_b=wins_b
    )


def table(round_: Round, number: int) -> Match:
    return Match.objects.get(round=round_, table=number)


# -- from draft to complete -------------------------------------------------------------------------------------------


def test_a_round_goes_from_draft_to_complete(make_event: Make) -> None:
    made = make_event(players=4, started=True)
    with one_change(made.event, "round.drafted"):
        change = rounds.draft_round(event_id=made.event.pk, actor=made.by_organiser)
    assert change.facts == {"round": 1}
    assert last_entry(made.event).is_public is False
    round_ = Round.objects.get(event=made.event)
    assert (round_.number, round_.sequence, round_.state, round_.seconds) == (1, 1, "draft", 3000)
    for service, kind, state in (
        (rounds.post_round, "round.posted", "posted"),
        (rounds.start_clock, "clock.started", "playing"),
        (rounds.pause_clock, "clock.paused", "playing"),
        (rounds.start_clock, "clock.started", "playing"),
        (rounds.call_time, "round.time_called", "time"),
    ):
        with one_change(made.event, kind):
            call(made, service)
        round_.refresh_from_db()
        assert round_.state == state
    assert [interval.stopped_at is None for interval in round_.intervals.all()] == [False, False]
    assert round_.intervals.all()[1].stopped_at == round_.time_called_at
    for match in round_.matches.all():
        decide(made, match)
    with one_change(made.event, "round.completed"):
        call(made, rounds.complete_round)
    round_.refresh_from_db()
    assert (round_.state, round_.completed_at is not None, round_.standings.count()) == ("complete", True, 4)
    assert last_entry(made.event).payload["standings"] == [
        [row.player_id, int(row.values["match_points"])] for row in round_.standings.order_by("rank")
    ]


def test_what_is_posted_is_told_in_the_log(make_event: Make) -> None:
    made = make_event(players=3, started=True)
    round_ = made.draft_round()
    call(made, rounds.post_round)
    duel, bye = Match.objects.get(round=round_, table=1), Match.objects.get(round=round_, table=None)
    assert last_entry(made.event).payload == {
        "round": 1,
        "matches": [
            {"table": 1, "players": [seat.player_id for seat in duel.seats.order_by("index")]},
            {"table": None, "players": [bye.seats.get().player_id]},
        ],
    }
    seat = bye.seats.get()
    assert (bye.state, seat.outcome, seat.game_wins, seat.game_losses) == ("confirmed", "bye", 2, 0)
    assert bye.results.get().source == "pairing"


ALLOWED = {
    rounds.discard_draft: {"draft"},
    rounds.post_round: {"draft"},
    rounds.start_clock: {"posted", "playing"},
    rounds.pause_clock: {"playing"},
    rounds.call_time: {"posted", "playing"},
    rounds.complete_round: {"posted", "playing", "time"},
}


def test_each_step_is_refused_in_every_other_state(make_event: Make) -> None:
    made = make_event(players=2, started=True)
    round_ = made.draft_round()
    for state in Round.State.values:
        Round.objects.filter(pk=round_.pk).update(state=state)
        for service, allowed in ALLOWED.items():
            if state not in allowed:
                with refused(Conflict, "round.state", 409, {"round": 1, "state": state}):
                    call(made, service)


def test_a_round_that_there_is_not_is_not_found(make_event: Make) -> None:
    made = make_event(players=2, started=True)
    other = make_event(players=2, started=True, name="Another Open")
    other.draft_round()
    for service in ALLOWED:
        with refused(NotFound, "round.unknown", 404, {"round": 1}):
            call(made, service)


def test_a_clock_is_not_started_twice_nor_paused_twice(make_event: Make) -> None:
    made = make_event(players=2, started=True)
    made.post_round()
    with refused(Conflict, "clock.running", 409):
        call(made, rounds.start_clock)
    call(made, rounds.pause_clock)
    with refused(Conflict, "clock.not_running", 409):
        call(made, rounds.pause_clock)


def test_a_discarded_draft_is_gone_and_paired_the_same_again(make_event: Make) -> None:
    made = make_event(players=5, started=True)
    first = made.draft_round()
    pairs = sorted(tuple(m.seats.values_list("player_id", flat=True)) for m in first.matches.all())
    with one_change(made.event, "round.discarded"):
        call(made, rounds.discard_draft)
    assert (Round.objects.count(), Match.objects.count(), Seat.objects.count()) == (0, 0, 0)
    again = made.draft_round()
    assert sorted(tuple(m.seats.values_list("player_id", flat=True)) for m in again.matches.all()) == pairs


def test_a_step_sent_twice_counts_once(make_event: Make) -> None:
    made = make_event(players=2, started=True)
    first = rounds.draft_round(event_id=made.event.pk, actor=made.by_organiser, command=Command(key="pair-now"))
    with nothing_new(), pytest.raises(AlreadyDone) as repeat:
        rounds.draft_round(event_id=made.event.pk, actor=made.by_organiser, command=Command(key="pair-now"))
    assert repeat.value.change == first


def test_two_clicks_on_pair_make_one_round_with_everybody_once(make_event: Make) -> None:  # T9
    made = make_event(players=4, started=True)
    seen = made.event.version
    command = Command(key="first-click", expected_version=seen)
    rounds.draft_round(event_id=made.event.pk, actor=made.by_organiser, command=command)
    with refused(Conflict, "event.stale", 409, {"version": seen + 1}):
        rounds.draft_round(
            event_id=made.event.pk, actor=made.by_organiser, command=Command(key="second-click", expected_version=seen)
        )
    with refused(Conflict, "round.open", 409, {"round": 1, "state": "draft"}):
        rounds.draft_round(event_id=made.event.pk, actor=made.by_organiser)
    assert sorted(Seat.objects.values_list("player_id", flat=True)) == [player.pk for player in made.players]


# -- when no round can be paired --------------------------------------------------------------------------------------


def test_no_round_before_the_start(make_event: Make) -> None:
    made = make_event(players=2)
    with refused(Conflict, "event.not_running", 409, {"state": "registration"}):
        made.draft_round()


def test_no_round_while_packs_are_drafted(make_event: Make) -> None:
    made = make_event(policy="draft-2", players=2, started=True)
    with refused(Conflict, "stage.no_rounds", 409):
        made.draft_round()


def test_no_round_more_than_planned(make_event: Make) -> None:
    made = make_event(players=2, started=True)
    made.play_round()
    with refused(Conflict, "stage.rounds_played", 409):
        made.draft_round()


def test_one_player_is_not_paired_and_the_stage_may_end(make_event: Make) -> None:
    made = make_event(players=3, started=True)
    made.play_round()
    for player in made.players[:2]:
        registration.drop_player(event_id=made.event.pk, actor=made.by_organiser, player_id=player.pk)
    with refused(Conflict, "round.too_few_players", 409):
        made.draft_round()


def test_a_list_made_illegal_after_the_start_holds_round_1_back(make_event: Make) -> None:
    made = make_event(players=2, started=True)
    culprit = made.players[0]
    made.submit(culprit, too_many_copies(legal_text(made.event)))
    made.draft_round()
    with refused(Conflict, "event.decklists_missing", 409, {"missing": [], "illegal": [culprit.name]}):
        call(made, rounds.post_round)
    made.submit(culprit)
    call(made, rounds.post_round)


def test_a_cancelled_event_is_not_played_on(make_event: Make) -> None:
    made = make_event(players=2, started=True)
    round_ = made.post_round()
    administration.cancel_event(event_id=made.event.pk, actor=made.by_organiser, reason="The roof leaks.")
    for service in ALLOWED:
        with refused(Conflict, "event.not_running", 409, {"state": "cancelled"}):
            call(made, service)
    player = round_.matches.get().seats.all()[0].player
    with refused(Conflict, "event.not_running", 409, {"state": "cancelled"}):
        made.report(player, round_, 2, 0)
    with refused(Conflict, "event.not_running", 409, {"state": "cancelled"}):
        decide(made, round_.matches.get())


def test_only_staff_know_of_a_draft(make_event: Make) -> None:
    made = make_event(players=2, started=True)
    made.draft_round()
    event = Event.objects.get(pk=made.event.pk)
    assert visible_round(event, viewer_of(event, made.judge), 1).state == "draft"
    for person in (user_of(made.players[0]), make_user("Some Spectator")):
        with refused(NotFound, "round.unknown", 404, {"round": 1}):
            visible_round(event, viewer_of(event, person), 1)
    assert not LogEntry.objects.filter(event=event, kind="round.drafted", is_public=True).exists()


# -- what is still missing --------------------------------------------------------------------------------------------


def test_a_round_is_not_complete_while_a_claim_is_only_a_claim(make_event: Make) -> None:  # T10, T11
    made = make_event(players=4, started=True)
    round_ = made.post_round()
    decide(made, table(round_, 1))
    second = table(round_, 2)
    claimant, other = (seat.player for seat in second.seats.select_related("player__user").order_by("index"))
    made.report(claimant, round_, 2, 0)
    points = {row.player: row.values["match_points"] for row in current_standings(made.event)}
    assert (points[claimant.pk], sorted(points.values())) == (0, [0, 0, 0, 3])
    missing = {"matches": [{"table": 2, "state": "reported", "players": [claimant.name, other.name]}]}
    with refused(Conflict, "round.results_missing", 409, missing):
        call(made, rounds.complete_round)
    with refused(Conflict, "round.open", 409, {"round": 1, "state": "playing"}):
        made.draft_round()
    results.decide_result(
        event_id=made.event.pk,
        actor=made.by_organiser,
        match_id=second.pk,
        wins_a=2,
        wins_b=0,
        reason="The other player left.",
    )
    decided = second.results.get()
    assert (decided.source, decided.decided_by, decided.reason) == ("staff", made.organiser, "The other player left.")
    call(made, rounds.complete_round)


def test_the_next_pairing_counts_every_point_of_the_rounds_before(make_event: Make) -> None:  # T10
    made = make_event(players=5, started=True)
    round_ = made.post_round()
    call(made, rounds.call_time)
    decide(made, table(round_, 1), 2, 0)
    decide(made, table(round_, 2), 1, 1)
    call(made, rounds.complete_round)
    second = made.draft_round()
    (group,) = second.plan.content["groups"]
    assert sum(group["entrants"]["points"]) == 3 * (1 + 1) + 2 * 1


# -- what it comes to -------------------------------------------------------------------------------------------------


def test_standings_of_a_small_swiss_are_exact(make_event: Make) -> None:
    """Three players, two rounds: A beats B 2-1 while C has the bye, then A's or B's bye and the last duel.

    Points 3/1/0, floor 1/3, a bye counts as a match won 2-0 and makes no opponent.
    """
    made = make_event(players=3, started=True)
    first = made.post_round()
    a, b = (seat.player_id for seat in table(first, 1).seats.order_by("index"))
    c = Seat.objects.get(round=first, match__table=None).player_id
    decide(made, table(first, 1), 2, 1)
    call(made, rounds.complete_round)
    third = Fraction(1, 3)

    def stored(round_: Round) -> dict[int, tuple[int, dict[str, str], dict[str, int]]]:
        return {
            row.player_id: (row.rank, {key: row.values[key] for key in row.values if key != "lot"}, row.record)
            for row in Standing.objects.filter(round=round_)
        }

    # A: opponent B has 0 of 3 points, floored 1/3; own games 6 of 9; B's games 3 of 9. B: opponent A 3 of 3.
    # C: no opponents; own games of the bye 6 of 6.
    after_one = stored(first)
    assert {player: row[1] for player, row in after_one.items()} == {
        a: {"match_points": "3", "omw": str(third), "gw": "2/3", "ogw": str(third)},
        b: {"match_points": "0", "omw": "1", "gw": str(third), "ogw": "2/3"},
        c: {"match_points": "3", "omw": "0", "gw": "1", "ogw": "0"},
    }
    assert {player: row[0] for player, row in after_one.items()} == {a: 1, c: 2, b: 3}
    assert after_one[c][2] == {"wins": 1, "losses": 0, "draws": 0, "byes": 1}

    second = made.post_round()
    bye = Seat.objects.get(round=second, match__table=None).player_id
    assert bye == b  # the lowest who has had none
    seats = list(table(second, 1).seats.order_by("index"))
    decide(made, table(second, 1), *((2, 0) if seats[0].player_id == a else (0, 2)))
    call(made, rounds.complete_round, 2)
    # Matches: A 6 of 6, B 3 of 6 (the bye), C 3 of 6 (the bye). Games: A 4 of 5 played, B 1-2 and 2-0 = 3 of 5,
    # C 2-0 and 0-2 = 2 of 4. Opponents: A met B and C, B met A, C met A.
    half, four_fifths = Fraction(1, 2), Fraction(4, 5)
    after_two = stored(second)
    assert {player: row[1] for player, row in after_two.items()} == {
        a: {"match_points": "6", "omw": str(half), "gw": "4/5", "ogw": str((Fraction(3, 5) + half) / 2)},
        b: {"match_points": "3", "omw": "1", "gw": "3/5", "ogw": str(four_fifths)},
        c: {"match_points": "3", "omw": "1", "gw": "1/2", "ogw": str(four_fifths)},
    }
    assert {player: row[0] for player, row in after_two.items()} == {a: 1, b: 2, c: 3}
    assert verify_event(made.refresh()).faults == []


def test_a_later_drop_does_not_change_the_standings_before_it(make_event: Make) -> None:
    made = make_event(players=4, started=True)
    made.play_round()
    before = list(Standing.objects.filter(event=made.event).values_list())
    registration.drop_player(event_id=made.event.pk, actor=made.by_organiser, player_id=made.players[0].pk)
    made.play_round()
    assert list(Standing.objects.filter(round__sequence=1).values_list()) == before
    assert verify_event(made.refresh()).faults == []
