"""A player's page while the match is played: games one by one, who begins, extra turns, conceding, agreed draws."""

from __future__ import annotations

import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from events.models import Event, Game, Match, Result, ResultReport
from events.services import agreements, rounds
from tests.events.factories import Made, actor_of, user_of
from tests.events.pages.test_player import send
from tests.events.pages.test_public import words

pytestmark = pytest.mark.django_db


@pytest.fixture
def table(make_event, as_user):
    """(event, match, address of the pages, {name: (player, client)}), with Ada in one seat and Bela in the other."""

    def seat(policy: str = "designed-deck", **options):
        made = make_event(policy=policy, players=2, started=True, **options)
        match = made.post_round().matches.get()
        ada, bela = made.players
        return made, match, f"/e/{made.event.code}/me/", (ada, as_user(ada)), (bela, as_user(bela))

    return seat


def at_time(made: Made) -> None:
    rounds.call_time(event_id=made.event.pk, actor=made.by_organiser, round_number=1)


def test_games_are_written_down_from_ones_own_side_and_both_read_them(table):
    made, match, page, (ada, client), (bela, other) = table()
    before = words(client.get(page))

    send(client, f"{page}game", match=match.pk, number=1, ending="won")
    send(other, f"{page}game", match=match.pk, number=2, ending="won")

    assert re.search(r"(You begin|Bela Quist begins) game 1: drawn by lot\. EPIC 2\.4", before)
    mine, theirs = words(client.get(page)), words(other.get(page))
    assert "Games: 1-1, game 3 is next" in mine
    assert "Game 1: You won" in mine
    assert "Game 2: Bela Quist won" in mine
    assert "Game 1: Ada Brook won" in theirs
    assert "Game 2: You won" in theirs
    assert "You, who lost the game before, choose who begins game 3. EPIC 2.4" in mine
    assert "Ada Brook, who lost the game before, chooses who begins game 3." in theirs
    assert ("I begin" in mine, "I begin" in theirs) == (True, False)


def test_the_loser_chooses_with_one_press_and_both_read_it(table):
    made, match, page, (ada, client), (bela, other) = table()
    send(client, f"{page}game", match=match.pk, number=1, ending="lost")

    refused = send(other, f"{page}first", match=match.pk, number=2, first=bela.pk)
    send(client, f"{page}first", match=match.pk, number=2, first=bela.pk)

    assert refused.status_code == 403
    assert "Bela Quist begins game 2: your choice." in words(client.get(page))
    assert "You begin game 2: Ada Brook’s choice." in words(other.get(page))


def test_where_the_policy_is_silent_the_page_says_so_and_offers_no_choice(table):
    made, match, page, (ada, client), _ = table("standard")

    shown = words(client.get(page))

    assert "The policy names no rule for who begins game 1: agree on it." in shown
    assert "I begin" not in shown
    assert "I concede it" not in shown


def test_the_games_propose_the_result_and_two_presses_still_make_it(table):
    made, match, page, (ada, client), (bela, other) = table()
    for number, ending in ((1, "won"), (2, "lost"), (3, "won")):
        send(client, f"{page}game", match=match.pk, number=number, ending=ending)

    offered = re.search(r'name="score" value="([^"]+)">Report: I won 2-1<', client.get(page).content.decode())[1]
    theirs = other.get(page).content.decode()
    send(client, f"{page}report", match=match.pk, score=offered)
    confirm = re.search(r'name="score" value="([^"]+)">Yes: I lost 1-2<', other.get(page).content.decode())[1]
    send(other, f"{page}report", match=match.pk, score=confirm)

    assert 'value="1-2">Report: I lost 1-2<' in theirs
    assert "Write down game" not in theirs
    match.refresh_from_db()
    assert match.state == Match.State.CONFIRMED


def test_a_game_is_undone_and_a_tap_on_an_old_page_is_refused(table):
    made, match, page, (ada, client), (bela, other) = table()
    send(client, f"{page}game", match=match.pk, number=1, ending="won")

    stale = send(other, f"{page}game", match=match.pk, number=1, ending="won")
    undone = send(other, f"{page}game/undo", match=match.pk, number=1)
    again = send(client, f"{page}game/undo", match=match.pk, number=1)

    assert (stale.status_code, undone.status_code, again.status_code) == (409, 302, 409)
    assert not Game.objects.exclude(ending="").exists()


@pytest.mark.parametrize(
    ("address", "fields", "status"),
    [
        ("game", {"number": "1", "ending": "smashed"}, 400),
        ("game", {"number": "x", "ending": "won"}, 400),
        ("game", {"ending": "won"}, 400),
        ("game", {"number": "7", "ending": "won"}, 409),
        ("game", {"number": "9" * 18, "ending": "won"}, 409),
        ("game", {"number": "1", "ending": "unfinished"}, 409),
        ("game", {"number": "1", "ending": "won", "match": "9" * 18}, 404),
        ("game/undo", {"number": "1"}, 409),
        ("first", {"number": "1", "first": "0"}, 400),
        ("turn", {"number": "1"}, 409),
        ("turn/undo", {"number": "1"}, 409),
        ("draw", {}, 409),
        ("draw", {"match": "x"}, 400),
    ],
)
def test_what_can_not_be_is_refused_and_changes_nothing(table, address, fields, status):
    made, match, page, (ada, client), _ = table()
    version = made.refresh().version

    answer = send(client, f"{page}{address}", **{"match": match.pk, **fields})

    assert answer.status_code == status
    assert made.refresh().version == version
    assert (Game.objects.count(), ResultReport.objects.count()) == (0, 0)


