"""A match game by game, extra turns, conceding and agreed draws, for programs of players and of staff."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from accounts.models import User
from events.models import Event, Match, Player, Result
from events.services import rounds
from tests.events.api.conftest import Program
from tests.events.factories import Made

Programs = Callable[[User | Player], Program]
Events = Callable[..., Made]
pytestmark = pytest.mark.django_db


@pytest.fixture
def played(make_event: Events) -> Made:
    return make_event(policy="standard", players=4, started=True)


def table(made: Made) -> tuple[Match, Player, Player, str]:
    match = made.post_round().matches.get(table=1)
    a, b = (seat.player for seat in match.seats.select_related("player__user").order_by("index"))
    return match, a, b, f"events/{made.event.code}/matches/{match.pk}"


def test_games_are_written_down_and_read_by_players_and_staff(played: Made, program: Programs) -> None:
    match, a, b, path = table(played)
    mine, judge = program(a), program(played.judge)

    said = mine.post(f"{path}/games", {"number": 1, "ending": "won", "winner": a.pk})
    unversioned = judge.post(f"{path}/games", {"number": 2, "ending": "won", "winner": b.pk})
    version = played.refresh().version
    judge.post(f"{path}/games", {"number": 2, "ending": "won", "winner": b.pk}, version=version)
    answers = [person.get(f"{path}/games") for person in (mine, program(b), judge)]

    assert said.json() == {
        "version": version,
        "match": match.pk,
        "games": [{"game": 1, "ending": "won", "winner": a.pk}],
    }
    assert unversioned.status_code == 428
    assert [answer.json() for answer in answers] == [
        {
            "games": [
                {"number": 1, "ending": "won", "winner": a.pk, "first": None},
                {"number": 2, "ending": "won", "winner": b.pk, "first": None},
            ],
            "score": {"wins": 1, "losses": 1, "draws": 0},
            "next": {"number": 3, "first": None, "chooser": None, "reason": None, "cite": ""},
            "extra_turns": None,
            "proposal": None,
        }
    ] * 3


def test_a_stale_game_is_refused_with_the_games_as_they_are(played: Made, program: Programs) -> None:
    match, a, b, path = table(played)
    program(a).post(f"{path}/games", {"number": 1, "ending": "won", "winner": a.pk})

    other = program(b).post(f"{path}/games", {"number": 1, "ending": "won", "winner": b.pk})
    same = program(b).post(f"{path}/games", {"number": 1, "ending": "won", "winner": a.pk})
    undone = program(b).send("DELETE", f"{path}/games/1")
    again = program(b).send("DELETE", f"{path}/games/1")

    assert (other.status_code, other.json()["code"]) == (409, "game.other_state")
    assert other.json()["context"]["games"] == [{"game": 1, "ending": "won", "winner": a.pk}]
    assert (same.status_code, undone.status_code, again.status_code) == (200, 200, 409)
    assert undone.json()["games"] == []


def test_the_loser_chooses_who_begins_by_the_policy_and_its_section(make_event: Events, program: Programs) -> None:
    made = make_event(players=2, started=True)
    match, a, b, path = table(made)
    begins = program(a).get(f"{path}/games").json()["next"]
    program(a).post(f"{path}/games", {"number": 1, "ending": "won", "winner": a.pk})

    mine = program(a).post(f"{path}/games/2/first", {"first": a.pk})
    chosen = program(b).post(f"{path}/games/2/first", {"first": a.pk})
    after = program(a).get(f"{path}/games").json()["next"]

    assert begins["first"] in (a.pk, b.pk)
    assert (begins["reason"], begins["cite"]) == ("chosen_by_lot", "EPIC 2.4")
    assert (mine.status_code, mine.json()["code"]) == (403, "game.not_your_choice")
    assert chosen.json() == {"version": made.refresh().version, "match": match.pk, "game": 2, "first": a.pk}
    assert after == {
        "number": 2,
        "first": a.pk,
        "chooser": b.pk,
        "reason": "lost_previous_game",
        "cite": "EPIC 2.4",
    }


def test_two_programs_count_a_turn_once_and_an_old_one_reads_the_count(played: Made, program: Programs) -> None:
    match, a, b, path = table(played)
    program(a).post(f"{path}/games", {"number": 1, "ending": "won", "winner": a.pk})
    rounds.call_time(event_id=played.event.pk, actor=played.by_organiser, round_number=1)

    program(a).post(f"{path}/turns", {"number": 0, "finished_by": b.pk})
    answers = [program(person).post(f"{path}/turns", {"number": 1}) for person in (a, b)]
    old = program(b).post(f"{path}/turns", {"number": 0})
    theirs = program(b).send("DELETE", f"{path}/turns/1")
    now = program(b).get(f"{path}/games").json()["extra_turns"]
    for number in range(2, 6):
        program(b).post(f"{path}/turns", {"number": number})
    over = program(a).get(f"{path}/games").json()

    assert [answer.json()["extra_turns"] for answer in answers] == [1, 1]
    assert old.json()["context"] == {"match": match.pk, "extra_turns": 1, "limit": 5}
    assert theirs.json()["code"] == "turn.not_yours"
    assert now == {"taken": 1, "most": 5, "player": b.pk}
    assert over["proposal"] == {
        "score": {"wins": 1, "losses": 0, "draws": 1},
        "why": "unfinished_drawn",
        "cite": "ENGARDE R11",
    }


def test_a_player_concedes_their_own_match_and_staff_any(played: Made, program: Programs) -> None:
    match, a, b, path = table(played)
    other = match.round.matches.get(table=2)
    stranger = other.seats.select_related("player__user").first()
    assert stranger is not None
    elsewhere = f"events/{played.event.code}/matches/{other.pk}/concession"

    not_theirs = program(stranger.player).post(f"{path}/concession")
    prizes = program(a).post(f"{path}/concession", {"for_prizes": True})
    permitted = program(a).post(f"{path}/concession", {"for_prizes": True, "permitted": True, "reason": "I say so."})
    conceded = program(a).post(f"{path}/concession", {"player": b.pk})
    staff = program(played.judge).post(elsewhere, {"player": stranger.player_id}, version=played.refresh().version)

    assert (not_theirs.status_code, prizes.json()["code"], permitted.status_code) == (403, "concession.for_prizes", 403)
    assert conceded.json()["state"] == "confirmed"
    assert staff.json()["state"] == "confirmed"
    scores = Result.objects.get(match=match).scores
    assert [(seat["player"], seat["outcome"]) for seat in scores] == [(a.pk, "loss"), (b.pk, "win")]
    assert Result.objects.get(match=other).decided_by == played.judge


def test_two_agree_to_draw_where_the_organiser_allows_it(played: Made, program: Programs) -> None:
    match, a, b, path = table(played)
    refused = program(a).post(f"{path}/agreed-draw")
    Event.objects.filter(pk=played.event.pk).update(agreed_draws=True)

    first = program(a).post(f"{path}/agreed-draw")
    second = program(b).post(f"{path}/agreed-draw")

    assert (refused.status_code, refused.json()["code"]) == (409, "agreed_draw.not_allowed")
    assert (first.json()["state"], second.json()["state"]) == ("reported", "confirmed")


def test_switched_off_self_reporting_is_403_for_every_direct_post(played: Made, program: Programs) -> None:  # T21
    match, a, b, path = table(played)
    Event.objects.filter(pk=played.event.pk).update(players_report=False)
    bodies = {
        "reports": {"wins": 2, "losses": 0},
        "games": {"number": 1, "ending": "won", "winner": a.pk},
        "concession": {},
        "agreed-draw": {},
    }

    answers = {name: program(a).post(f"{path}/{name}", body) for name, body in bodies.items()}

    assert {name: (answer.status_code, answer.json()["code"]) for name, answer in answers.items()} == dict.fromkeys(
        bodies, (403, "results.by_staff")
    )


def test_a_bracket_match_left_level_names_its_winner(make_event: Events, program: Programs) -> None:  # T29
    made = make_event(players=2, started=True)
    made.play_round()
    made.next_stage()
    match, a, b, path = table(made)
    desk, level = program(made.organiser), {"wins_a": 1, "wins_b": 1}

    def decide(**more: object) -> tuple[int, str]:
        answer = desk.post(f"{path}/result", {**level, **more}, version=made.refresh().version)
        return answer.status_code, answer.json().get("code", "")

    rounds.call_time(event_id=made.event.pk, actor=made.by_organiser, round_number=2)
    assert decide() == (400, "score.elimination_needs_winner")
    assert decide(winner=b.pk) == (400, "bracket.reason_needed")
    assert decide(decided_by="play_off") == (400, "bracket.winner_needed")
    assert decide(winner=b.pk, decided_by="luck") == (400, "request.fields")
    assert decide(winner=b.pk, decided_by="play_off") == (200, "")
    assert Result.objects.get(match=match).how == "play_off"


def test_games_of_others_are_nobodys_business(played: Made, program: Programs, nobody: Program) -> None:
    match, a, b, path = table(played)
    stranger = match.round.matches.get(table=2).seats.select_related("player__user")[0].player
    program(a).post(f"{path}/games", {"number": 1, "ending": "won", "winner": a.pk})

    assert nobody.get(f"{path}/games").status_code == 401
    assert program(stranger).get(f"{path}/games").status_code == 404
    said = program(stranger).post(f"{path}/games", {"number": 2, "ending": "drawn"})
    assert (said.status_code, said.json()["code"]) == (403, "match.not_yours")
    public = nobody.get(f"events/{played.event.code}/rounds/1/matches").content.decode()
    assert "games" not in public
    assert "game.recorded" not in nobody.get(f"events/{played.event.code}/log").content.decode()
