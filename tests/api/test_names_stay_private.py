"""A player hides the surname. Every address that others may read is searched for it."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from django.test import Client

from accounts.models import User
from events.models import Event, Player
from events.queries.sheets import filled_sheets
from events.services import privacy, registration
from tests.api.addresses import API_EVENT, EVENT, filled, parameters, routes
from tests.api.conftest import Site
from tests.events.factories import Made, actor_of, make_user, user_of

AsUser = Callable[[User | Player], Client]
SURNAME = b"Brook"  # of Ada, the first player of every event


def choose(made: Made, player: Player, style: str, own: str = "") -> None:
    actor = actor_of(user_of(player))
    privacy.choose_public_name(event_id=made.event.pk, actor=actor, player_id=player.pk, style=style, own=own)


def read_by(client: Client, values: dict[str, object]) -> Iterator[tuple[str, bytes]]:
    """Every address of the event that answers this client, with its answer."""
    for route in routes():
        if route.startswith((EVENT, API_EVENT)) and all(name in values for name in parameters(route)):
            for query in ("", "?by=name", "?limit=100", "?before=999"):
                answer = client.get(filled(route, values) + query)
                if answer.status_code == 200:
                    yield route + query, answer.getvalue() if answer.streaming else answer.content


@pytest.fixture(params=["playing", "over"])
def hidden(
    request: pytest.FixtureRequest, site: Site, make_event: Callable[..., Made]
) -> tuple[Made, dict[str, object]]:
    """An event whose first player hid the surname after it had begun; decklists are open to all."""
    made, values = site.made, dict(site.values)
    if request.param == "over":
        made = make_event(players=4, started=True, name="Open of the past")
        number = made.event.stages.get(kind="swiss").rounds_planned
        for _ in range(number or 0):
            made.play_round()
        values |= {"code": made.event.code, "player_id": made.players[0].pk, "match_id": 0, "number": number}
    Event.objects.filter(pk=made.event.pk).update(decklist_publication=Event.Publication.OPEN)
    choose(made, made.players[0], "initial")
    if request.param == "over":
        for stage in made.event.stages.exclude(kind="swiss").exclude(state="complete"):
            assert stage.kind == "single_elimination"
            made.next_stage()
            for _ in range(2):
                made.play_round()
        made.finish()
    return made, values


def test_what_hides_is_found_where_it_is_not_hidden(site: Site) -> None:
    found = {route for route, body in read_by(Client(), site.values) if SURNAME in body}

    assert {EVENT, EVENT + "pairings/", EVENT + "players/", EVENT + "log/", EVENT + "wall/"} <= found
    assert {API_EVENT + "/log", API_EVENT + "/players", API_EVENT + "/rounds/<int:number>/matches"} <= found


def test_a_hidden_surname_is_at_no_address_that_others_read(
    hidden: tuple[Made, dict[str, object]], as_user: AsUser
) -> None:
    made, values = hidden

    for reader in (Client(), as_user(made.players[1]), as_user(make_user("Out Sider"))):
        answers = dict(read_by(reader, values))
        assert [route for route, body in answers.items() if SURNAME in body] == []
        assert b"Ada B." in answers[EVENT + "players/"]
        assert b"Ada B." in answers[API_EVENT + "/log?limit=100"] or b"Ada B." in answers[EVENT + "log/"]


def test_staff_and_the_player_read_the_full_name(hidden: tuple[Made, dict[str, object]], as_user: AsUser) -> None:
    made, _ = hidden
    ada = made.players[0]
    staff, own = as_user(made.organiser), as_user(ada)

    assert SURNAME in staff.get(f"/e/{made.event.code}/desk/players/").content
    for client in (staff, own):
        row = client.get(f"/api/v1/events/{made.event.code}/players/{ada.pk}").json()
        assert (row["name"], row["public_name"]) == ("Ada Brook", "Ada B.")


def test_a_sheet_for_the_public_has_the_name_that_everybody_reads(site: Site) -> None:
    made = site.made
    choose(made, made.players[0], "own", "Fox")

    def names(public: bool) -> tuple[str, str]:
        (sheet,) = filled_sheets(made.event, origin="", player_id=made.players[0].pk, public=public)
        return sheet.family_name, sheet.given_name

    assert (names(True), names(False)) == (("Fox", ""), ("Brook", "Ada"))


def test_the_log_of_who_hid_the_name_when_registering_never_held_it(make_event: Callable[..., Made]) -> None:
    made, person = make_event(players=0), make_user("Tim Youngster")
    registration.register(event_id=made.event.pk, actor=actor_of(person), user_id=person.pk, hides_surname=True)

    assert "Youngster" not in str(list(made.event.log.values_list("payload", "actor_name")))
    assert made.event.log.order_by("-seq")[0].actor_name == "Tim Y."
