"""What need not be kept."""

from __future__ import annotations

from datetime import timedelta

from django.db.models.functions import Now

from events.models import Delivery, IdempotencyRecord, OutboxMessage, PrintJob

ANSWERS_KEPT = timedelta(hours=48)
MESSAGES_KEPT = timedelta(days=7)
GIVEN_UP_KEPT = timedelta(days=30)


def forget_old() -> dict[str, int]:
    """Delete answers to requests that nobody repeats any more, messages and deliveries that left long ago or were given
    up longer ago, and papers that were made a day ago; how many of each."""
    answers, _ = IdempotencyRecord.objects.filter(created_at__lt=Now() - ANSWERS_KEPT).delete()
    messages, _ = OutboxMessage.objects.filter(sent_at__lt=Now() - MESSAGES_KEPT).delete()
    sent = Delivery.objects.filter(state=Delivery.State.SENT, sent_at__lt=Now() - MESSAGES_KEPT)
    dead = Delivery.objects.filter(state=Delivery.State.DEAD, created_at__lt=Now() - GIVEN_UP_KEPT)
    deliveries = sent.delete()[0] + dead.delete()[0]
    papers, _ = PrintJob.objects.filter(expires_at__lt=Now()).delete()
    return {"answers": answers, "messages": messages, "deliveries": deliveries, "papers": papers}
