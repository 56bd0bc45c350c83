from __future__ import annotations

import pytest
from django.core.cache import cache

from accounts.models import User
from accounts.services import create_user

PASSWORD = "a lance of ash wood"


@pytest.fixture(autouse=True)
def _no_memory_of_earlier_attempts():
    """The limits on attempts count in the cache, which outlives a test."""
    cache.clear()


@pytest.fixture
def mira(db) -> User:
    return create_user(email="mira@example.org", display_name="Mira Okafor", password=PASSWORD)
