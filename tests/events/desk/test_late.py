"""Late entry on pages and through the API: the price first, then the entry, then taking it back."""

from __future__ import annotations

import pytest
from django.test import Client

from events.models import Event, Player
from events.services import registration
from tests.events.api.conftest import Program
from tests.events.factories import make_user, user_of

from .conftest import said, version_of

pytestmark = pytest.mark.django_db
PRICE = "enters at round 2 with 1 loss: Round 1 counts as a lost match, not as a bye."


@pytest.fixture
def made(make_event):
    made = make_event(players=4, started=True)
    Event.objects.filter(pk=made.event.pk).update(late_until_round=3)
    made.event.stages.update(rounds_planned=3)
    made.play_round()
    return made


def late(made, name: str = "Lena Toft") -> Player:
    return Player.objects.get(event=made.event, name=name)


def test_somebody_reads_the_price_pays_it_and_takes_it_back(made, as_user, send):
    lena, here = make_user("Lena Toft"), f"/e/{made.event.code}/"
    assert "Enter late" in said(Client().get(here))
    assert "Log in to enter" in said(Client().get(here + "enter-late"))
    assert Client().post(here + "enter-late", {"round": 2}).url == here + "enter-late"
    page = said(as_user(lena).get(here + "enter-late"))
    assert "You enter at round 2 with 1 loss: Round 1 counts as a lost match, not as a bye." in page
    assert "You can take this back until round 2 is paired." in page
    assert "Hand in a decklist before round 2 is posted." in page

    answer = send(lena, here + "enter-late", {"round": 2})

    assert answer.url == here + "me/"
    assert (late(made).state, late(made).user) == ("checked_in", lena)
    own = said(as_user(lena).get(here + "me/"))
    assert "You came in late: you play from round 2 on." in own
    assert "Lena Toft comes in late, from round 2 on; round 1 missed" in said(Client().get(here + "log/"))

    assert send(lena, here + "me/undo-late").url == here
    assert late(made).state == "dropped"
    assert "Enter at round 2" in said(as_user(lena).get(here + "enter-late"))


def test_a_price_of_before_is_not_charged_and_the_new_one_is_shown(made, send):
    lena, here = make_user("Lena Toft"), f"/e/{made.event.code}/"
    made.draft_round()

    answer = send(lena, here + "enter-late", {"round": 2})

    assert answer.status_code == 409
    assert "it would be from round 3 on now" in said(answer)
    assert not Player.objects.filter(event=made.event, name="Lena Toft").exists()


def test_where_nobody_is_let_in_the_page_says_why_and_no_link_leads_there(made, as_user):
    Event.objects.filter(pk=made.event.pk).update(late_until_round=None)
    here = f"/e/{made.event.code}/"

    assert "Enter late" not in said(Client().get(here))
    page = said(as_user(make_user("Lena Toft")).get(here + "enter-late"))

    assert "This event lets nobody in after its start." in page
    assert "Enter at round" not in page


def test_the_desk_lets_somebody_in_by_name_and_takes_it_back(made, as_user, send):
    here = f"/e/{made.event.code}/desk/late/"
    assert f"Somebody new {PRICE}" in said(as_user(made.organiser).get(here))

    answer = send(made.organiser, here + "enter", {"round": 2, "name": "Lena Toft"}, event=made.event)

    assert answer.url == here
    page = said(as_user(made.organiser).get(here))
    assert "Take back : Lena Toft" in page
    assert send(made.organiser, f"{here}{late(made).pk}/undo").url == here
    assert late(made).state == "dropped"


def test_the_desk_lets_somebody_back_in_who_dropped(made, as_user, send):
    ada = made.players[0]
    registration.drop_player(event_id=made.event.pk, actor=made.by_organiser, player_id=ada.pk)
    made.play_round()
    here = f"/e/{made.event.code}/desk/late/"
    assert "Ada Brook dropped after round 1" in said(as_user(made.organiser).get(here))
    page = said(as_user(made.organiser).get(f"{here}{ada.pk}/"))
    assert "Ada Brook enters at round 3 with 1 loss: Round 2 counts as a lost match, not as a bye." in page

    send(made.organiser, here + "enter", {"round": 3, "player": ada.pk}, event=made.event)

    assert Player.objects.get(pk=ada.pk).state == "checked_in"


@pytest.mark.parametrize("data", [{"name": "Lena Toft"}, {"round": "x", "name": "Lena Toft"}, {"round": 2, "name": ""}])
def test_a_damaged_form_lets_nobody_in(made, send, data):
    before = version_of(made.event)

    answer = send(made.organiser, f"/e/{made.event.code}/desk/late/enter", data, event=made.event)

    assert (answer.status_code, version_of(made.event)) == (400, before)


