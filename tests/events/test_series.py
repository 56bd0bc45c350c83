"""Series: points of finished events, counted exactly; who owns what; which names belong together."""

from __future__ import annotations

import csv
import json
from io import StringIO

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from config.errors import DomainError
from events.engine.csv_text import csv_text
from events.engine.series import (
    Entry,
    PlacePoints,
    Scored,
    SeriesRow,
    SeriesRules,
    check_rules,
    read_points,
    series_table,
)
from events.models import Event, LogEntry, Player, Series
from events.queries.closing import final_places
from events.queries.verification import verify_event
from events.services import archive, registration
from events.services import series as services
from tests.events.api.conftest import Program
from tests.events.desk.conftest import key, said, send
from tests.events.factories import Made, actor_of, make_user, user_of

pytestmark = pytest.mark.django_db
TABLE = (PlacePoints(1, 1, 10), PlacePoints(2, 2, 7), PlacePoints(3, 4, 5))
RULES = SeriesRules(TABLE)
SWISS = {"stages": [{"kind": "swiss", "rounds": 1}], "decklist": {"required": False}}

__all__ = ["send"]


def entry(person: str, event: str, place: int, match_points: int = 0, player: int = 1) -> Entry:
    return Entry(person, person.title(), event, place, match_points, player)


# -- counting ---------------------------------------------------------------------------------------------------------


def test_points_are_by_place_and_equal_totals_share_a_place():
    entries = [entry("ada", "a", 1), entry("bela", "a", 2), entry("cleo", "a", 9), entry("bela", "b", 2)]
    entries += [entry("ada", "b", 3), entry("dov", "b", 1)]

    rows = series_table(RULES, entries)

    assert [(row.place, row.name, row.total) for row in rows] == [
        (1, "Ada", 15),
        (2, "Bela", 14),
        (3, "Dov", 10),
        (4, "Cleo", 0),
    ]
    rows = series_table(
        RULES, [entry("ada", "a", 3), entry("bela", "a", 4), entry("cleo", "a", 1), entry("dov", "a", 9)]
    )
    assert [(row.place, row.name, row.total) for row in rows] == [
        (1, "Cleo", 10),
        (2, "Ada", 5),
        (2, "Bela", 5),
        (4, "Dov", 0),
    ]


def test_the_best_so_many_count_and_of_equals_the_earlier():
    rules = SeriesRules(TABLE, best=2)
    entries = [entry("ada", "a", 3), entry("ada", "b", 1), entry("ada", "c", 4), entry("ada", "d", 9)]

    assert series_table(rules, entries) == (
        SeriesRow(
            1,
            "Ada",
            15,
            (
                Scored("a", 1, 3, 5, True),
                Scored("b", 1, 1, 10, True),
                Scored("c", 1, 4, 5, False),
                Scored("d", 1, 9, 0, False),
            ),
        ),
    )


def test_match_points_and_taking_part_count_beside_the_place():
    assert SeriesRules(TABLE, per_match_point=2, taking_part=1).points(2, 9) == 7 + 18 + 1
    assert SeriesRules((), per_match_point=1).points(1, 6) == 6


@pytest.mark.parametrize(
    ("rules", "code"),
    [
        (SeriesRules(), "series.nothing"),
        (SeriesRules((PlacePoints(1, 1, 0),)), "series.nothing"),
        (SeriesRules((PlacePoints(0, 1, 5),)), "series.places"),
        (SeriesRules((PlacePoints(5, 2, 5),)), "series.places"),
        (SeriesRules((PlacePoints(3, 9, 1), PlacePoints(1, 4, 5))), "series.places"),
        (SeriesRules((PlacePoints(1, 1, 1001),)), "series.points"),
        (SeriesRules(TABLE, per_match_point=-1), "series.points"),
        (SeriesRules(TABLE, best=101), "series.best"),
        (SeriesRules(tuple(PlacePoints(place, place, 1) for place in range(1, 202))), "series.places"),
    ],
)
def test_points_that_make_no_sense_are_refused(rules, code):
    with pytest.raises(DomainError) as refusal:
        check_rules(rules)
    assert refusal.value.code == code


def test_a_points_table_is_read_from_lines():
    assert read_points("1: 10\n\n2. : 7\n3 - 4: 5") == TABLE
    assert [row.line for row in TABLE] == ["1: 10", "2: 7", "3-4: 5"]
    with pytest.raises(DomainError, match="Line 2 is no place"):
        read_points("1: 10\nsecond: 7")


