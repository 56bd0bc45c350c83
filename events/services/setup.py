"""Make an event, staff it, start it, finish it."""

from __future__ import annotations

import contextlib
import secrets
from collections.abc import Callable, Mapping
from datetime import date, datetime
from typing import Any
from zoneinfo import ZoneInfo, available_timezones

from accounts.models import User
from cards.engine.streams import Stream
from cards.models import Product
from config.errors import Conflict, DomainError, Unavailable
from events.engine.custom_rules import CUSTOM, custom_rules
from events.engine.fairness import commitment, lots_label
from events.engine.games import PlayRules
from events.engine.names import event_code
from events.engine.standings import draw_lots
from events.models import Event, Notice, Player, StaffRole, Stage
from events.queries.templates import UNPLAYABLE
from events.services.keeping import keep_rules_of, settle_event
from events.services.missing_lists import drop_without, refuse_gaps
from events.services.role_ends import role_ends
from events.services.stages import begin_stage, finish_stage
from events.services.transaction import (
    Actor,
    Change,
    Command,
    EventTransaction,
    creation_transaction,
    event_transaction,
)
from events.services.waitlist import give_places_of_no_shows
from rules.engine.digests import digest_of
from rules.models import FormatVersion, Policy
from rules.queries import format_version_on

LONGEST_NAME = 120


def create_event(
    *,
    actor: Actor,
    policy_id: int,
    name: str,
    starts_at: datetime,
    time_zone: str = "UTC",
    place: str = "",
    legality_date: date | None = None,
    capacity: int | None = None,
    decklist_deadline: datetime | None = None,
    decklist_publication: str = Event.Publication.NEVER,
    secret: bytes | None = None,
    code: str | None = None,
    own_rules: Mapping[str, Any] | None = None,
    command: Command | None = None,
) -> Change:
    """An event from a template (a policy), with registration open and ``actor`` as its organiser.

    ``own_rules`` has parts of the policy as the organiser wants them instead: see ``custom_rules``.

    The format version in force on ``legality_date`` (by default the day it starts, where it is held) is resolved now
    and kept. The secret that seeds every draw is made now and its hash is public from now on; ``secret`` gives it
    for an event that is to be played again the same way.

    Raises DomainError "event.policy_unknown", "event.stages_unplayable", "event.name", "event.place",
    "event.time_zone", "event.publication", "event.capacity", "event.rules", and NotFound when no version of the format
    is in force on that day.
    """
    name = " ".join(name.split())
    if not name or len(name) > LONGEST_NAME:
        raise DomainError("event.name", f"Give the event a name of 1 to {LONGEST_NAME} characters.")
    if len(place) > LONGEST_NAME:
        raise DomainError("event.place", f"Describe the place in at most {LONGEST_NAME} characters.")
    if decklist_publication not in Event.Publication.values:
        raise DomainError("event.publication", "Choose one of the ways to publish decklists.")
    if time_zone not in available_timezones():
        raise DomainError("event.time_zone", f"{time_zone!r} is not a time zone. Use a name such as Europe/Vienna.")
    if capacity is not None and not 2 <= capacity <= 10_000:
        raise DomainError("event.capacity", "An event has room for 2 to 10,000 players, or leave it empty.")
    with creation_transaction(actor=actor, command=command) as open_event:
        policy = Policy.objects.select_related("game", "format").filter(pk=policy_id).first()
        if policy is None:
            raise DomainError("event.policy_unknown", "There is no such template. Choose one of the list.")
        day = legality_date or starts_at.astimezone(ZoneInfo(time_zone)).date()
        version = format_version_on(format=policy.format, day=day)
        rules = policy.definition if own_rules is None else _with_own(policy, version, own_rules)
        tx = found_event(
            open_event,
            actor=actor,
            policy=policy,
            rules=rules,
            format_version=version,
            secret=secret,
            code=code,
            name=name,
            place=place.strip(),
            starts_at=starts_at,
            time_zone=time_zone,
            legality_date=day,
            capacity=capacity,
            decklist_deadline=decklist_deadline,
            decklist_publication=decklist_publication,
        )
        return tx.done(event=tx.event.pk, code=tx.event.code)


def rules_with_own(*, policy: Policy, day: date, own: Mapping[str, Any]) -> dict[str, Any]:
    """What an event on ``day`` would be run by. Raises DomainError "event.rules" with every problem, NotFound."""
    return _with_own(policy, format_version_on(format=policy.format, day=day), own)


