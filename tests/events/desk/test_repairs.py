"""Mending at the desk and through the API: plans side by side, one is chosen, and the round changes."""

from __future__ import annotations

import re

import pytest

from events.engine.outcomes import GameScore
from events.models import Match, Player, Round, Seat
from events.queries.repairs import finished_match, repair_of_result
from events.queries.verification import verify_event
from events.services import registration
from tests.events.api.conftest import Program

from .conftest import said, version_of
from .test_query_counts import SIGNED_IN, queries

pytestmark = pytest.mark.django_db


@pytest.fixture
def wrong(make_event):
    """Round 1 of eight players has a wrong result at table 2, and round 2 is being played."""
    made = make_event(players=8, started=True)
    first = made.play_round()
    made.match = Match.objects.get(round=first, table=2)
    made.round_ = made.post_round()
    made.here = f"/e/{made.event.code}/desk/"
    made.page = f"{made.here}correct/{made.match.pk}/"
    return made


def seats(round_):
    return {frozenset(match.seats.values_list("player", flat=True)) for match in round_.matches.all()}


def plans(made):
    match = finished_match(event=made.event, match_id=made.match.pk)
    return repair_of_result(event=made.event, match=match, score=GameScore(0, 2)).plans


def test_the_plans_stand_side_by_side_and_the_chosen_one_is_carried_out(wrong, as_user, send):
    page = as_user(wrong.organiser).get(wrong.page + "?score=0-2")
    shown = re.findall(r'name="plan" value="(\w+)"', page.content.decode())
    key = next(key for key, plan in plans(wrong).items() if plan.role == "best_pairing")

    answer = send(wrong.organiser, wrong.page, {"score": "0-2", "plan": key, "reason": "Slip."}, event=wrong.event)

    assert key in shown
    assert len(shown) > 1
    assert "Leave the pairing as it is" in said(page)
    assert "To be told" in said(page)
    assert "Why this plan A result was corrected:" in said(page)
    assert answer.status_code == 302
    assert "Slip." in said(as_user(wrong.organiser).get(answer.url))
    assert verify_event(wrong.refresh()).faults == []
    log = said(as_user(wrong.organiser).get(f"/e/{wrong.event.code}/log/"))
    assert "is the corrected result; now in round 2" in log


def test_a_page_that_is_out_of_date_changes_nothing(wrong, send):
    before, key = seats(wrong.round_), next(iter(plans(wrong)))
    old = version_of(wrong.event)
    registration.drop_player(event_id=wrong.event.pk, actor=wrong.by_organiser, player_id=wrong.players[0].pk)

    answer = send(wrong.organiser, wrong.page, {"score": "0-2", "plan": key, "reason": "Slip.", "version": str(old)})

    assert (answer.status_code, seats(wrong.round_)) == (409, before)
    assert "Nothing was changed" in said(answer)


def test_the_plan_has_to_be_chosen_and_the_reason_given(wrong, send):
    without_plan = send(wrong.organiser, wrong.page, {"score": "0-2", "reason": "Slip."}, event=wrong.event)
    without_reason = send(wrong.organiser, wrong.page, {"score": "0-2", "reason": ""}, event=wrong.event)
    nonsense = send(wrong.organiser, wrong.page, {"score": "two", "reason": "Slip."}, event=wrong.event)

    assert [answer.status_code for answer in (without_plan, without_reason, nonsense)] == [409, 400, 400]
    assert "Choose one of the plans" in said(without_plan)
    assert "Say why" in said(without_reason)


def test_a_program_is_told_the_plans_and_chooses_one(wrong, as_user):
    program = Program(as_user(wrong.organiser))
    path = f"events/{wrong.event.code}/matches/{wrong.match.pk}/correct"
    body = {"wins_a": 0, "wins_b": 2, "reason": "Slip."}

    refused = program.post(path, body, version=version_of(wrong.event))
    offered = refused.json()["context"]["plans"]
    key = next(plan["key"] for plan in offered if plan["role"] == "best_pairing")
    done = program.post(path, {**body, "plan": key}, version=version_of(wrong.event))

    assert (refused.status_code, refused.json()["code"]) == (409, "repair.plan_needed")
    assert (done.status_code, done.json()["match"]) == (200, wrong.match.pk)
    assert verify_event(wrong.refresh()).faults == []


