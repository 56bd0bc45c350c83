"""A list of players comes in whole, and goes out again whole."""

from __future__ import annotations

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test.utils import CaptureQueriesContext
from rest_framework.test import APIClient

from config.errors import Conflict, DomainError, NotFound, Unprocessable
from events.engine.rosters import Entry
from events.models import Event, Player, Team
from events.queries.importing import imports_of, plan_of_import
from events.queries.registration import waiting
from events.queries.verification import verify_event
from events.services import importing, registration, setup, submission
from events.services.transaction import AlreadyDone, Command
from tests.events.factories import legal_text, make_user
from tests.events.services.watching import last_entry, nothing_new, one_change, refused

from .conftest import key, said, version_of

pytestmark = pytest.mark.django_db


def rows(*names: str) -> list[Entry]:
    return [Entry(line=line, name=name) for line, name in enumerate(names, 1)]


def bring_in(made, entries, **options):
    return importing.import_players(event_id=made.event.pk, actor=made.by_organiser, entries=entries, **options)


def undo(made, token: str):
    return importing.undo_import(event_id=made.event.pk, actor=made.by_organiser, token=token)


def page(made, path: str = "") -> str:
    return f"/e/{made.event.code}/desk/players/import/{path}"


def names_of(made) -> list[str]:
    return list(made.event.players.order_by("pk").values_list("name", flat=True))


# -- what would become of each row ------------------------------------------------------------------------------------


def test_each_row_gets_a_verdict(make_event):
    made = make_event(players=1)
    plan = plan_of_import(
        made.event,
        [
            Entry(1, "Zoe  Lang"),
            Entry(2, "ADA BROOK"),
            Entry(3, "Zoé Lang"),
            Entry(4, ""),
            Entry(5, "x" * 61),
            Entry(6, "Yan Mo", paid=False, problem="“9x” is no table."),
            Entry(7, "Lang Zoe"),
            Entry(8, "Ben Holt", public_name="Zoe Lang"),
            Entry(9, "Cy Nord", public_name="Cy N."),
            Entry(10, "Cyd North", public_name="cy n."),
        ],
    )

    assert [(row.entry.line, row.name[:10], row.verdict) for row in plan.rows] == [
        (1, "Zoe Lang", "new"),
        (2, "ADA BROOK", "there"),
        (3, "Zoé Lang", "twice"),
        (4, "", "problem"),
        (5, "x" * 10, "problem"),
        (6, "Yan Mo", "problem"),
        (7, "Lang Zoe", "new"),
        (8, "Ben Holt", "problem"),
        (9, "Cy Nord", "new"),
        (10, "Cyd North", "problem"),
    ]
    assert plan.counts == {"new": 3, "waitlist": 0, "there": 1, "twice": 1, "problem": 5}
    assert [plan.rows[place].message for place in (2, 3, 5, 6, 7)] == [
        "The same name as in line 1, which counts.",
        "There is no name.",
        "“9x” is no table.",
        "The same words as in line 1, in another order: is it one person?",
        "Somebody else is called Zoe Lang already. Choose another name for others to read.",
    ]


@pytest.mark.parametrize("count", [1, 200])
def test_a_plan_asks_once_however_long_the_list(make_event, count):
    made = make_event(players=2)
    entries = rows(*[f"Player {number}" for number in range(count)])

    with CaptureQueriesContext(connection) as captured:
        plan_of_import(made.event, entries)

    assert len(captured) == 1


def test_who_finds_no_place_waits_or_is_a_problem(make_event):
    made = make_event(players=1, capacity=2)
    entries = rows("Zoe Lang", "Yan Mo", "Ada Brook", "Wim Toth")

    without = [row.verdict for row in plan_of_import(made.event, entries).rows]
    made.event.waitlist = True
    with_one = [row.verdict for row in plan_of_import(made.event, entries).rows]

    assert without == ["new", "problem", "there", "problem"]
    assert with_one == ["new", "waitlist", "there", "waitlist"]


# -- in one go --------------------------------------------------------------------------------------------------------


