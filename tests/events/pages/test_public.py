from __future__ import annotations

import re
from datetime import datetime

import pytest
from django.core import signing
from django.test import Client

from config.live import _ticket
from events.feed import Ticket
from events.models import Event, Round
from events.services import rounds

TABS = ("", "pairings/", "standings/", "bracket/", "players/", "info/", "log/", "wall/")


def words(response) -> str:
    """The text of the main part, with single spaces."""
    page = response.content.decode()
    main = page[page.index("<main") : page.index("</main>")] if "<main" in page else page
    inline = re.sub(r"</?(?:a|abbr|code|mark|span|strong|time)\b[^>]*>", "", main)
    return " ".join(re.sub(r"<[^>]+>", " ", inline).split())


def test_every_page_stands_before_the_first_round_and_says_what_comes(make_event):
    made = make_event(players=2)
    client = Client()

    answers = {tab: client.get(f"/e/{made.event.code}/{tab}") for tab in TABS}

    assert {answer.status_code for answer in answers.values()} == {200}
    assert "Before 5 March 2027, 09:00: register, hand in a decklist and check in." in words(answers[""])
    assert "No round has been posted" in words(answers["pairings/"])
    assert "They stand here as soon as the first round is complete" in words(answers["standings/"])


def test_a_guest_is_offered_to_log_in_and_comes_back(make_event):
    made = make_event(players=2)

    page = Client().get(f"/e/{made.event.code}/").content.decode()

    assert f"/account/login/?next=/e/{made.event.code}/" in page
    assert f'action="/e/{made.event.code}/register"' not in page


def test_times_are_those_of_the_place(make_event):
    made = make_event(players=2, time_zone="Europe/Paris")

    assert "Before 5 March 2027, 10:00:" in words(Client().get(f"/e/{made.event.code}/"))


def test_the_posted_round_is_shown_by_table_and_by_name(make_event):
    made = make_event(players=4, started=True)
    round_ = made.post_round()
    ada, other = made.players[0], made.opponent_of(made.players[0], round_)
    table = made.match_of(ada, round_).table
    client = Client()

    by_table = words(client.get(f"/e/{made.event.code}/pairings/"))
    by_name = words(client.get(f"/e/{made.event.code}/pairings/?by=name"))

    assert f"{ada.name} against {other.name}" in by_table or f"{other.name} against {ada.name}" in by_table
    assert f"Table {table} {ada.name} {other.name}" in by_name
    assert "Both have 0 points. They have not met before in this event." in by_table


def test_standings_are_the_stored_rows_with_their_reasons(make_event):
    made = make_event(players=4, started=True)
    made.play_round()

    page = words(Client().get(f"/e/{made.event.code}/standings/"))

    rows = list(Round.objects.get(event=made.event).standings.select_related("player").order_by("rank"))
    places = [page.index(f" {row.rank} {row.player.name} ") for row in rows]
    assert places == sorted(places)
    assert "100.0 %" in page
    assert f"Ahead of {rows[2].player.name} by match points: 3 against 0." in page


def test_standings_of_an_earlier_round_have_their_own_address(make_event):
    made = make_event(players=4, started=True)
    made.play_round()
    made.play_round()
    client = Client()

    assert "After round 2" in words(client.get(f"/e/{made.event.code}/standings/"))
    assert "After round 1" in words(client.get(f"/e/{made.event.code}/standings/?round=1"))


def test_the_bracket_fills_as_its_rounds_are_posted(make_event):
    made = make_event(players=4, started=True)
    for _ in range(2):
        made.play_round()
    client = Client()
    before = words(client.get(f"/e/{made.event.code}/bracket/"))
    made.next_stage()
    cut = words(client.get(f"/e/{made.event.code}/bracket/"))
    made.play_round()
    made.play_round()
    after = words(client.get(f"/e/{made.event.code}/bracket/"))

    assert "The cut is not made yet" in before
    assert cut.count("to be played") == 6
    assert "to be played" not in after
    assert re.search(r"Bracket \w+ \w+ won\.", after)


def test_the_secret_is_shown_only_when_the_event_is_finished(make_event):
    made = make_event(players=2, started=True)
    secret = bytes(made.event.secret).hex()
    pages = [f"/e/{made.event.code}/{tab}" for tab in TABS]
    client = Client()

    before = "".join(client.get(page).content.decode() for page in pages)
    made.play_round()
    made.next_stage()
    made.play_round()
    made.finish()
    after = client.get(f"/e/{made.event.code}/info/").content.decode()

    assert made.event.commitment in before
    assert secret not in before
    assert secret in after


def test_rules_of_the_event_cite_their_sections_and_mark_readings(make_event):
    page = Client().get(f"/e/{make_event(players=2).event.code}/info/").content.decode()

    assert re.search(r'50 minutes\s*<a class="citation" href="/rules/epic/[^"]+">EPIC R8</a>', page)
    assert "interpretation" in page


def test_the_log_tells_everybody_what_is_public_and_staff_the_rest(make_event, as_user):
    made = make_event(players=2, started=True)
    made.draft_round()
    address = f"/e/{made.event.code}/log/"

    public, staff = words(Client().get(address)), words(as_user(made.judge).get(address))

    assert "Ada Brook registered" in public
    assert "Round 1 was drafted" not in public
    assert "handed in a decklist" not in public
    assert "Round 1 was drafted by Odile Marchetti staff only" in staff


