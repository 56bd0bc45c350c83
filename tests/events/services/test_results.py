"""Players' words are claims; two that agree, or one decision by staff, make a result."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from config.errors import Conflict, DomainError, NotAllowed, NotFound
from events.models import Match, OutboxMessage, Player, Result, Round, Seat
from events.queries.scoring import current_standings
from events.services import results, rounds
from events.services.transaction import AlreadyDone, Change, Command
from events.services.turns import note_extra_turns
from tests.events.factories import Made, actor_of, user_of
from tests.events.services.watching import last_entry, nothing_new, one_change, refused

Make = Callable[..., Made]
pytestmark = pytest.mark.django_db


@pytest.fixture
def made(make_event: Make) -> Made:
    return make_event(players=4, started=True)


@pytest.fixture
def round_(made: Made) -> Round:
    return made.post_round()


@pytest.fixture
def match(round_: Round) -> Match:
    return round_.matches.get(table=1)


def players_of(match: Match) -> tuple[Player, Player]:
    a, b = (seat.player for seat in match.seats.select_related("player__user").order_by("index"))
    return a, b


def report(made: Made, match: Match, player: Player, wins: int, losses: int, draws: int = 0, **options: Any) -> Change:
    return results.report_result(
        event_id=made.event.pk,
        actor=actor_of(user_of(player)),
        match_id=match.pk,
        player_id=player.pk,
        wins=wins,
        losses=losses,
        draws=draws,
        **options,
    )


def test_the_feed_is_told_whom_a_report_concerns_and_that_a_posting_concerns_everybody(
    made: Made, match: Match
) -> None:
    posted = OutboxMessage.objects.get(event=made.event, payload__has_key="news").payload
    a, b = players_of(match)
    change = report(made, match, a, 2, 1)
    told = OutboxMessage.objects.filter(event=made.event).latest("pk")
    assert ("players" in posted, len(posted["news"])) == (False, 4)
    assert posted["news"][str(a.pk)] == f"Round 1: table 1 against {b.shown_name}"
    assert told.payload == {
        "code": made.event.code,
        "version": change.version,
        "players": sorted([a.pk, b.pk]),
    }


def withdraw(made: Made, match: Match, player: Player) -> Change:
    return results.withdraw_report(
        event_id=made.event.pk, actor=actor_of(user_of(player)), match_id=match.pk, player_id=player.pk
    )


def decide(made: Made, match: Match, wins_a: int, wins_b: int, draws: int = 0, **options: Any) -> Change:
    return results.decide_result(
        event_id=made.event.pk,
        actor=made.by_organiser,
        match_id=match.pk,
        wins_a=wins_a,
        wins_b=wins_b,
        draws=draws,
        **options,
    )


def turns(made: Made, match: Match, number: int) -> Change:
    return note_extra_turns(event_id=made.event.pk, actor=made.by_organiser, match_id=match.pk, turns=number)


def call_time(made: Made, round_: Round) -> None:
    rounds.call_time(event_id=made.event.pk, actor=made.by_organiser, round_number=round_.sequence)


def games(match: Match) -> list[tuple[str | None, int | None, int | None, int | None]]:
    rows = Seat.objects.filter(match=match).order_by("index")
    return list(rows.values_list("outcome", "game_wins", "game_losses", "game_draws"))


OPEN = [(None, None, None, None)] * 2


# -- claims -----------------------------------------------------------------------------------------------------------


def test_one_report_is_a_claim_and_the_equal_one_confirms_it(made: Made, match: Match) -> None:
    a, b = players_of(match)
    with one_change(made.event, "result.reported"):
        first = report(made, match, b, 2, 1)
    assert first.facts == {"match": match.pk, "state": "reported", "match_version": 1}
    assert games(match) == OPEN
    with one_change(made.event, "result.reported", "result.confirmed"):
        second = report(made, match, a, 1, 2)
    assert second.facts == {"match": match.pk, "state": "confirmed", "match_version": 2}
    assert games(match) == [("loss", 1, 2, 0), ("win", 2, 1, 0)]
    result = Result.objects.get(match=match)
    assert (result.source, result.decided_by, result.superseded_at) == ("players", None, None)
    assert result.scores == last_entry(made.event).payload["scores"]
    assert result.scores == [
        {"player": a.pk, "wins": 1, "losses": 2, "draws": 0, "outcome": "loss"},
        {"player": b.pk, "wins": 2, "losses": 1, "draws": 0, "outcome": "win"},
    ]


def test_two_words_make_a_dispute_that_the_last_word_can_end(made: Made, match: Match) -> None:
    a, b = players_of(match)
    report(made, match, a, 2, 0)
    with one_change(made.event, "result.reported", "result.disputed"):
        assert report(made, match, b, 2, 0).facts["state"] == "disputed"
    assert games(match) == OPEN
    assert {row.player: row.record.wins for row in current_standings(made.event)} == dict.fromkeys(
        [player.pk for player in made.players], 0
    )
    assert report(made, match, b, 0, 2).facts["state"] == "confirmed"
    assert games(match) == [("win", 2, 0, 0), ("loss", 0, 2, 0)]


def test_the_same_winner_with_another_score_is_a_dispute(made: Made, match: Match) -> None:
    a, b = players_of(match)
    report(made, match, a, 2, 0)
    assert report(made, match, b, 1, 2).facts["state"] == "disputed"


def test_nobody_confirms_themselves(made: Made, match: Match) -> None:  # T20
    a, _ = players_of(match)
    report(made, match, a, 2, 0)
    assert report(made, match, a, 2, 0).facts["state"] == "reported"
    assert report(made, match, a, 0, 2).facts["state"] == "reported"
    assert (match.reports.count(), games(match)) == (1, OPEN)


def test_a_report_sent_twice_counts_once(made: Made, match: Match) -> None:
    a, _ = players_of(match)
    first = report(made, match, a, 2, 0, command=Command(key="my-report"))
    with nothing_new(), pytest.raises(AlreadyDone) as repeat:
        report(made, match, a, 2, 0, command=Command(key="my-report"))
    assert repeat.value.change == first


def test_a_report_is_taken_back_until_it_is_confirmed(made: Made, match: Match) -> None:
    a, b = players_of(match)
    with refused(Conflict, "match.not_reported", 409):
        withdraw(made, match, a)
    report(made, match, a, 2, 0)
    report(made, match, b, 2, 0)
    with one_change(made.event, "result.withdrawn"):
        assert withdraw(made, match, a).facts["state"] == "reported"
    assert withdraw(made, match, b).facts == {"match": match.pk, "state": "open", "match_version": 4}
    report(made, match, a, 2, 0)
    report(made, match, b, 0, 2)
    with refused(Conflict, "match.decided", 409):
        withdraw(made, match, a)


# -- whose match it is ------------------------------------------------------------------------------------------------


def test_a_player_of_another_table_reports_nothing_here(made: Made, round_: Round, match: Match) -> None:  # draft T24
    stranger = players_of(round_.matches.get(table=2))[0]
    for service in (lambda: report(made, match, stranger, 2, 0), lambda: withdraw(made, match, stranger)):
        with refused(NotAllowed, "match.not_yours", 403):
            service()


def test_a_match_that_nobody_may_know_of_is_not_found(made: Made, make_event: Make) -> None:
    draft = made.draft_round().matches.get(table=1)
    elsewhere = make_event(players=2, started=True, name="Another Open")
    foreign = elsewhere.post_round().matches.get()
    player = made.players[0]
    for hidden in (draft, foreign, Match(pk=2**40)):
        for service in (
            lambda hidden=hidden: report(made, hidden, player, 2, 0),
            lambda hidden=hidden: withdraw(made, hidden, player),
            lambda hidden=hidden: decide(made, hidden, 2, 0),
            lambda hidden=hidden: turns(made, hidden, 1),
        ):
            with refused(NotFound, "match.unknown", 404, {"match": hidden.pk}):
                service()


def test_a_bye_is_not_reported(make_event: Make) -> None:
    made = make_event(players=3, started=True)
    bye = made.post_round().matches.get(table=None)
    player = bye.seats.get().player
    for service in (lambda: report(made, bye, player, 2, 0), lambda: decide(made, bye, 0, 2, reason="No.")):
        with refused(Conflict, "match.decided", 409):
            service()


def test_an_old_view_of_the_match_is_stale(made: Made, match: Match) -> None:
    a, b = players_of(match)
    report(made, match, a, 2, 0, match_version=0)
    version = made.refresh().version
    for service in (
        lambda: report(made, match, b, 0, 2, match_version=0),
        lambda: decide(made, match, 2, 0, match_version=0),
    ):
        with refused(Conflict, "event.stale", 409, {"version": version}):
            service()
    report(made, match, b, 0, 2, match_version=1)


def test_a_complete_round_is_closed(made: Made, round_: Round, match: Match) -> None:
    for other in round_.matches.all():
        decide(made, other, 2, 0)
    rounds.complete_round(event_id=made.event.pk, actor=made.by_organiser, round_number=1)
    player = players_of(match)[0]
    for service in (
        lambda: report(made, match, player, 2, 0),
        lambda: withdraw(made, match, player),
        lambda: decide(made, match, 0, 2, reason="A slip was misread."),
        lambda: turns(made, match, 1),
    ):
        with refused(Conflict, "round.closed", 409):
            service()


def test_what_is_confirmed_is_not_reported_again(made: Made, match: Match) -> None:
    decide(made, match, 2, 0)
    with refused(Conflict, "match.decided", 409):
        report(made, match, players_of(match)[1], 2, 0)


# -- scores -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("score", "code"),
    [
        ((-1, 2, 0), "score.negative"),
        ((2, 2, 0), "score.two_winners"),
        ((3, 0, 0), "score.too_many_wins"),
        ((2, 0, 4), "score.too_many_draws"),
        ((1, 0, 0), "score.not_finished"),
        ((1, 1, 1), "score.not_finished"),
    ],
)
def test_scores_that_can_not_be(made: Made, match: Match, score: tuple[int, int, int], code: str) -> None:
    for service in (lambda: report(made, match, players_of(match)[1], *score), lambda: decide(made, match, *score)):
        with refused(DomainError, code, 400):
            service()


def test_at_time_a_match_may_be_drawn_or_led(made: Made, round_: Round, match: Match) -> None:
    a, b = players_of(match)
    call_time(made, round_)
    report(made, match, a, 1, 1, 1)
    report(made, match, b, 1, 1, 1)
    assert games(match) == [("draw", 1, 1, 1)] * 2
    other = round_.matches.get(table=2)
    decide(made, other, 0, 1)
    assert games(other) == [("loss", 0, 1, 0), ("win", 1, 0, 0)]


# -- decisions --------------------------------------------------------------------------------------------------------


def test_staff_decide_a_dispute_with_a_reason(made: Made, match: Match) -> None:
    a, b = players_of(match)
    report(made, match, a, 2, 0)
    report(made, match, b, 2, 1)
    for reason in ("", "  ", "x" * 301):
        with refused(DomainError, "result.reason", 400):
            decide(made, match, 2, 1, reason=reason)
    with one_change(made.event, "result.confirmed"):
        assert decide(made, match, 2, 1, reason=" Games were recounted. ").facts["state"] == "confirmed"
    result = Result.objects.get(match=match)
    assert (result.source, result.decided_by, result.reason) == ("staff", made.organiser, "Games were recounted.")


def test_a_correction_supersedes_and_overwrites_nothing(made: Made, match: Match) -> None:
    decide(made, match, 2, 0)
    with refused(DomainError, "result.reason", 400):
        decide(made, match, 0, 2)
    decide(made, match, 0, 2, reason="Seats were swapped.")
    first, second = Result.objects.filter(match=match).order_by("pk")
    assert first.superseded_at == second.decided_at
    assert second.superseded_at is None
    assert [score["outcome"] for score in first.scores] == ["win", "loss"]
    assert games(match) == [("loss", 0, 2, 0), ("win", 2, 0, 0)]


def test_extra_turns_are_counted_from_time_up_to_the_policys_number(made: Made, round_: Round, match: Match) -> None:
    with refused(Conflict, "round.not_at_time", 409):
        turns(made, match, 1)
    call_time(made, round_)
    for number in (-1, 6):
        with refused(DomainError, "match.extra_turns", 400, {"turns": number, "limit": 5}):
            turns(made, match, number)
    for number in (0, 5):
        with one_change(made.event, "match.extra_turns"):
            turns(made, match, number)
        match.refresh_from_db()
        assert match.extra_turns == number


def test_elimination_has_a_winner(make_event: Make) -> None:  # T29
    made = make_event(players=2, started=True)
    made.play_round()
    made.next_stage()
    round_ = made.post_round()
    match = round_.matches.get()
    a, b = players_of(match)
    call_time(made, round_)
    for service in (
        lambda: report(made, match, a, 1, 1),
        lambda: report(made, match, a, 0, 0, 1),
        lambda: decide(made, match, 1, 1, reason="Time."),
    ):
        with refused(DomainError, "score.elimination_needs_winner", 400):
            service()
    with refused(Conflict, "round.results_missing", 409):
        rounds.complete_round(event_id=made.event.pk, actor=made.by_organiser, round_number=round_.sequence)
    decide(made, match, 1, 2, reason="Higher life total after the extra turns.")
    assert games(match) == [("loss", 1, 2, 0), ("win", 2, 1, 0)]
    rounds.complete_round(event_id=made.event.pk, actor=made.by_organiser, round_number=round_.sequence)
    made.finish()
    assert made.event.state == "finished"
