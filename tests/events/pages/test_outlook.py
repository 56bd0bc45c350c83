"""The way to the cut: only what is proved, counted once for each state, and seen by all alike."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from events.engine.whatif_model import Chance
from events.models import Player, Round
from events.queries import outlook as queries
from events.queries.outlook import Outlook, outlook_of
from events.queries.public_pages import situation_of
from events.services import registration, results, rounds
from tests.events.desk.conftest import said
from tests.events.factories import Made
from tests.events.services.test_brackets_stage import begin

Make = Callable[..., Made]
pytestmark = pytest.mark.django_db


def going_on(make_event: Make, players: int, *, played: int, planned: int, **cut: Any) -> Made:
    """An event with so many Swiss rounds played by seat A's wins, and more to come."""
    made = begin(make_event, players, swiss=played, **{"cut": 4, **cut})
    made.event.stages.filter(kind="swiss").update(rounds_planned=planned)
    return made


def forget(made: Made, known: Outlook) -> None:
    queries.READ.clear()
    cache.delete_many([f"outlook:{made.event.code}:{known.seq}", f"outlook:{made.event.code}:{known.seq}:counting"])


def outlook(made: Made) -> Outlook:
    found = outlook_of(situation_of(made.refresh()))
    assert found is not None
    return found


def chances(made: Made) -> dict[int, str]:
    return {player: str(told.chance) for player, told in outlook(made).cut.players.items()}


def decide(made: Made, round_: Round, table: int, wins: tuple[int, int]) -> None:
    match = round_.matches.get(table=table)
    results.decide_result(
        event_id=made.event.pk, actor=made.by_organiser, match_id=match.pk, wins_a=wins[0], wins_b=wins[1]
    )


def test_after_the_last_round_everything_is_known(make_event: Make) -> None:
    made = going_on(make_event, 8, played=3, planned=3)
    rows = list(made.event.rounds.get(sequence=3).standings.order_by("rank").values_list("player_id", flat=True))

    assert chances(made) == {player: "clinched" if rank < 4 else "eliminated" for rank, player in enumerate(rows)}
    assert outlook(made).cut.exact


def test_a_safe_draw_is_told_to_those_who_have_it(make_event: Make, as_user: Callable[..., Client]) -> None:
    made = going_on(make_event, 8, played=2, planned=3)
    made.post_round()
    found = outlook(made)
    safe = [match for match in found.cut.after_draw if found.cut.draw_is_safe(match)]
    leader = next(made.event.rounds.get(sequence=2).standings.filter(rank=1).iterator()).player_id
    assert [leader in match.players for match in safe] == [True]

    page = said(as_user(Player.objects.select_related("user").get(pk=leader)).get(f"/e/{made.event.code}/me/"))

    own = found.of(leader)
    assert own is not None
    expected = (
        "You are in the top 4, however the rest goes."
        if own.chance is Chance.CLINCHED
        else "A draw keeps you in the top 4."
    )
    assert expected in page


def test_results_that_come_in_change_what_is_said(make_event: Make) -> None:
    made = going_on(make_event, 8, played=2, planned=3)
    round_ = made.post_round()
    before = outlook(made)
    decide(made, round_, 1, (2, 0))

    after = outlook(made)

    assert after.seq > before.seq
    assert len(after.cut.after_draw) == len(before.cut.after_draw) - 1
    certain = {"clinched", "eliminated"}
    for player, told in before.cut.players.items():
        if str(told.chance) in certain:
            assert after.cut.players[player].chance is told.chance


def test_no_claim_is_broken_by_how_it_ends(make_event: Make) -> None:
    made = going_on(make_event, 8, played=1, planned=3)
    claims: dict[int, set[str]] = {}

    def note() -> None:
        for player, chance in chances(made).items():
            if chance in ("clinched", "eliminated"):
                claims.setdefault(player, set()).add(chance)

    note()
    for wins in ((0, 2), (2, 1)):
        round_ = made.post_round()
        for table in range(1, 5):
            note()
            decide(made, round_, table, wins)
        rounds.complete_round(event_id=made.event.pk, actor=made.by_organiser, round_number=round_.sequence)
    note()
    seeds = made.next_stage().seeds

    assert {player for player, said_ in claims.items() if said_ == {"clinched"}} == set(seeds)
    assert all(len(said_) == 1 for said_ in claims.values())


def test_who_left_is_told_nothing_and_takes_no_place(make_event: Make, as_user: Callable[..., Client]) -> None:
    made = going_on(make_event, 8, played=3, planned=3)
    ranked = list(made.event.rounds.get(sequence=3).standings.order_by("rank").values_list("player_id", flat=True))
    registration.drop_player(event_id=made.event.pk, actor=made.by_organiser, player_id=ranked[0])

    told = outlook(made)

    assert told.of(ranked[0]) is None
    assert {player for player in ranked if (one := told.of(player)) and one.chance is Chance.CLINCHED} == set(
        ranked[1:5]
    )


