"""A draft changed by hand: marked, explained, and still proved afterwards."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from config.errors import Conflict, DomainError
from events.models import Match, Round, Seat
from events.queries.round_health import draft_of_round, health_of
from events.queries.verification import verify_event
from events.services import rounds, swapping
from tests.events.factories import Made
from tests.events.services.watching import one_change

Make = Callable[..., Made]
pytestmark = pytest.mark.django_db


def swap(made: Made, one: int, other: int, **options: Any) -> None:
    swapping.swap_players(
        event_id=made.event.pk,
        actor=made.by_organiser,
        **{"round_number": 1, "one": one, "other": other, "reason": "Sisters.", **options},
    )


def pairs(round_: Round) -> list[list[int]]:
    return [[seat.player_id for seat in match.seats.order_by("index")] for match in round_.matches.order_by("table")]


def post(made: Made) -> None:
    rounds.post_round(event_id=made.event.pk, actor=made.by_organiser, round_number=1)


def test_two_players_trade_places_and_the_round_still_verifies(make_event: Make) -> None:
    made = make_event(players=6, started=True)
    round_ = made.draft_round()
    (a, b), (c, d), rest = pairs(round_)

    with one_change(made.event, "round.seats_changed"):
        swap(made, a, d)

    assert pairs(round_) == [[d, b], [c, a], rest]
    assert list(round_.matches.order_by("table").values_list("by_hand", flat=True)) == [True, True, False]
    round_.refresh_from_db()
    assert round_.hand_reason == "Sisters."
    assert verify_event(made.refresh()).faults == []
    post(made)
    assert verify_event(made.refresh()).faults == []


def test_the_bye_is_traded_with_its_result(make_event: Make) -> None:
    made = make_event(players=5, started=True)
    round_ = made.draft_round()
    bye = Seat.objects.get(round=round_, match__table=None).player_id
    other = pairs(round_)[0][0]

    swap(made, bye, other)

    seat = Seat.objects.get(round=round_, match__table=None)
    assert (seat.player_id, seat.outcome, seat.match.state) == (other, "bye", "confirmed")
    post(made)
    assert verify_event(made.refresh()).faults == []


def test_discarding_undoes_it(make_event: Make) -> None:
    made = make_event(players=6, started=True)
    round_ = made.draft_round()
    before = pairs(round_)
    swap(made, before[0][0], before[1][0])
    rounds.discard_draft(event_id=made.event.pk, actor=made.by_organiser, round_number=1)

    again = made.draft_round()

    assert (pairs(again), again.hand_reason) == (before, "")
    assert verify_event(made.refresh()).faults == []


def test_what_is_no_trade_is_refused(make_event: Make) -> None:
    made = make_event(players=6, started=True)
    (a, b), (c, _), _ = pairs(made.draft_round())

    refused = []
    for one, other, options in ((a, b, {}), (a, 0, {}), (a, c, {"reason": " "})):
        with pytest.raises(DomainError) as refusal:
            swap(made, one, other, **options)
        refused.append(refusal.value.code)
    post(made)
    with pytest.raises(Conflict) as late:
        swap(made, a, c)

    assert [*refused, late.value.code] == ["swap.same_match", "swap.not_in_round", "swap.reason", "round.state"]


def test_a_trade_that_the_log_does_not_tell_of_is_found(make_event: Make) -> None:
    made = make_event(players=6, started=True)
    round_ = made.draft_round()
    (a, b), (c, _), _ = pairs(round_)
    swap(made, a, c)
    post(made)
    Match.objects.filter(round=round_, seats__player=b).delete()

    assert verify_event(made.refresh()).faults == ["Round 1 is not seated as it was posted and mended."]


def test_a_draft_that_leaves_somebody_out_is_not_posted(make_event: Make) -> None:
    made = make_event(players=6, started=True)
    round_ = made.draft_round()
    assert health_of(made.event, draft_of_round(round_)) == ()
    Match.objects.filter(round=round_, table=3).delete()

    with pytest.raises(Conflict) as refusal:
        post(made)

    assert refusal.value.code == "round.unfit"
    assert [found["code"] for found in refusal.value.context["findings"]] == ["player_missing"]
    assert "2 players are neither paired nor given a bye" in refusal.value.message
