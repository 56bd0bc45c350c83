"""People at a desk, and forms as a browser sends them."""

from __future__ import annotations

import re
import uuid
from collections.abc import Callable
from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client

from accounts.models import User
from events.models import Event, StaffRole
from events.services import setup
from tests.events.factories import Made, make_user

Send = Callable[..., HttpResponse]


def key() -> str:
    return str(uuid.uuid4())


def staffed(made: Made, role: str) -> User:
    """A person with one role in the event, made for it."""
    person = make_user(f"The {role.replace('_', ' ')}")
    setup.add_staff(event_id=made.event.pk, actor=made.by_organiser, email=person.email, role=role)
    return person


def version_of(event: Event) -> int:
    return Event.objects.values_list("version", flat=True).get(pk=event.pk)


def said(response: HttpResponse) -> str:
    """The words of a page, without markup and without the spaces of its source."""
    text = re.sub(r"<[^>]*>", " ", response.content.decode())
    for code, character in (("&#x27;", "'"), ("&quot;", '"'), ("&amp;", "&")):
        text = text.replace(code, character)
    return re.sub(r"\s+", " ", text)


@pytest.fixture
def send(as_user: Callable[[User], Client]) -> Send:
    """Post a form as a person: with a new key, and the version of now where ``event`` is given."""

    def posted(person: User, path: str, data: dict[str, Any] | None = None, event: Event | None = None, **extra: Any):
        fields: dict[str, Any] = {"idempotency_key": key(), **(data or {})}
        if event is not None:
            fields.setdefault("version", version_of(event))
        return as_user(person).post(path, {k: v for k, v in fields.items() if v is not None}, **extra)

    return posted


@pytest.fixture
def scorekeeper() -> Callable[[Made], User]:
    return lambda made: staffed(made, StaffRole.Role.SCOREKEEPER)
