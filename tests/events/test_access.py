"""Who is who in an event: every role and what it may, as one table."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.db.models.functions import Now

from events.models import StaffRole
from events.queries.access import NOT_OF_PLAYERS, RIGHTS, Viewer, viewer_of
from events.services import registration, setup
from tests.events.factories import Made, actor_of, make_user, user_of

pytestmark = pytest.mark.django_db

NOTHING = dict.fromkeys(RIGHTS, False)
EVERYTHING = dict.fromkeys(RIGHTS, True)
JUDGING = {**EVERYTHING, "runs_event": False, "runs_rounds": False}
MATRIX = {
    "organiser": EVERYTHING,
    "scorekeeper": {**EVERYTHING, "runs_event": False, "checks_decks": False},
    "head_judge": JUDGING,
    "judge": JUDGING,
    "deck_checker": {**NOTHING, "knows_names": True, "sees_decklists": True, "checks_decks": True},
    "coverage": NOTHING,
}


def rights(viewer: Viewer) -> dict[str, bool]:
    return {name: getattr(viewer, name) for name in RIGHTS}


def given(made: Made, person: object, role: str) -> None:
    setup.add_staff(event_id=made.event.pk, actor=made.by_organiser, email=person.email, role=role)  # type: ignore[attr-defined]


def test_every_role_is_in_the_table() -> None:
    assert set(MATRIX) == set(StaffRole.Role.values)


@pytest.mark.parametrize("role", MATRIX)
def test_a_role_gives_its_rights_and_no_others(make_event: Callable[..., Made], role: str) -> None:
    made, person = make_event(players=2), make_user("Helper")
    given(made, person, role)
    viewer = viewer_of(made.event, person)
    assert (rights(viewer), viewer.is_staff) == (MATRIX[role], True)


@pytest.mark.parametrize("role", MATRIX)
def test_a_role_gives_nothing_from_its_end_on_by_the_clock_of_the_database(
    make_event: Callable[..., Made], role: str
) -> None:
    made, person = make_event(players=2), make_user("Helper")
    given(made, person, role)
    held = StaffRole.objects.filter(event=made.event, user=person)
    held.update(expires_at=Now() + timedelta(seconds=30))
    assert rights(viewer_of(made.event, person)) == MATRIX[role]
    held.update(expires_at=Now())
    viewer = viewer_of(made.event, person)
    assert (rights(viewer), viewer.is_staff) == (NOTHING, False)


@pytest.mark.parametrize("role", ["judge", "head_judge", "deck_checker"])
def test_who_judges_and_plays_is_a_player_until_they_drop(make_event: Callable[..., Made], role: str) -> None:
    made = make_event(players=2)
    person = user_of(made.players[0])
    given(made, person, role)
    viewer = viewer_of(made.event, person)
    assert (rights(viewer), viewer.is_staff) == (NOTHING, False)
    registration.drop_player(event_id=made.event.pk, actor=actor_of(person), player_id=made.players[0].pk)
    assert rights(viewer_of(made.event, person)) == {**MATRIX[role], **dict.fromkeys(NOT_OF_PLAYERS, False)}


@pytest.mark.parametrize("role", ["organiser", "scorekeeper"])
def test_who_runs_the_event_and_plays_still_runs_it_but_reads_no_decklists(
    make_event: Callable[..., Made], role: str
) -> None:
    made = make_event(players=2)
    person = user_of(made.players[0])
    given(made, person, role)
    assert rights(viewer_of(made.event, person)) == {**MATRIX[role], **dict.fromkeys(NOT_OF_PLAYERS, False)}


def test_an_outsider_and_the_staff_of_another_event_may_nothing(make_event: Callable[..., Made]) -> None:
    made = make_event(players=2)
    stranger = make_user("Stranger")
    other = setup.create_event(
        actor=actor_of(stranger), policy_id=made.event.policy_id, name="Elsewhere", starts_at=made.event.starts_at
    )
    assert other.facts["event"] != made.event.pk
    viewer = viewer_of(made.event, stranger)
    assert (rights(viewer), viewer.is_staff) == (NOTHING, False)


def test_who_is_asked_about_costs_two_queries(
    make_event: Callable[..., Made], django_assert_num_queries: Callable[[int], object]
) -> None:
    made = make_event(players=2)
    with django_assert_num_queries(2):  # type: ignore[attr-defined]
        viewer_of(made.event, made.judge)