@pytest.mark.parametrize("tab", ["pairings/", "standings/"])
@pytest.mark.parametrize(
    ("number", "status"), [("1", 200), ("2", 404), ("0", 404), ("-1", 400), ("x", 400), ("9" * 30, 400), ("1.5", 400)]
)
def test_a_round_is_asked_for_by_a_number_that_was_posted(make_event, tab, number, status):
    made = make_event(players=2, started=True)
    made.play_round()

    assert Client().get(f"/e/{made.event.code}/{tab}?round={number}").status_code == status


@pytest.mark.parametrize("address", ["", "pairings/", "me/", "version", "ticket", "players/", "decklists/1/", "info/"])
def test_an_unknown_event_is_not_found(db, address):
    assert Client().get(f"/e/nowhere/{address}", follow=False).status_code in (302, 404)
    assert Client().get(f"/e/nowhere/{address}").status_code == (302 if address == "me/" else 404)


@pytest.mark.parametrize("query", ["?round=%00", "?by=%00", "?round=%ED%A0%80", "?by=score"])
def test_characters_that_mean_nothing_are_refused(make_event, query):
    made = make_event(players=2)

    assert Client().get(f"/e/{made.event.code}/pairings/{query}").status_code in (400, 404)


def test_a_fragment_is_the_page_without_its_frame_and_is_never_kept(make_event):
    made = make_event(players=2, started=True)
    made.post_round()
    client = Client()

    whole = client.get(f"/e/{made.event.code}/pairings/?by=name")
    part = client.get(f"/e/{made.event.code}/pairings/?by=name", headers={"HX-Request": "true"})

    assert "<html" in whole.content.decode()
    assert "<html" not in part.content.decode()
    assert f'hx-get="/e/{made.event.code}/pairings/?by=name"' in part.content.decode()
    assert 'id="event-state" hx-swap-oob="true">Round 1 of 1<' in part.content.decode()
    assert part["Cache-Control"] == "no-store"
    assert "HX-Request" in whole["Vary"]


def test_the_version_is_one_query_and_unchanged_while_nothing_happens(make_event, django_assert_num_queries):
    made = make_event(players=2, started=True)
    client = Client()

    with django_assert_num_queries(1):
        first = client.get(f"/e/{made.event.code}/version")
    again = client.get(f"/e/{made.event.code}/version", headers={"If-None-Match": first["ETag"]})
    made.post_round()
    later = client.get(f"/e/{made.event.code}/version", headers={"If-None-Match": first["ETag"]})

    assert first.json() == {"version": made.event.version}
    assert (again.status_code, again.content) == (304, b"")
    assert later.json()["version"] > made.event.version
    assert later["Cache-Control"] == "no-cache"


def test_a_ticket_opens_the_feed_of_this_event(make_event):
    made = make_event(players=2)

    answer = Client().get(f"/e/{made.event.code}/ticket").json()

    assert answer["url"] == f"/live/?ticket={answer['ticket']}"
    assert _ticket(answer["ticket"]) == Ticket(made.event.code, None)
    assert signing.loads(answer["ticket"], salt="live-feed") == [made.event.code, None]


def test_the_ticket_of_a_player_says_whose_page_it_opens(make_event) -> None:
    made = make_event(players=2, started=True)
    client = Client()
    client.force_login(made.players[0].user)

    answer = client.get(f"/e/{made.event.code}/ticket").json()

    assert _ticket(answer["ticket"]) == Ticket(made.event.code, made.players[0].pk)


@pytest.mark.parametrize(
    ("tab", "queries"), [("pairings/", 8), ("pairings/?by=name", 8), ("standings/", 8), ("players/", 7)]
)
def test_the_number_of_queries_does_not_grow_with_the_rows(make_event, django_assert_num_queries, tab, queries):
    small, large = make_event(players=2, started=True), make_event(players=6, started=True, name="Larger")
    for made in (small, large):
        made.play_round()

    for made in (small, large):
        with django_assert_num_queries(queries):
            Client().get(f"/e/{made.event.code}/{tab}")


@pytest.mark.parametrize("events", [1, 3])
def test_the_list_of_events_takes_three_queries(make_event, django_assert_num_queries, events):
    for number in range(events):
        make_event(players=2, name=f"Open {number}")

    with django_assert_num_queries(3):
        page = words(Client().get("/e/"))

    assert page.count("2 players") == events


def test_events_are_listed_by_state(make_event):
    make_event(players=2, name="Tomorrow")
    make_event(players=2, started=True, name="Today")
    cancelled = make_event(players=2, name="Never").event
    Event.objects.filter(pk=cancelled.pk).update(state=Event.State.CANCELLED)

    page = words(Client().get("/e/"))

    assert page.index("Running 1") < page.index("Today") < page.index("Registration open 1") < page.index("Tomorrow")
    assert "Never" not in page


def test_the_list_leads_who_is_logged_in_to_a_new_event(make_event, as_user):
    made = make_event(players=1)
    link = '<a class="button" href="/e/new">New event</a>'

    assert link in as_user(made.players[0]).get("/e/").content.decode()
    assert link not in Client().get("/e/").content.decode()


def test_a_paused_clock_shows_what_is_left(make_event):
    made = make_event(players=2, started=True)
    round_ = made.post_round()
    rounds.pause_clock(event_id=made.event.pk, actor=made.by_organiser, round_number=round_.sequence)

    page = Client().get(f"/e/{made.event.code}/pairings/").content.decode()

    [deadline, now] = re.search(r'data-deadline="([^"]*)" data-server-now="([^"]*)" data-running="0"', page).groups()
    assert 2998 < (datetime.fromisoformat(deadline) - datetime.fromisoformat(now)).total_seconds() <= 3000
    assert "stopped" in page
