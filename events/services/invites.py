"""Roles held out by a link or an e-mail, taken, taken back and laid down."""

from __future__ import annotations

import secrets
from datetime import datetime, timedelta

from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db.models import QuerySet

from accounts.models import User
from config.errors import Conflict, DomainError, NotAllowed, NotFound
from events.models import StaffInvite, StaffRole
from events.services.administration import refuse_last_organiser
from events.services.invite_tokens import hash_of, token_of
from events.services.role_ends import role_ends
from events.services.transaction import (
    Actor,
    Change,
    Command,
    EventTransaction,
    creation_transaction,
    event_transaction,
)

MAILED = "staff.invited"
MOST_INVITES = 200


class Gone(DomainError):
    """An invite that was one, and can't be taken any more."""

    status = 410


def invite(
    *,
    event_id: int,
    actor: Actor,
    role: str,
    email: str = "",
    most_uses: int = 1,
    days: int = 7,
    role_expires_at: datetime | None = None,
    origin: str = "",
    command: Command | None = None,
) -> Change:
    """Hold out a role for some ``days``: to the account of one address, which gets a mail, or to whoever has the link.

    ``origin`` is the site's address, which the mail leads to. The answer names the invite, not its token, which is kept
    nowhere: ``token_of`` makes it. Raises DomainError "staff.role", "invite.email", "invite.uses", "invite.days",
    "staff.expires_at" (it is over before it begins), Conflict "staff.already", "invite.too_many".
    """
    email = email.strip().lower()
    _refuse_odd(role, email, most_uses, days)
    with event_transaction(event_id, actor=actor, command=command) as tx:
        if role_expires_at is not None and role_expires_at <= tx.now:
            raise DomainError("staff.expires_at", "Let the role end at a time that is still to come.")
        if email and StaffRole.objects.filter(event=tx.event, role=role, user__email__iexact=email).exists():
            raise Conflict("staff.already", "Whoever has this address has this role already. Look at the list.")
        if StaffInvite.objects.filter(event=tx.event, expires_at__gt=tx.now, revoked_at=None).count() >= MOST_INVITES:
            raise Conflict("invite.too_many", f"{MOST_INVITES} invites are open. Revoke some first.")
        made = StaffInvite(
            event=tx.event,
            role=role,
            email=email,
            nonce=secrets.token_hex(16),
            most_uses=1 if email else most_uses,
            expires_at=tx.now + timedelta(days=days),
            role_expires_at=role_expires_at or role_ends(tx.event, role, tx.now),
            invited_by_id=actor.user_id,
            inviter_name=actor.name,
            created_at=tx.now,
        )
        made.token_hash = hash_of(token_of(made))
        made.save()
        if email:
            tx.tell(MAILED, {"invite": made.pk, "origin": origin})
        tx.log("staff.invited", {"invite": made.pk, "role": role, "mailed": bool(email)}, public=False)
        return tx.done(invite=made.pk, role=role)


def _refuse_odd(role: str, email: str, most_uses: int, days: int) -> None:
    if role not in StaffRole.Role.values:
        raise DomainError("staff.role", "Choose one of the roles.", {"roles": StaffRole.Role.values})
    if email:
        try:
            validate_email(email)
        except ValidationError:
            raise DomainError(
                "invite.email", "That is not a complete e-mail address. It looks like name@example.org."
            ) from None
    if not 1 <= most_uses <= StaffInvite.MOST_USES:
        raise DomainError("invite.uses", f"A link can be used 1 to {StaffInvite.MOST_USES} times.")
    if not 1 <= days <= StaffInvite.MOST_DAYS:
        raise DomainError("invite.days", f"An invite is open for 1 to {StaffInvite.MOST_DAYS} days.")


def revoke_invite(*, event_id: int, actor: Actor, invite_id: int, command: Command | None = None) -> Change:
    """Nobody accepts it any more; who has accepted it keeps the role. Raises NotFound "invite.unknown", Conflict
    "invite.revoked"."""
    with event_transaction(event_id, actor=actor, command=command) as tx:
        found = StaffInvite.objects.filter(event=tx.event, pk=invite_id).first()
        if found is None:
            raise NotFound("invite.unknown", "There is no such invite in this event.", {"invite": invite_id})
        if found.revoked_at is not None:
            raise Conflict("invite.revoked", "This invite was revoked already.")
        found.revoked_at = tx.now
        found.save(update_fields=["revoked_at"])
        tx.log("staff.invite_revoked", {"invite": found.pk, "role": found.role}, public=False)
        return tx.done(invite=found.pk)


