"""The floor: tables, claims, decisions with their reasons, extra turns."""

from __future__ import annotations

import pytest

from events.models import Match, Result
from events.services import rounds
from events.views import desk, desk_rounds

from .conftest import key, said, version_of

pytestmark = pytest.mark.django_db


def floor(made, path: str = "") -> str:
    return f"/e/{made.event.code}/floor/{path}"


@pytest.fixture
def playing(make_event):
    made = make_event(started=True)
    made.round_ = made.post_round()
    made.match = made.round_.matches.get(table=1)
    made.first, made.second = (seat.player for seat in made.match.seats.select_related("player__user"))
    return made


def games(match: Match) -> list[tuple[int | None, int | None]]:
    return [(seat.game_wins, seat.game_draws) for seat in match.seats.all()]


def test_tiles_say_where_each_table_stands_and_filter(playing, as_user):
    playing.report(playing.first, playing.round_, 2, 0)
    client = as_user(playing.judge)

    everything = said(client.get(floor(playing)))
    reported = client.get(floor(playing), {"show": "reported"})

    assert f"reported, waits for {playing.second.name}" in everything
    assert "All 2" in everything
    assert [row.match.table for row in reported.context["rows"]] == [1]
    assert [row.match.table for row in client.get(floor(playing), {"show": "nothing"}).context["rows"]] == [1, 2]


def test_the_rules_are_searched_in_the_events_game(playing, as_user):
    page = as_user(playing.judge).get(floor(playing)).content.decode()

    assert 'action="/rules/search"' in page
    assert '<input type="hidden" name="game" value="epic">' in page


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        ({"score": "2-1"}, [(2, 0), (1, 0)]),
        ({"score": "0-2"}, [(0, 0), (2, 0)]),
        ({"score": "2-1-1"}, [(2, 1), (1, 1)]),
        ({"wins_a": "1", "wins_b": "2", "draws": "1"}, [(1, 1), (2, 1)]),
        ({"wins_a": "2", "wins_b": "0"}, [(2, 0), (0, 0)]),
    ],
)
def test_a_judge_enters_a_result(playing, send, data, expected):
    answer = send(playing.judge, floor(playing, f"{playing.match.pk}/decide"), {"match_version": 0, **data})

    assert (answer.status_code, answer.url) == (302, floor(playing))
    assert games(playing.match) == expected
    assert Result.objects.get(match=playing.match).decided_by == playing.judge


def test_a_dispute_shows_both_claims_and_is_decided_with_a_reason(playing, send, as_user):
    playing.report(playing.first, playing.round_, 2, 1)
    playing.report(playing.second, playing.round_, 2, 0)
    playing.match.refresh_from_db()
    address, version = floor(playing, f"{playing.match.pk}/decide"), playing.match.version

    page = said(as_user(playing.judge).get(floor(playing, f"{playing.match.pk}/")))
    without = send(playing.judge, address, {"score": "2-1", "match_version": version, "reason": "  "})
    decided = send(playing.judge, address, {"score": "2-1", "match_version": version, "reason": "Counted the games."})

    assert f"{playing.first.name} says won 2-1" in page
    assert f"{playing.second.name} says won 2-0" in page
    assert (without.status_code, decided.status_code) == (400, 302)
    assert "Say why" in said(without)
    assert Result.objects.get(match=playing.match).reason == "Counted the games."


def test_a_result_is_corrected_and_the_first_stays_in_the_history(playing, send, as_user):
    address = floor(playing, f"{playing.match.pk}/decide")
    send(playing.judge, address, {"score": "2-0", "match_version": 0})
    send(playing.organiser, address, {"score": "0-2", "match_version": 1, "reason": "Typed the wrong way round."})

    page = said(as_user(playing.judge).get(floor(playing, f"{playing.match.pk}/")))

    assert games(playing.match) == [(0, 0), (2, 0)]
    assert f"{playing.first.name} 2-0 {playing.second.name} (replaced)" in page
    assert "Odile Marchetti : Typed the wrong way round." in page.replace("Marchetti:", "Marchetti :")


def test_a_decision_on_an_old_page_is_refused_with_the_match_of_now(playing, send):
    address = floor(playing, f"{playing.match.pk}/decide")
    send(playing.judge, address, {"score": "2-0", "match_version": 0})

    late = send(playing.organiser, address, {"score": "0-2", "match_version": 0, "reason": "I saw it."})

    assert (late.status_code, games(playing.match)) == (409, [(2, 0), (0, 0)])
    assert "Below is how things stand now" in said(late)
    assert 'name="match_version" value="1"' in late.content.decode()
    assert 'value="I saw it."' in late.content.decode()


def test_a_decision_that_is_sent_twice_counts_once(playing, send):
    data = {"score": "2-0", "match_version": 0, "idempotency_key": key()}
    address = floor(playing, f"{playing.match.pk}/decide")

    answers = [send(playing.judge, address, data) for _ in range(3)]

    assert [answer.status_code for answer in answers] == [302, 302, 302]
    assert Result.objects.filter(match=playing.match).count() == 1


