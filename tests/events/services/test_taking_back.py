"""Undoing what was entered last at a table."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from config.errors import Conflict, NotFound
from events.models import LogEntry, Match, Player, Result, Round
from events.queries.verification import verify_event
from events.services import results, rounds, undoing
from tests.events.desk.conftest import key, said
from tests.events.factories import Made

pytestmark = pytest.mark.django_db
AsUser = Callable[[User | Player], Client]


@pytest.fixture
def made(make_event: Callable[..., Made]) -> Made:
    return make_event(players=4, started=True)


@pytest.fixture
def round_(made: Made) -> Round:
    return made.post_round()


@pytest.fixture
def match(round_: Round) -> Match:
    return Match.objects.get(round=round_, table=1)


def players_of(match: Match) -> list[Player]:
    return [seat.player for seat in match.seats.select_related("player__user").order_by("index")]


def enter(made: Made, match: Match, wins_a: int, wins_b: int, reason: str = "") -> None:
    results.decide_result(
        event_id=made.event.pk,
        actor=made.by_organiser,
        match_id=match.pk,
        wins_a=wins_a,
        wins_b=wins_b,
        reason=reason,
    )


def take_back(made: Made, match: Match, **seen: Any) -> None:
    undoing.take_back_result(event_id=made.event.pk, actor=made.by_organiser, match_id=match.pk, **seen)


def stands(match: Match) -> tuple[str, list[tuple[str | None, int | None]]]:
    match.refresh_from_db()
    return match.state, [(seat.outcome, seat.game_wins) for seat in match.seats.order_by("index")]


@pytest.mark.parametrize(
    ("reports", "state"), [((), "open"), (((1, 2, 1),), "reported"), (((0, 2, 1), (1, 2, 1)), "disputed")]
)
def test_the_match_stands_again_where_its_players_left_it(
    reports: tuple[tuple[int, int, int], ...], state: str, made: Made, round_: Round, match: Match
) -> None:
    for index, wins, losses in reports:
        made.report(players_of(match)[index], round_, wins, losses)
    enter(made, match, 2, 0, "Seen at the table.")
    take_back(made, match)

    assert stands(match) == (state, [(None, None), (None, None)])
    assert not Result.objects.filter(match=match, superseded_at=None).exists()
    assert LogEntry.objects.filter(event=made.event, kind="result.taken_back").count() == 1


def test_what_counted_before_counts_again_with_its_source(made: Made, round_: Round, match: Match) -> None:
    first, second = players_of(match)
    made.report(first, round_, 2, 1)
    made.report(second, round_, 1, 2)
    enter(made, match, 0, 2, "The slip says so.")
    take_back(made, match)

    assert stands(match) == ("confirmed", [("win", 2), ("loss", 1)])
    assert Result.objects.get(match=match, superseded_at=None).source == "players"
    with pytest.raises(Conflict) as refused:
        take_back(made, match)
    assert refused.value.code == "result.not_entered"


def test_an_event_with_something_taken_back_still_verifies(made: Made, round_: Round, match: Match) -> None:
    enter(made, match, 2, 0)
    take_back(made, match)
    for each in Match.objects.filter(round=round_):
        enter(made, each, 0, 2)
    rounds.complete_round(event_id=made.event.pk, actor=made.by_organiser, round_number=1)

    assert verify_event(made.refresh()).faults == []


def test_it_is_refused_when_the_match_moved_on_or_the_round_is_over_or_nothing_was_entered(
    made: Made, round_: Round, match: Match
) -> None:
    codes = []
    for seen, prepare in (
        ({}, lambda: None),
        ({"match_version": 0}, lambda: enter(made, match, 2, 0)),
        ({}, lambda: made_complete(made, round_)),
    ):
        prepare()
        with pytest.raises(Conflict) as refused:
            take_back(made, match, **seen)
        codes.append(refused.value.code)
    assert codes == ["result.not_entered", "event.stale", "round.closed"]
    with pytest.raises(NotFound):
        undoing.take_back_result(event_id=made.event.pk, actor=made.by_organiser, match_id=0)


def made_complete(made: Made, round_: Round) -> None:
    for each in Match.objects.filter(round=round_).exclude(state="confirmed"):
        enter(made, each, 2, 0)
    rounds.complete_round(event_id=made.event.pk, actor=made.by_organiser, round_number=round_.sequence)


def test_the_desk_undoes_one_of_the_last_results_once_and_programs_can_too(
    made: Made, round_: Round, match: Match, as_user: AsUser
) -> None:
    enter(made, match, 2, 0)
    client = as_user(made.organiser)
    page = reverse("events:desk_round", args=[made.event.code, 1])
    assert "Undo : Table 1" in said(client.get(page))
    form = {"idempotency_key": key(), "match_version": "1", "from": "round"}
    address = reverse("events:take_back_result", args=[made.event.code, match.pk])

    answers = [client.post(address, form) for _ in range(2)]
    assert [(answer.status_code, answer["Location"]) for answer in answers] == [(302, f"{page}#table-1")] * 2
    assert stands(match)[0] == "open"
    assert "Undo : Table 1" not in said(client.get(page))

    enter(made, match, 2, 0)
    answer = client.delete(
        f"/api/v1/events/{made.event.code}/matches/{match.pk}/result", headers={"Idempotency-Key": key()}
    )
    assert (answer.status_code, answer.json()["state"]) == (200, "open")
    assert client.post(address, {**form, "match_version": "x"}).status_code == 400
    assert as_user(players_of(match)[0]).post(address, form).status_code == 404
