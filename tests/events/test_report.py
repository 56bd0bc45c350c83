"""The report of an event: whole, in its published shape, and with nothing in it that its readers may not know."""

from __future__ import annotations

import csv
from io import StringIO

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from jsonschema import Draft202012Validator

from config.schemas import published
from events.engine.prizes import Prize
from events.engine.report_file import TABLES
from events.models import Event, Player
from events.queries.report import report_of
from events.services import player_facts, prizes, registration, results
from tests.events.api.conftest import Program
from tests.events.desk.conftest import staffed
from tests.events.factories import Made

pytestmark = pytest.mark.django_db
SWISS = {"kind": "swiss", "rounds": 2}
CUT = {"kind": "single_elimination", "cut": 2}


def played(make_event, *stages, **options) -> Made:
    rules = {"stages": list(stages), "decklist": {"required": False}}
    return make_event(started=True, decklists=False, own_rules=rules, **options)


def rows_of(answer) -> list[list[str]]:
    return list(csv.reader(StringIO(answer.content.decode())))


@pytest.fixture
def finished(make_event):
    """Five players, two Swiss rounds and a final; one hides the name, one is called like a formula, one dropped."""
    made = played(make_event, SWISS, CUT, players=5)
    first, second, third = made.players[:3]
    Player.objects.filter(pk=first.pk).update(name="Canary Surname", public_name="Canary S.")
    Player.objects.filter(pk=second.pk).update(name='=cmd|"/c calc"!A1')
    player_facts.change_facts(event_id=made.event.pk, actor=made.by_organiser, player_id=third.pk, team="Foxes")
    prizes.set_prizes(event_id=made.event.pk, actor=made.by_organiser, prizes=(Prize(1, 2, "a pack"),))
    made.play_round()
    registration.drop_player(event_id=made.event.pk, actor=made.by_organiser, player_id=third.pk)
    made.play_round()
    made.next_stage()
    made.play_round()
    made.finish()
    made.event = Event.objects.select_related("game", "format", "format_version", "policy").get(pk=made.event.pk)
    return made


def test_a_report_has_the_shape_that_is_published(finished, client, as_user):
    schema = Draft202012Validator(published()["report"])
    public = Program(client).get(f"events/{finished.event.code}/report").json()
    full = Program(as_user(finished.organiser)).get(f"events/{finished.event.code}/report/full").json()

    assert list(schema.iter_errors(public)) == list(schema.iter_errors(full)) == []
    assert client.get(f"/e/{finished.event.code}/report.json").json() == public
    assert as_user(finished.organiser).get(f"/e/{finished.event.code}/desk/report.json").json() == full


def test_a_report_is_whole(finished, client):
    report = Program(client).get(f"events/{finished.event.code}/report").json()

    assert [(round_["round"], round_["kind"], len(round_["matches"])) for round_ in report["rounds"]] == [
        (1, "swiss", 3),
        (2, "swiss", 2),
        (3, "single_elimination", 1),
    ]
    final = report["rounds"][2]["matches"][0]
    assert (final["decided"], sorted(seat["outcome"] for seat in final["seats"])) == ("staff", ["loss", "win"])
    assert [row["rank"] for row in report["standings"]] == [1, 2, 3, 4, 5]
    assert [(row["place"], row["prize"]) for row in report["places"]] == [
        (1, "a pack"),
        (2, "a pack"),
        (3, None),
        (4, None),
        (5, None),
    ]
    assert report["event"]["secret"] == bytes(finished.event.secret).hex()
    assert set(report["event"]["rules"]) >= {"match", "points", "decklist", "standings", "stages"}
    dropped = next(player for player in report["players"] if player["id"] == finished.players[2].pk)
    assert dropped == {
        "id": finished.players[2].pk,
        "name": finished.players[2].name,
        "state": "dropped",
        "entered_from_round": 1,
        "dropped_after_round": 1,
    }


