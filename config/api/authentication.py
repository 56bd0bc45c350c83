"""Who sends a request to the API: the session of the pages, with its CSRF token."""

from __future__ import annotations

from typing import Any

from drf_spectacular.extensions import OpenApiAuthenticationExtension
from rest_framework import authentication
from rest_framework.request import Request


class SessionAuthentication(authentication.SessionAuthentication):
    """Answers 401 to a stranger, so that 403 always means: signed in, and not allowed."""

    def authenticate_header(self, request: Request) -> str:
        return 'Session realm="Tiltyard"'


class SessionScheme(OpenApiAuthenticationExtension):
    target_class = "config.api.authentication.SessionAuthentication"
    name = "session"

    def get_security_definition(self, auto_schema: Any) -> dict[str, str]:
        return {
            "type": "apiKey",
            "in": "cookie",
            "name": "sessionid",
            "description": "The cookie of a login on the pages. A change also needs the header X-CSRFToken.",
        }
