"""What an account is told, and, for organisers, how far messages have come and who else is told."""

from __future__ import annotations

from typing import Any

from django.urls import path
from drf_spectacular.utils import extend_schema
from rest_framework.decorators import api_view
from rest_framework.request import Request
from rest_framework.response import Response

from events.api.commands import IDEMPOTENCY_KEY, carry_out, event_and_viewer, page, read, user_of
from events.api.listing import paged
from events.api.serializers import notices as shapes
from events.api.serializers.requests import Page, PlainCommand
from events.channels.push import public_key
from events.models import Event, Notice
from events.queries.access import Viewer
from events.queries.deliveries import deliveries_of, webhooks_of
from events.queries.notices import WAYS, browsers_of, choices_of, is_wanted
from events.services import deliveries as delivery_services
from events.services import notice_settings
from events.services import webhooks as webhook_services


def _checked(shape: Any, request: Request) -> dict[str, Any]:
    asked = shape(data=request.data)
    asked.is_valid(raise_exception=True)
    values: dict[str, Any] = asked.validated_data
    return values


def _notices(user_id: int) -> Response:
    choices = choices_of(user_id)
    wanted = [
        {"kind": str(kind), "channel": str(way)} for kind in Notice for way in WAYS if is_wanted(choices, kind, way)
    ]
    answer = {"wanted": wanted, "push_key": public_key(), "browsers": browsers_of(user_id)}
    return Response(shapes.NoticesAnswer(answer).data)


@extend_schema(methods=["GET"], responses=shapes.NoticesAnswer, operation_id="get_notices")
@extend_schema(
    methods=["PUT"], request=shapes.NoticesChosen, responses=shapes.NoticesAnswer, operation_id="choose_notices"
)
@api_view(["GET", "PUT"])
def notices(request: Request) -> Response:
    """GET: what you are told, and how. PUT: exactly what is named from now on."""
    user = user_of(request)
    if request.method == "PUT":
        chosen = _checked(shapes.NoticesChosen, request)["wanted"]
        notice_settings.choose_notices(user_id=user.pk, wanted={(way["kind"], way["channel"]) for way in chosen})
    return _notices(user.pk)


@extend_schema(request=shapes.Muted, responses=shapes.Muted, operation_id="mute_event")
@api_view(["PUT"])
def mute(request: Request, code: str) -> Response:
    """Be told nothing of an event that you play in, or be told again."""
    muted = _checked(shapes.Muted, request)["muted"]
    notice_settings.mute_event(user_id=user_of(request).pk, code=code, muted=muted)
    return Response({"muted": muted})


@extend_schema(methods=["POST"], request=shapes.Subscription, responses={204: None}, operation_id="subscribe_browser")
@extend_schema(
    methods=["DELETE"], request=shapes.SubscriptionEnded, responses={204: None}, operation_id="unsubscribe_browser"
)
@api_view(["POST", "DELETE"])
def push_subscriptions(request: Request) -> Response:
    """POST: show your notices in this browser; once more changes nothing. DELETE: no longer."""
    user = user_of(request)
    if request.method == "POST":
        notice_settings.subscribe_browser(user_id=user.pk, **_checked(shapes.Subscription, request))
    else:
        notice_settings.unsubscribe_browser(user_id=user.pk, **_checked(shapes.SubscriptionEnded, request))
    return Response(status=204)


def _organiser(request: Request, code: str) -> tuple[Event, Viewer]:
    event, viewer = event_and_viewer(request, code)
    viewer.require(viewer.runs_event)
    return event, viewer


@extend_schema(
    parameters=[shapes.DeliveriesPage],
    responses=paged("DeliveryPage", shapes.DeliveryAnswer),
    operation_id="list_deliveries",
)
@api_view(["GET"])
def deliveries(request: Request, code: str) -> Response:
    """Organisers: every message to a player or a program, the newest first."""
    event, _ = _organiser(request, code)
    asked = shapes.DeliveriesPage(data=request.query_params)
    asked.is_valid(raise_exception=True)
    return page(request, deliveries_of(event, state=asked.validated_data.get("state", "")), shapes.DeliveryAnswer)


@extend_schema(
    parameters=[IDEMPOTENCY_KEY], request=shapes.Retry, responses=shapes.Retried, operation_id="retry_deliveries"
)
@api_view(["POST"])
def retry(request: Request, code: str) -> Response:
    """Try again what was given up: one message, or all."""
    event, viewer = _organiser(request, code)
    values = read(request, shapes.Retry)
    return carry_out(
        request,
        viewer,
        delivery_services.retry_deliveries,
        event=event,
        version=values.get("version"),
        delivery_id=values.get("delivery"),
    )


@extend_schema(
    methods=["GET"],
    parameters=[Page],
    responses=paged("WebhookPage", shapes.WebhookAnswer),
    operation_id="list_webhooks",
)
@extend_schema(
    methods=["POST"],
    parameters=[IDEMPOTENCY_KEY],
    request=shapes.AddWebhook,
    responses={201: shapes.WebhookAdded},
    operation_id="add_webhook",
)
@api_view(["GET", "POST"])
def webhooks(request: Request, code: str) -> Response:
    """Organisers: the addresses that are told what is new in the public log; another one."""
    event, viewer = _organiser(request, code)
    if request.method == "GET":
        return page(request, webhooks_of(event), shapes.WebhookAnswer)
    values = read(request, shapes.AddWebhook)
    version = values.pop("version", None)
    return carry_out(
        request, viewer, webhook_services.add_webhook, event=event, version=version, created=True, **values
    )


@extend_schema(
    parameters=[IDEMPOTENCY_KEY],
    request=PlainCommand,
    responses=shapes.WebhookRemoved,
    operation_id="remove_webhook",
)
@api_view(["POST"])
def remove_webhook(request: Request, code: str, webhook_id: int) -> Response:
    """Tell an address nothing any more."""
    return _webhook_change(request, code, webhook_services.remove_webhook, webhook_id)


@extend_schema(
    parameters=[IDEMPOTENCY_KEY], request=PlainCommand, responses=shapes.WebhookTried, operation_id="try_webhook"
)
@api_view(["POST"])
def try_webhook(request: Request, code: str, webhook_id: int) -> Response:
    """Send an address a message of the kind "test"."""
    return _webhook_change(request, code, webhook_services.try_webhook, webhook_id)


def _webhook_change(request: Request, code: str, service: Any, webhook_id: int) -> Response:
    event, viewer = _organiser(request, code)
    values = read(request, PlainCommand)
    return carry_out(request, viewer, service, event=event, version=values.get("version"), webhook_id=webhook_id)


urlpatterns = [
    path("me/notices", notices, name="notices"),
    path("me/push-subscriptions", push_subscriptions, name="push-subscriptions"),
    path("events/<slug:code>/muted", mute, name="mute-event"),
    path("events/<slug:code>/deliveries", deliveries, name="deliveries"),
    path("events/<slug:code>/deliveries/retry", retry, name="retry-deliveries"),
    path("events/<slug:code>/webhooks", webhooks, name="webhooks"),
    path("events/<slug:code>/webhooks/<int:webhook_id>/remove", remove_webhook, name="remove-webhook"),
    path("events/<slug:code>/webhooks/<int:webhook_id>/test", try_webhook, name="try-webhook"),
]