def test_extra_turns_are_counted_on_two_phones_and_end_in_the_policys_result(table):
    made, match, page, (ada, client), (bela, other) = table("standard")
    send(client, f"{page}game", match=match.pk, number=1, ending="won")
    at_time(made)
    assert "Time. Finish the turn, then 5 extra turns. ENGARDE 10.2" in words(client.get(page))

    send(client, f"{page}turn", match=match.pk, number=0, finished_by=ada.pk)
    send(client, f"{page}turn", match=match.pk, number=1)
    same = send(other, f"{page}turn", match=match.pk, number=1)
    send(other, f"{page}turn", match=match.pk, number=2)

    assert same.status_code == 302
    assert "Turn 3 of 5, Bela Quist’s turn." in words(client.get(page))
    assert "Turn 3 of 5, your turn." in words(other.get(page))
    assert send(client, f"{page}turn", match=match.pk, number=1).status_code == 409
    assert ("Undo my count" in words(client.get(page)), "Undo my count" in words(other.get(page))) == (False, True)
    for number in (3, 4, 5):
        send(client, f"{page}turn", match=match.pk, number=number)
    over = client.get(page)
    assert "The 5 extra turns are over." in words(over)
    assert "the game that is still open is drawn. ENGARDE R11" in words(over)
    assert 'value="1-0-1">Report: I won 1-0-1<' in over.content.decode()


def test_a_match_is_conceded_on_a_page_that_names_what_follows(table):
    made, match, page, (ada, client), (bela, other) = table("standard")
    send(client, f"{page}game", match=match.pk, number=1, ending="won")
    address = f"{page}match/{match.pk}/concede"

    asked = words(client.get(address))
    assert Match.objects.get().state == Match.State.OPEN
    answer = send(client, address)

    assert "Concede to Bela Quist? The match ends at once: Bela Quist wins it 2-1." in asked
    assert "goes to the opponent ENGARDE 1.4" in asked
    assert "only before pairings are posted ENGARDE 10.6" in asked
    assert answer.status_code == 302
    assert Result.objects.get().how == "concession"
    assert "Confirmed: 2-1 for you, by concession." in words(other.get(page))
    assert send(client, address).status_code == 409


def test_the_concession_of_others_is_not_found(make_event, as_user):
    made = make_event(players=4, started=True)
    round_ = made.post_round()
    mine = made.match_of(made.players[0], round_)
    other = round_.matches.exclude(pk=mine.pk).get()

    client = as_user(made.players[0])

    assert client.get(f"/e/{made.event.code}/me/match/{other.pk}/concede").status_code == 404
    assert send(client, f"/e/{made.event.code}/me/match/{other.pk}/concede").status_code == 404


def test_two_agree_to_draw_where_it_is_allowed(table):
    made, match, page, (ada, client), (bela, other) = table()
    assert "We agree to draw" not in words(client.get(page))
    Event.objects.filter(pk=made.event.pk).update(agreed_draws=True)
    assert "We agree to draw" in words(client.get(page))

    send(client, f"{page}draw", match=match.pk)
    waiting, asked = words(client.get(page)), words(other.get(page))
    send(other, f"{page}draw", match=match.pk)

    assert "You said that you two agree to draw. Waiting for Bela Quist to confirm." in waiting
    assert "Ada Brook says that you two agree to draw. Is it right?" in asked
    assert "Confirmed: 0-0 for you, by agreement to draw." in words(client.get(page))


def test_switched_off_self_reporting_has_no_button_and_refuses_a_post(table):  # T21
    made, match, page, (ada, client), _ = table()
    Event.objects.filter(pk=made.event.pk).update(players_report=False)

    shown = client.get(page)
    answers = {
        address: send(client, f"{page}{address}", match=match.pk, **fields).status_code
        for address, fields in {
            "report": {"score": "2-0"},
            "game": {"number": 1, "ending": "won"},
            f"match/{match.pk}/concede": {},
            "draw": {},
        }.items()
    }

    assert 'name="score"' not in shown.content.decode()
    assert "In this event staff enter the results." in words(shown)
    assert set(answers.values()) == {403}
    assert not ResultReport.objects.exists()
    assert not Result.objects.exists()


@pytest.mark.parametrize("games", [1, 3])
def test_the_page_asks_as_often_for_three_games_as_for_one(table, games):
    made, match, page, (ada, client), _ = table()
    for number, ending in ((1, "won"), (2, "lost"), (3, "drawn"))[:games]:
        send(client, f"{page}game", match=match.pk, number=number, ending=ending)
    client.get(page)

    with CaptureQueriesContext(connection) as captured:
        client.get(page)

    assert len(captured) == 15


def test_staff_who_enter_a_draw_by_agreement_are_read_by_both(table):
    made, match, page, (ada, client), _ = table()
    agreements.decide_agreed_draw(
        event_id=made.event.pk, actor=actor_of(user_of(ada)), match_id=match.pk, reason="The head judge let them."
    )
    assert "Confirmed: 0-0 for you, by agreement to draw." in words(client.get(page))
