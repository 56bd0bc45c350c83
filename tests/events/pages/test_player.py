from __future__ import annotations

import re
import uuid
from datetime import datetime, timedelta

import pytest
from django.test import Client
from django.utils import timezone

from events.models import IdempotencyRecord, Match, Player, Result, ResultReport, TimeExtension
from events.services import results, rounds
from tests.events.factories import make_user
from tests.events.pages.test_public import words


def send(client: Client, address: str, **fields: object):
    """A POST with a key of its own unless ``idempotency_key`` is given."""
    return client.post(address, {"idempotency_key": str(uuid.uuid4()), **fields})


@pytest.fixture
def duel(make_event, as_user):
    """(event, round, two players at one table, their clients)"""
    made = make_event(players=2, started=True)
    round_ = made.post_round()
    ada, bela = made.players
    return made, round_, ada, bela, as_user(ada), as_user(bela)


# -- registration -----------------------------------------------------------------------------------------------------


def test_somebody_registers_checks_in_and_is_told_what_is_missing(make_event, as_user):
    made = make_event(players=1)
    client = as_user(make_user("Xenia Roth"))
    address = f"/e/{made.event.code}"

    assert send(client, f"{address}/register")["Location"] == f"{address}/me/"
    before = words(client.get(f"{address}/me/"))
    send(client, f"{address}/me/check-in")
    after = words(client.get(f"{address}/me/"))

    entry = Player.objects.get(event=made.event, name="Xenia Roth")
    assert entry.state == Player.State.CHECKED_IN
    assert "Hand in your decklist Until round 1 is posted Write my decklist Check in" in before
    assert "Checked in" in after
    assert f'action="{address}/me/check-in"' not in client.get(f"{address}/me/").content.decode()


def test_the_page_counts_down_to_the_deadline_of_decklists(make_event, as_user):
    made = make_event(players=1, decklist_deadline=timezone.now() + timedelta(hours=5, minutes=1))

    assert re.search(
        r"Until [^,]+, \d\d:\d\d, 5.hours.*left", words(as_user(made.players[0]).get(f"/e/{made.event.code}/me/"))
    )


def test_registering_twice_with_one_key_counts_once_and_with_another_is_refused(make_event, as_user):
    made = make_event(players=1)
    user = make_user("Xenia Roth")
    client, address = as_user(user), f"/e/{made.event.code}/register"

    first = send(client, address, idempotency_key="one-and-the-same")
    again = send(client, address, idempotency_key="one-and-the-same")
    other = send(client, address)

    assert (first.status_code, again.status_code, other.status_code) == (302, 302, 409)
    assert made.event.players.filter(user=user).count() == 1
    assert IdempotencyRecord.objects.filter(key="one-and-the-same").count() == 1


def test_a_full_event_takes_nobody_more(make_event, as_user):
    made = make_event(players=2, capacity=2)
    client = as_user(make_user("Xenia Roth"))

    assert send(client, f"/e/{made.event.code}/register").status_code == 409
    assert "All 2 places are taken." in words(client.get(f"/e/{made.event.code}/"))


ACTS = ("register", "me/check-in", "me/drop", "me/report", "me/withdraw", "draft/pick")


@pytest.mark.parametrize("act", ACTS)
def test_a_stranger_is_sent_to_log_in_and_comes_back_to_a_page_that_exists(make_event, as_user, act):
    made = make_event(players=1)
    address = f"/e/{made.event.code}/{act}"

    answer = send(Client(), address)

    assert (answer.status_code, answer["Location"]) == (302, f"/account/login/?next={address}")
    assert as_user(made.players[0]).get(address).status_code in (200, 302)


@pytest.mark.parametrize("act", ACTS)
def test_without_a_key_nothing_is_done(make_event, as_user, act):
    made = make_event(players=1)
    version = made.event.version

    answer = as_user(made.players[0]).post(f"/e/{made.event.code}/{act}", {"match": 1, "score": "2-0", "card": 1})

    assert answer.status_code == 400
    assert made.refresh().version == version


@pytest.mark.parametrize("act", ACTS[1:])
def test_who_does_not_play_may_not_act_as_a_player(make_event, as_user, act):
    made = make_event(players=1)

    assert (
        send(as_user(make_user("Xenia Roth")), f"/e/{made.event.code}/{act}", match=1, score="2-0").status_code == 403
    )


def test_a_form_from_a_page_that_is_old_is_refused_with_the_state_as_it_is(make_event, as_user):
    made = make_event(players=1)
    client = as_user(made.players[0])

    answer = send(client, f"/e/{made.event.code}/me/drop", version=made.event.version - 1)

    assert answer.status_code == 409
    assert "The event has changed since you looked." in words(answer)
    assert Player.objects.get(pk=made.players[0].pk).state == Player.State.REGISTERED


