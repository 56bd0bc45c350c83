from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.core.management import call_command
from django.db import connection
from pytest_django.plugin import DjangoDbBlocker


@pytest.fixture(scope="module")
def shipped_packs(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """All packs that Tiltyard comes with, outside the tests' transactions; taken out again after the module."""
    with django_db_blocker.unblock():
        call_command("load_packs")
    yield
    with django_db_blocker.unblock(), connection.cursor() as cursor:
        cursor.execute("TRUNCATE cards_game CASCADE")
