"""An event as one file: what is in it for whom, and that it is proved without the database."""

from __future__ import annotations

import json
from collections.abc import Callable
from io import BytesIO, StringIO, TextIOWrapper
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from config.errors import DomainError
from config.schemas import published
from events.engine.event_file import read_event_file
from events.engine.event_proof import Proof, prove
from events.models import Event, LogEntry, Match, Stage
from events.queries.event_file import event_file
from events.queries.scoring import missing_results
from events.queries.verification import verify_event
from events.services import placed_results, privacy, registration, results, rounds, setup, swapping
from tests.events.factories import Made, load_packs, make_user

pytestmark = pytest.mark.django_db
Make = Callable[..., Made]
AsUser = Callable[..., Client]


def text_of(made: Made, audience: Any = "staff") -> str:
    return "".join(event_file(made.event.pk, audience))


def proof_of(text: str) -> Proof:
    return prove(read_event_file(text))


def swiss(make_event: Make, *, finished: bool = True) -> Made:
    """All rounds of five players: one with places traded, one with a result that was decided twice."""
    made = make_event(players=5, started=True)
    made.play_round()
    second = made.draft_round()
    one, other = (match.seats.order_by("index")[0].player_id for match in second.matches.exclude(table=None)[:2])
    swapping.swap_players(
        event_id=made.event.pk, actor=made.by_organiser, round_number=2, one=one, other=other, reason="Sisters."
    )
    rounds.post_round(event_id=made.event.pk, actor=made.by_organiser, round_number=2)
    for match in missing_results(second):
        for wins in ((2, 0), (1, 2)):
            results.decide_result(
                event_id=made.event.pk,
                actor=made.by_organiser,
                match_id=match.pk,
                wins_a=wins[0],
                wins_b=wins[1],
                reason="The slip.",
            )
    rounds.complete_round(event_id=made.event.pk, actor=made.by_organiser, round_number=2)
    if finished:
        finish(made)
    return made


def finish(made: Made) -> None:
    """Play on to the end, whatever stages are to come."""
    while True:
        stage = Stage.objects.filter(event=made.event, state="active").get()
        while stage.kind in Stage.PLAYED and stage.rounds.count() < (stage.rounds_planned or 0):
            play(made, stage)
        if not Stage.objects.filter(event=made.event, state="waiting").exists():
            break
        made.next_stage()
    made.finish()


def play(made: Made, stage: Stage) -> None:
    if stage.kind not in (Stage.Kind.TABLES, Stage.Kind.TEAMS):
        made.play_round()
        return
    round_ = made.post_round()
    for match in missing_results(round_):
        about = {"event_id": made.event.pk, "actor": made.by_organiser, "match_id": match.pk}
        seats = list(match.seats.order_by("index"))
        if stage.kind == Stage.Kind.TEAMS:
            placed_results.decide_sides(**about, winner=seats[0].side)
        else:
            places = {seat.player_id: place for place, seat in enumerate(seats, 1)}
            placed_results.decide_table(**about, places=places)
    rounds.complete_round(event_id=made.event.pk, actor=made.by_organiser, round_number=round_.sequence)


# -- proved ------------------------------------------------------------------------------------------------------------


def test_a_swiss_event_is_proved_by_the_file_alone(make_event: Make) -> None:
    made = swiss(make_event)

    staff, public = proof_of(text_of(made)), proof_of(text_of(made, "public"))

    assert verify_event(made.refresh()).faults == []
    assert (staff.faults, staff.unchecked) == ([], [])
    assert dict(staff.checked) == {
        "log entries": LogEntry.objects.filter(event=made.event).count(),
        "commitment": 1,
        "lots": 5,
        "pairings": 16,
        "results": 10,
        "standings": 30,
    }
    assert public.faults == []
    assert public.checked == staff.checked
    withheld = LogEntry.objects.filter(event=made.event, is_public=False).exclude(kind__startswith="round.").count()
    assert public.unchecked == [f"{withheld} entries of the log are withheld: of them only the chain around holds."]


