"""Situations that users of other programs reported, as they meet ours over HTTP."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from events.models import Player, Round, Seat, StaffRole
from events.services import setup
from tests.events.desk.conftest import key, version_of
from tests.events.factories import Made, make_event, make_user
from tests.threads import at_once

pytestmark = pytest.mark.usefixtures("packs")
As = Callable[..., Client]


def form(client: Client, path: str, **fields: Any) -> Callable[[], int]:
    return lambda: client.post(path, {"idempotency_key": key(), **fields}).status_code


def call(client: Client, path: str, body: dict[str, Any]) -> Callable[[], int]:
    def send() -> int:
        headers = {"Idempotency-Key": key()}
        return client.post(path, body, content_type="application/json", headers=headers).status_code

    return send


@pytest.mark.race
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("through", ["form", "api"])
def test_two_clicks_on_pair_the_next_round_make_one_round_with_everybody_once(through: str, as_user: As) -> None:  # T9
    made = make_event(players=7, started=True)
    version = version_of(made.event)
    clients = [as_user(made.organiser), as_user(made.organiser)]
    if through == "form":
        path = f"/e/{made.event.code}/desk/do/draft-round"
        statuses = at_once(*[form(client, path, version=version) for client in clients])
        assert sorted(statuses) == [302, 409]
    else:
        path = f"/api/v1/events/{made.event.code}/rounds"
        statuses = at_once(*[call(client, path, {"version": version}) for client in clients])
        assert sorted(statuses) == [201, 409]

    round_ = Round.objects.get(event=made.event)
    seats = list(Seat.objects.filter(round=round_).values_list("player", flat=True))
    assert sorted(seats) == [player.pk for player in made.players]
    assert round_.matches.filter(table=None).count() == 1


@pytest.mark.race
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("through", ["form", "api"])
def test_two_requests_of_one_person_make_one_entry(through: str, as_user: As) -> None:  # T18
    made = make_event(players=2)
    person = make_user("Quick Clicker")
    clients = [as_user(person), as_user(person)]
    if through == "form":
        statuses = at_once(*[form(client, f"/e/{made.event.code}/register") for client in clients])
        assert set(statuses) <= {302, 409}
    else:
        path = f"/api/v1/events/{made.event.code}/players/register"
        statuses = at_once(*[call(client, path, {}) for client in clients])
        assert sorted(statuses) == [201, 409]

    assert Player.objects.filter(event=made.event, user=person).count() == 1
    assert made.event.players.count() == 3


def seen(client: Client, made: Made, player: Player, card: str) -> dict[str, tuple[int, bool]]:
    """Status, and whether a card of the list stands there, of every address of a player's decklist."""
    code = made.event.code
    paths = {
        "page": f"/e/{code}/decklists/{player.pk}/",
        "sheet": f"/e/{code}/decklists/{player.pk}/sheet.pdf",
        "api": f"/api/v1/events/{code}/players/{player.pk}/decklist",
        "own": f"/e/{code}/me/decklist",
    }
    found = {}
    for name, path in paths.items():
        response = client.get(path)
        found[name] = (response.status_code, card in response.content.decode("latin-1"))
    return found


@pytest.mark.django_db
def test_before_the_reveal_a_deck_is_seen_by_its_owner_and_a_judge_and_nobody_else(as_user: As) -> None:  # T32
    made = make_event(players=4, started=True)
    owner, opponent = made.players[:2]
    card = owner.submissions.get().decklist.text.splitlines()[1].split(" ", 1)[1]
    setup.add_staff(
        event_id=made.event.pk,
        actor=made.by_organiser,
        email=opponent.user.email,
        role=StaffRole.Role.JUDGE,
    )
    made.post_round()

    people = {
        "owner": as_user(owner),
        "judge": as_user(made.judge),
        "opponent, a judge who plays": as_user(opponent),
        "another player": as_user(made.players[2]),
        "somebody": as_user(make_user("Some Body")),
        "nobody": Client(),
    }
    found = {name: seen(client, made, owner, card) for name, client in people.items()}

    assert found["owner"]["page"] == (200, True)
    assert found["owner"]["api"] == (200, True)
    assert found["owner"]["own"] == (200, True)
    assert found["judge"]["page"] == (200, True)
    assert found["judge"]["api"] == (200, True)
    for name in ("opponent, a judge who plays", "another player", "somebody", "nobody"):
        statuses = {found[name][place][0] for place in ("page", "sheet", "api")}
        assert (name, statuses) == (name, {404})
        assert not any(found[name][place][1] for place in ("page", "sheet", "api"))


@pytest.mark.django_db
def test_ids_of_a_round_that_is_not_posted_are_not_found(as_user: As) -> None:  # T32
    made = make_event(players=4, started=True)
    made.draft_round()
    match = made.event.matches.all()[0]
    api = f"/api/v1/events/{made.event.code}"
    paths = [
        f"{api}/rounds/1",
        f"{api}/rounds/1/matches",
        f"{api}/matches/{match.pk}",
        f"/e/{made.event.code}/pairings/?round=1",
    ]

    for client in (as_user(made.players[0]), as_user(make_user("Some Body")), Client()):
        statuses = {path: client.get(path).status_code for path in paths}
        assert {path: status for path, status in statuses.items() if status != 404} == {}
