"""A match game by game at the floor: what judges write down for the players, and ends that are not played out."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from events.models import Event, Game, Match, Result, Seat
from events.services import rounds, turns
from events.services.cloning import clone_event
from tests.events.desk.conftest import said, staffed
from tests.events.factories import actor_of, user_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def table(make_event):
    """(event, match, address of its page, the players by seat) of the only table."""

    def seat(policy: str = "designed-deck", *, clock: bool = True):
        made = make_event(policy=policy, players=2, started=True)
        match = made.post_round(clock=clock).matches.get()
        seats = [seat.player for seat in match.seats.select_related("player__user").order_by("index")]
        return made, match, f"/e/{made.event.code}/floor/{match.pk}/", seats

    return seat


@pytest.fixture
def final(make_event):
    made = make_event(players=2, started=True)
    made.play_round()
    made.next_stage()
    match = made.post_round().matches.get()
    seats = [seat.player for seat in match.seats.select_related("player__user").order_by("index")]
    return made, match, f"/e/{made.event.code}/floor/{match.pk}/", seats


def at_time(made, number: int = 1) -> None:
    rounds.call_time(event_id=made.event.pk, actor=made.by_organiser, round_number=number)


def kept(match) -> list[tuple]:
    return list(Game.objects.filter(match=match).values_list("number", "ending", "winner"))


def test_a_judge_writes_games_down_and_takes_one_back(table, send, as_user):
    made, match, page, (a, b) = table()

    send(made.judge, f"{page}game", {"number": 1, "ended": f"won-{b.pk}"})
    send(made.judge, f"{page}game", {"number": 2, "ended": "drawn"})
    shown = said(as_user(made.judge).get(page))
    tile = said(as_user(made.judge).get(f"/e/{made.event.code}/floor/"))
    send(made.judge, f"{page}game/undo", {"number": 2})

    assert f"Game 1: {b.name} won" in shown
    assert f"{a.name}, who lost the game before" not in shown
    assert f"{a.name}, who chose before the drawn game, chooses who begins game 3. EPIC R19" in shown
    assert "0-1-1, game 3" in tile
    assert kept(match) == [(1, "won", b.pk), (2, "", None)]


def test_a_judge_says_who_begins_for_the_player_who_chooses(table, send, as_user):
    made, match, page, (a, b) = table()
    send(made.judge, f"{page}game", {"number": 1, "ended": f"won-{b.pk}"})

    send(made.judge, f"{page}first", {"number": 2, "first": b.pk})

    assert f"{b.name} begins game 2: {a.name}’s choice." in said(as_user(made.judge).get(page))


def test_a_turn_that_a_player_counted_is_on_the_judges_screen_and_goes_on_there(table, send, as_user):
    made, match, page, (a, b) = table()
    at_time(made)
    turns.count_turn(
        event_id=made.event.pk,
        actor=actor_of(user_of(a)),
        match_id=match.pk,
        number=0,
        finished_by_id=a.pk,
        player_id=a.pk,
    )

    seen = said(as_user(made.judge).get(page))
    send(made.judge, f"{page}turn", {"number": 1})
    floor = said(as_user(made.judge).get(f"/e/{made.event.code}/floor/"))
    desk = said(as_user(made.organiser).get(f"/e/{made.event.code}/desk/round/1/"))
    stale = send(made.judge, f"{page}turn", {"number": 3})
    send(made.judge, f"{page}turn/undo", {"number": 1})

    assert f"Turn 1 of 5, {b.name}’s turn." in seen
    assert f"turn 2 of 5, {a.name}’s turn" in floor
    assert f"turn 2 of 5, {a.name}’s turn" in desk
    assert stale.status_code == 409
    assert "The count is elsewhere: 1 of 5 are taken." in said(stale)
    match.refresh_from_db()
    assert match.extra_turns == 0


def test_a_concession_is_entered_for_the_player_who_gives_in(table, send, as_user):
    made, match, page, (a, b) = table("standard")

    send(made.judge, f"{page}concede", {"player": a.pk, "reason": "Feels ill."})

    assert Result.objects.values_list("how", "source", "reason").get() == ("concession", "staff", "Feels ill.")
    assert f"{a.name} 0-2 {b.name}, by concession" in said(as_user(made.judge).get(page))


def test_for_prizes_only_the_head_judge_permits_it_and_only_before_the_match_begins(table, send):
    made, match, page, (a, _) = table("standard", clock=False)
    asked = {"player": a.pk, "for_prizes": "1", "permitted": "1", "reason": "A split of the final."}

    judge = send(made.judge, f"{page}concede", asked)
    plain = send(made.judge, f"{page}concede", {**asked, "permitted": None})
    head = send(staffed(made, "head_judge"), f"{page}concede", asked)

    assert [judge.status_code, plain.status_code, head.status_code] == [403, 409, 302]
    assert "allowed only before pairings are posted (ENGARDE 10.6)" in said(plain)
    assert Result.objects.get().how == "concession"


def test_once_the_match_has_begun_nobody_permits_it_for_prizes(table, send):
    made, match, page, (a, _) = table("standard")

    answer = send(
        staffed(made, "head_judge"),
        f"{page}concede",
        {"player": a.pk, "for_prizes": "1", "permitted": "1", "reason": "A split."},
    )

    assert answer.status_code == 409
    assert not Result.objects.exists()


def test_a_draw_by_agreement_needs_a_reason_where_nobody_allowed_it(table, send, as_user):
    made, match, page, (a, b) = table()

    refused = send(made.judge, f"{page}draw", {"reason": ""})
    send(made.judge, f"{page}draw", {"reason": "Head judge: both have to leave."})

    assert refused.status_code == 409
    assert set(Seat.objects.filter(match=match).values_list("outcome", flat=True)) == {"intentional_draw"}
    assert f"{a.name} 0-0 {b.name}, by agreement to draw" in said(as_user(made.judge).get(page))
    assert "agreed draw" in said(as_user(made.judge).get(f"/e/{made.event.code}/floor/"))
    assert "agreed draw" in said(Client().get(f"/e/{made.event.code}/pairings/"))


def test_in_a_bracket_a_level_match_gets_a_winner_and_why_and_no_draw_is_offered(final, send, as_user):  # T29
    made, match, page, (a, b) = final
    at_time(made, 2)
    shown = as_user(made.judge).get(page)

    draw = send(made.judge, f"{page}draw", {"reason": "They like each other."})
    level = send(made.judge, f"{page}decide", {"score": "1-1", "match_version": 0})
    nameless = send(made.judge, f"{page}winner", {"games": "1-1", "decided_by": "luck", "winner": b.pk})
    entered = send(made.judge, f"{page}winner", {"games": "1-1", "decided_by": "play_off", "winner": b.pk})

    assert "They agree to draw" not in said(shown)
    assert 'value="1-1">1-1</button>' not in shown.content.decode()
    assert [draw.status_code, level.status_code, nameless.status_code, entered.status_code] == [400, 400, 400, 302]
    assert f"{a.name} 1-1 {b.name}, by a play-off" in said(as_user(made.judge).get(page))
    assert dict(Seat.objects.filter(match=match).values_list("player", "outcome")) == {a.pk: "loss", b.pk: "win"}
    assert f"1-1, {b.name} won" in said(Client().get(f"/e/{made.event.code}/pairings/"))


def test_a_judge_enters_the_result_that_the_games_come_to_with_one_press(table, send, as_user):
    made, match, page, (a, b) = table("standard")
    send(made.judge, f"{page}game", {"number": 1, "ended": f"won-{b.pk}"})
    at_time(made)
    send(made.judge, f"{page}turns", {"turns": 5})

    shown = as_user(made.judge).get(page)
    offered = re.search(r'name="score" value="([^"]+)">Enter 0-1-1<', shown.content.decode())[1]
    version = re.search(r'name="match_version" value="(\d+)"', shown.content.decode())[1]
    send(made.judge, f"{page}decide", {"score": offered, "match_version": version})

    assert "the game that is still open is drawn. ENGARDE R11 That makes 0-1-1" in said(shown)
    assert list(Seat.objects.filter(match=match).order_by("index").values_list("outcome", "game_draws")) == [
        ("loss", 1),
        ("win", 1),
    ]
    assert Result.objects.get().how == "time"


@pytest.mark.parametrize(
    ("form", "data", "status"),
    [
        ("game", {"number": 1, "ended": "won"}, 400),
        ("game", {"number": 1, "ended": "won-1"}, 400),
        ("game", {"number": 1, "ended": "smashed"}, 400),
        ("game", {"number": 2, "ended": "drawn"}, 409),
        ("game", {"number": "x", "ended": "drawn"}, 400),
        ("game/undo", {"number": 1}, 409),
        ("first", {"number": 1, "first": 1}, 400),
        ("turn", {"number": 0}, 409),
        ("turn", {}, 400),
        ("turn/undo", {"number": 0}, 409),
        ("concede", {}, 400),
        ("concede", {"player": 1}, 403),
        ("draw", {"reason": "x" * 301}, 400),
        ("winner", {"games": "1-1", "decided_by": "play_off", "winner": 1}, 400),
    ],
)
def test_what_can_not_be_is_refused_beside_the_form_and_changes_nothing(table, send, form, data, status):
    made, match, page, _ = table()
    version = made.refresh().version

    answer = send(made.judge, f"{page}{form}", data)

    assert answer.status_code == status
    assert made.refresh().version == version
    assert (Match.objects.get().state, Game.objects.count()) == ("open", 0)


def test_the_organiser_says_whether_players_enter_results_and_may_agree_to_draw(table, send, as_user):
    made, match, page, _ = table()
    address = f"/e/{made.event.code}/desk/settings/"
    form = as_user(made.organiser).get(address).context["form"]
    typed = {name: value for name, value in form.initial.items() if value not in (None, False)}
    typed["starts_at"] = typed["starts_at"].strftime("%Y-%m-%dT%H:%M")

    send(made.organiser, address, {**typed, "only_staff_report": "on", "agreed_draws": "on"}, made.event)

    assert Event.objects.values_list("players_report", "agreed_draws").get() == (False, True)


@pytest.mark.parametrize("says_something", [True, False])
def test_an_event_made_like_another_keeps_who_reports_and_who_may_draw(make_event, says_something):
    made = make_event(policy="standard", players=0)
    if not says_something:
        for holder, field in ((made.event.policy, "definition"), (made.event, "rules")):
            setattr(holder, field, {key: value for key, value in getattr(holder, field).items() if key != "play"})
            holder.save()
    Event.objects.filter(pk=made.event.pk).update(players_report=False, agreed_draws=True)

    change = clone_event(event_id=made.event.pk, actor=made.by_organiser, name="Again", starts_at=made.event.starts_at)

    again = Event.objects.get(pk=change.facts["event"])
    assert (again.players_report, again.agreed_draws) == (False, True)
    assert again.rules == made.event.rules
