"""Who waits for a place in a full event, and who gets it when."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest
from django.utils import timezone

from config.errors import Conflict
from events.models import Event, Player
from events.queries.desk import desk_state
from events.queries.registration import waitlist_place, with_waitlist_places
from events.queries.verification import verify_event
from events.queries.visibility import events_to_list
from events.services import administration, registration, setup
from events.services.transaction import Change
from tests.events.factories import Made, actor_of, make_user
from tests.events.services.watching import last_entry, one_change, refused

Make = Callable[..., Made]
pytestmark = pytest.mark.django_db


def set_up(made: Made, **values: object) -> None:
    Event.objects.filter(pk=made.event.pk).update(**values)
    made.refresh()


def come(made: Made, *names: str) -> list[Change]:
    people = [make_user(name) for name in names]
    return [registration.register(event_id=made.event.pk, actor=actor_of(one), user_id=one.pk) for one in people]


def who(made: Made, name: str) -> int:
    return Player.objects.get(event=made.event, name=name).pk


def do(service: Callable[..., Change], made: Made, name: str) -> Change:
    return service(event_id=made.event.pk, actor=made.by_organiser, player_id=who(made, name))


def states(made: Made) -> dict[str, str | int]:
    """Everybody's state; of who waits, the place."""
    rows = with_waitlist_places(Player.objects.filter(event=made.event))
    return {row.name: row.waitlist_place or row.state for row in rows}  # type: ignore[attr-defined]


@pytest.fixture
def full(make_event: Make) -> Made:
    """Two places, taken by Ada and Bela; Wim, Xenia and Yara wait in this order."""
    made = make_event(players=2, capacity=2)
    set_up(made, waitlist=True)
    come(made, "Wim Toth", "Xenia Roth", "Yara Sen")
    return made


# -- the order --------------------------------------------------------------------------------------------------------


def test_who_comes_when_it_is_full_waits_in_order(full: Made) -> None:
    with one_change(full.event, "player.waitlisted"):
        (change,) = come(full, "Zoe Ames")
    assert change.facts["state"] == "waitlisted"
    assert last_entry(full.event).payload == {"player": change.facts["player"], "place": 4, "guest": False}
    assert states(full) == {
        "Ada Brook": "registered",
        "Bela Quist": "registered",
        "Wim Toth": 1,
        "Xenia Roth": 2,
        "Yara Sen": 3,
        "Zoe Ames": 4,
    }
    assert [waitlist_place(player) for player in Player.objects.filter(event=full.event).order_by("pk")] == [
        None,
        None,
        1,
        2,
        3,
        4,
    ]


def test_a_guest_waits_as_others_do(full: Made) -> None:
    change = registration.add_player(event_id=full.event.pk, actor=full.by_organiser, name="Guest")
    assert (change.facts["state"], states(full)["Guest"]) == ("waitlisted", 4)


def test_a_drop_lets_in_the_first_and_says_so(full: Made) -> None:
    with one_change(full.event, "player.dropped", "player.promoted"):
        do(registration.drop_player, full, "Ada Brook")
    assert last_entry(full.event).payload == {"player": who(full, "Wim Toth")}
    assert states(full) == {
        "Ada Brook": "dropped",
        "Bela Quist": "registered",
        "Wim Toth": "registered",
        "Xenia Roth": 1,
        "Yara Sen": 2,
    }


def test_who_leaves_the_waitlist_frees_no_place_but_moves_the_others_up(full: Made) -> None:
    with one_change(full.event, "player.dropped"):
        do(registration.drop_player, full, "Wim Toth")
    assert states(full)["Xenia Roth"] == 1


def test_who_comes_back_to_a_full_event_waits_behind_everybody(full: Made) -> None:
    do(registration.drop_player, full, "Ada Brook")
    with one_change(full.event, "player.reinstated"):
        do(registration.reinstate_player, full, "Ada Brook")
    assert last_entry(full.event).payload == {"player": who(full, "Ada Brook"), "waits": True}
    assert states(full) == {"Ada Brook": 3, "Bela Quist": "registered", "Wim Toth": "registered"} | {
        "Xenia Roth": 1,
        "Yara Sen": 2,
    }


