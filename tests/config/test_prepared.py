"""A prepared query gives what its queryset gives, and refuses what it could not give right."""

from __future__ import annotations

import threading
from typing import Any

import pytest
from django.db import connection
from django.db.models import F, QuerySet
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from cards.models import Game
from config.prepared import hand_over, prepared
from events.models import Match, Player, Seat
from tests.events.factories import Made, load_packs
from tests.events.factories import make_event as make

pytestmark = pytest.mark.django_db


@pytest.fixture
def made(db: None) -> Made:
    load_packs()
    made = make(players=4, started=True)
    made.post_round()
    return made


@prepared
def seats_of(match: int) -> QuerySet[Seat]:
    return Seat.objects.filter(match=match).select_related("player", "round__stage").order_by("index")


@prepared
def named(event: int, name: str) -> QuerySet[Player, tuple[int, str]]:
    return Player.objects.filter(event=event, name=name).values_list("pk", "state")


@prepared
def locked(match: int) -> QuerySet[Match]:
    return Match.objects.filter(pk=match).select_for_update(of=("self",)).select_related("round")


@prepared
def with_seats(event: int) -> QuerySet[Match]:
    return Match.objects.filter(event=event).prefetch_related("seats__player").order_by("pk")


def columns(row: Any) -> dict[str, Any]:
    return {field.attname: getattr(row, field.attname) for field in row._meta.concrete_fields}


def test_rows_are_those_of_the_queryset_with_what_was_selected_beside_them(made: Made) -> None:
    for match in Match.objects.filter(event=made.event):
        plain = list(seats_of.build(match.pk))
        with CaptureQueriesContext(connection) as captured:
            rows = seats_of(match.pk)
            beside = [(row.player.name, row.round.stage.kind) for row in rows]
        assert [columns(row) for row in rows] == [columns(row) for row in plain]
        assert beside == [(row.player.name, row.round.stage.kind) for row in plain]
        assert len(captured) == 1


def test_arguments_may_be_named_and_come_in_any_order(made: Made) -> None:
    player = made.players[2]
    wanted = [(player.pk, player.state)]
    assert named(made.event.pk, player.name) == named(name=player.name, event=made.event.pk) == wanted
    assert (named(made.event.pk + 1, player.name), named.first(made.event.pk, "%s' --")) == ([], None)


def test_the_sql_is_written_once_and_the_arguments_stay_parameters(made: Made) -> None:
    named(made.event.pk, "x")
    plan = named.plan
    named(made.event.pk, "'; DROP TABLE events_player; --")
    assert plan is not None
    assert named.plan is plan
    assert "DROP" not in plan.sql
    assert Player.objects.filter(event=made.event).count() == 4


def test_a_row_is_locked_as_by_the_queryset(made: Made) -> None:
    match = Match.objects.filter(event=made.event).first()
    assert match is not None
    with CaptureQueriesContext(connection) as captured:
        assert locked(match.pk) == [match]
    assert captured[0]["sql"].endswith('FOR UPDATE OF "events_match"')


def test_what_is_prefetched_is_there(made: Made) -> None:
    found = with_seats(made.event.pk)
    with CaptureQueriesContext(connection) as captured:
        names = [[seat.player.name for seat in match.seats.all()] for match in found]
    assert len(captured) == 0
    assert names == [[seat.player.name for seat in match.seats.all()] for match in with_seats.build(made.event.pk)]


def test_rows_that_were_read_elsewhere_are_handed_over(made: Made) -> None:
    match = Match.objects.filter(event=made.event).first()
    assert match is not None
    rows = seats_of(match.pk)
    hand_over(match, "seats", rows)
    with CaptureQueriesContext(connection) as captured:
        assert list(match.seats.all()) == rows
    assert len(captured) == 0
    assert list(match.seats.order_by("-index")) == rows[::-1]  # what is asked in another way is asked again


def test_threads_have_their_own_connections() -> None:
    """Nothing of one thread's connection is left in the plan."""
    here = connection.connection
    found: list[Any] = []

    def look() -> None:
        found.append(users.first(0))
        found.append(connection.connection is here)
        connection.close()

    users.first(0)
    thread = threading.Thread(target=look)
    thread.start()
    thread.join()
    assert found == [None, False]


@prepared
def users(user: int) -> QuerySet[User]:
    return User.objects.filter(pk=user)


def test_what_depends_on_an_argument_is_refused() -> None:
    @prepared
    def sliced(most: int) -> QuerySet[Game]:
        return Game.objects.all()[:most]

    @prepared
    def changed(name: str) -> QuerySet[Game]:
        return Game.objects.filter(name__icontains=name)

    @prepared
    def unused(game: int) -> QuerySet[Game]:
        return Game.objects.all()

    @prepared
    def added(game: int) -> QuerySet[Game]:
        return Game.objects.filter(pk=F("pk") + (game + 1))

    for query in (sliced, changed, unused, added):
        with pytest.raises(TypeError, match="argument"):
            query(3)


def test_an_argument_of_another_kind_is_refused_where_it_is_written() -> None:
    def of_many(games: list[int]) -> QuerySet[Game]:
        return Game.objects.filter(pk__in=games)

    with pytest.raises(TypeError, match="games"):
        prepared(of_many)
