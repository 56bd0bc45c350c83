"""Two organisers at once, and two people with one link. Every guard has a control."""

from __future__ import annotations

from typing import Any

import pytest

from accounts.models import User
from config.errors import Conflict, DomainError
from events.models import StaffInvite, StaffRole
from events.services import administration, invites, setup, transaction
from events.services.invite_tokens import token_of
from events.services.transaction import Change
from tests.events.factories import Made, actor_of, make_event, make_user
from tests.threads import at_once, meeting, of_type

pytestmark = [pytest.mark.race, pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("packs")]


def lock_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transaction, "_lock", lambda event_id, mode: ("SELECT 1", []))


def two_organisers() -> tuple[Made, User]:
    made, other = make_event(players=2), make_user("Second Organiser")
    setup.add_staff(event_id=made.event.pk, actor=made.by_organiser, email=other.email, role="organiser")
    return made, other


def leave(made: Made, person: User) -> Change:
    return invites.leave(event_id=made.event.pk, actor=actor_of(person), role="organiser")


def organisers(made: Made) -> int:
    return StaffRole.objects.filter(event=made.event, role="organiser").count()


def test_when_both_organisers_leave_at_once_one_stays() -> None:
    made, other = two_organisers()
    answers = at_once(lambda: leave(made, made.organiser), lambda: leave(made, other))
    assert len(of_type(answers, Change)) == 1
    assert [refusal.code for refusal in of_type(answers, Conflict)] == ["staff.last_organiser"]
    assert organisers(made) == 1


def test_control_without_the_lock_both_leave(monkeypatch: pytest.MonkeyPatch) -> None:
    made, other = two_organisers()
    lock_off(monkeypatch)
    meet, check = meeting(2), administration.refuse_last_organiser

    def slow_check(*asked: Any) -> None:
        check(*asked)
        meet()

    monkeypatch.setattr(invites, "refuse_last_organiser", slow_check)
    answers = at_once(lambda: leave(made, made.organiser), lambda: leave(made, other))
    assert (len(of_type(answers, Change)), organisers(made)) == (2, 0)


def invited() -> tuple[Made, StaffInvite, list[User]]:
    made = make_event(players=2)
    change = invites.invite(event_id=made.event.pk, actor=made.by_organiser, role="judge")
    people = [make_user("First Helper"), make_user("Second Helper")]
    return made, StaffInvite.objects.select_related("event").get(pk=change.facts["invite"]), people


def accept(invite: StaffInvite, person: User) -> Change:
    return invites.accept_invite(token=token_of(invite), actor=actor_of(person), user_id=person.pk)


def test_a_link_for_one_makes_one_judge_of_two_who_open_it_at_once() -> None:
    made, invite, people = invited()
    answers = at_once(*(lambda person=person: accept(invite, person) for person in people))
    assert len(of_type(answers, Change)) == 1
    assert [refusal.code for refusal in of_type(answers, DomainError)] == ["invite.used_up"]
    assert StaffRole.objects.filter(event=made.event, user__in=people).count() == 1
    assert StaffInvite.objects.get(pk=invite.pk).uses == 1


def test_control_without_the_locks_one_link_makes_two_judges(monkeypatch: pytest.MonkeyPatch) -> None:
    made, invite, people = invited()
    lock_off(monkeypatch)
    monkeypatch.setattr(StaffInvite.objects, "select_for_update", StaffInvite.objects.all)
    meet, check = meeting(2), invites.refuse_unacceptable

    def slow_check(*asked: Any) -> None:
        check(*asked)
        meet()

    monkeypatch.setattr(invites, "refuse_unacceptable", slow_check)
    answers = at_once(*(lambda person=person: accept(invite, person) for person in people))
    assert len(of_type(answers, Change)) == 2
    assert StaffRole.objects.filter(event=made.event, user__in=people).count() == 2


def test_an_invite_that_is_revoked_while_it_is_accepted_ends_either_way_whole() -> None:
    made, invite, (person, _) = invited()
    about = {"event_id": made.event.pk, "actor": made.by_organiser, "invite_id": invite.pk}
    accepted, revoked = at_once(lambda: accept(invite, person), lambda: invites.revoke_invite(**about))
    has_role = StaffRole.objects.filter(event=made.event, user=person).exists()
    assert isinstance(revoked, Change)
    assert isinstance(accepted, Change) == has_role
    assert isinstance(accepted, Change) or accepted.code == "invite.revoked"
