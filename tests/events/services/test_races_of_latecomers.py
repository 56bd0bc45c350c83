"""A late entry that is taken back while the next round is paired. The control shows the fault with the lock off."""

from __future__ import annotations

from typing import Any

import pytest

from config.errors import Conflict
from events.models import Event, Player, Seat
from events.queries import swiss_round
from events.queries.verification import verify_event
from events.services import late_entry, rounds, transaction
from events.services.transaction import Change
from tests.events.factories import Made, make_event
from tests.threads import at_once, meeting, of_type

pytestmark = [pytest.mark.race, pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("packs")]


@pytest.fixture
def made() -> Made:
    made = make_event(players=5, started=True)
    Event.objects.filter(pk=made.event.pk).update(late_until_round=3)
    made.play_round()
    return made


def enter(made: Made) -> Player:
    change = late_entry.enter_late(event_id=made.event.pk, actor=made.by_organiser, round_number=2, name="Lena Toft")
    return Player.objects.get(pk=change.facts["player"])


def both(made: Made, late: Player) -> list[Any]:
    return at_once(
        lambda: late_entry.undo_late_entry(event_id=made.event.pk, actor=made.by_organiser, player_id=late.pk),
        lambda: rounds.draft_round(event_id=made.event.pk, actor=made.by_organiser),
    )


def seated_and_in(late: Player) -> tuple[bool, bool]:
    late.refresh_from_db()
    return Seat.objects.filter(player=late).exists(), late.state == Player.State.CHECKED_IN


def test_who_is_paired_stays_in_and_who_is_out_is_not_paired(made: Made) -> None:
    late = enter(made)

    answers = both(made, late)

    refusals = [refusal.code for refusal in of_type(answers, Conflict)]
    seated, stays = seated_and_in(late)
    assert len(of_type(answers, Change)) + len(refusals) == 2
    assert (seated, refusals) in [(True, ["undo.built_upon"]), (False, [])]
    assert seated == stays
    assert verify_event(made.refresh()).faults == []


def test_control_without_the_lock_somebody_is_paired_who_is_out(made: Made, monkeypatch: pytest.MonkeyPatch) -> None:
    late = enter(made)
    monkeypatch.setattr(transaction, "_lock", lambda event_id, mode: ("SELECT 1", []))
    meet, state, undoable = meeting(2), swiss_round.pairing_state, late_entry.can_be_undone

    def slow_state(*asked: Any, **options: Any) -> Any:
        found = state(*asked, **options)
        meet()
        return found

    def slow_undoable(*asked: Any) -> bool:
        found = undoable(*asked)
        meet()
        return found

    monkeypatch.setattr(swiss_round, "pairing_state", slow_state)
    monkeypatch.setattr(late_entry, "can_be_undone", slow_undoable)

    both(made, late)

    assert seated_and_in(late) == (True, False)
