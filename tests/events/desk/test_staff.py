"""Staff: invited by mail or by a link, for a time, taken away and laid down."""

from __future__ import annotations

import re
import smtplib
from datetime import timedelta

import pytest
from django.core import mail
from django.core.mail.backends.locmem import EmailBackend
from django.db.models.functions import Now
from django.utils import timezone

from config.errors import Conflict, DomainError, NotAllowed
from events.models import IdempotencyRecord, LogEntry, OutboxMessage, StaffInvite, StaffRole
from events.queries.access import viewer_of
from events.services import administration, invites, outbox, setup
from events.services.invite_tokens import hash_of, token_of
from events.services.transaction import Command
from tests.events.desk.conftest import key, said, staffed, version_of
from tests.events.factories import actor_of, make_user

pytestmark = pytest.mark.django_db

LINK = re.compile(r"http://testserver/e/[-a-z0-9]+/join/([-_A-Za-z0-9]{43})/")


def held_out(made, **values) -> StaffInvite:
    arguments = {"role": "judge", "origin": "http://testserver", **values}
    change = invites.invite(event_id=made.event.pk, actor=made.by_organiser, **arguments)
    return StaffInvite.objects.select_related("event").get(pk=change.facts["invite"])


def accept(invite: StaffInvite, person):
    return invites.accept_invite(token=token_of(invite), actor=actor_of(person), user_id=person.pk)


def refused(act) -> str:
    with pytest.raises(DomainError) as caught:
        act()
    return caught.value.code


def log_of(made) -> list[tuple]:
    entries = LogEntry.objects.filter(event=made.event, kind__startswith="staff.").order_by("seq")
    return [(entry.kind, entry.payload, entry.is_public) for entry in entries][1:]


# -- a link ------------------------------------------------------------------------------------------------------------


def test_a_link_is_shown_once_and_opens_the_role_to_an_account(make_event, as_user, send):
    made, helper = make_event(players=2), make_user("Helen Per")
    form = {"role": "deck_checker", "most_uses": 1, "days": 7}

    page = send(made.organiser, f"/e/{made.event.code}/desk/staff/invite", form)
    link = LINK.search(page.content.decode())
    again = as_user(made.organiser).get(f"/e/{made.event.code}/desk/staff/").content.decode()
    asked = as_user(helper).get(link[0])
    joined = send(helper, link[0])

    assert (page.status_code, page["Cache-Control"], LINK.search(again)) == (200, "no-store", None)
    assert asked.status_code == 200
    assert f"Deck checker of {made.event.name}" in said(asked)
    assert "Odile Marchetti asks you" in said(asked)
    assert (joined.status_code, joined.url) == (302, f"/e/{made.event.code}/desk/")
    assert viewer_of(made.event, helper).roles == {"deck_checker"}


def test_the_token_is_in_no_table_and_no_log(make_event, send):
    made = make_event(players=2)
    page = send(made.organiser, f"/e/{made.event.code}/desk/staff/invite", {"role": "judge", "most_uses": 1, "days": 7})
    token = LINK.search(page.content.decode())[1]
    held_out(made, email="helper@example.org")

    rows = [
        *StaffInvite.objects.values_list(),
        *LogEntry.objects.values_list(),
        *OutboxMessage.objects.values_list(),
        *IdempotencyRecord.objects.values_list(),
    ]

    tokens = [token, *(token_of(invite) for invite in StaffInvite.objects.all())]
    assert [row for row in rows for secret in tokens if secret in str(row)] == []
    assert StaffInvite.objects.filter(token_hash=hash_of(token)).count() == 1


def test_a_form_sent_twice_makes_one_invite_and_shows_the_same_link(make_event, send):
    made = make_event(players=2)
    form = {"role": "judge", "most_uses": 1, "days": 7, "idempotency_key": key()}

    pages = [send(made.organiser, f"/e/{made.event.code}/desk/staff/invite", form) for _ in range(2)]

    assert len({LINK.search(page.content.decode())[1] for page in pages}) == 1
    assert StaffInvite.objects.count() == 1