def accept_invite(*, token: str, actor: Actor, user_id: int, command: Command | None = None) -> Change:
    """Take the role that an invite holds out. Whoever has it already uses nothing up.

    Raises NotFound "invite.unknown", Gone "invite.revoked", "invite.expired", "invite.used_up", NotAllowed
    "invite.other_account", Conflict "staff.already".
    """
    event_id = StaffInvite.objects.filter(token_hash=hash_of(token)).values_list("event_id", flat=True).first()
    if event_id is None:
        with creation_transaction(actor=actor, command=command):  # a repeat gets its answer
            raise NotFound("invite.unknown", "This link is no invite, or is incomplete. Ask for a new one.")
    with event_transaction(event_id, actor=actor, command=command) as tx:
        found = StaffInvite.objects.select_for_update().get(token_hash=hash_of(token))
        user = User.objects.get(pk=user_id)
        refuse_unacceptable(found, user, tx.now)
        role = StaffRole.objects.filter(event=tx.event, user=user, role=found.role).first()
        if role is not None and not role.has_ended(tx.now):
            raise Conflict("staff.already", f"You are {found.get_role_display().lower()} of this event already.")
        StaffRole.objects.update_or_create(
            event=tx.event, user=user, role=found.role, defaults={"expires_at": found.role_expires_at}
        )
        found.uses += 1
        found.save(update_fields=["uses"])
        said = {"user": user.pk, "name": user.display_name, "role": found.role, "invite": found.pk}
        tx.log("staff.added", said, public=False)
        return tx.done(event=tx.event.pk, code=tx.event.code, user=user.pk, role=found.role)


def refuse_unacceptable(found: StaffInvite, user: User, now: datetime) -> None:
    """Raises what ``accept_invite`` raises for an invite that is not to be accepted by this person now."""
    ask = f"Ask {found.inviter_name} for a new one."
    if found.revoked_at is not None:
        raise Gone("invite.revoked", f"This invite was taken back. {ask}")
    if found.email and found.email != user.email.lower():
        raise NotAllowed(
            "invite.other_account",
            "This invite was sent to another address than that of your account. Log in with the account that it was "
            f"sent to, or have {found.inviter_name} invite this one.",
        )
    if found.expires_at <= now:
        raise Gone("invite.expired", f"This invite has expired. {ask}")
    if found.uses >= found.most_uses:
        raise Gone("invite.used_up", f"This invite was used as often as it may be. {ask}")


def change_role_end(
    *, event_id: int, actor: Actor, role_id: int, expires_at: datetime | None, command: Command | None = None
) -> Change:
    """Let a role end later, sooner, or with None never. Raises NotFound "staff.no_role", DomainError
    "staff.expires_at", Conflict "staff.last_organiser" (an event needs one who does not expire)."""
    with event_transaction(event_id, actor=actor, command=command) as tx:
        role = _role(tx, StaffRole.objects.filter(pk=role_id))
        if expires_at is not None:
            if expires_at <= tx.now:
                raise DomainError("staff.expires_at", "Choose a time that is still to come, or take the role away.")
            refuse_last_organiser(role, tx.now)
        role.expires_at = expires_at
        role.save(update_fields=["expires_at"])
        until = None if expires_at is None else expires_at.isoformat()
        said = {"user": role.user_id, "name": role.user.display_name, "role": role.role, "until": until}
        tx.log("staff.extended", said, public=False)
        return tx.done(user=role.user_id, role=role.role)


def leave(*, event_id: int, actor: Actor, role: str, command: Command | None = None) -> Change:
    """Lay down a role of one's own. Raises NotFound "staff.no_role", Conflict "staff.last_organiser"."""
    with event_transaction(event_id, actor=actor, command=command) as tx:
        found = _role(tx, StaffRole.objects.filter(user_id=actor.user_id or 0, role=role))
        refuse_last_organiser(found, tx.now)
        said = {"user": found.user_id, "name": found.user.display_name, "role": found.role}
        found.delete()
        tx.log("staff.left", said, public=False)
        return tx.done(user=said["user"], role=said["role"])


def _role(tx: EventTransaction, roles: QuerySet[StaffRole]) -> StaffRole:
    found = roles.filter(event=tx.event).select_related("user").first()
    if found is None:
        raise NotFound("staff.no_role", "There is no such role in this event.")
    return found
