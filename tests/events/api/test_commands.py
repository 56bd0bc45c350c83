"""Keys, versions and roles: what every change asks for, and what it answers when it is sent again."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.test import Client

from accounts.models import User
from events.models import Event, IdempotencyRecord, LogEntry, Player, Round
from events.services import setup
from tests.events.api.conftest import Program, fresh_key
from tests.events.factories import Made, make_user, policy_of

Programs = Callable[[User | Player], Program]
Events = Callable[..., Made]


@pytest.mark.parametrize(
    "key", [None, "short", "x" * 81, "sp\u00e4tzle-key", "tab\tin-key", "x" * 1_000_000, "       "]
)
def test_a_change_without_a_key_of_its_own_is_refused(
    key: str | None, make_event: Events, program: Programs, packs: None
) -> None:
    made = make_event(players=2)
    version = made.event.version
    desk = program(made.organiser)
    for path, body in [("players", {"name": "Guest", "version": version}), ("start", {"version": version})]:
        answer = desk.post(f"events/{made.event.code}/{path}", body, key=key)
        assert (answer.status_code, answer.json()["code"]) == (400, "request.no_key")
    assert made.refresh().version == version


def test_a_repeat_changes_nothing_and_gets_the_first_answer(make_event: Events, program: Programs) -> None:
    made = make_event(players=2)
    desk, key, version = program(made.organiser), fresh_key(), made.event.version
    path = f"events/{made.event.code}/players"
    answers = [desk.post(path, {"name": "Guest"}, key=key, version=version) for _ in range(6)]
    assert [(answer.status_code, answer.json()) for answer in answers] == [(201, answers[0].json())] * 6
    assert Player.objects.filter(event=made.event, name="Guest").count() == 1
    assert made.refresh().version == version + 1


def test_a_new_event_that_is_asked_for_twice_is_made_once(packs: None, db: None, program: Programs) -> None:
    desk, key = program(make_user("Odile Marchetti")), fresh_key()
    body = {"game": "epic", "template": "sealed-3", "name": "Twice", "starts_at": "2027-03-05T10:00:00Z"}
    first, second = (desk.post("events", body, key=key) for _ in range(2))
    assert (first.status_code, first.json()) == (second.status_code, second.json())
    assert Event.objects.count() == 1


def test_no_event_is_made_of_stages_that_cannot_be_played_yet(packs: None, db: None, program: Programs) -> None:
    policy = policy_of("standard")
    policy.definition["stages"] = [{"kind": "double_elimination", "cut": 8}]
    policy.save()
    desk = program(make_user("Odile Marchetti"))
    body = {"game": policy.game.slug, "template": "standard", "name": "Masks", "starts_at": "2027-03-05T10:00:00Z"}
    answer = desk.post("events", body)
    assert (answer.status_code, answer.json()["code"]) == (400, "event.stages_unplayable")
    assert "standard" not in [row["template"] for row in desk.get("templates").json()["results"]]
    assert not Event.objects.exists()


def test_a_key_is_not_used_again_for_something_else(make_event: Events, program: Programs) -> None:
    made = make_event(players=2)
    desk, key = program(made.organiser), fresh_key()
    path = f"events/{made.event.code}/players"
    assert desk.post(path, {"name": "Guest"}, key=key, version=made.event.version).status_code == 201
    version = made.refresh().version
    for where, body in [(path, {"name": "Other"}), (f"{path}/{made.players[0].pk}/check-in", {})]:
        answer = desk.post(where, body, key=key, version=version)
        assert (answer.status_code, answer.json()["code"]) == (422, "request.key_reused")
    assert made.refresh().version == version


def test_a_body_that_was_lost_asks_for_nothing(make_event: Events, program: Programs) -> None:
    made = make_event(players=2)
    player = made.players[0]
    path = f"/api/v1/events/{made.event.code}/players/{player.pk}/drop"
    for content_type in ("application/json", "application/x-www-form-urlencoded", ""):
        answer = program(player).client.generic(
            "POST", path, b"", content_type=content_type, headers={"Idempotency-Key": fresh_key()}
        )
        assert (answer.status_code, answer.json()["code"]) == (400, "request.no_body")
    player.refresh_from_db()
    assert player.state == "registered"


def test_two_people_may_use_one_key(make_event: Events, program: Programs) -> None:
    made, key = make_event(players=2), fresh_key()
    for player in made.players:
        path = f"events/{made.event.code}/players/{player.pk}/check-in"
        assert program(player).post(path, key=key).json()["player"] == player.pk


def test_staff_say_which_version_they_saw(make_event: Events, program: Programs) -> None:
    made = make_event(players=2)
    answer = program(made.organiser).post(f"events/{made.event.code}/start")
    assert (answer.status_code, answer.json()["code"]) == (428, "request.no_version")


def test_a_stale_change_is_told_the_state_of_now(make_event: Events, program: Programs, as_user) -> None:
    made = make_event(players=4, started=True)
    desk, here, seen = program(made.organiser), f"events/{made.event.code}", made.event.version
    made.draft_round()
    stale = desk.post(f"{here}/rounds", version=seen)
    assert (stale.status_code, stale.json()["code"]) == (409, "event.stale")
    version = made.refresh().version
    assert stale.json()["context"] == {
        "version": version,
        "state": "running",
        "round": {"round": 1, "state": "draft"},
    }
    assert Round.objects.count() == 1
    player = made.players[0]
    told = program(player).post(f"{here}/players/{player.pk}/drop", version=seen).json()
    assert told["context"] == {"version": version, "state": "running", "round": None}
    player.refresh_from_db()
    assert player.state == "checked_in"


def test_a_refused_change_may_be_sent_again_with_its_key(make_event: Events, program: Programs) -> None:
    made = make_event(players=2)
    desk, key, path = program(made.organiser), fresh_key(), f"events/{made.event.code}/players"
    assert desk.post(path, {"name": "Guest"}, key=key, version=made.event.version - 1).status_code == 409
    assert not IdempotencyRecord.objects.filter(key=key).exists()
    assert desk.post(path, {"name": "Guest"}, key=key, version=made.event.version).status_code == 201


STAFF_ONLY = [
    ("start", {}),
    ("finish", {}),
    ("stages/next", {}),
    ("players", {"name": "Guest"}),
    ("players/{other}/reinstate", {}),
    ("players/{other}/check-in", {}),
    ("players/{other}/undo-check-in", {}),
    ("players/{other}/drop", {}),
    ("players/{other}/decklist", {"text": "3 Thrust"}),
    ("rounds", {}),
    ("rounds/1/post", {}),
    ("rounds/1/discard", {}),
    ("rounds/1/start-clock", {}),
    ("rounds/1/pause-clock", {}),
    ("rounds/1/call-time", {}),
    ("rounds/1/complete", {}),
    ("matches/{match}/result", {"wins_a": 2, "wins_b": 0}),
    ("matches/{match}/extra-turns", {"turns": 1}),
]


@pytest.mark.parametrize(("path", "body"), STAFF_ONLY, ids=[path for path, _ in STAFF_ONLY])
def test_only_the_staff_of_this_event_run_it(
    path: str, body: dict[str, object], make_event: Events, program: Programs, nobody: Program
) -> None:
    made = make_event(players=4, started=True)
    round_ = made.post_round()
    first = made.players[0]
    match = made.match_of(first, round_)
    address = path.format(player=first.pk, other=made.players[1].pk, match=match.pk)
    stranger = make_user("Organiser Elsewhere")
    version = made.refresh().version
    for someone, status in [(nobody, 401), (program(first), 403), (program(stranger), 403)]:
        answer = someone.post(f"events/{made.event.code}/{address}", body, version=version)
        assert answer.status_code == status, answer.content
        assert answer["Content-Type"].startswith("application/problem+json")
    judges_may = path.endswith("decklist") or path.startswith("matches")
    if not judges_may:
        assert program(made.judge).post(f"events/{made.event.code}/{address}", body, version=version).status_code == 403
    assert made.refresh().version == version


def test_what_belongs_to_another_event_is_not_found(make_event: Events, program: Programs) -> None:
    made = make_event(players=4, started=True)
    other = make_event(players=4, started=True, name="Elsewhere")
    theirs = other.post_round()
    match = other.match_of(other.players[0], theirs)
    desk, here = program(made.organiser), f"events/{made.event.code}"
    version = made.refresh().version
    for path, body in [
        (f"players/{other.players[0].pk}/drop", {}),
        (f"players/{other.players[0].pk}/decklist", {"text": ""}),
        (f"matches/{match.pk}/result", {"wins_a": 2, "wins_b": 0}),
        (f"matches/{match.pk}/extra-turns", {"turns": 1}),
        ("rounds/1/complete", {}),
    ]:
        assert desk.post(f"{here}/{path}", body, version=version).status_code == 404, path
    assert desk.get(f"{here}/players/{other.players[0].pk}").status_code == 404
    assert desk.get(f"{here}/players/{other.players[0].pk}/decklist").status_code == 404
    player = made.players[0]
    assert player.user == other.players[0].user
    report = program(player).post(f"{here}/matches/{match.pk}/reports", {"wins": 2, "losses": 0})
    assert (report.status_code, report.json()["code"]) == (404, "match.unknown")


def test_players_report_only_their_own_match(make_event: Events, program: Programs) -> None:
    made = make_event(players=4, started=True)
    round_ = made.post_round()
    first = made.players[0]
    near = made.opponent_of(first, round_)
    far = next(player for player in made.players if player.pk not in (first.pk, near.pk))
    path = f"events/{made.event.code}/matches/{made.match_of(far, round_).pk}/reports"
    for method, body in [("POST", {"wins": 2, "losses": 0}), ("DELETE", None)]:
        answer = program(first).send(method, path, body)
        assert (answer.status_code, answer.json()["code"]) == (403, "match.not_yours")
    assert not LogEntry.objects.filter(kind="result.reported").exists()


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({"wins": 2, "losses": 2}, "score.two_winners"),
        ({"wins": 3, "losses": 0}, "score.too_many_wins"),
        ({"wins": 1, "losses": 0}, "score.not_finished"),
        ({"wins": 2, "losses": 1, "draws": 9}, "score.too_many_draws"),
        ({"wins": -1, "losses": 2}, "request.fields"),
        ({"wins": True, "losses": 0}, "request.fields"),
        ({"wins": 2.0, "losses": 0}, "request.fields"),
        ({"wins": "2", "losses": 0}, "request.fields"),
        ({"wins": None, "losses": 0}, "request.fields"),
        ({"wins": 2**31, "losses": 0}, "request.fields"),
        ({"wins": 2}, "request.fields"),
        ({"wins": 2, "losses": 0, "player": 1}, "request.fields"),
        ({"wins": 2, "losses": 0, "client_time": "2027-03-05T10:00:00Z"}, "request.fields"),
    ],
)
def test_a_report_that_can_not_be_is_refused(
    body: dict[str, object], code: str, make_event: Events, program: Programs
) -> None:
    made = make_event(players=2, started=True)
    round_ = made.post_round()
    match = made.match_of(made.players[0], round_)
    answer = program(made.players[0]).post(f"events/{made.event.code}/matches/{match.pk}/reports", body)
    assert (answer.status_code, answer.json()["code"]) == (400, code)
    match.refresh_from_db()
    assert (match.state, match.version) == ("open", 0)


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"starts_at": "2027-03-05T10:00:00"}, "starts_at"),
        ({"starts_at": "0000-01-01T00:00:00Z"}, "starts_at"),
        ({"starts_at": "9999-12-31T23:59:59-23:59"}, "starts_at"),
        ({"starts_at": "2026-02-30T10:00:00Z"}, "starts_at"),
        ({"starts_at": 5}, "starts_at"),
        ({"legality_date": "2026-13-01"}, "legality_date"),
        ({"legality_date": "0001-01-01"}, "legality_date"),
        ({"capacity": 1}, "capacity"),
        ({"capacity": "8"}, "capacity"),
        ({"name": ""}, "name"),
        ({"name": "x" * 121}, "name"),
        ({"place": "x" * 121}, "place"),
        ({"decklist_publication": "always"}, "decklist_publication"),
        ({"decklist_publication": ["open"]}, "decklist_publication"),
        ({"secret": "00"}, "secret"),
        ({"code": "mine"}, "code"),
        ({"state": "finished"}, "state"),
    ],
)
def test_an_event_that_can_not_be_is_refused(
    change: dict[str, object], field: str, packs: None, db: None, program: Programs
) -> None:
    body = {"game": "epic", "template": "sealed-3", "name": "New", "starts_at": "2027-03-05T10:00:00Z", **change}
    answer = program(make_user("Odile Marchetti")).post("events", body)
    assert (answer.status_code, list(answer.json()["fields"])) == (400, [field])
    assert Event.objects.count() == 0


@pytest.mark.parametrize(
    ("change", "status", "code"),
    [
        ({"time_zone": "Mars/Olympus"}, 400, "event.time_zone"),
        ({"time_zone": "../../etc/passwd"}, 400, "event.time_zone"),
        ({"template": "nothing"}, 404, "policy.not_in_force"),
        ({"game": "nothing"}, 404, "game.unknown"),
    ],
)
def test_a_template_or_zone_that_there_is_not(
    change: dict[str, object], status: int, code: str, packs: None, db: None, program: Programs
) -> None:
    body = {"game": "epic", "template": "sealed-3", "name": "New", "starts_at": "2027-03-05T10:00:00Z", **change}
    answer = program(make_user("Odile Marchetti")).post("events", body)
    assert (answer.status_code, answer.json()["code"]) == (status, code)


def test_picks_that_can_not_be_made(make_event: Events, program: Programs) -> None:
    made = make_event(policy="draft-2", players=3, started=True)
    here = f"events/{made.event.code}"
    first, second = (program(player) for player in made.players[:2])
    mine, theirs = (seat.get(f"{here}/draft/me").json()["window"] for seat in (first, second))
    card, foreign = mine["cards"][0]["id"], theirs["cards"][0]["id"]
    at = {"pack": 1, "pick": 0}

    def answer(body: dict[str, object]) -> tuple[int, str]:
        sent = first.post(f"{here}/draft/picks", body)
        return sent.status_code, sent.json().get("code", "")

    assert answer({**at, "card": foreign}) == (400, "draft.not_in_pack")
    assert answer({**at, "card": 10**14}) == (400, "draft.not_in_pack")
    assert answer({"pack": 1, "pick": 1, "card": card}) == (409, "draft.not_your_pack")
    assert answer({"pack": 2, "pick": 0, "card": card}) == (409, "draft.not_your_pack")
    assert answer({**at, "card": [card, foreign]}) == (400, "request.fields")
    assert answer({**at, "card": card, "seat": 2}) == (400, "request.fields")
    assert answer({**at, "card": card}) == (201, "")
    assert answer({**at, "card": card}) == (409, "draft.already_picked")
    assert answer({"pack": 1, "pick": 1, "card": card}) == (409, "draft.not_your_pack")
    judge = program(made.judge).get(f"{here}/draft/me")
    assert (judge.status_code, judge.json()["code"]) == (403, "player.none")


def test_a_finished_event_takes_no_more_changes(make_event: Events, program: Programs) -> None:
    made = make_event(players=2)
    desk, here = program(made.organiser), f"events/{made.event.code}"
    assert desk.post(f"{here}/finish", version=made.event.version).json()["code"] == "event.not_running"
    Event.objects.filter(pk=made.event.pk).update(state=Event.State.FINISHED)
    player = made.players[0]
    answer = program(player).post(f"{here}/players/{player.pk}/drop")
    assert (answer.status_code, answer.json()["code"]) == (409, "event.over")


def test_a_scorekeeper_runs_rounds_and_does_not_start_the_event(make_event: Events, program: Programs) -> None:
    made = make_event(players=2)
    keeper = make_user("Score Keeper")
    setup.add_staff(event_id=made.event.pk, actor=made.by_organiser, email=keeper.email, role="scorekeeper")
    version = made.refresh().version
    desk, here = program(keeper), f"events/{made.event.code}"
    assert desk.post(f"{here}/start", version=version).status_code == 403
    assert desk.post(f"{here}/players/{made.players[0].pk}/check-in", version=version).status_code == 200


def test_a_change_without_the_token_of_the_session_is_refused(make_event: Events) -> None:
    made = make_event(players=2)
    client = Client(enforce_csrf_checks=True)
    client.force_login(made.organiser, backend="accounts.backends.AccountBackend")
    answer = Program(client).post(f"events/{made.event.code}/players", {"name": "Guest"}, version=made.event.version)
    assert (answer.status_code, answer.json()["code"]) == (403, "request.not_allowed")
    assert answer["Content-Type"].startswith("application/problem+json")
    assert made.refresh().players.count() == 2
