"""What every request passes: bad input is refused before a view sees it, a DomainError becomes a page, and what is not
for everybody is stored by nobody."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import unquote_to_bytes, urlsplit

from django.conf import settings
from django.contrib.messages import get_messages
from django.core.exceptions import (
    BadRequest,
    DisallowedHost,
    RequestDataTooBig,
    TooManyFieldsSent,
    TooManyFilesSent,
)
from django.http import HttpRequest, HttpResponse, JsonResponse, QueryDict
from django.http.multipartparser import MultiPartParserError
from django.shortcuts import render, resolve_url
from django.utils.http import url_has_allowed_host_and_scheme

from config.errors import DomainError
from config.text import unstorable_character
from events.views.commands import is_queued

Respond = Callable[[HttpRequest], HttpResponse]
UTF_8 = ("utf-8", "utf8")
METHODS = ("GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE")
CODES = {400: "request.bad", 405: "request.method", 413: "request.too_large", 415: "request.media_type"}
FORM_TYPES = ("application/x-www-form-urlencoded", "multipart/form-data")


class RefuseUnreadableInput:
    """400 for text that no column can hold and for a host that isn't ours, 413 for bodies that are too large, 415 for
    what can't be decoded, before anything else runs."""

    def __init__(self, get_response: Respond) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        try:
            trouble = _trouble(request)
        except RequestDataTooBig:
            trouble = 413, "That is too much at once: 256 kB is the most that can be sent."
        except (TooManyFieldsSent, TooManyFilesSent):
            trouble = 413, "That form has too many fields."
        except (MultiPartParserError, BadRequest):
            trouble = 400, "The form can't be read: it is cut off, or its parts are not marked."
        except DisallowedHost:
            trouble = 400, "There is no such site here. Look at the address again."
        if trouble is not None:
            return _refuse(request, *trouble)
        return self.get_response(request)


def _trouble(request: HttpRequest) -> tuple[int, str] | None:
    """Status and sentence of what is wrong with the request; None when it can be read."""
    request.get_host()
    if request.method not in METHODS:
        return 405, "Nothing here knows this method."
    if request.encoding and request.encoding.lower() not in UTF_8:  # first: what follows decodes by it
        return 415, "Send text as UTF-8."
    if "\x00" in request.path_info:
        return 400, "The address holds a NUL character."
    query = request.META.get("QUERY_STRING", "")
    if b"\x00" in unquote_to_bytes(query):
        return 400, "The address holds a NUL character."
    if len(query) > 8_000:
        return 400, "The address is too long."
    if any(unstorable_character(value) for value in request.COOKIES.values()):
        return 400, "A cookie is damaged. Delete this site's cookies and log in again."
    if (trouble := _form_trouble(request.GET)) is not None:
        return 400, trouble
    if request.content_type in FORM_TYPES and request.path.startswith("/api/"):
        return 415, "Send application/json."
    if request.method == "POST" and request.content_type in FORM_TYPES and (trouble := _form_trouble(request.POST)):
        return 400, trouble
    return None


def _form_trouble(data: QueryDict) -> str | None:
    for key, values in data.lists():
        for text in (key, *values):
            if isinstance(text, str) and (found := unstorable_character(text)):
                return f"The field “{key[:40]}” holds {found}. Remove it and send the form again."
    return None


def _refuse(request: HttpRequest, status: int, sentence: str) -> HttpResponse:
    if request.path.startswith("/api/"):
        code = CODES[status]
        response: HttpResponse = JsonProblem(_problem(status, code, sentence, {}), status=status)
    else:
        response = HttpResponse(sentence, status=status, content_type="text/plain; charset=utf-8")
    if status == 405:
        response["Allow"] = ", ".join(METHODS)
    response["Cache-Control"] = "no-store"
    return response


def _problem(status: int, code: str, detail: str, context: Mapping[str, Any]) -> dict[str, Any]:
    return {"type": "about:blank", "status": status, "code": code, "detail": detail, "context": context}


class JsonProblem(HttpResponse):
    def __init__(self, body: dict[str, Any], status: int) -> None:
        super().__init__(json.dumps(body), status=status, content_type="application/problem+json")


class KeepPrivateAnswers:
    """Whatever programs get, and what pages say to somebody logged in, is stored nowhere on the way: Cache-Control:
    no-store, unless the view says something else. What a guest sees stays as it is.

    Stands behind AuthenticationMiddleware, so that the session tells caches of its cookie.
    """

    def __init__(self, get_response: Respond) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if "Cache-Control" not in response and (request.path.startswith("/api/") or request.user.is_authenticated):
            response["Cache-Control"] = "no-store"
        return response


class TellDomainErrors:
    """A refusal by a service, on a page: the sentence stays visible and the address does not change.

    htmx gets the sentence as a fragment, a form without JavaScript gets a page that links back. A form that had waited
    on a device gets JSON: the problem, 401 to log in, or where its page would have gone on and what it would have said.
    """

    def __init__(self, get_response: Respond) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if is_queued(request) and response.status_code == 302 and not request.path.startswith("/api/"):
            if urlsplit(response["Location"]).path == resolve_url(settings.LOGIN_URL):
                return JsonProblem(_problem(401, "login.needed", "Log in again, then it is sent.", {}), status=401)
            said = [{"tag": message.level_tag, "text": str(message)} for message in get_messages(request)]
            return JsonResponse({"to": response["Location"], "said": said}, headers={"Cache-Control": "no-store"})
        return response

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        if not isinstance(error, DomainError) or request.path.startswith("/api/"):
            return None
        if is_queued(request):
            return JsonProblem(_problem(error.status, error.code, error.message, error.context), status=error.status)
        back = request.META.get("HTTP_REFERER", "")
        if not url_has_allowed_host_and_scheme(back, {request.get_host()}, require_https=request.is_secure()):
            back = "/"
        context = {"error": error, "back": back}
        response = render(request, "errors/refusal.html", context, status=error.status)
        if error.status == 503:
            response["Retry-After"] = "1"
        return response
