"""Who may do what in an event. Views and the API ask here; services do not know about requests."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from django.contrib.auth.models import AnonymousUser
from django.db.models import Q, QuerySet
from django.db.models.functions import Now

from accounts.models import User
from config.errors import NotAllowed
from config.prepared import prepared
from events.models import Event, Player, StaffRole

Role = StaffRole.Role
JUDGES = frozenset({Role.HEAD_JUDGE, Role.JUDGE})
CREW = JUDGES | {Role.ORGANISER, Role.SCOREKEEPER}

RIGHTS: Mapping[str, frozenset[Role]] = {
    "runs_event": frozenset({Role.ORGANISER}),
    "runs_rounds": frozenset({Role.ORGANISER, Role.SCOREKEEPER}),
    "decides_results": CREW,
    "follows_event": CREW,
    "knows_names": CREW | {Role.DECK_CHECKER},
    "sees_decklists": CREW | {Role.DECK_CHECKER},
    "checks_decks": JUDGES | {Role.ORGANISER, Role.DECK_CHECKER},
    "reads_whole_log": CREW,
}
"""Every right, and the roles that have it. Coverage has none of them: it reads what was posted and published."""

NOT_OF_PLAYERS = frozenset({"sees_decklists", "checks_decks", "reads_whole_log"})
"""Rights that nobody has who has an entry in the event, not even once they have dropped."""

NOT_WHILE_PLAYING = JUDGES | {Role.DECK_CHECKER}
"""Roles that rest while their holder is in the event as a player."""


@dataclass(frozen=True)
class Viewer:
    """A person in front of one event: their account, their roles that have not expired, and their own entry."""

    user: User | None
    roles: frozenset[str]
    player: Player | None

    def may(self, right: str) -> bool:
        """Whether one of the roles has the ``right``, a key of ``RIGHTS``."""
        if self.player is not None and right in NOT_OF_PLAYERS:
            return False
        return not self.roles.isdisjoint(RIGHTS[right])

    @property
    def is_staff(self) -> bool:
        """Has a role of any kind: learns that there is a desk, and nothing else by that alone."""
        return bool(self.roles)

    @property
    def runs_event(self) -> bool:
        """May set up the event, start it, and give roles."""
        return self.may("runs_event")

    @property
    def runs_rounds(self) -> bool:
        """May pair, post, run the clock, complete rounds, and enter or change players."""
        return self.may("runs_rounds")

    @property
    def decides_results(self) -> bool:
        """May enter and correct any result, and hand in a decklist for a player."""
        return self.may("decides_results")

    @property
    def follows_event(self) -> bool:
        """May read what staff alone know of rounds, matches and players: drafts, both reports, who has paid."""
        return self.may("follows_event")

    @property
    def knows_names(self) -> bool:
        """May read the names that players hide from everybody else."""
        return self.may("knows_names")

    @property
    def sees_decklists(self) -> bool:
        """May read decklists and pools before they are public. A judge who also plays may not."""
        return self.may("sees_decklists")

    @property
    def checks_decks(self) -> bool:
        """May write down what a deck check found, and read what others found."""
        return self.may("checks_decks")

    @property
    def reads_whole_log(self) -> bool:
        """May read the entries of the log that are not for everybody, decklists and repairs among them."""
        return self.may("reads_whole_log")

    def require(self, allowed: bool) -> None:
        """Raises NotAllowed "role.missing"."""
        if not allowed:
            raise NotAllowed("role.missing", "Your role in this event does not include this. Ask the organiser.")

    def require_player(self) -> Player:
        """Raises NotAllowed "player.none"."""
        if self.player is None:
            raise NotAllowed("player.none", "You are not a player of this event. Register first.")
        return self.player


def not_expired() -> Q:
    """Of roles and invites: those that still hold, by the database's clock."""
    return Q(expires_at=None) | Q(expires_at__gt=Now())


@prepared
def event_of(code: str) -> QuerySet[Event]:
    """The event of that code, with its game and rules, or none. 1 query."""
    return Event.objects.filter(code=code).select_related("game", "format", "format_version", "policy")


@prepared
def _roles_held(event: int, user: int) -> QuerySet[StaffRole, str]:
    return StaffRole.objects.filter(not_expired(), event=event, user=user).values_list("role", flat=True)


@prepared
def _player_of(event: int, user: int) -> QuerySet[Player]:
    return Player.objects.filter(event=event, user=user)


@prepared
def _entry_of(code: str, user: int) -> QuerySet[Player]:
    return Player.objects.filter(event__code=code, user=user).select_related("event")


def as_player(code: str, user: User) -> tuple[Event, Viewer] | None:
    """The event of that code, and the user in it with a player's rights alone; None for who has no entry. 1 query."""
    player = _entry_of.first(code, user.pk)
    return None if player is None else (player.event, Viewer(user=user, roles=frozenset(), player=player))


def viewer_of(event: Event, user: User | AnonymousUser) -> Viewer:
    """2 queries for somebody who is signed in, none for anybody else.

    A judge who plays has only a player's rights, until they drop. Somebody who runs the event may play in it and still
    runs it, but reads no decklists.
    """
    if not isinstance(user, User):
        return Viewer(user=None, roles=frozenset(), player=None)
    roles = frozenset(_roles_held(event.pk, user.pk))
    player = _player_of.first(event.pk, user.pk)
    if player is not None and player.state != Player.State.DROPPED:
        roles -= NOT_WHILE_PLAYING
    return Viewer(user=user, roles=roles, player=player)


def player_id_of(event: Event, user: User | AnonymousUser) -> int | None:
    """Whose pages somebody looks at. 1 query for somebody who is signed in, none for anybody else."""
    if not isinstance(user, User):
        return None
    return Player.objects.filter(event=event, user=user).values_list("pk", flat=True).first()
