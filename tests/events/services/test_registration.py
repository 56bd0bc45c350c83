"""Who plays: entries, claims, check-in, drops and their taking back."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from config.errors import Conflict, DomainError, NotFound
from events.models import Event, Player, Seat
from events.queries.scoring import current_standings
from events.services import administration, registration, results, rounds, setup
from events.services.transaction import AlreadyDone, Change, Command
from tests.events.factories import Made, actor_of, make_user, user_of
from tests.events.services.watching import last_entry, nothing_new, one_change, refused

Make = Callable[..., Made]
pytestmark = pytest.mark.django_db


def register(made: Made, name: str, **options: Any) -> Change:
    person = make_user(name)
    return registration.register(event_id=made.event.pk, actor=actor_of(person), user_id=person.pk, **options)


def add(made: Made, name: str) -> Change:
    return registration.add_player(event_id=made.event.pk, actor=made.by_organiser, name=name)


def claim(token: str, name: str) -> Change:
    person = make_user(name)
    return registration.claim_entry(token=token, actor=actor_of(person), user_id=person.pk)


def check_in(made: Made, player_id: int) -> Change:
    return registration.check_in(event_id=made.event.pk, actor=made.by_organiser, player_id=player_id)


def undo(made: Made, player_id: int) -> Change:
    return registration.undo_check_in(event_id=made.event.pk, actor=made.by_organiser, player_id=player_id)


def drop(made: Made, player: Player) -> Change:
    return registration.drop_player(event_id=made.event.pk, actor=made.by_organiser, player_id=player.pk)


def reinstate(made: Made, player: Player) -> Change:
    return registration.reinstate_player(event_id=made.event.pk, actor=made.by_organiser, player_id=player.pk)


def state_of(player: Player) -> tuple[str, int | None]:
    player.refresh_from_db()
    return player.state, player.dropped_after_round


# -- entries ----------------------------------------------------------------------------------------------------------


def test_a_user_enters_under_their_display_name(make_event: Make) -> None:
    made = make_event(players=0)
    with one_change(made.event, "player.registered"):
        change = register(made, "Zoe Ames")
    player = Player.objects.get(pk=change.facts["player"])
    assert (player.name, player.name_key, player.state, player.claim_token) == (
        "Zoe Ames",
        "zoe ames",
        "registered",
        None,
    )
    assert last_entry(made.event).payload == {"player": player.pk, "guest": False}


def test_nobody_enters_twice(make_event: Make) -> None:
    made = make_event(players=1)
    with refused(Conflict, "registration.already", 409):
        register(made, made.players[0].name)


def test_the_same_request_twice_is_one_entry(make_event: Make) -> None:  # T18
    made = make_event(players=0)
    command = Command(key="register-me")
    first = register(made, "Quick Clicker", command=command)
    with nothing_new(), pytest.raises(AlreadyDone) as repeat:
        register(made, "Quick Clicker", command=command)
    assert repeat.value.change == first


@pytest.mark.parametrize("spelling", ["Ada Brook", "ada  brook", "ÁDA BRÓOK"])
def test_two_players_are_never_called_the_same(make_event: Make, spelling: str) -> None:
    made = make_event(players=1)
    with refused(Conflict, "registration.name_taken", 409):
        add(made, spelling)


def test_a_full_event_takes_nobody_until_somebody_leaves(make_event: Make) -> None:
    made = make_event(players=2, capacity=2)
    with refused(Conflict, "registration.full", 409, {"capacity": 2}):
        register(made, "Late Comer")
    with refused(Conflict, "registration.full", 409, {"capacity": 2}):
        add(made, "Late Guest")
    drop(made, made.players[0])
    register(made, "Late Comer")


def test_who_left_a_full_event_does_not_come_back_over_its_capacity(make_event: Make) -> None:
    made = make_event(players=2, capacity=2)
    drop(made, made.players[0])
    register(made, "Late Comer")
    with refused(Conflict, "registration.full", 409, {"capacity": 2}):
        reinstate(made, made.players[0])


def test_registration_closes_with_the_start(make_event: Make) -> None:
    made = make_event(players=2, started=True)
    with refused(Conflict, "registration.closed", 409, {"state": "running"}):
        register(made, "Late Comer")
    with refused(Conflict, "registration.closed", 409):
        add(made, "Late Guest")
    with refused(Conflict, "registration.closed", 409):
        check_in(made, made.players[0].pk)
    with refused(Conflict, "registration.closed", 409):
        undo(made, made.players[0].pk)


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("  ", "account.display_name_empty"),
        ("x" * 61, "account.display_name_long"),
        ("Ada\u202eBrook", "account.display_name_character"),
    ],
)
def test_a_name_that_can_not_be_shown(make_event: Make, name: str, code: str) -> None:
    made = make_event(players=0)
    with refused(DomainError, code, 400):
        add(made, name)


def test_a_name_that_grows_when_it_is_folded_is_entered(make_event: Make) -> None:
    made = make_event(players=0)
    name = "\ufdfa" * 60  # one character, eighteen once folded
    assert add(made, name).facts["name"] == name
    with refused(Conflict, "registration.name_taken", 409):
        add(made, name)


# -- claims -----------------------------------------------------------------------------------------------------------


def test_an_entry_without_an_account_is_claimed_once(make_event: Make) -> None:
    made = make_event(players=0)
    entry = add(made, "Guest Of Honour")
    with one_change(made.event, "player.claimed"):
        answer = claim(entry.facts["claim_token"], "Real Person")
    player = Player.objects.get(pk=entry.facts["player"])
    assert (user_of(player).display_name, player.name, player.claim_token) == ("Real Person", "Guest Of Honour", None)
    assert answer.facts == {"event": made.event.pk, "code": made.event.code, "player": player.pk}
    with refused(NotFound, "claim.unknown", 404):
        claim(entry.facts["claim_token"], "Other Person")


def test_a_claim_that_is_sent_again_gets_its_answer_again(make_event: Make) -> None:
    token = add(make_event(players=0), "Guest Of Honour").facts["claim_token"]
    person = make_user("Real Person")

    def send() -> Change:
        command = Command(key="claimed-by-link")
        return registration.claim_entry(token=token, actor=actor_of(person), user_id=person.pk, command=command)

    first = send()
    with nothing_new(), pytest.raises(AlreadyDone) as repeat:
        send()
    assert repeat.value.change == first


def test_links_are_long_and_the_log_does_not_hold_them(make_event: Make) -> None:
    made = make_event(players=0)
    one, other = (add(made, name).facts["claim_token"] for name in ("Guest One", "Guest Two"))
    assert one != other
    assert min(len(one), len(other)) >= 32
    assert one not in str(list(made.event.log.values_list("payload", flat=True)))


def test_who_has_an_entry_claims_no_second(make_event: Make) -> None:
    made = make_event(players=1)
    token = add(made, "Guest Of Honour").facts["claim_token"]
    with refused(Conflict, "registration.already", 409):
        claim(token, made.players[0].name)


# -- check-in ---------------------------------------------------------------------------------------------------------


def test_check_in_and_its_undoing(make_event: Make) -> None:
    made = make_event(players=1)
    player = made.players[0]
    with one_change(made.event, "player.checked_in"):
        check_in(made, player.pk)
    assert state_of(player) == ("checked_in", None)
    with one_change(made.event, "player.check_in_undone"):
        undo(made, player.pk)
    assert state_of(player) == ("registered", None)


def test_a_player_of_another_event_is_unknown_here(make_event: Make) -> None:
    made, other = make_event(players=1), make_event(players=1, name="Another Open")
    stranger = other.players[0]
    for service in (check_in, undo):
        with refused(NotFound, "player.unknown", 404, {"player": stranger.pk}):
            service(made, stranger.pk)
    for service in (drop, reinstate):
        with refused(NotFound, "player.unknown", 404, {"player": stranger.pk}):
            service(made, stranger)


def test_who_dropped_checks_in_only_after_coming_back(make_event: Make) -> None:
    made = make_event(players=1)
    player = made.players[0]
    drop(made, player)
    for service in (check_in, undo):
        with refused(Conflict, "player.dropped", 409):
            service(made, player.pk)
    with one_change(made.event, "player.reinstated"):
        reinstate(made, player)
    assert state_of(player) == ("registered", None)
    check_in(made, player.pk)


# -- drops ------------------------------------------------------------------------------------------------------------


def test_a_drop_is_told_and_counts_once(make_event: Make) -> None:
    made = make_event(players=3, started=True)
    player = made.players[0]
    with one_change(made.event, "player.dropped"):
        drop(made, player)
    assert state_of(player) == ("dropped", 0)
    with refused(Conflict, "player.dropped", 409):
        drop(made, player)


def test_a_match_under_way_is_finished_without_who_dropped(make_event: Make) -> None:  # T16
    made = make_event(players=4, started=True)
    round_ = made.post_round()
    leaver = round_.matches.get(table=1).seats.get(index=0).player
    stays = made.opponent_of(leaver, round_)
    drop(made, leaver)
    assert state_of(leaver) == ("dropped", 1)
    made.report(stays, round_, 2, 0)
    match = made.match_of(leaver, round_)
    assert match.state == "reported"
    results.decide_result(
        event_id=made.event.pk, actor=made.by_organiser, match_id=match.pk, wins_a=0, wins_b=2, reason="Opponent left."
    )
    other = round_.matches.get(table=2)
    results.decide_result(event_id=made.event.pk, actor=made.by_organiser, match_id=other.pk, wins_a=2, wins_b=0)
    rounds.complete_round(event_id=made.event.pk, actor=made.by_organiser, round_number=1)
    second = made.draft_round()
    assert not Seat.objects.filter(round=second, player=leaver).exists()
    assert Seat.objects.filter(round=second).count() == 3
    rows = {row.player: row for row in current_standings(made.event)}
    assert leaver.pk in rows  # their matches still count for their opponents
    assert rows[stays.pk].record.wins == 1


def test_a_drafted_round_with_who_dropped_is_not_posted(make_event: Make) -> None:  # T16
    made = make_event(players=4, started=True)
    made.draft_round()
    leaver = made.players[0]
    drop(made, leaver)
    with refused(Conflict, "round.has_dropped", 409, {"players": [leaver.name]}):
        rounds.post_round(event_id=made.event.pk, actor=made.by_organiser, round_number=1)
    rounds.discard_draft(event_id=made.event.pk, actor=made.by_organiser, round_number=1)
    made.post_round()
    assert not Seat.objects.filter(event=made.event, player=leaver).exists()


def test_a_drop_is_taken_back_until_a_round_was_paired_without_the_player(make_event: Make) -> None:
    made = make_event(players=3, started=True)
    player = made.players[0]
    drop(made, player)
    with one_change(made.event, "player.reinstated"):
        reinstate(made, player)
    assert state_of(player) == ("checked_in", None)
    with refused(Conflict, "player.not_dropped", 409):
        reinstate(made, player)
    drop(made, player)
    made.draft_round()
    with refused(Conflict, "player.missed_round", 409):
        reinstate(made, player)


def test_a_round_paired_anew_after_a_drop_is_one_without_the_player(make_event: Make) -> None:
    made = make_event(players=4, started=True)
    made.draft_round()
    player = made.players[0]
    drop(made, player)
    rounds.discard_draft(event_id=made.event.pk, actor=made.by_organiser, round_number=1)
    assert state_of(player) == ("dropped", 0)
    made.draft_round()
    with refused(Conflict, "player.missed_round", 409):
        reinstate(made, player)


def test_a_discarded_draft_does_not_move_earlier_drops(make_event: Make) -> None:
    made = make_event(players=5, started=True)
    early, late = made.players[:2]
    made.play_round()
    drop(made, early)
    made.draft_round()
    drop(made, late)
    rounds.discard_draft(event_id=made.event.pk, actor=made.by_organiser, round_number=2)
    assert (state_of(early), state_of(late)) == (("dropped", 1), ("dropped", 1))


def test_a_no_show_is_not_simply_taken_back(make_event: Make) -> None:
    made = make_event(players=3, checked_in=True, decklists=True)
    absent = made.players[0]
    undo(made, absent.pk)
    setup.start_event(event_id=made.event.pk, actor=made.by_organiser)
    with refused(Conflict, "player.no_show", 409):
        reinstate(made, absent)


def test_nobody_comes_or_goes_when_the_event_is_over(make_event: Make) -> None:
    made = make_event(players=3, started=True)
    gone, here = made.players[:2]
    drop(made, gone)
    administration.cancel_event(event_id=made.event.pk, actor=made.by_organiser, reason="The roof leaks.")
    assert Event.objects.get(pk=made.event.pk).state == "cancelled"
    with refused(Conflict, "event.over", 409, {"state": "cancelled"}):
        drop(made, here)
    with refused(Conflict, "event.over", 409, {"state": "cancelled"}):
        reinstate(made, gone)
