"""Conceding, and agreeing to draw: by the policy, and where it says nothing by nobody's guess."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from config.errors import Conflict, DomainError, NotAllowed
from events.models import Event, Match, Player, Result, Round, Seat
from events.queries.scoring import current_standings
from events.queries.verification import verify_event
from events.services import agreements, results, rounds
from events.services.transaction import Change
from tests.events.factories import Made, actor_of, user_of
from tests.events.services.test_games import record, seated
from tests.events.services.watching import last_entry, one_change, refused

Make = Callable[..., Made]
pytestmark = pytest.mark.django_db


@pytest.fixture
def made(make_event: Make) -> Made:
    return make_event(policy="standard", players=2, started=True)


@pytest.fixture
def match(made: Made) -> Match:
    return made.post_round().matches.get()


def concede(made: Made, match: Match, player: Player, *, by_staff: bool = False, **options: Any) -> Change:
    return agreements.concede(
        event_id=made.event.pk,
        actor=made.by_organiser if by_staff else actor_of(user_of(player)),
        match_id=match.pk,
        player_id=player.pk,
        by_staff=by_staff,
        **options,
    )


def draw(made: Made, match: Match, player: Player) -> Change:
    return agreements.offer_draw(
        event_id=made.event.pk, actor=actor_of(user_of(player)), match_id=match.pk, player_id=player.pk
    )


def allow_draws(made: Made) -> None:
    Event.objects.filter(pk=made.event.pk).update(agreed_draws=True)


def outcome(match: Match) -> list[tuple[Any, ...]]:
    rows = Seat.objects.filter(match=match).order_by("index")
    return list(rows.values_list("outcome", "game_wins", "game_losses", "game_draws"))


# -- conceding --------------------------------------------------------------------------------------------------------


def test_a_concession_counts_at_once_and_keeps_the_games_that_were_played(made: Made, match: Match) -> None:
    a, b = seated(match)
    record(made, match, a, 1, a)
    with one_change(made.event, "result.confirmed"):
        assert concede(made, match, a).facts == {"match": match.pk, "state": "confirmed", "match_version": 1}
    assert outcome(match) == [("loss", 1, 2, 0), ("win", 2, 1, 0)]
    result = Result.objects.get(match=match)
    assert (result.how, result.source, result.decided_by) == ("concession", "players", None)
    assert last_entry(made.event).payload["how"] == "concession"
    assert verify_event(made.refresh()).faults == []


def test_without_games_written_down_all_of_them_go_to_the_opponent(made: Made, match: Match) -> None:
    a, b = seated(match)
    results.report_result(
        event_id=made.event.pk, actor=actor_of(user_of(b)), match_id=match.pk, player_id=b.pk, wins=1, losses=2
    )
    concede(made, match, b)
    assert outcome(match) == [("win", 2, 0, 0), ("loss", 0, 2, 0)]


def test_a_match_is_conceded_once_and_by_its_players(make_event: Make) -> None:
    made = make_event(players=4, started=True)
    round_ = made.post_round()
    match = round_.matches.get(table=1)
    a, b = seated(match)
    with refused(NotAllowed, "match.not_yours", 403):
        concede(made, match, seated(round_.matches.get(table=2))[0])
    concede(made, match, a)
    with refused(Conflict, "match.decided", 409):
        concede(made, match, b)


def test_for_prizes_nothing_is_conceded_once_pairings_are_posted(made: Made, match: Match) -> None:
    a, _ = seated(match)
    for by_staff in (False, True):
        with refused(Conflict, "concession.for_prizes", 409, {"cite": "ENGARDE 10.6"}):
            concede(made, match, a, for_prizes=True, by_staff=by_staff)
    with refused(Conflict, "concession.for_prizes", 409, {"cite": "ENGARDE 10.6"}):
        concede(made, match, a, for_prizes=True, by_staff=True, permitted=True, reason="The head judge says so.")


def test_before_the_match_begins_the_head_judge_may_permit_it_for_prizes(made: Made) -> None:
    match = made.post_round(clock=False).matches.get()
    a, _ = seated(match)
    with refused(DomainError, "result.reason", 400):
        concede(made, match, a, for_prizes=True, by_staff=True, permitted=True)
    with refused(Conflict, "concession.for_prizes", 409):
        concede(made, match, a, for_prizes=True, permitted=True, reason="I say so myself.")
    concede(made, match, a, for_prizes=True, by_staff=True, permitted=True, reason="Permitted by the head judge.")
    result = Result.objects.get(match=match)
    assert (result.how, result.source, result.reason) == ("concession", "staff", "Permitted by the head judge.")


def test_where_the_policy_is_silent_on_prizes_it_says_so(make_event: Make) -> None:
    made = make_event(players=2, started=True)
    match = made.post_round().matches.get()
    with refused(Conflict, "concession.no_rule", 409):
        concede(made, match, seated(match)[0], for_prizes=True)
    concede(made, match, seated(match)[0])
    assert outcome(match) == [("loss", 0, 2, 0), ("win", 2, 0, 0)]


def test_where_only_staff_enter_results_they_enter_concessions_too(made: Made, match: Match) -> None:
    Event.objects.filter(pk=made.event.pk).update(players_report=False)
    a, _ = seated(match)
    with refused(NotAllowed, "results.by_staff", 403):
        concede(made, match, a)
    concede(made, match, a, by_staff=True)
    assert Result.objects.get(match=match).decided_by == made.organiser


# -- draws by agreement -----------------------------------------------------------------------------------------------


def test_two_who_agree_to_draw_have_drawn(made: Made, match: Match) -> None:  # T7
    allow_draws(made)
    a, b = seated(match)
    record(made, match, a, 1, a)
    with one_change(made.event, "result.draw_offered"):
        assert draw(made, match, a).facts["state"] == "reported"
    assert {row.player: row.record.draws for row in current_standings(made.event)} == {a.pk: 0, b.pk: 0}
    with one_change(made.event, "result.draw_offered", "result.confirmed"):
        assert draw(made, match, b).facts["state"] == "confirmed"
    assert outcome(match) == [("intentional_draw", 1, 0, 0), ("intentional_draw", 0, 1, 0)]
    assert Result.objects.get(match=match).how == "agreed_draw"
    rounds.complete_round(event_id=made.event.pk, actor=made.by_organiser, round_number=1)
    rows = current_standings(made.event)
    assert [(row.values["match_points"], row.record.draws) for row in rows] == [(1, 1), (1, 1)]
    assert verify_event(made.refresh()).faults == []


def test_a_game_between_two_words_of_agreement_does_not_part_them(made: Made, match: Match) -> None:
    allow_draws(made)
    a, b = seated(match)
    draw(made, match, a)
    record(made, match, b, 1, b)
    assert draw(made, match, b).facts["state"] == "confirmed"
    assert outcome(match) == [("intentional_draw", 0, 1, 0), ("intentional_draw", 1, 0, 0)]


def test_one_who_agrees_and_one_who_won_disagree_and_may_think_better_of_it(made: Made, match: Match) -> None:
    allow_draws(made)
    a, b = seated(match)
    draw(made, match, a)
    made.report(b, Round.objects.get(), 2, 0)
    match.refresh_from_db()
    assert match.state == "disputed"
    results.withdraw_report(event_id=made.event.pk, actor=actor_of(user_of(a)), match_id=match.pk, player_id=a.pk)
    made.report(a, Round.objects.get(), 0, 2)
    match.refresh_from_db()
    assert (match.state, outcome(match)) in (
        ("confirmed", [("win", 2, 0, 0), ("loss", 0, 2, 0)]),
        ("confirmed", [("loss", 0, 2, 0), ("win", 2, 0, 0)]),
    )
    assert Result.objects.get(match=match).how == "games"


def test_where_the_policy_is_silent_players_may_not_agree_and_staff_need_a_reason(made: Made, match: Match) -> None:
    a, _ = seated(match)
    with refused(Conflict, "agreed_draw.not_allowed", 409, {"cite": ""}):
        draw(made, match, a)

    def decide(reason: str) -> Change:
        return agreements.decide_agreed_draw(
            event_id=made.event.pk, actor=made.by_organiser, match_id=match.pk, reason=reason
        )

    with refused(Conflict, "agreed_draw.not_allowed", 409):
        decide(" ")
    decide("Head judge: both have a train to catch.")
    assert outcome(match) == [("intentional_draw", 0, 0, 0)] * 2


def test_what_the_policy_forbids_no_reason_allows(made: Made, match: Match) -> None:
    rules = {**made.event.rules, "play": {"agreed_draws": False, "cite": {"agreed_draws": "ENGARDE R11"}}}
    Event.objects.filter(pk=made.event.pk).update(rules=rules, agreed_draws=True)
    with refused(Conflict, "agreed_draw.not_allowed", 409, {"cite": "ENGARDE R11"}):
        draw(made, match, seated(match)[0])
    with refused(Conflict, "agreed_draw.not_allowed", 409):
        agreements.decide_agreed_draw(
            event_id=made.event.pk, actor=made.by_organiser, match_id=match.pk, reason="We want to."
        )


def test_in_a_bracket_nobody_agrees_to_draw(make_event: Make) -> None:
    made = make_event(players=2, started=True)
    allow_draws(made)
    made.play_round()
    made.next_stage()
    match = made.post_round().matches.get()
    with refused(DomainError, "outcome.elimination_needs_winner", 400):
        draw(made, match, seated(match)[0])


# -- elimination at time ----------------------------------------------------------------------------------------------


def decide(made: Made, match: Match, wins: tuple[int, int], winner: Player | None, by: str | None) -> Change:
    return results.decide_result(
        event_id=made.event.pk,
        actor=made.by_organiser,
        match_id=match.pk,
        wins_a=wins[0],
        wins_b=wins[1],
        winner_id=winner.pk if winner is not None else None,
        decided_by=by,
    )


def test_a_level_match_of_elimination_gets_its_winner_with_how(make_event: Make) -> None:  # T29
    made = make_event(players=2, started=True)
    made.play_round()
    made.next_stage()
    round_ = made.post_round()
    match = round_.matches.get()
    a, b = seated(match)
    with refused(DomainError, "bracket.winner_needed", 400):
        decide(made, match, (1, 1), None, "play_off")
    for by in (None, "luck", "both_left"):
        with refused(DomainError, "bracket.reason_needed", 400):
            decide(made, match, (1, 1), b, by)
    with refused(DomainError, "score.two_winners", 400):
        decide(made, match, (3, 3), b, "play_off")
    with one_change(made.event, "result.confirmed"):
        decide(made, match, (1, 1), b, "play_off")
    assert outcome(match) == [("loss", 1, 1, 0), ("win", 1, 1, 0)]
    assert Result.objects.get(match=match).how == "play_off"
    rounds.complete_round(event_id=made.event.pk, actor=made.by_organiser, round_number=round_.sequence)
    made.finish()
    assert verify_event(made.refresh()).faults == []


def test_in_swiss_nobody_is_said_to_go_on(made: Made, match: Match) -> None:
    with refused(DomainError, "result.no_elimination", 400):
        decide(made, match, (1, 1), seated(match)[0], "play_off")
