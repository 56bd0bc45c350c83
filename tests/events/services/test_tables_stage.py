"""Multiplayer tables, from the first seats to the standings: Epic Melee as its template has it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from config.errors import Conflict, DomainError
from events.engine.melee import Loot, Sheet
from events.models import Match, Player, Result, Round, Seat, Stage
from events.queries.scoring import current_standings
from events.queries.verification import verify_event
from events.services import placed_results, results, rounds
from tests.events.api.conftest import Program
from tests.events.factories import NAMES, Made, load_packs, make_event
from tests.events.services.watching import last_entry, one_change, refused

pytestmark = pytest.mark.django_db


@pytest.fixture
def melee(packs: None) -> Callable[..., Made]:
    def made(players: int = 11) -> Made:
        load_packs("epic-melee")
        return make_event(policy="melee", players=players, started=True, decklists=False, names=NAMES)

    return made


def seated(match: Match) -> list[int]:
    return list(match.seats.order_by("index").values_list("player_id", flat=True))


def decide(made: Made, match: Match, places: dict[int, int], **options: Any) -> None:
    placed_results.decide_table(
        event_id=made.event.pk, actor=made.by_organiser, match_id=match.pk, places=places, **options
    )


def in_order(match: Match) -> dict[int, int]:
    return {player: place for place, player in enumerate(seated(match), 1)}


def play(made: Made) -> Round:
    """A round in which players end in the order of their seats."""
    round_ = made.post_round()
    for match in round_.matches.filter(state="open"):
        decide(made, match, in_order(match))
    rounds.complete_round(event_id=made.event.pk, actor=made.by_organiser, round_number=round_.sequence)
    return round_


def test_a_whole_event_of_tables(melee: Callable[..., Made]) -> None:
    made = melee(11)
    stage = Stage.objects.get(event=made.event)
    assert (stage.kind, stage.state, stage.rounds_planned) == ("tables", "active", 2)  # 5 * 5 >= 11
    first = play(made)
    assert sorted(match.seats.count() for match in first.matches.all()) == [5, 6]
    assert sorted(Seat.objects.filter(round=first).values_list("player_id", flat=True)) == [p.pk for p in made.players]
    winners = {seated(match)[0] for match in first.matches.all()}
    rows = current_standings(made.event)
    assert {row.player: int(row.values["match_points"]) for row in rows} == {
        player.pk: 3 if player.pk in winners else 0 for player in made.players
    }
    second = play(made)
    met = Match.objects.filter(round=second, seats__player_id=winners.pop()).get()
    assert winners <= set(seated(met)), "those with 3 points meet"
    with refused(Conflict, "stage.rounds_played", 409):
        made.draft_round()
    made.finish()
    found = verify_event(made.event)
    assert (found.faults, found.checked["pairings"], found.checked["standings"]) == ([], 4, 22)


@pytest.mark.parametrize(("players", "sizes"), [(3, [3]), (6, [6]), (7, [4, 3]), (13, [5, 4, 4])])
def test_tables_are_of_the_sizes_that_the_rules_allow(
    melee: Callable[..., Made], players: int, sizes: list[int]
) -> None:
    round_ = melee(players).draft_round()
    assert sorted((match.seats.count() for match in round_.matches.all()), reverse=True) == sizes


def test_two_players_make_no_table(melee: Callable[..., Made]) -> None:
    made = melee(2)
    with refused(DomainError, "tables.too_few_players", 400):
        made.draft_round()


def test_places_make_outcomes_and_the_log_says_them(melee: Callable[..., Made]) -> None:
    made = melee(4)
    match = made.post_round().matches.get()
    a, b, c, d = seated(match)
    with one_change(made.event, "result.confirmed"):
        decide(made, match, {a: 3, b: 1, c: 1, d: 4})
    rows = Seat.objects.filter(match=match).order_by("index")
    assert [(row.place, row.outcome) for row in rows] == [(3, "loss"), (1, "draw"), (1, "draw"), (4, "loss")]
    result = Result.objects.get(match=match)
    assert result.scores == last_entry(made.event).payload["scores"]
    assert [(score["player"], score["place"]) for score in result.scores] == [(b, 1), (c, 1), (a, 3), (d, 4)]
    assert {row.player: int(row.values["match_points"]) for row in current_standings(made.event)} == {
        a: 0, b: 1, c: 1, d: 0
    }  # fmt: skip


def test_a_table_is_corrected_with_a_reason(melee: Callable[..., Made]) -> None:
    made = melee(3)
    match = made.post_round().matches.get()
    a, b, c = seated(match)
    decide(made, match, {a: 1, b: 2, c: 3})
    with refused(DomainError, "result.reason", 400):
        decide(made, match, {b: 1, a: 2, c: 3})
    decide(made, match, {b: 1, a: 2, c: 3}, reason="The sheet was added up wrong.")
    assert Result.objects.filter(match=match).count() == 2
    assert current_standings(made.event)[0].player == b


def test_places_that_cannot_be(melee: Callable[..., Made]) -> None:
    made = melee(4)
    match = made.post_round().matches.get()
    a, b, c, d = seated(match)
    with refused(DomainError, "placings.impossible", 400):
        decide(made, match, {a: 1, b: 2, c: 2, d: 3})
    with refused(DomainError, "placings.players", 400):
        decide(made, match, {a: 1, b: 2, c: 3})
    with refused(Conflict, "event.stale", 409):
        decide(made, match, in_order(match), match_version=7)


def test_nobody_enters_games_of_a_table_or_places_of_a_duel(melee: Callable[..., Made]) -> None:
    made = melee(4)
    match = made.post_round().matches.get()
    with refused(Conflict, "match.no_duel", 409):
        results.decide_result(event_id=made.event.pk, actor=made.by_organiser, match_id=match.pk, wins_a=1, wins_b=0)
    with refused(DomainError, "match.not_of_sides", 400):
        placed_results.decide_sides(event_id=made.event.pk, actor=made.by_organiser, match_id=match.pk, winner="Light")
    duels = make_event(players=2, started=True, name="Duels")
    duel = duels.post_round().matches.get()
    with refused(DomainError, "match.not_a_table", 400):
        decide(duels, duel, in_order(duel))
    with refused(DomainError, "melee.other_game", 400):
        placed_results.decide_melee(event_id=duels.event.pk, actor=duels.by_organiser, match_id=duel.pk, sheets=[])


def test_sheets_of_melee_make_the_places(melee: Callable[..., Made]) -> None:
    made = melee(3)
    match = made.post_round().matches.get()
    a, b, c = seated(match)
    sheets = [
        Sheet(a, gold=Loot(1, 3), silver=Loot(2, 4)),
        Sheet(b, gold=Loot(2, 5), silver=Loot(1, 1), symbols={"crown": 2}),
        Sheet(c, goblin=Loot(1, 2)),
    ]
    placed_results.decide_melee(event_id=made.event.pk, actor=made.by_organiser, match_id=match.pk, sheets=sheets)
    rows = {seat.player_id: seat for seat in match.seats.all()}
    assert {player: (row.place, row.sheet["total"]) for player, row in rows.items()} == {
        b: (1, 7),
        a: (2, 7),
        c: (3, 2),
    }
    assert rows[b].sheet == {
        "gold": [2, 5], "silver": [1, 1], "goblin": [0, 0], "symbols": {"crown": 2}, "total": 7
    }  # fmt: skip
    with refused(DomainError, "melee.supply", 400):
        placed_results.decide_melee(
            event_id=made.event.pk,
            actor=made.by_organiser,
            match_id=match.pk,
            sheets=[Sheet(player, goblin=Loot(3, 3)) for player in (a, b, c)],
            reason="Counted again.",
        )


def test_who_drops_is_not_seated_again_and_a_seat_that_was_changed_is_found(melee: Callable[..., Made]) -> None:
    made = melee(9)
    play(made)
    Player.objects.filter(pk=made.players[0].pk).update(state="dropped", dropped_after_round=1)
    second = play(made)
    assert not Seat.objects.filter(round=second, player=made.players[0]).exists()
    one, other = (match.seats.get(index=1) for match in second.matches.order_by("table"))
    Seat.objects.filter(pk=one.pk).delete()
    Seat.objects.filter(pk=other.pk).update(player_id=one.player_id)
    faults = verify_event(made.refresh()).faults
    assert "Round 2 is not made as its seed and the results before it give." in faults


# -- pages and API ----------------------------------------------------------------------------------------------------


def test_pages_show_who_sits_together_and_how_it_ended(melee: Callable[..., Made], as_user: Callable) -> None:
    made = melee(7)
    round_ = made.post_round()
    match = round_.matches.order_by("table")[0]
    order = [Player.objects.get(pk=player) for player in seated(match)]
    page = f"/e/{made.event.code}/"
    me = as_user(order[1])
    mine = me.get(f"{page}me/").content.decode()
    assert "Why this pairing?" in mine
    assert "bye" not in mine
    assert [mine.index(player.name) for player in (order[0], *order[2:])] == sorted(
        mine.index(player.name) for player in (order[0], *order[2:])
    )
    staff = as_user(made.judge)
    form = staff.get(f"{page}floor/{match.pk}/").content.decode()
    assert f'name="place-{order[0].pk}"' in form
    assert f'name="gold_tokens-{order[0].pk}"' in form
    places = {f"place-{player.pk}": place for place, player in enumerate(order, 1)}
    wrong = {**places, f"place-{order[1].pk}": 1, f"place-{order[2].pk}": 2}
    answer = staff.post(
        f"{page}floor/{match.pk}/placed",
        {"what": "places", "match_version": 0, "idempotency_key": "wrong-places", **wrong},
    )
    assert answer.status_code in (400, 422)
    assert "Place 2 cannot be" in answer.content.decode()
    answer = staff.post(
        f"{page}floor/{match.pk}/placed",
        {"what": "places", "match_version": 0, "idempotency_key": "right-places", **places},
    )
    assert answer.status_code == 302
    assert f"{order[0].name} won" in me.get(f"{page}pairings/").content.decode()
    assert "place 2 of 4" in me.get(f"{page}me/").content.decode()
    for address in ("", "pairings/?by=name", "standings/", "wall/", "info/", "log/", "me/"):
        assert me.get(page + address).status_code == 200
    for address in ("desk/", "desk/round/1/", "floor/", f"floor/{match.pk}/"):
        assert order[0].name in as_user(made.organiser).get(page + address).content.decode() or address == "desk/"


def test_sheets_are_entered_at_the_floor(melee: Callable[..., Made], as_user: Callable) -> None:
    made = melee(3)
    match = made.post_round().matches.get()
    a, b, c = seated(match)
    typed: dict[str, Any] = {"what": "sheets", "match_version": 0, "idempotency_key": "the-sheets"}
    for player, gold in ((a, 1), (b, 3), (c, 2)):
        typed |= {f"{kind}_{what}-{player}": 0 for kind in ("gold", "silver", "goblin") for what in ("tokens", "value")}
        typed |= {f"gold_tokens-{player}": 1, f"gold_value-{player}": gold, f"pairs-{player}": 0}
    client = as_user(made.judge)
    address = f"/e/{made.event.code}/floor/{match.pk}/"
    refusal = client.post(f"{address}placed", {**typed, f"gold_value-{a}": 9, "idempotency_key": "wrong-sheets"})
    assert "are worth 1 to 3 points together" in refusal.content.decode()
    assert client.post(f"{address}placed", typed).status_code == 302
    assert dict(match.seats.values_list("player_id", "place")) == {b: 1, c: 2, a: 3}
    assert "3 points of Loot" in client.get(address).content.decode()


@pytest.mark.parametrize("players", [3, 12])
def test_pages_ask_the_database_as_often_for_one_table_as_for_more(
    melee: Callable[..., Made], as_user: Callable, players: int
) -> None:
    made = melee(players)
    match = made.post_round().matches.order_by("table")[0]
    client, page = as_user(made.organiser), f"/e/{made.event.code}/"
    counts = {"pairings/": 12, "desk/round/1/": 21, f"floor/{match.pk}/": 18, "floor/": 17}
    for address in counts:
        client.get(page + address)
    asked = {}
    for address in counts:
        with CaptureQueriesContext(connection) as captured:
            client.get(page + address)
        asked[address] = len(captured)
    assert asked == counts


def test_a_whole_event_through_the_api(melee: Callable[..., Made], as_user: Callable) -> None:
    made = melee(6)
    program = Program(as_user(made.organiser))
    path = f"events/{made.event.code}"

    def send(address: str, body: dict[str, Any] | None = None) -> dict[str, Any]:
        answer = program.post(f"{path}/{address}", body, version=made.refresh().version)
        assert answer.status_code in (200, 201), answer.content
        return answer.json()

    for number in (1, 2):
        send("rounds")
        send(f"rounds/{number}/post")
        (match,) = program.get(f"{path}/rounds/{number}/matches").json()
        players = [seat["player"] for seat in match["seats"]]
        if number == 1:
            places = [{"player": player, "place": place} for place, player in enumerate(players, 1)]
            send(f"matches/{match['id']}/places", {"places": places})
        else:
            sheets = [{"player": player, "silver": {"tokens": 1, "value": 1}} for player in players]
            sheets[0]["goblin"] = {"tokens": 1, "value": 2}
            send(f"matches/{match['id']}/sheets", {"sheets": sheets})
        (match,) = program.get(f"{path}/rounds/{number}/matches").json()
        assert [seat["place"] for seat in match["seats"]] == ([1, 2, 3, 4, 5, 6] if number == 1 else [1, 2, 2, 2, 2, 2])
        send(f"rounds/{number}/complete")
    send("finish")
    assert verify_event(made.refresh()).faults == []


def test_who_must_meet_again_is_told_so(melee: Callable[..., Made], as_user: Callable) -> None:
    made = melee(4)
    Stage.objects.filter(event=made.event).update(rounds_planned=2)
    play(made)
    play(made)
    page = as_user(made.players[0]).get(f"/e/{made.event.code}/pairings/").content.decode()
    assert page.count("have met before: no seating of this round has fewer such.") == 6
    assert verify_event(made.refresh()).faults == []
