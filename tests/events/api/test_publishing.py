"""Publishing by programs: the services of the pages, behind JSON."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, time, timedelta
from typing import Any

import pytest
from django.utils import timezone

from cards.models import Card
from decks.models import Decklist
from events import tasks
from events.services.publishing import follow
from rules.models import Publication, StatusEntry
from rules.services.publishing import add_game_organiser
from tests.events.api.conftest import Program
from tests.events.factories import Made

D = timezone.localdate() + timedelta(days=7)
PATH = "games/epic/publications"


@pytest.fixture
def made(make_event: Callable[..., Made]) -> Made:
    starts = datetime.combine(D + timedelta(days=1), time(9), tzinfo=timezone.get_current_timezone())
    found = make_event(players=2, decklists=True, starts_at=starts)
    add_game_organiser(game=found.event.game, user=found.organiser)
    return found


@pytest.fixture(autouse=True)
def started(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    numbers: list[int] = []
    monkeypatch.setattr(tasks, "start_following", numbers.append)
    return numbers


def card() -> Card:
    return Card.objects.get(pk=Decklist.objects.order_by("pk")[0].card_ids[0])


def body(**more: Any) -> dict[str, Any]:
    change = {"format": "designed-deck", "card": card().name, "status": "banned", "section": "EPIC 12.6"}
    return {"title": "Winter list", "source": "Letter", "effective_on": D.isoformat(), "changes": [change], **more}


def test_a_dry_run_tells_what_would_happen_and_does_nothing(made: Made, program: Callable[..., Program], started):
    answer = program(made.organiser).post(PATH + "?dry_run=true", body())
    assert answer.status_code == 200
    found = answer.json()
    assert found["reach"] == {
        "decklists": 2,
        "changing": 2,
        "events": [
            {
                "event": made.event.code,
                "name": made.event.name,
                "decklists": 2,
                "legality_date": made.event.legality_date.isoformat(),
                "verdicts": [{"before": "legal", "after": "illegal", "decklists": 2}],
            }
        ],
        "running": [],
        "finished": 0,
    }
    assert (found["dry_run"], found["created"], found["publication"]["id"]) == (True, False, None)
    assert not Publication.objects.exists()
    assert started == []


def test_the_same_twice_is_published_once_and_read_by_everybody(
    made: Made, program: Callable[..., Program], nobody: Program, started: list[int]
):
    sender = program(made.organiser)
    first, second = sender.post(PATH, body()), sender.post(PATH, body(), key=None)
    assert (first.status_code, second.status_code) == (201, 200)
    assert first.json()["publication"] == second.json()["publication"]
    number = Publication.objects.get().pk
    assert started == [number, number]
    read = nobody.get(PATH).json()
    assert (read["count"], read["results"]) == (1, [first.json()["publication"]])
    assert read["results"][0]["changes"] == [
        {
            "format": "designed-deck",
            "card": card().name,
            "zone": "",
            "before": None,
            "after": {"status": "banned", "max_copies": 0, "points": None},
            "section": "EPIC 12.6",
            "from": D.isoformat(),
        }
    ]
    one = nobody.get(f"{PATH}/{number}").json()
    assert (one["revalidation"], one["events"]) == (None, None)
    assert sender.get(f"{PATH}/{number}").json()["revalidation"] == {
        "state": "waiting",
        "decklists": None,
        "done": 0,
        "changed": 0,
    }
    follow(publication_id=number)
    told = sender.get(f"{PATH}/{number}").json()
    assert told["revalidation"] == {"state": "done", "decklists": 2, "done": 2, "changed": 2}
    assert told["events"] == [{"event": made.event.code, "judged": 2, "changed": 2}]


def test_who_may_not_publish_is_told_so(made: Made, program: Callable[..., Program], nobody: Program):
    assert nobody.post(PATH, body()).status_code == 401
    for person in (made.judge, made.players[0]):
        for path in (PATH, PATH + "?dry_run=true"):
            answer = program(person).post(path, body())
            assert (answer.status_code, answer.json()["code"]) == (403, "publication.not_organiser")
    assert program(made.organiser).post("games/chess/publications", body()).status_code == 404
    assert not StatusEntry.objects.filter(format__game__slug="epic").exists()


@pytest.mark.parametrize(
    ("more", "status", "code"),
    [
        ({"changes": []}, 400, "publication.invalid"),
        ({"colour": 1}, 400, "publication.invalid"),
        ({"effective_on": 20270101}, 400, "publication.invalid"),
        ({"effective_on": "2020-01-01"}, 400, "publication.past"),
        ({"tags": [{"tag": "gifts", "add": ["?"]}]}, 400, "publication.invalid"),
        ({"tags": [{"tag": "gift", "remove": ["?"]}]}, 400, "publication.invalid"),
        ({"formats": [{}]}, 400, "publication.invalid"),
        ({"changes": "all"}, 400, "publication.invalid"),
    ],
)
def test_bad_input_is_refused_and_changes_nothing(
    made: Made, program: Callable[..., Program], more: dict[str, Any], status: int, code: str
):
    answer = program(made.organiser).post(PATH, body(**more))
    assert (answer.status_code, answer.json()["code"]) == (status, code)
    assert answer.json()["context"]["faults"]
    assert not Publication.objects.exists()


def test_a_change_that_the_list_has_already_is_out_of_order(made: Made, program: Callable[..., Program]):
    program(made.organiser).post(PATH, body())
    answer = program(made.organiser).post(PATH, body(title="Again"))
    assert (answer.status_code, answer.json()["code"]) == (409, "publication.redundant")
    assert program(made.organiser).post(PATH + "?dryrun=1", body()).status_code == 400
