"""Who is who in an event."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from events.queries.access import Viewer, viewer_of
from events.services import registration, setup
from tests.events.factories import Made, actor_of, make_user, user_of

pytestmark = pytest.mark.django_db


def rights(viewer: Viewer) -> dict[str, bool]:
    names = ("is_staff", "runs_event", "runs_rounds", "decides_results", "sees_decklists")
    return {name: getattr(viewer, name) for name in names}


NOTHING = dict.fromkeys(("is_staff", "runs_event", "runs_rounds", "decides_results", "sees_decklists"), False)


def test_an_organiser_may_everything(make_event: Callable[..., Made]) -> None:
    made = make_event(players=2)
    assert rights(viewer_of(made.event, made.organiser)) == dict.fromkeys(NOTHING, True)


def test_a_judge_decides_results_and_reads_decklists(make_event: Callable[..., Made]) -> None:
    made = make_event(players=2)
    judging = {"is_staff": True, "decides_results": True, "sees_decklists": True}
    assert rights(viewer_of(made.event, made.judge)) == {**NOTHING, **judging}


@pytest.mark.parametrize("role", ["judge", "head_judge"])
def test_a_judge_who_plays_is_a_player_until_they_drop(make_event: Callable[..., Made], role: str) -> None:
    made = make_event(players=2)
    person = user_of(made.players[0])
    setup.add_staff(event_id=made.event.pk, actor=made.by_organiser, email=person.email, role=role)
    assert rights(viewer_of(made.event, person)) == NOTHING
    registration.drop_player(event_id=made.event.pk, actor=actor_of(person), player_id=made.players[0].pk)
    assert viewer_of(made.event, person).decides_results is True


def test_an_organiser_who_plays_still_runs_the_event_but_reads_no_decklists(make_event: Callable[..., Made]) -> None:
    made = make_event(players=2)
    registration.register(event_id=made.event.pk, actor=actor_of(made.organiser), user_id=made.organiser.pk)
    viewer = viewer_of(made.event, made.organiser)
    assert (viewer.runs_event, viewer.runs_rounds, viewer.sees_decklists) == (True, True, False)


def test_an_outsider_and_the_staff_of_another_event_may_nothing(make_event: Callable[..., Made]) -> None:
    made = make_event(players=2)
    stranger = make_user("Stranger")
    other = setup.create_event(
        actor=actor_of(stranger), policy_id=made.event.policy_id, name="Elsewhere", starts_at=made.event.starts_at
    )
    assert other.facts["event"] != made.event.pk
    assert rights(viewer_of(made.event, stranger)) == NOTHING
