"""Decklists are read when the event says so: never, after it, from the cut on by consent, at once. In every place."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.db.models import F
from django.test import Client

from config.errors import Conflict, NotFound
from events.models import DecklistSubmission, Event, LogEntry, Player
from events.services import administration, registration, stages, submission
from events.services.transaction import Command
from tests.events.api.conftest import nobody, program
from tests.events.api.test_secrecy import everything
from tests.events.factories import Made, actor_of, legal_text, make_user, user_of
from tests.events.pages.test_hidden import PAGES
from tests.events.pages.test_public import words
from tests.events.services.watching import last_entry, nothing_new, one_change, refused

__all__ = ["nobody", "program"]
Make = Callable[..., Made]
AsUser = Callable[..., Client]
pytestmark = pytest.mark.django_db


def consent(made: Made, player: Player, shows: bool, **options: Any) -> None:
    submission.consent_to_publication(
        event_id=made.event.pk, actor=actor_of(user_of(player)), player_id=player.pk, shows=shows, **options
    )


def at_the_end_of_swiss(make_event: Make, **options: object) -> tuple[Made, Player]:
    """An event before its cut, and a player of it whose decklist no other player has."""
    made = make_event(players=4, started=True, decklist_publication="cut", **options)
    owner = made.players[0]
    made.submit(owner, legal_text(made.event).replace("\n2 ", "\n3 ", 1))
    consent(made, owner, True)
    for _ in range(2):
        made.play_round()
    return made, owner


def seen_by(someone: Client, made: Made, owner: Player) -> set[str]:
    """Where the decklist of ``owner`` can be read, or a link to it."""
    current = DecklistSubmission.objects.select_related("decklist").get(player=owner, replaced_at=None)
    canaries = [current.decklist.fingerprint, current.decklist.entries[0]["name"]]
    here = f"/e/{made.event.code}/"
    own = [f"decklists/{owner.pk}/", f"decklists/{owner.pk}/sheet.pdf"]
    found = set()
    for page in [*PAGES, *own]:
        answer = someone.get(here + page)
        text = answer.content.decode(errors="replace")
        if any(canary in text for canary in canaries) or f"{here}decklists/{owner.pk}/" in text:
            found.add(page)
        if page in own and answer.status_code != 404:
            found.add(page)
    api = someone.get(f"/api/v1/events/{made.event.code}/players/{owner.pk}/decklist")
    return found | ({"api"} if api.status_code == 200 else set())


EVERYWHERE = {"players/", "decklists/", "sheet", "api"}


def places(someone: Client, made: Made, owner: Player) -> set[str]:
    names = {f"decklists/{owner.pk}/": "decklists/", f"decklists/{owner.pk}/sheet.pdf": "sheet"}
    return {names.get(place, place) for place in seen_by(someone, made, owner)}


def test_a_decklist_is_public_from_the_cut_on_where_its_player_agreed(make_event: Make, as_user: AsUser) -> None:
    made, owner = at_the_end_of_swiss(make_event)
    silent = made.players[1]
    people = [Client(), as_user(make_user("Some Spectator")), as_user(made.players[2])]
    address = f"/e/{made.event.code}/decklists/{owner.pk}/"
    assert [client.get(address).status_code for client in people] == [404] * 3
    assert places(people[0], made, owner) == set()

    made.next_stage()

    assert [client.get(address).status_code for client in people] == [200] * 3
    assert places(people[0], made, owner) == EVERYWHERE
    assert f"decklists/{silent.pk}/" not in people[0].get(f"/e/{made.event.code}/players/").content.decode()
    for client in people:
        assert client.get(f"/e/{made.event.code}/decklists/{silent.pk}/").status_code == 404
        assert client.get(f"/e/{made.event.code}/decklists/{silent.pk}/sheet.pdf").status_code == 404
        assert client.get(f"/api/v1/events/{made.event.code}/players/{silent.pk}/decklist").status_code == 404


def test_whoever_agreed_and_is_not_in_the_cut_shows_nothing(make_event: Make) -> None:
    made, owner = at_the_end_of_swiss(make_event)
    registration.drop_player(event_id=made.event.pk, actor=made.by_organiser, player_id=owner.pk)
    made.next_stage()
    assert owner.pk not in made.event.stages.get(kind="single_elimination").seeds

    assert places(Client(), made, owner) == set()


@pytest.mark.parametrize(("publication", "before", "after"), [("never", set(), set()), ("after", set(), EVERYWHERE)])
def test_consent_changes_nothing_under_another_rule(
    make_event: Make, publication: str, before: set[str], after: set[str]
) -> None:
    made, owner = at_the_end_of_swiss(make_event)
    made.next_stage()
    Event.objects.filter(pk=made.event.pk).update(decklist_publication=publication)
    assert places(Client(), made, owner) == before
    Event.objects.filter(pk=made.event.pk).update(state="finished", wide_version=F("wide_version") + 1)
    assert places(Client(), made, owner) == after


def test_an_open_event_shows_a_decklist_once_it_is_handed_in(make_event: Make) -> None:
    made = make_event(players=1, decklist_publication="open")
    made.submit(made.players[0])
    assert places(Client(), made, made.players[0]) == EVERYWHERE


def test_nobody_reads_in_the_api_or_in_the_log_who_agreed_and_what_they_play(
    make_event: Make, program: Callable[..., Any], nobody: Any
) -> None:
    made, owner = at_the_end_of_swiss(make_event)
    current = DecklistSubmission.objects.select_related("decklist").get(player=owner, replaced_at=None)
    for someone in (nobody, program(made.players[2]), program(make_user("Some Spectator"))):
        read = everything(someone, made.event)
        for canary in (current.decklist.fingerprint, "shows_decklist", '"shows"', "decklist.consent", "withdrawn"):
            assert canary not in read
    assert "decklist.consent" in everything(program(made.judge), made.event)


def test_a_card_says_nothing_about_who_plays_it(make_event: Make) -> None:
    made = make_event(players=1, decklists=True)
    name = DecklistSubmission.objects.select_related("decklist").get().decklist.entries[0]["name"]
    for address in (f"/cards/epic/?q={name}", f"/rules/search?q={name}", f"/api/v1/games/epic/cards?q={name}"):
        assert made.players[0].name not in Client().get(address).content.decode()


@pytest.mark.parametrize("rows", [1, 3])
def test_the_list_of_players_takes_one_query_more_however_many_agreed(
    make_event: Make, rows: int, django_assert_num_queries: Callable[..., Any]
) -> None:
    made = make_event(players=4, started=True, decklist_publication="cut")
    for player in made.players[:rows]:
        consent(made, player, True)
    for _ in range(2):
        made.play_round()
    made.next_stage()
    with django_assert_num_queries(8):
        page = Client().get(f"/e/{made.event.code}/players/").content.decode()
    assert page.count("/decklists/") == rows


def test_consent_is_given_and_taken_back_until_the_cut_is_made(make_event: Make) -> None:
    made = make_event(players=4, started=True, decklist_publication="cut")
    owner = made.players[0]
    command = Command(key="my-consent")
    with one_change(made.event, "decklist.consent"):
        consent(made, owner, True, command=command)
    entry = last_entry(made.event)
    assert (entry.payload, entry.is_public) == ({"player": owner.pk, "shows": True}, False)
    with nothing_new():
        consent(made, owner, True)
    with one_change(made.event, "decklist.consent"):
        consent(made, owner, False)
    assert Player.objects.get(pk=owner.pk).shows_decklist is False
    for _ in range(2):
        made.play_round()
    stages.begin_next_stage(event_id=made.event.pk, actor=made.by_organiser)
    with refused(Conflict, "decklist.consent_closed", 409):
        consent(made, owner, True)


def test_consent_is_asked_for_in_such_events_only(make_event: Make) -> None:
    made = make_event(players=1)
    with refused(Conflict, "decklist.consent_not_asked", 409):
        consent(made, made.players[0], True)
    other = make_event(players=1, decklist_publication="cut", name="Other")
    with refused(NotFound, "player.unknown", 404):
        consent(other, made.players[0], True)
    administration.cancel_event(event_id=other.event.pk, actor=other.by_organiser, reason="No hall.")
    with refused(Conflict, "decklist.consent_closed", 409):
        consent(other, other.players[0], True)


def test_a_player_agrees_by_a_checkbox_on_their_decklists_page(make_event: Make, as_user: AsUser) -> None:
    made = make_event(players=2, decklist_publication="cut")
    player = made.players[0]
    client, address = as_user(player), f"/e/{made.event.code}/me/decklist"
    box = "Show my decklist to everybody from the cut on"
    assert box in words(client.get(address))
    for key, body, agreed in (("consent-on", {"shows": "1"}, True), ("consent-off", {}, False)):
        answer = client.post(f"{address}/consent", {"idempotency_key": key, **body})
        assert (answer.status_code, answer["Location"]) == (302, address)
        assert Player.objects.get(pk=player.pk).shows_decklist is agreed
    Event.objects.filter(pk=made.event.pk).update(decklist_publication="never")
    assert box not in words(client.get(address))


def test_consent_in_the_api_is_ones_own(make_event: Make, program: Callable[..., Any], nobody: Any) -> None:
    made = make_event(players=2, decklist_publication="cut")
    player, other = made.players
    path = f"events/{made.event.code}/players/{player.pk}/decklist-consent"
    for wrong in ({}, {"shows": "yes"}, {"shows": 1}, {"shows": None}, {"shows": True, "why": ""}):
        assert program(player).post(path, wrong).status_code == 400
    assert nobody.post(path, {"shows": True}).status_code == 401
    for someone in (program(other), program(made.organiser)):
        assert someone.post(path, {"shows": True}).status_code == 403
    assert Player.objects.get(pk=player.pk).shows_decklist is False
    answer = program(player).post(path, {"shows": True}, key="consent-1")
    assert (answer.status_code, answer.json()) == (
        200,
        {"version": made.refresh().version, "player": player.pk, "shows": True},
    )
    assert program(player).post(path, {"shows": True}, key="consent-1").json() == answer.json()
    assert LogEntry.objects.filter(kind="decklist.consent").count() == 1
