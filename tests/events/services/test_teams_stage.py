"""Games of teams, Light against Dark, as the template of Epic Duels has them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from config.errors import Conflict, DomainError
from events.models import Match, Player, Result, Round, Seat, Stage, Team
from events.queries.scoring import current_standings
from events.queries.verification import verify_event
from events.services import placed_results, registration, results, rounds, setup
from tests.events.api.conftest import Program
from tests.events.factories import NAMES, Made, load_packs, make_event
from tests.events.services.watching import last_entry, one_change, refused

pytestmark = pytest.mark.django_db


@pytest.fixture
def duels(packs: None) -> Callable[..., Made]:
    def made(players: int, size: int = 1) -> Made:
        load_packs("epic-duels")
        made = make_event(policy="light-and-dark", players=players, checked_in=True, decklists=False, names=NAMES)
        for number in range(players // size if size > 1 else 0):
            team = Team.objects.create(event=made.event, name=f"Team {number}", name_key=f"team {number}")
            for player in made.players[number * size : number * size + size]:
                Player.objects.filter(pk=player.pk).update(team=team)
        setup.start_event(event_id=made.event.pk, actor=made.by_organiser)
        return made

    return made


def decide(made: Made, match: Match, winner: str, **options: Any) -> None:
    placed_results.decide_sides(
        event_id=made.event.pk, actor=made.by_organiser, match_id=match.pk, winner=winner, **options
    )


def play(made: Made, winner: str = "Light") -> Round:
    round_ = made.post_round()
    for match in round_.matches.filter(state="open"):
        decide(made, match, winner)
    rounds.complete_round(event_id=made.event.pk, actor=made.by_organiser, round_number=round_.sequence)
    return round_


def sides(match: Match) -> dict[str, set[int]]:
    found: dict[str, set[int]] = {}
    for side, player in match.seats.values_list("side", "player_id"):
        found.setdefault(side, set()).add(player)
    return found


def test_a_whole_event_of_teams_of_two(duels: Callable[..., Made]) -> None:
    made = duels(8, 2)
    assert Stage.objects.get(event=made.event).rounds_planned == 2
    teams = [{made.players[n].pk, made.players[n + 1].pk} for n in range(0, 8, 2)]
    first = play(made)
    for match in first.matches.all():
        by_side = sides(match)
        assert set(by_side) == {"Light", "Dark"}
        assert all(members in teams for members in by_side.values())
        order = list(match.seats.order_by("index").values_list("side", flat=True))
        assert all(here != after for here, after in zip(order, order[1:], strict=False)), "turns go from side to side"
    points = {row.player: int(row.values["match_points"]) for row in current_standings(made.event)}
    lights = set(Seat.objects.filter(round=first, side="Light").values_list("player_id", flat=True))
    assert points == {player.pk: 3 if player.pk in lights else 0 for player in made.players}
    second = play(made, "Dark")
    assert {frozenset(members) for match in second.matches.all() for members in sides(match).values()} == {
        frozenset(team) for team in teams
    }
    winners = next(match for match in second.matches.all() if lights & set.union(*sides(match).values()))
    assert set.union(*sides(winners).values()) == lights, "those who won meet"
    made.finish()
    found = verify_event(made.event)
    assert (found.faults, found.checked["pairings"]) == ([], 4)


def test_players_without_a_team_play_alone_and_change_sides(duels: Callable[..., Made]) -> None:
    made = duels(3)
    first = play(made)
    (bye,) = [match for match in first.matches.all() if match.seats.count() == 1]
    assert bye.seats.get().outcome == "bye"
    play(made)
    made.finish()
    assert verify_event(made.event).faults == []


def test_all_players_of_a_team_without_opponents_have_the_bye(duels: Callable[..., Made]) -> None:
    made = duels(6, 2)
    round_ = made.post_round()
    byes = Seat.objects.filter(round=round_, outcome="bye")
    assert (byes.count(), byes.values("player__team").distinct().count()) == (2, 1)


def test_teams_of_different_sizes_do_not_meet(duels: Callable[..., Made]) -> None:
    made = duels(4, 2)
    registration.drop_player(event_id=made.event.pk, actor=made.by_organiser, player_id=made.players[0].pk)
    with refused(Conflict, "teams.sizes", 409):
        made.draft_round()


def test_a_tie_is_a_draw_for_all_and_a_correction_has_a_reason(duels: Callable[..., Made]) -> None:
    made = duels(4, 2)
    match = made.post_round().matches.get()
    with refused(DomainError, "sides.unknown", 400):
        decide(made, match, "Grey")
    with refused(Conflict, "match.no_duel", 409):
        results.decide_result(event_id=made.event.pk, actor=made.by_organiser, match_id=match.pk, wins_a=1, wins_b=0)
    with one_change(made.event, "result.confirmed"):
        decide(made, match, "")
    assert set(match.seats.values_list("outcome", flat=True)) == {"draw"}
    with refused(DomainError, "result.reason", 400):
        decide(made, match, "Dark")
    decide(made, match, "Dark", reason="The decks were counted again.")
    assert set(match.seats.values_list("side", "outcome")) == {("Light", "loss"), ("Dark", "win")}
    assert Result.objects.get(match=match, superseded_at=None).scores == last_entry(made.event).payload["scores"]


def test_pages_show_the_sides_and_staff_enter_the_winner(duels: Callable[..., Made], as_user: Callable) -> None:
    made = duels(4, 2)
    match = made.post_round().matches.get()
    page = f"/e/{made.event.code}/"
    me, staff = as_user(made.players[0]), as_user(made.judge)
    mine = me.get(f"{page}me/").content.decode()
    assert "Light" in mine
    assert "Dark" in mine
    form = staff.get(f"{page}floor/{match.pk}/").content.decode()
    assert "Light won" in form
    answer = staff.post(
        f"{page}floor/{match.pk}/placed", {"winner": "Light", "match_version": 0, "idempotency_key": "light-has-won"}
    )
    assert answer.status_code == 302
    assert "Light won" in me.get(f"{page}pairings/").content.decode()
    for address in ("", "pairings/?by=name", "standings/", "wall/", "info/", "log/", "me/"):
        assert me.get(page + address).status_code == 200
    for address in ("desk/", "desk/round/1/", "floor/"):
        assert as_user(made.organiser).get(page + address).status_code == 200


def test_a_program_enters_the_side_that_won(duels: Callable[..., Made], as_user: Callable) -> None:
    made = duels(2)
    match = made.post_round().matches.get()
    program, path = Program(as_user(made.organiser)), f"events/{made.event.code}/matches/{match.pk}/sides"
    answer = program.post(path, {"winner": "Dark"}, version=made.refresh().version)
    assert answer.status_code == 200, answer.content
    assert dict(match.seats.values_list("side", "outcome")) == {"Light": "loss", "Dark": "win"}
