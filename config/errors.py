"""The one kind of error that a person can mend. Standard library only: every layer may import it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


class DomainError(Exception):
    """A refusal that says what, why and what to do.

    ``code`` is stable and machine-readable ("pairing.results_missing"), ``message`` a sentence for people,
    ``context`` the facts behind it (JSON types only). ``status`` is the HTTP status that the edge answers with:
    400 bad input, 403 known but not allowed, 404 not to be known, 409 stale or out of order, 422 a reused key.
    """

    status = 400

    def __init__(self, code: str, message: str, context: Mapping[str, Any] | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.context = dict(context or {})


class NotAllowed(DomainError):
    status = 403


class NotFound(DomainError):
    status = 404


class Conflict(DomainError):
    """Out of order, too late, or decided on a state that has since changed."""

    status = 409


class Unprocessable(DomainError):
    """Well-formed, and contradicts an earlier request: an idempotency key used again for something else."""

    status = 422


class Unavailable(DomainError):
    """Nothing was changed; the same request may be sent again in a moment."""

    status = 503