def test_more_room_lets_in_as_many_as_there_are_places(full: Made) -> None:
    event = full.event
    administration.change_event(
        event_id=event.pk,
        actor=full.by_organiser,
        name=event.name,
        starts_at=event.starts_at,
        time_zone=event.time_zone,
        place=event.place,
        capacity=4,
    )
    assert states(full) == {
        "Ada Brook": "registered",
        "Bela Quist": "registered",
        "Wim Toth": "registered",
        "Xenia Roth": "registered",
        "Yara Sen": 1,
    }


def test_who_waits_takes_no_place(full: Made) -> None:
    assert desk_state(full.event).facts.expected == 2
    assert [event.player_count for event in events_to_list()] == [2]  # type: ignore[attr-defined]


# -- who is there -----------------------------------------------------------------------------------------------------


def test_who_waits_and_is_there_is_checked_in_with_the_place(full: Made) -> None:
    with one_change(full.event, "player.checked_in"):
        do(registration.check_in, full, "Wim Toth")
    assert last_entry(full.event).payload == {"player": who(full, "Wim Toth"), "waits": True}
    assert states(full)["Wim Toth"] == 1
    do(registration.drop_player, full, "Ada Brook")
    assert states(full)["Wim Toth"] == "checked_in"


def test_places_of_no_shows_go_to_who_is_there_in_order(full: Made) -> None:
    come(full, "Zoe Ames")
    for name in ("Bela Quist", "Zoe Ames", "Xenia Roth", "Yara Sen"):
        do(registration.check_in, full, name)
    do(registration.undo_check_in, full, "Yara Sen")
    for player in Player.objects.filter(event=full.event).select_related("user"):
        full.submit(player)
    with one_change(full.event, "player.promoted", "event.started", "stage.begun"):
        change = setup.start_event(event_id=full.event.pk, actor=full.by_organiser)
    assert change.facts["no_shows"] == ["Ada Brook"]
    assert states(full) == {
        "Ada Brook": "dropped",
        "Bela Quist": "checked_in",
        "Wim Toth": 1,
        "Xenia Roth": "checked_in",
        "Yara Sen": 2,
        "Zoe Ames": 3,
    }
    full.refresh()
    round_ = full.post_round()
    assert {seat.player.name for match in round_.matches.all() for seat in match.seats.all()} == {
        "Bela Quist",
        "Xenia Roth",
    }
    assert verify_event(full.refresh()).faults == []


def test_nobody_is_let_in_once_the_event_runs(full: Made) -> None:
    for name in ("Ada Brook", "Bela Quist"):
        do(registration.check_in, full, name)
    for player in full.players:
        full.submit(player)
    setup.start_event(event_id=full.event.pk, actor=full.by_organiser)
    with one_change(full.event, "player.dropped"):
        do(registration.drop_player, full, "Ada Brook")
    assert states(full)["Wim Toth"] == 1


# -- when -------------------------------------------------------------------------------------------------------------


def test_registration_opens_and_closes_at_its_times(make_event: Make) -> None:
    made = make_event(players=0, time_zone="Europe/Vienna")
    set_up(made, registration_opens_at=datetime(2199, 12, 1, 8, 0, tzinfo=UTC))
    person = make_user("Early Bird")

    def enter() -> Change:
        return registration.register(event_id=made.event.pk, actor=actor_of(person), user_id=person.pk)

    with refused(Conflict, "registration.not_yet", 409, {"opens_at": "2199-12-01T08:00:00+00:00"}):
        enter()
    with pytest.raises(Conflict, match=r"opens on 1 December 2199 at 09:00\."):
        enter()
    now = timezone.now()
    set_up(made, registration_opens_at=now - timedelta(hours=2), registration_closes_at=now - timedelta(hours=1))
    with refused(Conflict, "registration.closed", 409):
        enter()
    assert registration.add_player(event_id=made.event.pk, actor=made.by_organiser, name="Guest").facts["state"] == (
        "registered"
    )
    set_up(made, registration_closes_at=now + timedelta(hours=1))
    assert enter().facts["state"] == "registered"
