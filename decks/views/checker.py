"""The deck checker, which anyone may use."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from config.errors import NotFound
from decks.forms import CheckForm
from decks.panels import verdict_json
from decks.views.posting import answer, judged, posted
from rules.engine.days import day_of
from rules.queries import format_by_slug


@require_http_methods(["GET", "HEAD", "POST"])
def check(request: HttpRequest) -> HttpResponse:
    """htmx gets the verdict alone; both show ``decks/_verdict.html``."""
    if request.method != "POST":
        chosen = {key: request.GET[key] for key in ("format", "on") if key in request.GET}
        if "format" in chosen:
            format_by_slug(game=chosen["format"].partition("/")[0], slug=chosen["format"].partition("/")[2])
        form = CheckForm(initial={"on": timezone.localdate(), **_readable_day(chosen)})
        return render(request, "decks/check.html", {"form": form})
    sent = posted(request)
    form = CheckForm(sent.data)
    sent.tell(form)
    context: dict[str, Any] = {"form": form, "sent": sent}
    if not form.is_valid() or not form.cleaned_data["text"].strip():
        return answer(request, "decks/check.html", context)
    values = form.cleaned_data
    try:
        if request.POST.get("as") == "json":
            found = {"game": values["format"].game.slug, "format": values["format"].slug}
            return JsonResponse(verdict_json(**found, day=values["on"], text=values["text"]))
        context["judged"] = judged(format=values["format"], day=values["on"], text=values["text"])
    except NotFound as error:
        # No version is in force on that day: what was typed is kept, and the day can be mended.
        form.add_error("on", error.message)
        return answer(request, "decks/check.html", context, status=error.status)
    return answer(request, "decks/check.html", context)


def _readable_day(chosen: dict[str, str]) -> dict[str, Any]:
    if "on" not in chosen:
        return chosen
    return {**chosen, "on": day_of(chosen["on"])}
