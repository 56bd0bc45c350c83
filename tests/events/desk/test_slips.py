"""The code on a result slip, and results that are only claimed, through the pages."""

from __future__ import annotations

import pytest
from django.test import Client

from events.models import Match, Result, Standing
from events.queries.papers import result_slips
from tests.events.desk.conftest import said
from tests.events.factories import make_user

pytestmark = pytest.mark.django_db


@pytest.fixture
def playing(make_event):
    made = make_event(players=4, started=True)
    made.round_ = made.post_round()
    return made


def test_a_slips_code_leads_staff_to_the_table_its_players_to_their_report_and_others_to_the_pairings(playing, as_user):
    match = playing.round_.matches.select_related("round__stage").get(table=1)
    paper = result_slips(playing.event, match.round, playing.event.starts_at, "https://tilt.example")
    address = f"/e/{playing.event.code}/match/{match.pk}/"
    seated = [seat.player for seat in match.seats.select_related("player__user")]
    other = playing.round_.matches.get(table=2).seats.select_related("player__user")[0].player

    assert paper.slips[0].link == f"https://tilt.example{address}"
    assert as_user(playing.judge).get(address).url == f"/e/{playing.event.code}/floor/{match.pk}/"
    assert as_user(playing.organiser).get(address).url == f"/e/{playing.event.code}/floor/{match.pk}/"
    assert [as_user(player).get(address).url for player in seated] == [f"/e/{playing.event.code}/me/"] * 2
    assert as_user(other).get(address).url == f"/e/{playing.event.code}/pairings/"
    assert as_user(make_user("Out Sider")).get(address).url == f"/e/{playing.event.code}/pairings/"
    assert Client().get(address).url == f"/account/login/?next={address}"


def test_the_code_of_a_draft_and_of_another_event_leads_nowhere(make_event, as_user):
    made, other = make_event(players=2, started=True), make_event(players=2, started=True, name="Elsewhere")
    draft, elsewhere = made.draft_round().matches.get(), other.post_round().matches.get()

    for person in (made.judge, made.players[0]):
        for match in (draft, elsewhere):
            assert as_user(person).get(f"/e/{made.event.code}/match/{match.pk}/").status_code == 404


def test_what_only_one_player_says_counts_for_nobody_until_staff_decide(playing, as_user, send):  # T11
    first, second = (playing.round_.matches.get(table=number) for number in (1, 2))
    seats = {match.pk: [seat.player for seat in match.seats.order_by("index")] for match in (first, second)}
    a, b = seats[first.pk]
    c, _ = seats[second.pk]
    playing.report(a, playing.round_, 2, 0)
    playing.report(b, playing.round_, 0, 2)
    playing.report(c, playing.round_, 2, 0)
    desk = f"/e/{playing.event.code}/desk/"

    complete = send(playing.organiser, f"{desk}round/1/complete", event=playing.event)
    pair = send(playing.organiser, f"{desk}do/draft-round", event=playing.event)
    closed = send(
        playing.organiser,
        f"/e/{playing.event.code}/floor/{second.pk}/decide",
        {"score": "2-0", "match_version": 1, "reason": "The opponent left; the slip says so."},
    )
    send(playing.organiser, f"{desk}round/1/complete", event=playing.event)

    assert (complete.status_code, pair.status_code) == (409, 409)
    assert "table 2" in said(complete)
    assert closed.status_code == 302
    decided = Result.objects.get(match=second)
    assert (decided.decided_by, decided.reason) == (playing.organiser, "The opponent left; the slip says so.")
    points = dict(Standing.objects.values_list("player", "values__match_points"))
    assert (points[a.pk], points[c.pk]) == ("3", "3")
    assert Match.objects.filter(state="confirmed").count() == 2
