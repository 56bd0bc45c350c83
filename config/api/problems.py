"""Errors of the API as application/problem+json (RFC 9457), each with a stable code."""

from __future__ import annotations

from typing import Any

from django.core.exceptions import PermissionDenied, RequestDataTooBig
from django.db import DataError
from django.http import Http404
from rest_framework import exceptions
from rest_framework.response import Response
from rest_framework.views import set_rollback

from config.errors import DomainError

_CODES = {
    400: "request.bad",
    401: "request.not_signed_in",
    403: "request.not_allowed",
    404: "request.not_found",
    405: "request.method",
    406: "request.not_acceptable",
    413: "request.too_large",
    415: "request.media_type",
    429: "request.too_many",
}


def problem(error: Exception, context: dict[str, Any]) -> Response | None:
    """DRF's exception handler. None lets a bug crash loudly."""
    headers: dict[str, str] = {}
    extra: dict[str, Any] = {}
    match error:
        case DomainError():
            status, code, detail, extra = error.status, error.code, error.message, error.context
            if status == 503:
                headers["Retry-After"] = "1"
        case Http404():
            status, code, detail = 404, _CODES[404], "There is nothing at this address."
        case PermissionDenied():
            status, code, detail = 403, _CODES[403], "You may not do this."
        case RequestDataTooBig():
            status, code, detail = 413, _CODES[413], "The body is too large."
        case DataError():
            status, code, detail = 400, _CODES[400], "A value is out of range."
        case exceptions.ValidationError():
            status, code, detail = 400, "request.fields", "Some fields have to be mended."
            extra = {"fields": error.detail}
        case exceptions.NotAuthenticated() | exceptions.AuthenticationFailed():
            status, code, detail = error.status_code, _CODES[error.status_code], "Sign in first."
            if auth_header := getattr(error, "auth_header", None):
                headers["WWW-Authenticate"] = auth_header
        case exceptions.APIException():
            status = error.status_code
            code, detail = _CODES.get(status, "request.bad"), str(error.detail)
        case _:
            return None
    set_rollback()
    body = {"type": "about:blank", "status": status, "code": code, "detail": detail, "context": extra}
    if "fields" in extra:
        body["fields"] = extra["fields"]
        body["context"] = {}
    return Response(body, status=status, headers=headers, content_type="application/problem+json")
