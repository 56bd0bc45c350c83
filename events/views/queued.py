"""Forms that had waited on a device: their refusal says how the match stands now, so that somebody can choose."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django.http import HttpRequest

from config.errors import DomainError
from events.engine.outcomes import GameScore
from events.models import Event, Player
from events.queries.match_now import match_now
from events.views.commands import is_queued


@contextmanager
def telling_how_it_stands(
    request: HttpRequest, event: Event, *, match_id: int, said: GameScore, me: Player | None = None
) -> Iterator[None]:
    """Adds ``now`` to the context of a DomainError: see ``match_now``."""
    try:
        yield
    except DomainError as refusal:
        if is_queued(request) and (now := match_now(event=event, match_id=match_id, said=said, me=me)) is not None:
            refusal.context["now"] = now
        raise
