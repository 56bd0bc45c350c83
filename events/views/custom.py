"""Making an event whose rules the organiser sets, starting from a template's."""

from __future__ import annotations

from datetime import timedelta

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from config.errors import DomainError
from events.engine.custom_rules import rules_outlook
from events.engine.outlook import Outlook
from events.forms_custom import CustomForm, shown
from events.models import Event
from events.queries.templates import products_of, templates_on
from events.services import setup
from events.views.commands import actor_of, carry_out, command_of
from events.views.desk import SHOWN_BESIDE_THE_FORM
from events.views.pages import nothing_here
from rules.models import Policy


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def custom(request: HttpRequest) -> HttpResponse:
    """Which template it starts from is in the address; "look" only shows what the rules lead to."""
    policies = {
        str(policy.pk): policy for policy in templates_on(day=timezone.localdate()).order_by("game__name", "name")
    }
    if not policies:
        return redirect("events:new")
    policy = policies.get(request.GET.get("policy", next(iter(policies))))
    if policy is None:
        raise nothing_here("such template")
    products = products_of(policy)
    if request.method != "POST":
        tomorrow = (timezone.localtime() + timedelta(days=1)).replace(hour=10, minute=0)
        start = {"starts_at": tomorrow, "decklist_publication": Event.Publication.NEVER, "time_zone": "UTC"}
        form = CustomForm(policy=policy, products=products, initial={**start, **shown(policy)})
        return _page(request, policies, form, rules_outlook(policy.definition, None))
    form = CustomForm(request.POST, policy=policy, products=products)
    if not form.is_valid():
        return _page(request, policies, form, refusal=_marked())
    try:
        if "look" in request.POST:
            return _page(request, policies, form, _outlook(form))
        change = carry_out(
            setup.create_event,
            actor=actor_of(request),
            command=command_of(request),
            policy_id=policy.pk,
            own_rules=form.own_rules(),
            **form.event_values(),
        )
    except DomainError as refusal:
        if refusal.status not in (*SHOWN_BESIDE_THE_FORM, 404):
            raise
        if refusal.code == "event.rules":
            form.show_problems(refusal.context["problems"])
            refusal = _marked()
        return _page(request, policies, form, refusal=refusal)
    messages.success(request, "The event is made, by rules of its own, and registration is open.")
    return redirect("events:desk", code=change.facts["code"])


def _marked() -> DomainError:
    return DomainError("event.form", "The event is not made yet: look at what is marked below.")


def _outlook(form: CustomForm) -> Outlook:
    """Raises DomainError "event.rules", NotFound."""
    rules = setup.rules_with_own(policy=form.policy, day=form.day, own=form.own_rules())
    return rules_outlook(rules, form.cleaned_data["capacity"])


def _page(
    request: HttpRequest,
    policies: dict[str, Policy],
    form: CustomForm,
    outlook: Outlook | None = None,
    refusal: DomainError | None = None,
) -> HttpResponse:
    context = {
        "form": form,
        "policy": form.policy,
        "policies": policies.values(),
        "outlook": outlook,
        "players": form["capacity"].value() if outlook is not None else None,
        "refusal": refusal,
    }
    return render(request, "events/desk/custom.html", context, status=refusal.status if refusal is not None else 200)