def test_programs_ask_for_the_price_and_pay_it(made, as_user):
    here, lena = f"events/{made.event.code}", make_user("Lena Toft")
    anybody, own, desk = Program(), Program(as_user(lena)), Program(as_user(made.organiser))
    assert anybody.get(f"{here}/late-entries").json() == {
        "round": 2,
        "missed": [1],
        "count_as_lost": True,
        "needs_decklist": True,
        "sentence": "You enter at round 2 with 1 loss: Round 1 counts as a lost match, not as a bye.",
    }

    entered = own.post(f"{here}/late-entries", {"round": 2})

    assert (entered.status_code, entered.json()["round"], entered.json()["missed"]) == (201, 2, [1])
    mine = late(made)
    undone = own.send("DELETE", f"{here}/players/{mine.pk}/late-entry")
    assert (undone.status_code, undone.json()["state"]) == (200, "dropped")
    again = desk.post(f"{here}/late-entries", {"round": 2, "player": mine.pk})
    assert again.json()["player"] == mine.pk
    other = desk.post(f"{here}/late-entries", {"round": 2, "name": "Mats Uhl"})
    assert other.json()["name"] == "Mats Uhl"
    made.draft_round()
    late_undo = desk.send("DELETE", f"{here}/players/{mine.pk}/late-entry")
    assert (late_undo.status_code, late_undo.json()["code"]) == (409, "undo.built_upon")
    old = desk.post(f"{here}/late-entries", {"round": 2, "name": "Nele Ost"})
    assert (old.status_code, old.json()["code"], old.json()["context"]["round"]) == (409, "late.price_changed", 3)


def test_programs_of_others_let_nobody_in_and_nobody_out(made, as_user):
    here, ada = f"events/{made.event.code}", made.players[0]
    player, stranger = Program(as_user(user_of(ada))), Program(as_user(make_user("Out Sider")))
    answers = [
        Program().post(f"{here}/late-entries", {"round": 2}),
        stranger.post(f"{here}/late-entries", {"round": 2, "name": "Lena Toft"}),
        stranger.get(f"{here}/late-entries?player={ada.pk}"),
        stranger.send("DELETE", f"{here}/players/{ada.pk}/late-entry"),
        player.post(f"{here}/late-entries", {"round": 2}),
        player.post(f"{here}/late-entries", {"round": 2, "name": "A", "player": ada.pk}),
        player.post(f"{here}/late-entries", {"round": "2"}),
    ]

    assert [answer.status_code for answer in answers] == [401, 403, 403, 403, 409, 400, 400]
    assert Player.objects.filter(event=made.event).count() == 4


# -- T16: a drop while the match is open, through the API -------------------------------------------------------------


def test_a_player_drops_in_a_match_takes_it_back_drops_again_and_the_table_is_finished_without_them(
    make_event, as_user
):
    made = make_event(players=4, started=True)
    round_ = made.post_round()
    here, ada = f"events/{made.event.code}", made.players[0]
    program, desk = Program(as_user(user_of(ada))), Program(as_user(made.organiser))
    match, other = made.match_of(ada, round_), made.opponent_of(ada, round_)

    dropped = program.post(f"{here}/players/{ada.pk}/drop")
    back = program.post(f"{here}/players/{ada.pk}/reinstate")
    again = program.post(f"{here}/players/{ada.pk}/drop")

    assert [answer.status_code for answer in (dropped, back, again)] == [200, 200, 200]
    assert again.json()["after_round"] == 1
    first = match.seats.get(index=0).player_id
    score = {"wins_a": 2, "wins_b": 0} if first == other.pk else {"wins_a": 0, "wins_b": 2}
    decided = desk.post(f"{here}/matches/{match.pk}/result", score, version=version_of(made.event))
    assert decided.json()["state"] == "confirmed"
    for rest in round_.matches.exclude(pk=match.pk):
        body = {"wins_a": 2, "wins_b": 0}
        desk.post(f"{here}/matches/{rest.pk}/result", body, version=version_of(made.event))
    assert desk.post(f"{here}/rounds/1/complete", version=version_of(made.event)).status_code == 200
    assert desk.post(f"{here}/rounds", version=version_of(made.event)).status_code == 201
    seated = [seat["player"] for row in desk.get(f"{here}/rounds/2/matches").json() for seat in row["seats"]]
    assert sorted(seated) == sorted(player.pk for player in made.players[1:])
    late = program.post(f"{here}/players/{ada.pk}/reinstate")
    assert (late.status_code, late.json()["code"]) == (409, "player.missed_round")
    standings = Program().get(f"{here}/rounds/1/standings").json()["results"]
    assert ada.pk in [row["player"] for row in standings]


def test_a_player_takes_the_own_drop_back_on_the_page_until_the_next_round_is_paired(make_event, as_user, send):
    made = make_event(players=4, started=True)
    made.play_round()
    ada, here = made.players[0], f"/e/{made.event.code}/"
    assert "You can take it back until the next round is paired." in said(as_user(user_of(ada)).get(here + "me/drop"))
    send(user_of(ada), here + "me/drop")
    assert "Take my drop back" in said(as_user(user_of(ada)).get(here + "me/"))

    assert send(user_of(ada), here + "me/return").url == here + "me/"
    assert Player.objects.get(pk=ada.pk).state == "checked_in"
    send(user_of(ada), here + "me/drop")
    made.draft_round()

    assert "Take my drop back" not in said(as_user(user_of(ada)).get(here + "me/"))
    assert send(user_of(ada), here + "me/return").status_code == 409


def test_what_staff_did_a_player_does_not_take_back(make_event, as_user, send):
    made = make_event(players=4, started=True)
    ada, here = made.players[0], f"/e/{made.event.code}/"
    registration.drop_player(event_id=made.event.pk, actor=made.by_organiser, player_id=ada.pk)

    assert "Take my drop back" not in said(as_user(user_of(ada)).get(here + "me/"))
    assert send(user_of(ada), here + "me/return").status_code == 403
    api = Program(as_user(user_of(ada))).post(f"events/{made.event.code}/players/{ada.pk}/reinstate")
    assert (api.status_code, api.json()["code"]) == (403, "drop.by_staff")