def test_a_list_comes_in_with_all_that_it_says(make_event):
    made = make_event(players=1)
    entries = [
        Entry(1, "Zoe Lang", "Zoe L.", True, "Red Foxes", 2, 14),
        Entry(2, "Yan Mo", team="red foxes"),
        Entry(3, "ada brook"),
        Entry(4, "Yan  Mo"),
    ]

    with one_change(made.event, "players.imported"):
        change = bring_in(made, entries)

    zoe, yan = Player.objects.filter(event=made.event, user=None).select_related("team").order_by("pk")
    entry = last_entry(made.event)
    assert (zoe.name, zoe.public_name, zoe.name_key, zoe.state) == ("Zoe Lang", "Zoe L.", "zoe lang", "registered")
    assert zoe.paid_at == entry.at
    assert (zoe.assigned_byes, zoe.fixed_table, zoe.fixed_table_kind) == (2, 14, "accessibility")
    assert (yan.name, yan.paid_at, yan.assigned_byes, yan.fixed_table, yan.team) == ("Yan Mo", None, 0, None, zoe.team)
    assert len({zoe.claim_token, yan.claim_token, zoe.check_in_code, yan.check_in_code, None, ""}) == 6
    assert change.facts == {
        "list": entry.payload["list"],
        "players": [zoe.pk, yan.pk],
        "waiting": 0,
        "left_out": {"there": 1, "twice": 1, "problem": 0},
    }
    assert entry.payload == {"list": change.facts["list"], "players": [zoe.pk, yan.pk], "waiting": 0}
    assert entry.is_public
    assert Team.objects.count() == 1
    assert verify_event(made.refresh()).faults == []


def test_the_waitlist_is_in_the_order_of_the_rows(make_event):
    made = make_event(players=1, capacity=2)
    Event.objects.filter(pk=made.event.pk).update(waitlist=True)

    change = bring_in(made, rows("Zoe Lang", "Yan Mo", "Bo Ek"))

    assert change.facts["waiting"] == 2
    assert [player.name for player in waiting(made.refresh())] == ["Yan Mo", "Bo Ek"]


def test_a_problem_stops_the_whole_list_unless_it_is_left_out(make_event):
    made = make_event(players=1)
    entries = rows("Zoe Lang", "", "Yan\u202eMo")

    with refused(Unprocessable, "import.problems", 422):
        bring_in(made, entries)
    change = bring_in(made, entries, leave_out_problems=True)

    assert change.facts["left_out"] == {"there": 0, "twice": 0, "problem": 2}
    assert names_of(made) == ["Ada Brook", "Zoe Lang"]


def test_the_same_list_again_brings_in_nobody(make_event):
    made = make_event(players=1)
    bring_in(made, rows("Zoe Lang"))

    counts = {"new": 0, "waitlist": 0, "there": 2, "twice": 0, "problem": 0}
    with refused(Unprocessable, "import.nobody", 422, counts):
        bring_in(made, rows("zoe lang", "Ada Brook"))


def test_a_list_that_is_sent_twice_comes_in_once(make_event):
    made = make_event(players=1)
    command = Command(key="the-same-list")
    first = bring_in(made, rows("Zoe Lang"), command=command)

    with nothing_new(), pytest.raises(AlreadyDone) as again:
        bring_in(made, rows("Zoe Lang"), command=command)

    assert again.value.change == first


def test_a_started_event_and_a_list_that_is_too_long_are_refused(make_event):
    made = make_event(players=2, started=True)

    with refused(Conflict, "registration.closed", 409, {"state": "running"}):
        bring_in(made, rows("Zoe Lang"))
    with refused(DomainError, "roster.too_large", 400):
        bring_in(made, rows(*["x"] * 2_001))


# -- and out again ----------------------------------------------------------------------------------------------------


def test_a_list_goes_out_again_but_who_has_begun_to_take_part(make_event):
    made = make_event(players=1)
    names = ("Idle One", "Is Here", "Has Dropped", "Has Claimed", "Has Deck", "Idle Two")
    entries = [Entry(line, name, team="Foxes") for line, name in enumerate(names, 1)]
    ids = bring_in(made, entries).facts["players"]
    by_name = dict(zip(names, ids, strict=True))
    event, actor = made.event.pk, made.by_organiser
    registration.check_in(event_id=event, actor=actor, player_id=by_name["Is Here"])
    registration.drop_player(event_id=event, actor=actor, player_id=by_name["Has Dropped"])
    claimed = Player.objects.get(pk=by_name["Has Claimed"])
    registration.claim_entry(token=claimed.claim_token, actor=actor, user_id=make_user("Claudia").pk)
    submission.submit_decklist(
        event_id=event, actor=actor, player_id=by_name["Has Deck"], text=legal_text(made.event), by_staff=True
    )
    token = imports_of(made.event)[0].token
    kept = [by_name[name] for name in ("Is Here", "Has Dropped", "Has Claimed", "Has Deck")]
    assert [(found.players, found.left, found.undone) for found in imports_of(made.event)] == [(6, 2, False)]

    with one_change(made.event, "players.import_undone"):
        change = undo(made, token)

    assert change.facts == {"list": token, "removed": 2, "kept": kept}
    assert names_of(made) == ["Ada Brook", "Is Here", "Has Dropped", "Has Claimed", "Has Deck"]
    assert Team.objects.count() == 1
    assert [(found.left, found.undone) for found in imports_of(made.event)] == [(0, True)]
    assert verify_event(made.refresh()).faults == []
    with refused(Conflict, "import.undone", 409):
        undo(made, token)


