"""The organiser's view of what was sent: how far each message has come, another try, and the webhooks."""

from __future__ import annotations

from typing import Any

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from config.errors import DomainError
from events.forms_notices import WebhookForm
from events.models import Delivery, Event, Notice
from events.queries.access import Viewer
from events.queries.deliveries import counts_by_state, deliveries_of, webhooks_of
from events.services import webhooks as hooks
from events.services.deliveries import retry_deliveries
from events.services.transaction import Change
from events.views.desk import at_desk, attempt, show
from events.views.pages import whole_number

ON_A_PAGE = 50
KINDS = {**dict(Notice.choices), "changes": "News of the log", "test": "Test"}


@at_desk("runs_event")
@require_safe
def deliveries(request: HttpRequest, event: Event, viewer: Viewer) -> HttpResponse:
    return _page(request, event, viewer)


def _page(
    request: HttpRequest,
    event: Event,
    viewer: Viewer,
    refusal: DomainError | None = None,
    form: WebhookForm | None = None,
) -> HttpResponse:
    state = request.GET.get("state", "")
    if state not in Delivery.State.values:
        state = ""
    counts = counts_by_state(event)
    pages = Paginator(deliveries_of(event, state=state), ON_A_PAGE)
    pages.count = counts[state] if state else sum(counts.values())
    page = pages.get_page(whole_number(request.GET.get("page"), field="the page") or 1)
    context: dict[str, Any] = {
        "counts": [(value, label, counts[value]) for value, label in Delivery.State.choices],
        "dead": counts[Delivery.State.DEAD],
        "state": state,
        "listed": page,
        "rows": [(row, KINDS.get(row.kind, row.kind)) for row in page],
        "hooks": list(webhooks_of(event)),
        "form": form or WebhookForm(auto_id="hook_%s"),
    }
    return show(request, event, viewer, "deliveries", tab="desk_deliveries", refusal=refusal, **context)


@at_desk("runs_event")
@require_POST
def retry(request: HttpRequest, event: Event, viewer: Viewer) -> HttpResponse:
    """One delivery that was given up, or all."""

    def told(change: Change) -> str:
        number = change.facts["number"]
        return (
            f"{number} message{'' if number == 1 else 's'} will be tried again." if number else "Nothing was given up."
        )

    return attempt(
        request,
        event,
        retry_deliveries,
        told=told,
        back=_back(event),
        page=lambda refusal: _page(request, event, viewer, refusal),
        delivery_id=whole_number(request.POST.get("delivery"), field="the message"),
    )


@at_desk("runs_event")
@require_POST
def add_webhook(request: HttpRequest, event: Event, viewer: Viewer) -> HttpResponse:
    form = WebhookForm(request.POST, auto_id="hook_%s")
    if not form.is_valid():
        refusal = DomainError("webhook.form", "Nothing was added: look at what is marked below.")
        return _page(request, event, viewer, refusal, form)
    return attempt(
        request,
        event,
        hooks.add_webhook,
        told=lambda change: f"It is told from now on. Its secret, which is shown only now: {change.facts['secret']}",
        back=_back(event),
        page=lambda refusal: _page(request, event, viewer, refusal, form),
        **form.cleaned_data,
    )


@at_desk("runs_event")
@require_POST
def remove_webhook(request: HttpRequest, event: Event, viewer: Viewer, webhook_id: int) -> HttpResponse:
    return attempt(
        request,
        event,
        hooks.remove_webhook,
        told=lambda _: "The address is told nothing any more.",
        back=_back(event),
        page=lambda refusal: _page(request, event, viewer, refusal),
        webhook_id=webhook_id,
    )


@at_desk("runs_event")
@require_POST
def try_webhook(request: HttpRequest, event: Event, viewer: Viewer, webhook_id: int) -> HttpResponse:
    return attempt(
        request,
        event,
        hooks.try_webhook,
        told=lambda _: "A test is on its way: look again in a few seconds.",
        back=_back(event),
        page=lambda refusal: _page(request, event, viewer, refusal),
        webhook_id=webhook_id,
    )


def _back(event: Event) -> str:
    return reverse("events:desk_deliveries", args=[event.code])