def test_a_spreadsheet_runs_no_cell():
    cells = ['=HYPERLINK("x")', "+1", "-1", "@SUM", "\tx", "  =1", "|x", "%x", 'Ada; "A"', 5, -5, None]

    assert next(csv.reader(StringIO(csv_text(["a"], [cells]).split("\r\n", 1)[1]))) == [
        *('\'=HYPERLINK("x")', "'+1", "'-1", "'@SUM", "'\tx", "'  =1", "'|x", "'%x", 'Ada; "A"', "5", "-5", ""),
    ]


# -- over events ------------------------------------------------------------------------------------------------------


@pytest.fixture
def league(make_event):
    """A series with two finished events of the same four people and one that goes on."""
    events: list[Made] = []
    for name in ("First", "Second", "Third"):
        made = make_event(started=True, decklists=False, name=name, own_rules=SWISS)
        events.append(made)
    slug = services.create_series(actor=events[0].by_organiser, name="Winter league", rules=RULES).facts["slug"]
    for made in events:
        services.join_series(event_id=made.event.pk, slug=slug, actor=made.by_organiser)
    for made in events[:2]:
        made.play_round()
        made.finish()
    return Series.objects.get(slug=slug), events


def totals(series: Series, client) -> list[tuple[int, str, int]]:
    answer = Program(client).get(f"series/{series.slug}").json()
    return [(row["place"], row["name"], row["total"]) for row in answer["standings"]]


def test_totals_are_over_the_finished_events(league, client):
    series, events = league
    expected: dict[str, int] = {}
    for made in events[:2]:
        for row in final_places(made.event):
            expected[row.player.name] = expected.get(row.player.name, 0) + RULES.points(row.place, 0)

    answer = Program(client).get(f"series/{series.slug}").json()

    assert {row["name"]: row["total"] for row in answer["standings"]} == expected
    assert [(event["name"], event["state"]) for event in answer["events"]] == [
        ("First", "finished"),
        ("Second", "finished"),
        ("Third", "running"),
    ]
    assert answer["points"] == {
        "places": [
            {"first": 1, "last": 1, "points": 10},
            {"first": 2, "last": 2, "points": 7},
            {"first": 3, "last": 4, "points": 5},
        ],
        "per_match_point": 0,
        "taking_part": 0,
        "best": 0,
    }
    page = said(client.get(f"/series/{series.slug}/"))
    assert "Total standings over 2 finished events of 3" in page
    assert "Points by final place: 1: 10, 2: 7 and 3-4: 5." in page
    assert "Third Running: gives no points yet" in page
    assert "Counts in the series Winter league" in said(client.get(f"/e/{events[0].event.code}/info/"))
    assert verify_event(events[0].refresh()).faults == []


def test_other_points_count_the_same_events_anew(league, client):
    series, events = league

    services.change_series(
        slug=series.slug, actor=events[0].by_organiser, name="League", rules=SeriesRules(per_match_point=1, best=1)
    )

    winners = {row.player.name for made in events[:2] for row in final_places(made.event)[:2]}
    assert {name for _, name, total in totals(series, client) if total == 3} == winners
    assert {total for _, name, total in totals(series, client) if name not in winners} <= {0}
    series.refresh_from_db()
    assert (series.name, series.version) == ("League", 1)


def test_an_archived_event_goes_on_counting_and_a_removed_one_does_not(league, client):
    series, events = league
    before = totals(series, client)
    archive.archive_event(event_id=events[0].event.pk, actor=events[0].by_organiser)
    assert totals(series, client) == before

    services.leave_series(event_id=events[1].event.pk, slug=series.slug, actor=events[1].by_organiser)

    assert sum(total for _, _, total in totals(series, client)) == 10 + 7 + 5 + 5
    kinds = LogEntry.objects.filter(event=events[1].event, kind__startswith="series.").order_by("seq")
    assert list(kinds.values_list("kind", flat=True)) == ["series.joined", "series.left"]


