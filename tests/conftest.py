from __future__ import annotations

import pytest


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What takes longest comes first, so that no process is left alone with it at the end."""
    items.sort(key=lambda item: item.get_closest_marker("browser") is None)


@pytest.fixture(autouse=True)
def quick_passwords(settings) -> None:
    """A hash that is slow on purpose would be most of the time of every test that makes people."""
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]


@pytest.fixture(autouse=True)
def no_copies_of_pages() -> None:
    """A test that turns a row over behind the services' back must not be shown the page of before."""
    from events.views.shared import SHELF

    SHELF.clear()
