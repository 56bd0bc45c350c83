"""A round by hand at the desk and through the API: lines, problems beside them, the engine's beside it."""

from __future__ import annotations

import html
import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client

from events.engine.pairing import pair_round
from events.models import Event, Round
from events.queries import swiss_round
from tests.events.factories import Made

from .conftest import Send, key, said, version_of
from .test_query_counts import SIGNED_IN, queries

Make = Callable[..., Made]
pytestmark = pytest.mark.django_db
REMATCH = "This is worse than the engine’s pairing: rematches 1 instead of 0."


def page(made: Made) -> str:
    return f"/e/{made.event.code}/desk/pair-by-hand/"


def lines(response: HttpResponse) -> str:
    box = re.search(r"<textarea[^>]*>(.*?)</textarea>", response.content.decode(), re.DOTALL)
    assert box is not None
    return html.unescape(box[1]).strip()


def pairs_of(round_: Round) -> set[frozenset[str]]:
    return {frozenset(seat.player.name for seat in match.seats.all()) for match in round_.matches.all()}


def test_the_page_begins_with_the_engines_proposal(make_event: Make, as_user: Callable[..., Client]) -> None:
    made = make_event(players=5, started=True)
    first = as_user(made.organiser).get(page(made))
    text = lines(first)
    assert made.event.rounds.count() == 0

    proposed = {frozenset(line.replace(" - bye", "").split(" - ")) for line in text.splitlines()}

    assert proposed == pairs_of(made.draft_round())
    assert "This costs the same as the engine’s pairing." in said(first)
    round_page = as_user(made.organiser).get(f"/e/{made.event.code}/desk/round/1/").content.decode()
    assert f'href="{page(made)}"' in round_page


def test_a_round_is_compared_then_drafted_posted_and_marked(make_event: Make, send: Send, as_user: Any) -> None:
    made = make_event(players=4, started=True)
    desk = as_user(made.organiser).get(f"/e/{made.event.code}/desk/").content.decode()
    assert f'href="{page(made)}"' in desk
    made.play_round()
    (a, b), (c, d) = (
        [seat.player.name for seat in match.seats.all()] for match in made.event.rounds.get().matches.all()
    )
    text = f"{a} - {b}\n{c} v {d}"

    compared = send(made.organiser, page(made), {"pairs": text, "do": "compare"}, made.event)
    assert (compared.status_code, lines(compared), REMATCH.replace("1 i", "2 i") in said(compared)) == (200, text, True)
    assert f"They have met before: {a} and {b} and {c} and {d}." in said(compared)
    assert made.event.rounds.count() == 1
    unexplained = send(made.organiser, page(made), {"pairs": text, "do": "draft", "reason": ""}, made.event)
    assert (unexplained.status_code, lines(unexplained)) == (400, text)
    drafted = send(made.organiser, page(made), {"pairs": text, "do": "draft", "reason": "Sisters."}, made.event)
    assert drafted.url == f"/e/{made.event.code}/desk/round/2/"
    assert pairs_of(made.event.rounds.get(sequence=2)) == {frozenset([a, b]), frozenset([c, d])}
    assert "Sisters." not in Client().get(f"/e/{made.event.code}/pairings/").content.decode()
    round_page = said(as_user(made.organiser).get(drafted.url))
    assert "Paired by hand" in round_page
    assert "2 (the engine’s: 0)" in round_page
    send(made.organiser, f"{drafted.url}post", {}, made.event)

    public = said(Client().get(f"/e/{made.event.code}/pairings/"))
    assert "Staff changed this pairing by hand: Sisters." in public
    assert "Staff paired this round by hand." in public


def test_what_is_wrong_stands_beside_the_lines(make_event: Make, send: Send) -> None:
    made = make_event(players=4, started=True)
    text = "Ada Brok - Bela Quist\nCleo Marsh\nBela Quist - bye"

    refused = send(made.organiser, page(made), {"pairs": text, "do": "draft", "reason": "Sisters."}, made.event)

    assert (refused.status_code, lines(refused), made.event.rounds.count()) == (422, text, 0)
    words = said(refused)
    for problem in (
        "line 1 Nobody called “Ada Brok” is to be in this round. Is it Ada Brook?",
        "line 2 Write two names with “ - ” between them, or a name and “bye”.",
        "line 3 Bela Quist is in the round already.",
        "Neither paired nor given a bye: Ada Brook, Cleo Marsh, Dov Hale.",
    ):
        assert problem in words
    assert "Draft this round" in words


