"""An event can be proved afterwards, and whatever was changed behind its back is found."""

from __future__ import annotations

import json
from collections.abc import Callable
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import DatabaseError, connection, transaction

from events.models import LogEntry, PackCard, Seat, Standing
from events.queries.verification import verify_event
from tests.events.factories import Made

Make = Callable[..., Made]
pytestmark = pytest.mark.django_db


def played(make_event: Make, **options: Any) -> Made:
    made = make_event(players=5, started=True, **options)
    made.play_round()
    made.play_round()
    return made


def change_log(sql: str, *arguments: Any) -> None:
    """What somebody with the database's own password could do."""
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")  # a table with checks pending can't be altered
        cursor.execute("ALTER TABLE events_logentry DISABLE TRIGGER log_is_append_only")
        cursor.execute(sql, arguments)
        cursor.execute("ALTER TABLE events_logentry ENABLE TRIGGER log_is_append_only")


def test_a_played_event_holds(make_event: Make) -> None:
    made = played(make_event)
    found = verify_event(made.refresh())
    assert found.faults == []
    assert {key: found.checked[key] for key in ("commitment", "lots", "pairings", "standings")} == {
        "commitment": 1,
        "lots": 5,
        "pairings": 6,
        "standings": 10,
    }
    assert found.checked["log entries"] == LogEntry.objects.filter(event=made.event).count()


def test_a_drafted_event_holds(make_event: Make) -> None:
    made = make_event(policy="draft-2", players=4, started=True)
    made.draft_to_the_end()
    made.next_stage()
    found = verify_event(made.refresh())
    assert found.faults == []
    assert (found.checked["packs"], found.checked["pods"], found.checked["picks"]) == (8, 1, 120)


def test_one_byte_flipped_in_the_log_is_found(make_event: Make) -> None:
    made = played(make_event)
    entry = LogEntry.objects.filter(event=made.event, kind="result.confirmed").order_by("seq")[0]
    text = json.dumps(entry.payload)
    flipped = text.replace('"wins": 2', '"wins": 3', 1)
    assert sum(a != b for a, b in zip(text, flipped, strict=True)) == 1
    change_log("UPDATE events_logentry SET payload = %s WHERE id = %s", flipped, entry.pk)
    assert verify_event(made.refresh()).faults == [
        f"The log does not hold from entry {entry.seq} on: it was changed after it was written."
    ]


def test_a_log_entry_taken_away_is_found(make_event: Make) -> None:
    made = played(make_event)
    last = LogEntry.objects.filter(event=made.event).order_by("-seq")[0]
    change_log("DELETE FROM events_logentry WHERE id = %s", last.pk)
    assert verify_event(made.refresh()).faults == [
        "The log's last entry is not the one that the event remembers: entries are missing."
    ]


@pytest.mark.parametrize("sql", ["UPDATE events_logentry SET kind = 'x'", "DELETE FROM events_logentry"])
def test_the_database_refuses_to_change_the_log(make_event: Make, sql: str) -> None:
    make_event(players=2)
    with pytest.raises(DatabaseError, match="append-only"), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(sql)


def test_a_changed_standing_is_found(make_event: Make) -> None:
    made = played(make_event)
    row = Standing.objects.filter(event=made.event, rank=1).order_by("-round__sequence")[0]
    row.values["match_points"] = "9"
    row.save()
    assert verify_event(made.refresh()).faults == ["The standings after round 2 are not what the results come to."]


def test_a_changed_result_is_found(make_event: Make) -> None:
    made = played(make_event)
    seat = Seat.objects.filter(event=made.event, round__sequence=2, outcome="loss")[0]
    seat.outcome, seat.game_wins, seat.game_losses = "win", 2, 0
    seat.save()
    assert "The standings after round 2 are not what the results come to." in verify_event(made.refresh()).faults


def test_another_secret_is_found(make_event: Make) -> None:
    made = played(make_event)
    made.event.secret = bytes(32)
    made.event.save()
    faults = verify_event(made.event).faults
    assert "The secret does not match the hash that was published before the event." in faults


def test_a_swapped_card_in_a_pack_is_found(make_event: Make) -> None:
    made = make_event(policy="sealed-3", players=2, started=True)
    cards = list(PackCard.objects.filter(pack__event=made.event).order_by("pack_id", "position")[:2])
    cards[0].card_id = next(card.card_id for card in PackCard.objects.all() if card.card_id != cards[0].card_id)
    cards[0].save()
    (fault,) = verify_event(made.event).faults
    assert fault.endswith("does not hold the cards that its seed gives.")


def test_swapped_opponents_are_found(make_event: Make) -> None:
    made = played(make_event)
    one, other = Seat.objects.filter(round__sequence=1, round__event=made.event, index=1).order_by("pk")[:2]
    one_player, other_player = one.player_id, other.player_id
    bye = Seat.objects.get(round__sequence=1, round__event=made.event, match__table=None)
    bye_player = bye.player_id
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL DEFERRED")
    Seat.objects.filter(pk=bye.pk).delete()
    Seat.objects.filter(pk=one.pk).delete()
    one.player_id, other.player_id = other_player, one_player
    Seat.objects.filter(pk=other.pk).delete()
    for seat, player in ((bye, bye_player), (one, other_player), (other, one_player)):
        seat.player_id = player
        seat.save(force_insert=True)
    faults = verify_event(made.refresh()).faults
    assert "Round 1 is not paired as its seed and the standings give." in faults
    assert "Round 1 is not seated as it was posted and mended." in faults


def test_the_command_says_that_everything_holds_or_what_does_not(make_event: Make) -> None:
    made = played(make_event)
    out, err = StringIO(), StringIO()
    call_command("verify_event", str(made.event.pk), stdout=out, stderr=err)
    assert out.getvalue().endswith("Everything holds.\n")
    entry = LogEntry.objects.filter(event=made.event).order_by("seq")[2]
    change_log("UPDATE events_logentry SET actor_name = 'Somebody' WHERE id = %s", entry.pk)
    with pytest.raises(CommandError) as refusal:
        call_command("verify_event", made.event.code, "--json", stdout=(out := StringIO()), stderr=err)
    assert refusal.value.returncode == 1
    assert json.loads(out.getvalue())["holds"] is False


def test_the_command_says_when_there_is_no_such_event(make_event: Make) -> None:
    with pytest.raises(CommandError, match="There is no event 'nowhere'") as refusal:
        call_command("verify_event", "nowhere")
    assert refusal.value.returncode == 2
