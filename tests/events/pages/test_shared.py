"""Guests share one copy of a page; whoever is signed in has a page of their own."""

from __future__ import annotations

import gzip
import re
import secrets
import threading
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from celery import current_app
from django.core.cache import cache
from django.db import connection
from django.http import HttpRequest, HttpResponse
from django.test import Client, RequestFactory
from django.test.utils import CaptureQueriesContext
from kombu.exceptions import OperationalError

from events.models import Event, Player, Round
from events.queries.public_pages import Stamp, stamp_of
from events.services import rounds
from events.tasks import make_page_for_guests
from events.views import public, shared
from events.views.shared import SHELF, ShareWithGuests
from tests.events.factories import Made

Events = Callable[..., Made]
pytestmark = pytest.mark.django_db
PART = {"HX-Request": "true"}


@pytest.fixture
def made(make_event: Events) -> Made:
    return make_event(players=4, started=True)


def request_for(made: Made, query: str = "") -> HttpRequest:
    return RequestFactory().get(f"/e/{made.event.code}/players/{query}")


def queries_of(client: Client, path: str, **headers: str) -> int:
    with CaptureQueriesContext(connection) as captured:
        assert client.get(path, headers=headers).status_code == 200
    return len(captured)


def both_report(made: Made, round_: Round) -> None:
    player = made.players[0]
    made.report(player, round_, 2, 1)
    made.report(made.opponent_of(player, round_), round_, 1, 2)


@pytest.mark.parametrize("tab", ["", "pairings/", "standings/", "bracket/", "players/", "info/"])
def test_the_second_guest_asks_the_database_one_thing(made: Made, tab: str) -> None:
    path = f"/e/{made.event.code}/{tab}"
    first = Client().get(path)
    assert queries_of(Client(), path) == 1
    assert Client().get(path).content == first.content


def test_a_part_and_its_page_are_two_copies(made: Made) -> None:
    made.post_round()
    path = f"/e/{made.event.code}/pairings/"
    page, part = (Client().get(path, headers=headers) for headers in ({}, PART))
    again = [Client().get(path, headers=headers) for headers in ({}, PART)]
    assert [answer.content for answer in again] == [page.content, part.content]
    assert (b"<html" in page.content, b"<html" in part.content) == (True, False)
    assert page["Vary"] == again[0]["Vary"] == "HX-Request, Cookie, Accept-Encoding"


def test_what_is_packed_is_the_same_page(made: Made) -> None:
    path = f"/e/{made.event.code}/players/"
    plain, packed = Client().get(path), Client().get(path, headers={"Accept-Encoding": "gzip, br"})
    assert (packed["Content-Encoding"], gzip.decompress(packed.content)) == ("gzip", plain.content)
    assert "Content-Encoding" not in plain


def test_what_concerns_more_than_a_table_is_there_at_once(made: Made) -> None:
    path = f"/e/{made.event.code}/pairings/"
    assert "No round has been posted" in Client().get(path).content.decode()
    made.post_round()
    assert "0 of 2 results are in" in Client().get(path).content.decode()


def test_a_result_is_there_once_the_page_has_stood_forty_times_as_long_as_it_took(
    made: Made, monkeypatch: pytest.MonkeyPatch
) -> None:
    round_ = made.post_round()
    path = f"/e/{made.event.code}/pairings/"
    now = [1000.0]
    monkeypatch.setattr(shared, "time", lambda: now[0])
    monkeypatch.setattr(shared, "thread_time", iter([0.0, 0.25] * 9).__next__)
    Client().get(path)
    both_report(made, round_)
    now[0] += 9.9
    assert "0 of 2 results are in" in Client().get(path).content.decode()
    now[0] += 0.2
    assert "1 of 2 results are in" in Client().get(path).content.decode()


