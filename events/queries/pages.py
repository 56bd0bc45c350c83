"""What the pages show."""

from __future__ import annotations

from django.contrib.auth.models import AnonymousUser
from django.db.models import Count, Q, QuerySet

from accounts.models import User
from events.models import Event, Player


def listed_events(*, user: User | AnonymousUser) -> QuerySet[Event]:
    """Events for the front page, newest first, with ``player_count``. 1 query when evaluated."""
    return (
        Event.objects.exclude(state=Event.State.CANCELLED)
        .select_related("game", "format")
        .annotate(player_count=Count("players", filter=~Q(players__state=Player.State.DROPPED)))
        .order_by("-starts_at", "-pk")[:50]
    )
