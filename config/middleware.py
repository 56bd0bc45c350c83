"""What every request passes: bad input is refused before a view sees it, and a DomainError becomes a page."""

from __future__ import annotations

import json
from collections.abc import Callable
from urllib.parse import unquote_to_bytes

from django.core.exceptions import RequestDataTooBig, TooManyFieldsSent, TooManyFilesSent
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.utils.http import url_has_allowed_host_and_scheme

from config.errors import DomainError
from config.text import unstorable_character

Respond = Callable[[HttpRequest], HttpResponse]
FORM_TYPES = ("application/x-www-form-urlencoded", "multipart/form-data")


class RefuseUnreadableInput:
    """400 for text that no column can hold, 413 for bodies that are too large, before anything else runs."""

    def __init__(self, get_response: Respond) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        try:
            trouble = _trouble(request)
        except RequestDataTooBig:
            return _refuse(request, 413, "That is too much at once: 256 kB is the most that can be sent.")
        except (TooManyFieldsSent, TooManyFilesSent):
            return _refuse(request, 413, "That form has too many fields.")
        if trouble:
            return _refuse(request, 400, trouble)
        return self.get_response(request)


def _trouble(request: HttpRequest) -> str | None:
    raw_path = unquote_to_bytes(request.META.get("PATH_INFO", "").encode("latin-1", "surrogateescape"))
    if b"\x00" in raw_path:
        return "The address holds a NUL character."
    query = request.META.get("QUERY_STRING", "")
    if b"\x00" in unquote_to_bytes(query):
        return "The address holds a NUL character."
    if len(query) > 8_000:
        return "The address is too long."
    if (trouble := _form_trouble(request.GET)) is not None:
        return trouble
    if request.method == "POST" and request.content_type in FORM_TYPES:
        if request.encoding and request.encoding.lower() not in ("utf-8", "utf8"):
            return "Send the form as UTF-8."
        return _form_trouble(request.POST)
    return None


def _form_trouble(data: QueryDict) -> str | None:
    for key, values in data.lists():
        for text in (key, *values):
            if isinstance(text, str) and (found := unstorable_character(text)):
                return f"The field “{key[:40]}” holds {found}. Remove it and send the form again."
    return None


def _refuse(request: HttpRequest, status: int, sentence: str) -> HttpResponse:
    if request.path.startswith("/api/"):
        code = "request.too_large" if status == 413 else "request.bad"
        body = {"type": "about:blank", "status": status, "code": code, "detail": sentence, "context": {}}
        return JsonProblem(body, status=status)
    return HttpResponse(sentence, status=status, content_type="text/plain; charset=utf-8")


class JsonProblem(HttpResponse):
    def __init__(self, body: dict[str, object], status: int) -> None:
        super().__init__(json.dumps(body), status=status, content_type="application/problem+json")


class TellDomainErrors:
    """A refusal by a service, on a page: the sentence stays visible and the address does not change.

    htmx gets the sentence as a fragment, a form without JavaScript gets a page that links back.
    """

    def __init__(self, get_response: Respond) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        if not isinstance(error, DomainError) or request.path.startswith("/api/"):
            return None
        back = request.META.get("HTTP_REFERER", "")
        if not url_has_allowed_host_and_scheme(back, {request.get_host()}, require_https=request.is_secure()):
            back = "/"
        context = {"error": error, "back": back}
        response = render(request, "errors/refusal.html", context, status=error.status)
        if error.status == 503:
            response["Retry-After"] = "1"
        return response