def _with_own(policy: Policy, version: FormatVersion, own: Mapping[str, Any]) -> dict[str, Any]:
    opened = version.definition["pool"]["kind"] == "event_pool"
    rules = custom_rules(policy.definition, own, unplayable=UNPLAYABLE, pool_is_opened=opened)
    for number, stage in enumerate(rules["stages"]):
        if product := stage.get("product"):
            known = sorted(set(Product.objects.filter(game=policy.game_id).values_list("slug", flat=True)))
            if product not in known:
                message = f"{policy.game.name} has no product called {product}. Choose from: {', '.join(known) or '-'}."
                problem = {"field": f"stages.{number}.product", "message": message}
                raise DomainError("event.rules", f"These rules can't be used: {message}", {"problems": [problem]})
    return rules


def found_event(
    open_event: Callable[[Event], EventTransaction],
    *,
    actor: Actor,
    policy: Policy,
    rules: Mapping[str, Any],
    format_version: FormatVersion,
    secret: bytes | None = None,
    code: str | None = None,
    said: Mapping[str, Any] | None = None,
    **settings: Any,
) -> EventTransaction:
    """Store an event with its stages, and ``actor`` as its organiser. ``said`` goes into the log beside the rest.

    Raises DomainError "event.stages_unplayable".
    """
    if unplayable := [stage["kind"] for stage in rules["stages"] if stage["kind"] in UNPLAYABLE]:
        labels = " and ".join(UNPLAYABLE[kind] for kind in dict.fromkeys(unplayable))
        raise DomainError(
            "event.stages_unplayable",
            f"{policy.name} is played as {labels}, which Tiltyard can't run yet. Choose another template; "
            "the rules and formats of the game can be looked up all the same.",
            {"template": policy.slug, "stages": unplayable},
        )
    secret = secret or secrets.token_bytes(32)
    play = PlayRules.of(rules)
    chosen = {"players_report": play.players_report, "agreed_draws": bool(play.agreed_draws), **settings}
    event = Event.objects.create(
        code=code or event_code(Stream(secrets.token_bytes(32), "code")),
        game=policy.game,
        format=policy.format,
        format_version=format_version,
        policy=policy,
        rules=rules,
        secret=secret,
        commitment=commitment(secret),
        **chosen,
    )
    Stage.objects.bulk_create(
        Stage(event=event, number=number, kind=config["kind"], config=config)
        for number, config in enumerate(rules["stages"], 1)
    )
    if actor.user_id is not None:
        StaffRole.objects.create(event=event, user_id=actor.user_id, role=StaffRole.Role.ORGANISER)
    tx = open_event(event)
    tx.log(
        "event.created",
        {
            "name": event.name,
            "policy": policy.slug,
            "policy_digest": policy.digest,
            "format_digest": format_version.digest,
            "legality_date": event.legality_date.isoformat(),
            "commitment": event.commitment,
            **({"custom": True, "rules_digest": digest_of(rules)} if rules["slug"] == CUSTOM else {}),
            **(said or {}),
        },
    )
    return tx


def add_staff(
    *,
    event_id: int,
    actor: Actor,
    email: str,
    role: str,
    expires_at: datetime | None = None,
    command: Command | None = None,
) -> Change:
    """Give a person with an account a role, until ``expires_at`` or as ``role_ends`` has it.

    Raises DomainError "staff.role", "staff.unknown", "staff.already", "staff.expires_at".
    """
    if role not in StaffRole.Role.values:
        raise DomainError("staff.role", "Choose one of the roles.", {"roles": StaffRole.Role.values})
    with event_transaction(event_id, actor=actor, command=command) as tx:
        if expires_at is not None and expires_at <= tx.now:
            raise DomainError("staff.expires_at", "Let the role end at a time that is still to come.")
        user = User.objects.filter(email__iexact=email.strip()).first()
        if user is None:
            raise DomainError(
                "staff.unknown", "Nobody has signed up with this address. Ask them to sign up, then add them again."
            )
        held = StaffRole.objects.filter(event=tx.event, user=user, role=role).first()
        if held is not None and not held.has_ended(tx.now):
            raise DomainError("staff.already", f"{user} already has this role.")
        until = expires_at or role_ends(tx.event, role, tx.now)
        StaffRole.objects.update_or_create(event=tx.event, user=user, role=role, defaults={"expires_at": until})
        tx.log("staff.added", {"user": user.pk, "name": user.display_name, "role": role}, public=False)
        return tx.done(user=user.pk, role=role)


