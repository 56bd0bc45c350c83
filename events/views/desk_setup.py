"""Making an event, and what its organiser settles about it: settings, calling it off."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST

from config.errors import DomainError
from events.engine.outlook import outlook
from events.forms import CancelForm, NewEventForm, SettingsForm
from events.models import Event
from events.queries.access import Viewer
from events.queries.templates import templates_on
from events.services import administration, setup
from events.views.commands import actor_of, carry_out, command_of
from events.views.desk import SHOWN_BESIDE_THE_FORM, at_desk, attempt, show


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def new(request: HttpRequest) -> HttpResponse:
    """Anybody with an account may run an event. "look" only shows what the set-up leads to."""
    policies = list(templates_on(day=timezone.localdate()).order_by("game__name", "name"))
    if request.method != "POST":
        tomorrow = (timezone.localtime() + timedelta(days=1)).replace(hour=10, minute=0)
        start = {"starts_at": tomorrow, "decklist_publication": Event.Publication.NEVER, "time_zone": "UTC"}
        first = request.GET.get("policy") or (str(policies[0].pk) if policies else "")
        return _new(request, NewEventForm(policies=policies, initial={**start, "policy": first}))
    if "look" in request.POST or request.headers.get("HX-Request") == "true":
        typed = NewEventForm(policies=policies, initial=request.POST.dict())
        return _new(request, typed)
    form = NewEventForm(request.POST, policies=policies)
    if not form.is_valid():
        return _new(
            request, form, DomainError("event.form", "The event is not made yet: look at what is marked below.")
        )
    values = dict(form.cleaned_data)
    policy_id = int(values.pop("policy"))
    try:
        change = carry_out(
            setup.create_event, actor=actor_of(request), command=command_of(request), policy_id=policy_id, **values
        )
    except DomainError as refusal:
        if refusal.status not in (*SHOWN_BESIDE_THE_FORM, 404):  # 404: no version of the format is in force that day
            raise
        return _new(request, form, refusal)
    messages.success(request, "The event is made, and registration is open. Give the public page's address to players.")
    return redirect("events:desk", code=change.facts["code"])


def _new(request: HttpRequest, form: NewEventForm, refusal: DomainError | None = None) -> HttpResponse:
    policy = form.chosen
    context = {
        "form": form,
        "refusal": refusal,
        "policy": policy,
        "outlook": outlook(policy.definition["stages"], _players(form)) if policy is not None else None,
        "players": _players(form),
        "no_templates": not form.policies,
    }
    is_part = request.headers.get("HX-Request") == "true"
    status = refusal.status if refusal is not None else 200
    return render(request, "events/desk/_outlook.html" if is_part else "events/desk/new.html", context, status=status)


def _players(form: NewEventForm) -> int | None:
    """As many as there are places, if the form says."""
    typed = str(form["capacity"].value() or "").strip()
    readable = typed.isascii() and typed.isdigit() and len(typed) < 6 and 2 <= int(typed) <= 10_000
    return int(typed) if readable else None


@at_desk("runs_event")
@require_http_methods(["GET", "HEAD", "POST"])
def settings(request: HttpRequest, event: Event, viewer: Viewer) -> HttpResponse:
    if request.method != "POST":
        return _settings(request, event, viewer)
    form = SettingsForm(request.POST)
    if not form.is_valid():
        refusal = DomainError("event.form", "Nothing is saved yet: look at what is marked below.")
        return _settings(request, event, viewer, refusal, form)
    return attempt(
        request,
        event,
        administration.change_event,
        told=lambda change: "The settings are saved." if change.facts["changed"] else "Nothing was different.",
        back=reverse("events:desk_settings", args=[event.code]),
        page=lambda refusal: _settings(request, event, viewer, refusal, form),
        **form.cleaned_data,
    )


def _settings(
    request: HttpRequest,
    event: Event,
    viewer: Viewer,
    refusal: DomainError | None = None,
    form: SettingsForm | None = None,
    cancel: CancelForm | None = None,
) -> HttpResponse:
    context: dict[str, Any] = {
        "form": form or SettingsForm(initial=SettingsForm.stored(event)),
        "cancel_form": cancel or CancelForm(),
        "is_open": event.state in administration.OPEN,
        "outlook": outlook(event.rules["stages"], event.capacity),
    }
    return show(request, event, viewer, "settings", tab="desk_settings", refusal=refusal, **context)


@at_desk("runs_event")
@require_POST
def cancel(request: HttpRequest, event: Event, viewer: Viewer) -> HttpResponse:
    form = CancelForm(request.POST)
    if not form.is_valid():
        refusal = DomainError("event.cancel_reason", "The event goes on: say why it should not.")
        return _settings(request, event, viewer, refusal, cancel=form)
    return attempt(
        request,
        event,
        administration.cancel_event,
        told=lambda _: "The event is cancelled.",
        back=reverse("events:desk", args=[event.code]),
        page=lambda refusal: _settings(request, event, viewer, refusal, cancel=form),
        reason=form.cleaned_data["reason"],
    )