def test_a_draft_with_its_packs_is_proved(make_event: Make) -> None:
    made = make_event(policy="draft-2", players=4, started=True)
    made.draft_to_the_end()
    made.next_stage()
    for player in made.players:
        made.submit(player)
    finish(made)

    staff, public = proof_of(text_of(made)), proof_of(text_of(made, "public"))

    assert (staff.faults, staff.unchecked) == ([], [])
    assert (staff.checked["packs"], staff.checked["pods"]) == (8, 1)
    assert (public.faults, public.checked["packs"], public.checked["pods"]) == ([], 0, 1)
    assert public.unchecked[1] == "Packs are not drawn again: they are in the file of staff only."


@pytest.mark.parametrize(
    ("policy", "players", "kinds"),
    [
        ("sealed-2", 4, {"swiss"}),
        ("melee", 7, {"tables"}),
        ("light-and-dark", 4, {"teams"}),
        ("standard", 9, {"swiss", "single_elimination"}),
    ],
)
def test_every_kind_of_round_is_proved(make_event: Make, policy: str, players: int, kinds: set[str]) -> None:
    placed = policy in ("melee", "light-and-dark")
    if placed:
        load_packs("epic-melee", "epic-duels")
    made = make_event(policy=policy, players=players, started=True, **({"decklists": False} if placed else {}))
    if policy == "sealed-2":
        made.next_stage()
    finish(made)

    text = text_of(made)
    proof = proof_of(text)

    assert (proof.faults, proof.unchecked) == ([], [])
    assert proof_of(text_of(made, "public")).faults == []
    file = json.loads(text)
    kind_of = {stage["number"]: stage["kind"] for stage in file["stages"]}
    assert {kind_of[round_["stage"]] for round_ in file["rounds"]} == kinds
    last = file["rounds"][-1]
    tables = [match["seats"] for match in last["matches"] if len(match["seats"]) > 1]
    tables[0][0], tables[0][-1] = tables[0][-1], tables[0][0]
    assert proof_of(json.dumps(file)).faults != []


# -- changed -----------------------------------------------------------------------------------------------------------


def first(kind: str) -> Callable[[dict[str, Any]], dict[str, Any]]:
    return lambda file: next(entry for entry in file["log"] if entry["kind"] == kind)


def change_reason(file: dict[str, Any]) -> str:
    entry = first("round.seats_changed")(file)
    entry["payload"]["reason"] = "Brothers."
    return f"from entry {entry['seq']} on"


def change_actor(file: dict[str, Any]) -> str:
    entry = first("round.completed")(file)
    entry["actor"] = "Somebody Else"
    return f"from entry {entry['seq']} on"


def change_time(file: dict[str, Any]) -> str:
    entry = first("round.posted")(file)
    entry["at"] = "2027-03-05T09:00:00Z"
    return f"from entry {entry['seq']} on"


def drop_entry(file: dict[str, Any]) -> str:
    del file["log"][10]
    return "from entry 11 on"


def drop_last(file: dict[str, Any]) -> str:
    del file["log"][-1]
    return "entries are missing"


def change_float(file: dict[str, Any]) -> str:
    entry = first("event.started")(file)
    entry["payload"]["players"] = 5.5
    return f"from entry {entry['seq']} on"


def change_secret(file: dict[str, Any]) -> str:
    file["event"]["secret"] = "00" * 32
    return "The secret does not match"


def change_commitment(file: dict[str, Any]) -> str:
    file["event"]["commitment"] = "00" * 32
    return "not the one that the log says was published"


def change_lot(file: dict[str, Any]) -> str:
    one, other = file["players"][0], file["players"][1]
    one["lot"], other["lot"] = other["lot"], one["lot"]
    return f"The lots of {one['name']}, {other['name']} are not"


def swap_opponents(file: dict[str, Any]) -> str:
    tables = [match["seats"] for match in file["rounds"][0]["matches"] if match["table"]]
    tables[0][0], tables[1][0] = tables[1][0], tables[0][0]
    return "Round 1"