def test_a_failed_plan_leads_to_this_page(make_event: Make, send: Send, monkeypatch: pytest.MonkeyPatch) -> None:
    made = make_event(players=3, started=True)

    def misread(entrants: Any, *rest: Any) -> Any:
        return pair_round(replace(entrants, points=entrants.points + (entrants.ids == entrants.ids.max())), *rest)

    monkeypatch.setattr(swiss_round, "pair_round", misread)
    refused = send(made.organiser, f"/e/{made.event.code}/desk/do/draft-round", {}, made.event)
    assert refused.status_code == 409
    assert f' href="{page(made)}">Pair round 1 by hand</a>' in refused.content.decode()
    assert "there is none to begin with" in said(send(made.organiser, page(made), {"pairs": "", "do": "compare"}))
    names = [player.name for player in made.players]
    text = f"{names[0]} - {names[1]}\n{names[2]} - bye"
    compared = send(made.organiser, page(made), {"pairs": text, "do": "compare"})
    assert "There is no pairing of the engine’s to compare this with." in said(compared)

    drafted = send(made.organiser, page(made), {"pairs": text, "do": "draft", "reason": "No other way."}, made.event)

    assert drafted.status_code == 302


def test_the_engines_pairing_does_not_come_from_a_draft_that_lacks_somebody(make_event: Make, as_user: Any) -> None:
    made = make_event(players=4, started=True)
    made.draft_round()
    made.event.rounds.get().matches.first().delete()

    assert len(lines(as_user(made.organiser).get(page(made))).splitlines()) == 2


@pytest.mark.parametrize("players", [3, 7])
def test_the_page_asks_no_more_often_for_more_players(make_event: Make, as_user: Any, players: int) -> None:
    made = make_event(players=players, started=True)

    assert queries(as_user(made.organiser), page(made)) == SIGNED_IN + 3 + 10


def test_the_api_proposes_grades_and_drafts(make_event: Make, as_user: Any) -> None:
    made = make_event(players=4, started=True)
    made.play_round()
    client, address = as_user(made.organiser), f"/api/v1/events/{made.event.code}/rounds/by-hand"
    proposal = client.get(address).json()
    assert (proposal["round"], proposal["holds"], proposal["byes"]) == (2, True, [])
    assert sorted(row["points"] for row in proposal["players"]) == [0, 0, 3, 3]
    again = [[seat.player_id for seat in match.seats.all()] for match in made.event.rounds.get().matches.all()]

    def sent(where: str, body: dict[str, Any]) -> HttpResponse:
        return client.post(where, body, "application/json", headers={"Idempotency-Key": key()})

    graded = sent(f"{address}/grade", {"pairs": again, "byes": []}).json()
    assert [(one["pod"], one["cost"]["rematches"], one["engine"]["rematches"]) for one in graded["groups"]] == [
        (None, 2, 0)
    ]
    assert sorted(map(sorted, graded["rematches"])) == sorted(map(sorted, again))
    missing = sent(f"{address}/grade", {"pairs": again[:1]})
    assert (missing.status_code, missing.json()["code"]) == (422, "hand.players")
    body = {"pairs": again, "byes": [], "reason": "Sisters."}
    assert sent(address, body).status_code == 428
    assert sent(address, {**body, "pairs": [[1]], "version": version_of(made.event)}).status_code == 400

    drafted = sent(address, {**body, "version": version_of(made.event)})

    assert (drafted.status_code, drafted.json()["round"]) == (201, 2)
    assert Event.objects.get(pk=made.event.pk).rounds.get(sequence=2).hand_reason == "Sisters."
    assert as_user(made.judge).get(address).status_code == 403