def test_who_is_read_by_another_name_in_another_event_is_another_row(league, client):
    series, events = league
    ada = make_user("Ada Brook")
    Player.objects.filter(event=events[0].event, user=ada).update(public_name="Canary Fox")

    rows = Program(client).get(f"series/{series.slug}").json()["standings"]

    own = {row["name"]: len(row["results"]) for row in rows if row["name"] in ("Ada Brook", "Canary Fox")}
    assert own == {"Ada Brook": 1, "Canary Fox": 1}
    assert {row["name"]: len(row["results"]) for row in rows if row["name"] not in own} == {
        "Bela Quist": 2,
        "Cleo Marsh": 2,
        "Dov Hale": 2,
    }
    Player.objects.filter(event=events[1].event, user=ada).update(public_name="Canary Fox")
    for path in ("", "standings.csv", "standings.json"):
        page = client.get(f"/series/{series.slug}/{path}").content.decode()
        assert ("Canary Fox" in page, "Ada" in page) == (True, False)


def test_guests_of_one_name_are_not_taken_for_one_person(league, client):
    series, events = league
    Player.objects.filter(user=make_user("Ada Brook")).update(user=None)

    rows = Program(client).get(f"series/{series.slug}").json()["standings"]

    assert [len(row["results"]) for row in rows if row["name"] == "Ada Brook"] == [1, 1]


def test_the_standings_are_a_file(league, client):
    series, events = league
    Player.objects.filter(name="Bela Quist").update(name='=HYPERLINK("http://x")')

    answer = client.get(f"/series/{series.slug}/standings.csv")
    data = client.get(f"/series/{series.slug}/standings.json")

    first, second = (made.event.code for made in events[:2])
    rows = list(csv.reader(StringIO(answer.content.decode())))
    assert rows[0] == ["place", "player", "total", first, f"{first} counts", second, f"{second} counts"]
    assert len(rows) == 5
    assert '\'=HYPERLINK("http://x")' in {row[1] for row in rows}
    assert answer["Content-Type"] == "text/csv; charset=utf-8"
    assert answer["Content-Disposition"].startswith(f'attachment; filename="{series.slug}-')
    assert json.loads(data.content) == Program(client).get(f"series/{series.slug}").json()


@pytest.mark.parametrize("count", [1, 3])
def test_the_page_asks_as_often_for_many_events_as_for_few(make_event, client, count):
    stages = [{"kind": "swiss", "rounds": 1}, {"kind": "single_elimination", "cut": 2}]
    slug = None
    for number in range(count):
        made = make_event(
            started=True, name=f"Event {number}", own_rules={"stages": stages}, players=2 + 2 * (count > 1)
        )
        slug = slug or services.create_series(actor=made.by_organiser, name="League", rules=RULES).facts["slug"]
        services.join_series(event_id=made.event.pk, slug=slug, actor=made.by_organiser)
        made.play_round()
        made.next_stage()
        made.play_round()
        made.finish()

    with CaptureQueriesContext(connection) as captured:
        assert client.get(f"/series/{slug}/").status_code == 200

    assert len(captured) == 6  # the series; events, their cuts, the matches of these, seats, standings


# -- who may ----------------------------------------------------------------------------------------------------------


def test_anybody_with_an_account_makes_a_series_and_adds_events_of_their_own(make_event, send, client):
    made = make_event(players=0)
    fields = {"name": "Winter league", "places": "1: 10\n2: 7", "best": "3", "idempotency_key": key()}

    answer = send(made.organiser, "/series/new", fields)
    again = send(made.organiser, "/series/new", fields)
    other = send(made.organiser, "/series/new", {**fields, "idempotency_key": key()})
    joined = send(made.organiser, "/series/winter-league/join", {"code": made.event.code})

    assert (answer.url, again.url) == ("/series/winter-league/", "/series/winter-league/")
    assert other.url.startswith("/series/winter-league-")
    assert joined.status_code == 302
    series = Series.objects.get(slug="winter-league")
    assert (series.owner, series.rules) == (
        made.organiser,
        {"places": [[1, 1, 10], [2, 2, 7]], "per_match_point": 0, "taking_part": 0, "best": 3},
    )
    assert made.refresh().series == series
    assert "Winter league" in said(client.get("/series/"))
    away = send(made.organiser, f"/series/winter-league/leave/{made.event.code}")
    assert (away.status_code, made.refresh().series) == (302, None)


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"name": ""}, "This field is required."),
        ({"places": "first: ten"}, "Line 1 is no place with its points"),
        ({"places": ""}, "Nothing gives a point"),
        ({"places": "1: 1\n1: 2"}, "Place 1 has points twice"),
        ({"best": "0"}, "greater than or equal to 1"),
        ({"idempotency_key": None}, "incomplete"),
    ],
)
def test_a_series_that_cannot_be_is_refused_beside_its_field(db, send, fields, words):
    answer = send(make_user("Ora Niser"), "/series/new", {"name": "League", "places": "1: 10", **fields})

    assert answer.status_code == 400
    assert words in said(answer)
    assert not Series.objects.exists()


