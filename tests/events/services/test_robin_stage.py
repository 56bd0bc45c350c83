"""Everybody against everybody, from the first round to the last placing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from itertools import combinations
from typing import Any

import pytest
from django.test import Client

from config.errors import Conflict, DomainError
from events.models import Match, Player, Round, Seat, Stage
from events.queries.scoring import current_standings
from events.queries.verification import verify_event
from events.services import registration, repairs, results, rounds, setup, swapping
from events.services.hand_pairing import draft_by_hand
from tests.events.desk.conftest import said
from tests.events.factories import NAMES, Made, policy_of
from tests.events.services.watching import refused

Make = Callable[..., Made]
pytestmark = pytest.mark.django_db


def robin(make_event: Make, players: int, *, cut: int = 0, started: bool = True) -> Made:
    policy = policy_of("designed-deck")
    policy.definition["decklist"]["required"] = False
    after = [{"kind": "single_elimination", "cut": cut}] if cut else []
    policy.definition["stages"] = [{"kind": "round_robin"}, *after]
    policy.save()
    return make_event(players=players, started=started, checked_in=True, decklists=False, names=NAMES)


def pairs(round_: Round) -> list[tuple[int, ...]]:
    return [
        tuple(match.seats.order_by("index").values_list("player_id", flat=True))
        for match in round_.matches.order_by("table", "pk")
    ]


def faults(made: Made) -> list[str]:
    return verify_event(made.refresh()).faults


@pytest.mark.parametrize(("players", "planned"), [(4, 3), (5, 5), (2, 1)])
def test_everybody_meets_everybody_once(make_event: Make, players: int, planned: int) -> None:
    made = robin(make_event, players)
    assert made.event.stages.get().rounds_planned == planned
    rows = [row for _ in range(planned) for row in pairs(made.play_round())]

    assert Counter(frozenset(row) for row in rows if len(row) == 2) == Counter(
        frozenset(pair) for pair in combinations([player.pk for player in made.players], 2)
    )
    assert sorted(row[0] for row in rows if len(row) == 1) == [player.pk for player in made.players] * (players % 2)
    assert len(current_standings(made.event)) == players
    with refused(Conflict, "stage.rounds_played", 409, {}):
        rounds.draft_round(event_id=made.event.pk, actor=made.by_organiser)
    made.finish()
    assert faults(made) == []


def test_the_order_is_the_one_of_the_lots(make_event: Make) -> None:
    made = robin(make_event, 4)
    stage = made.event.stages.get()
    assert stage.seeds == list(made.event.players.order_by("lot").values_list("pk", flat=True))
    made.play_round()
    stage.seeds = stage.seeds[::-1]
    stage.save(update_fields=["seeds"])

    assert faults(made) == [
        "The seeds of stage 1 are not the ones it began with.",
        "The order of the round robin is not the one of the lots.",
    ]


def test_whoever_was_to_meet_a_player_who_left_has_a_bye(make_event: Make) -> None:
    made = robin(make_event, 5)
    made.play_round()
    gone = made.players[0]
    registration.drop_player(event_id=made.event.pk, actor=made.by_organiser, player_id=gone.pk)
    found = [made.play_round() for _ in range(4)]

    byes = Match.objects.filter(round__in=found, table=None)
    reasons = Counter(reason["code"] for match in byes for reason in match.reasons)
    # The last two rounds' worth of everybody's own bye, but for the one who left, and a bye for each not yet met.
    met_gone = Seat.objects.filter(match__seats__player=gone).exclude(player=gone).count()
    own_byes = Seat.objects.filter(round__number=1, match__table=None).exclude(player=gone).count()
    assert reasons == {"opponent_left": 4 - met_gone, "round_robin_bye": 4 - own_byes}
    assert not Seat.objects.filter(round__in=found, player=gone).exists()
    made.finish()
    assert faults(made) == []


def test_a_draft_with_somebody_who_left_since_is_paired_again(make_event: Make) -> None:
    made = robin(make_event, 4)
    made.draft_round()
    registration.drop_player(event_id=made.event.pk, actor=made.by_organiser, player_id=made.players[0].pk)
    with refused(Conflict, "round.has_dropped", 409):
        rounds.post_round(event_id=made.event.pk, actor=made.by_organiser, round_number=1)
    rounds.discard_draft(event_id=made.event.pk, actor=made.by_organiser, round_number=1)

    assert sorted(map(len, pairs(made.post_round()))) == [1, 2]


def test_alone_nobody_plays_on(make_event: Make) -> None:
    made = robin(make_event, 3)
    made.play_round()
    for player in made.players[:2]:
        registration.drop_player(event_id=made.event.pk, actor=made.by_organiser, player_id=player.pk)

    with refused(Conflict, "round.too_few_players", 409):
        rounds.draft_round(event_id=made.event.pk, actor=made.by_organiser)
    made.finish()
    assert faults(made) == []


def test_a_cut_follows(make_event: Make) -> None:
    made = robin(make_event, 4, cut=2)
    for _ in range(3):
        made.play_round()
    ranked = [row.player for row in current_standings(made.event)]
    stage = made.next_stage()

    assert (stage.kind, stage.seeds) == ("single_elimination", ranked[:2])
    made.play_round()
    made.finish()
    assert faults(made) == []


def test_a_result_of_an_earlier_round_is_corrected(make_event: Make) -> None:
    made = robin(make_event, 4)
    first = made.play_round()
    made.post_round()
    match = first.matches.get(table=1)
    loser = match.seats.get(index=1).player_id

    repairs.correct_result(
        event_id=made.event.pk,
        actor=made.by_organiser,
        match_id=match.pk,
        wins_a=0,
        wins_b=2,
        draws=0,
        reason="Entered the wrong way round.",
    )

    assert match.seats.get(index=1).outcome == "win"
    assert first.standings.get(player=loser).values["match_points"] == "3"
    assert faults(made) == []


def test_it_is_not_changed_by_hand(make_event: Make) -> None:
    made = robin(make_event, 4)
    (a, b), (c, d) = pairs(made.draft_round())
    with refused(Conflict, "round.not_swiss", 409):
        draft_by_hand(event_id=made.event.pk, actor=made.by_organiser, pairs=[(a, c), (b, d)], byes=[], reason="No.")
    with refused(Conflict, "round.state", 409):
        swapping.swap_players(
            event_id=made.event.pk, actor=made.by_organiser, round_number=1, one=a, other=c, reason="No."
        )


def test_fixed_tables_are_kept(make_event: Make) -> None:
    made = robin(make_event, 4)
    player = made.players[3]
    Player.objects.filter(pk=player.pk).update(fixed_table=9, fixed_table_kind="accessibility")

    assert [made.match_of(player, made.play_round()).table for _ in range(3)] == [9, 9, 9]


def test_more_than_a_round_robin_holds_is_refused(make_event: Make) -> None:
    made = robin(make_event, 2, started=False)
    Player.objects.bulk_create(
        Player(event=made.event, name=f"P {number}", name_key=f"p {number}", state=Player.State.CHECKED_IN)
        for number in range(127)
    )

    with refused(DomainError, "round_robin.size", 400):
        setup.start_event(event_id=made.event.pk, actor=made.by_organiser)


def test_pages_tell_of_it(make_event: Make, as_user: Callable[..., Client]) -> None:
    made = robin(make_event, 5)
    code = made.event.code
    desk = said(as_user(made.organiser).get(f"/e/{code}/desk/"))
    assert "Draft round 1" in desk
    assert "by hand" not in desk
    made.draft_round()
    draft = said(as_user(made.organiser).get(f"/e/{code}/desk/round/1/"))
    assert "Round 1 of 5 in which everybody meets everybody." in draft
    assert ("Trade two places" in draft, "stops the posting" in draft) == (False, False)
    rounds.post_round(event_id=made.event.pk, actor=made.by_organiser, round_number=1)

    public = said(Client().get(f"/e/{code}/pairings/"))
    assert "everybody has one bye before all have met" in public
    info = said(Client().get(f"/e/{code}/info/"))
    assert "everybody against everybody, 5 rounds" in info
    assert "Round 1 of 5" in public
    log = said(Client().get(f"/e/{code}/log/"))
    assert "The round robin began: 5 rounds" in log
    for match in Round.objects.get(event=made.event).matches.exclude(table=None):
        results.decide_result(event_id=made.event.pk, actor=made.by_organiser, match_id=match.pk, wins_a=2, wins_b=0)
    rounds.complete_round(event_id=made.event.pk, actor=made.by_organiser, round_number=1)
    floor = as_user(made.organiser).get(f"/e/{code}/floor/{Match.objects.filter(table=1).get().pk}/")
    assert "Correct the result" in said(floor)


@pytest.mark.parametrize("players", [4, 10])
def test_storing_a_round_asks_the_database_no_more_often_for_more_players(
    make_event: Make, django_assert_num_queries: Any, players: int
) -> None:
    made = robin(make_event, players)
    with django_assert_num_queries(20):
        made.draft_round()
    assert Stage.objects.get(event=made.event).rounds_planned == players - 1
