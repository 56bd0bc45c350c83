"""Series of events: made and changed by their owner, who also says which events are in them."""

from __future__ import annotations

import secrets

from django.utils.text import slugify

from cards.engine.streams import Stream
from config.errors import Conflict, DomainError, NotAllowed, NotFound
from events.engine.names import event_code
from events.engine.series import MOST_EVENTS, SeriesRules, check_rules
from events.models import Event, Series, StaffRole
from events.queries.access import not_expired
from events.services.setup import LONGEST_NAME
from events.services.transaction import Actor, Change, Command, command_transaction, event_transaction


def create_series(*, actor: Actor, name: str, rules: SeriesRules, command: Command | None = None) -> Change:
    """A series without events, owned by ``actor``; its address is made of its name.

    Raises DomainError "series.name" and what ``check_rules`` raises.
    """
    name, rules = _checked(name), check_rules(rules)
    with command_transaction(actor=actor, command=command) as done:
        wanted = slugify(name)[:50].strip("-") or "series"
        taken = Series.objects.filter(slug=wanted).exists()
        slug = f"{wanted}-{event_code(Stream(secrets.token_bytes(32), 'series'))}" if taken else wanted
        series = Series.objects.create(slug=slug, name=name, owner_id=actor.user_id, rules=rules.as_json())
        return done(series.version, slug=series.slug)


def change_series(*, slug: str, actor: Actor, name: str, rules: SeriesRules, command: Command | None = None) -> Change:
    """Another name or points table: standings are counted anew from the events, the finished ones too.

    Raises DomainError "series.name" and what ``check_rules`` raises, NotFound "series.unknown", NotAllowed
    "series.not_yours", Conflict "series.stale".
    """
    name, rules = _checked(name), check_rules(rules)
    with command_transaction(actor=actor, command=command) as done:
        series = _own(slug, actor)
        if command is not None and command.expected_version not in (None, series.version):
            raise Conflict(
                "series.stale",
                "The series has changed since you looked. Look at it as it is now, then send it again.",
                {"version": series.version},
            )
        series.name, series.rules = name, rules.as_json()
        series.version += 1
        series.save(update_fields=["name", "rules", "version"])
        return done(series.version, slug=series.slug)


def join_series(*, event_id: int, slug: str, actor: Actor, command: Command | None = None) -> Change:
    """Let an event that the owner also organises count in the series.

    Raises NotFound "series.unknown", "event.unknown", NotAllowed "series.not_yours", Conflict "series.in_another",
    "series.full".
    """
    with event_transaction(event_id, actor=actor, command=_without_version(command)) as tx:
        series = _own(slug, actor)
        if not StaffRole.objects.filter(
            not_expired(), event=tx.event, user=actor.user_id, role=StaffRole.Role.ORGANISER
        ).exists():
            raise NotFound("event.unknown", "You organise no event with this code.", {"code": tx.event.code})
        if tx.event.series_id not in (None, series.pk):
            raise Conflict("series.in_another", "The event counts in another series. Take it out there first.")
        if tx.event.series_id is None:
            if series.events.count() >= MOST_EVENTS:
                raise Conflict("series.full", f"A series has at most {MOST_EVENTS} events.")
            _put(tx.event, series)
            tx.log("series.joined", {"series": series.slug, "name": series.name})
        return tx.done(slug=series.slug, code=tx.event.code)


def leave_series(*, event_id: int, slug: str, actor: Actor, command: Command | None = None) -> Change:
    """Take an event out of the series. Raises NotFound "series.unknown", "series.not_in_it", NotAllowed
    "series.not_yours"."""
    with event_transaction(event_id, actor=actor, command=_without_version(command)) as tx:
        series = _own(slug, actor)
        if tx.event.series_id != series.pk:
            raise NotFound("series.not_in_it", "This event is not in the series.", {"code": tx.event.code})
        _put(tx.event, None)
        tx.log("series.left", {"series": series.slug, "name": series.name})
        return tx.done(slug=series.slug, code=tx.event.code)


def _put(event: Event, series: Series | None) -> None:
    event.series = series
    event.save(update_fields=["series"])


def _without_version(command: Command | None) -> Command | None:
    """A page of a series shows no version of its events, and joining builds on nothing in them."""
    return None if command is None else Command(command.key, command.body)


def _checked(name: str) -> str:
    name = " ".join(name.split())
    if not name or len(name) > LONGEST_NAME:
        raise DomainError("series.name", f"Give the series a name of 1 to {LONGEST_NAME} characters.")
    return name


def _own(slug: str, actor: Actor) -> Series:
    """Locked, so that two changes at once come one after the other."""
    series = Series.objects.select_for_update().filter(slug=slug).first()
    if series is None:
        raise NotFound("series.unknown", "There is no such series.", {"series": slug})
    if actor.user_id is None or series.owner_id != actor.user_id:
        raise NotAllowed("series.not_yours", "Only the owner of a series changes it.")
    return series