def test_places_that_become_free_go_to_who_waits(make_event):
    made = make_event(players=1, capacity=2)
    Event.objects.filter(pk=made.event.pk).update(waitlist=True)
    token = bring_in(made, rows("Zoe Lang")).facts["list"]
    late = make_user("Late Comer")
    registration.register(event_id=made.event.pk, actor=made.by_organiser, user_id=late.pk)

    undo(made, token)

    assert dict(made.event.players.values_list("name", "state")) == {
        "Ada Brook": "registered",
        "Late Comer": "registered",
    }


def test_no_list_goes_out_once_the_event_has_started_or_where_it_is_not(make_event):
    made, other = make_event(players=2, checked_in=True, decklists=True), make_event(players=1, name="Another")
    token = bring_in(made, rows("Zoe Lang")).facts["list"]
    elsewhere = bring_in(other, rows("Zoe Lang")).facts["list"]
    setup.start_event(event_id=made.event.pk, actor=made.by_organiser)

    with refused(Conflict, "registration.closed", 409):
        undo(made, token)
    for unknown in (elsewhere, "nothing"):
        with refused(NotFound, "import.unknown", 404):
            undo(made, unknown)


# -- on the page ------------------------------------------------------------------------------------------------------


def test_a_file_is_looked_at_its_columns_are_named_and_it_comes_in(make_event, as_user, send):
    made = make_event(players=1)
    client, address = as_user(made.organiser), page(made)
    data = "Nachname;Vorname;Verein;Bezahlt\nGrün;Zoë;Foxes;ja\nBrook;Ada;;\nMo;Yan;;vielleicht\n".encode("cp1252")
    upload = {"file": SimpleUploadedFile("list.csv", data), "idempotency_key": key()}

    looked = client.post(address, upload)
    first = said(looked)
    text = looked.context["text"]
    sent = {"text": text, "charset": "Windows-1252", "column-last": "0", "column-first": "1", "column-team": "2"}
    again = said(send(made.organiser, address, sent))
    before = names_of(made)
    done = send(made.organiser, address, {**sent, "bring_in": "1"})

    assert "1 new 1 in the event already 1 with a problem" in first
    assert "3 rows, cells apart by semicolons, letters read as Windows-1252" in first
    assert "“vielleicht” is neither yes nor no" in first
    assert "2 new 1 in the event already" in again
    assert "Bring in 2 players" in again
    assert before == ["Ada Brook"]
    assert (done.status_code, done.url) == (302, f"/e/{made.event.code}/desk/players/")
    assert names_of(made) == ["Ada Brook", "Zoë Grün", "Yan Mo"]
    shown = client.get(address)
    assert "Lists that came in" in said(shown)
    assert "2 players came in with a list" in said(client.get(f"/e/{made.event.code}/log/"))
    token = imports_of(made.event)[0].token
    assert send(made.organiser, page(made, f"{token}/undo")).url == address
    assert names_of(made) == ["Ada Brook"]
    assert "taken out again" in said(client.get(address))


@pytest.mark.parametrize(
    ("sent", "status", "words"),
    [
        ({"text": ""}, 400, "There is no player in it."),
        ({"text": "Ada\nBela", "column-name": ""}, 400, "Say which column holds the names"),
        ({"text": "Ada\nBela", "column-name": "99"}, 400, "Say which column holds the names"),
        ({"text": "Ada\nBela", "column-name": "x"}, 400, "Say which column holds the names"),
        ({"text": "name,paid\nZoe,perhaps", "bring_in": "1"}, 422, "line 2 can't be used"),
        ({"text": "Ada Brook", "bring_in": "1"}, 422, "Nobody of this list is new"),
        ({"text": "x" * 256_001}, 400, "at most 2,000 players"),
        ({"text": "Zoe\nYan", "bring_in": "1", "idempotency_key": ""}, 400, "Reload the page"),
    ],
)
def test_what_cannot_come_in_is_said_and_nothing_is_changed(make_event, send, sent, status, words):
    made = make_event(players=1)
    before = made.refresh().version

    answer = send(made.organiser, page(made), sent)

    assert (answer.status_code, words in said(answer)) == (status, True)
    assert (names_of(made), made.refresh().version) == (["Ada Brook"], before)