def test_no_copy_stands_longer_than_doors_may_be_told_wrongly(made: Made, monkeypatch: pytest.MonkeyPatch) -> None:
    path = f"/e/{made.event.code}/"
    now = [1000.0]
    monkeypatch.setattr(shared, "time", lambda: now[0])
    Client().get(path)
    Event.objects.filter(pk=made.event.pk).update(name="Renamed behind the services")
    now[0] += shared.LONGEST_SECONDS
    assert "Renamed" not in Client().get(path).content.decode()
    now[0] += 0.1
    assert "Renamed" in Client().get(path).content.decode()


def test_standings_of_a_large_hall_are_made_once_a_round(made: Made, monkeypatch: pytest.MonkeyPatch) -> None:
    round_ = made.post_round()
    monkeypatch.setattr(shared, "LONGEST_SECONDS", 0.0)
    monkeypatch.setattr(shared, "SHARE", 0)
    path, player = f"/e/{made.event.code}/standings/", Client()
    player.force_login(made.players[0].user)
    first = [client.get(path) for client in (Client(), player)]
    both_report(made, round_)
    assert queries_of(Client(), path) == 1
    assert queries_of(Client(), f"/e/{made.event.code}/pairings/") > 1
    assert [shared.OF_ROUNDS in answer for answer in (*first, Client().get(path))] == [False] * 3
    now = shared.time() + shared.LONGEST_OF_ROUNDS
    monkeypatch.setattr(shared, "time", lambda: now + 1)
    assert queries_of(Client(), path) > 1
    rounds.call_time(event_id=made.event.pk, actor=made.by_organiser, round_number=1)
    assert queries_of(Client(), path) > 1


def test_a_player_is_shown_their_own_page_and_leaves_no_copy_of_it(made: Made) -> None:
    made.post_round()
    path = f"/e/{made.event.code}/pairings/"
    client = Client()
    client.force_login(made.players[0].user)
    mine = client.get(path).content.decode()
    assert ('class="is-you' in mine, SHELF.copies) == (True, {})
    guests = Client().get(path).content.decode()
    assert ('class="is-you' in guests, made.players[0].user.display_name + "</a>" in guests) == (False, False)


def test_a_hidden_surname_is_in_no_copy(make_event: Events) -> None:
    made = make_event(players=2, started=True)
    Player.objects.filter(pk=made.players[0].pk).update(name="Canary Surname", public_name="Canary S.")
    made.post_round()
    for tab in ("", "pairings/", "players/"):
        for _ in range(2):
            assert "Canary Surname" not in Client().get(f"/e/{made.event.code}/{tab}").content.decode()


def test_an_unknown_event_is_not_there_and_an_error_is_not_kept(made: Made) -> None:
    assert Client().get("/e/nowhere/pairings/").status_code == 404
    assert Client().get(f"/e/{made.event.code}/pairings/?round=9").status_code == 404
    assert SHELF.copies == {}


@pytest.mark.parametrize("query", ["x=1", "round=1000", "round=1&round=2", "by=luck", "round=1&by=name&x", "round=%31"])
def test_nobody_fills_the_shelf_with_pages_that_no_link_leads_to(made: Made, query: str) -> None:
    made.post_round()
    path = f"/e/{made.event.code}/pairings/"
    for known in ("", "?round=1", "?by=name", "?round=1&by=table"):
        assert Client().get(path + known).status_code == 200
    assert len(SHELF.copies) == 4
    Client().get(f"{path}?{query}")
    assert len(SHELF.copies) == 4


def test_a_page_with_a_token_or_a_cookie_is_for_one_person_only(made: Made) -> None:
    def with_token(request: HttpRequest) -> HttpResponse:
        request.META["CSRF_COOKIE"] = "t" * 32
        return HttpResponse("form")

    def with_cookie(request: HttpRequest) -> HttpResponse:
        response = HttpResponse("hello")
        response.set_cookie("name", "value")
        return response

    for view in (with_token, with_cookie):
        assert ShareWithGuests(view)(request_for(made)).status_code == 200
    assert SHELF.copies == {}