def test_dropping_asks_first_and_can_be_read_afterwards(make_event, as_user):
    made = make_event(players=3, started=True)
    made.play_round()
    client, address = as_user(made.players[0]), f"/e/{made.event.code}"

    asked = words(client.get(f"{address}/me/drop"))
    state = Player.objects.get(pk=made.players[0].pk).state
    send(client, f"{address}/me/drop")

    assert "You are not paired again." in asked
    assert state == Player.State.CHECKED_IN
    assert "You have dropped After round 1." in words(client.get(f"{address}/me/"))


# -- the match --------------------------------------------------------------------------------------------------------


def test_the_match_stands_on_the_page_with_table_opponent_clock_and_reason(duel):
    made, round_, ada, bela, client, _ = duel

    answer = client.get(f"/e/{made.event.code}/me/")

    page = words(answer)
    assert "Table 1" in page
    assert "You against Bela Quist" in page
    assert "Both have 0 points. They have not met before in this event." in page
    assert re.search(r'data-deadline="20[^"]+" data-server-now="20[^"]+" data-running="1"', answer.content.decode())
    buttons = re.findall(r'name="score" value="([^"]+)"', answer.content.decode())
    assert buttons == ["2-0", "2-1", "0-2", "1-2"]


def test_at_time_a_draw_can_be_reported(duel):
    made, round_, ada, bela, client, other = duel
    address = f"/e/{made.event.code}/me/report"
    match = made.match_of(ada, round_)
    refused = send(client, address, match=match.pk, score="1-1")
    rounds.call_time(event_id=made.event.pk, actor=made.by_organiser, round_number=1)

    buttons = re.findall(r'name="score" value="([^"]+)"', client.get(f"/e/{made.event.code}/me/").content.decode())
    send(client, address, match=match.pk, score="1-1")
    send(other, address, match=match.pk, score="1-1")

    assert refused.status_code == 400
    assert "1-1" in buttons
    match.refresh_from_db()
    assert match.state == Match.State.CONFIRMED
    assert {seat.outcome for seat in match.seats.all()} == {"draw"}


def test_one_reports_and_the_other_confirms_with_one_press(duel):
    made, round_, ada, bela, client, other = duel
    match, page = made.match_of(ada, round_), f"/e/{made.event.code}/me/"

    send(client, f"{page}report", match=match.pk, score="2-1")
    mine, theirs = words(client.get(page)), other.get(page).content.decode()
    offered = re.search(r'name="score" value="([^"]+)">Yes: I lost 1-2<', theirs)[1]
    send(other, f"{page}report", match=match.pk, score=offered)

    assert "You said 2-1. Waiting for Bela Quist to confirm." in mine
    match.refresh_from_db()
    assert match.state == Match.State.CONFIRMED
    assert "Confirmed: 2-1 for you." in words(client.get(page))
    assert "Confirmed: 1-2 for you." in words(other.get(page))


def test_two_who_disagree_are_told_what_each_said(duel):
    made, round_, ada, bela, client, other = duel
    match, page = made.match_of(ada, round_), f"/e/{made.event.code}/me/"

    send(client, f"{page}report", match=match.pk, score="2-1")
    send(other, f"{page}report", match=match.pk, score="2-0")

    assert "You said 2-1, Bela Quist said 2-0 for themselves. Call a judge to table 1." in words(client.get(page))
    assert "You said 2-0, Ada Brook said 2-1 for themselves." in words(other.get(page))
    match.refresh_from_db()
    assert (match.state, Result.objects.count()) == (Match.State.DISPUTED, 0)


def test_a_report_is_undone_until_it_is_confirmed(duel):
    made, round_, ada, bela, client, other = duel
    match, page = made.match_of(ada, round_), f"/e/{made.event.code}/me/"
    send(client, f"{page}report", match=match.pk, score="2-1")

    undone = send(client, f"{page}withdraw", match=match.pk)
    send(client, f"{page}report", match=match.pk, score="2-0")
    send(other, f"{page}report", match=match.pk, score="0-2")
    too_late = send(client, f"{page}withdraw", match=match.pk)

    assert (undone.status_code, too_late.status_code) == (302, 409)
    match.refresh_from_db()
    assert match.state == Match.State.CONFIRMED


def test_drawn_games_are_reported_by_number(duel):
    made, round_, ada, bela, client, _ = duel
    match = made.match_of(ada, round_)

    send(client, f"/e/{made.event.code}/me/report", match=match.pk, wins="2", losses="0", draws="1")

    report = ResultReport.objects.get()
    assert (report.wins, report.losses, report.draws) == (2, 0, 1)


