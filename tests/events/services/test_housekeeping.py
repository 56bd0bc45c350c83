from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.utils import timezone

from events.models import IdempotencyRecord, OutboxMessage
from events.services import outbox, registration
from events.services.housekeeping import forget_old
from events.services.transaction import Command
from tests.events.factories import Made

pytestmark = pytest.mark.django_db


def test_answers_are_kept_for_two_days_and_sent_messages_for_a_week(make_event: Callable[..., Made]) -> None:
    made = make_event(players=2)
    for number in range(2):
        registration.add_player(
            event_id=made.event.pk,
            actor=made.by_organiser,
            name=f"Guest {number}",
            command=Command(key=f"key-{number}"),
        )
    outbox.relay()
    now = timezone.now()
    IdempotencyRecord.objects.filter(key="key-0").update(created_at=now - timedelta(hours=49))
    old = OutboxMessage.objects.filter(event=made.event).order_by("pk")[0]
    OutboxMessage.objects.filter(pk=old.pk).update(sent_at=now - timedelta(days=8))
    before = OutboxMessage.objects.count()
    assert forget_old() == {"answers": 1, "messages": 1, "deliveries": 0, "papers": 0}
    assert list(IdempotencyRecord.objects.values_list("key", flat=True)) == ["key-1"]
    assert OutboxMessage.objects.count() == before - 1


def test_a_message_that_did_not_leave_is_never_forgotten(make_event: Callable[..., Made]) -> None:
    made = make_event(players=2)
    unsent = OutboxMessage.objects.filter(event=made.event, sent_at=None).count()
    OutboxMessage.objects.update(created_at=timezone.now() - timedelta(days=365))
    assert (unsent > 0, forget_old()["messages"]) == (True, 0)


def test_a_topic_that_nobody_knows_keeps_no_other_message_waiting(make_event: Callable[..., Made]) -> None:
    made = make_event(players=2)
    strange = OutboxMessage.objects.create(event=made.event, topic="pigeon", key="pigeon", payload={})
    OutboxMessage.objects.filter(pk=strange.pk).update(created_at=timezone.now())
    for _ in range(outbox.MOST_ATTEMPTS):
        with pytest.raises(outbox.UnknownTopic, match="Nobody hands on pigeon"):
            outbox.relay()
    assert list(OutboxMessage.objects.filter(sent_at=None).values_list("topic", "attempts")) == [
        ("pigeon", outbox.MOST_ATTEMPTS)
    ]
    assert outbox.relay() == 0