def test_a_process_unpacks_what_another_counted_once(make_event: Make) -> None:
    made = going_on(make_event, 8, played=3, planned=3)
    outlook(made)
    queries.READ.clear()
    assert outlook(made) is outlook(made)
    for number in range(queries.MOST_READ + 3):
        queries._remember(f"outlook:{number}", outlook(made))
    assert len(queries.READ) == queries.MOST_READ


@pytest.mark.parametrize(
    "cut",
    [{"cut": 8}, {"cut": 4, "cut_by": "full_bracket"}, {"cut": 4, "cut_by": "points", "cut_points": 3}],
)
def test_where_no_cut_by_rank_parts_anybody_nothing_is_said(make_event: Make, cut: dict[str, Any]) -> None:
    made = going_on(make_event, 8, played=1, planned=3, **cut)

    assert outlook_of(situation_of(made.event)) is None
    assert Client().get(f"/api/v1/events/{made.event.code}/outlook").status_code == 404
    assert "can make it" not in said(Client().get(f"/e/{made.event.code}/standings/"))


def test_a_draft_changes_nothing_and_is_not_seen(make_event: Make) -> None:
    made = going_on(make_event, 7, played=1, planned=3)
    before = outlook(made)
    made.draft_round()

    after = outlook(made)

    assert (after.seq, after.cut.as_json()) == (before.seq, before.cut.as_json())
    forget(made, before)
    assert outlook(made).cut.as_json() == before.cut.as_json()


def test_it_is_counted_once_for_each_state(make_event: Make) -> None:
    made = going_on(make_event, 8, played=2, planned=3)
    round_ = made.post_round()
    asked = []
    for _ in range(3):
        situation = situation_of(made.refresh())
        with CaptureQueriesContext(connection) as captured:
            outlook_of(situation)
        asked.append(len(captured))
    made.report(made.players[0], round_, 2, 0)
    situation = situation_of(made.refresh())
    with CaptureQueriesContext(connection) as captured:
        outlook_of(situation)

    assert [*asked, len(captured)] == [3, 1, 1, 1]


def test_while_one_counts_a_large_field_the_others_go_without(
    make_event: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(queries, "LARGE", 6)
    made = going_on(make_event, 8, played=2, planned=3)
    seq = outlook(made).seq
    queries.READ.clear()
    cache.delete(f"outlook:{made.event.code}:{seq}")

    assert outlook_of(situation_of(made.event)) is None


def test_without_the_cache_pages_go_without(make_event: Make, settings: Any) -> None:
    made = going_on(make_event, 8, played=2, planned=3)
    settings.CACHES = {
        "default": {"BACKEND": "django.core.cache.backends.redis.RedisCache", "LOCATION": "redis://127.0.0.1:1"}
    }

    page = Client().get(f"/e/{made.event.code}/standings/")

    assert (page.status_code, "Top 4" in said(page)) == (200, False)


def test_a_large_field_is_counted_once_a_round(make_event: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(queries, "LARGE", 6)
    made = going_on(make_event, 8, played=1, planned=4)
    assert outlook_of(situation_of(made.event)) is None
    made.event.stages.filter(kind="swiss").update(rounds_planned=3)
    round_ = made.post_round()
    before = outlook(made)
    decide(made, round_, 1, (2, 0))

    after = outlook(made)
    forget(made, before)
    again = outlook(made)

    assert (after.seq, len(after.cut.after_draw)) == (before.seq, 4)
    assert again.cut.as_json() == before.cut.as_json()


def test_everybody_reads_it_beside_the_newest_standings(make_event: Make) -> None:
    made = going_on(make_event, 8, played=3, planned=3)
    code = made.event.code

    newest, older = (said(Client().get(f"/e/{code}/standings/{query}")) for query in ("", "?round=1"))
    told = Client().get(f"/api/v1/events/{code}/outlook").json()

    assert ("Top 4" in newest, newest.count("out of reach"), "Top 4" in older) == (True, 4, False)
    assert (told["cut"], told["exact"], told["draws"]) == (4, True, [])
    assert sorted(player["chance"] for player in told["players"]) == ["clinched"] * 4 + ["eliminated"] * 4
    assert {player["why"] != "" for player in told["players"]} == {True}


@pytest.mark.parametrize("players", [6, 12])
def test_the_standings_ask_no_more_often_for_more_players(make_event: Make, players: int) -> None:
    made = going_on(make_event, players, played=1, planned=2)

    with CaptureQueriesContext(connection) as captured:
        assert Client().get(f"/e/{made.event.code}/standings/").status_code == 200

    assert len(captured) == 10
