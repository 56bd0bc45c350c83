"""A round at the desk: drafted, looked over, posted, timed, its results entered, completed."""

from __future__ import annotations

import pytest

from events.models import LogEntry, Match, Result, Round
from events.services import registration, rounds
from tests.events.factories import actor_of

from .conftest import key, said, version_of

pytestmark = pytest.mark.django_db


def desk(made, path: str = "") -> str:
    return f"/e/{made.event.code}/desk/{path}"


def state(made, number: int = 1) -> str:
    return Round.objects.get(event=made.event, sequence=number).state


def test_a_round_is_taken_from_draft_to_complete_by_its_buttons(make_event, send, as_user):
    made = make_event(started=True)
    person, seen = made.organiser, []

    answer = send(person, desk(made, "do/draft-round"), event=made.event)
    assert answer.url == desk(made, "round/1/")
    seen.append(state(made))
    for step in ("post", "start-clock", "pause-clock", "start-clock", "call-time"):
        assert send(person, desk(made, f"round/1/{step}"), event=made.event).url == desk(made, "round/1/")
        seen.append(state(made))
    for line in ("1 20", "2 111"):
        assert send(person, desk(made, "round/1/enter"), {"entry": line}).url == desk(made, "round/1/")
    assert send(person, desk(made, "round/1/complete"), event=made.event).url == desk(made)
    seen.append(state(made))

    assert seen == ["draft", "posted", "playing", "playing", "playing", "time", "complete"]
    scores = {m.table: [(s.game_wins, s.game_draws) for s in m.seats.all()] for m in Match.objects.all()}
    assert scores == {1: [(2, 0), (0, 0)], 2: [(1, 1), (1, 1)]}
    assert "Draft round 2" in said(as_user(person).get(desk(made)))


def test_a_draft_shows_pairs_reasons_the_bye_and_its_certificate(make_event, as_user):
    made = make_event(players=5, started=True)
    made.play_round()
    round_ = made.draft_round()

    page = said(as_user(made.organiser).get(desk(made, "round/2/")))

    for match in round_.matches.all():
        for seat in match.seats.all():
            assert seat.player.name in page
    assert "Certified: nothing better exists" in page
    assert "The number of players is odd" in page
    assert "5 players, one with a bye" in page
    assert "Post round 2: tell 5 players" in page


def test_a_draft_can_be_discarded_and_paired_again(make_event, send):
    made = make_event(started=True)
    made.draft_round()

    assert send(made.organiser, desk(made, "round/1/discard"), event=made.event).url == desk(made)
    assert not Round.objects.filter(event=made.event).exists()
    assert send(made.organiser, desk(made, "do/draft-round"), event=made.event).url == desk(made, "round/1/")


def test_a_draft_with_somebody_who_left_is_not_posted(make_event, send, as_user):
    made = make_event(started=True)
    made.draft_round()
    gone = made.players[0]
    registration.drop_player(event_id=made.event.pk, actor=made.by_organiser, player_id=gone.pk)

    answer = send(made.organiser, desk(made, "round/1/post"), event=made.event)

    assert (answer.status_code, state(made)) == (409, "draft")
    assert f"{gone.name} dropped after this round was drafted" in said(answer)
    assert 'id="step-post"' not in answer.content.decode()
    assert "pair again" in said(as_user(made.organiser).get(desk(made)))


def test_completing_lists_the_tables_that_are_missing(make_event, send):
    made = make_event(started=True)
    made.post_round()

    answer = send(made.organiser, desk(made, "round/1/complete"), event=made.event)

    assert (answer.status_code, state(made)) == (409, "playing")
    assert "2 results are missing: table 1, 2." in said(answer)


@pytest.mark.parametrize("step", ["post", "discard", "complete", "start-clock", "pause-clock", "call-time"])
def test_a_step_out_of_order_is_refused_and_shows_the_round_as_it_is(make_event, send, step):
    made = make_event(started=True)
    made.post_round()
    rounds.call_time(event_id=made.event.pk, actor=made.by_organiser, round_number=1)
    before = version_of(made.event)

    answer = send(made.organiser, desk(made, f"round/1/{step}"), event=made.event)

    assert (answer.status_code, version_of(made.event)) == (409, before)
    assert "Nothing was changed." in said(answer)
    assert "extra turns, then the result stands" in said(answer)


