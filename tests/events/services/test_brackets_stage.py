"""Single elimination with its options: cuts by points, brackets seeded anew, and the match for third place."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from config.errors import DomainError
from events.models import Player, Round, Seat, Stage, Standing
from events.queries.brackets import cut_told, placing_of
from events.queries.verification import verify_event
from events.services import registration, results, rounds
from tests.events.factories import NAMES, Made, policy_of
from tests.events.services.watching import refused

Make = Callable[..., Made]
pytestmark = pytest.mark.django_db


def begin(make_event: Make, players: int, *, swiss: int = 1, **cut: Any) -> Made:
    """An event of so many Swiss rounds that seat A won, and a cut as told; its Swiss rounds are played."""
    policy = policy_of("designed-deck")
    policy.definition["decklist"]["required"] = False
    policy.definition["stages"] = [
        {"kind": "swiss", "rounds": swiss, "within_pods": False},
        {"kind": "single_elimination", **cut},
    ]
    policy.save()
    made = make_event(players=players, started=True, decklists=False, names=NAMES)
    for _ in range(swiss):
        made.play_round()
    return made


def ranking(made: Made) -> list[tuple[int, int]]:
    """(player, points) after the last Swiss round."""
    rows = Standing.objects.filter(round__event=made.event, round__stage__kind="swiss").order_by("round", "rank")
    newest = max(row.round_id for row in rows)
    return [(row.player_id, int(row.values["match_points"])) for row in rows if row.round_id == newest]


def play(made: Made, *, losers: tuple[int, ...] = ()) -> Round:
    """A round of the bracket, won by the better seed unless it is one of ``losers``."""
    round_ = made.post_round()
    for match in round_.matches.filter(state="open"):
        first = match.seats.get(index=0).player_id
        wins = (0, 2) if first in losers else (2, 0)
        results.decide_result(
            event_id=made.event.pk, actor=made.by_organiser, match_id=match.pk, wins_a=wins[0], wins_b=wins[1]
        )
    rounds.complete_round(event_id=made.event.pk, actor=made.by_organiser, round_number=round_.sequence)
    return round_


def pairs(round_: Round) -> list[tuple[int, ...]]:
    return [
        tuple(match.seats.order_by("index").values_list("player_id", flat=True))
        for match in round_.matches.order_by("bracket_slot")
    ]


@pytest.mark.parametrize(
    ("cut", "seeded"),
    [
        ({"cut": 8, "cut_by": "points", "cut_points": 3}, 5),  # four winners and the bye
        ({"cut": 4, "cut_by": "full_bracket"}, 4),
        ({"cut": 5, "cut_by": "full_bracket"}, 8),
        ({"cut": 8, "cut_by": "rank"}, 8),
    ],
)
def test_who_goes_on_is_as_the_cut_says(make_event: Make, cut: dict[str, Any], seeded: int) -> None:
    made = begin(make_event, 9, **cut)
    assert made.next_stage().seeds == [player for player, _ in ranking(made)][:seeded]


def test_a_cut_where_the_points_fall(make_event: Make) -> None:
    made = begin(make_event, 8, cut=8, cut_by="clean_break")
    assert len(made.next_stage().seeds) == 8
    made = begin(make_event, 9, cut=8, cut_by="clean_break")  # five with 3 points, four with 0
    with refused(DomainError, "cut.no_clean_break", 400):
        made.next_stage()


def test_whoever_left_is_not_in_a_cut_by_points(make_event: Make) -> None:
    made = begin(make_event, 8, cut=8, cut_by="points", cut_points=3)
    best = ranking(made)[0][0]
    registration.drop_player(event_id=made.event.pk, actor=made.by_organiser, player_id=best)
    assert made.next_stage().seeds == [player for player, points in ranking(made)[1:] if points == 3]


def test_everybody_reads_who_got_in_and_who_did_not_by_tie_breakers(make_event: Make, client: Client) -> None:
    made = begin(make_event, 8, cut=2)
    ranked = ranking(made)
    registration.drop_player(event_id=made.event.pk, actor=made.by_organiser, player_id=ranked[0][0])
    address = f"/e/{made.event.code}/bracket/"
    assert "Who got in" not in client.get(address).content.decode()
    stage = made.next_stage()

    told = [(player.pk, reason.as_json()) for player, reason in cut_told(stage)]

    assert told == [
        (ranked[0][0], {"code": "dropped_before_cut", "rank": 1}),
        (ranked[1][0], {"code": "seed", "seed": 1, "rank": 2, "moved_up": 1}),
        (ranked[2][0], {"code": "seed", "seed": 2, "rank": 3, "moved_up": 1}),
        (ranked[3][0], {"code": "tied_outside_cut", "rank": 4}),
    ]
    page = client.get(address).content.decode()
    assert "Seed 1, from place 2 of the standings: 1 player ahead had left." in page
    assert "Place 4: as many points as the last who got in, and behind by the tie-breakers." in page


def test_a_cut_by_lot_tells_no_places(make_event: Make) -> None:
    policy = policy_of("designed-deck")
    policy.definition["decklist"]["required"] = False
    policy.definition["stages"] = [{"kind": "single_elimination", "cut": 4}]
    policy.save()

    made = make_event(players=4, started=True, decklists=False)

    assert cut_told(made.event.stages.get()) == []


def test_a_bracket_that_is_seeded_anew_gives_the_best_the_worst_who_is_left(make_event: Make) -> None:
    made = begin(make_event, 8, cut=8, reseed=True)
    seeds = made.next_stage().seeds
    one, two, three, four, five, six, seven, eight = seeds
    first = play(made, losers=(one, two))
    assert pairs(first) == [(one, eight), (four, five), (two, seven), (three, six)]
    second = play(made)
    assert pairs(second) == [(three, eight), (four, seven)]  # as it was drawn: 4 against 8 and 3 against 7
    assert [match.reasons[0]["code"] for match in second.matches.all()] == ["bracket_reseeded"] * 2
    play(made)
    made.finish()
    assert verify_event(made.event).faults == []


def test_two_who_lost_a_semi_final_play_for_third_place(make_event: Make, client: Client) -> None:
    made = begin(make_event, 8, cut=4, third_place=True)
    stage = made.next_stage()
    one, two, three, four = stage.seeds
    play(made)
    final = play(made, losers=(three,))
    assert pairs(final) == [(one, two), (three, four)]
    assert final.matches.get(bracket_slot=1).reasons == [{"code": "third_place", "seed": 3, "opponent_seed": 4}]
    order = [player for player, _ in ranking(made)]
    places = placing_of(Stage.objects.get(pk=stage.pk), order)
    assert [row.player for row in places] == [one, two, four, three, *order[4:]]
    made.finish()
    found = verify_event(made.event)
    assert (found.faults, found.checked["cuts"]) == ([], 1)
    page = client.get(f"/e/{made.event.code}/bracket/").content.decode()
    assert page.count("Third place") == 1
    assert f"{Player.objects.get(pk=one).name} won." in page


def test_the_bracket_shows_the_place_for_a_match_for_third_place_from_the_cut_on(
    make_event: Make, client: Client
) -> None:
    made = begin(make_event, 4, cut=4, third_place=True)
    made.next_stage()
    assert "Third place" in client.get(f"/e/{made.event.code}/bracket/").content.decode()


def test_of_three_players_nobody_plays_for_third_place(make_event: Make, client: Client) -> None:
    made = begin(make_event, 3, cut=4, third_place=True)
    made.next_stage()
    play(made)
    assert len(pairs(play(made))) == 1
    assert "Third place" not in client.get(f"/e/{made.event.code}/bracket/").content.decode()


def test_a_changed_seed_or_pair_is_found(make_event: Make) -> None:
    made = begin(make_event, 4, cut=4)
    stage = made.next_stage()
    round_ = play(made)
    first, second = Seat.objects.filter(round=round_, index=0).order_by("pk")
    Seat.objects.filter(pk=first.pk).delete()
    Seat.objects.filter(pk=second.pk).update(player=first.player_id)
    assert f"Round {round_.sequence} is not made as its seed and the results before it give." in (
        verify_event(made.refresh()).faults
    )
    Stage.objects.filter(pk=stage.pk).update(seeds=stage.seeds[::-1])
    assert f"The seeds of stage {stage.number} are not the ones it began with." in verify_event(made.refresh()).faults


@pytest.mark.parametrize(
    ("cut", "words"),
    [
        ({"cut": 8, "cut_by": "points", "cut_points": 3}, "everybody with 3 points or more"),
        ({"cut": 8, "cut_by": "clean_break"}, "the top 8 or fewer, where the points fall"),
        ({"cut": 8, "cut_by": "full_bracket"}, "a full bracket of 8 or more"),
    ],
)
def test_pages_say_who_goes_on(make_event: Make, as_user: Callable, cut: dict[str, Any], words: str) -> None:
    made = begin(make_event, 8, **cut)
    client = as_user(made.organiser)
    for address in ("", "standings/", "info/", "desk/"):
        assert words in client.get(f"/e/{made.event.code}/{address}").content.decode(), address
