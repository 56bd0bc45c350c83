"""Who may do what in an event. Views and the API ask here; services do not know about requests."""

from __future__ import annotations

from dataclasses import dataclass

from django.contrib.auth.models import AnonymousUser

from accounts.models import User
from config.errors import NotAllowed
from events.models import Event, Player, StaffRole

Role = StaffRole.Role


@dataclass(frozen=True)
class Viewer:
    """A person in front of one event: their account, their roles and their own entry."""

    user: User | None
    roles: frozenset[str]
    player: Player | None

    @property
    def is_staff(self) -> bool:
        return bool(self.roles)

    @property
    def runs_event(self) -> bool:
        """May set up the event, start it, and give roles."""
        return Role.ORGANISER in self.roles

    @property
    def runs_rounds(self) -> bool:
        """May pair, post, run the clock, complete rounds, and enter or change players."""
        return bool(self.roles & {Role.ORGANISER, Role.SCOREKEEPER})

    @property
    def decides_results(self) -> bool:
        """May enter and correct any result, and hand in a decklist for a player."""
        return bool(self.roles & {Role.ORGANISER, Role.SCOREKEEPER, Role.HEAD_JUDGE, Role.JUDGE})

    @property
    def sees_decklists(self) -> bool:
        """May read decklists and pools before they are public. A judge who also plays may not."""
        return self.is_staff and self.player is None

    def require(self, allowed: bool) -> None:
        """Raises NotAllowed "role.missing"."""
        if not allowed:
            raise NotAllowed("role.missing", "Your role in this event does not include this. Ask the organiser.")

    def require_player(self) -> Player:
        """Raises NotAllowed "player.none"."""
        if self.player is None:
            raise NotAllowed("player.none", "You are not a player of this event. Register first.")
        return self.player


def viewer_of(event: Event, user: User | AnonymousUser) -> Viewer:
    """2 queries for somebody who is signed in, none for anybody else.

    A judge who plays has only a player's rights, until they drop. Somebody who runs the event may play in it and still
    runs it, but reads no decklists.
    """
    if not isinstance(user, User):
        return Viewer(user=None, roles=frozenset(), player=None)
    roles = frozenset(StaffRole.objects.filter(event=event, user=user).values_list("role", flat=True))
    player = Player.objects.filter(event=event, user=user).first()
    if player is not None and player.state != Player.State.DROPPED:
        roles -= {Role.JUDGE, Role.HEAD_JUDGE}
    return Viewer(user=user, roles=roles, player=player)


def player_id_of(event: Event, user: User | AnonymousUser) -> int | None:
    """Whose pages somebody looks at. 1 query for somebody who is signed in, none for anybody else."""
    if not isinstance(user, User):
        return None
    return Player.objects.filter(event=event, user=user).values_list("pk", flat=True).first()
