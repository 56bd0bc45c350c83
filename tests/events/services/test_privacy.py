"""Under which name others read of a player."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from config.errors import Conflict, DomainError
from events.engine.names import first_name_and_initial
from events.models import Player
from events.queries.verification import verify_event
from events.services import administration, privacy, registration
from tests.events.factories import Made, actor_of, make_user
from tests.events.services.watching import last_entry, nothing_new, one_change, refused

Make = Callable[..., Made]
pytestmark = pytest.mark.django_db


def choose(made: Made, style: str, own: str = "", number: int = 0) -> str:
    change = privacy.choose_public_name(
        event_id=made.event.pk, actor=made.by_organiser, player_id=made.players[number].pk, style=style, own=own
    )
    shown: str = change.facts["public_name"]
    return shown


@pytest.mark.parametrize(
    ("name", "short"),
    [
        ("Ada Brook", "Ada B."),
        ("Ana Maria de la Cruz", "Ana D."),
        ("Brook, Ada", "Ada B."),
        ("Søren ångström", "Søren Å."),
        ("Cher", "Cher"),
        ("Ada 42", "Ada 42"),
    ],
)
def test_first_name_and_initial(name: str, short: str) -> None:
    assert first_name_and_initial(name) == short


def test_a_player_chooses_and_changes_back(make_event: Make) -> None:
    made = make_event(players=2)
    with one_change(made.event, "player.public_name"):
        assert choose(made, "initial") == "Ada B."
    assert (last_entry(made.event).payload, last_entry(made.event).is_public) == ({"player": made.players[0].pk}, False)
    with nothing_new():
        choose(made, "initial")
    assert [choose(made, "own", "  Red  Fox "), choose(made, "full")] == ["Red Fox", "Ada Brook"]
    assert verify_event(made.refresh()).faults == []


def test_two_with_the_same_initial_are_told_apart(make_event: Make) -> None:
    made = make_event(players=2, names=["Ada Brook", "Ada Bell"])

    assert [choose(made, "initial", number=number) for number in (0, 1)] == ["Ada B.", "Ada B. (2)"]


@pytest.mark.parametrize("own", ["Bela Quist", "bela  QUIST", "ADA B."])
def test_nobody_takes_the_name_of_another(make_event: Make, own: str) -> None:
    made = make_event(players=3)
    choose(made, "initial")
    with refused(Conflict, "player.public_name_taken", 409):
        choose(made, "own", own, number=2)


@pytest.mark.parametrize(
    ("style", "own", "code"),
    [
        ("other", "", "player.name_style"),
        ("own", " ", "account.display_name_empty"),
        ("own", "x" * 61, "account.display_name_long"),
    ],
)
def test_what_can_not_be_a_name_is_refused(make_event: Make, style: str, own: str, code: str) -> None:
    made = make_event(players=1)
    with refused(DomainError, code, 400):
        choose(made, style, own)


def test_names_stay_once_the_event_is_over(make_event: Make) -> None:
    made = make_event(players=1)
    administration.cancel_event(event_id=made.event.pk, actor=made.by_organiser, reason="The roof leaks.")
    with refused(Conflict, "event.over", 409):
        choose(made, "initial")


def test_who_hides_the_surname_when_registering_is_read_by_the_initial(make_event: Make) -> None:
    made = make_event(players=1)
    for name, shown in (("Ada Bell", "Ada B."), ("Ada Boone", "Ada B. (2)"), ("Cher", "Cher")):
        person = make_user(name)
        registration.register(event_id=made.event.pk, actor=actor_of(person), user_id=person.pk, hides_surname=True)
        player = Player.objects.get(event=made.event, user=person)
        assert (player.name, player.shown_name) == (name, shown)
