"""From one stage to the next: what has to be true before, and what each begins with."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from cards.models import Product
from config.errors import Conflict, DomainError
from events.models import Event, Match, Pack, Player, PodSeat, PoolCard, Seat, Stage, Standing
from events.queries.verification import verify_event
from events.services import registration, results, rounds, setup, stages
from events.services.transaction import AlreadyDone, Command
from rules.models import Policy
from tests.events.factories import Made, policy_of
from tests.events.services.watching import last_entry, nothing_new, one_change, refused

Make = Callable[..., Made]
pytestmark = pytest.mark.django_db


def drop(made: Made, player_id: int) -> None:
    registration.drop_player(event_id=made.event.pk, actor=made.by_organiser, player_id=player_id)


def play_swiss(made: Made) -> None:
    for _ in range(Stage.objects.get(event=made.event, kind="swiss").rounds_planned or 0):
        made.play_round()


def short_swiss(slug: str = "designed-deck", *, rounds_played: int = 1, cut: int = 8) -> Policy:
    """The template with a given number of Swiss rounds, so that a test plays few of them."""
    policy = policy_of(slug)
    for stage in policy.definition["stages"]:
        if stage["kind"] == "swiss":
            stage["rounds"] = rounds_played
        if stage["kind"] == "single_elimination":
            stage["cut"] = cut
    policy.save()
    return policy


# -- packs ------------------------------------------------------------------------------------------------------------


def test_a_draft_seats_everybody_once_and_opens_their_packs(make_event: Make) -> None:
    made = make_event(policy="draft-2", players=5, checked_in=True)
    with one_change(made.event, "event.started", "draft.seated", "stage.begun"):
        setup.start_event(event_id=made.event.pk, actor=made.by_organiser)
    assert sorted(PodSeat.objects.values_list("player_id", flat=True)) == [player.pk for player in made.players]
    assert [(pack.opened_by_id, pack.number) for pack in Pack.objects.order_by("opened_by_id", "number")] == [
        (player.pk, number) for player in made.players for number in (1, 2)
    ]
    assert {pack.cards.count() for pack in Pack.objects.all()} == {15}
    assert not PoolCard.objects.exists()


def test_a_draft_goes_on_until_its_last_pick(make_event: Make) -> None:
    made = make_event(policy="draft-2", players=2, started=True)
    made.pick(made.players[0])
    waiting = {"pod": 1, "waiting": [made.players[1].name]}
    with refused(Conflict, "stage.draft_unfinished", 409, waiting):
        made.next_stage()


def test_decks_are_built_before_the_rounds(make_event: Make) -> None:
    made = make_event(policy="sealed-3", players=2, started=True)
    assert sum(row.count for row in PoolCard.objects.filter(player=made.players[0])) == 45
    made.next_stage()
    made.submit(made.players[0])
    with refused(Conflict, "event.decklists_missing", 409, {"missing": [made.players[1].name], "illegal": []}):
        made.next_stage()
    made.submit(made.players[1])
    with one_change(made.event, "stage.complete", "stage.begun"):
        change = stages.begin_next_stage(event_id=made.event.pk, actor=made.by_organiser)
    assert change.facts["kind"] == "swiss"
    assert list(made.event.stages.order_by("number").values_list("kind", "state")) == [
        ("sealed", "complete"),
        ("deck_building", "complete"),
        ("swiss", "active"),
    ]


def test_packs_of_a_product_that_is_not_loaded(make_event: Make) -> None:
    made = make_event(policy="sealed-3", players=2, checked_in=True)
    Product.objects.all().delete()
    with refused(DomainError, "stage.no_product", 400):
        setup.start_event(event_id=made.event.pk, actor=made.by_organiser)


# -- rounds and the cut -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("state", [Event.State.REGISTRATION, Event.State.FINISHED, Event.State.CANCELLED])
def test_no_stage_begins_in_an_event_that_does_not_run(make_event: Make, state: str) -> None:
    made = make_event(players=2)
    Event.objects.filter(pk=made.event.pk).update(state=state)
    with refused(Conflict, "event.not_running", 409, {"state": state}):
        made.next_stage()


def test_every_planned_round_is_played_before_the_cut(make_event: Make) -> None:
    made = make_event(players=3, started=True)
    with refused(Conflict, "stage.rounds_left", 409, {"planned": 2, "complete": 0}):
        made.next_stage()
    made.play_round()
    made.draft_round()
    with refused(Conflict, "event.round_open", 409):
        made.next_stage()


def test_the_top_seed_leaves_before_the_cut(make_event: Make) -> None:  # T26
    made = make_event(players=9, started=True)
    play_swiss(made)
    ranking = list(Standing.objects.filter(round__sequence=4).order_by("rank").values_list("player_id", flat=True))
    drop(made, ranking[0])
    with one_change(made.event, "stage.complete", "stage.begun"):
        stage = made.next_stage()
    assert stage.seeds == ranking[1:]
    assert stage.rounds_planned == 3
    assert last_entry(made.event).payload["seeds"] == ranking[1:]
    round_ = made.post_round()
    pairs = [
        tuple(match.seats.order_by("index").values_list("player_id", flat=True))
        for match in Match.objects.filter(round=round_).order_by("bracket_slot")
    ]
    seeds = [0, *ranking[1:]]
    assert pairs == [(seeds[a], seeds[b]) for a, b in ((1, 8), (4, 5), (2, 7), (3, 6))]


def test_a_cut_to_its_winner(make_event: Make) -> None:
    short_swiss(cut=4)
    made = make_event(players=4, started=True)
    made.play_round()
    stage = made.next_stage()
    for _ in range(stage.rounds_planned or 0):
        final = made.play_round()
    assert [match.seats.count() for match in final.matches.all()] == [2]
    with refused(Conflict, "stage.rounds_played", 409):
        made.draft_round()
    with refused(Conflict, "stage.none_left", 409):
        made.next_stage()
    made.finish()
    assert verify_event(made.event).faults == []


def test_who_leaves_the_bracket_keeps_the_place_and_the_opponent_goes_on(make_event: Make) -> None:
    short_swiss(cut=4)
    made = make_event(players=4, started=True)
    made.play_round()
    seeds = made.next_stage().seeds
    drop(made, seeds[0])
    semi = made.post_round()
    match = Match.objects.get(round=semi, seats__player_id=seeds[0])
    assert list(match.seats.order_by("index").values_list("player_id", flat=True)) == [seeds[0], seeds[3]]
    results.decide_result(
        event_id=made.event.pk, actor=made.by_organiser, match_id=match.pk, wins_a=0, wins_b=2, reason="Left."
    )
    other = semi.matches.exclude(pk=match.pk).get()
    results.decide_result(event_id=made.event.pk, actor=made.by_organiser, match_id=other.pk, wins_a=2, wins_b=0)
    rounds.complete_round(event_id=made.event.pk, actor=made.by_organiser, round_number=semi.sequence)
    final = made.draft_round()
    assert set(Seat.objects.filter(round=final).values_list("player_id", flat=True)) == {seeds[3], seeds[1]}


def test_three_players_make_a_bracket_with_a_bye(make_event: Make) -> None:
    short_swiss()
    made = make_event(players=3, started=True)
    made.play_round()
    stage = made.next_stage()
    assert (len(stage.seeds), stage.rounds_planned) == (3, 2)
    made.play_round()
    final = made.play_round()
    assert Seat.objects.filter(round=final, player_id=stage.seeds[0]).exists()


def test_a_bracket_without_rounds_before_it_is_seeded_by_lot(make_event: Make) -> None:
    policy = short_swiss(cut=8)
    policy.definition["stages"] = [stage for stage in policy.definition["stages"] if stage["kind"] != "swiss"]
    policy.save()
    made = make_event(policy=policy.slug, players=5, started=True)
    stage = made.event.stages.get()
    assert stage.seeds == [player.pk for player in sorted(made.players, key=lambda player: player.lot)]
    assert made.draft_round().matches.count() == 4  # three byes in a bracket of eight
    assert verify_event(made.refresh()).faults == []


def test_a_swiss_with_nobody_left_to_pair_ends_early(make_event: Make) -> None:
    made = make_event(players=3, started=True)
    made.play_round()
    for player in made.players[:2]:
        drop(made, player.pk)
    with refused(DomainError, "cut.too_few_players", 400):
        made.next_stage()
    made.finish()
    assert made.event.state == "finished"
    assert Player.objects.filter(event=made.event, state="checked_in").count() == 1


def test_a_stage_begun_twice_by_one_command_begins_once(make_event: Make) -> None:
    made = make_event(policy="sealed-3", players=2, started=True)
    command = Command(key="next-stage", expected_version=made.event.version)
    first = stages.begin_next_stage(event_id=made.event.pk, actor=made.by_organiser, command=command)
    with nothing_new(), pytest.raises(AlreadyDone) as repeat:
        stages.begin_next_stage(event_id=made.event.pk, actor=made.by_organiser, command=command)
    assert repeat.value.change == first