def test_only_the_owner_changes_a_series_and_only_with_events_of_their_own(make_event, send, as_user):
    made = make_event(players=0)
    other = make_user("Other Owner")
    services.create_series(actor=actor_of(other), name="Theirs", rules=RULES)
    fields = {"name": "Mine now", "places": "1: 1"}

    theirs = [
        as_user(made.organiser).get("/series/theirs/change").status_code,
        send(made.organiser, "/series/theirs/change", fields).status_code,
        send(made.organiser, "/series/theirs/join", {"code": made.event.code}).status_code,
        send(other, "/series/theirs/join", {"code": made.event.code}).status_code,
        send(other, "/series/theirs/join", {"code": "nowhere"}).status_code,
        send(other, f"/series/theirs/leave/{made.event.code}").status_code,
        send(other, "/series/nowhere/join", {"code": made.event.code}).status_code,
    ]

    assert theirs == [404, 404, 403, 404, 400, 404, 404]
    assert (made.refresh().series, Series.objects.get().name) == (None, "Theirs")


def test_an_event_counts_in_one_series_at_most(make_event, send):
    made = make_event(players=0)
    for name in ("One", "Other"):
        services.create_series(actor=made.by_organiser, name=name, rules=RULES)
    services.join_series(event_id=made.event.pk, slug="one", actor=made.by_organiser)
    version = made.refresh().version

    again = send(made.organiser, "/series/one/join", {"code": made.event.code})
    other = send(made.organiser, "/series/other/join", {"code": made.event.code})

    assert (again.status_code, other.status_code) == (302, 409)
    assert "counts in another series" in said(other)
    assert made.refresh().version == version


def test_a_change_that_was_decided_on_an_old_state_is_refused(db, send, as_user):
    owner = make_user("Ora Niser")
    services.create_series(actor=actor_of(owner), name="League", rules=RULES)
    shown = as_user(owner).get("/series/league/change").content.decode()
    assert 'name="version" value="0"' in shown

    first = send(owner, "/series/league/change", {"name": "A", "places": "1: 1", "version": 0})
    second = send(owner, "/series/league/change", {"name": "B", "places": "1: 2", "version": 0})

    assert (first.status_code, second.status_code) == (302, 409)
    assert Series.objects.get().name == "A"


def test_a_program_runs_a_series(make_event, as_user):
    made = make_event(players=0)
    program = Program(as_user(made.organiser))
    points = {"places": [{"first": 1, "last": 1, "points": 5}]}

    made_one = program.post("series", {"name": "League", "points": points})
    bad = program.post("series", {"name": "League", "points": {"places": []}})
    without = program.post("series/league", {"name": "L", "points": points})
    changed = program.post("series/league", {"name": "L", "points": {"taking_part": 1}}, version=0)
    stale = program.post("series/league", {"name": "M", "points": points}, version=0)
    joined = program.post("series/league/join", {"code": made.event.code})
    left = program.post("series/league/leave", {"code": made.event.code})
    listed = program.get("series").json()["results"]

    answers = (made_one, bad, without, changed, stale, joined, left)
    assert [answer.status_code for answer in answers] == [201, 400, 428, 200, 409, 200, 200]
    assert (made_one.json(), bad.json()["code"], stale.json()["code"]) == (
        {"version": 0, "slug": "league"},
        "series.nothing",
        "series.stale",
    )
    assert listed == [{"slug": "league", "name": "L", "events": 0}]


def test_a_claimed_guest_joins_the_rows_of_the_account(league, client):
    series, events = league
    ada = make_user("Ada Brook")
    Player.objects.filter(event=events[0].event, user=ada).update(user=None, claim_token="a" * 40)
    apart = [row for row in totals(series, client) if row[1] == "Ada Brook"]

    registration.claim_entry(token="a" * 40, actor=actor_of(ada), user_id=ada.pk)

    together = [row for row in totals(series, client) if row[1] == "Ada Brook"]
    assert (len(apart), len(together)) == (2, 1)
    assert together[0][2] == sum(total for _, _, total in apart)
    assert user_of(Player.objects.get(event=events[0].event, name="Ada Brook")) == ada
    assert Event.objects.filter(series=series).count() == 3
