"""Mistakes that users of other programs reported, as a program meets and mends them over HTTP."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import pytest
from django.test import Client

from events.models import LogEntry, Match, OutboxMessage, Player, Round, Standing
from events.queries.verification import verify_event
from tests.events.api.conftest import Program
from tests.events.factories import make_event
from tests.threads import at_once

As = Callable[..., Client]
pytestmark = pytest.mark.usefixtures("packs")


class Hall:
    """Eight players by letter, whose organiser writes down rounds and results as the story goes."""

    def __init__(self, as_user: As) -> None:
        self.made = make_event(players=8, started=True, names=list("ABCDEFGH"))
        self.made.event.stages.filter(kind="swiss").update(rounds_planned=5)
        self.player = {player.name: player for player in self.made.players}
        self.name = {player.pk: player.name for player in self.made.players}
        self.program = Program(as_user(self.made.organiser))

    def post(self, path: str, **body: Any) -> Any:
        return self.program.post(f"events/{self.made.event.code}/{path}", body, version=self.made.refresh().version)

    def paired(self, *pairs: str, bye: str = "") -> Round:
        """A round of these pairs by hand, posted, its clock running."""
        ids = [[self.player[one].pk, self.player[other].pk] for one, other in pairs]
        drafted = self.post("rounds/by-hand", pairs=ids, byes=[self.player[one].pk for one in bye], reason="As told.")
        assert drafted.status_code == 201, drafted.json()
        number = drafted.json()["round"]
        assert [self.post(f"rounds/{number}/{step}").status_code for step in ("post", "start-clock")] == [200, 200]
        return Round.objects.get(event=self.made.event, sequence=number)

    def match(self, round_: Round, pair: str) -> Match:
        return round_.matches.filter(seats__player=self.player[pair[0]]).get(seats__player=self.player[pair[1]])

    def won(self, round_: Round, *pairs: str) -> None:
        """The first of each pair wins 2-0."""
        for pair in pairs:
            match = self.match(round_, pair)
            first = match.seats.get(index=0).player_id == self.player[pair[0]].pk
            wins = {"wins_a": 2, "wins_b": 0} if first else {"wins_a": 0, "wins_b": 2}
            assert self.post(f"matches/{match.pk}/result", **wins).status_code == 200

    def played(self, *pairs: str) -> Round:
        round_ = self.paired(*pairs)
        self.won(round_, *pairs)
        assert self.post(f"rounds/{round_.sequence}/complete").status_code == 200
        return round_

    def pairs(self, round_: Round) -> set[str]:
        matches = round_.matches.prefetch_related("seats__player")
        return {"".join(sorted(seat.player.name for seat in match.seats.all())) for match in matches}

    def letters(self, players: Iterable[int]) -> str:
        return "".join(sorted(self.name[player] for player in players))


@pytest.fixture
def hall(transactional_db: None, as_user: As) -> Hall:
    return Hall(as_user)


def test_a_wrong_result_found_in_the_next_round_moves_two_tables(hall: Hall) -> None:  # T14
    """B beat F, and F's win was entered. Of all pairings without a rematch one has no gap and keeps two tables."""
    first = hall.paired("AE", "BF", "CG", "DH")
    hall.won(first, "AE", "FB", "CG", "DH")
    assert hall.post("rounds/1/complete").status_code == 200
    second = hall.paired("AF", "CD", "BE", "GH")
    hall.won(second, "CD")
    kept = hall.match(second, "CD")
    path, correction = f"matches/{hall.match(first, 'BF').pk}/correct", {"wins_a": 2, "wins_b": 0, "reason": "Slip."}

    offered = hall.post(path, **correction)
    assert (offered.status_code, offered.json()["code"]) == (409, "repair.plan_needed")
    plans = {plan["role"]: plan for plan in offered.json()["context"]["plans"]}
    assert set(plans) == {"leave", "best_pairing"}
    best = plans["best_pairing"]
    assert {hall.letters((table["a"], table["b"])) for table in best["tables"]} == {"AB", "EF"}
    assert (best["cost"]["pairing"]["score_gap"], best["cost"]["stopped"], best["kept"]) == (0, 2, [2, 4])
    assert plans["leave"]["cost"]["pairing"]["score_gap"] == 18
    assert hall.letters(told["player"] for told in best["told"]) == "ABEF"

    seen = LogEntry.objects.filter(event=hall.made.event).count()
    assert hall.post(path, **correction, plan=best["key"]).status_code == 200
    assert hall.pairs(second) == {"AB", "CD", "EF", "GH"}
    stays = hall.match(second, "CD")
    assert (stays.pk, stays.state, stays.version) == (kept.pk, Match.State.CONFIRMED, kept.version)
    assert [seat.game_wins for seat in stays.seats.order_by("outcome")] == [0, 2]
    assert LogEntry.objects.filter(event=hall.made.event).count() == seen + 1
    [notice] = OutboxMessage.objects.filter(event=hall.made.event, topic="players_moved")
    assert hall.letters(int(player) for player in notice.payload["before"]) == "ABEF"
    assert verify_event(hall.made.refresh()).faults == []