def test_who_is_not_logged_in_reads_what_it_is_about_and_is_asked_to_log_in(make_event, client):
    made = make_event(players=2)
    address = f"/e/{made.event.code}/join/{token_of(held_out(made))}/"

    page = client.get(address)
    posted = client.post(address, {"idempotency_key": key()})

    assert f"/account/login/?next={address}".replace("/", "%2F") in page.content.decode().replace("/", "%2F")
    assert "an account of their own" in said(page)
    assert (posted.status_code, StaffRole.objects.filter(event=made.event).count()) == (200, 2)


def test_a_link_for_three_works_three_times_and_counts_nobody_twice(make_event):
    made = make_event(players=2)
    invite = held_out(made, most_uses=3)
    people = [make_user(f"Helper {number}") for number in range(4)]

    accept(invite, people[0])
    assert refused(lambda: accept(invite, people[0])) == "staff.already"
    accept(invite, people[1])
    accept(invite, people[2])

    assert refused(lambda: accept(invite, people[3])) == "invite.used_up"
    assert StaffInvite.objects.get(pk=invite.pk).uses == 3
    assert StaffRole.objects.filter(event=made.event, user__in=people).count() == 3


@pytest.mark.parametrize(
    ("change", "code", "status", "words"),
    [
        ({"revoked_at": Now()}, "invite.revoked", 410, "was taken back"),
        ({"expires_at": Now()}, "invite.expired", 410, "has expired"),
        ({"uses": 1}, "invite.used_up", 410, "used as often as it may be"),
        ({"email": "somebody@example.org"}, "invite.other_account", 403, "sent to another address"),
    ],
)
def test_an_invite_that_does_not_hold_says_why(make_event, as_user, send, change, code, status, words):
    made, helper = make_event(players=2), make_user("Helen Per")
    invite = held_out(made)
    StaffInvite.objects.filter(pk=invite.pk).update(**change)
    address = f"/e/{made.event.code}/join/{token_of(invite)}/"

    shown, posted = as_user(helper).get(address), send(helper, address)

    assert refused(lambda: accept(invite, helper)) == code
    assert (shown.status_code, posted.status_code) == (status, status)
    assert words in said(shown)
    assert words in said(posted)
    assert "Accept" not in said(shown)
    assert "somebody@example.org" not in shown.content.decode()
    assert viewer_of(made.event, helper).roles == set()


def test_a_token_of_another_event_and_one_that_was_guessed_are_not_found(make_event, as_user, send):
    made, other, helper = make_event(players=2), make_event(name="Elsewhere", players=2), make_user("Helen Per")
    token = token_of(held_out(other))

    for wrong in (token, "x" * 43, "short"):
        address = f"/e/{made.event.code}/join/{wrong}/"
        assert (as_user(helper).get(address).status_code, send(helper, address).status_code) == (404, 404)
    assert StaffRole.objects.filter(user=helper).count() == 0


def test_a_revoked_invite_opens_nothing_and_leaves_roles_that_were_taken(make_event, send):
    made = make_event(players=2)
    invite, early, late = held_out(made, most_uses=2), make_user("Early"), make_user("Late")
    accept(invite, early)

    answer = send(made.organiser, f"/e/{made.event.code}/desk/staff/invites/{invite.pk}/revoke")

    assert answer.status_code == 302
    assert refused(lambda: accept(invite, late)) == "invite.revoked"
    assert viewer_of(made.event, early).roles == {"judge"}


@pytest.mark.parametrize(
    ("values", "code"),
    [
        ({"role": "king"}, "staff.role"),
        ({"email": "not an address"}, "invite.email"),
        ({"most_uses": 0}, "invite.uses"),
        ({"most_uses": 51}, "invite.uses"),
        ({"days": 0}, "invite.days"),
        ({"days": 61}, "invite.days"),
        ({"role_expires_at": timezone.now() - timedelta(days=1)}, "staff.expires_at"),
        ({"email": "JUN-tanaka@example.org"}, "staff.already"),
    ],
)
def test_an_invite_that_makes_no_sense_is_refused(make_event, values, code):
    made = make_event(players=2)

    assert refused(lambda: held_out(made, **values)) == code
    assert StaffInvite.objects.count() == 0


# -- a mail ------------------------------------------------------------------------------------------------------------


