"""Who plays: registration, entries without an account and their claims, check-in, drops."""

from __future__ import annotations

import secrets
from zoneinfo import ZoneInfo

from accounts.models import User
from accounts.names import clean_display_name
from cards.engine.names import name_key
from config.errors import Conflict, NotAllowed, NotFound, Unprocessable
from events.models import Event, Notice, Player, Pod, Round, Stage
from events.queries.registration import dropped_by_themselves, initial_name, is_full, waiting
from events.services.drafts import pick_for_absent
from events.services.transaction import (
    Actor,
    Change,
    Command,
    EventTransaction,
    creation_transaction,
    event_transaction,
)
from events.services.waitlist import give_places

LONGEST_KEY = 60
OPEN = (Event.State.REGISTRATION, Event.State.RUNNING)


def register(
    *, event_id: int, actor: Actor, user_id: int, hides_surname: bool = False, command: Command | None = None
) -> Change:
    """Enter a user under their display name, or on the waitlist of a full event that has one. Where they hide the
    surname, everybody but staff reads first name and initial.

    Raises Conflict "registration.not_yet", "registration.closed", "registration.already", "registration.name_taken",
    "registration.full".
    """
    with event_transaction(event_id, actor=actor, command=command) as tx:
        user = User.objects.get(pk=user_id)
        if Player.objects.filter(event=tx.event, user=user).exists():
            raise Conflict("registration.already", "You are already registered for this event.")
        _refuse_out_of_hours(tx)
        public_name = initial_name(tx.event, user.display_name) if hides_surname else ""
        player = _enter(tx, name=user.display_name, user=user, public_name=public_name)
        return tx.done(player=player.pk, name=player.name, state=player.state)


def add_player(*, event_id: int, actor: Actor, name: str, command: Command | None = None) -> Change:
    """Enter a person without an account, before the start, whenever registration is open to others. The answer holds
    the token of the link by which they claim the entry.

    Raises Conflict "registration.closed", "registration.name_taken", "registration.full", and DomainError
    "account.display_name_*" for a name that can't be shown.
    """
    with event_transaction(event_id, actor=actor, command=command) as tx:
        player = _enter(tx, name=clean_display_name(name), user=None, claim_token=secrets.token_urlsafe(24))
        return tx.done(player=player.pk, name=player.name, state=player.state, claim_token=player.claim_token)


def _refuse_out_of_hours(tx: EventTransaction) -> None:
    event = tx.event
    opens, closes = event.registration_opens_at, event.registration_closes_at
    if opens is not None and tx.now < opens:
        raise Conflict(
            "registration.not_yet",
            f"Registration opens on {opens.astimezone(ZoneInfo(event.time_zone)):%-d %B %Y at %H:%M}.",
            {"opens_at": opens.isoformat()},
        )
    if closes is not None and tx.now >= closes:
        raise Conflict(
            "registration.closed",
            "Registration is closed. Ask the organiser: staff can still enter you before the start.",
            {"closed_at": closes.isoformat()},
        )


def _enter(
    tx: EventTransaction, *, name: str, user: User | None, public_name: str = "", claim_token: str | None = None
) -> Player:
    event = tx.event
    if event.state != Event.State.REGISTRATION:
        raise Conflict("registration.closed", "Registration is closed: the event has started.", {"state": event.state})
    state = _state_on_entry(event)
    player = create_entry(tx, name=name, user=user, state=state, public_name=public_name, claim_token=claim_token)
    if state == Player.State.WAITLISTED:
        _queue_up(tx, player)
        tx.log("player.waitlisted", {"player": player.pk, "place": waiting(event).count(), "guest": user is None})
    else:
        tx.log("player.registered", {"player": player.pk, "guest": user is None})
    return player


def create_entry(
    tx: EventTransaction,
    *,
    name: str,
    user: User | None,
    state: Player.State,
    public_name: str = "",
    claim_token: str | None = None,
) -> Player:
    """Raises Conflict "registration.name_taken"."""
    key = name_key(name)[:LONGEST_KEY]  # folding may make a name longer
    if Player.objects.filter(event=tx.event, name_key=key).exists():
        raise Conflict(
            "registration.name_taken",
            f"There is already a player called {name} here. Add an initial or another name, so that both can be told "
            "apart.",
            {"name": name},
        )
    return Player.objects.create(
        event=tx.event,
        user=user,
        name=name,
        name_key=key,
        public_name=public_name,
        state=state,
        claim_token=claim_token,
        check_in_code=secrets.token_urlsafe(12),
    )