@pytest.mark.parametrize("path", ["do/draft-round", "round/1/post", "round/1/discard", "round/1/complete"])
def test_a_stale_page_is_refused_with_the_state_of_now(make_event, send, path):
    made = make_event(started=True)
    if not path.startswith("do"):
        made.draft_round()
    old = version_of(made.event)
    registration.drop_player(event_id=made.event.pk, actor=made.by_organiser, player_id=made.players[0].pk)
    before = version_of(made.event)

    answer = send(made.organiser, desk(made, path), {"version": old})

    assert (answer.status_code, version_of(made.event)) == (409, before)
    assert "Below is how things stand now" in said(answer)
    assert f'name="version" value="{before}"' in answer.content.decode()


@pytest.mark.parametrize(
    ("path", "data"),
    [("do/draft-round", {}), ("round/1/start-clock", {}), ("round/1/enter", {"entry": "1 20"})],
)
def test_a_form_that_is_sent_twice_counts_once(make_event, send, path, data):
    made = make_event(started=True)
    if path != "do/draft-round":
        made.post_round(clock=False)
    data = {**data, "idempotency_key": key()}

    first = send(made.organiser, desk(made, path), data)
    entries = LogEntry.objects.filter(event=made.event).count()
    second = send(made.organiser, desk(made, path), data)

    assert (first.status_code, first.url) == (second.status_code, second.url) == (302, first.url)
    assert LogEntry.objects.filter(event=made.event).count() == entries


def test_a_key_cannot_be_used_for_another_result(make_event, send):
    made = make_event(started=True)
    made.post_round()
    once = key()

    send(made.organiser, desk(made, "round/1/enter"), {"entry": "1 20", "idempotency_key": once})
    answer = send(made.organiser, desk(made, "round/1/enter"), {"entry": "2 20", "idempotency_key": once})

    assert answer.status_code == 422
    assert Result.objects.filter(match__event=made.event).count() == 1


@pytest.mark.parametrize("bad", ["", "short", "x" * 81, None])
@pytest.mark.parametrize("path", ["do/draft-round", "round/1/start-clock"])
def test_a_form_without_a_key_of_its_own_is_refused(make_event, send, path, bad):
    made = make_event(started=True)
    if path != "do/draft-round":
        made.post_round(clock=False)
    before = version_of(made.event)

    answer = send(made.organiser, desk(made, path), {"idempotency_key": bad})

    assert (answer.status_code, version_of(made.event)) == (400, before)


@pytest.mark.parametrize("version", ["-1", "1.5", "x", "9" * 30, "²"])
def test_a_version_that_is_none_is_refused(make_event, send, version):
    made = make_event(started=True)

    assert send(made.organiser, desk(made, "do/draft-round"), {"version": version}).status_code == 400


@pytest.mark.parametrize(
    ("line", "status", "words"),
    [
        ("", 400, "This field is required."),
        ("x", 400, "12 21 is table 12"),
        ("1", 400, "12 21 is table 12"),
        ("1 2\u0661", 400, "12 21 is table 12"),
        ("9 20", 400, "Round 1 has no table 9"),
        ("99999 20", 400, "Round 1 has no table 99999"),
        ("1 33", 400, "would have two winners"),
        ("1 30", 400, "goes on after the match was won"),
        ("1 10", 400, "does not finish a best of 3"),
        ("1 209", 400, "more drawn games"),
        ("1" * 41, 400, "at most 40 characters"),
    ],
)
def test_what_is_wrong_with_a_line_stands_beside_the_box(make_event, send, line, status, words):
    made = make_event(started=True)
    made.post_round()

    answer = send(made.organiser, desk(made, "round/1/enter"), {"entry": line})

    assert answer.status_code == status
    page = answer.content.decode()
    errors = page[page.index('id="entry-errors"') :].split("</ul>")[0]
    assert words in errors.replace("&#x27;", "'")
    assert f'value="{line}"' in page
    assert not Result.objects.filter(match__event=made.event).exists()


