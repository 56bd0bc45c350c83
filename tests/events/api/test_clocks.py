"""Clocks through the API: pauses, time of a table's own, and a round made longer or shorter."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any

import pytest

from events.models import LogEntry, Round, TimeExtension
from events.services import rounds
from tests.events.clocking import clocked, minutes
from tests.events.factories import Made

pytestmark = pytest.mark.django_db
Make = Callable[..., Made]


@pytest.fixture
def hall(make_event: Make) -> Made:
    """Eight players at four tables, the clock of 50 minutes running."""
    made = make_event(players=8, started=True)
    made.post_round()
    Round.objects.filter(event=made.event).update(seconds=3000)
    return made


def match_at(made: Made, table: int) -> int:
    return Round.objects.get(event=made.event).matches.get(table=table).pk


def clocks(program: Any, made: Made) -> dict[str, Any]:
    answer = program.get(f"events/{made.event.code}/clocks")
    assert answer.status_code == 200
    return answer.json()


def at(text: str) -> datetime:
    return datetime.fromisoformat(text)


def version(made: Made) -> int:
    return made.refresh().version


def test_in_a_pause_half_an_hour_is_left(hall, nobody) -> None:
    """T31 at 10:25: started at 10:00, stopped at 10:20."""
    clocked(Round.objects.get(event=hall.event), since=minutes(25), runs=[(minutes(0), minutes(20))])

    found = clocks(nobody, hall)["clock"]

    assert (found["phase"], found["remaining"]) == ("paused", 1800)
    assert (at(found["deadline"]) - at(found["now"])).total_seconds() == 1800


def test_a_table_with_six_minutes_more_ends_six_minutes_after_the_others(hall, program, nobody) -> None:
    """T31 at 10:45: stopped from 10:20 to 10:27:30, and table 4 got its time at 10:31."""
    runs = [(minutes(0), minutes(20)), (minutes(27.5), None)]
    start = clocked(Round.objects.get(event=hall.event), since=minutes(45), runs=runs)

    match = match_at(hall, 4)
    path = f"events/{hall.event.code}/matches/{match}/extensions"
    given = program(hall.judge).post(path, {"minutes": 6, "reason": "Deck check."}).json()

    assert given == {"version": version(hall), "match": match, "table": 4, "seconds": 360, "match_version": 1}
    found = clocks(nobody, hall)
    assert at(found["clock"]["deadline"]) == start + minutes(57.5)
    assert 748 <= found["clock"]["remaining"] <= 750
    [four] = found["tables"]
    assert (four["table"], at(four["clock"]["deadline"])) == (4, start + minutes(63.5))
    assert 1108 <= four["clock"]["remaining"] <= 1110


def test_after_time_the_tables_that_play_on_stand_by_their_own_end(hall, program, nobody) -> None:
    start = clocked(Round.objects.get(event=hall.event), since=minutes(51), runs=[(minutes(0), None)])
    path = f"events/{hall.event.code}/matches/{match_at(hall, 1)}/extensions"
    program(hall.judge).post(path, {"minutes": 6, "reason": "Deck check."})
    over = clocks(nobody, hall)
    assert [(table["table"], table["clock"]["phase"]) for table in over["tables"]] == [
        (2, "time"),
        (3, "time"),
        (4, "time"),
        (1, "running"),
    ]

    rounds.call_time(event_id=hall.event.pk, actor=hall.by_organiser, round_number=1)

    found = clocks(nobody, hall)
    assert found["clock"]["phase"] == "time"
    assert [(table["table"], at(table["clock"]["deadline"])) for table in found["tables"]] == [
        (2, start + minutes(50)),
        (3, start + minutes(50)),
        (4, start + minutes(50)),
        (1, start + minutes(56)),
    ]


def test_time_that_is_called_early_leaves_a_table_its_own_minutes_from_there(hall, program, nobody) -> None:
    round_ = Round.objects.get(event=hall.event)
    clocked(round_, since=minutes(10), runs=[(minutes(0), minutes(5))])
    path = f"events/{hall.event.code}/matches/{match_at(hall, 2)}/extensions"
    program(hall.judge).post(path, {"minutes": 3, "reason": "Judge call."})

    rounds.call_time(event_id=hall.event.pk, actor=hall.by_organiser, round_number=1)

    called = Round.objects.get(pk=round_.pk).time_called_at
    found = clocks(nobody, hall)
    assert at(found["clock"]["deadline"]) == called
    assert at(found["tables"][-1]["clock"]["deadline"]) == called + minutes(3)


def test_why_a_table_has_time_is_for_the_table_and_for_staff(hall, program, nobody) -> None:
    match = Round.objects.get(event=hall.event).matches.get(table=2)
    path = f"events/{hall.event.code}/matches/{match.pk}/extensions"
    program(hall.judge).post(path, {"minutes": 1, "reason": "Unwell."})
    sitting = [seat.player for seat in match.seats.all()]
    elsewhere = next(player for player in hall.players if player not in sitting)

    def reasons(reader: Any) -> list[str | None]:
        return [given.get("reason") for table in clocks(reader, hall)["tables"] for given in table["extensions"]]

    assert [reasons(nobody), reasons(program(elsewhere))] == [[None], [None]]
    assert [reasons(program(person)) for person in (*sitting, hall.judge)] == [["Unwell."]] * 3
    assert "Unwell." not in nobody.get(f"events/{hall.event.code}/log").content.decode()
    assert "Unwell." in program(hall.judge).get(f"events/{hall.event.code}/log").content.decode()


def test_the_last_time_given_is_taken_back_and_the_one_before_stays(hall, program) -> None:
    judge, path = program(hall.judge), f"events/{hall.event.code}/matches/{match_at(hall, 3)}/extensions"
    for number in (1, 5):
        judge.post(path, {"minutes": number, "reason": "Judge call."})

    taken = judge.send("DELETE", path)

    assert (taken.status_code, taken.json()["seconds"]) == (200, 60)
    assert judge.send("DELETE", path).json()["seconds"] == 0
    nothing = judge.send("DELETE", path)
    assert (nothing.status_code, nothing.json()["code"]) == (409, "match.not_extended")
    kinds = LogEntry.objects.filter(event=hall.event, kind__startswith="match.").order_by("seq")
    assert [(row.kind, row.payload["seconds"]) for row in kinds] == [
        ("match.extended", 60),
        ("match.extended", 300),
        ("match.extension_taken_back", 300),
        ("match.extension_taken_back", 60),
    ]


def test_one_command_sent_twice_gives_time_once(hall, program) -> None:
    judge, path = program(hall.judge), f"events/{hall.event.code}/matches/{match_at(hall, 3)}/extensions"

    answers = [judge.post(path, {"minutes": 3, "reason": "Judge call."}, key="the-same-key") for _ in range(2)]

    assert answers[0].json() == answers[1].json()
    assert TimeExtension.objects.get().given_by_id == hall.judge.pk


def test_a_round_is_made_longer_and_shorter_and_everybody_reads_why(hall, program, nobody) -> None:
    start = clocked(Round.objects.get(event=hall.event), since=minutes(10), runs=[(minutes(0), None)])
    path = f"events/{hall.event.code}/rounds/1/adjust-clock"
    desk = program(hall.organiser)

    longer = desk.post(path, {"minutes": 10, "reason": "Late posting."}, version=version(hall))
    shorter = desk.post(path, {"minutes": -5, "reason": "The hall closes."}, version=version(hall))

    assert [longer.json()["seconds"], shorter.json()["seconds"]] == [3600, 3300]
    assert at(clocks(nobody, hall)["clock"]["deadline"]) == start + minutes(55)
    log = nobody.get(f"events/{hall.event.code}/log").json()["results"]
    assert [row["payload"]["reason"] for row in log if row["kind"] == "clock.adjusted"] == [
        "Late posting.",
        "The hall closes.",
    ]


@pytest.mark.parametrize(
    ("path", "body", "status", "code"),
    [
        ("rounds/1/adjust-clock", {"minutes": 0, "reason": "x"}, 400, "clock.minutes"),
        ("rounds/1/adjust-clock", {"minutes": 121, "reason": "x"}, 400, "clock.minutes"),
        ("rounds/1/adjust-clock", {"minutes": -51, "reason": "x"}, 400, "clock.minutes"),
        ("rounds/9/adjust-clock", {"minutes": 1, "reason": "x"}, 404, "round.unknown"),
        ("matches/{match}/extensions", {"minutes": 0, "reason": "x"}, 400, "clock.minutes"),
        ("matches/{match}/extensions", {"minutes": 121, "reason": "x"}, 400, "clock.minutes"),
        ("matches/0/extensions", {"minutes": 1, "reason": "x"}, 404, "match.unknown"),
        ("matches/{match}/extensions", {"minutes": 1, "reason": "   "}, 400, None),
        ("matches/{match}/extensions", {"minutes": 1}, 400, None),
        ("matches/{match}/extensions", {"minutes": "1", "reason": "x"}, 400, None),
    ],
)
def test_what_cannot_be_is_refused_and_changes_nothing(hall, program, path, body, status, code) -> None:
    before = version(hall)

    answer = program(hall.organiser).post(
        f"events/{hall.event.code}/{path.format(match=match_at(hall, 1))}", body, version=before
    )

    assert (answer.status_code, version(hall)) == (status, before)
    assert code is None or answer.json()["code"] == code


def test_a_decided_table_and_a_round_at_time_are_given_nothing(hall, program) -> None:
    match = match_at(hall, 1)
    desk, here = program(hall.organiser), f"events/{hall.event.code}"
    desk.post(f"{here}/matches/{match}/result", {"wins_a": 2, "wins_b": 0}, version=version(hall))
    rounds.call_time(event_id=hall.event.pk, actor=hall.by_organiser, round_number=1)
    before = version(hall)

    table = desk.post(f"{here}/matches/{match}/extensions", {"minutes": 1, "reason": "x"})
    round_ = desk.post(f"{here}/rounds/1/adjust-clock", {"minutes": 1, "reason": "x"}, version=before)

    assert [(answer.status_code, answer.json()["code"]) for answer in (table, round_)] == [
        (409, "match.decided"),
        (409, "round.state"),
    ]
    assert version(hall) == before


def test_a_player_gives_no_time_and_a_judge_does_not_change_the_round(hall, program, nobody) -> None:
    table = f"events/{hall.event.code}/matches/{match_at(hall, 1)}/extensions"
    round_ = f"events/{hall.event.code}/rounds/1/adjust-clock"
    body = {"minutes": 1, "reason": "x"}

    statuses = [program(hall.players[0]).post(table, body).status_code, nobody.post(table, body).status_code]
    statuses.append(program(hall.judge).post(round_, body, version=version(hall)).status_code)

    assert statuses == [403, 401, 403]


def test_without_a_round_there_is_no_clock_and_a_draft_is_not_told_of(make_event, nobody) -> None:
    made = make_event(players=2, started=True)
    made.draft_round()

    found = clocks(nobody, made)

    assert {key: found[key] for key in ("round", "clock", "tables")} == {"round": None, "clock": None, "tables": []}


@pytest.mark.parametrize("players", [2, 6])
def test_clocks_take_the_same_queries_for_any_number_of_tables(
    make_event, nobody, players, django_assert_num_queries
) -> None:
    made = make_event(players=players, started=True)
    clocked(made.post_round(), since=minutes(120), runs=[(minutes(0), None)])

    with django_assert_num_queries(7):
        assert len(clocks(nobody, made)["tables"]) == players // 2