def change_plan(file: dict[str, Any]) -> str:
    group = file["rounds"][0]["plan"]["content"]["groups"][0]
    group["label"] += "x"
    return "Round 1 is not paired as its seed"


def change_result(file: dict[str, Any]) -> str:
    seats = next(match["seats"] for match in file["rounds"][1]["matches"] if match["table"] == 1)
    for key in ("outcome", "games"):
        seats[0][key], seats[1][key] = seats[1][key], seats[0][key]
    return "The result of table 1 in round 2 is not the one that the log tells."


def change_standing(file: dict[str, Any]) -> str:
    file["rounds"][0]["standings"][0][2]["match_points"] = "4"
    return "The standings after round 1 are not what the results come to."


CHANGES = [
    *(change_reason, change_actor, change_time, change_float, drop_entry, drop_last),
    *(change_secret, change_commitment, change_lot, swap_opponents, change_plan, change_result, change_standing),
]


def test_whatever_is_changed_in_the_file_is_found_and_named(make_event: Make) -> None:
    text = text_of(swiss(make_event))
    for change in CHANGES:
        file = json.loads(text)
        words = change(file)
        faults = proof_of(json.dumps(file)).faults
        assert any(words in fault for fault in faults), (change.__name__, faults)


@pytest.mark.parametrize("changed", [change_actor, change_time, drop_entry, change_result, swap_opponents])
def test_what_is_changed_in_the_file_of_the_public_is_found_too(make_event: Make, changed: Any) -> None:
    file = json.loads(text_of(swiss(make_event), "public"))
    words = changed(file)
    assert any(words in fault for fault in proof_of(json.dumps(file)).faults)


# -- who reads what ----------------------------------------------------------------------------------------------------


def test_before_the_end_staff_have_the_file_without_the_secret_and_nobody_else_has_one(
    make_event: Make, as_user: AsUser
) -> None:
    made = swiss(make_event, finished=False)
    made.draft_round()
    pages = [f"/e/{made.event.code}/event.json", f"/api/v1/events/{made.event.code}/file"]

    for page in pages:
        for client in (Client(), as_user(made.players[0]), as_user(make_user("Out Sider")), as_user(made.judge)):
            assert client.get(page).status_code == 404
    files = [b"".join(as_user(made.organiser).get(page).streaming_content) for page in pages]

    assert files[0] == files[1]
    assert bytes(made.event.secret).hex().encode() not in files[0]
    proof = proof_of(files[0].decode())
    assert proof.faults == []
    assert proof.unchecked == ["Nothing that was drawn is drawn again: the secret is shown when the event is finished."]
    assert [row["state"] for row in json.loads(files[0])["rounds"]] == ["complete", "complete", "draft"]


def test_an_organiser_who_plays_has_the_file_of_the_public(make_event: Make, as_user: AsUser) -> None:
    made = make_event(players=2)
    registration.register(event_id=made.event.pk, actor=made.by_organiser, user_id=made.organiser.pk)
    page = f"/e/{made.event.code}/event.json"
    assert as_user(made.organiser).get(page).status_code == 404
    Event.objects.filter(pk=made.event.pk).update(state="finished")
    assert json.loads(b"".join(as_user(made.organiser).get(page).streaming_content))["audience"] == "public"


