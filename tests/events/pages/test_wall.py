"""The board on the wall: what stands on it at each moment, and what it costs to ask for it all day."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from django.http import HttpResponse
from django.test import Client

from events.models import Player
from events.services import rounds
from tests.events.factories import Made
from tests.events.halls import hall

pytestmark = pytest.mark.django_db
Events = Callable[..., Made]


def board(made: Made, **headers: str) -> HttpResponse:
    return Client().get(f"/e/{made.event.code}/wall/", headers={"HX-Request": "true", **headers})


def said(response: HttpResponse) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", response.content.decode()).split())


def rows(response: HttpResponse) -> list[str]:
    found = re.findall(r"<li data-guide.*?</li>", response.content.decode())
    return [" ".join(re.sub(r"<[^>]+>", " ", row).split()) for row in found]


def test_a_round_stands_on_it_by_family_name_under_the_names_that_people_go_by(make_event: Events) -> None:
    made = make_event(players=5, started=True)
    round_ = made.post_round()
    first = made.players[0]
    Player.objects.filter(pk=first.pk).update(public_name="Grey Heron")
    found = rows(board(made))
    assert [row.split(",")[0] for row in found] == ["Hale", "Heron", "Lund", "Marsh", "Quist"]
    match = made.match_of(first, round_)
    assert (f"vs Grey Heron {match.table}" in " ".join(found), "Brook" in said(board(made))) == (True, False)
    assert [row for row in found if row.endswith(" bye")] == [
        f"{', '.join(reversed(seat.player.name.split()))} bye"
        for seat in round_.seats.filter(match__table=None).select_related("player")
    ]


def test_between_rounds_it_has_the_standings_and_in_a_cut_the_bracket_beside_the_pairings(make_event: Events) -> None:
    made = make_event(players=8, started=True)
    assert rows(board(made)) == []
    while made.event.stages.get(number=1).state == "active":
        made.play_round()
        page = said(board(made))
        assert ("Standings after round" in page, "find your table" in page) == (True, False)
        if made.event.rounds.count() == made.event.stages.get(number=1).rounds_planned:
            break
    made.next_stage()
    assert "Bracket" in said(board(made))
    made.post_round()
    page = said(board(made))
    assert ("find your table" in page, "Bracket" in page) == (True, True)


def test_a_draft_round_is_not_on_it(make_event: Events) -> None:
    made = make_event(players=4, started=True)
    before = rows(board(made))
    made.draft_round()
    assert rows(board(made)) == before == []


def test_what_has_not_changed_is_not_sent_again(make_event: Events, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("events.views.wall.AFRESH", 10**9)
    made = make_event(players=4, started=True)
    made.draft_round()
    first = board(made)
    again = board(made, **{"If-None-Match": first["ETag"]})
    assert (again.status_code, again.content, again["ETag"]) == (304, b"", first["ETag"])
    rounds.post_round(event_id=made.event.pk, actor=made.by_organiser, round_number=1)
    after = board(made, **{"If-None-Match": first["ETag"]})
    assert (after.status_code, len(rows(after))) == (200, 4)


def test_its_clock_starts_from_the_servers_every_minute(make_event: Events, monkeypatch: pytest.MonkeyPatch) -> None:
    made = make_event(players=2)
    tags = set()
    for seconds in (60, 61):
        monkeypatch.setattr("events.views.wall.AFRESH", seconds)
        tags.add(board(made)["ETag"])
    assert len(tags) == 2


@pytest.mark.parametrize(("players", "density"), [(2, "few"), (64, "few"), (66, "many"), (240, "many"), (242, "crowd")])
def test_more_people_stand_closer_together(players: int, density: str, make_event: Events) -> None:
    made = make_event(players=0)
    hall(made, players)
    assert f'class="wall-board wall-{density}"' in board(made).content.decode()


@pytest.mark.parametrize("players", [2, 6, 2000])
def test_its_queries_do_not_grow_with_the_players(
    players: int, make_event: Events, django_assert_num_queries: Callable[..., object]
) -> None:
    made = make_event(players=0)
    hall(made, players)
    with django_assert_num_queries(7):  # type: ignore[attr-defined]
        assert len(rows(board(made))) == players
