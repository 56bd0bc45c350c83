"""How far the messages of an event have come, for its organiser."""

from __future__ import annotations

from django.db.models import Count, QuerySet

from events.models import Delivery, Event, Round, Webhook


def counts_by_state(event: Event) -> dict[str, int]:
    """Every state, also those that none is in. 1 query."""
    rows = Delivery.objects.filter(event=event).order_by().values_list("state").annotate(number=Count("pk"))
    found = dict(rows)
    return {str(state): found.get(str(state), 0) for state in Delivery.State}


def deliveries_of(event: Event, *, state: str = "") -> QuerySet[Delivery]:
    """The newest first, with player and webhook, of one state or of all. 1 query when evaluated."""
    rows = Delivery.objects.filter(event=event).select_related("player", "webhook").order_by("-pk")
    return rows.filter(state=state) if state else rows


def webhooks_of(event: Event) -> QuerySet[Webhook]:
    """1 query when evaluated."""
    return Webhook.objects.filter(event=event).order_by("pk")


def round_is_over(delivery: Delivery) -> bool:
    """Whether it tells of a round that is complete. 1 query, none for one that tells of no round."""
    number = delivery.payload.get("round")
    if number is None:
        return False
    return Round.objects.filter(event=delivery.event_id, sequence=number, state=Round.State.COMPLETE).exists()
