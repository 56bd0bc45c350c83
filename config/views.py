"""Pages that belong to no app."""

from __future__ import annotations

from django.conf import settings
from django.contrib.auth.decorators import user_passes_test
from django.core.cache import cache
from django.db import connection
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from events.queries.visibility import events_to_list


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    return render(request, "home.html", {"events": events_to_list()[:20]})


@require_safe
def healthz(request: HttpRequest) -> JsonResponse:
    """Whether the database and the cache answer. 503 when one does not."""
    facts = {"database": "ok", "cache": "ok"}
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except Exception:  # noqa: BLE001 - whatever is wrong, the answer is that it is away
        facts["database"] = "away"
    try:
        cache.set("healthz", 1, 5)
        facts["cache"] = "ok" if cache.get("healthz") == 1 else "lost"
    except Exception:  # noqa: BLE001
        facts["cache"] = "away"
    status = 200 if set(facts.values()) == {"ok"} else 503
    return JsonResponse(facts, status=status, headers={"Cache-Control": "no-store"})


@require_safe
@user_passes_test(lambda user: user.is_staff or settings.DEBUG)
def design(request: HttpRequest) -> HttpResponse:
    return render(request, "design.html")


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    return render(request, "errors/400.html", status=400)


def forbidden(request: HttpRequest, exception: Exception) -> HttpResponse:
    return render(request, "errors/403.html", status=403)


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    return render(request, "errors/404.html", status=404)


def server_error(request: HttpRequest) -> HttpResponse:
    return render(request, "errors/500.html", status=500)
