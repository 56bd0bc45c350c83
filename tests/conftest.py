from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def quick_passwords(settings) -> None:
    """A hash that is slow on purpose would be most of the time of every test that makes people."""
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]


@pytest.fixture(autouse=True)
def no_copies_of_pages() -> None:
    """A test that turns a row over behind the services' back must not be shown the page of before."""
    from events.views.shared import SHELF

    SHELF.clear()
