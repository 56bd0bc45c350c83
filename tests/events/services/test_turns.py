"""Extra turns: one count for two phones and a judge."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from config.errors import Conflict, DomainError, NotAllowed
from events.models import ExtraTurn, Match, Player, Round
from events.queries.games import Play, play_of
from events.services import results, rounds, turns, undoing
from events.services.transaction import Change
from tests.events.factories import Made, actor_of, user_of
from tests.events.services.test_games import seated
from tests.events.services.watching import last_entry, nothing_new, one_change, refused

Make = Callable[..., Made]
pytestmark = pytest.mark.django_db


@pytest.fixture
def made(make_event: Make) -> Made:
    return make_event(players=2, started=True)


@pytest.fixture
def match(made: Made) -> Match:
    match = made.post_round().matches.get()
    rounds.call_time(event_id=made.event.pk, actor=made.by_organiser, round_number=1)
    return match


def count(made: Made, match: Match, player: Player | None, number: int, finished_by: Player | None = None) -> Change:
    return turns.count_turn(
        event_id=made.event.pk,
        actor=actor_of(user_of(player)) if player is not None else made.by_organiser,
        match_id=match.pk,
        number=number,
        finished_by_id=finished_by.pk if finished_by is not None else None,
        player_id=player.pk if player is not None else None,
    )


def back(made: Made, match: Match, player: Player | None, number: int) -> Change:
    return turns.take_turn_back(
        event_id=made.event.pk,
        actor=actor_of(user_of(player)) if player is not None else made.by_organiser,
        match_id=match.pk,
        number=number,
        player_id=player.pk if player is not None else None,
    )


def play(made: Made, match: Match) -> Play:
    found = Match.objects.select_related("round__stage").get(pk=match.pk)
    return play_of(made.event, found, at_time=found.round.state == Round.State.TIME)


def test_the_turn_is_finished_then_five_are_counted_and_alternate(made: Made, match: Match) -> None:
    a, b = seated(match)
    assert play(made, match).turns_taken is None
    with one_change(made.event, "match.extra_turns"):
        assert count(made, match, b, 0, a).facts == {"match": match.pk, "extra_turns": 0, "match_version": 1}
    assert last_entry(made.event).payload == {"match": match.pk, "table": 1, "turns": 0}
    whose = []
    for number in range(1, 6):
        whose.append(play(made, match).turn_of)
        count(made, match, (a, b)[number % 2], number)
    assert whose == [b.pk, a.pk, b.pk, a.pk, b.pk]
    assert (play(made, match).turns_taken, play(made, match).turns_over, play(made, match).turn_of) == (5, True, None)


def test_two_taps_for_one_turn_count_it_once(made: Made, match: Match) -> None:
    a, b = seated(match)
    count(made, match, a, 0, a)
    count(made, match, a, 1)
    with nothing_new():
        assert count(made, match, b, 1).facts["extra_turns"] == 1
    assert ExtraTurn.objects.filter(match=match).count() == 2


@pytest.mark.parametrize("number", [0, 2, 4])
def test_a_tap_on_an_old_page_is_refused_with_the_count_of_now(made: Made, match: Match, number: int) -> None:
    a, b = seated(match)
    for turn in (0, 1):
        count(made, match, a, turn)
    if number == 2:
        count(made, match, a, 2)
        count(made, match, a, 3)
    taken = 3 if number == 2 else 1
    with refused(Conflict, "turn.other_state", 409, {"match": match.pk, "extra_turns": taken, "limit": 5}):
        count(made, match, b, number)


def test_there_is_no_sixth(made: Made, match: Match) -> None:
    a, _ = seated(match)
    with refused(DomainError, "match.extra_turns", 400, {"turns": 6, "limit": 5}):
        count(made, match, a, 6)


def test_who_counted_takes_it_back_and_staff_too(made: Made, match: Match) -> None:
    a, b = seated(match)
    for number in range(3):
        count(made, match, a, number, a if number == 0 else None)
    with refused(NotAllowed, "turn.not_yours", 403):
        back(made, match, b, 2)
    with refused(Conflict, "turn.other_state", 409):
        back(made, match, a, 1)
    with one_change(made.event, "match.extra_turns"):
        assert back(made, match, a, 2).facts["extra_turns"] == 1
    back(made, match, None, 1)
    assert back(made, match, a, 0).facts["extra_turns"] is None
    assert not ExtraTurn.objects.filter(match=match).exists()
    count(made, match, b, 0, b)
    assert play(made, match).turn_of == a.pk


def test_staff_set_the_count_and_players_go_on_from_it(made: Made, match: Match) -> None:
    a, b = seated(match)
    count(made, match, a, 0, b)
    turns.note_extra_turns(event_id=made.event.pk, actor=made.by_organiser, match_id=match.pk, turns=3)
    assert play(made, match).turn_of == b.pk
    with refused(NotAllowed, "turn.not_yours", 403):
        back(made, match, a, 3)
    count(made, match, a, 4)
    turns.note_extra_turns(event_id=made.event.pk, actor=made.by_organiser, match_id=match.pk, turns=1)
    count(made, match, b, 2)
    assert list(ExtraTurn.objects.filter(match=match).values_list("number", flat=True)) == [0, 1, 2]


def test_before_time_and_after_the_result_nothing_is_counted(make_event: Make) -> None:
    made = make_event(players=2, started=True)
    match = made.post_round().matches.get()
    a, b = seated(match)
    with refused(Conflict, "round.not_at_time", 409):
        count(made, match, a, 0)
    rounds.call_time(event_id=made.event.pk, actor=made.by_organiser, round_number=1)
    with refused(DomainError, "turn.player", 400):
        turns.count_turn(event_id=made.event.pk, actor=made.by_organiser, match_id=match.pk, number=0, finished_by_id=0)
    results.decide_result(event_id=made.event.pk, actor=made.by_organiser, match_id=match.pk, wins_a=1, wins_b=1)
    with refused(Conflict, "match.decided", 409):
        count(made, match, a, 0)


def test_a_player_of_another_table_counts_nothing_here(make_event: Make) -> None:
    made = make_event(players=4, started=True)
    round_ = made.post_round()
    rounds.call_time(event_id=made.event.pk, actor=made.by_organiser, round_number=1)
    match, other = round_.matches.get(table=1), round_.matches.get(table=2)
    with refused(NotAllowed, "match.not_yours", 403):
        count(made, match, seated(other)[0], 0)


def test_time_is_not_taken_back_once_a_turn_was_counted(made: Made, match: Match) -> None:
    count(made, match, seated(match)[0], 0)
    with refused(Conflict, "undo.built_upon", 409):
        undoing.resume_after_time(event_id=made.event.pk, actor=made.by_organiser, round_number=1)
    back(made, match, None, 0)
    undoing.resume_after_time(event_id=made.event.pk, actor=made.by_organiser, round_number=1)