def test_a_line_of_nul_is_refused(make_event, send):
    made = make_event(started=True)
    made.post_round()

    assert send(made.organiser, desk(made, "round/1/enter"), {"entry": "1 2\x000"}).status_code == 400


def test_a_line_for_a_decided_table_asks_for_a_reason(make_event, send):
    made = make_event(started=True)
    made.post_round()
    send(made.organiser, desk(made, "round/1/enter"), {"entry": "1 20"})

    answer = send(made.organiser, desk(made, "round/1/enter"), {"entry": "1 02"})

    assert answer.status_code == 400
    assert "Say why" in said(answer)
    assert Result.objects.get(match__event=made.event).scores[0]["wins"] == 2


def test_a_line_for_a_round_that_is_over_is_refused(make_event, send):
    made = make_event(started=True)
    made.play_round()

    assert send(made.organiser, desk(made, "round/1/enter"), {"entry": "1 20"}).status_code == 409


def test_the_round_lists_tables_disputes_and_who_decided(make_event, send, as_user):
    made = make_event(started=True)
    round_ = made.post_round()
    first, second = (seat.player for seat in round_.matches.get(table=1).seats.select_related("player__user"))
    made.report(first, round_, 2, 1)
    made.report(second, round_, 2, 1)
    send(made.organiser, desk(made, "round/1/enter"), {"entry": "2 20"})

    page = said(as_user(made.organiser).get(desk(made, "round/1/")))

    assert f"{first.name} says won 2-1" in page
    assert f"{second.name} says won 2-1" in page
    assert "Missing: table 1" in page
    assert "Odile Marchetti" in page[page.index("Last results") :]


def test_the_last_ten_results_are_shown_newest_first(make_event, send, as_user):
    made = make_event(players=2, started=True)
    made.post_round()
    match = Match.objects.get(event=made.event)
    for turn in range(12):
        data = {"score": ("2-0", "0-2")[turn % 2], "reason": f"reason {turn:02}", "match_version": turn}
        assert send(made.judge, f"/e/{made.event.code}/floor/{match.pk}/decide", data).status_code == 302

    latest = as_user(made.organiser).get(desk(made, "round/1/")).context["latest"]

    assert [item["result"].reason for item in latest] == [f"reason {turn:02}" for turn in range(11, 1, -1)]
    assert {item["result"].decided_by for item in latest} == {made.judge}


@pytest.mark.parametrize("page", ["", "players/", "round/1/"])
def test_htmx_gets_the_part_of_the_page_that_changes(make_event, as_user, page):
    made = make_event(started=True)
    made.post_round()
    client = as_user(made.organiser)

    part = client.get(desk(made, page), headers={"HX-Request": "true"}).content.decode()

    assert "<html" not in part
    assert 'hx-trigger="refresh from:body"' in part
    whole = client.get(desk(made, page)).content.decode()
    assert f'data-live-event="{made.event.code}"' in whole
    assert f'data-live-version="{version_of(made.event)}"' in whole


def test_a_page_without_a_live_part_stays_whole_for_htmx(make_event, as_user):
    made = make_event()

    for page in ("staff/", "settings/"):
        assert "<html" in as_user(made.organiser).get(desk(made, page), headers={"HX-Request": "true"}).content.decode()


def test_another_actor_may_use_the_same_key(make_event, send, scorekeeper):
    made = make_event(started=True)
    made.post_round()
    once = key()

    send(made.organiser, desk(made, "round/1/enter"), {"entry": "1 20", "idempotency_key": once})
    other = send(scorekeeper(made), desk(made, "round/1/enter"), {"entry": "2 20", "idempotency_key": once})

    assert other.status_code == 302
    assert Result.objects.filter(match__event=made.event).count() == 2
    assert actor_of(made.organiser).user_id == Result.objects.get(match__table=1).decided_by_id
