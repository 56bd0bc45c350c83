"""Forms that had waited on a device: they count once, and a refusal says how things stand."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client

from accounts.models import User
from events.models import LogEntry, Match, Player, ResultReport, Round
from events.services import results
from tests.events.factories import Made, make_user

pytestmark = pytest.mark.django_db
AsUser = Callable[[User | Player], Client]
KEY = "waited-on-a-phone"


@pytest.fixture
def made(make_event: Callable[..., Made]) -> Made:
    return make_event(players=4, started=True)


@pytest.fixture
def round_(made: Made) -> Round:
    return made.post_round()


def sent(client: Client, path: str, key: str = KEY, **fields: Any) -> HttpResponse:
    data = {"idempotency_key": key, **fields}
    return client.post(path, data, headers={"Accept": "application/json"})  # type: ignore[return-value]


def refused(answer: HttpResponse) -> tuple[int, str, dict[str, Any] | None]:
    problem = answer.json()  # type: ignore[attr-defined]
    return answer.status_code, problem["code"], problem["context"].get("now")


def report(made: Made, client: Client, match: Match, said: str, key: str = KEY) -> HttpResponse:
    return sent(client, f"/e/{made.event.code}/me/report", key, match=match.pk, score=said)


def enter(made: Made, client: Client, line: str, key: str = KEY, **seen: Any) -> HttpResponse:
    return sent(client, f"/e/{made.event.code}/desk/round/1/enter", key, entry=line, **seen)


def test_a_report_that_is_sent_twice_counts_once_and_is_answered_the_same(
    made: Made, round_: Round, as_user: AsUser
) -> None:
    ada = made.players[0]
    client, match = as_user(ada), made.match_of(ada, round_)
    answers = [report(made, client, match, "2-1") for _ in range(2)]

    said = {
        "to": f"/e/{made.event.code}/me/",
        "said": [{"tag": "success", "text": "Reported. Your opponent confirms it."}],
    }
    assert [(answer.status_code, answer.json()) for answer in answers] == [(200, said)] * 2  # type: ignore[attr-defined]
    assert ResultReport.objects.count() == 1
    assert LogEntry.objects.filter(event=made.event, kind="result.reported").count() == 1
    assert "Reported. Your opponent" not in client.get(f"/e/{made.event.code}/me/").content.decode()


def test_the_page_and_the_queue_share_the_key_of_a_form(made: Made, round_: Round, as_user: AsUser) -> None:
    """The answer to a form was lost on its way: the queue sends the same form again."""
    ada = made.players[0]
    client, match = as_user(ada), made.match_of(ada, round_)
    form = {"idempotency_key": KEY, "match": match.pk, "score": "2-1"}
    assert client.post(f"/e/{made.event.code}/me/report", form).status_code == 302

    assert report(made, client, match, "2-1").status_code == 200
    assert LogEntry.objects.filter(event=made.event, kind="result.reported").count() == 1


def test_a_report_on_a_decided_match_learns_what_counts_from_its_own_side(
    made: Made, round_: Round, as_user: AsUser
) -> None:
    match = Match.objects.get(round=round_, table=1)
    first, second = (seat.player for seat in match.seats.order_by("index"))
    results.decide_result(event_id=made.event.pk, actor=made.by_organiser, match_id=match.pk, wins_a=2, wins_b=0)
    now = {
        "version": 1,
        "state": "confirmed",
        "words": "0-2 for you, confirmed",
        "same": False,
        "undecided": False,
        "can_correct": False,
        "needs_reason": True,
    }

    assert refused(report(made, as_user(second), match, "2-1")) == (409, "match.decided", now)
    same = now | {"words": "2-0 for you, confirmed", "same": True}
    assert refused(report(made, as_user(first), match, "2-0")) == (409, "match.decided", same)
    third = next(player for player in made.players if player not in (first, second))
    assert refused(report(made, as_user(third), match, "2-0")) == (403, "match.not_yours", None)


def test_an_entry_on_what_its_page_did_not_show_is_refused_with_both_sides_and_goes_as_a_correction(
    made: Made, round_: Round, as_user: AsUser
) -> None:
    client, match = as_user(made.organiser), Match.objects.get(round=round_, table=1)
    first, second = (seat.player for seat in match.seats.order_by("index"))
    made.report(second, round_, 2, 1)
    said = f"{second.name} said 2-1, each from their own side"
    stale = {"match": match.pk, "match_version": 0}

    status, code, now = refused(enter(made, client, "1 20", **stale))
    assert now is not None
    assert (status, code, now["words"], now["undecided"]) == (409, "event.stale", said, False)
    assert refused(enter(made, client, "1 12", **stale))[2] == now | {"undecided": True}

    made.report(first, round_, 1, 2)
    status, code, now = refused(enter(made, client, "1 20", **stale))
    assert now is not None
    assert (status, now["words"]) == (409, f"{first.name} 1-2 {second.name}, confirmed")
    assert (now["same"], now["can_correct"], now["needs_reason"]) == (False, True, True)
    assert refused(enter(made, client, "1 12", **stale))[2] == now | {"same": True}

    fresh = {"match": match.pk, "match_version": now["version"]}
    assert refused(enter(made, client, "1 20", "another-key", **fresh))[:2] == (400, "result.reason")
    assert enter(made, client, "1 20", "a-third-key", reason="The slip says so.", **fresh).status_code == 200
    match.refresh_from_db()
    assert match.results.get(superseded_at=None).reason == "The slip says so."


def test_an_entry_for_a_table_where_others_sit_by_now_is_refused(made: Made, round_: Round, as_user: AsUser) -> None:
    other = Match.objects.get(round=round_, table=2)

    assert refused(enter(made, as_user(made.organiser), "1 20", match=other.pk))[:2] == (409, "table.moved")
    assert not Match.objects.filter(round=round_, state="confirmed").exists()


@pytest.mark.parametrize(
    ("line", "seen", "code"),
    [
        ("1221", {}, "entry.unreadable"),
        ("", {}, "entry.unreadable"),
        ("99 20", {}, "table.unknown"),
        ("1 55", {}, "score.games"),
        ("1 20", {"match": "x"}, "entry.unreadable"),
        ("1 20", {"match_version": "-1"}, "entry.unreadable"),
    ],
)
def test_a_slip_of_the_finger_is_a_problem_and_changes_nothing(
    line: str, seen: dict[str, str], code: str, made: Made, round_: Round, as_user: AsUser
) -> None:
    status, said, _ = refused(enter(made, as_user(made.organiser), line, **seen))

    assert status == 400
    assert said.split(".")[0] == code.split(".")[0]
    assert not Match.objects.filter(round=round_, state="confirmed").exists()


def test_who_is_no_longer_logged_in_is_told_so_and_a_stranger_learns_nothing(
    made: Made, round_: Round, as_user: AsUser
) -> None:
    match = made.match_of(made.players[0], round_)

    assert refused(report(made, Client(), match, "2-1")) == (401, "login.needed", None)
    assert refused(enter(made, Client(), "1 20")) == (401, "login.needed", None)
    assert enter(made, as_user(made.players[0]), "1 20").status_code == 404
    assert refused(report(made, as_user(make_user("Nobody Here")), match, "2-1")) == (403, "player.none", None)
