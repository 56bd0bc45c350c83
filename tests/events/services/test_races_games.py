"""Two phones at one table: each race has one outcome, and a control that shows the fault without the guard."""

from __future__ import annotations

import threading
import uuid
from collections.abc import Callable
from typing import Any

import pytest
from django.db import IntegrityError
from django.test import Client

from config.errors import Conflict
from events.models import ExtraTurn, Game, Match, Player, Result, ResultReport
from events.services import games, results, rounds, turns
from events.services.transaction import Change
from tests.events.factories import Made, actor_of, make_event, user_of
from tests.events.services.test_races import without_walls
from tests.threads import at_once, lock_no_rows, meeting, of_type

pytestmark = [pytest.mark.race, pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("packs")]


def table(*, at_time: bool = False) -> tuple[Made, Match, Player, Player]:
    made = make_event(players=2, started=True)
    match = made.post_round().matches.get()
    if at_time:
        rounds.call_time(event_id=made.event.pk, actor=made.by_organiser, round_number=1)
    a, b = (seat.player for seat in match.seats.select_related("player__user").order_by("index"))
    return made, match, a, b


def tap(made: Made, match: Match, player: Player, number: int) -> Callable[[], Change]:
    return lambda: turns.count_turn(
        event_id=made.event.pk,
        actor=actor_of(user_of(player)),
        match_id=match.pk,
        number=number,
        player_id=player.pk,
    )


def game(made: Made, match: Match, player: Player, winner: Player) -> Callable[[], Change]:
    return lambda: games.record_game(
        event_id=made.event.pk,
        actor=actor_of(user_of(player)),
        match_id=match.pk,
        number=1,
        ending="won",
        winner_id=winner.pk,
        player_id=player.pk,
    )


def locks_off(monkeypatch: pytest.MonkeyPatch, module: Any) -> None:
    """No row is locked, and both have read the match before either goes on."""
    lock_no_rows(monkeypatch)
    meet, lock = meeting(2), module.lock_table

    def lock_together(*arguments: Any) -> Any:
        found = lock(*arguments)
        meet()
        return found

    monkeypatch.setattr(module, "lock_table", lock_together)


# -- two phones tap for one turn --------------------------------------------------------------------------------------


def test_two_phones_that_tap_at_once_count_one_turn() -> None:
    made, match, a, b = table(at_time=True)
    for number in range(4):
        answers = at_once(tap(made, match, a, number), tap(made, match, b, number))
        assert [answer.facts["extra_turns"] for answer in answers] == [number, number]
    match.refresh_from_db()
    assert (match.extra_turns, ExtraTurn.objects.filter(match=match).count()) == (3, 4)


def test_control_without_the_lock_one_turn_is_counted_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    made, match, a, b = table(at_time=True)
    locks_off(monkeypatch, turns)
    with without_walls("events_extraturn", "one_extra_turn_per_number"):
        answers = at_once(tap(made, match, a, 0), tap(made, match, b, 0))
        assert len(of_type(answers, Change)) == 2
        assert ExtraTurn.objects.filter(match=match, number=0).count() == 2


def test_without_the_lock_the_constraint_still_counts_it_once(monkeypatch: pytest.MonkeyPatch) -> None:
    made, match, a, b = table(at_time=True)
    locks_off(monkeypatch, turns)
    answers = at_once(tap(made, match, a, 0), tap(made, match, b, 0))
    assert (len(of_type(answers, Change)), len(of_type(answers, IntegrityError))) == (1, 1)
    assert ExtraTurn.objects.filter(match=match).count() == 1


# -- two players write the same game down -----------------------------------------------------------------------------


def test_two_players_who_write_one_game_down_differently_leave_one_and_a_refusal() -> None:
    made, match, a, b = table()
    answers = at_once(game(made, match, a, a), game(made, match, b, b))
    (kept,) = Game.objects.filter(match=match)
    (refusal,) = of_type(answers, Conflict)
    assert len(of_type(answers, Change)) == 1
    assert refusal.code == "game.other_state"
    assert refusal.context["games"] == [{"game": 1, "ending": "won", "winner": kept.winner_id}]


