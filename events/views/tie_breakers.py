"""What another order of tie-breakers would change, tried out before the event begins; and the order itself."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from config.errors import DomainError
from events.engine.metrics import METRICS, metric
from events.models import Event
from events.queries.access import Viewer
from events.queries.tie_breakers import MOST_METRICS, ONLY_OF_TABLES, preview
from events.services.tie_breakers import choose_tie_breakers
from events.views.desk import at_desk, attempt, show


@at_desk("runs_event")
@require_http_methods(["GET", "HEAD", "POST"])
def tie_breakers(request: HttpRequest, event: Event, viewer: Viewer) -> HttpResponse:
    """GET: the event's order against others, and against ?order=&order=. POST: take ``order``."""
    asked = request.POST if request.method == "POST" else request.GET
    order = [key for key in asked.getlist("order")[: 2 * MOST_METRICS] if key]
    if request.method != "POST":
        return _page(request, event, viewer, order)
    return attempt(
        request,
        event,
        choose_tie_breakers,
        told=lambda _: "Standings are ordered like this from now on.",
        back=reverse("events:tie_breakers", args=[event.code]),
        page=lambda refusal: _page(request, event, viewer, order, refusal),
        metrics=order,
    )


def _page(
    request: HttpRequest, event: Event, viewer: Viewer, order: list[str], refusal: DomainError | None = None
) -> HttpResponse:
    found: dict[str, Any] = {"own": list(event.rules["standings"]["metrics"])}
    try:
        found["preview"] = shown = preview(event, order)
    except DomainError as reason:
        refusal = refusal or reason
    else:
        found["changes"] = [(change, [metric(key) for key in change.metrics]) for change in shown.changes]
    chosen = order or found["own"]
    return show(
        request,
        event,
        viewer,
        "tie_breakers",
        tab="desk_settings",
        refusal=refusal,
        metrics=[metric(key) for key in found["own"]],
        choices=[(one.key, one.name) for one in METRICS.values() if one.key not in ONLY_OF_TABLES | {"lot"}],
        selects=[chosen[place] if place < len(chosen) else "" for place in range(MOST_METRICS)],
        can_choose=event.state == Event.State.REGISTRATION,
        **found,
    )
