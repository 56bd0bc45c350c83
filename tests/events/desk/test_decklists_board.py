"""The board of decklists: who needs what, reminders, and what players see of it."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from rest_framework.test import APIClient

from config.errors import Conflict, NotFound, Unprocessable
from events.models import OutboxMessage, Player, StaffRole
from events.queries.decklists import decklist_board
from events.services import registration, reminders, setup, submission
from tests.events.factories import actor_of, legal_text, user_of
from tests.events.services.watching import last_entry, refused

from .conftest import key, said, version_of

pytestmark = pytest.mark.django_db
ILLEGAL = "Main deck\n1 Thrust\n"


@pytest.fixture
def hall(make_event):
    """Ada has no list, Bela an illegal one, Cleo a legal one, Dov withdrew his, Ema has dropped."""
    made = make_event(players=5)
    made.submit(made.players[1], ILLEGAL)
    for player in made.players[2:4]:
        made.submit(player)
    dov, ema = made.players[3:]
    submission.withdraw_decklist(event_id=made.event.pk, actor=actor_of(user_of(dov)), player_id=dov.pk)
    registration.drop_player(event_id=made.event.pk, actor=made.by_organiser, player_id=ema.pk)
    return made


def board(made, path: str = "") -> str:
    return f"/e/{made.event.code}/desk/decklists/{path}"


def remind(made, player: Player | None = None):
    return reminders.remind_of_decklists(
        event_id=made.event.pk, actor=made.by_organiser, player_id=player.pk if player else None
    )


def earlier(made, minutes: int) -> None:
    for player in made.event.players.exclude(decklist_reminded_at=None):
        player.decklist_reminded_at -= timedelta(minutes=minutes)
        player.save()


# -- the board --------------------------------------------------------------------------------------------------------


def test_the_board_has_who_needs_something_first_with_what_is_wrong(hall, as_user):
    rows = decklist_board(hall.event, reads=True)

    assert [(row.player.name, row.state) for row in rows] == [
        ("Ada Brook", "none"),
        ("Dov Hale", "withdrawn"),
        ("Bela Quist", "illegal"),
        ("Cleo Marsh", "legal"),
    ]
    assert [len(row.told) + len(row.more) for row in rows] == [0, 0, len(rows[2].told) + len(rows[2].more), 0]
    page = said(as_user(hall.organiser).get(board(hall)))
    assert rows[2].told[0].replace("’", "'")[:30] in page.replace("’", "'")
    assert "Remind all 3 who lack a legal list" in page
    assert "Everybody: 4 Something is needed: 3 None yet: 2 Illegal: 1 Legal: 1" in page
    assert "Due before round 1 is posted." in page


def test_the_board_is_filtered_by_a_link(hall, as_user):
    client = as_user(hall.judge)

    found = {
        show: [row.player.name for row in client.get(board(hall, f"?show={show}")).context["rows"]]
        for show in ("needed", "illegal", "legal", "nonsense")
    }

    assert found == {
        "needed": ["Ada Brook", "Dov Hale", "Bela Quist"],
        "illegal": ["Bela Quist"],
        "legal": ["Cleo Marsh"],
        "nonsense": ["Ada Brook", "Dov Hale", "Bela Quist", "Cleo Marsh"],
    }


def test_a_deadline_stands_there_with_the_time_that_is_left(hall, as_user):
    hall.event.decklist_deadline = timezone.now() + timedelta(hours=2, minutes=30)
    hall.event.save()

    assert "2\xa0hours, 29\xa0minutes left" in as_user(hall.organiser).get(board(hall)).content.decode()


def test_staff_who_play_see_who_lacks_a_list_and_nothing_of_what_is_in_it(hall, as_user):
    setup.add_staff(
        event_id=hall.event.pk,
        actor=hall.by_organiser,
        email=hall.players[2].user.email,
        role=StaffRole.Role.SCOREKEEPER,
    )

    response = as_user(hall.players[2]).get(board(hall))

    assert [(row.state, row.told, row.more) for row in response.context["rows"]][2] == ("illegal", (), ())
    assert "what is wrong with others’ decklists is not shown" in said(response)


@pytest.mark.parametrize("players", [1, 3])
def test_the_board_asks_as_often_for_many_players_as_for_few(make_event, as_user, players):
    made = make_event(players=players)
    for player in made.players:
        made.submit(player, ILLEGAL)
    client = as_user(made.organiser)

    with CaptureQueriesContext(connection) as captured:
        client.get(board(made))

    assert len(captured) == 2 + 3 + 3


# -- reminders --------------------------------------------------------------------------------------------------------


def test_everybody_who_lacks_a_list_is_reminded_once_in_ten_minutes(hall, as_user):
    ada, bela, _, dov, _ = hall.players

    change = remind(hall)

    assert change.facts == {"reminded": [ada.pk, bela.pk, dov.pk], "lately": 0}
    entry = last_entry(hall.event)
    assert (entry.kind, entry.payload, entry.is_public) == (
        "decklists.reminded",
        {"players": [ada.pk, bela.pk, dov.pk]},
        False,
    )
    message = OutboxMessage.objects.get(topic="decklist_reminder")
    assert message.payload == {"players": [ada.pk, bela.pk, dov.pk]}
    ada.refresh_from_db()
    assert ada.decklist_reminded_at == entry.at
    with refused(Conflict, "decklist.reminded_lately", 409):
        remind(hall)
    earlier(hall, 9)
    with refused(Conflict, "decklist.reminded_lately", 409):
        remind(hall, ada)
    earlier(hall, 1)
    assert remind(hall, ada).facts == {"reminded": [ada.pk], "lately": 0}
    assert remind(hall).facts == {"reminded": [bela.pk, dov.pk], "lately": 1}


def test_nobody_is_reminded_for_nothing(hall, make_event):
    cleo, ema = hall.players[2], hall.players[4]
    elsewhere = make_event(players=1, name="Another place")

    for player in (cleo, ema):
        with refused(Unprocessable, "decklist.nobody_to_remind", 422):
            remind(hall, player)
    with refused(NotFound, "player.unknown", 404):
        remind(hall, elsewhere.players[0])


def test_no_reminder_goes_out_once_round_1_is_posted_or_where_no_list_is_needed(make_event):
    made = make_event(players=2, started=True)
    made.post_round()
    free = make_event(players=1, name="Free", policy="sealed-2")

    with refused(Conflict, "decklist.too_late", 409):
        remind(made)
    with refused(Conflict, "decklist.not_asked", 409):
        remind(free)


def test_a_player_reads_at_once_that_the_staff_ask_and_no_more_once_it_is_done(hall, as_user, send):
    ada = hall.players[0]

    answer = send(hall.organiser, board(hall, "remind"))
    mine = f"/e/{hall.event.code}/me/"
    asked, other = said(as_user(ada).get(mine)), said(as_user(hall.players[2]).get(mine))
    hall.submit(ada)

    assert (answer.status_code, answer.url) == (302, board(hall))
    assert "The staff ask for your decklist" in asked
    assert "The staff ask for your decklist" not in other
    assert "The staff ask for your decklist" not in said(as_user(ada).get(mine))
    assert "Last sent" in said(as_user(hall.organiser).get(board(hall)))
    assert "3 players were reminded of the decklist" in said(as_user(hall.organiser).get(f"/e/{hall.event.code}/log/"))
    again = send(hall.organiser, board(hall, "remind"))
    assert (again.status_code, "less than 10 minutes ago" in said(again)) == (409, True)
    assert send(hall.organiser, board(hall, "remind"), {"player": "x"}).status_code == 400


# -- what is asked ----------------------------------------------------------------------------------------------------


def test_the_organiser_says_what_is_asked_and_players_read_it(make_event, as_user, send):
    made = make_event(players=1)
    public, mine = f"/e/{made.event.code}/", f"/e/{made.event.code}/me/"
    shown = {}

    for mode, without in (("required", "drop"), ("welcome", "wait"), ("none", "wait")):
        answer = send(made.organiser, board(made, "rules"), {"mode": mode, "without": without}, made.event)
        assert (answer.status_code, answer.url) == (302, board(made))
        shown[mode] = [said(as_user(made.players[0]).get(page)) for page in (public, mine, f"{public}info/")]

    assert "Decklists needed, due before round 1 is posted; without a legal one you are dropped" in shown["required"][0]
    assert "Without a legal one you are dropped" in shown["required"][1]
    assert "Players without one they are dropped" in shown["required"][2]
    assert "Decklists welcome, due before round 1 is posted" in shown["welcome"][0]
    assert "Hand in a decklist, if you like" in shown["welcome"][1]
    assert [page.replace("not asked for", "").lower().count("decklist") for page in shown["none"]][:2] == [0, 0]
    assert "Decklist not asked for" in shown["none"][2]
    page = said(as_user(made.players[0]).get(f"{mine}decklist"))
    assert "This event asks for no decklists." in page
    assert send(made.organiser, board(made, "rules"), {"mode": "x"}).status_code == 400
    assert "Nothing is asked of players" in said(as_user(made.organiser).get(board(made)))


def test_staff_hand_in_a_file(make_event, as_user):
    made = make_event(players=1)
    address = f"/e/{made.event.code}/desk/players/{made.players[0].pk}/decklist"
    client = as_user(made.organiser)
    upload = SimpleUploadedFile("deck.txt", legal_text(made.event).encode())

    assert 'type="file"' in client.get(address).content.decode()
    answer = client.post(address, {"idempotency_key": key(), "file": upload})
    refusal = client.post(
        address, {"idempotency_key": key(), "file": SimpleUploadedFile("deck.zip", b"PK\x03\x04\x00\xff")}
    )

    assert (answer.status_code, refusal.status_code) == (302, 400)
    assert "The file is no text" in said(refusal)
    assert [found.decklist.verdict.outcome for found in made.players[0].submissions.all()] == ["legal"]


# -- for programs -----------------------------------------------------------------------------------------------------


def test_a_program_reads_the_board_changes_the_rules_and_reminds(hall):
    client, address = APIClient(), f"/api/v1/events/{hall.event.code}/decklists"
    client.force_authenticate(hall.organiser)

    def post(path, body, name):
        return client.post(f"{address}{path}", body, format="json", headers={"Idempotency-Key": name})

    changed = post(
        "/rules", {"mode": "required", "without": "drop", "version": version_of(hall.event)}, "rules-of-lists"
    )
    reminded = post("/remind", {"player": hall.players[0].pk}, "remind-ada-now")
    found = client.get(address).json()

    assert changed.json() == {"version": changed.json()["version"], "mode": "required", "without": "drop"}
    assert reminded.json()["reminded"] == [hall.players[0].pk]
    assert found["rules"] == {"mode": "required", "without": "drop", "due": None}
    rows = [(row["name"], row["state"], bool(row["violations"]), bool(row["reminded_at"])) for row in found["rows"]]
    assert rows == [
        ("Ada Brook", "none", False, True),
        ("Dov Hale", "withdrawn", False, False),
        ("Bela Quist", "illegal", True, False),
        ("Cleo Marsh", "legal", False, False),
    ]
    client.force_authenticate(hall.judge)
    assert client.get(address).status_code == 200
    assert post("/remind", {}, "judge-reminds").status_code == 403
    client.force_authenticate(hall.players[0].user)
    assert client.get(address).status_code == 403
