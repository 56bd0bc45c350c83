"""What staff wrote down about players, in the rounds that are drafted."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from events.models import Match, Player, Round, Seat
from events.queries.verification import verify_event
from events.services import player_facts, rounds
from tests.events.factories import Made

Make = Callable[..., Made]
pytestmark = pytest.mark.django_db


def pairs(round_: Round) -> set[frozenset[int]]:
    found: dict[int, set[int]] = {}
    for match, player in Seat.objects.filter(round=round_).values_list("match_id", "player_id"):
        found.setdefault(match, set()).add(player)
    return {frozenset(players) for players in found.values()}


def facts(made: Made, player: Player, **changed: object) -> None:
    player_facts.change_facts(event_id=made.event.pk, actor=made.by_organiser, player_id=player.pk, **changed)  # type: ignore[arg-type]


def test_an_assigned_bye_holds_in_its_rounds_and_in_no_other(make_event: Make) -> None:
    made = make_event(players=5, started=True)
    rewarded = made.players[3]
    facts(made, rewarded, assigned_byes=1)
    first = made.play_round()
    seat = Seat.objects.get(round=first, player=rewarded)
    assert (seat.outcome, seat.match.state, seat.match.reasons) == (
        "assigned_bye",
        Match.State.CONFIRMED,
        [{"code": "bye_assigned"}],
    )
    assert Seat.objects.filter(round=first, outcome="bye").count() == 0  # four others make two tables
    second = made.draft_round()
    assert Seat.objects.filter(round=second, outcome="assigned_bye").count() == 0
    assert verify_event(made.refresh()).faults == []


def test_a_fixed_table_is_kept_with_the_opponent_and_says_so(make_event: Make) -> None:
    made = make_event(players=6, started=True)
    needs = made.players[0]
    facts(made, needs, fixed_table=7, fixed_table_kind="accessibility")
    round_ = made.draft_round()
    match = Match.objects.get(round=round_, seats__player=needs)
    assert match.table == 7
    assert match.reasons[-1] == {"code": "fixed_table", "player": needs.pk, "table": 7}
    assert sorted(Match.objects.filter(round=round_).values_list("table", flat=True)) == [1, 2, 7]
    assert verify_event(made.refresh()).faults == []


@pytest.mark.parametrize("strict", [False, True])
def test_who_is_to_be_kept_apart_does_not_meet_while_another_pairing_is_as_good(make_event: Make, strict: bool) -> None:
    made = make_event(players=4, started=True)
    one, *others = made.players
    for other in others[:2]:
        player_facts.keep_apart(
            event_id=made.event.pk,
            actor=made.by_organiser,
            player_id=one.pk,
            other_id=other.pk,
            is_strict=strict,
            reason="Family",
        )
    round_ = made.draft_round()
    assert frozenset({one.pk, others[2].pk}) in pairs(round_)
    assert round_.plan.content["groups"][0]["avoid_mode"] == ("strict" if strict else "soft")
    assert verify_event(made.refresh()).faults == []


def test_team_mates_are_kept_apart(make_event: Make) -> None:
    made = make_event(players=4, started=True)
    for player, team in zip(made.players, ("Red", "Red", "Blue", "Blue"), strict=True):
        facts(made, player, team=team)
    mates = {frozenset(player.pk for player in made.players[:2]), frozenset(player.pk for player in made.players[2:])}
    assert not pairs(made.draft_round()) & mates


def test_an_assigned_bye_is_fit_to_be_posted_beside_an_odd_one(make_event: Make) -> None:
    made = make_event(players=6, started=True)
    facts(made, made.players[0], assigned_byes=1)
    round_ = made.draft_round()
    assert Seat.objects.filter(round=round_, outcome__in=("bye", "assigned_bye")).count() == 2
    rounds.post_round(event_id=made.event.pk, actor=made.by_organiser, round_number=1)