def start_event(*, event_id: int, actor: Actor, command: Command | None = None) -> Change:
    """Close registration and begin the first stage. Whoever has not checked in is dropped as a no-show, and who waits
    and is there gets the place, in order; the others go on waiting. Where the event has it so, who has no decklist that
    may be played is dropped, too.

    From now on the event keeps its rules (``events.services.keeping``). Raises Conflict "event.not_open",
    "event.too_few_players", "event.decklists_missing" (names in the context).
    """
    try:
        return _start(event_id, actor, command)
    except Conflict as refusal:
        if refusal.code == "event.decklists_missing":
            with contextlib.suppress(Unavailable):
                settle_event(event_id=event_id)
        raise


def _start(event_id: int, actor: Actor, command: Command | None) -> Change:
    with event_transaction(event_id, actor=actor, command=command) as tx:
        event = tx.event
        if event.state != Event.State.REGISTRATION:
            raise Conflict("event.not_open", "This event has already been started.", {"state": event.state})
        players = list(event.players.order_by("pk"))
        kept = keep_rules_of(tx)
        first = event.stages.order_by("number")[0]
        here = [player for player in players if player.state == Player.State.CHECKED_IN]
        present, without = _with_decklists(tx, first, here)
        while let_in := give_places_of_no_shows(tx, present=len(present)):
            more, left = _with_decklists(tx, first, let_in)
            present, without = present + more, without + left
        if len(present) < 2:
            raise Conflict(
                "event.too_few_players",
                "At least two players have to be checked in before the event can start"
                f"{', and have a decklist that may be played' if without else ''}.",
                {"checked_in": len(present)},
            )
        absent = [player for player in players if player.state == Player.State.REGISTERED]
        for player in absent:
            player.state, player.dropped_after_round = Player.State.DROPPED, 0
        came = sorted([*present, *without], key=lambda player: player.pk)
        lots = draw_lots([player.pk for player in came], Stream(bytes(event.secret), lots_label(0)))
        for player in came:
            player.lot = lots[player.pk]
        Player.objects.bulk_update([*absent, *came], ["state", "dropped_after_round", "lot"])
        if first.kind in Stage.PLAYED:
            refuse_gaps(event)
        event.state = Event.State.RUNNING
        event.save(update_fields=["state"])
        no_shows = [player.pk for player in absent]
        tx.log("event.started", {"players": len(present), "no_shows": no_shows, "rules": kept.digest})
        tx.tell(Notice.EVENT_STARTED, {})
        if no_shows:
            tx.tell(Notice.PLAYER_DROPPED, {"players": no_shows, "why": "absent"})
        begin_stage(tx, first)
        return tx.done(
            event=event.pk,
            stage=first.pk,
            no_shows=[player.name for player in absent],
            without_decklist=[player.name for player in without],
        )


def _with_decklists(tx: EventTransaction, first: Stage, players: list[Player]) -> tuple[list[Player], list[Player]]:
    """Who plays, and who is dropped for want of a decklist, as far as the first stage needs one."""
    without = drop_without(tx, players) if first.kind in Stage.PLAYED else []
    return [player for player in players if player not in without], without


def finish_event(*, event_id: int, actor: Actor, command: Command | None = None) -> Change:
    """Close the event: its placing is final, its log is sealed with the secret that seeded its draws.

    Raises what ``begin_next_stage`` raises for the stage under way, and Conflict "event.stages_left" unless fewer than
    two players are still there to play them.
    """
    with event_transaction(event_id, actor=actor, command=command) as tx:
        event = tx.event
        if event.state != Event.State.RUNNING:
            raise Conflict("event.not_running", "Only a running event can be finished.", {"state": event.state})
        finish_stage(tx)
        left = list(event.stages.filter(state=Stage.State.WAITING).values_list("kind", flat=True))
        if left and event.players.filter(state=Player.State.CHECKED_IN).count() > 1:
            raise Conflict(
                "event.stages_left",
                f"There is still a stage to come: {Stage.Kind(left[0]).label}. Begin it, or play it to its end.",
                {"stages": left},
            )
        event.state = Event.State.FINISHED
        event.save(update_fields=["state"])
        tx.log("event.finished", {"secret": bytes(event.secret).hex()})
        return tx.done(event=event.pk)
