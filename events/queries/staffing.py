"""Who helps at an event, who was asked to, and what the deck checks found."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Case, F, Q, QuerySet, Value, When
from django.db.models.functions import Now

from accounts.models import User
from config.errors import NotFound
from decks.queries.standing import standing_outcome
from events.models import DeckCheck, DecklistSubmission, Event, Player, StaffInvite, StaffRole
from events.queries.access import not_expired

INVITE_STATE = Case(
    When(revoked_at__isnull=False, then=Value("revoked")),
    When(uses__gte=F("most_uses"), then=Value("used")),
    When(expires_at__lte=Now(), then=Value("expired")),
    default=Value("open"),
)


def staff_rows(event: Event) -> QuerySet[StaffRole]:
    """Roles by person, each with ``ended``: whether it gives no rights any more. 1 query when evaluated."""
    ended = Q(expires_at__isnull=False) & Q(expires_at__lte=Now())
    return (
        event.staff.select_related("user")
        .annotate(ended=Case(When(ended, then=Value(True)), default=Value(False)))
        .order_by("user__display_name", "role")
    )


def own_roles(event: Event, user: User) -> QuerySet[StaffRole]:
    """Those of one person, as ``staff_rows``. 1 query when evaluated."""
    return staff_rows(event).filter(user=user)


def invite_rows(event: Event) -> QuerySet[StaffInvite]:
    """The newest first, each with ``state``: open, used, expired or revoked. 1 query when evaluated."""
    return event.staff_invites.annotate(state=INVITE_STATE).order_by("-pk")


def invite_of(event: Event, token_hash: str) -> StaffInvite:
    """The invite with ``state`` and the database's ``now``. 1 query. Raises NotFound "invite.unknown"."""
    found = invite_rows(event).annotate(now=Now()).filter(token_hash=token_hash).first()
    if found is None:
        raise NotFound("invite.unknown", "This link is no invite, or is incomplete. Ask for a new one.")
    return found


def has_role(event: Event, user: User, role: str) -> bool:
    """Whether the person has this role now. 1 query."""
    return event.staff.filter(not_expired(), user=user, role=role).exists()


@dataclass(frozen=True, slots=True)
class DeckRow:
    """A player with the decklist that counts, if any, what it was judged, and what the checks found, newest first."""

    player: Player
    decklist: int | None
    outcome: str
    handed_in: datetime | None
    checks: tuple[DeckCheck, ...]


def deck_rows(event: Event) -> list[DeckRow]:
    """Everybody who has a place, by name. 3 queries."""
    checks: dict[int, list[DeckCheck]] = {}
    for check in event.deck_checks.order_by("-pk"):
        checks.setdefault(check.player_id, []).append(check)
    lists = {
        player: (decklist, outcome, at)
        for player, decklist, outcome, at in DecklistSubmission.objects.filter(
            event=event, replaced_at=None
        ).values_list("player_id", "decklist_id", standing_outcome("decklist"), "submitted_at")
    }
    players = event.players.filter(state__in=[Player.State.REGISTERED, Player.State.CHECKED_IN]).order_by("name", "pk")
    return [
        DeckRow(player, *lists.get(player.pk, (None, "", None)), tuple(checks.get(player.pk, ()))) for player in players
    ]
