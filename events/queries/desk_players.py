"""One player as staff see them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Q

from events.models import Avoidance, Event, Player
from events.queries.registration import with_waitlist_places
from events.queries.visibility import player_in


@dataclass(frozen=True, slots=True)
class KeptApart:
    """Whom a player is not to meet."""

    avoidance: Avoidance
    other: Player


def desk_player(event: Event, player_id: int) -> Player:
    """With team and place on the waitlist. 1 query. Raises NotFound "player.unknown"."""
    return player_in(event, player_id, players=with_waitlist_places(event.players.select_related("team")))


def avoidances_of(player: Player) -> list[KeptApart]:
    """By the other's name. 1 query."""
    found = Avoidance.objects.filter(Q(one=player) | Q(other=player)).select_related("one", "other")
    rows = [KeptApart(row, row.other if row.one_id == player.pk else row.one) for row in found]
    return sorted(rows, key=lambda row: row.other.name)


def others_of(player: Player) -> Sequence[tuple[int, str]]:
    """Everybody else in the event, by name. 1 query."""
    others = Player.objects.filter(event=player.event_id).exclude(pk=player.pk).exclude(state=Player.State.DROPPED)
    return list(others.order_by("name", "pk").values_list("pk", "name"))