def test_a_mail_leaves_by_the_outbox_once_and_only_its_address_may_accept(make_event, send):
    made, helper, other = make_event(players=2), make_user("Helen Per"), make_user("Somebody Else")
    form = {"role": "scorekeeper", "email": "Helen-Per@Example.org", "most_uses": 1, "days": 3}

    page = send(made.organiser, f"/e/{made.event.code}/desk/staff/invite", form)
    before = len(mail.outbox)
    sent = [outbox.relay_mails(), outbox.relay_mails()]
    address = LINK.search(mail.outbox[0].body)[0]

    assert LINK.search(page.content.decode()) is None
    assert (before, sent, len(mail.outbox)) == (0, [1, 0], 1)
    assert mail.outbox[0].to == ["helen-per@example.org"]
    assert mail.outbox[0].subject == f"{made.event.name}: will you be scorekeeper?"
    assert send(other, address).status_code == 403
    assert send(helper, address).status_code == 302
    assert viewer_of(made.event, helper).roles == {"scorekeeper"}


class Refusing(EmailBackend):
    """Takes the first mail, then nothing."""

    def send_messages(self, messages):
        if mail.outbox:
            raise smtplib.SMTPServerDisconnected("gone")
        return super().send_messages(messages)


def test_a_mail_that_was_sent_is_not_sent_again_when_the_next_one_fails(make_event, settings, monkeypatch):
    made = make_event(players=2)
    for address in ("one@example.org", "two@example.org"):
        held_out(made, email=address)
    settings.EMAIL_BACKEND = f"{__name__}.Refusing"

    left = [outbox.relay_mails() for _ in range(3)]

    assert (left, [message.to for message in mail.outbox]) == ([1, 0, 0], [["one@example.org"]])
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    assert outbox.relay_mails() == 1
    assert [message.to for message in mail.outbox] == [["one@example.org"], ["two@example.org"]]
    assert len({message.extra_headers["Message-ID"] for message in mail.outbox}) == 2


def test_an_invite_that_was_revoked_before_its_mail_left_sends_none(make_event):
    made = make_event(players=2)
    invite = held_out(made, email="one@example.org")
    invites.revoke_invite(event_id=made.event.pk, actor=made.by_organiser, invite_id=invite.pk)

    outbox.relay_mails()

    assert mail.outbox == []


# -- how long ----------------------------------------------------------------------------------------------------------


def test_a_role_ends_two_weeks_after_the_event_and_an_organisers_does_not(make_event):
    starts = timezone.now() + timedelta(days=10)
    made = make_event(players=2, starts_at=starts)
    keeper, boss = staffed(made, "scorekeeper"), staffed(made, "organiser")

    ends = dict(StaffRole.objects.filter(user__in=[keeper, boss]).values_list("user", "expires_at"))

    assert ends == {keeper.pk: starts + timedelta(days=14), boss.pk: None}


def test_a_role_at_an_event_of_the_past_still_lasts_two_weeks(make_event):
    made = make_event(players=2, starts_at=timezone.now() - timedelta(days=400))

    assert StaffRole.objects.get(user=made.judge).expires_at > timezone.now() + timedelta(days=13)


def test_who_helps_at_an_event_that_is_put_off_helps_then(make_event):
    made = make_event(players=2)
    before = StaffRole.objects.get(user=made.judge).expires_at
    later = made.event.starts_at + timedelta(days=30)

    for starts in (later, made.event.starts_at):
        administration.change_event(
            event_id=made.event.pk, actor=made.by_organiser, name="Open", starts_at=starts, time_zone="UTC"
        )

    assert StaffRole.objects.get(user=made.judge).expires_at == before + timedelta(days=30)


def test_an_organiser_lets_a_role_end_later_or_never(make_event, send):
    made = make_event(players=2)
    role = StaffRole.objects.get(user=made.judge)
    address = f"/e/{made.event.code}/desk/staff/{role.pk}/end"

    first = send(made.organiser, address, {"expires_at": "2031-05-01T12:00"}, event=made.event)
    until = StaffRole.objects.get(pk=role.pk).expires_at
    send(made.organiser, address, {"never": "on"}, event=made.event)

    assert (first.status_code, until.isoformat()) == (302, "2031-05-01T12:00:00+00:00")
    assert StaffRole.objects.get(pk=role.pk).expires_at is None
    assert send(made.organiser, address, {"expires_at": "2001-05-01T12:00"}, event=made.event).status_code == 400
    assert send(made.organiser, address, {}, event=made.event).status_code == 400
    assert [kind for kind, *_ in log_of(made)] == ["staff.extended", "staff.extended"]