@pytest.mark.parametrize(
    ("fields", "status"),
    [
        ({"score": "2"}, 400),
        ({"score": "-1-2"}, 400),
        ({"score": "2-0-0-0"}, 400),
        ({"score": "٢-0"}, 400),
        ({"score": "999999999999-0"}, 400),
        ({"score": "3-0"}, 400),
        ({"score": "2-2"}, 400),
        ({"score": "2-0\x00"}, 400),
        ({"wins": "two"}, 400),
        ({}, 400),
        ({"score": "2-0", "match": "x"}, 400),
        ({"score": "2-0", "match": "-3"}, 400),
        ({"score": "2-0", "match": ""}, 400),
        ({"score": "2-0", "match": "9" * 18}, 404),
        ({"score": "2-0", "match": "9" * 40}, 400),
        ({"score": "2-0", "version": "x"}, 400),
        ({"score": "2-0", "version": "1"}, 409),
    ],
)
def test_a_result_that_is_none_is_refused_and_nothing_changes(duel, fields, status):
    made, round_, ada, bela, client, _ = duel
    match = made.match_of(ada, round_)

    answer = send(client, f"/e/{made.event.code}/me/report", **{"match": match.pk, **fields})

    assert answer.status_code == status
    assert ResultReport.objects.count() == 0
    match.refresh_from_db()
    assert (match.state, match.version) == (Match.State.OPEN, 0)


def test_nobody_reports_the_match_of_others_or_of_another_event(make_event, as_user):
    made, other = make_event(players=4, started=True), make_event(players=2, started=True, name="Other")
    round_, elsewhere = made.post_round(), other.post_round()
    stranger = next(player for player in made.players if player not in _table_of(made, round_, made.players[0]))
    client, address = as_user(made.players[0]), f"/e/{made.event.code}/me/report"

    theirs = send(client, address, match=made.match_of(stranger, round_).pk, score="2-0")
    foreign = send(client, address, match=other.match_of(other.players[0], elsewhere).pk, score="2-0")

    assert (theirs.status_code, foreign.status_code, ResultReport.objects.count()) == (403, 404, 0)


def _table_of(made, round_, player):
    return [player, made.opponent_of(player, round_)]


def test_a_repeated_report_is_one_report(duel):
    made, round_, ada, bela, client, _ = duel
    match, address = made.match_of(ada, round_), f"/e/{made.event.code}/me/report"

    answers = [send(client, address, match=match.pk, score="2-0", idempotency_key="same-report") for _ in range(3)]

    assert {answer.status_code for answer in answers} == {302}
    match.refresh_from_db()
    assert (match.version, ResultReport.objects.count()) == (1, 1)


def test_a_key_is_not_taken_for_another_result(duel):
    made, round_, ada, bela, client, _ = duel
    match, address = made.match_of(ada, round_), f"/e/{made.event.code}/me/report"
    send(client, address, match=match.pk, score="2-0", idempotency_key="same-report")

    assert send(client, address, match=match.pk, score="2-1", idempotency_key="same-report").status_code == 422


def test_extra_time_of_the_table_moves_its_deadline_and_is_named(duel):
    made, round_, ada, bela, client, _ = duel
    page = f"/e/{made.event.code}/me/"

    def deadline() -> datetime:
        found = re.search(r'data-deadline="([^"]+)"', client.get(page).content.decode())
        return datetime.fromisoformat(found[1])

    before = deadline()
    TimeExtension.objects.create(
        match=made.match_of(ada, round_), seconds=180, reason="deck check", given_at=round_.posted_at
    )

    assert (deadline() - before).total_seconds() == pytest.approx(180, abs=1)
    assert "+3:00 Your table has extra time: deck check." in words(client.get(page))


def test_a_bye_is_explained_and_asks_for_no_result(make_event, as_user):
    made = make_event(players=3, started=True)
    round_ = made.post_round()
    lone = round_.matches.get(table=None).seats.get().player

    answer = as_user(lone).get(f"/e/{made.event.code}/me/")

    assert "Round 1: you have the bye" in words(answer)
    assert "The number of players is odd" in words(answer)
    assert 'name="score"' not in answer.content.decode()


def test_the_page_keeps_place_and_past_matches(make_event, as_user):
    made = make_event(players=4, started=True)
    first = made.play_round()
    player = first.standings.get(rank=1).player

    page = words(as_user(player).get(f"/e/{made.event.code}/me/"))

    assert "1st of 4 after round 1, with 3 points" in page
    assert f"Round 1 {made.opponent_of(player, first).name} win 2-0" in page


def test_staff_decide_and_the_player_reads_it(duel):
    made, round_, ada, bela, client, _ = duel
    match = made.match_of(ada, round_)
    first = match.seats.get(index=0).player
    results.decide_result(event_id=made.event.pk, actor=made.by_organiser, match_id=match.pk, wins_a=2, wins_b=1)

    expected = "2-1" if first == ada else "1-2"
    assert f"Confirmed: {expected} for you." in words(client.get(f"/e/{made.event.code}/me/"))
