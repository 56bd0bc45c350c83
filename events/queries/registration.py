"""Whether somebody may enter an event just now, and who waits for a place."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from django.db.models import Case, Count, OuterRef, Q, QuerySet, Subquery, When
from django.db.models.functions import Coalesce

from cards.engine.names import name_key
from events.engine.names import first_name_and_initial
from events.models import Event, Player

HOLDING = (Player.State.REGISTERED, Player.State.CHECKED_IN)
Phase = Literal["not_yet", "open", "waitlist", "full", "closed"]


def is_full(event: Event) -> bool:
    """Whether every place is held. 1 query, none without a limit."""
    return event.capacity is not None and event.players.filter(state__in=HOLDING).count() >= event.capacity


def waiting(event: Event) -> QuerySet[Player]:
    """Who waits for a place, the first of them first. 1 query when evaluated."""
    return event.players.filter(state=Player.State.WAITLISTED).order_by("registered_at", "pk")


def waitlist_place(player: Player) -> int | None:
    """1 for who gets the next free place; None for who does not wait. 1 query, or none."""
    if player.state != Player.State.WAITLISTED:
        return None
    return getattr(with_waitlist_places(Player.objects.filter(pk=player.pk)).first(), "waitlist_place", None)


def with_waitlist_places(players: QuerySet[Player]) -> QuerySet[Player]:
    """The players, each with ``waitlist_place``. No query of its own."""
    earlier = Q(registered_at__lt=OuterRef("registered_at")) | Q(
        registered_at=OuterRef("registered_at"), pk__lte=OuterRef("pk")
    )
    ahead = (
        Player.objects.filter(earlier, event=OuterRef("event"), state=Player.State.WAITLISTED)
        .order_by()
        .values("event")
        .annotate(number=Count("pk"))
        .values("number")
    )
    place = Case(When(state=Player.State.WAITLISTED, then=Coalesce(Subquery(ahead), 0)))
    return players.annotate(waitlist_place=place)


def dropped_by_themselves(player: Player) -> bool:
    """Whether the last drop was the player's own doing. 1 query, or none."""
    if player.user_id is None or player.state != Player.State.DROPPED:
        return False
    drops = player.event.log.filter(kind="player.dropped", payload__player=player.pk).order_by("-seq")
    return drops.values_list("actor_id", flat=True).first() == player.user_id


def can_return(player: Player) -> bool:
    """Whether the player can still take their own drop back, as far as their place is free. 3 queries, or none."""
    if not dropped_by_themselves(player) or player.event.state not in (Event.State.REGISTRATION, Event.State.RUNNING):
        return False
    if player.event.state == Event.State.RUNNING and player.lot == 0:
        return False
    newest = player.event.rounds.order_by("-sequence").values_list("sequence", flat=True).first()
    return (newest or 0) == (player.dropped_after_round or 0)


def player_with_code(event: Event, code: str) -> Player | None:
    """Whose QR it is. 1 query."""
    return with_waitlist_places(event.players.all()).filter(check_in_code=code).first()


@dataclass(frozen=True, slots=True)
class CheckIn:
    """Somebody was checked in ``at`` this time; ``stands`` until it is undone."""

    player: Player
    at: datetime

    @property
    def stands(self) -> bool:
        return self.player.state == Player.State.CHECKED_IN or self.player.is_present


def latest_check_ins(event: Event, *, limit: int = 10) -> list[CheckIn]:
    """The newest first, each player once. 2 queries."""
    rows = event.log.filter(kind="player.checked_in").order_by("-seq").values_list("payload__player", "at")[: 3 * limit]
    newest: dict[int, datetime] = {}
    for player, at in rows:
        newest.setdefault(player, at)
    players = event.players.in_bulk(list(newest)[:limit])
    return [CheckIn(players[pk], at) for pk, at in newest.items() if pk in players]


@dataclass(frozen=True, slots=True)
class Doors:
    """How entering the event stands: ``taken`` places, and the ids of who waits, the first of them first."""

    phase: Phase
    taken: int
    waiting: Sequence[int]

    @property
    def next_place(self) -> int:
        """Which on the waitlist somebody would be who comes now."""
        return len(self.waiting) + 1

    def place_of(self, player: Player) -> int | None:
        return self.waiting.index(player.pk) + 1 if player.pk in self.waiting else None


def doors_of(event: Event, players: Iterable[Player], now: datetime) -> Doors:
    """No query, given all ``players`` of the event; the service decides again by its own clock."""
    everybody = list(players)
    taken = sum(player.state in HOLDING for player in everybody)
    queue = sorted(
        (player for player in everybody if player.state == Player.State.WAITLISTED),
        key=lambda player: (player.registered_at, player.pk),
    )
    return Doors(_phase(event, taken, now), taken, [player.pk for player in queue])


def _phase(event: Event, taken: int, now: datetime) -> Phase:
    if event.state != Event.State.REGISTRATION:
        return "closed"
    if event.registration_closes_at is not None and now >= event.registration_closes_at:
        return "closed"
    if event.registration_opens_at is not None and now < event.registration_opens_at:
        return "not_yet"
    if event.capacity is not None and taken >= event.capacity:
        return "waitlist" if event.waitlist else "full"
    return "open"


def initial_name(event: Event, name: str, *, but: int | None = None) -> str:
    """ "Ada B.", or "Ada B. (2)" where there is one; "" for a name of one word, which stays. 1 query, or none."""
    short = first_name_and_initial(name)
    if short == name:
        return ""
    taken = names_taken(event, but=but)
    numbered = (short if number == 1 else f"{short} ({number})" for number in range(1, len(taken) + 2))
    return next(word for word in numbered if name_key(word) not in taken)


def names_taken(event: Event, *, but: int | None) -> set[str]:
    """Folded names, full and public ones, of everybody else. 1 query."""
    everybody = event.players.all() if but is None else event.players.exclude(pk=but)
    others = everybody.values_list("name_key", "public_name")
    return {key for name, shown in others for key in (name, name_key(shown)) if key}
