"""What need not be kept."""

from __future__ import annotations

from datetime import timedelta

from django.db.models.functions import Now

from events.models import IdempotencyRecord, OutboxMessage, PrintJob

ANSWERS_KEPT = timedelta(hours=48)
MESSAGES_KEPT = timedelta(days=7)


def forget_old() -> dict[str, int]:
    """Delete answers to requests that nobody repeats any more, messages that left long ago, and papers that were made
    a day ago; how many of each."""
    answers, _ = IdempotencyRecord.objects.filter(created_at__lt=Now() - ANSWERS_KEPT).delete()
    messages, _ = OutboxMessage.objects.filter(sent_at__lt=Now() - MESSAGES_KEPT).delete()
    papers, _ = PrintJob.objects.filter(expires_at__lt=Now()).delete()
    return {"answers": answers, "messages": messages, "papers": papers}
