"""A match game by game: any player's word stands, one at a time, and chooses no result."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from config.errors import Conflict, DomainError, NotAllowed, NotFound
from events.models import Event, Game, Match, Player, Round
from events.queries.verification import verify_event
from events.services import games, results, rounds
from events.services.transaction import Change
from tests.events.factories import Made, actor_of, user_of
from tests.events.services.watching import last_entry, nothing_new, one_change, refused

Make = Callable[..., Made]
pytestmark = pytest.mark.django_db


@pytest.fixture
def made(make_event: Make) -> Made:
    return make_event(players=2, started=True)


@pytest.fixture
def match(made: Made) -> Match:
    return made.post_round().matches.get()


def seated(match: Match) -> tuple[Player, Player]:
    a, b = (seat.player for seat in match.seats.select_related("player__user").order_by("index"))
    return a, b


def record(
    made: Made, match: Match, player: Player | None, number: int, winner: Player | None, ending: str = ""
) -> Change:
    return games.record_game(
        event_id=made.event.pk,
        actor=actor_of(user_of(player)) if player is not None else made.by_organiser,
        match_id=match.pk,
        number=number,
        ending=ending or ("won" if winner else "drawn"),
        winner_id=winner.pk if winner else None,
        player_id=player.pk if player is not None else None,
    )


def choose(made: Made, match: Match, player: Player | None, number: int, first: Player) -> Change:
    return games.choose_first(
        event_id=made.event.pk,
        actor=actor_of(user_of(player)) if player is not None else made.by_organiser,
        match_id=match.pk,
        number=number,
        first_id=first.pk,
        player_id=player.pk if player is not None else None,
    )


def take_back(made: Made, match: Match, player: Player, number: int) -> Change:
    return games.take_game_back(
        event_id=made.event.pk,
        actor=actor_of(user_of(player)),
        match_id=match.pk,
        number=number,
        player_id=player.pk,
    )


def kept(match: Match) -> list[tuple[Any, ...]]:
    return list(Game.objects.filter(match=match).values_list("number", "ending", "winner", "first", "after_time"))


def lot(match: Match) -> int:
    first = Game.objects.get(match=match, number=1).first_id
    assert first is not None
    return first


def test_games_are_written_down_one_after_the_other_and_make_no_result(made: Made, match: Match) -> None:
    a, b = seated(match)
    with one_change(made.event, "game.recorded"):
        first = record(made, match, a, 1, b)
    entry = last_entry(made.event)
    assert entry.payload == {
        "match": match.pk,
        "table": 1,
        "game": 1,
        "ending": "won",
        "winner": b.pk,
        "first": lot(match),
    }
    assert not entry.is_public
    assert first.facts == {"match": match.pk, "games": [{"game": 1, "ending": "won", "winner": b.pk}]}
    record(made, match, b, 2, a)
    record(made, match, None, 3, b)
    assert kept(match) == [
        (1, "won", b.pk, lot(match), False),
        (2, "won", a.pk, None, False),
        (3, "won", b.pk, None, False),
    ]
    assert lot(match) in (a.pk, b.pk)
    match.refresh_from_db()
    assert (match.state, match.version) == ("open", 0)
    assert verify_event(made.refresh()).faults == []


def test_the_same_word_from_the_other_player_changes_nothing_and_another_one_is_refused(
    made: Made, match: Match
) -> None:
    a, b = seated(match)
    said = record(made, match, a, 1, a)
    with nothing_new():
        again = record(made, match, b, 1, a)
    assert again.facts == said.facts
    state = {"match": match.pk, "games": [{"game": 1, "ending": "won", "winner": a.pk}]}
    with refused(Conflict, "game.other_state", 409, state):
        record(made, match, b, 1, b)
    with refused(Conflict, "game.other_state", 409, state):
        record(made, match, b, 3, b)


def test_no_game_follows_the_one_that_won_the_match(made: Made, match: Match) -> None:
    a, b = seated(match)
    record(made, match, a, 1, a)
    record(made, match, a, 2, a)
    with refused(Conflict, "game.other_state", 409):
        record(made, match, a, 3, b)


def test_the_last_game_is_taken_back_with_what_was_chosen_after_it(made: Made, match: Match) -> None:
    a, b = seated(match)
    record(made, match, a, 1, a)
    began = lot(match)
    choose(made, match, b, 2, a)
    with refused(Conflict, "game.other_state", 409):
        take_back(made, match, b, 2)
    with one_change(made.event, "game.taken_back"):
        take_back(made, match, b, 1)
    assert kept(match) == [(1, "", None, began, False)]
    with refused(Conflict, "game.other_state", 409, {"match": match.pk, "games": []}):
        take_back(made, match, a, 1)
    record(made, match, a, 1, b)
    assert kept(match) == [(1, "won", b.pk, began, False)]


def test_the_loser_chooses_who_begins_and_it_is_kept_with_the_game(made: Made, match: Match) -> None:
    a, b = seated(match)
    with refused(Conflict, "game.lots_decide", 409):
        choose(made, match, a, 1, a)
    record(made, match, a, 1, a)
    with refused(NotAllowed, "game.not_your_choice", 403):
        choose(made, match, a, 2, a)
    with refused(Conflict, "game.other_state", 409):
        choose(made, match, b, 3, a)
    with one_change(made.event, "game.first_chosen"):
        assert choose(made, match, b, 2, a).facts == {"match": match.pk, "game": 2, "first": a.pk}
    with nothing_new():
        choose(made, match, b, 2, a)
    with one_change(made.event, "game.first_chosen"):
        choose(made, match, None, 2, b)
    record(made, match, a, 2, b)
    assert kept(match)[1] == (2, "won", b.pk, b.pk, False)


def test_where_the_policy_is_silent_nobody_has_the_choice(make_event: Make) -> None:
    made = make_event(policy="standard", players=2, started=True)
    match = made.post_round().matches.get()
    a, b = seated(match)
    with refused(Conflict, "game.no_rule", 409):
        choose(made, match, a, 1, a)
    record(made, match, a, 1, a)
    with refused(Conflict, "game.no_rule", 409):
        choose(made, match, b, 2, a)
    assert kept(match) == [(1, "won", a.pk, None, False)]


@pytest.mark.parametrize(
    ("ending", "has_winner", "kind", "code"),
    [
        ("won", False, DomainError, "game.winner"),
        ("drawn", True, DomainError, "game.winner"),
        ("tied", False, DomainError, "game.ending"),
        ("unfinished", False, Conflict, "game.not_at_time"),
    ],
)
def test_endings_that_can_not_be(
    made: Made, match: Match, ending: str, has_winner: bool, kind: type[DomainError], code: str
) -> None:
    a, _ = seated(match)
    with refused(kind, code, kind.status):
        games.record_game(
            event_id=made.event.pk,
            actor=made.by_organiser,
            match_id=match.pk,
            number=1,
            ending=ending,
            winner_id=a.pk if has_winner else None,
        )


def test_a_game_that_time_left_open_is_written_down_at_time(made: Made, match: Match) -> None:
    a, _ = seated(match)
    record(made, match, a, 1, a)
    rounds.call_time(event_id=made.event.pk, actor=made.by_organiser, round_number=1)
    record(made, match, a, 2, None, "unfinished")
    assert kept(match)[1] == (2, "unfinished", None, None, True)


def test_a_game_is_conceded_only_by_its_loser_and_where_the_policy_ends_no_match_by_it(make_event: Make) -> None:
    epic = make_event(players=2, started=True)
    match = epic.post_round().matches.get()
    a, b = seated(match)
    with refused(DomainError, "game.concede_own", 400):
        record(epic, match, a, 1, a, "conceded")
    record(epic, match, a, 1, b, "conceded")
    assert kept(match) == [(1, "conceded", b.pk, lot(match), False)]
    engarde = make_event(policy="standard", players=2, started=True, name="EnGarde")
    other = engarde.post_round().matches.get()
    c, d = seated(other)
    with refused(Conflict, "concession.ends_match", 409, {"cite": "ENGARDE 1.4"}):
        record(engarde, other, c, 1, d, "conceded")
    record(engarde, other, None, 1, d, "conceded")
    assert kept(other) == [(1, "conceded", d.pk, None, False)]


def test_drawn_games_have_an_end(made: Made, match: Match) -> None:
    a, _ = seated(match)
    for number in (1, 2, 3):
        record(made, match, a, number, None)
    with refused(DomainError, "score.too_many_draws", 400):
        record(made, match, a, 4, None)


def test_nobody_else_writes_games_down_and_nobody_once_there_is_a_result(make_event: Make) -> None:
    made = make_event(players=4, started=True)
    round_ = made.post_round()
    match = round_.matches.get(table=1)
    a, b = seated(match)
    stranger = seated(round_.matches.get(table=2))[0]
    with refused(NotAllowed, "match.not_yours", 403):
        record(made, match, stranger, 1, a)
    results.decide_result(event_id=made.event.pk, actor=made.by_organiser, match_id=match.pk, wins_a=2, wins_b=0)
    with refused(Conflict, "match.decided", 409):
        record(made, match, a, 1, b)


def test_a_draft_and_a_bye_have_no_games(make_event: Make) -> None:
    made = make_event(players=3, started=True)
    draft = made.draft_round()
    match = draft.matches.exclude(table=None).get()
    with refused(NotFound, "match.unknown", 404):
        record(made, match, None, 1, seated(match)[0])
    rounds.post_round(event_id=made.event.pk, actor=made.by_organiser, round_number=1)
    bye = Round.objects.get(pk=draft.pk).matches.get(table=None)
    with refused(Conflict, "match.decided", 409):
        record(made, bye, None, 1, None)


def test_where_only_staff_enter_results_players_write_no_game_but_choose_who_begins(made: Made, match: Match) -> None:
    Event.objects.filter(pk=made.event.pk).update(players_report=False)
    a, b = seated(match)
    with refused(NotAllowed, "results.by_staff", 403):
        record(made, match, a, 1, a)
    record(made, match, None, 1, a)
    choose(made, match, b, 2, b)
    assert kept(match)[1] == (2, "", None, b.pk, False)
