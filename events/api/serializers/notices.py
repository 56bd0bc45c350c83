"""What an account is told, and how far messages have come."""

from __future__ import annotations

from rest_framework import serializers

from decks.serializers import Strict, Text
from events.api.serializers.changes import Changed
from events.api.serializers.fields import Whole, YesOrNo
from events.api.serializers.requests import MAX_NUMBER, Page, PlainCommand
from events.channels.outward import LONGEST_URL
from events.channels.webhooks import LONGEST_SECRET
from events.models import Channel, Delivery, Notice
from events.queries.notices import WAYS
from events.services.notice_settings import LONGEST_ENDPOINT

WAY_CHOICES = [(str(way), str(way.label)) for way in WAYS]


class NoticeWay(Strict):
    kind = serializers.ChoiceField(Notice.choices)
    channel = serializers.ChoiceField(WAY_CHOICES)


class NoticesChosen(Strict):
    wanted = NoticeWay(many=True, help_text="All that is wanted; what is not named is not sent.")


class NoticesAnswer(serializers.Serializer):
    wanted = NoticeWay(many=True)
    push_key = serializers.CharField(help_text="For `PushManager.subscribe`; empty where push is not set up.")
    browsers = serializers.IntegerField(help_text="How many show your notices.")


class Muted(Strict):
    muted = YesOrNo()


class Subscription(Strict):
    """`endpoint` and both `keys` of what `PushSubscription.toJSON` gives."""

    endpoint = Text(max_length=LONGEST_ENDPOINT)
    p256dh = Text(max_length=200)
    auth = Text(max_length=100)


class SubscriptionEnded(Strict):
    endpoint = Text(max_length=LONGEST_ENDPOINT)


class DeliveriesPage(Page):
    state = serializers.ChoiceField(Delivery.State.choices, required=False)


class DeliveryAnswer(serializers.Serializer):
    id = serializers.IntegerField()
    player = serializers.IntegerField(source="player_id", allow_null=True)
    webhook = serializers.IntegerField(source="webhook_id", allow_null=True)
    channel = serializers.ChoiceField(Channel.choices)
    kind = serializers.CharField()
    line = serializers.CharField(source="payload.line", default="", help_text="What a player is told.")
    state = serializers.ChoiceField(Delivery.State.choices)
    attempts = serializers.IntegerField()
    next_try_at = serializers.SerializerMethodField(help_text="Null once it is sent or given up.")
    last_error = serializers.CharField()
    created_at = serializers.DateTimeField()
    sent_at = serializers.DateTimeField(allow_null=True)

    def get_next_try_at(self, delivery: Delivery) -> str | None:
        return delivery.next_try_at.isoformat() if delivery.state in Delivery.UNSENT else None


class Retry(PlainCommand):
    delivery = Whole(required=False, min_value=1, max_value=MAX_NUMBER, help_text="All that were given up, without it.")


class Retried(Changed):
    number = serializers.IntegerField()


class WebhookAnswer(serializers.Serializer):
    """Without the secret, which is shown once."""

    id = serializers.IntegerField()
    url = serializers.CharField()
    told_seq = serializers.IntegerField(help_text="The last entry of the log that is on its way or was told.")
    last_answer = serializers.CharField()
    last_answer_at = serializers.DateTimeField(allow_null=True)


class AddWebhook(PlainCommand):
    url = Text(max_length=LONGEST_URL)
    secret = Text(max_length=LONGEST_SECRET, allow_blank=True, default="", trim_whitespace=False)


class WebhookAdded(Changed):
    webhook = serializers.IntegerField()
    secret = serializers.CharField(help_text="Signs what is sent. Shown once.")


class WebhookRemoved(Changed):
    webhook = serializers.IntegerField()


class WebhookTried(WebhookRemoved):
    delivery = serializers.IntegerField()