def test_a_started_event_shows_no_form(make_event, as_user, send):
    made = make_event(players=2, started=True)

    assert "The event has started: lists come in before that." in said(as_user(made.organiser).get(page(made)))
    assert send(made.organiser, page(made), {"text": "Zoe", "bring_in": "1"}).status_code == 409


def test_what_stands_in_a_list_is_shown_and_never_run(make_event, send):
    made = make_event(players=0)

    shown = send(made.organiser, page(made), {"text": "</textarea><script>x</script>\n"}).content.decode()

    assert "<script>x" not in shown


@pytest.mark.parametrize("players", [1, 3])
def test_the_page_asks_as_often_for_many_players_as_for_few(make_event, as_user, players):
    made = make_event(players=players)
    bring_in(made, rows(*[f"Player {number}" for number in range(players)]))
    client = as_user(made.organiser)

    with CaptureQueriesContext(connection) as captured:
        client.get(page(made))

    assert len(captured) == 2 + 3 + 3


# -- for programs -----------------------------------------------------------------------------------------------------


def test_a_program_looks_first_brings_in_and_takes_out(make_event):
    made = make_event(players=1)
    client, address = APIClient(), f"/api/v1/events/{made.event.code}/players/import"
    client.force_authenticate(made.organiser)
    body = {"rows": [{"name": "Zoe Lang", "paid": True}, {"name": "ada brook"}, {"name": ""}]}

    def post(path, data, name):
        return client.post(path, data, format="json", headers={"Idempotency-Key": name})

    with nothing_new():
        looked = post(address, {**body, "dry_run": True}, "look-first")
    unsure = post(address, {**body, "version": version_of(made.event)}, "bring-in-all")
    done = post(address, {**body, "version": version_of(made.event), "leave_out_problems": True}, "bring-in-good")
    zoe = Player.objects.get(event=made.event, name="Zoe Lang")

    assert looked.json() == {
        "version": made.event.version,
        "counts": {"new": 1, "waitlist": 0, "there": 1, "twice": 0, "problem": 1},
        "rows": [
            {"row": 1, "name": "Zoe Lang", "verdict": "new", "message": ""},
            {
                "row": 2,
                "name": "ada brook",
                "verdict": "there",
                "message": "Is in the event already; what is noted there stays.",
            },
            {"row": 3, "name": "", "verdict": "problem", "message": "There is no name."},
        ],
    }
    assert (unsure.status_code, unsure.json()["code"]) == (422, "import.problems")
    assert unsure.json()["context"] == {"problems": [{"line": 3, "message": "There is no name."}]}
    assert done.status_code == 201
    assert done.json() == {
        "version": version_of(made.event),
        "list": imports_of(made.event)[0].token,
        "players": [zoe.pk],
        "waiting": 0,
        "left_out": {"there": 1, "twice": 0, "problem": 1},
    }
    gone = post(f"{address}/{done.json()['list']}/undo", {"version": version_of(made.event)}, "take-out")
    assert (gone.status_code, gone.json()["removed"], names_of(made)) == (200, 1, ["Ada Brook"])


@pytest.mark.parametrize("rows", [[], [{"name": "x"}] * 2_001, [{"name": 1}], [{"nome": "x"}], "x", None])
def test_a_program_that_sends_no_rows_is_refused(make_event, rows):
    made = make_event(players=1)
    client = APIClient()
    client.force_authenticate(made.organiser)

    with nothing_new():
        answer = client.post(
            f"/api/v1/events/{made.event.code}/players/import",
            {"rows": rows, "version": version_of(made.event)},
            format="json",
            headers={"Idempotency-Key": "no-rows-here"},
        )

    assert answer.status_code == 400


def test_players_and_judges_bring_in_nobody(make_event):
    made = make_event(players=1)
    for person in (made.players[0].user, made.judge):
        client = APIClient()
        client.force_authenticate(person)
        answer = client.post(
            f"/api/v1/events/{made.event.code}/players/import",
            {"rows": [{"name": "Zoe"}], "dry_run": True},
            format="json",
            headers={"Idempotency-Key": "not-for-me"},
        )
        assert answer.status_code == 403
