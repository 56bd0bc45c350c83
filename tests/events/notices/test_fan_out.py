"""What was decided in a transaction becomes one delivery for each player and way that they want."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from events.models import Delivery, OutboxMessage
from events.queries.repairs import repair_of_player
from events.services import administration, missing_lists, notices, registration, repairs, rounds, setup, undoing
from events.services.transaction import AlreadyDone, Command
from tests.events.factories import actor_of, make_user, user_of

pytestmark = pytest.mark.django_db


def lines(made, kind: str = "round_posted", channel: str = "email") -> dict[str, str]:
    rows = Delivery.objects.filter(event=made.event, kind=kind, channel=channel).select_related("player")
    return {row.player.name: row.payload["line"] for row in rows}


def test_posted_pairings_tell_each_player_table_and_opponent(make_event):
    made = make_event(started=True)
    notices.fan_out()
    round_ = made.post_round()
    notices.fan_out()

    expected = {}
    for player in made.players:
        table = made.match_of(player, round_).table
        expected[player.name] = f"Round 1: table {table} against {made.opponent_of(player, round_).name}"
    assert lines(made) == expected


def test_an_odd_player_is_told_of_the_bye(make_event):
    made = make_event(players=3, started=True)
    round_ = made.post_round()
    notices.fan_out()

    alone = round_.matches.get(table=None).seats.get().player
    assert lines(made)[alone.name] == "Round 1: you have the bye"


def test_a_surname_that_is_hidden_is_in_no_notice(make_event):
    made = make_event(players=0)
    for number, name in enumerate(["Canary Birdseye", "Ada Brook"]):
        person = make_user(name)
        registration.register(
            event_id=made.event.pk, actor=actor_of(person), user_id=person.pk, hides_surname=number == 0
        )
    for player in made.event.players.all():
        registration.check_in(event_id=made.event.pk, actor=made.by_organiser, player_id=player.pk)
        made.submit(player)
    setup.start_event(event_id=made.event.pk, actor=made.by_organiser)
    made.post_round()
    notices.fan_out()

    assert lines(made)["Ada Brook"] == "Round 1: table 1 against Canary B."
    assert not any("Birdseye" in str(row.payload) for row in Delivery.objects.all())


def test_a_request_that_is_sent_twice_tells_once(make_event):
    made = make_event(started=True)
    notices.fan_out()
    round_ = made.draft_round()
    post = {"event_id": made.event.pk, "actor": made.by_organiser, "round_number": round_.sequence}
    rounds.post_round(**post, command=Command(key="the-same-key"))
    with pytest.raises(AlreadyDone):
        rounds.post_round(**post, command=Command(key="the-same-key"))

    assert notices.fan_out() == 4
    assert notices.fan_out() == 0


def test_a_message_that_is_taken_up_twice_makes_no_second_delivery(make_event):
    made = make_event(started=True)
    made.post_round()
    notices.fan_out()
    before = set(Delivery.objects.values_list("key", flat=True))
    OutboxMessage.objects.filter(topic="round_posted").update(sent_at=None)
    notices.fan_out()

    assert set(Delivery.objects.values_list("key", flat=True)) == before
    assert len(before) == 4


def test_a_round_that_was_taken_back_before_anybody_was_told_tells_nobody(make_event):
    made = make_event(started=True)
    round_ = made.post_round(clock=False)
    undoing.unpost_round(event_id=made.event.pk, actor=made.by_organiser, round_number=round_.sequence)
    notices.fan_out()

    assert lines(made) == {}


def test_a_repair_tells_who_was_moved_from_where_to_where(make_event):
    made = make_event(players=6, started=True)
    round_ = made.post_round(clock=False)
    gone = made.players[0]
    left = made.opponent_of(gone, round_)
    table = made.match_of(left, round_).table
    registration.drop_player(event_id=made.event.pk, actor=actor_of(user_of(gone)), player_id=gone.pk)
    gone.refresh_from_db()
    repair = repair_of_player(event=made.event, round_=round_, player=gone)
    plan = next(key for key in repair.plans if repair.chosen(key).bye_after == left.pk)
    repairs.repair_round(
        event_id=made.event.pk,
        actor=made.by_organiser,
        round_number=round_.sequence,
        player_id=gone.pk,
        reason="Ill.",
        plan=plan,
    )
    notices.fan_out()

    assert lines(made, "players_moved") == {
        left.name: f"Round 1, changed: you have the bye, no longer table {table} against {gone.name}",
        gone.name: "Round 1, changed: you no longer play in it",
    }


def test_whoever_is_dropped_by_staff_is_told_and_whoever_drops_is_not(make_event):
    made = make_event(started=True)
    one, other = made.players[:2]
    registration.drop_player(event_id=made.event.pk, actor=made.by_organiser, player_id=one.pk)
    registration.drop_player(event_id=made.event.pk, actor=actor_of(user_of(other)), player_id=other.pk)
    notices.fan_out()

    assert lines(made, "player_dropped") == {one.name: "Staff have taken you out of Open of Hollowmere"}


def test_pairings_that_are_taken_back_are_taken_back_from_whoever_was_told(make_event, work, mails):
    made = make_event(started=True)
    notices.fan_out()
    slow = user_of(made.players[0]).email
    mails.answers = lambda address: "451 later" if address == slow else "250 OK"
    round_ = made.post_round(clock=False)
    assert work() == {"sent": 3, "failed": 1}
    undoing.unpost_round(event_id=made.event.pk, actor=made.by_organiser, round_number=round_.sequence)
    notices.fan_out()

    told = {player.name: "Round 1: the pairings are taken back" for player in made.players[1:]}
    assert lines(made, "round_unposted") == told
    assert made.players[0].name not in lines(made)  # nobody is told any more what was not told yet


def test_pairings_that_are_posted_again_at_once_are_told_once(make_event):
    made = make_event(started=True)
    notices.fan_out()
    round_ = made.post_round(clock=False)
    again = {"event_id": made.event.pk, "actor": made.by_organiser, "round_number": round_.sequence}
    undoing.unpost_round(**again)
    rounds.post_round(**again)
    notices.fan_out()

    assert sorted(Delivery.objects.values_list("kind", flat=True)) == ["round_posted"] * 4


def test_an_event_that_is_called_off_is_told_to_everybody_in_it(make_event):
    made = make_event(players=3)
    registration.drop_player(
        event_id=made.event.pk, actor=actor_of(user_of(made.players[0])), player_id=made.players[0].pk
    )
    administration.cancel_event(event_id=made.event.pk, actor=made.by_organiser, reason="The hall is flooded.")
    notices.fan_out()

    assert lines(made, "event_cancelled") == {
        player.name: "Open of Hollowmere is called off" for player in made.players[1:]
    }


def test_what_lay_there_for_long_is_told_to_nobody(make_event):
    made = make_event(started=True)
    made.post_round()
    OutboxMessage.objects.update(created_at=timezone.now() - timedelta(hours=2))

    assert notices.fan_out() == 0
    assert not OutboxMessage.objects.filter(topic="round_posted", sent_at=None).exists()


def test_a_message_that_makes_no_sense_keeps_no_other_waiting(make_event, caplog):
    made = make_event(started=True)
    notices.fan_out()
    OutboxMessage.objects.create(event=made.event, topic="round_posted", key="nonsense", payload={})
    made.post_round()

    assert notices.fan_out() == 4
    assert "tells nobody anything" in caplog.text
    for _ in range(10):
        assert notices.fan_out() == 0
    assert OutboxMessage.objects.get(key="nonsense").attempts == 8


def test_a_reminder_goes_to_whom_it_names(make_event):
    made = make_event()
    players = [player.pk for player in made.players[:2]]
    OutboxMessage.objects.create(
        event=made.event, topic="decklist_reminder", key="reminder", payload={"players": players}
    )
    notices.fan_out()

    line = "Open of Hollowmere waits for your decklist"
    assert lines(made, "decklist_reminder") == {player.name: line for player in made.players[:2]}


def test_who_was_not_there_at_the_start_is_told_why_they_are_out(make_event):
    made = make_event(players=3, checked_in=True, decklists=True)
    absent = made.players[0]
    registration.undo_check_in(event_id=made.event.pk, actor=made.by_organiser, player_id=absent.pk)
    setup.start_event(event_id=made.event.pk, actor=made.by_organiser)
    notices.fan_out()

    line = "You are out of Open of Hollowmere: you were not checked in when it began"
    assert lines(made, "player_dropped") == {absent.name: line}


def test_who_is_out_for_want_of_a_decklist_is_told_so(make_event):
    made = make_event(players=3, checked_in=True, decklists=False)
    for player in made.players[1:]:
        made.submit(player)
    rules = {"mode": "required", "without": "drop"}
    missing_lists.change_decklist_rules(event_id=made.event.pk, actor=made.by_organiser, **rules)
    setup.start_event(event_id=made.event.pk, actor=made.by_organiser)
    notices.fan_out()

    line = "You are out of Open of Hollowmere: it has no legal decklist of yours"
    assert lines(made, "player_dropped") == {made.players[0].name: line}