def _state_on_entry(event: Event) -> Player.State:
    """Raises Conflict "registration.full"."""
    if not is_full(event):
        return Player.State.REGISTERED
    if not event.waitlist:
        raise Conflict("registration.full", f"All {event.capacity} places are taken.", {"capacity": event.capacity})
    return Player.State.WAITLISTED


def _queue_up(tx: EventTransaction, player: Player) -> None:
    """The order of the waitlist is by the database's clock, which no two processes disagree about."""
    player.registered_at = tx.now
    player.save(update_fields=["registered_at"])


def claim_entry(*, token: str, actor: Actor, user_id: int, command: Command | None = None) -> Change:
    """Give an entry that was made without an account to the account of the person behind it. Works once.

    Raises NotFound "claim.unknown", Conflict "registration.already" (the account has an entry of its own).
    """
    event_id = Player.objects.filter(claim_token=token).values_list("event_id", flat=True).first()
    if event_id is None:
        with creation_transaction(actor=actor, command=command):  # a repeat gets its answer
            raise NotFound(
                "claim.unknown", "This link was used already, or is incomplete. Ask the organiser for a new one."
            )
    with event_transaction(event_id, actor=actor, command=command) as tx:
        player = Player.objects.select_for_update().filter(event=tx.event, claim_token=token).first()
        if player is None:
            raise NotFound("claim.unknown", "This link was used already. Ask the organiser for a new one.")
        if Player.objects.filter(event=tx.event, user_id=user_id).exists():
            raise Conflict(
                "registration.already",
                "Your account already has an entry in this event. Ask the organiser to merge them.",
            )
        player.user_id, player.claim_token = user_id, None
        player.save(update_fields=["user", "claim_token"])
        tx.log("player.claimed", {"player": player.pk}, public=False)
        return tx.done(event=tx.event.pk, code=tx.event.code, player=player.pk)


def check_in(*, event_id: int, actor: Actor, player_id: int, command: Command | None = None) -> Change:
    """Say that a player is there. Who waits for a place goes on waiting, and gets one of a no-show at the start.

    Raises NotFound "player.unknown", Conflict "registration.closed", "player.dropped".
    """
    return _set_presence(event_id, actor, player_id, command, Player.State.CHECKED_IN, "player.checked_in")


def check_in_by_code(*, event_id: int, actor: Actor, code: str, command: Command | None = None) -> Change:
    """Check in whoever shows this code: as it is read from their QR, which is an address that ends in it, or typed.

    Raises Unprocessable "check_in.unknown", and what ``check_in`` raises.
    """
    token = code.strip().rstrip("/").rpartition("/")[2]
    with event_transaction(event_id, actor=actor, command=command) as tx:
        player = Player.objects.select_for_update().filter(event=tx.event, check_in_code=token).first()
        if player is None or not token:
            raise Unprocessable(
                "check_in.unknown", "Nobody in this event has this code. Scan it again, or find the name."
            )
        new = _be_present(tx, player, Player.State.CHECKED_IN, "player.checked_in")
        return tx.done(player=player.pk, name=player.name, state=player.state, already=not new)


def undo_check_in(*, event_id: int, actor: Actor, player_id: int, command: Command | None = None) -> Change:
    """Raises NotFound "player.unknown", Conflict "registration.closed", "player.dropped"."""
    return _set_presence(event_id, actor, player_id, command, Player.State.REGISTERED, "player.check_in_undone")


def _set_presence(
    event_id: int, actor: Actor, player_id: int, command: Command | None, state: Player.State, kind: str
) -> Change:
    with event_transaction(event_id, actor=actor, command=command) as tx:
        player = player_of(tx, player_id)
        _be_present(tx, player, state, kind)
        return tx.done(player=player.pk, state=player.state)