def test_everybodys_report_has_no_hidden_name_no_reason_and_no_handover(finished, client, as_user):
    code = finished.event.code
    organiser = as_user(finished.organiser)
    public = [f"/e/{code}/report.json", f"/api/v1/events/{code}/report"]
    public += [f"/e/{code}/report/{table}.csv" for table in TABLES]
    full = [f"/e/{code}/desk/report.json", f"/api/v1/events/{code}/report/full"]
    full += [f"/e/{code}/desk/report/{table}.csv" for table in TABLES]

    shown = {path: client.get(path).content.decode() for path in public}
    told = {path: organiser.get(path).content.decode() for path in full}

    assert [path for path, text in shown.items() if "Surname" in text or "Foxes" in text] == []
    assert [path for path, text in shown.items() if "handed" in text or "reason" in text or "full_name" in text] == []
    assert [path for path, text in shown.items() if "Canary S." not in text and "places" not in path] == []
    assert [path for path, text in told.items() if "Canary Surname" not in text and "places" not in path] == []
    assert "Foxes" in told[f"/e/{code}/desk/report/players.csv"]


def test_no_report_has_a_decklist_or_a_round_that_is_not_posted(make_event, client, as_user):
    made = make_event(started=True)
    made.draft_round()
    card = made.players[0].submissions.get().decklist.entries[0]["name"]

    pages = [
        client.get(f"/e/{made.event.code}/report.json"),
        as_user(made.organiser).get(f"/e/{made.event.code}/desk/report.json"),
    ]

    assert [card in page.content.decode() for page in pages] == [False, False]
    assert [page.json()["rounds"] for page in pages] == [[], []]
    assert [page.json()["event"]["secret"] for page in pages] == [None, None]


def test_what_only_one_player_says_is_not_in_a_report(make_event, client):
    made = played(make_event, SWISS)
    round_ = made.post_round()
    made.report(made.players[0], round_, 2, 0)
    match = made.match_of(made.players[0], round_)

    seats = [
        seat
        for row in client.get(f"/e/{made.event.code}/report.json").json()["rounds"][0]["matches"]
        for seat in row["seats"]
    ]

    assert {seat["outcome"] for seat in seats} == {None}
    results.decide_result(event_id=made.event.pk, actor=made.by_organiser, match_id=match.pk, wins_a=0, wins_b=2)
    decided = client.get(f"/e/{made.event.code}/report.json").json()["rounds"][0]["matches"]
    assert sorted(str(seat["outcome"]) for row in decided for seat in row["seats"]) == ["None", "None", "loss", "win"]


def test_tables_are_safe_for_a_spreadsheet(finished, client, as_user):
    code = finished.event.code

    players = rows_of(client.get(f"/e/{code}/report/players.csv"))
    standings = rows_of(client.get(f"/e/{code}/report/standings.csv"))
    matches = rows_of(client.get(f"/e/{code}/report/matches.csv"))
    places = rows_of(as_user(finished.organiser).get(f"/e/{code}/desk/report/places.csv"))

    assert players[0] == ["player", "name", "state", "entered from round", "dropped after round"]
    assert '\'=cmd|"/c calc"!A1' in {row[1] for row in players}
    assert standings[0][:3] == ["rank", "name", "match_points"]
    assert [row[0] for row in standings[1:]] == ["1", "2", "3", "4", "5"]
    assert len(matches) == 1 + 5 + 4 + 2
    assert (places[0][-1], {row[-1] for row in places[1:]}) == ("handed over", {"no"})
    assert {cell[:1] for table in (players, standings, matches, places) for row in table for cell in row} & set(
        "=+@"
    ) == set()


def test_only_the_organiser_has_the_whole(finished, as_user, client):
    code = finished.event.code
    keeper = as_user(staffed(finished, "scorekeeper"))

    assert [
        keeper.get(f"/e/{code}/desk/report.json").status_code,
        as_user(finished.players[1]).get(f"/e/{code}/desk/report/players.csv").status_code,
        as_user(finished.players[1]).get(f"/api/v1/events/{code}/report/full").status_code,
        client.get(f"/e/{code}/report/decklists.csv").status_code,
    ] == [403, 404, 403, 404]


@pytest.mark.parametrize("players", [2, 6])
def test_a_report_asks_as_often_for_many_players_as_for_few(make_event, players):
    made = played(make_event, {**SWISS, "rounds": 1}, CUT, players=players)
    made.play_round()
    made.next_stage()
    made.play_round()
    made.finish()
    event = Event.objects.select_related("game", "format", "format_version").get(pk=made.event.pk)

    with CaptureQueriesContext(connection) as captured:
        report_of(event, audience="organiser")

    assert len(captured) == 12
