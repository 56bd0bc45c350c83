"""The log as a page: what is found in it, the event as it stood after any entry, and the way back."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from events.engine.chain import entry_hash
from events.models import Event, LogEntry, Match, Player, Round
from events.queries.access import viewer_of
from events.queries.log import state_at
from events.services import privacy, registration, results, rounds, setup, undoing
from tests.events.desk.conftest import said
from tests.events.factories import Made, actor_of

pytestmark = pytest.mark.django_db
Make = Callable[..., Made]
AsUser = Callable[..., Client]


def address(made: Made, more: str = "") -> str:
    return f"/e/{made.event.code}/log/{more}"


def entries(made: Made, **filters: Any) -> list[LogEntry]:
    return list(LogEntry.objects.filter(event=made.event, **filters).order_by("seq"))


def shown(page: Any) -> list[int]:
    return [int(number) for number in re.findall(r'id="entry-(\d+)"', page.content.decode())]


def fill(event: Event, number: int) -> None:
    """That many entries of somebody checking in and out, chained as they have to be."""
    prev, seq = event.log_head, event.log.count()
    rows, now = [], datetime(2027, 3, 5, 10, tzinfo=UTC)
    for step in range(number):
        kind = ("player.checked_in", "player.check_in_undone")[step % 2]
        payload, at = {"player": 1}, now + timedelta(seconds=step)
        digest = entry_hash(prev, seq + step + 1, kind, payload, "Somebody", at)
        rows.append(
            LogEntry(
                event=event,
                seq=seq + step + 1,
                kind=kind,
                payload=payload,
                actor_name="Somebody",
                at=at,
                is_public=True,
                prev_hash=prev,
                hash=digest,
            )
        )
        prev = digest
    LogEntry.objects.bulk_create(rows)
    Event.objects.filter(pk=event.pk).update(log_head=prev)


# -- finding -----------------------------------------------------------------------------------------------------------


def test_entries_are_found_by_kind_round_person_player_and_text(make_event: Make, as_user: AsUser) -> None:
    made = make_event(started=True)
    made.play_round()
    second = made.post_round()
    ada = made.players[0]
    made.report(ada, second, 2, 1)
    client = as_user(made.organiser)
    everything = entries(made)

    def found(query: str) -> list[str]:
        kinds = {entry.seq: entry.kind for entry in everything}
        return [kinds[seq] for seq in reversed(shown(client.get(address(made, query))))]

    assert found("?kind=results&round=2") == ["result.reported"]
    assert found("?kind=rounds&round=2") == ["round.drafted", "round.posted", "clock.started"]
    assert set(found("?kind=staff")) == {"staff.added"}
    assert found("?kind=round.posted") == ["round.posted", "round.posted"]
    about_ada = found(f"?player={ada.pk}&kind=results")
    assert about_ada == ["result.confirmed", "result.reported"]
    assert found("?by=ada&kind=results") == ["result.reported"]
    assert found("?q=time+called") == []
    assert found("?q=ada+brook&kind=results") == about_ada
    assert "result.reported" in found("?q=reported")
    assert found("?q=nobody+is+called+so") == []


@pytest.mark.parametrize(
    ("query", "status"),
    [
        ("?kind=nonsense", 400),
        ("?player=x", 400),
        ("?round=-1", 400),
        ("?before=9" + "9" * 30, 400),
        ("?q=" + "x" * 61, 400),
        ("?by=" + "x" * 61, 400),
        ("?kind=no.such", 200),
        ("?round=99", 200),
        ("?player=999999", 200),
        ("?q=%27%22%5C%25_", 200),
    ],
)
def test_what_is_asked_badly_is_refused_and_what_is_not_there_is_empty(
    make_event: Make, client: Client, query: str, status: int
) -> None:
    assert client.get(address(make_event(players=2), query)).status_code == status


def test_a_hidden_name_is_found_by_nobody_but_staff(make_event: Make, as_user: AsUser) -> None:
    made = make_event()
    ada = made.players[0]
    registration.check_in(event_id=made.event.pk, actor=actor_of(ada.user), player_id=ada.pk)
    privacy.choose_public_name(
        event_id=made.event.pk, actor=made.by_organiser, player_id=ada.pk, style="own", own="Masked Fox"
    )
    checked_in = entries(made, kind="player.checked_in")[0].seq

    for query in ("?q=ada", "?by=ada", "?q=Brook", "?by=brook"):
        assert checked_in not in shown(Client().get(address(made, query)))
        assert checked_in in shown(as_user(made.judge).get(address(made, query)))
    for query in ("?q=masked", "?by=masked+fox"):
        assert checked_in in shown(Client().get(address(made, query)))


def test_a_private_entry_is_found_by_nobody_but_staff(make_event: Make, as_user: AsUser) -> None:
    made = make_event(players=2, started=True)
    made.report(made.players[0], made.post_round(), 2, 1)
    private = entries(made, is_public=False)

    for query in ("", "?kind=results", "?q=reported", "?kind=result.reported", f"?player={made.players[0].pk}"):
        page = shown(Client().get(address(made, query)))
        assert not {entry.seq for entry in private} & set(page)
    for entry in private:
        assert Client().get(address(made, f"{entry.seq}/")).status_code == 404
        assert as_user(made.judge).get(address(made, f"{entry.seq}/")).status_code == 200


def test_ten_thousand_entries_are_read_page_by_page_without_a_gap(make_event: Make, client: Client) -> None:
    made = make_event(players=2)
    fill(made.refresh(), 10_000)
    public = [entry.seq for entry in reversed(entries(made, is_public=True))]

    seen, page = [], client.get(address(made))
    for _ in range(3):
        seen += shown(page)
        older = re.search(r'href="(\?[^"]*before=\d+)" rel="next"', page.content.decode())
        page = client.get(address(made, older[1]))
    newer = re.search(r'href="(\?[^"]*after=\d+)" rel="prev"', page.content.decode())
    end = client.get(address(made, f"?before={public[-100]}"))

    assert seen == public[:300]
    assert shown(client.get(address(made, newer[1]))) == public[200:300]
    assert shown(end) == public[-99:]
    assert 'rel="next"' not in end.content.decode()


@pytest.mark.parametrize("number", [1, 3])
@pytest.mark.parametrize(
    ("query", "public", "staff"),
    [("", 7, 12), ("?q=ada&by=somebody&kind=players", 7, 11), ("?round=1", 8, 13)],
)
def test_a_page_costs_the_same_for_one_entry_as_for_three(
    make_event: Make, as_user: AsUser, number: int, query: str, public: int, staff: int
) -> None:
    made = make_event(players=2, started=True)
    made.post_round()
    fill(made.refresh(), number)
    counts = []
    for client in (Client(), as_user(made.organiser)):
        client.get(address(made, query))
        with CaptureQueriesContext(connection) as captured:
            assert client.get(address(made, query)).status_code == 200
        counts.append(len(captured))
    assert counts == [public, staff]


# -- the event as it stood ---------------------------------------------------------------------------------------------


def now(event: Event) -> dict[str, Any]:
    """The event as it is, in the words of a replay."""
    found = {}
    for round_ in Round.objects.filter(event=event).exclude(state="draft").order_by("sequence"):
        matches = round_.matches.prefetch_related("seats", "results")
        found[round_.sequence] = (
            "playing" if round_.state == "posted" and round_.time_called_at else round_.state,
            sorted(
                (
                    match.table or 0,
                    tuple(seat.player_id for seat in match.seats.order_by("index")),
                    "bye" if match.table is None else match.state,
                    [score for row in match.results.filter(superseded_at=None) for score in row.scores]
                    if match.table is not None
                    else [],
                )
                for match in matches
            ),
        )
    standings = (
        [
            [row.player_id, row.values["match_points"]]
            for row in event.rounds.filter(state="complete").order_by("-sequence")[0].standings.order_by("rank")
        ]
        if event.rounds.filter(state="complete").exists()
        else None
    )
    return {
        "event": Event.objects.get(pk=event.pk).state,
        "players": dict(Player.objects.filter(event=event).values_list("pk", "state")),
        "rounds": found,
        "standings": standings,
    }


def told(event: Event, seq: int, viewer: Any, number: int | None) -> dict[str, Any]:
    state = state_at(event, viewer, seq, round_number=number)
    found = {}
    for sequence, round_ in state.rounds.items():
        if round_.word != "draft":
            rows = [(match.table or 0, match.players, match.word, list(match.scores)) for match in round_.matches or ()]
            found[sequence] = (round_.word, sorted(rows))
    last = state.last_complete
    standings = None if last is None else [[player, str(points)] for player, points in last.standings or ()]
    assert not state.passed_over
    return {"event": state.word, "players": state.players, "rounds": found, "standings": standings}


def test_the_event_after_every_entry_is_the_event_that_there_was(make_event: Make) -> None:
    made = make_event(players=5)
    event, by = made.event, made.by_organiser
    seen: list[tuple[int, dict[str, Any]]] = []

    def then(act: Any, *arguments: Any, **named: Any) -> Any:
        answer = act(*arguments, **named)
        seen.append((LogEntry.objects.filter(event=event).count(), now(event)))
        return answer

    for player in made.players:
        then(registration.check_in, event_id=event.pk, actor=by, player_id=player.pk)
        made.submit(player)

    then(setup.start_event, event_id=event.pk, actor=by)
    first = then(made.post_round)
    tables = list(first.matches.exclude(table=None).order_by("table"))
    one, two = (list(match.seats.order_by("index").select_related("player__user")) for match in tables)
    then(made.report, one[0].player, first, 2, 1)
    then(made.report, one[1].player, first, 2, 0)
    then(results.decide_result, event_id=event.pk, actor=by, match_id=tables[0].pk, wins_a=2, wins_b=1, reason="Seen.")
    then(made.report, two[0].player, first, 2, 0)
    then(
        results.withdraw_report,
        event_id=event.pk,
        actor=actor_of(two[0].player.user),
        match_id=tables[1].pk,
        player_id=two[0].player_id,
    )
    then(rounds.call_time, event_id=event.pk, actor=by, round_number=1)
    then(undoing.resume_after_time, event_id=event.pk, actor=by, round_number=1)
    then(results.decide_result, event_id=event.pk, actor=by, match_id=tables[1].pk, wins_a=0, wins_b=2)
    then(rounds.complete_round, event_id=event.pk, actor=by, round_number=1)
    then(undoing.reopen_round, event_id=event.pk, actor=by, round_number=1)
    then(results.decide_result, event_id=event.pk, actor=by, match_id=tables[1].pk, wins_a=2, wins_b=0, reason="Slip.")
    then(rounds.complete_round, event_id=event.pk, actor=by, round_number=1)
    then(registration.drop_player, event_id=event.pk, actor=by, player_id=made.players[4].pk)
    then(made.play_round)

    viewer = viewer_of(event, made.organiser)
    for seq, stood in seen:
        for number in (None, 1):
            state = told(event, seq, viewer, number)
            newest = max(stood["rounds"], default=None) if number is None else number
            assert {**state, "rounds": None} == {**stood, "rounds": None}, seq
            assert {key: word for key, (word, _) in state["rounds"].items()} == {
                key: word for key, (word, _) in stood["rounds"].items()
            }, seq
            if newest in stood["rounds"]:
                assert state["rounds"][newest] == stood["rounds"][newest], seq


def test_a_state_page_shows_what_stood_and_links_to_its_neighbours(make_event: Make, client: Client) -> None:
    made = make_event(players=4, started=True)
    made.play_round()
    made.post_round()
    posted = entries(made, kind="round.posted")[0].seq
    confirmed = entries(made, kind="result.confirmed")
    completed = entries(made, kind="round.completed")[0].seq

    before = said(client.get(address(made, f"{posted}/")))
    between = said(client.get(address(made, f"{confirmed[0].seq}/")))
    after = said(client.get(address(made, f"{completed}/")))
    last = said(client.get(address(made, f"{made.refresh().log.count()}/?round=1")))

    assert "Round 1: posted" in before
    assert "Standings after" not in before
    assert before.count(" open ") == 2
    assert between.count(" 2-0 ") == 2  # what the entry says, and the table
    assert "Round 1: complete" in after
    assert "Standings after round 1" in after
    assert after.count(" 2-0 ") == 2
    assert "Round 1: complete" in last
    assert client.get(address(made, "99999/")).status_code == 404
    assert client.get(address(made, f"{posted}/?round=x")).status_code == 400
    assert "No such round yet" in said(client.get(address(made, f"{posted}/?round=9")))


def test_a_draft_is_in_no_state_that_others_read(make_event: Make, client: Client, as_user: AsUser) -> None:
    made = make_event(players=4, started=True)
    public = entries(made, is_public=True)[-1].seq
    made.draft_round()
    drafted = entries(made, kind="round.drafted")[0].seq

    assert client.get(address(made, f"{drafted}/")).status_code == 404
    assert "Round 1" not in said(client.get(address(made, f"{public}/")))
    desk = said(as_user(made.judge).get(address(made, f"{drafted}/")))
    assert "Round 1: draft" in desk
    assert "they come into it when they are posted" in desk


def test_the_state_over_the_api(make_event: Make, client: Client) -> None:
    made = make_event(players=2, started=True)
    made.play_round()
    seq = entries(made, kind="round.completed")[0].seq
    match = Match.objects.get(event=made.event)
    seats = list(match.seats.order_by("index"))

    answer = client.get(f"/api/v1/events/{made.event.code}/log/{seq}/state").json()

    assert {key: answer[key] for key in ("entry", "state", "rounds", "passed_over")} == {
        "entry": seq,
        "state": "running",
        "rounds": [1],
        "passed_over": {},
    }
    assert answer["round"]["state"] == "complete"
    assert [(row["table"], row["players"], row["state"]) for row in answer["round"]["matches"]] == [
        (1, [seat.player_id for seat in seats], "confirmed")
    ]
    assert [row[0] for row in answer["standings"]["rows"]] == [seats[0].player_id, seats[1].player_id]


@pytest.mark.parametrize("players", [2, 6])
def test_a_state_page_costs_the_same_for_many_players(make_event: Make, client: Client, players: int) -> None:
    made = make_event(players=players, started=True)
    made.play_round()
    seq = entries(made, kind="round.completed")[0].seq
    with CaptureQueriesContext(connection) as captured:
        assert client.get(address(made, f"{seq}/")).status_code == 200
    assert len(captured) == 11


# -- undoing -----------------------------------------------------------------------------------------------------------


def test_what_can_be_undone_leads_to_where_it_is_undone(make_event: Make, as_user: AsUser) -> None:
    made = make_event(players=4, started=True)
    base = f"/e/{made.event.code}"

    def links(person: Any) -> dict[str, str]:
        page = as_user(person).get(address(made)).content.decode()
        return dict(re.findall(r'<a class="small tap" href="([^"]+)">([^<]+)</a>', page))

    made.draft_round()
    assert links(made.organiser)[f"{base}/desk/round/1/"] == "Discard the draft"
    rounds.post_round(event_id=made.event.pk, actor=made.by_organiser, round_number=1)
    assert links(made.organiser)[f"{base}/desk/round/1/"] == "Take the posting back"
    match = Match.objects.filter(event=made.event).order_by("table")[0]
    results.decide_result(event_id=made.event.pk, actor=made.by_organiser, match_id=match.pk, wins_a=2, wins_b=0)
    assert links(made.judge) == {f"{base}/floor/{match.pk}/": "Decide it again"}
    registration.drop_player(event_id=made.event.pk, actor=made.by_organiser, player_id=made.players[3].pk)
    assert links(made.organiser)[f"{base}/desk/round/1/mend/{made.players[3].pk}/"] == "Bring them back"
    assert links(made.players[0]) == {}
    for other in Match.objects.filter(event=made.event).exclude(state="confirmed"):
        results.decide_result(event_id=made.event.pk, actor=made.by_organiser, match_id=other.pk, wins_a=2, wins_b=0)
    rounds.complete_round(event_id=made.event.pk, actor=made.by_organiser, round_number=1)
    found = links(made.organiser)
    assert found[f"{base}/desk/round/1/"] == "Open the round again"
    assert found[f"{base}/desk/correct/{match.pk}/"] == "Correct it"
    assert f"{base}/floor/{match.pk}/" not in found
    for url in found:
        assert as_user(made.organiser).get(url).status_code == 200, url