def _be_present(tx: EventTransaction, player: Player, state: Player.State, kind: str) -> bool:
    """Whether that was new. Raises Conflict "registration.closed", "player.dropped"."""
    if tx.event.state != Event.State.REGISTRATION:
        raise Conflict("registration.closed", "The event has started: check-in is over.")
    if player.state == Player.State.DROPPED:
        raise Conflict("player.dropped", f"{player.name} has dropped. Take the drop back first.")
    here = state == Player.State.CHECKED_IN
    if player.state == Player.State.WAITLISTED:
        if player.is_present == here:
            return False
        player.is_present = here
        player.save(update_fields=["is_present"])
        tx.log(kind, {"player": player.pk, "waits": True})
        return True
    if player.state == state:
        return False
    player.state = state
    player.save(update_fields=["state"])
    tx.log(kind, {"player": player.pk})
    return True


def drop_player(*, event_id: int, actor: Actor, player_id: int, command: Command | None = None) -> Change:
    """Take a player out of everything that has not been paired. A match that is under way can still be finished.
    Before the start, the first who waits gets the place.

    Raises NotFound "player.unknown", Conflict "player.dropped", "event.over".
    """
    with event_transaction(event_id, actor=actor, command=command) as tx:
        player = player_of(tx, player_id)
        _refuse_over(tx)
        if player.state == Player.State.DROPPED:
            raise Conflict("player.dropped", f"{player.name} has already dropped.")
        player.state, player.is_present = Player.State.DROPPED, False
        player.dropped_after_round = _last_round(tx)
        player.save(update_fields=["state", "is_present", "dropped_after_round"])
        tx.log("player.dropped", {"player": player.pk, "after_round": player.dropped_after_round})
        if player.user_id not in (None, actor.user_id):
            tx.tell(Notice.PLAYER_DROPPED, {"players": [player.pk]})
        give_places(tx)
        drafting = Pod.objects.filter(event=tx.event, seats__player=player, stage__state=Stage.State.ACTIVE)
        for pod in drafting.select_related("stage", "event"):
            pick_for_absent(tx, pod)
        return tx.done(player=player.pk, after_round=player.dropped_after_round)


def reinstate_player(
    *, event_id: int, actor: Actor, player_id: int, by_staff: bool = True, command: Command | None = None
) -> Change:
    """Take a drop back, until a round has been paired without the player. Who gave up a place of an event that has
    filled up since queues up again. Players take back what they did themselves, and staff what anybody did.

    Raises NotFound "player.unknown", NotAllowed "drop.by_staff", Conflict "event.over", "player.not_dropped",
    "player.missed_round", "player.no_show", "registration.full".
    """
    with event_transaction(event_id, actor=actor, command=command) as tx:
        player = player_of(tx, player_id)
        _refuse_over(tx)
        if player.state != Player.State.DROPPED:
            raise Conflict("player.not_dropped", f"{player.name} has not dropped.")
        if not by_staff and not dropped_by_themselves(player):
            raise NotAllowed("drop.by_staff", "Staff took you out of the event. Ask them if that is a mistake.")
        if _last_round(tx) != (player.dropped_after_round or 0):
            raise Conflict(
                "player.missed_round",
                f"A round was paired without {player.name}. Coming back now is a late entry, which staff decide.",
            )
        running = tx.event.state == Event.State.RUNNING
        if running and player.lot == 0:
            raise Conflict("player.no_show", f"{player.name} was not checked in when the event started.")
        player.state = Player.State.CHECKED_IN if running else _state_on_entry(tx.event)
        player.dropped_after_round = None
        player.save(update_fields=["state", "dropped_after_round"])
        waits = player.state == Player.State.WAITLISTED
        if waits:
            _queue_up(tx, player)
        tx.log("player.reinstated", {"player": player.pk, **({"waits": True} if waits else {})})
        return tx.done(player=player.pk, state=player.state)


def player_of(tx: EventTransaction, player_id: int) -> Player:
    """A player of this event, locked. Raises NotFound "player.unknown"."""
    player = Player.objects.select_for_update(of=("self",)).filter(event=tx.event, pk=player_id).first()
    if player is None:
        raise NotFound("player.unknown", "There is no such player in this event.", {"player": player_id})
    return player


def _refuse_over(tx: EventTransaction) -> None:
    if tx.event.state not in OPEN:
        raise Conflict("event.over", "The event is over.", {"state": tx.event.state})


def _last_round(tx: EventTransaction) -> int:
    """Sequence of the last round that was paired, drafts included; 0 before the first."""
    newest = Round.objects.filter(event=tx.event).order_by("-sequence").values_list("sequence", flat=True).first()
    return newest or 0