@pytest.mark.parametrize(
    "data",
    [
        {},
        {"score": "x"},
        {"score": "2-0-0-0"},
        {"score": "22-0"},
        {"score": "3-0"},
        {"score": "2-2"},
        {"score": "1-0"},
        {"wins_a": "2"},
        {"wins_a": "x", "wins_b": "0"},
        {"wins_a": "-1", "wins_b": "2"},
        {"wins_a": "2.5", "wins_b": "0"},
        {"wins_a": "9" * 30, "wins_b": "0"},
        {"score": "2-0", "match_version": None},
        {"score": "2-0", "match_version": "x"},
        {"score": "2-0", "match_version": "9" * 30},
        {"score": "2-0", "reason": "r" * 301},
        {"score": "2-0", "reason": "a\x00b"},
        {"score": "2-0", "idempotency_key": None},
    ],
)
def test_what_is_no_result_is_refused_and_changes_nothing(playing, send, data):
    before = version_of(playing.event)

    answer = send(playing.judge, floor(playing, f"{playing.match.pk}/decide"), {"match_version": 0, **data})

    assert (answer.status_code, version_of(playing.event)) == (400, before)
    assert games(playing.match) == [(None, None), (None, None)]


def test_a_result_entered_at_the_desk_leads_back_to_its_table(playing, send, scorekeeper):
    address = floor(playing, f"{playing.match.pk}/decide")

    answer = send(scorekeeper(playing), address, {"score": "2-0", "match_version": 0, "from": "round"})

    assert answer.url == f"/e/{playing.event.code}/desk/round/1/#table-1"


def test_a_judge_who_says_that_it_was_the_desk_is_led_to_the_floor(playing, send):
    address = floor(playing, f"{playing.match.pk}/decide")

    assert send(playing.judge, address, {"score": "2-0", "match_version": 0, "from": "round"}).url == floor(playing)


def test_a_bye_has_nothing_to_decide(make_event, send, as_user):
    made = make_event(players=3, started=True)
    round_ = made.post_round()
    bye = round_.matches.get(table=None)

    answer = send(made.judge, floor(made, f"{bye.pk}/decide"), {"score": "2-0", "match_version": 0})

    assert answer.status_code == 409
    assert "has a bye" in said(as_user(made.judge).get(floor(made, f"{bye.pk}/")))


def test_a_complete_round_is_not_decided_any_more(make_event, send, as_user):
    made = make_event(players=2, started=True)
    match = made.play_round().matches.get()

    answer = send(made.judge, floor(made, f"{match.pk}/decide"), {"score": "0-2", "match_version": 1, "reason": "x"})

    assert answer.status_code == 409
    assert "The round is complete" in said(as_user(made.judge).get(floor(made, f"{match.pk}/")))


def test_extra_turns_are_noted_at_time(playing, send, as_user):
    rounds.call_time(event_id=playing.event.pk, actor=playing.by_organiser, round_number=1)
    address = floor(playing, f"{playing.match.pk}/turns")

    answer = send(playing.judge, address, {"turns": "3"})

    playing.match.refresh_from_db()
    assert (answer.status_code, playing.match.extra_turns) == (302, 3)
    assert "turn 4 of 5" in said(as_user(playing.judge).get(floor(playing)))


@pytest.mark.parametrize("turns", ["", "x", "-1", "6", "100", "9" * 30, None])
def test_extra_turns_that_cannot_be_are_refused(playing, send, turns):
    rounds.call_time(event_id=playing.event.pk, actor=playing.by_organiser, round_number=1)

    answer = send(playing.judge, floor(playing, f"{playing.match.pk}/turns"), {"turns": turns})

    playing.match.refresh_from_db()
    assert (answer.status_code, playing.match.extra_turns) == (400, None)


def test_before_time_there_are_no_extra_turns(playing, send):
    assert send(playing.judge, floor(playing, f"{playing.match.pk}/turns"), {"turns": "1"}).status_code == 409


@pytest.mark.parametrize(("few", "forms", "rest"), [(2, 2, ""), (1, 0, ' data-rest="10"')], ids=["few", "many"])
def test_a_long_round_has_a_link_for_each_table_and_rests_before_it_is_shown_anew(
    make_event, as_user, monkeypatch, few, forms, rest
):
    made = make_event(players=4, started=True)
    round_ = made.post_round()
    monkeypatch.setattr(desk, "FEW_TABLES", few)
    monkeypatch.setattr(desk_rounds, "FEW_TABLES", few)

    page = as_user(made.organiser).get(f"/e/{made.event.code}/desk/round/1/").content.decode()

    assert page.count("<summary>Enter<") == forms
    match = round_.matches.get(table=1)
    linked = f'<a href="/e/{made.event.code}/floor/{match.pk}/">Enter<span class="visually-hidden"> table 1</span></a>'
    assert (linked in page) == (forms == 0)
    assert f"data-hold-while-open{rest}>" in page
    assert (rest in as_user(made.judge).get(f"/e/{made.event.code}/floor/").content.decode()) or not rest