def test_control_without_the_lock_the_second_word_is_written_over_the_first(monkeypatch: pytest.MonkeyPatch) -> None:
    made, match, a, b = table()
    locks_off(monkeypatch, games)
    meet, ended = meeting(2), games._ended

    def read_together(found: Any) -> Any:
        rows = ended(found)
        meet()
        return rows

    monkeypatch.setattr(games, "_ended", read_together)
    answers = at_once(game(made, match, a, a), game(made, match, b, b))
    assert len(of_type(answers, Conflict)) == 0
    assert len(of_type(answers, Change)) + len(of_type(answers, IntegrityError)) == 2


# -- an undo against the report that would confirm it -----------------------------------------------------------------


def undo_and_report(made: Made, match: Match, a: Player, b: Player) -> list[Any]:
    def undo() -> Change:
        threading.current_thread().name = "undo"
        return results.withdraw_report(
            event_id=made.event.pk, actor=actor_of(user_of(a)), match_id=match.pk, player_id=a.pk
        )

    def report() -> Change:
        return results.report_result(
            event_id=made.event.pk, actor=actor_of(user_of(b)), match_id=match.pk, player_id=b.pk, wins=0, losses=2
        )

    return at_once(undo, report)


def reported() -> tuple[Made, Match, Player, Player]:
    made, match, a, b = table()
    results.report_result(
        event_id=made.event.pk, actor=actor_of(user_of(a)), match_id=match.pk, player_id=a.pk, wins=2, losses=0
    )
    return made, match, a, b


@pytest.mark.parametrize("attempt", range(3))
def test_an_undo_comes_before_the_confirming_report_or_is_refused(attempt: int) -> None:
    made, match, a, b = reported()
    undone, confirmed = undo_and_report(made, match, a, b)
    match.refresh_from_db()
    counts = Result.objects.filter(match=match).count()
    said = set(ResultReport.objects.filter(match=match).values_list("player", flat=True))
    if isinstance(undone, Conflict):
        assert undone.code == "match.decided"
        assert (match.state, counts, said) == ("confirmed", 1, {a.pk, b.pk})
    else:
        assert (match.state, counts, said) == ("reported", 0, {b.pk})
    assert isinstance(confirmed, Change)


def test_control_without_the_lock_a_confirmed_match_loses_its_state(monkeypatch: pytest.MonkeyPatch) -> None:
    made, match, a, b = reported()
    lock_no_rows(monkeypatch)
    meet, lock, done = meeting(2), results.lock_table, threading.Event()
    confirm = results.claim

    def lock_together(*arguments: Any) -> Any:
        found = lock(*arguments)
        meet()
        if threading.current_thread().name == "undo":
            done.wait(5)
        return found

    def claim_first(*arguments: Any, **options: Any) -> Any:
        change = confirm(*arguments, **options)
        threading.Timer(0.3, done.set).start()  # after its commit
        return change

    monkeypatch.setattr(results, "lock_table", lock_together)
    monkeypatch.setattr(results, "claim", claim_first)
    undo_and_report(made, match, a, b)
    match.refresh_from_db()
    assert (match.state, Result.objects.filter(match=match).count()) == ("reported", 1)


# -- T20 through the web ----------------------------------------------------------------------------------------------


def test_one_player_who_posts_twice_in_parallel_still_waits_for_the_other(  # T20
    as_user: Callable[[Player], Client],
) -> None:
    made, match, a, _ = table()
    clients = [as_user(a), as_user(a)]

    def post(client: Client) -> int:
        fields = {"idempotency_key": str(uuid.uuid4()), "match": match.pk, "score": "2-0"}
        return client.post(f"/e/{made.event.code}/me/report", fields).status_code

    assert at_once(*[lambda client=client: post(client) for client in clients]) == [302, 302]
    match.refresh_from_db()
    assert (match.state, match.reports.count(), Result.objects.count()) == ("reported", 1, 0)
