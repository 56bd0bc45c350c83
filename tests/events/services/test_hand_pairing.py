"""A whole round by hand: graded, marked, told, and proved afterwards."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import pytest

from cards.engine.streams import Stream
from config.errors import Conflict, DomainError, Unprocessable
from events.engine.pairing import Entrants, History, PairingOptions, PairingPlan, pair_round
from events.models import Pod, PodSeat, Round, RoundPlan, Seat
from events.queries import swiss_round
from events.queries.verification import verify_event
from events.services import player_facts, registration, rounds, setup, swapping
from events.services.hand_pairing import draft_by_hand
from events.services.transaction import Command
from tests.events.factories import Made
from tests.events.services.watching import everything, one_change, refused

Make = Callable[..., Made]
pytestmark = pytest.mark.django_db


def by_hand(made: Made, pairs: Sequence[tuple[int, int]], byes: Sequence[int] = (), **options: Any) -> Round:
    arguments = {"pairs": pairs, "byes": byes, "reason": " Sisters. ", **options}
    change = draft_by_hand(event_id=made.event.pk, actor=made.by_organiser, **arguments)
    return Round.objects.get(event=made.event, sequence=change.facts["round"])


def seated(round_: Round) -> list[tuple[int | None, list[int], bool]]:
    return [
        (match.table, [seat.player_id for seat in match.seats.order_by("index")], match.by_hand)
        for match in round_.matches.order_by("table")
    ]


def post(made: Made, number: int) -> None:
    rounds.post_round(event_id=made.event.pk, actor=made.by_organiser, round_number=number)


def faults(made: Made) -> list[str]:
    return verify_event(made.refresh()).faults


def test_a_round_by_hand_is_marked_and_still_verifies(make_event: Make) -> None:
    made = make_event(players=5, started=True)
    made.play_round()
    a, b, c, d, e = (player.pk for player in made.players)
    rematch = next([*seats] for _, seats, _ in seated(made.event.rounds.get()) if len(seats) == 2)
    others = [player for player in (a, b, c, d, e) if player not in rematch]

    with one_change(made.event, "round.drafted_by_hand"):
        round_ = by_hand(made, [(rematch[1], rematch[0]), (others[0], others[1])], [others[2]])

    points = round_points(round_)
    assert sorted(seats for _, seats, _ in seated(round_)) == sorted(
        [rematch, sorted(others[:2], key=lambda player: -points[player]), [others[2]]]
    )
    assert {marked for _, _, marked in seated(round_)} == {True}
    assert (round_.hand_reason, round_.state) == ("Sisters.", "draft")
    assert [match.reasons for match in round_.matches.order_by("table")] == [
        *[[{"code": "paired_by_hand"}]] * 2,
        [{"code": "bye_by_hand"}],
    ]
    group = round_.plan.content["groups"][0]
    assert (group["cost"]["rematches"], group["proposal"]["cost"]["rematches"]) == (1, 0)
    assert faults(made) == []
    post(made, 2)
    assert faults(made) == []


def round_points(round_: Round) -> dict[int, int]:
    entrants = round_.plan.content["groups"][0]["entrants"]
    return dict(zip(entrants["id"], entrants["points"], strict=True))


def test_everybody_is_in_it_once(make_event: Make) -> None:
    made = make_event(players=4, started=True)
    a, b, c, d = (player.pk for player in made.players)

    before = everything()
    with pytest.raises(Unprocessable) as refusal:
        by_hand(made, [(a, b), (b, a)], [c, 10**9])

    assert everything() == before
    assert refusal.value.message == (
        "In the round more than once: Ada Brook, Bela Quist. Neither paired nor given a bye: Dov Hale. "
        "Not to be in the round: player 1000000000."
    )
    assert refusal.value.context == {"twice": [a, b], "missing": [d], "strangers": [10**9]}


def test_a_reason_is_needed_and_the_event_has_to_be_at_a_swiss_round(make_event: Make) -> None:
    made = make_event(players=2, started=True)
    a, b = (player.pk for player in made.players)
    refusals = []
    for reason in (" ", "x" * 301):
        with pytest.raises(DomainError) as refusal:
            by_hand(made, [(a, b)], reason=reason)
        refusals.append(refusal.value.code)
    post(made, by_hand(made, [(a, b)]).sequence)
    with pytest.raises(Conflict) as late:
        by_hand(made, [(a, b)])
    with pytest.raises(Conflict) as early:
        by_hand(make_event(players=2, name="Another"), [])

    assert [*refusals, late.value.code, early.value.code] == [
        "hand.reason",
        "hand.reason",
        "round.open",
        "event.not_running",
    ]


def test_it_takes_the_place_of_a_draft_and_is_discarded_like_one(make_event: Make) -> None:
    made = make_event(players=4, started=True)
    drafted = [seats for _, seats, _ in seated(made.draft_round())]
    (a, b), (c, d) = drafted

    round_ = by_hand(made, [(a, c), (b, d)])
    assert sorted(sorted(seats) for _, seats, _ in seated(round_)) == sorted([sorted([a, c]), sorted([b, d])])
    rounds.discard_draft(event_id=made.event.pk, actor=made.by_organiser, round_number=1)
    again = made.draft_round()

    assert [seats for _, seats, _ in seated(again)] == drafted
    assert (again.hand_reason, faults(made)) == ("", [])


def test_places_are_traded_in_a_round_by_hand(make_event: Make) -> None:
    made = make_event(players=5, started=True)
    a, b, c, d, e = (player.pk for player in made.players)
    by_hand(made, [(a, b), (c, d)], [e])

    swapping.swap_players(
        event_id=made.event.pk, actor=made.by_organiser, round_number=1, one=a, other=e, reason="Late."
    )
    post(made, 1)

    assert faults(made) == []


def test_a_bye_that_was_assigned_stays_what_it_is_or_is_given_up(make_event: Make) -> None:
    made = make_event(players=4, checked_in=True, decklists=True)
    a, b, c, d = (player.pk for player in made.players)
    player_facts.change_facts(event_id=made.event.pk, actor=made.by_organiser, player_id=a, assigned_byes=1)
    setup.start_event(event_id=made.event.pk, actor=made.by_organiser)

    round_ = by_hand(made, [(b, c)], [a, d])
    outcomes = dict(Seat.objects.filter(round=round_, index=0, match__table=None).values_list("player_id", "outcome"))
    assert outcomes == {a: "assigned_bye", d: "bye"}
    assert faults(made) == []
    plays = by_hand(made, [(a, b), (c, d)])
    post(made, 1)

    assert ([len(seats) for _, seats, _ in seated(plays)], faults(made)) == ([2, 2], [])


def test_several_byes_by_hand_stand_in_no_way(make_event: Make) -> None:
    made = make_event(players=4, started=True)
    a, b, c, d = (player.pk for player in made.players)

    by_hand(made, [(a, b)], [c, d])
    post(made, 1)

    assert faults(made) == []


def test_fixed_tables_are_kept(make_event: Make) -> None:
    made = make_event(players=4, started=True)
    a, b, c, d = (player.pk for player in made.players)
    player_facts.change_facts(
        event_id=made.event.pk, actor=made.by_organiser, player_id=d, fixed_table=7, fixed_table_kind="accessibility"
    )

    round_ = by_hand(made, [(a, b), (c, d)])

    assert {table: sorted(seats) for table, seats, _ in seated(round_)} == {1: [a, b], 7: [c, d]}


def test_players_of_different_pods_do_not_meet(make_event: Make) -> None:
    made = make_event(players=8, started=True)
    ids = [player.pk for player in made.players]
    stage = made.event.stages.get(state="active")
    stage.config["within_pods"] = True
    stage.save()
    for number, members in ((1, ids[:3]), (2, ids[3:])):
        pod = Pod.objects.create(event=made.event, stage=stage, number=number)
        PodSeat.objects.bulk_create(
            PodSeat(pod=pod, player_id=player, index=index) for index, player in enumerate(members)
        )
    a, b, c, d, e, f, g, h = ids

    with refused(Unprocessable, "hand.pods", 422, {"players": [c, d]}):
        by_hand(made, [(a, b), (c, d), (e, f), (g, h)])
    round_ = by_hand(made, [(a, b), (d, e), (f, g)], [c, h])
    post(made, 1)

    assert [group["byes"] for group in round_.plan.content["groups"]] == [[c], [h]]
    assert faults(made) == []


def test_when_the_engine_fails_the_round_is_still_paired(make_event: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    made = make_event(players=3, started=True)
    a, b, c = (player.pk for player in made.players)

    def misread(entrants: Entrants, history: History, options: PairingOptions, rng: Stream) -> PairingPlan:
        return pair_round(replace(entrants, points=entrants.points + (entrants.ids == c)), history, options, rng)

    monkeypatch.setattr(swiss_round, "pair_round", misread)
    with pytest.raises(Conflict) as refusal:
        made.draft_round()
    assert (refusal.value.code, refusal.value.context["by_hand"]) == ("round.plan_does_not_hold", True)
    assert "Pair it by hand at the desk" in refusal.value.message
    round_ = by_hand(made, [(a, b)], [c])
    monkeypatch.undo()
    post(made, 1)

    assert round_.plan.content["groups"][0]["proposal"] is None
    assert faults(made) == []


def test_what_was_changed_behind_the_log_is_found(make_event: Make) -> None:
    made = make_event(players=4, started=True)
    a, b, c, d = (player.pk for player in made.players)
    round_ = by_hand(made, [(a, b), (c, d)])
    plan = RoundPlan.objects.get(round=round_)
    group = plan.content["groups"][0]
    group["cost"]["rematches"] = 1
    first, second = group["proposal"]["pairs"]
    group["proposal"]["pairs"] = [[first[0], second[0]], [first[1], second[1]]]
    plan.save(update_fields=["content"])
    assert faults(made) == [
        "Round 1 by hand does not cost what is written beside it.",
        "What the engine proposed for round 1 is not what its seed gives.",
    ]
    Seat.objects.filter(round=round_, player__in=[b, d]).delete()

    assert faults(made)[2:] == ["Round 1 is not paired as the log says that staff paired it."]


def test_who_left_after_the_draft_is_not_in_it(make_event: Make) -> None:
    made = make_event(players=3, started=True)
    a, b, c = (player.pk for player in made.players)
    made.draft_round()
    registration.drop_player(event_id=made.event.pk, actor=made.by_organiser, player_id=c)

    round_ = by_hand(made, [(a, b)])

    assert [seats for _, seats, _ in seated(round_)] == [[a, b]]
    made.players[2].refresh_from_db()
    assert made.players[2].dropped_after_round == 0
    assert faults(made) == []


def test_a_draft_by_hand_counts_once_and_on_the_version_that_was_seen(make_event: Make) -> None:
    made = make_event(players=2, started=True)
    a, b = (player.pk for player in made.players)
    command = Command(key="once-and-only", expected_version=made.event.version - 1)

    with refused(Conflict, "event.stale", 409):
        by_hand(made, [(a, b)], command=command)


@pytest.mark.parametrize("players", [3, 11])
def test_it_asks_the_database_no_more_often_for_more_players(
    make_event: Make, django_assert_num_queries: Any, players: int
) -> None:
    made = make_event(players=players, started=True)
    ids = [player.pk for player in made.players]
    pairs = list(zip(ids[1::2], ids[2::2], strict=True))
    with django_assert_num_queries(23):
        by_hand(made, pairs, ids[:1])