def test_the_file_of_the_public_has_no_hidden_name_no_decklist_and_no_private_word(
    make_event: Make, client: Client
) -> None:
    made = make_event(players=5, decklists=False, checked_in=True)
    ada = made.players[0]
    for player in made.players:
        made.submit(player)
    registration.drop_player(event_id=made.event.pk, actor=made.by_organiser, player_id=made.players[4].pk)
    registration.reinstate_player(event_id=made.event.pk, actor=made.by_organiser, player_id=made.players[4].pk)
    registration.check_in(event_id=made.event.pk, actor=made.by_organiser, player_id=made.players[4].pk)
    setup.start_event(event_id=made.event.pk, actor=made.by_organiser)
    first_round = made.post_round()
    made.report(ada, first_round, 2, 1)
    privacy.choose_public_name(
        event_id=made.event.pk, actor=made.by_organiser, player_id=ada.pk, style="own", own="Masked Fox"
    )
    for match in missing_results(first_round):
        results.decide_result(
            event_id=made.event.pk, actor=made.by_organiser, match_id=match.pk, wins_a=2, wins_b=0, reason="Seen."
        )
    rounds.complete_round(event_id=made.event.pk, actor=made.by_organiser, round_number=1)
    finish(made)
    decklists = [player.submissions.get().decklist for player in made.players]
    card = decklists[0].entries[0]["name"]

    text = b"".join(client.get(f"/e/{made.event.code}/event.json").streaming_content).decode()
    desk = text_of(made)

    assert ada.name in desk
    assert "result.reported" in desk
    assert "Masked Fox" in text
    canaries = [ada.name, "result.reported", "staff.added", "@example.org", card, '"packs": [\n']
    canaries += [decklist.fingerprint for decklist in decklists]
    assert [word for word in canaries if word in text] == []
    assert proof_of(text).faults == []


# -- the command, the schema, the cost ---------------------------------------------------------------------------------


def test_the_command_proves_a_file_or_names_what_does_not_hold(make_event: Make, tmp_path: Path, monkeypatch) -> None:
    made = swiss(make_event)
    good, bad, torn = (tmp_path / name for name in ("good.json", "bad.json", "torn.json"))
    good.write_text(text_of(made))
    file = json.loads(text_of(made))
    place = change_reason(file)
    bad.write_text(json.dumps(file))
    torn.write_text(text_of(made)[:-30])
    Event.objects.filter(pk=made.event.pk).update(name="Not this one")  # the database is not asked

    out = StringIO()
    with CaptureQueriesContext(connection) as captured:
        call_command("verify_event", "--file", str(good), stdout=out)
    assert (len(captured), "Open of Hollowmere" in out.getvalue(), "Everything holds." in out.getvalue()) == (
        0,
        True,
        True,
    )

    out, err = StringIO(), StringIO()
    with pytest.raises(CommandError) as caught:
        call_command("verify_event", "--file", str(bad), "--json", stdout=out, stderr=err)
    told = json.loads(out.getvalue())
    assert (caught.value.returncode, told["holds"], place in told["faults"][0]) == (1, False, True)

    for arguments in (("--file", str(torn)), ("--file", str(tmp_path / "none.json")), ()):
        with pytest.raises(CommandError) as caught:
            call_command("verify_event", *arguments, stdout=StringIO())
        assert caught.value.returncode == 2
    monkeypatch.setattr("sys.stdin", TextIOWrapper(BytesIO(good.read_bytes())))
    call_command("verify_event", "--file", "-", stdout=StringIO())


@pytest.mark.parametrize("audience", ["staff", "public"])
def test_the_file_is_as_the_published_schema_has_it(make_event: Make, audience: str) -> None:
    file = json.loads(text_of(swiss(make_event), audience))
    jsonschema.Draft202012Validator(published()["event"]).validate(file)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.Draft202012Validator(published()["event"]).validate({**file, "more": 1})


def test_a_file_with_something_missing_or_more_is_refused_with_the_place(make_event: Make) -> None:
    file = json.loads(text_of(swiss(make_event)))
    del file["rounds"][0]["matches"][0]["table"]
    file["event"]["more"] = 1
    with pytest.raises(DomainError) as caught:
        read_event_file(json.dumps(file))
    assert caught.value.code == "event_file.unreadable"
    assert [fault["where"] for fault in caught.value.context["faults"]] == [
        "event/more",
        "rounds/0/matches/0/table",
    ]


@pytest.mark.parametrize("players", [2, 6])
def test_writing_the_file_costs_as_many_queries_for_two_players_as_for_six(make_event: Make, players: int) -> None:
    made = make_event(players=players, started=True)
    made.play_round()
    assert Match.objects.filter(event=made.event).count() == players // 2
    with CaptureQueriesContext(connection) as captured:
        text_of(made)
    assert len([query for query in captured if "SAVEPOINT" not in query["sql"]]) == 10
