"""Time given at the desk and on the floor, and what the players and the wall show of it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client

from events.models import Match, Player, Round, TimeExtension
from events.queries.clocks import database_now
from events.services import clocks, results, rounds
from tests.events.clocking import clocked, minutes

from .conftest import said, version_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def hall(make_event):
    made = make_event(players=4, started=True)
    made.round_ = made.post_round()
    return made


def give(made, table: int, number: int, reason: str = "Deck check") -> None:
    match = made.round_.matches.get(table=table)
    clocks.extend_table(
        event_id=made.event.pk,
        actor=made.by_organiser,
        match_id=match.pk,
        minutes=number,
        reason=reason,
    )


@pytest.mark.parametrize(("pressed", "other", "seconds"), [("3", "", 180), ("5", "9", 300), ("other", "7", 420)])
def test_a_judge_gives_time_at_the_table_by_a_button_or_a_number(hall, send, pressed, other, seconds):
    match = hall.round_.matches.get(table=2)
    path = f"/e/{hall.event.code}/floor/{match.pk}/"

    answer = send(hall.judge, path + "extend", {"minutes": pressed, "other": other, "reason": "Deck check"})

    assert answer.url == path
    given = TimeExtension.objects.get()
    assert (given.match_id, given.seconds, given.reason, given.given_by) == (
        match.pk,
        seconds,
        "Deck check",
        hall.judge,
    )


def test_the_last_of_it_is_taken_back_at_the_table(hall, send, as_user):
    give(hall, 2, 1)
    give(hall, 2, 5, "Judge call")
    path = f"/e/{hall.event.code}/floor/{hall.round_.matches.get(table=2).pk}/"
    page = said(as_user(hall.judge).get(path))
    assert "+1 min Deck check" in page
    assert "+5 min Judge call" in page
    assert "by Odile Marchetti" in page

    send(hall.judge, path + "take-back-time")

    assert [given.seconds for given in TimeExtension.objects.all()] == [60]


def test_the_desk_gives_time_to_a_table_by_its_number(hall, send):
    path = f"/e/{hall.event.code}/desk/round/1/"

    answer = send(hall.organiser, path + "extend", {"table": "1", "minutes": "5", "reason": "Seated late"})

    assert (answer.url, TimeExtension.objects.get().match.table) == (path, 1)


@pytest.mark.parametrize(
    ("path", "data", "words"),
    [
        ("extend", {"table": "9", "minutes": "5", "reason": "x"}, "Round 1 has no table 9"),
        ("extend", {"table": "1", "minutes": "other", "reason": "x"}, "Press +1, +3 or +5"),
        ("extend", {"table": "1", "minutes": "99", "reason": "x"}, "Press +1, +3 or +5"),
        ("extend", {"table": "1", "minutes": "5"}, "Why: This field is required."),
        ("clock", {"minutes": "0", "reason": "x"}, "Give or take 1 to 120 minutes at a time."),
        ("clock", {"minutes": "five", "reason": "x"}, "Minutes: Enter a whole number."),
    ],
)
def test_a_slip_is_told_beside_the_round_and_changes_nothing(hall, send, path, data, words):
    before = version_of(hall.event)

    answer = send(hall.organiser, f"/e/{hall.event.code}/desk/round/1/{path}", data)

    assert (answer.status_code, version_of(hall.event)) == (400, before)
    assert words in said(answer)


def test_the_desk_makes_a_round_longer(hall, send, as_user):
    path = f"/e/{hall.event.code}/desk/round/1/"

    answer = send(hall.organiser, path + "clock", {"minutes": "10", "reason": "Late posting"}, event=hall.event)

    assert answer.url == path
    assert Round.objects.get(pk=hall.round_.pk).seconds == hall.round_.seconds + 600
    assert "The round lasts 60:00 now." in said(as_user(hall.organiser).get(path))
    assert "Round 1 was made 10 minutes longer: Late posting" in said(Client().get(f"/e/{hall.event.code}/log/"))


def test_a_clock_that_has_not_started_shows_the_length_of_the_round_and_not_of_the_policy(make_event):
    made = make_event(players=2, started=True)
    made.post_round(clock=False)
    clocks.adjust_clock(
        event_id=made.event.pk, actor=made.by_organiser, round_number=1, minutes=15, reason="A long first round"
    )

    assert "65:00 not started" in said(Client().get(f"/e/{made.event.code}/pairings/"))


def test_players_see_when_their_table_ends_and_why(hall, as_user):
    start = clocked(hall.round_, since=minutes(10), runs=[(minutes(0), None)])
    give(hall, 1, 6)
    one, other = (hall.round_.matches.get(table=table).seats.all()[0].player for table in (1, 2))
    end = start + minutes(56)

    page = as_user(one).get(f"/e/{hall.event.code}/me/").content.decode()

    assert f"ends {end:%H:%M:%S} (+6:00)" in page
    assert "Your table has extra time: Deck check." in page
    assert end.isoformat() in page
    theirs = as_user(other).get(f"/e/{hall.event.code}/me/").content.decode()
    assert (start + minutes(50)).isoformat() in theirs
    assert "+6:00" not in theirs


def test_a_table_with_minutes_left_is_not_told_that_time_is_up(hall, as_user):
    clocked(hall.round_, since=minutes(51), runs=[(minutes(0), None)])
    give(hall, 1, 6)
    rounds.call_time(event_id=hall.event.pk, actor=hall.by_organiser, round_number=1)
    one, other = (hall.round_.matches.get(table=table).seats.all()[0].player for table in (1, 2))

    figures = [
        re.findall(r'<span class="clock">\s*<(\w+)', as_user(player).get(f"/e/{hall.event.code}/me/").content.decode())
        for player in (one, other)
    ]

    assert figures == [["time"], ["span"]]


@dataclass(frozen=True)
class Late:
    """Time was called a minute ago, and the first table was given six minutes."""

    made: Any
    matches: dict[int, Match]

    def since(self, number: float) -> None:
        """Let the round have begun so many minutes ago."""
        clocked(self.made.round_, since=minutes(number), runs=[(minutes(0), None)])

    def seats(self, table: int) -> list[Player]:
        return [seat.player for seat in self.matches[table].seats.order_by("index").select_related("player__user")]


@pytest.fixture
def late(hall) -> Late:
    found = Late(hall, {match.table: match for match in hall.round_.matches.all()})
    found.since(51)
    give(hall, 1, 6)
    rounds.call_time(event_id=hall.event.pk, actor=hall.by_organiser, round_number=1)
    return found


def test_players_report_an_unfinished_match_once_their_own_time_is_over(late, as_user):
    me = f"/e/{late.made.event.code}/me/"
    tell = {"wins": 1, "losses": 0}

    def api(player: Player, table: int) -> tuple[int, str | None]:
        path = f"/api/v1/events/{late.made.event.code}/matches/{late.matches[table].pk}/reports"
        answer = as_user(player).post(path, tell, "application/json", headers={"Idempotency-Key": uuid4().hex})
        return answer.status_code, answer.json().get("code")

    first, second = late.seats(1)[0], late.seats(2)[0]
    assert "I won 1-0" not in said(as_user(first).get(me))
    assert "I won 1-0" not in said(as_user(first).get(me + "match"))
    assert "I won 1-0" in said(as_user(second).get(me))
    assert api(first, 1) == (400, "score.not_finished")
    assert api(second, 2) == (200, None)

    Round.objects.filter(pk=late.made.round_.pk).update(time_called_at=database_now() - minutes(7))
    late.since(57)
    assert "I won 1-0" in said(as_user(first).get(me + "match"))
    assert api(first, 1) == (200, None)


def test_extra_turns_and_unfinished_games_wait_for_the_tables_own_time(late, send):
    me, (first, _), (second, _) = f"/e/{late.made.event.code}/me", late.seats(1), late.seats(2)

    def turn(player: Player, table: int) -> int:
        data = {"match": late.matches[table].pk, "number": 0, "finished_by": player.pk}
        return send(player.user, f"{me}/turn", data).status_code

    def unfinished(player: Player, table: int) -> int:
        data = {"match": late.matches[table].pk, "number": 1, "ending": "unfinished"}
        return send(player.user, f"{me}/game", data).status_code

    assert [turn(first, 1), unfinished(first, 1)] == [409, 409]
    assert [turn(second, 2), unfinished(second, 2)] == [302, 302]


def test_staff_end_a_table_as_it_stands_whatever_it_was_given(late):
    match = late.matches[1]
    results.decide_result(
        event_id=late.made.event.pk, actor=late.made.by_organiser, match_id=match.pk, wins_a=1, wins_b=0
    )
    match.refresh_from_db()
    assert match.state == Match.State.CONFIRMED


def test_a_game_that_ends_in_a_tables_own_time_is_none_after_time(late, send):
    me = f"/e/{late.made.event.code}/me"
    for table in (1, 2):
        send(
            late.seats(table)[0].user,
            f"{me}/game",
            {"match": late.matches[table].pk, "number": 1, "ending": "won"},
        )
    assert [late.matches[table].games.get(number=1).after_time for table in (1, 2)] == [False, True]


@pytest.mark.parametrize("place", ["desk/round/1/", "floor/", "wall/"])
def test_tables_that_play_on_after_time_stand_by_their_end_with_their_turns(make_event, as_user, place):
    made = make_event(players=8, started=True)
    made.round_ = made.post_round()
    clocked(made.round_, since=minutes(51), runs=[(minutes(0), None)])
    give(made, 1, 6)
    give(made, 3, 3)
    rounds.call_time(event_id=made.event.pk, actor=made.by_organiser, round_number=1)
    made.round_.matches.filter(table=2).update(extra_turns=2)
    decided = made.round_.matches.get(table=4)
    made.report(decided.seats.all()[0].player, made.round_, 2, 0)
    made.report(decided.seats.all()[1].player, made.round_, 0, 2)

    page = said(as_user(made.organiser).get(f"/e/{made.event.code}/{place}"))

    board = page[page.index("Still playing") :]
    places = [board.index(words) for words in (" 2 ", "+3:00", "+6:00")]
    assert places == sorted(places)
    assert decided.seats.all()[0].player.name not in board[: places[-1]]
    if place != "wall/":
        assert "extra turn 2 of" in board


def test_before_time_the_wall_tells_only_of_tables_with_time_of_their_own(hall):
    assert "More time" not in said(Client().get(f"/e/{hall.event.code}/wall/"))
    give(hall, 2, 3)

    assert "More time 2" in said(Client().get(f"/e/{hall.event.code}/wall/"))


def test_the_wall_is_sent_afresh_as_soon_as_time_is_up(hall):
    clocked(hall.round_, since=minutes(10), runs=[(minutes(0), None)])
    client, path = Client(), f"/e/{hall.event.code}/wall/"
    first = client.get(path, headers={"HX-Request": "true"})["ETag"]
    clocked(hall.round_, since=minutes(50), runs=[(minutes(0), None)])

    answer = client.get(path, headers={"HX-Request": "true", "If-None-Match": first})

    assert answer.status_code == 200
    assert "Still playing" in said(answer)


def test_the_time_that_decides_is_that_of_the_database(hall):
    answer = Client().get("/e/now")

    assert (answer.status_code, answer["Cache-Control"]) == (200, "no-store")
    assert re.fullmatch(r'\{"now": "\d{4}-\d\d-\d\dT[\d:.]+\+00:00"\}', answer.content.decode())
