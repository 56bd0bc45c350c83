"""Changes to an event as a whole, after it was made: its settings, its staff, its end before time."""

from __future__ import annotations

from datetime import datetime, timedelta
from zoneinfo import available_timezones

from django.db.models import F

from config.errors import Conflict, DomainError, NotFound
from events.engine.games import PlayRules
from events.models import Event, Notice, StaffRole
from events.queries.registration import HOLDING
from events.services.setup import LONGEST_NAME
from events.services.transaction import Actor, Change, Command, EventTransaction, event_transaction
from events.services.waitlist import give_places

OPEN = (Event.State.REGISTRATION, Event.State.RUNNING)
LONGEST_REASON = 300
LONGEST_FEE = 40
MOST_ROUNDS = 30


def change_event(
    *,
    event_id: int,
    actor: Actor,
    name: str,
    starts_at: datetime,
    time_zone: str,
    place: str = "",
    capacity: int | None = None,
    decklist_deadline: datetime | None = None,
    decklist_publication: str = Event.Publication.NEVER,
    registration_opens_at: datetime | None = None,
    registration_closes_at: datetime | None = None,
    waitlist: bool = False,
    late_until_round: int | None = None,
    fee: str = "",
    players_report: bool = True,
    agreed_draws: bool = False,
    command: Command | None = None,
) -> Change:
    """Replace the settings that others do not build on. Template and legality date stay: verdicts were given by them.

    Raises DomainError "event.name", "event.place", "event.time_zone", "event.capacity", "event.publication",
    "event.registration_times", "event.fee", "event.late_until_round", Conflict
    "event.over", "event.capacity_below" (more players are in already), "event.agreed_draws" (the policy forbids them).
    """
    name = " ".join(name.split())
    if not name or len(name) > LONGEST_NAME:
        raise DomainError("event.name", f"Give the event a name of 1 to {LONGEST_NAME} characters.")
    if len(place) > LONGEST_NAME:
        raise DomainError("event.place", f"Describe the place in at most {LONGEST_NAME} characters.")
    if time_zone not in available_timezones():
        raise DomainError("event.time_zone", f"{time_zone!r} is not a time zone. Use a name such as Europe/Vienna.")
    if decklist_publication not in Event.Publication.values:
        raise DomainError("event.publication", "Choose one of the ways to publish decklists.")
    if capacity is not None and not 2 <= capacity <= 10_000:
        raise DomainError("event.capacity", "An event has room for 2 to 10,000 players, or leave it empty.")
    if registration_opens_at and registration_closes_at and registration_closes_at <= registration_opens_at:
        raise DomainError(
            "event.registration_times", "Registration closes after it has opened: change one of the times."
        )
    if len(fee) > LONGEST_FEE:
        raise DomainError("event.fee", f"Say what a place costs in at most {LONGEST_FEE} characters.")
    if late_until_round is not None and not 1 <= late_until_round <= MOST_ROUNDS:
        raise DomainError("event.late_until_round", f"Choose a round from 1 to {MOST_ROUNDS}, or leave it empty.")
    with event_transaction(event_id, actor=actor, command=command) as tx:
        event = _open_event(tx)
        if agreed_draws and PlayRules.of(event.rules).agreed_draws is False:
            raise Conflict("event.agreed_draws", "The policy of this event forbids draws by agreement.")
        entered = event.players.filter(state__in=HOLDING).count()
        if capacity is not None and capacity < entered:
            raise Conflict(
                "event.capacity_below",
                f"{entered} players are in already. Allow at least that many.",
                {"players": entered, "capacity": capacity},
            )
        wanted = {
            "name": name,
            "place": place.strip(),
            "starts_at": starts_at,
            "time_zone": time_zone,
            "capacity": capacity,
            "decklist_deadline": decklist_deadline,
            "decklist_publication": decklist_publication,
            "registration_opens_at": registration_opens_at,
            "registration_closes_at": registration_closes_at,
            "waitlist": waitlist,
            "late_until_round": late_until_round,
            "fee": fee.strip(),
            "players_report": players_report,
            "agreed_draws": agreed_draws,
        }
        changed = {key: value for key, value in wanted.items() if getattr(event, key) != value}
        _postpone_roles(event, starts_at - event.starts_at)
        if changed:
            for key, value in changed.items():
                setattr(event, key, value)
            event.save(update_fields=list(changed))
            told = {key: value.isoformat() if isinstance(value, datetime) else value for key, value in changed.items()}
            tx.log("event.changed", told)
            give_places(tx)
        return tx.done(event=event.pk, changed=sorted(changed))


def cancel_event(*, event_id: int, actor: Actor, reason: str, command: Command | None = None) -> Change:
    """End an event before its time, for good. Raises DomainError "event.cancel_reason", Conflict "event.over"."""
    reason = reason.strip()
    if not reason or len(reason) > LONGEST_REASON:
        raise DomainError(
            "event.cancel_reason", f"Say why, in at most {LONGEST_REASON} characters: every player will read it."
        )
    with event_transaction(event_id, actor=actor, command=command) as tx:
        event = _open_event(tx)
        event.state = Event.State.CANCELLED
        event.save(update_fields=["state"])
        tx.log("event.cancelled", {"reason": reason})
        tx.tell(Notice.EVENT_CANCELLED, {})
        return tx.done(event=event.pk)


def remove_staff(*, event_id: int, actor: Actor, role_id: int, command: Command | None = None) -> Change:
    """Take one role from one person. Raises NotFound "staff.no_role", Conflict "staff.last_organiser"."""
    with event_transaction(event_id, actor=actor, command=command) as tx:
        role = StaffRole.objects.select_related("user").filter(event=tx.event, pk=role_id).first()
        if role is None:
            raise NotFound("staff.no_role", "There is no such role in this event.", {"role": role_id})
        refuse_last_organiser(role, tx.now)
        person, kind = role.user, role.role
        role.delete()
        tx.log("staff.removed", {"user": person.pk, "name": person.display_name, "role": kind}, public=False)
        return tx.done(user=person.pk, role=kind)


def refuse_last_organiser(role: StaffRole, now: datetime) -> None:
    """Raises Conflict "staff.last_organiser": somebody whose role does not end has to be able to run the event."""
    if role.role != StaffRole.Role.ORGANISER or role.has_ended(now):
        return
    others = StaffRole.objects.filter(event=role.event_id, role=role.role, expires_at=None).exclude(pk=role.pk)
    if not others.exists():
        raise Conflict(
            "staff.last_organiser",
            f"{role.user} is the only organiser whose role does not end. Make somebody else an organiser first.",
        )


def _postpone_roles(event: Event, later: timedelta) -> None:
    """Who helps at an event that is put off helps then."""
    if later > timedelta(0):
        for rows, end in ((event.staff, "expires_at"), (event.staff_invites, "role_expires_at")):
            rows.exclude(**{end: None}).update(**{end: F(end) + later})


def _open_event(tx: EventTransaction) -> Event:
    if tx.event.state not in OPEN:
        raise Conflict("event.over", "The event is over.", {"state": tx.event.state})
    return tx.event
