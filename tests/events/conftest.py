"""Packs loaded once for all tests of events, and events made to order."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from django.db import connection
from django.test import Client
from pytest_django.plugin import DjangoDbBlocker

from accounts.models import User
from cards.models import Game
from events.models import Player
from tests.events.factories import Made, load_packs, user_of
from tests.events.factories import make_event as make


@pytest.fixture(scope="package")
def packs_once(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """Outside the tests' transactions, and taken out again after the last of them."""
    with django_db_blocker.unblock():
        load_packs()
    yield
    with django_db_blocker.unblock(), connection.cursor() as cursor:
        cursor.execute("TRUNCATE cards_game CASCADE")


@pytest.fixture
def packs(packs_once: None, django_db_blocker: DjangoDbBlocker) -> None:
    """Both games, put back where a test with real transactions has flushed them."""
    with django_db_blocker.unblock():
        if not Game.objects.exists():
            load_packs()


@pytest.fixture
def make_event(packs: None, db: None) -> Callable[..., Made]:
    """``factories.make_event``. For real transactions ask for ``packs`` and ``transactional_db`` and import that."""
    return make


@pytest.fixture
def as_user() -> Callable[[User | Player], Client]:
    """A client of its own for a person."""

    def logged_in(person: User | Player) -> Client:
        client = Client()
        user = user_of(person) if isinstance(person, Player) else person
        client.force_login(user, backend="accounts.backends.AccountBackend")
        return client

    return logged_in