def test_many_who_ask_at_once_wait_for_one_page_to_be_made(made: Made) -> None:
    made_times: list[int] = []
    begun = threading.Barrier(5)

    def view(request: HttpRequest) -> HttpResponse:
        made_times.append(1)
        return HttpResponse(f"page {len(made_times)}")

    stamp = stamp_of(made.event.code)
    asked = ShareWithGuests(view)
    answers: list[bytes] = []

    def ask() -> None:
        begun.wait()
        answers.append(asked(request_for(made)).content)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(shared, "stamp_of", lambda code: stamp)
        threads = [threading.Thread(target=ask) for _ in range(5)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert (made_times, answers) == ([1], [b"page 1"] * 5)


def test_nobody_waits_while_a_page_that_may_be_late_is_made(made: Made, monkeypatch: pytest.MonkeyPatch) -> None:
    """With a wide change between, the second guest would wait."""
    stamps = iter([Stamp(5, 5), Stamp(6, 5), Stamp(6, 5)])
    monkeypatch.setattr(shared, "stamp_of", lambda code: next(stamps))
    monkeypatch.setattr(shared, "SHARE", 0)
    is_asked, may_answer = threading.Event(), threading.Event()
    may_answer.set()
    pages = iter([b"before", b"after"])

    def view(request: HttpRequest) -> HttpResponse:
        is_asked.set()
        assert may_answer.wait(10)
        return HttpResponse(next(pages))

    asked = ShareWithGuests(view)
    assert asked(request_for(made)).content == b"before"
    is_asked.clear()
    may_answer.clear()
    answers: list[bytes] = []
    slow = threading.Thread(target=lambda: answers.append(asked(request_for(made)).content))
    slow.start()
    assert is_asked.wait(10)
    assert asked(request_for(made)).content == b"before"
    may_answer.set()
    slow.join()
    assert answers == [b"after"]


def test_a_page_is_made_by_one_process_for_the_others(made: Made) -> None:
    path = f"/e/{made.event.code}/players/"
    first = Client().get(path)
    SHELF.clear()  # as it is in another process
    assert queries_of(Client(), path) == 1
    assert Client().get(path).content == first.content


def test_what_another_process_makes_is_awaited_with_the_page_of_before(made: Made) -> None:
    round_ = made.post_round()
    path = f"/e/{made.event.code}/pairings/"
    page = Client().get(path).content
    both_report(made, round_)
    [(key, copy)] = SHELF.copies.items()
    cache.delete(shared._name(key))
    SHELF.put(key, replace(copy, seconds=0.0))  # a page that took no time is made anew at once
    with shared._makes_it(key, copy) as is_ours:
        assert is_ours
        assert Client().get(path).content == page
    assert "1 of 2 results are in" in Client().get(path).content.decode()


@pytest.mark.parametrize("part", [{}, PART])
@pytest.mark.parametrize("tab", ["", "pairings/", "pairings/?round=1&by=name", "standings/", "players/", "info/"])
def test_the_worker_makes_the_page_that_a_guest_would_get(made: Made, tab: str, part: dict[str, str]) -> None:
    made.post_round()
    path = f"/e/{made.event.code}/{tab}"
    asked = Client().get(path, headers=part)
    [(key, _)] = SHELF.copies.items()
    SHELF.clear()
    cache.delete(shared._name(key))
    make_page_for_guests(list(key))
    SHELF.clear()
    assert queries_of(Client(), path, **part) == 1
    answer = Client().get(path, headers=part)
    assert without_moments(answer.content) == without_moments(asked.content)
    assert dict(answer.items()) == dict(asked.items()) | {"Content-Length": str(len(answer.content))}


def without_moments(page: bytes) -> bytes:
    return re.sub(rb'data-server-now="[^"]*"', b"", page)


def test_what_takes_long_is_left_to_the_worker(made: Made, monkeypatch: pytest.MonkeyPatch) -> None:
    round_ = made.post_round()
    path = f"/e/{made.event.code}/pairings/"
    page = Client().get(path).content
    [(key, copy)] = SHELF.copies.items()
    now = copy.made_at + shared.LONGEST_SECONDS + 1
    monkeypatch.setattr(shared, "time", lambda: now)
    SHELF.put(key, replace(copy, size=shared.LARGE_BYTES + 1))
    both_report(made, round_)
    asked: list[list[Any]] = []
    monkeypatch.setattr(current_app, "send_task", lambda name, args, **_: asked.append([name, *args]))
    assert [Client().get(path).content for _ in range(3)] == [page] * 3
    assert asked == [["events.tasks.make_page_for_guests", list(key)]]  # once, until it is there
    make_page_for_guests(list(key))
    assert "1 of 2 results are in" in Client().get(path).content.decode()


def test_where_the_worker_does_not_come_a_guest_makes_it(made: Made, monkeypatch: pytest.MonkeyPatch) -> None:
    def away(*_: Any, **__: Any) -> None:
        raise OperationalError

    round_ = made.post_round()
    path = f"/e/{made.event.code}/pairings/"
    Client().get(path)
    [(key, copy)] = SHELF.copies.items()
    both_report(made, round_)
    late = replace(copy, size=shared.LARGE_BYTES + 1, made_at=copy.made_at - shared.LONGEST_SECONDS)
    for one, send in (
        (late, away),
        (replace(late, made_at=copy.made_at - shared.LATEST_SECONDS), lambda *_, **__: None),
    ):
        SHELF.put(key, one)
        cache.delete(shared._name(key))
        monkeypatch.setattr(current_app, "send_task", send)
        assert "1 of 2 results are in" in Client().get(path).content.decode()


def test_a_page_that_could_not_be_made_is_tried_again(made: Made) -> None:
    asked = ShareWithGuests(lambda request: HttpResponse(next(answers)))
    answers = iter([b"before"])
    assert asked(request_for(made)).content == b"before"
    [(key, copy)] = SHELF.copies.items()
    cache.delete(shared._name(key))
    SHELF.put(key, replace(copy, made_at=0.0))
    with pytest.raises(StopIteration):
        asked(request_for(made))
    answers = iter([b"after"])
    assert asked(request_for(made)).content == b"after"


def test_without_the_cache_every_process_makes_its_own(made: Made, settings: Any) -> None:
    settings.CACHES = {
        "default": {"BACKEND": "django.core.cache.backends.redis.RedisCache", "LOCATION": "redis://127.0.0.1:1"}
    }
    path = f"/e/{made.event.code}/players/"
    first = Client().get(path)
    assert (first.status_code, queries_of(Client(), path)) == (200, 1)
    SHELF.clear()
    assert queries_of(Client(), path) > 1


def test_copies_that_nobody_asked_for_longest_leave_first(made: Made, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shared, "MOST_BYTES", 3000)
    asked = ShareWithGuests(lambda request: HttpResponse(secrets.token_bytes(1300)))  # what packs to no less
    for number in (1, 2, 1, 3):
        asked(request_for(made, f"?round={number}"))
    assert ([key[2][-2:] for key in SHELF.copies], SHELF.size < 3000, set(SHELF.makers) <= set(SHELF.copies)) == (
        ["=1", "=3"],
        True,
        True,
    )


def test_a_report_is_no_wide_change_and_a_posting_is(made: Made) -> None:
    round_ = made.post_round()
    posted = stamp_of(made.event.code)
    assert posted is not None
    both_report(made, round_)
    assert (
        stamp_of(made.event.code) == (posted.version + 2, posted.wide_version) == (posted.version + 2, posted.version)
    )
    rounds.call_time(event_id=made.event.pk, actor=made.by_organiser, round_number=1)
    assert stamp_of(made.event.code) == (posted.version + 3, posted.version + 3)


# -- who is signed in -------------------------------------------------------------------------------------------------

ANEW = re.compile(r'data-server-now="[^"]*"|class="(is-you)? ?')


def part_of(answer: Any) -> str:
    """The part of a page without its clock, and without whose row is marked."""
    found = shared.PART.search(answer.content.decode())
    assert found is not None
    return " ".join(ANEW.sub("", found["part"]).split())


def rows_marked(answer: Any) -> list[str]:
    return re.findall(r'<tr id="([a-z]+-\d+)" class="is-you', answer.content.decode())


@pytest.mark.parametrize("path", ["pairings/", "pairings/?by=name", "standings/"])
@pytest.mark.parametrize("alone", [False, True], ids=["whole", "part"])
def test_a_long_list_is_that_of_guests_with_ones_own_row_marked(
    made: Made, as_user: Any, monkeypatch: pytest.MonkeyPatch, path: str, alone: bool
) -> None:
    made.play_round()
    round_ = made.post_round()
    ada, address = made.players[0], f"/e/{made.event.code}/{path}"
    headers = {"HX-Request": "true"} if alone else {}
    client = as_user(ada)
    own = client.get(address, headers=headers)

    monkeypatch.setattr(public, "FEW_ROWS", 1)
    long = client.get(address, headers=headers)

    mine = f"match-{made.match_of(ada, round_).pk}" if path == "pairings/" else f"player-{ada.pk}"
    assert rows_marked(long) == rows_marked(own) == [mine]
    assert part_of(long) == part_of(own)
    assert f'data-version="{made.refresh().version}"' in long.content.decode()
    assert (">Me</a>" in long.content.decode()) == (not alone)
    assert rows_marked(as_user(made.organiser).get(address, headers=headers)) == []


def test_a_long_list_says_at_which_version_it_was_made(
    made: Made, as_user: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So that the page asks again when it is older than what it has heard."""
    monkeypatch.setattr(public, "FEW_ROWS", 1)
    monkeypatch.setattr(shared, "thread_time", iter([0.0, 1.0] * 9).__next__)
    round_ = made.post_round()
    client, address = as_user(made.players[0]), f"/e/{made.event.code}/pairings/"
    before = made.refresh().version
    client.get(address)

    both_report(made, round_)

    page = client.get(address).content.decode()
    assert f'data-version="{before}"' in page
    assert f'data-live-version="{made.refresh().version}"' in page


def test_an_address_that_no_link_leads_to_is_made_for_one_alone(
    made: Made, as_user: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(public, "FEW_ROWS", 1)
    made.post_round()
    before = len(shared.SHELF.copies)
    answer = as_user(made.players[0]).get(f"/e/{made.event.code}/pairings/?by=name&x=1")
    assert (answer.status_code, len(rows_marked(answer)), len(shared.SHELF.copies)) == (200, 1, before)


@pytest.mark.parametrize("players", [4, 12])
def test_a_long_list_asks_the_database_as_often_whatever_its_length(
    make_event: Events, as_user: Any, monkeypatch: pytest.MonkeyPatch, players: int
) -> None:
    """Session, account, event, roles, entry, stages, round, clock, rounds, how long it is, the own row, the stamp."""
    monkeypatch.setattr(public, "FEW_ROWS", 1)
    made = make_event(players=players, started=True)
    made.post_round()
    client, path = as_user(made.players[0]), f"/e/{made.event.code}/pairings/"
    client.get(path)
    assert queries_of(client, path) == 12


def test_a_name_that_looks_like_the_end_of_a_part_stays_a_name(
    make_event: Events, as_user: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(public, "FEW_ROWS", 1)
    made = make_event(players=3, started=True)
    Player.objects.filter(pk=made.players[0].pk).update(name="<!--/part--><b>Ada</b>")
    made.post_round()
    page = as_user(made.players[1]).get(f"/e/{made.event.code}/pairings/").content.decode()
    assert ("<b>Ada" in page, "&lt;!--/part--&gt;&lt;b&gt;Ada" in page) == (False, True)
    assert page.count("<!--/part-->") == 1
    assert all(name in page for name in ("Bela Quist", "Cleo Marsh"))
