"""What is in no answer for those whom it does not concern. Every GET of the API is asked, as everybody."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import product

import pytest

from accounts.models import User
from events import api
from events.models import Event, Match, PackCard, Player, Round
from events.services import registration
from tests.events.api.conftest import Program
from tests.events.factories import SECRET, Made, legal_text, make_user, user_of

Programs = Callable[[User | Player], Program]
Events = Callable[..., Made]
CANARY = "# canary in the text of a decklist"


def addresses(event: Event) -> Iterator[str]:
    """Every address below one event, with every number that stands for something in it."""
    fills = {
        "number": [0, *Round.objects.filter(event=event).values_list("sequence", flat=True), 99],
        "player_id": [*event.players.values_list("pk", flat=True)],
        "match_id": [*Match.objects.filter(event=event).values_list("pk", flat=True)],
        "avoidance_id": [1],
        "role_id": [*event.staff.values_list("pk", flat=True)],
        "invite_id": [1],
        "webhook_id": [1],
        "seq": [*event.log.values_list("seq", flat=True)],
    }
    for pattern in api.urlpatterns:
        if "<slug:game>" in str(pattern.pattern):
            continue  # of a game, not of an event
        route = str(pattern.pattern).replace("<slug:code>", event.code).replace("<str:token>", "x" * 43)
        names = re.findall(r"<int:(\w+)>", route)
        for values in product(*(fills[name] for name in names)):
            filled = iter(values)
            yield re.sub(r"<int:\w+>", lambda _, filled=filled: str(next(filled)), route)


def everything(someone: Program, event: Event) -> str:
    """All that one person can read of the event, with the address before each answer."""
    read = []
    for path in addresses(event):
        answer = someone.get(path)
        assert answer.status_code in (200, 401, 403, 404, 405, 409), (path, answer.status_code)
        read.append(f"\n{path} {(answer.getvalue() if answer.streaming else answer.content).decode()}")
    return "".join(read)


def test_the_walk_reads_what_is_public(make_event: Events, nobody: Program) -> None:
    made = make_event(players=4, started=True)
    made.play_round()
    read = everything(nobody, made.event)
    assert all(player.name in read for player in made.players)
    for word in ("match_points", "commitment", "round.posted", "reasons", "deadline"):
        assert word in read


def test_secret_tokens_addresses_and_decklists_are_in_no_answer(
    make_event: Events, program: Programs, nobody: Program
) -> None:
    made = make_event(players=4, decklists=False)
    token = registration.add_player(event_id=made.event.pk, actor=made.by_organiser, name="Guest").facts["claim_token"]
    fingerprints = {}
    for player in made.players:
        made.submit(player, f"{legal_text(made.event)}\n{CANARY} {player.pk}\n")
        fingerprints[player.pk] = player.submissions.get().decklist.fingerprint
        registration.check_in(event_id=made.event.pk, actor=made.by_organiser, player_id=player.pk)
    card = made.players[0].submissions.get().decklist.entries[0]["name"]
    own = made.players[0]
    people = {"nobody": nobody, "stranger": program(make_user("Stranger")), "player": program(own)}
    for who, someone in people.items():
        read = everything(someone, made.event)
        for canary in (SECRET.hex(), token, "@example.org", "password", '"digests"', '"registered_at"'):
            assert canary not in read, (who, canary)
        others = made.players[1:] if who == "player" else made.players
        for player in others:
            assert f"{CANARY} {player.pk}" not in read
        assert read.count(card) == (2 if who == "player" else 0)
        assert read.count('"text"') == (1 if who == "player" else 0)
    desk = everything(program(made.organiser), made.event)
    for canary in (SECRET.hex(), token, "@example.org"):
        assert canary not in desk
    assert all(f"{CANARY} {player.pk}" in desk for player in made.players)


def test_an_organiser_who_plays_reads_no_decklist_of_others(make_event: Events, program: Programs) -> None:
    made = make_event(players=2, decklists=False)
    made.submit(made.players[0], f"{legal_text(made.event)}\n{CANARY}\n")
    organiser = made.organiser
    registration.register(event_id=made.event.pk, actor=made.by_organiser, user_id=organiser.pk)
    read = everything(program(organiser), made.event)
    assert CANARY not in read
    assert "decklist.submitted" not in read


@pytest.mark.parametrize(
    ("publication", "state", "seen"),
    [
        ("never", "running", False),
        ("never", "finished", False),
        ("after", "running", False),
        ("after", "finished", True),
        ("open", "registration", True),
    ],
)
def test_decklists_are_read_by_others_when_the_event_says_so(
    publication: str, state: str, seen: bool, make_event: Events, program: Programs, nobody: Program
) -> None:
    made = make_event(players=2, decklist_publication=publication, decklists=False)
    own, other = made.players
    made.submit(own, f"{legal_text(made.event)}\n{CANARY}\n")
    Event.objects.filter(pk=made.event.pk).update(state=state)
    path = f"events/{made.event.code}/players/{own.pk}/decklist"
    for someone in (nobody, program(other)):
        answer = someone.get(path)
        assert answer.status_code == (200 if seen else 404)
        if seen:
            assert set(answer.json()) == {"player", "name", "fingerprint", "entries"}
            assert {key for entry in answer.json()["entries"] for key in entry} == {"zone", "count", "card", "name"}
        else:
            missing = someone.get(f"events/{made.event.code}/players/{other.pk + 1000}/decklist").json()
            assert {**answer.json(), "context": {}} == {**missing, "context": {}}
    assert CANARY in program(own).get(path).json()["text"]


def test_a_draft_of_a_round_is_seen_by_staff_only(make_event: Events, program: Programs, nobody: Program) -> None:
    made = make_event(players=4, started=True)
    before = {who: everything(someone, made.event) for who, someone in _people(made, program, nobody)}
    known = len([*addresses(made.event)])
    round_ = made.draft_round()
    new = len([*addresses(made.event)]) - known
    match = made.match_of(made.players[0], round_)
    for who, someone in _people(made, program, nobody):
        after = everything(someone, made.event)
        assert "bracket_slot" not in after, who
        assert "round.drafted" not in after
        here = f"events/{made.event.code}"
        assert someone.get(f"{here}/rounds").json()["results"] == []
        hidden = [someone.get(f"{here}/rounds/{number}{part}") for number in (1, 2) for part in ("", "/matches")]
        assert [answer.status_code for answer in hidden] == [404] * 4
        assert len(after.splitlines()) == len(before[who].splitlines()) + new
    report = program(made.players[0]).post(
        f"events/{made.event.code}/matches/{match.pk}/reports", {"wins": 2, "losses": 0}
    )
    none = program(made.players[0]).post(
        f"events/{made.event.code}/matches/{match.pk + 1000}/reports", {"wins": 2, "losses": 0}
    )
    assert {**report.json(), "context": {}} == {**none.json(), "context": {}}
    assert report.status_code == 404
    assert len(program(made.judge).get(f"events/{made.event.code}/rounds/1/matches").json()) == 2


def _people(made: Made, program: Programs, nobody: Program) -> list[tuple[str, Program]]:
    return [("nobody", nobody), ("player", program(made.players[0])), ("stranger", program(make_user("Stranger")))]


def test_a_seat_sees_its_own_pack_and_no_other(make_event: Events, program: Programs, nobody: Program) -> None:
    made = make_event(policy="draft-2", players=3, started=True)
    path = f"events/{made.event.code}/draft/me"
    ids = {player.pk: set() for player in made.players}
    for player in made.players:
        view = program(player).get(path).json()
        pack = {*PackCard.objects.filter(pack__opened_by=player, pack__number=1).values_list("pk", flat=True)}
        assert {card["id"] for card in view["window"]["cards"]} == pack
        ids[player.pk] = pack
        assert set(view) == {
            *("version", "stage", "pod", "seat", "seats", "picks_each", "is_finished", "window", "waiting_for"),
            "picks",
        }
    first, *others = made.players
    taken = made.pick(first)
    waiting = program(first).get(path).json()
    assert waiting["window"] is None
    assert [pick["id"] for pick in waiting["picks"]] == [taken]
    assert {chair["name"] for chair in waiting["waiting_for"]} == {player.name for player in others}
    for player in others:
        assert f'"id":{taken},' not in program(player).get(path).content.decode()
    assert nobody.get(path).status_code == 401
    assert program(make_user("Stranger")).get(path).status_code == 403
    for someone in (nobody, program(make_user("Stranger"))):
        read = everything(someone, made.event)
        assert "draft.picked" not in read
        assert '"cards"' not in read


def test_hashes_of_the_log_wait_for_the_end(make_event: Events, program: Programs, nobody: Program) -> None:
    made = make_event(players=2)
    path = f"events/{made.event.code}/log"
    for someone in (nobody, program(made.players[0])):
        entries = someone.get(path).json()["results"]
        assert entries
        assert {(entry["prev_hash"], entry["hash"]) for entry in entries} == {(None, None)}
    assert made.event.log_head not in everything(nobody, made.event)
    Event.objects.filter(pk=made.event.pk).update(state=Event.State.FINISHED)
    assert nobody.get(path).json()["results"][-1]["hash"]


def test_me_is_yourself_and_nobody_else(make_event: Events, program: Programs) -> None:
    made = make_event(players=2)
    own, other = (user_of(player) for player in made.players)
    assert program(own).get("me").json() == {"email": own.email, "display_name": own.display_name}
    assert program(other).get("me").json()["email"] == other.email


def test_reports_are_read_by_the_two_players_and_staff(make_event: Events, program: Programs, nobody: Program) -> None:
    made = make_event(players=4, started=True)
    round_ = made.post_round()
    first = made.players[0]
    made.report(first, round_, 2, 0)
    near = made.opponent_of(first, round_)
    far = next(player for player in made.players if player.pk not in (first.pk, near.pk))
    path = f"events/{made.event.code}/rounds/1/matches"
    match = made.match_of(first, round_).pk

    def fields(someone: Program) -> set[str]:
        return set(next(row for row in someone.get(path).json() if row["id"] == match))

    public = {"id", "table", "pod", "bracket_slot", "state", "version", "extra_turns", "seats", "reasons"}
    assert fields(nobody) == fields(program(far)) == public
    assert fields(program(near)) == {*public, "reports"}
    assert fields(program(made.judge)) == {*public, "reports", "results"}
