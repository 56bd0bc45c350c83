"""Make an event like another."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from config.errors import DomainError, NotFound
from events.engine.custom_rules import CUSTOM, MERGED
from events.models import Event, Prize, StaffRole
from events.queries.access import not_expired
from events.queries.templates import templates_on
from events.services.role_ends import role_ends
from events.services.setup import LONGEST_NAME, found_event
from events.services.transaction import Actor, Change, Command, creation_transaction
from rules.models import Policy
from rules.queries import format_version_on

KEPT = (
    "place",
    "time_zone",
    "capacity",
    "decklist_publication",
    "waitlist",
    "late_until_round",
    "fee",
    "players_report",
    "agreed_draws",
    "no_show_minutes",
    "no_show_drops",
)
"""Settings that the new event has, too."""

MOVED = ("decklist_deadline", "registration_opens_at", "registration_closes_at")
"""Moments that are as long before the new start as they were before the old one, by the clock on the wall."""


def clone_event(
    *,
    event_id: int,
    actor: Actor,
    name: str,
    starts_at: datetime,
    with_staff: bool = False,
    command: Command | None = None,
) -> Change:
    """A new event with the settings and the prizes of another and with nobody in it, with its own code and secret.

    Rules that an organiser set are taken over as they are; a template's in the version of the new day. Lists
    and card pool are those of the new day. ``with_staff`` gives the same people the same roles.

    Raises NotFound "event.unknown", DomainError "event.name", and NotFound when no version of the format is in force.
    """
    name = " ".join(name.split())
    if not name or len(name) > LONGEST_NAME:
        raise DomainError("event.name", f"Give the event a name of 1 to {LONGEST_NAME} characters.")
    with creation_transaction(actor=actor, command=command) as open_event:
        old = Event.objects.select_related("policy__game", "policy__format").filter(pk=event_id).first()
        if old is None:
            raise NotFound("event.unknown", "There is no such event.")
        policy = old.policy if old.rules["slug"] == CUSTOM else _in_force(old.policy, starts_at)
        zone = ZoneInfo(old.time_zone)
        day = starts_at.astimezone(zone).date()
        settings: dict[str, Any] = {field: getattr(old, field) for field in KEPT}
        settings |= {field: _moved(getattr(old, field), old.starts_at, starts_at, zone) for field in MOVED}
        tx = found_event(
            open_event,
            actor=actor,
            policy=policy,
            rules=_rules(old, policy),
            format_version=format_version_on(format=policy.format, day=day),
            said={"cloned_from": old.code},
            name=name,
            starts_at=starts_at,
            legality_date=day,
            **settings,
        )
        Prize.objects.bulk_create(
            Prize(event=tx.event, first=prize.first, last=prize.last, words=prize.words) for prize in old.prizes.all()
        )
        staff = 0
        if with_staff:
            held = old.staff.filter(not_expired()).exclude(user=actor.user_id, role=StaffRole.Role.ORGANISER)
            for role in held.select_related("user"):
                until = role_ends(tx.event, role.role, tx.now)
                StaffRole.objects.create(event=tx.event, user=role.user, role=role.role, expires_at=until)
                person = {"user": role.user_id, "name": role.user.display_name, "role": role.role}
                tx.log("staff.added", person, public=False)
                staff += 1
        return tx.done(event=tx.event.pk, code=tx.event.code, staff=staff)


def _rules(old: Event, policy: Policy) -> dict[str, Any]:
    """The policy's, with what the old event's organiser had changed in theirs since it was made."""
    if old.rules["slug"] == CUSTOM:
        return dict(old.rules)
    rules = dict(policy.definition)
    for part in (part for part in MERGED if part in old.rules):
        before = old.policy.definition.get(part, {})
        changed = {key: value for key, value in old.rules[part].items() if value != before.get(key)}
        rules[part] = {**rules.get(part, {}), **changed}
    return rules


def _in_force(policy: Policy, starts_at: datetime) -> Policy:
    """The version of a template for the day; where it has none any more, the one that there was."""
    found = templates_on(day=starts_at.date()).filter(game=policy.game_id, slug=policy.slug).first()
    return found or policy


def _moved(moment: datetime | None, old: datetime, new: datetime, zone: ZoneInfo) -> datetime | None:
    if moment is None:
        return None
    on_the_wall = [at.astimezone(zone).replace(tzinfo=None) for at in (moment, old, new)]
    return (on_the_wall[2] + (on_the_wall[0] - on_the_wall[1])).replace(tzinfo=zone)
