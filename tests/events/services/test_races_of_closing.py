"""Two of the staff hand over the same prize, and two people of a series do the same at once; each with a control."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import IntegrityError

from config.errors import Conflict
from events.engine.prizes import Prize
from events.engine.series import PlacePoints, SeriesRules
from events.models import LogEntry, PrizeHandover, Series
from events.queries.closing import awards_for, final_places
from events.services import prizes, series, transaction
from events.services.transaction import Change, Command
from tests.events.factories import Made, make_event
from tests.threads import at_once, meeting, of_type

pytestmark = [pytest.mark.race, pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("packs")]
RULES = {"stages": [{"kind": "swiss", "rounds": 1}], "decklist": {"required": False}}
POINTS = SeriesRules((PlacePoints(1, 1, 10),))


def finished() -> tuple[Made, int]:
    """An event that is over, and who gets the only prize."""
    made = make_event(players=2, started=True, decklists=False, own_rules=RULES)
    prizes.set_prizes(event_id=made.event.pk, actor=made.by_organiser, prizes=(Prize(1, 1, "a trophy"),))
    made.play_round()
    made.finish()
    return made, final_places(made.event)[0].player.pk


def hand_over_twice(made: Made, player: int) -> list[Any]:
    def call() -> Change:
        return prizes.hand_over(event_id=made.event.pk, actor=made.by_organiser, player_id=player)

    return at_once(call, call)


def test_a_prize_is_handed_over_once() -> None:
    made, player = finished()

    answers = hand_over_twice(made, player)

    assert [len(of_type(answers, Change)), len(of_type(answers, Conflict))] == [1, 1]
    assert of_type(answers, Conflict)[0].code == "prize.handed_over"
    assert PrizeHandover.objects.filter(player=player).count() == 1
    assert LogEntry.objects.filter(event=made.event, kind="prize.handed_over").count() == 1


def test_control_without_the_lock_the_second_runs_into_the_wall(monkeypatch: pytest.MonkeyPatch) -> None:
    made, player = finished()
    meet = meeting(2)

    def awards_then_wait(*arguments: Any) -> Any:
        found = awards_for(*arguments)
        meet()
        return found

    monkeypatch.setattr(transaction, "_lock", lambda event_id, mode: ("SELECT 1", []))
    monkeypatch.setattr(prizes, "player_of", lambda tx, player_id: tx.event.players.get(pk=player_id))  # locks, too
    monkeypatch.setattr(prizes, "awards_for", awards_then_wait)

    answers = hand_over_twice(made, player)

    assert [len(of_type(answers, Change)), len(of_type(answers, IntegrityError))] == [1, 1]


def test_of_two_changes_of_a_series_one_is_refused() -> None:
    made = make_event(players=0)
    series.create_series(actor=made.by_organiser, name="League", rules=POINTS)

    def change(name: str) -> Change:
        command = Command(key=f"series-change-{name}", expected_version=0)
        return series.change_series(slug="league", actor=made.by_organiser, name=name, rules=POINTS, command=command)

    answers = at_once(lambda: change("First"), lambda: change("Second"))

    assert [len(of_type(answers, Change)), len(of_type(answers, Conflict))] == [1, 1]
    assert of_type(answers, Conflict)[0].code == "series.stale"
    assert Series.objects.get().version == 1