def test_somebody_dropped_by_mistake_is_put_back_at_the_desk(make_event, as_user, send):
    made = make_event(players=8, started=True)
    player = Player.objects.get(standings__round=made.play_round(), standings__rank=1)
    registration.drop_player(event_id=made.event.pk, actor=made.by_organiser, player_id=player.pk)
    round_ = made.post_round()
    here = f"/e/{made.event.code}/desk/round/2/"
    assert f"{here}mend/{player.pk}/" in as_user(made.organiser).get(here).content.decode()
    page = as_user(made.organiser).get(f"{here}mend/{player.pk}/")
    first = re.findall(r'name="plan" value="(\w+)"', page.content.decode())[0]

    answer = send(
        made.organiser, f"{here}mend/{player.pk}/", {"plan": first, "reason": "Wrong name."}, event=made.event
    )

    assert "comes back with 3 points, and has to play this round" in said(page)
    assert answer.url == here
    assert Seat.objects.filter(round=round_, player=player).exists()
    assert verify_event(made.refresh()).faults == []


def test_a_program_mends_and_steps_back(make_event, as_user):
    made = make_event(players=6, started=True)
    program, here = Program(as_user(made.organiser)), f"events/{made.event.code}/rounds/1"
    made.post_round(clock=False)

    def post(step, **body):
        return program.post(f"{here}/{step}", body, version=version_of(made.event)).status_code

    one, other = (m.seats.all()[0].player_id for m in Match.objects.filter(event=made.event).order_by("table")[:2])
    seen = [post("unpost"), post("swap", one=one, other=other, reason="Sisters."), post("post"), post("start-clock")]
    seen += [post("call-time"), post("take-time-back"), post("reopen"), post("mend", player=one, reason="Gone.")]

    assert seen == [200, 200, 200, 200, 200, 200, 409, 409]
    assert verify_event(made.refresh()).faults == []


def test_a_trade_shows_its_cost_first_and_is_marked_in_public(make_event, as_user, send):
    made = make_event(players=8, started=True)
    made.play_round()
    round_ = made.draft_round()
    one, other = (round_.matches.get(table=table).seats.all()[0].player_id for table in (1, 4))
    page = f"/e/{made.event.code}/desk/round/2/swap/"
    assert "Nothing stands against posting" in said(as_user(made.organiser).get(page.replace("swap/", "")))

    asked = as_user(made.organiser).get(f"{page}?one={one}&other={other}")
    silent = send(made.organiser, page, {"one": one, "other": other, "reason": ""}, event=made.event)
    done = send(made.organiser, page, {"one": one, "other": other, "reason": "Sisters."}, event=made.event)
    send(made.organiser, page.replace("swap/", "post"), event=made.event)

    assert "Gaps in points, squared 0 18" in said(asked)
    assert (silent.status_code, done.status_code) == (400, 302)
    assert "Staff changed this pairing by hand: Sisters." in said(as_user(one_of(one)).get(pairings(made)))


def one_of(player_id):
    return Player.objects.select_related("user").get(pk=player_id)


def pairings(made):
    return f"/e/{made.event.code}/pairings/"


def test_a_step_is_taken_back_by_its_button(make_event, as_user, send):
    made = make_event(started=True)
    made.post_round(clock=False)
    here = f"/e/{made.event.code}/desk/round/1/"
    assert "Back to a draft" in said(as_user(made.organiser).get(here))

    assert send(made.organiser, here + "unpost", event=made.event).status_code == 302

    assert Round.objects.get(event=made.event).state == "draft"


@pytest.mark.parametrize("players", [4, 8])
def test_the_database_is_asked_as_often_whatever_the_number_of_players(make_event, as_user, players):
    made = make_event(players=players, started=True)
    first = made.play_round()
    made.post_round()
    match = Match.objects.get(round=first, table=1)
    registration.drop_player(event_id=made.event.pk, actor=made.by_organiser, player_id=made.players[0].pk)

    pages = (f"correct/{match.pk}/?score=0-2", f"round/2/mend/{made.players[0].pk}/")

    counts = [queries(as_user(made.organiser), f"/e/{made.event.code}/desk/{page}") for page in pages]
    assert counts == [SIGNED_IN + 3 + 16, SIGNED_IN + 3 + 11]


@pytest.mark.parametrize("leavers", [1, 3])
def test_the_desk_names_who_left_after_posting_and_leads_to_the_mending(make_event, as_user, leavers):
    made = make_event(players=8, started=True)
    made.post_round(clock=False)
    for player in made.players[:leavers]:
        registration.drop_player(event_id=made.event.pk, actor=made.by_organiser, player_id=player.pk)
    client, desk = as_user(made.organiser), f"/e/{made.event.code}/desk/"

    page = client.get(desk).content.decode()

    assert f"{made.players[0].name}" in page
    assert "dropped after the round was posted: mend it while nobody plays" in page
    assert f'href="{desk}round/1/">Mend the round</a>' in page
    assert queries(client, desk) == SIGNED_IN + 3 + 9
