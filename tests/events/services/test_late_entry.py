"""Coming in late: new people and returning ones, the rounds they missed, their lot, and taking it back."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import contextmanager
from dataclasses import replace
from fractions import Fraction

import pytest

from cards.engine.streams import Stream
from config.errors import DomainError
from events.engine.event_file import read_event_file
from events.engine.event_proof import prove
from events.engine.fairness import late_lot_label
from events.engine.standings import draw_late_lot, rank_table
from events.models import Event, Player, Seat
from events.queries.event_file import event_file
from events.queries.late_entry import LateTerms, late_terms
from events.queries.scoring import current_standings, result_table, standings_policy
from events.queries.verification import verify_event
from events.sentences_late import terms_sentence
from events.services import late_entry, registration, results, rounds, setup
from tests.events.factories import SECRET, Made, actor_of, make_user, user_of

pytestmark = pytest.mark.django_db
Make = Callable[..., Made]


@contextmanager
def refused(code: str, status: int):
    with pytest.raises(DomainError) as refusal:
        yield
    assert (refusal.value.code, refusal.value.status) == (code, status)


@pytest.fixture
def open_event(make_event: Make) -> Made:
    """Six players, two of five rounds played; latecomers are let in until round 4."""
    made = make_event(players=6, started=True)
    allow(made, 4)
    made.event.stages.update(rounds_planned=5)
    made.play_round()
    made.play_round()
    return made


def allow(made: Made, last: int | None) -> None:
    Event.objects.filter(pk=made.event.pk).update(late_until_round=last)
    made.refresh()


def enter(made: Made, *, at: int, **who: object) -> Player:
    change = late_entry.enter_late(event_id=made.event.pk, actor=made.by_organiser, round_number=at, **who)
    return Player.objects.get(pk=change.facts["player"])


def undo(made: Made, player: Player) -> None:
    late_entry.undo_late_entry(event_id=made.event.pk, actor=made.by_organiser, player_id=player.pk)


def drop(made: Made, player: Player) -> None:
    registration.drop_player(event_id=made.event.pk, actor=made.by_organiser, player_id=player.pk)


def row_of(made: Made, player: Player):
    return next((row for row in current_standings(made.refresh()) if row.player == player.pk), None)


def faults(made: Made) -> list[str]:
    return verify_event(made.refresh()).faults


def test_a_new_person_plays_from_the_next_round_with_the_rounds_before_missed_and_not_byes(open_event: Made) -> None:
    assert late_terms(open_event.event) == LateTerms(round=3, missed=(1, 2), count_as_lost=True, needs_decklist=True)

    late = enter(open_event, at=3, name="Lena Toft")
    round_ = open_event.post_round()

    assert (late.state, late.entered_from_round, late.claim_token is not None) == ("checked_in", 3, True)
    assert Seat.objects.filter(round=round_, player=late).count() == 1
    row = row_of(open_event, late)
    assert (row.record.absences, row.record.byes, row.record.losses) == (2, 0, 0)
    assert int(row.values["match_points"]) == 0


def test_the_standings_of_before_stand_and_everything_verifies_to_the_end(open_event: Made) -> None:
    late = enter(open_event, at=3, name="Lena Toft")
    other = enter(open_event, at=3, name="Mats Uhl")
    assert faults(open_event) == []

    third = open_event.play_round()
    drop(open_event, other)
    open_event.play_round()

    assert {late.pk, other.pk} <= set(third.standings.values_list("player", flat=True))
    second = open_event.event.rounds.get(sequence=2)
    assert set(second.standings.values_list("player", flat=True)) == {player.pk for player in open_event.players}
    assert faults(open_event) == []


def test_the_file_of_an_event_with_latecomers_is_proved_without_the_database(open_event: Made) -> None:
    enter(open_event, at=3, name="Lena Toft")
    ada = open_event.players[0]
    drop(open_event, ada)
    open_event.play_round()
    enter(open_event, at=4, player_id=ada.pk)
    open_event.play_round()
    open_event.event.stages.update(rounds_planned=4)
    open_event.event.stages.filter(state="waiting").delete()
    open_event.finish()

    proof = prove(read_event_file("".join(event_file(open_event.event.pk, "staff"))))

    assert (proof.faults, proof.checked["lots"], faults(open_event)) == ([], 7, [])


def test_missed_rounds_are_lost_ones_in_what_opponents_are_worth(open_event: Made) -> None:
    """One match won of three is a third; without the two that were missed it would be all of one."""
    late = enter(open_event, at=3, name="Lena Toft")
    third = open_event.post_round()
    match = open_event.match_of(late, third)
    wins = 2 if match.seats.get(player=late).index == 0 else 0
    results.decide_result(
        event_id=open_event.event.pk, actor=open_event.by_organiser, match_id=match.pk, wins_a=wins, wins_b=2 - wins
    )
    opponent = match.seats.exclude(player=late).get().player

    table, policy = result_table(open_event.refresh()), standings_policy(open_event.event)
    counted, left_out = (
        next(row for row in rank_table(table, each).rows() if row.player == opponent.pk).values["omw"]
        for each in (policy, replace(policy, missed_rounds_count=False))
    )

    assert left_out - counted == (1 - Fraction(1, 3)) / 3


def test_the_lot_is_drawn_from_a_stream_of_its_own_and_a_changed_one_is_found(open_event: Made) -> None:
    late = enter(open_event, at=3, name="Lena Toft")

    assert late.lot == draw_late_lot(6, Stream(SECRET, late_lot_label(late.pk)))
    assert faults(open_event) == []

    Player.objects.filter(pk=late.pk).update(lot=late.lot % 6 + 1)
    assert faults(open_event) == ["The lots of Lena Toft are not the ones that were drawn."]


def test_it_is_taken_back_until_the_next_round_is_paired(open_event: Made) -> None:
    late = enter(open_event, at=3, name="Lena Toft")
    undo(open_event, late)
    late.refresh_from_db()
    assert (late.state, late.lot, late.late_entries, row_of(open_event, late)) == ("dropped", 0, [], None)
    assert faults(open_event) == []

    again = enter(open_event, at=3, player_id=late.pk)
    assert (again.pk, again.lot) == (late.pk, draw_late_lot(6, Stream(SECRET, late_lot_label(late.pk))))
    open_event.draft_round()
    with refused("undo.built_upon", 409):
        undo(open_event, late)


def test_who_dropped_comes_back_with_the_lot_of_the_start_and_is_dropped_again_by_the_undo(open_event: Made) -> None:
    ada = open_event.players[0]
    drop(open_event, ada)
    open_event.play_round()
    assert late_terms(open_event.event, Player.objects.get(pk=ada.pk)).missed == (3,)

    back = enter(open_event, at=4, player_id=ada.pk)

    assert (back.state, back.lot, back.dropped_after_round) == ("checked_in", ada.lot, None)
    assert row_of(open_event, ada).record.absences == 1
    assert faults(open_event) == []
    undo(open_event, ada)
    gone = Player.objects.get(pk=ada.pk)
    assert (gone.state, gone.dropped_after_round, gone.entered_from_round) == ("dropped", 2, 1)
    assert row_of(open_event, ada).record.absences == 0
    enter(open_event, at=4, player_id=ada.pk)
    open_event.play_round()
    assert row_of(open_event, ada).record.absences == 1
    assert faults(open_event) == []


def test_who_was_not_there_at_the_start_and_who_waited_come_in(make_event: Make) -> None:
    made = make_event(players=5, decklists=True)
    for player in made.players[:4]:
        registration.check_in(event_id=made.event.pk, actor=made.by_organiser, player_id=player.pk)
    setup.start_event(event_id=made.event.pk, actor=made.by_organiser)
    allow(made, 2)
    no_show = made.players[4]
    made.play_round()

    came = enter(made, at=2, player_id=no_show.pk)

    assert (came.state, came.lot > 0) == ("checked_in", True)
    assert faults(made) == []


def test_a_draft_that_is_thrown_away_lets_who_was_to_come_after_it_play_in_its_place(open_event: Made) -> None:
    open_event.draft_round()
    late = enter(open_event, at=4, name="Lena Toft")
    assert late.late_entries[0]["missed"] == [1, 2, 3]

    rounds.discard_draft(event_id=open_event.event.pk, actor=open_event.by_organiser, round_number=3)

    late.refresh_from_db()
    assert (late.entered_from_round, late.late_entries[0]["missed"]) == (3, [1, 2])
    third = open_event.play_round()
    assert Seat.objects.filter(round=third, player=late).exists()
    assert row_of(open_event, late).record.absences == 2
    assert faults(open_event) == []


def test_a_price_that_has_changed_is_not_charged(open_event: Made) -> None:
    open_event.draft_round()

    with refused("late.price_changed", 409):
        enter(open_event, at=3, name="Lena Toft")

    assert not Player.objects.filter(name="Lena Toft").exists()


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"late_until_round": None}, "late.closed"),
        ({"late_until_round": 2}, "late.too_late"),
        ({"capacity": 6}, "registration.full"),
        ({"state": "finished"}, "event.not_running"),
    ],
)
def test_nobody_comes_in_where_the_event_does_not_let_them(open_event: Made, change, code) -> None:
    Event.objects.filter(pk=open_event.event.pk).update(**change)

    with refused(code, 409):
        enter(open_event, at=3, name="Lena Toft")


def test_after_the_last_swiss_round_nobody_comes_in(open_event: Made) -> None:
    open_event.event.stages.update(rounds_planned=2)

    with refused("late.no_swiss", 409):
        enter(open_event, at=3, name="Lena Toft")


def test_nobody_comes_into_an_event_whose_cards_are_handed_out(make_event: Make) -> None:
    made = make_event(policy="sealed-2", players=4, started=True)
    allow(made, 3)

    with refused("late.limited", 409):
        enter(made, at=1, name="Lena Toft")


def test_a_name_that_is_taken_is_refused_and_who_plays_is_not_late(open_event: Made) -> None:
    with refused("registration.name_taken", 409):
        enter(open_event, at=3, name=open_event.players[0].name.upper())
    with refused("player.not_dropped", 409):
        enter(open_event, at=3, player_id=open_event.players[0].pk)


def test_people_enter_themselves_but_who_left_asks_the_staff(open_event: Made) -> None:
    lena, ada = make_user("Lena Toft"), open_event.players[0]
    own = {"event_id": open_event.event.pk, "round_number": 3, "by_staff": False}
    change = late_entry.enter_late(actor=actor_of(lena), user_id=lena.pk, **own)
    assert Player.objects.get(pk=change.facts["player"]).user == lena
    drop(open_event, ada)

    with refused("late.by_staff", 403):
        late_entry.enter_late(actor=actor_of(user_of(ada)), player_id=ada.pk, **own)
    with refused("registration.already", 409):
        late_entry.enter_late(actor=actor_of(lena), user_id=lena.pk, **own)


def test_a_latecomer_hands_in_a_decklist_until_their_first_table(open_event: Made) -> None:
    lena = make_user("Lena Toft")
    change = late_entry.enter_late(
        event_id=open_event.event.pk, actor=actor_of(lena), user_id=lena.pk, round_number=3, by_staff=False
    )
    late = Player.objects.select_related("user").get(pk=change.facts["player"])
    assert open_event.submit(late) == "legal"
    open_event.post_round()

    with refused("decklist.closed", 409):
        open_event.submit(late)
    with refused("decklist.closed", 409):
        open_event.submit(open_event.players[0])


@pytest.mark.parametrize(
    ("missed", "lost", "who", "words"),
    [
        ((1, 2), True, "You", "You enter at round 3 with 2 losses: Rounds 1 and 2 count as lost matches, not as byes."),
        ((2,), True, "Ada", "Ada enters at round 3 with 1 loss: Round 2 counts as a lost match, not as a bye."),
        ((1, 2), False, "You", "You enter at round 3: Rounds 1 and 2 count for no points, and not in percentages."),
        ((), True, "You", "You enter at round 3 and have missed nothing."),
    ],
)
def test_the_price_is_said_in_words(missed, lost, who, words) -> None:
    assert terms_sentence(3, missed, count_as_lost=lost, who=who) == words
