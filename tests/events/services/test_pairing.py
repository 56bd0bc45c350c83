"""What a drafted round stores, and that no plan is stored which does not hold."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from cards.engine.streams import Stream
from config.errors import Conflict
from events.engine.pairing import Entrants, History, PairingOptions, PairingPlan, pair_round
from events.models import Match, Seat
from events.queries import swiss_round
from events.services import rounds
from tests.events.factories import Made
from tests.events.services.watching import refused

Make = Callable[..., Made]
pytestmark = pytest.mark.django_db


def test_a_plan_that_fails_the_check_leaves_the_round_undrafted(
    make_event: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = make_event(players=3, started=True)

    def misread(entrants: Entrants, history: History, options: PairingOptions, rng: Stream) -> PairingPlan:
        return pair_round(
            replace(entrants, points=entrants.points + (entrants.ids == entrants.ids.max())), history, options, rng
        )

    monkeypatch.setattr(swiss_round, "pair_round", misread)
    with refused(Conflict, "round.plan_does_not_hold", 409):
        rounds.draft_round(event_id=made.event.pk, actor=made.by_organiser)

    monkeypatch.undo()
    made.draft_round()
    assert Seat.objects.filter(round__event=made.event).count() == 3


@pytest.mark.parametrize("players", [3, 11])
def test_storing_a_round_asks_the_database_no_more_often_for_more_players(
    make_event: Make, django_assert_num_queries: Any, players: int
) -> None:
    made = make_event(players=players, started=True)
    with django_assert_num_queries(23):
        made.draft_round()
    assert Match.objects.filter(event=made.event).count() == (players + 1) // 2
