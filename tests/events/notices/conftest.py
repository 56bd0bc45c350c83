"""Receivers that really receive, and the steps that a worker takes."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from django.db.models.functions import Now

from events.models import Delivery, PushSubscription
from events.services import deliveries, notices
from tests.events.factories import Made, user_of
from tests.events.notices.browsers import Browser
from tests.receivers import HttpServer, MailServer, http_server, mail_server


@pytest.fixture
def mails(settings) -> Iterator[MailServer]:
    with mail_server() as server:
        settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
        settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", server.port
        yield server


@pytest.fixture
def receiver(settings) -> Iterator[HttpServer]:
    settings.ALLOW_PRIVATE_TARGETS = True
    with http_server() as server:
        yield server


@pytest.fixture
def work() -> Callable[..., dict[str, int]]:
    """What the task does, with everything due at once: how many deliveries came to which state."""

    def once(jitter: float = 0.0) -> dict[str, int]:
        notices.fan_out()
        Delivery.objects.filter(state__in=Delivery.UNSENT).update(next_try_at=Now())
        return deliveries.send_due(jitter=lambda: jitter, seconds=30)

    return once


@pytest.fixture
def subscribe(receiver: HttpServer) -> Callable[[Made, int], Browser]:
    """A browser of the event's n-th player, which the local server stands for."""

    def subscribed(made: Made, number: int) -> Browser:
        browser = Browser()
        PushSubscription.objects.create(
            user=user_of(made.players[number]),
            endpoint=f"{receiver.url}/push/{number}",
            p256dh=browser.p256dh,
            auth=browser.auth,
        )
        return browser

    return subscribed