def test_a_role_that_ended_can_be_given_again(make_event):
    made = make_event(players=2)
    StaffRole.objects.filter(user=made.judge).update(expires_at=Now())
    assert viewer_of(made.event, made.judge).roles == set()

    setup.add_staff(event_id=made.event.pk, actor=made.by_organiser, email=made.judge.email, role="judge")
    assert viewer_of(made.event, made.judge).roles == {"judge"}

    StaffRole.objects.filter(user=made.judge).update(expires_at=Now())
    accept(held_out(made), made.judge)
    assert viewer_of(made.event, made.judge).roles == {"judge"}


# -- taken away and laid down ------------------------------------------------------------------------------------------


def test_the_last_organiser_can_neither_go_nor_be_given_an_end(make_event, send):
    made = make_event(players=2)
    role = StaffRole.objects.get(user=made.organiser)
    desk = f"/e/{made.event.code}/desk"

    removed = send(made.organiser, f"{desk}/staff/{role.pk}/remove", event=made.event)
    left = send(made.organiser, f"{desk}/roles/leave", {"role": "organiser"})
    ended = send(made.organiser, f"{desk}/staff/{role.pk}/end", {"expires_at": "2031-05-01T12:00"}, event=made.event)

    assert [answer.status_code for answer in (removed, left, ended)] == [409, 409, 409]
    assert viewer_of(made.event, made.organiser).runs_event is True


def test_an_organiser_with_an_end_is_no_second_one(make_event):
    made = make_event(players=2)
    other = staffed(made, "organiser")
    StaffRole.objects.filter(user=other).update(expires_at=Now() + timedelta(days=1))

    with pytest.raises(Conflict, match="whose role does not end"):
        invites.leave(event_id=made.event.pk, actor=made.by_organiser, role="organiser")


def test_a_helper_lays_down_their_own_role_and_no_other(make_event, as_user, send):
    made = make_event(players=2)
    desk = f"/e/{made.event.code}/desk"

    page = as_user(made.judge).get(f"{desk}/roles/")
    wrong = send(made.judge, f"{desk}/roles/leave", {"role": "organiser"})
    left = send(made.judge, f"{desk}/roles/leave", {"role": "judge"})

    assert "the floor, as the head judge" in said(page)
    assert (wrong.status_code, left.url) == (404, f"/e/{made.event.code}/")
    assert viewer_of(made.event, made.judge).roles == set()
    assert viewer_of(made.event, made.organiser).roles == {"organiser"}


def test_the_log_tells_staff_and_nobody_else(make_event, as_user):
    made, helper = make_event(players=2), make_user("Helen Per")
    invite = held_out(made, role_expires_at=made.event.starts_at + timedelta(days=1))
    accept(invite, helper)
    revoked = held_out(made, email="one@example.org")
    invites.revoke_invite(event_id=made.event.pk, actor=made.by_organiser, invite_id=revoked.pk)
    invites.leave(event_id=made.event.pk, actor=actor_of(helper), role="judge")
    person = {"user": helper.pk, "name": "Helen Per", "role": "judge"}

    assert log_of(made) == [
        ("staff.invited", {"invite": invite.pk, "role": "judge", "mailed": False}, False),
        ("staff.added", {**person, "invite": invite.pk}, False),
        ("staff.invited", {"invite": revoked.pk, "role": "judge", "mailed": True}, False),
        ("staff.invite_revoked", {"invite": revoked.pk, "role": "judge"}, False),
        ("staff.left", person, False),
    ]
    assert "Helen Per" in said(as_user(made.judge).get(f"/e/{made.event.code}/log/"))
    assert "Helen Per" not in said(as_user(made.players[0]).get(f"/e/{made.event.code}/log/"))


def test_an_invite_decided_on_a_page_of_before_is_refused(make_event):
    made = make_event(players=2)
    stale = Command(key=key(), expected_version=version_of(made.event) - 1)

    assert refused(lambda: held_out(made, command=stale)) == "event.stale"


def test_accepting_for_another_account_than_ones_address_is_not_allowed(make_event):
    made = make_event(players=2)

    with pytest.raises(NotAllowed):
        accept(held_out(made, email="one@example.org"), make_user("Helen Per"))