def three_rounds(hall: Hall) -> None:
    """A9 B9 C6 D6 E3 F3 G0 H0, and nobody has met whom the fourth round could bring."""
    for pairs in (("AG", "BH", "CE", "DF"), ("AC", "BD", "EG", "FH"), ("AE", "BF", "CG", "DH")):
        last = hall.played(*pairs)
    points = {row.player.name: row.values["match_points"] for row in last.standings.select_related("player")}
    assert points == {"A": "9", "B": "9", "C": "6", "D": "6", "E": "3", "F": "3", "G": "0", "H": "0"}


def plans_for(hall: Hall, number: int, letter: str) -> dict[str, dict[str, Any]]:
    offered = hall.post(f"rounds/{number}/mend", player=hall.player[letter].pk, reason="Dropped by mistake.")
    assert (offered.status_code, offered.json()["code"]) == (409, "repair.plan_needed")
    return {plan["role"]: plan for plan in offered.json()["context"]["plans"]}


def made_by(hall: Hall, plan: dict[str, Any]) -> set[str]:
    return {hall.letters((table["a"], table["b"])) for table in plan["tables"]}


@pytest.mark.parametrize("role", ["fewest_stopped", "best_pairing"])
def test_who_was_dropped_by_mistake_meets_the_bye_or_the_round_is_shifted(hall: Hall, role: str) -> None:  # T15
    three_rounds(hall)
    assert hall.post(f"players/{hall.player['A'].pk}/drop").status_code == 200
    fourth = hall.paired("BC", "DE", "FG", bye="H")

    plans = plans_for(hall, 4, "A")
    cheap, shifted = plans["fewest_stopped"], plans["best_pairing"]
    assert (made_by(hall, cheap), made_by(hall, shifted)) == ({"AH"}, {"AB", "CD", "EF", "GH"})
    assert (cheap["cost"]["stopped"], shifted["cost"]["pairing"]["score_gap"]) == (0, 0)
    assert [reason["gap"] for reason in cheap["reasons"] if reason["code"] == "new_pair"] == [9]

    done = hall.post("rounds/4/mend", player=hall.player["A"].pk, plan=plans[role]["key"], reason="Wrong name.")
    assert done.status_code == 200
    assert hall.pairs(fourth) == ({"AH", "BC", "DE", "FG"} if role == "fewest_stopped" else {"AB", "CD", "EF", "GH"})
    assert Player.objects.get(pk=hall.player["A"].pk).state == Player.State.CHECKED_IN
    assert verify_event(hall.made.refresh()).faults == []


def test_a_table_that_has_reported_stays_out_of_the_shift(hall: Hall) -> None:  # T15
    three_rounds(hall)
    assert hall.post(f"players/{hall.player['A'].pk}/drop").status_code == 200
    fourth = hall.paired("BC", "DE", "FG", bye="H")
    hall.won(fourth, "BC")

    assert made_by(hall, plans_for(hall, 4, "A")["best_pairing"]) == {"AD", "EF", "GH"}


def test_the_top_seed_who_leaves_before_the_cut_is_named_and_the_others_move_up(as_user: As, db: None) -> None:  # T26
    made = make_event(players=9, started=True)
    for _ in range(made.event.stages.get(kind="swiss").rounds_planned or 0):
        made.play_round()
    ranking = list(Standing.objects.filter(round__sequence=4).order_by("rank").values_list("player_id", flat=True))
    program, api = Program(as_user(made.organiser)), f"events/{made.event.code}"

    assert program.post(f"{api}/players/{ranking[0]}/drop", version=made.refresh().version).status_code == 200
    assert program.post(f"{api}/stages/next", version=made.refresh().version).status_code == 200

    assert made.event.stages.get(kind="single_elimination").seeds == ranking[1:]
    page = Client().get(f"/e/{made.event.code}/bracket/").content.decode()
    top = Player.objects.get(pk=ranking[0])
    assert f"{top.shown_name}" in page
    assert "Place 1, but left before the cut." in page


@pytest.mark.race
@pytest.mark.django_db(transaction=True)
def test_the_next_round_counts_the_last_result_or_waits_for_it(as_user: As) -> None:  # T10
    made = make_event(players=4, started=True)
    round_ = made.post_round()
    last, other = round_.matches.order_by("table")
    organiser, api = Program(as_user(made.organiser)), f"events/{made.event.code}"
    won = {"wins_a": 2, "wins_b": 0}
    assert organiser.post(f"{api}/matches/{other.pk}/result", won, version=made.refresh().version).status_code == 200
    first, second = (seat.player for seat in last.seats.select_related("player__user").order_by("index"))
    made.report(first, round_, 2, 1)
    confirming, path = Program(as_user(second)), f"{api}/matches/{last.pk}/reports"
    version = made.refresh().version

    answers = at_once(
        lambda: confirming.post(path, {"wins": 1, "losses": 2}),
        lambda: organiser.post(f"{api}/rounds/1/complete", version=version),
    )

    assert answers[0].status_code == 200
    if answers[1].status_code != 200:
        assert answers[1].json()["code"] in ("round.results_missing", "event.stale")
        assert organiser.post(f"{api}/rounds/1/complete", version=made.refresh().version).status_code == 200
    assert organiser.post(f"{api}/rounds", version=made.refresh().version).status_code == 201
    plan = Round.objects.get(event=made.event, sequence=2).plan.content
    assert sum(points for group in plan["groups"] for points in group["entrants"]["points"]) == 2 * 3
    assert verify_event(made.refresh()).faults == []
