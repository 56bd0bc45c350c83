"""What a player brings to the later games of a match: recorded by swaps, judged by the format, hidden from others."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from cards.engine.streams import Stream
from config.demo.deckbuilding import deck_text, designed_deck
from config.errors import Conflict, DomainError, NotAllowed, NotFound, Unprocessable
from decks.engine.sideboarding import Move
from events.models import DecklistSubmission, Event, GameConfiguration, Match, Player
from events.services import games, results, rounds, sideboarding, submission
from events.services.transaction import AlreadyDone, Command
from tests.events.api.conftest import nobody, program
from tests.events.api.test_secrecy import everything
from tests.events.factories import SECRET, Made, actor_of, make_user, user_of
from tests.events.pages.test_hidden import PAGES
from tests.events.pages.test_public import words
from tests.events.services.watching import last_entry, nothing_new, one_change, refused

__all__ = ["nobody", "program"]
Make = Callable[..., Made]
AsUser = Callable[..., Client]
pytestmark = pytest.mark.django_db


class Table:
    """A match of round 1, with a player who registered a sideboard of 15."""

    def __init__(self, make_event: Make, **options: object) -> None:
        self.made = make_event(players=2, started=True, **options)
        text = deck_text(designed_deck(Stream(SECRET, "deck"), self.made.event.game, sideboard=True))
        for player in self.made.players:
            assert self.made.submit(player, text) == "legal"
        self.player, self.opponent = self.made.players
        self.next_match()
        self.entries = self.submission.decklist.entries
        self.main = next(e for e in self.entries if e["zone"] == "main")
        self.side = next(e for e in self.entries if e["zone"] == "side")

    def next_match(self) -> None:
        self.round = self.made.post_round()
        self.match = self.made.match_of(self.player, self.round)

    @property
    def submission(self) -> DecklistSubmission:
        return DecklistSubmission.objects.select_related("decklist").get(player=self.player, replaced_at=None)

    @property
    def swap(self) -> list[Move]:
        return [Move(self.main["card"], "main", "side", 1), Move(self.side["card"], "side", "main", 1)]

    @property
    def body(self) -> dict[str, str]:
        """The swap as the form of the page sends it."""
        return {f"main.side.{self.main['card']}": "1", f"side.main.{self.side['card']}": "1"}

    @property
    def page(self) -> str:
        return f"/e/{self.made.event.code}/me/match/{self.match.pk}/game/2/"

    def record(self, moves: list[Move], *, game: int = 2, player: Player | None = None, **options: Any) -> None:
        player = player or self.player
        sideboarding.record_configuration(
            event_id=self.made.event.pk,
            actor=options.pop("actor", None) or actor_of(user_of(self.player)),
            match_id=options.pop("match_id", self.match.pk),
            player_id=player.pk,
            game=game,
            moves=moves,
            **options,
        )


@pytest.fixture
def table(make_event: Make) -> Table:
    return Table(make_event)


def stored() -> list[tuple[int, int, int, list[dict[str, Any]]]]:
    rows = GameConfiguration.objects.order_by("pk")
    return [(row.match_id, row.player_id, row.game, row.moves) for row in rows]


def test_a_swap_is_kept_and_a_later_one_of_the_same_game_replaces_it(table: Table) -> None:
    before = table.submission.decklist.entries
    with one_change(table.made.event, "sideboarding.recorded"):
        table.record(table.swap, command=Command(key="swap-1"))
    moves = sorted(table.swap)
    assert stored() == [(table.match.pk, table.player.pk, 2, [move.as_json() for move in moves])]
    entry = last_entry(table.made.event)
    said = {"match": table.match.pk, "table": table.match.table, "player": table.player.pk, "game": 2, "reason": ""}
    assert (entry.payload, entry.is_public) == (said, False)
    with pytest.raises(AlreadyDone):
        table.record(table.swap, command=Command(key="swap-1"))
    with nothing_new():
        table.record(table.swap)
    table.record([], game=3)
    table.record([])
    assert [row[2:] for row in stored()] == [(2, []), (3, [])]
    assert table.submission.decklist.entries == before


def test_the_next_match_begins_with_the_deck_as_registered(table: Table) -> None:
    table.record(table.swap)
    results.decide_result(
        event_id=table.made.event.pk, actor=table.made.by_organiser, match_id=table.match.pk, wins_a=2, wins_b=0
    )
    with refused(Conflict, "match.decided", 409):
        table.record([])
    assert GameConfiguration.objects.exclude(match=table.match).count() == 0
    assert table.submission.replaced_at is None


def violations(table: Table, moves: list[Move]) -> list[tuple[str, list[str], int | None, str]]:
    try:
        table.record(moves)
    except Unprocessable as refusal:
        return [(v["code"], v["zones"], v["excess"], v["cite"]) for v in refusal.context["violations"]]
    return []


def test_sixty_one_and_fourteen_is_told_by_the_rule_and_nothing_is_kept(table: Table) -> None:  # S1 in Epic
    one_more = [Move(table.side["card"], "side", "main", 1)]
    with refused(Unprocessable, "sideboarding.illegal", 422):
        table.record(one_more)
    assert violations(table, one_more) == [
        ("transition.size_changed", ["main"], 1, "EPIC 9.3"),
        ("transition.size_changed", ["side"], -1, "EPIC 9.3"),
    ]


def test_a_game_presented_with_fifty_nine_is_told_and_the_decklist_stays(table: Table) -> None:  # S2
    before = table.submission.pk, table.submission.decklist.entries
    found = violations(table, [Move(table.main["card"], "main", "", 1)])
    assert [code for code, *_ in found] == ["transition.cards_changed", "transition.size_changed"]
    assert (table.submission.pk, table.submission.decklist.entries) == before
    assert stored() == []


@pytest.mark.parametrize(
    ("change", "kind", "code", "status"),
    [
        ({"game": 1}, NotFound, "game.unknown", 404),
        ({"game": 6}, NotFound, "game.unknown", 404),
        ({"match_id": 10**9}, NotFound, "match.unknown", 404),
        ({"moves": [Move(1, "main", "side", 0)]}, DomainError, "sideboarding.move", 400),
        ({"moves": [Move(10**9, "main", "side", 1)]}, DomainError, "sideboarding.unknown_card", 400),
        ({"moves": [Move(1, "main", "graveyard", 1)]}, DomainError, "sideboarding.zone", 400),
        ({"by_staff": True, "reason": "  "}, DomainError, "sideboarding.reason", 400),
        ({"reason": "x" * 301}, DomainError, "sideboarding.reason", 400),
    ],
)
def test_what_cannot_be_is_refused_and_changes_nothing(
    table: Table, change: dict[str, Any], kind: type[DomainError], code: str, status: int
) -> None:
    with refused(kind, code, status):
        table.record(**{"moves": table.swap, **change})


def test_nobody_sideboards_in_the_match_of_others_or_of_a_drafted_round(make_event: Make) -> None:
    table = Table(make_event)
    stranger = make_event(players=1, name="Other").players[0]
    with refused(NotAllowed, "match.not_yours", 403):
        table.record(table.swap, player=stranger)
    Match.objects.filter(pk=table.match.pk).update(state="open")
    table.round.__class__.objects.filter(pk=table.round.pk).update(state="draft")
    with refused(NotFound, "match.unknown", 404):
        table.record(table.swap)


def test_without_a_decklist_there_is_nothing_to_sideboard_from(table: Table) -> None:
    DecklistSubmission.objects.filter(player=table.player).update(replaced_at=table.submission.submitted_at)
    with refused(Conflict, "sideboarding.no_decklist", 409):
        table.record([])


def test_engarde_lets_any_number_change_while_both_parts_stay_legal(make_event: Make) -> None:
    made = make_event(policy="standard", players=2, started=True)
    player = made.players[0]
    match = made.match_of(player, made.post_round())
    entries = player.submissions.get().decklist.entries
    cards = {zone: [entry["card"] for entry in entries if entry["zone"] == zone] for zone in ("main", "side", "realm")}

    def codes(*moves: Move) -> list[str]:
        try:
            sideboarding.record_configuration(
                event_id=made.event.pk,
                actor=actor_of(user_of(player)),
                match_id=match.pk,
                player_id=player.pk,
                game=2,
                moves=moves,
            )
        except Unprocessable as refusal:
            return [violation["code"] for violation in refusal.context["violations"]]
        return []

    out, back = Move(cards["main"][0], "main", "side", 1), Move(cards["side"][0], "side", "main", 1)
    assert codes(out, back) == []
    assert codes(back) == ["zone_count.too_many", "zone_count.not_one_of"]
    assert "transition.fixed_zone_changed" in codes(Move(cards["realm"][0], "realm", "side", 1))


def test_staff_record_it_for_a_player_with_a_reason(table: Table, as_user: AsUser) -> None:
    made = table.made
    address = f"/e/{made.event.code}/floor/{table.match.pk}/player/{table.player.pk}/game/2/"
    judge = as_user(made.judge)
    assert as_user(table.opponent).get(address).status_code == 404
    assert f"Record game 2 of {table.player.name}" in words(judge.get(f"/e/{made.event.code}/floor/{table.match.pk}/"))
    form = {**table.body, "record": "1", "idempotency_key": "for-a-player"}
    answer = judge.post(address, form)
    assert (answer.status_code, stored()) == (400, [])
    assert "Say why" in words(answer)
    assert (
        judge.post(address, {**form, "reason": "Their phone is empty.", "idempotency_key": "again-123"}).status_code
        == 302
    )
    assert last_entry(made.event).payload["reason"] == "Their phone is empty."
    floor = words(judge.get(f"/e/{made.event.code}/floor/{table.match.pk}/"))
    assert f"{table.player.name}, game 2" in floor
    assert f"1 × {table.side['name']}: Sideboard to main deck" in floor


def test_a_player_sideboards_on_their_page(table: Table, as_user: AsUser) -> None:
    client = as_user(table.player)
    assert "Sideboard for game 2" in words(client.get(f"/e/{table.made.event.code}/me/"))
    page = client.get(table.page).content.decode()
    assert page.count('type="number"') == len(table.entries)
    checked = client.post(table.page, table.body)
    assert "This may be played." in words(checked)
    assert stored() == []
    recorded = client.post(table.page, {**table.body, "record": "1", "idempotency_key": "record-1"})
    assert (recorded.status_code, recorded["Location"]) == (302, table.page)
    page = client.get(table.page)
    assert (
        f'name="main.side.{table.main["card"]}" min="0" max="{table.main["count"]}" value="1"' in page.content.decode()
    )
    assert f"1 × {table.main['name']}: Main deck to sideboard" in words(page)
    restored = client.post(table.page, {**table.body, "restore": "1", "idempotency_key": "restore-1"})
    assert restored.status_code == 302
    assert [moves for *_, moves in stored()] == [[]]
    assert "As registered." in words(client.get(table.page))


def numbers(page: Any) -> dict[str, str]:
    """What stands in the fields of a page, but for zeros."""
    fields = re.findall(r'name="((?:main|side)[.][^"]+)" min="0" max="[0-9]+" value="([0-9]+)"', page.content.decode())
    return {name: value for name, value in fields if value != "0"}


def test_the_third_game_goes_on_from_the_second_and_the_next_match_from_the_decklist(
    table: Table, as_user: AsUser
) -> None:
    client, third = as_user(table.player), table.page.replace("/game/2/", "/game/3/")
    assert numbers(client.get(third)) == {}
    table.record(table.swap)
    page = client.get(third)
    assert numbers(page) == table.body
    assert "The numbers are those of game 2: go on from there." in words(page)
    recorded = client.post(third, {**table.body, "record": "1", "idempotency_key": "record-3"})
    assert recorded.status_code == 302
    table.record([])
    page = client.get(third)
    assert numbers(page) == table.body
    assert "go on from there" not in words(page)
    assert numbers(client.get(third.replace("/game/3/", "/game/4/"))) == table.body
    results.decide_result(
        event_id=table.made.event.pk, actor=table.made.by_organiser, match_id=table.match.pk, wins_a=2, wins_b=1
    )
    rounds.complete_round(event_id=table.made.event.pk, actor=table.made.by_organiser, round_number=1)
    table.made.next_stage()
    table.next_match()
    assert numbers(client.get(table.page)) == {}


def test_a_game_begins_as_registered_where_the_decklist_was_replaced_since(table: Table, as_user: AsUser) -> None:
    table.record(table.swap)
    submission.submit_decklist(
        event_id=table.made.event.pk,
        actor=table.made.by_organiser,
        player_id=table.player.pk,
        text=table.submission.decklist.text,
        by_staff=True,
        reason="Written anew.",
    )
    page = as_user(table.player).get(table.page.replace("/game/2/", "/game/3/"))
    assert (page.status_code, numbers(page)) == (200, {})


def test_a_swap_that_is_no_swap_is_shown_with_its_rule_and_what_was_typed(table: Table, as_user: AsUser) -> None:
    client = as_user(table.player)
    field = f"side.main.{table.side['card']}"
    page = client.post(table.page, {field: "1", "record": "1", "idempotency_key": "record-1"})
    assert page.status_code == 422
    assert "The main deck has 61 cards where it had 60." in words(page)
    assert "Main deck 61 of 60 registered" in words(page)
    assert f'name="{field}" min="0" max="{table.side["count"]}" value="1"' in page.content.decode()
    part = client.post(table.page, {field: "1"}, headers={"HX-Request": "true"})
    assert "<html" not in part.content.decode()
    assert "The main deck has 61 cards" in words(part)
    for value in ("-1", "1.5", "a", "9" * 30, "\u0663"):
        wrong = client.post(table.page, {field: value, "record": "1", "idempotency_key": "record-1"})
        assert wrong.status_code == 400
        assert "write a number from 0 to" in words(wrong)
    assert stored() == []


def test_there_is_no_page_where_nothing_can_be_exchanged(make_event: Make, as_user: AsUser) -> None:
    made = make_event(players=2, started=True)
    player = made.players[0]
    match = made.match_of(player, made.post_round())
    client = as_user(player)
    assert "Sideboard for game" not in words(client.get(f"/e/{made.event.code}/me/"))
    assert client.get(f"/e/{made.event.code}/me/match/{match.pk}/game/2/").status_code == 404


def test_which_cards_changed_places_is_hidden_from_everybody_else(
    table: Table, as_user: AsUser, program: Callable[..., Any], nobody: Any
) -> None:
    made, code = table.made, table.made.event.code
    table.record(table.swap)
    moved = '"from":"main"'
    for someone in (nobody, program(table.opponent), program(make_user("Some Spectator"))):
        read = everything(someone, made.event)
        assert "sideboarding.recorded" not in read
        assert moved not in read
    path = f"events/{code}/matches/{table.match.pk}/configurations"
    assert program(table.opponent).get(path).json() == []
    assert (nobody.get(path).status_code, program(make_user("Some Spectator")).get(path).status_code) == (401, 404)
    for client in (Client(), as_user(table.opponent), as_user(make_user("Some Spectator"))):
        for page in PAGES:
            read = client.get(f"/e/{code}/{page}").content.decode()
            assert "sideboarded" not in read
            assert "Sideboarding in this match" not in read
        assert client.get(f"/e/{code}/floor/{table.match.pk}/").status_code in (302, 404)
        assert "1 × " not in client.get(table.page).content.decode().partition("Sideboarding in this match")[2]
    assert moved in everything(program(table.player), made.event)
    desk = everything(program(made.judge), made.event)
    assert moved in desk
    assert "sideboarding.recorded" in desk
    Event.objects.filter(pk=made.event.pk).update(decklist_publication="open")
    assert moved not in everything(nobody, made.event)


def test_a_judge_who_plays_reads_no_configuration_of_others(table: Table, program: Callable[..., Any]) -> None:
    table.record(table.swap)
    Player.objects.create(event=table.made.event, user=table.made.organiser, name="Odile", name_key="odile")
    path = f"events/{table.made.event.code}/matches/{table.match.pk}/configurations"
    someone = program(table.made.organiser)
    assert someone.get(path).status_code == 404
    body = {"game": 2, "moves": [], "player": table.player.pk, "reason": "Late."}
    assert someone.post(path, body, version=table.made.refresh().version).status_code == 403


def test_a_program_records_and_reads_it(table: Table, program: Callable[..., Any]) -> None:
    path, made = f"events/{table.made.event.code}/matches/{table.match.pk}/configurations", table.made
    own, moves = program(table.player), [move.as_json() for move in sorted(table.swap)]
    answer = own.post(path, {"game": 2, "moves": moves}, key="configure-1")
    assert (answer.status_code, answer.json()) == (
        200,
        {"version": made.refresh().version, "match": table.match.pk, "player": table.player.pk, "game": 2},
    )
    assert own.post(path, {"game": 2, "moves": moves}, key="configure-1").json() == answer.json()
    [row] = own.get(path).json()
    assert row.pop("recorded_at")
    fingerprint = table.submission.decklist.fingerprint
    assert row == {"player": table.player.pk, "game": 2, "fingerprint": fingerprint, "moves": moves}
    refusal = own.post(path, {"game": 2, "moves": moves[:1]})
    assert (refusal.status_code, refusal.json()["code"]) == (422, "sideboarding.illegal")
    told = refusal.json()["context"]["violations"]
    assert {violation["code"] for violation in told} == {"transition.size_changed"}
    for wrong in (
        [{}],
        [{**moves[0], "why": 1}],
        [{**moves[0], "count": 0}],
        [{**moves[0], "count": "1"}],
        "main",
        None,
    ):
        assert own.post(path, {"game": 2, "moves": wrong}).status_code == 400
    desk = program(made.judge)
    body = {"game": 3, "moves": [], "player": table.opponent.pk, "reason": "On paper."}
    assert desk.post(path, body).status_code == 428
    assert desk.post(path, {**body, "player": 0}, version=made.refresh().version).status_code == 400
    assert desk.post(path, body, version=made.refresh().version).status_code == 200
    assert program(table.opponent).post(path, {**body, "player": table.player.pk}).status_code == 403


@pytest.mark.parametrize("rows", [1, 3])
def test_the_pages_ask_as_often_however_much_was_recorded(
    table: Table, rows: int, as_user: AsUser, django_assert_num_queries: Callable[..., Any]
) -> None:
    for game in range(2, 2 + rows):
        table.record(table.swap, game=game)
    client, judge = as_user(table.player), as_user(table.made.judge)
    with django_assert_num_queries(2 + 3 + 3 + 4):
        assert words(client.get(table.page)).count("recorded") == rows
    with django_assert_num_queries(2 + 3 + 13):
        floor = judge.get(f"/e/{table.made.event.code}/floor/{table.match.pk}/")
    assert words(floor).count("recorded") == rows


def test_a_game_that_was_written_down_is_not_sideboarded_for_any_more_and_the_page_names_the_next(
    table: Table, as_user: AsUser
) -> None:
    me = f"/e/{table.made.event.code}/me/"
    before = words(as_user(table.player).get(me))
    for number in (1, 2):
        games.record_game(
            event_id=table.made.event.pk,
            actor=table.made.by_organiser,
            match_id=table.match.pk,
            number=number,
            ending="won",
            winner_id=(table.player.pk, table.opponent.pk)[number - 1],
        )

    with refused(Conflict, "sideboarding.game_over", 409):
        table.record(table.swap)
    table.record(table.swap, game=3)
    table.record(table.swap, by_staff=True, actor=table.made.by_organiser, reason="The slip was wrong.")

    assert "Sideboard for game 2" in before
    assert "Sideboard for game 3" in words(as_user(table.player).get(me))
