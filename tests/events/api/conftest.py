"""Requests as programs send them."""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client

from accounts.models import User
from events.models import Player

KEYS = itertools.count()


def fresh_key() -> str:
    return f"test-key-{next(KEYS)}"


@dataclass
class Program:
    """A program that speaks for one person, or for nobody."""

    client: Client = field(default_factory=Client)

    def get(self, path: str) -> HttpResponse:
        return self.client.get(f"/api/v1/{path}")

    def post(self, path: str, body: Any = None, *, key: str | None = "", version: int | None = None) -> HttpResponse:
        return self.send("POST", path, body, key=key, version=version)

    def send(
        self, method: str, path: str, body: Any = None, *, key: str | None = "", version: int | None = None
    ) -> HttpResponse:
        """With a key of its own unless ``key`` gives one, or None for none."""
        data = {} if body is None else body
        if version is not None:
            data = {**data, "version": version}
        headers = {} if key is None else {"Idempotency-Key": key or fresh_key()}
        return self.client.generic(
            method, f"/api/v1/{path}", json.dumps(data), content_type="application/json", headers=headers
        )


@pytest.fixture
def nobody() -> Program:
    return Program()


@pytest.fixture
def program(as_user: Callable[[User | Player], Client]) -> Callable[[User | Player], Program]:
    """A program that is signed in as a person."""
    return lambda person: Program(as_user(person))
