"""Packs for tests of whole events, put back where another test's real transactions have flushed them."""

from __future__ import annotations

import pytest
from pytest_django.plugin import DjangoDbBlocker

from cards.models import Game
from tests.events.factories import load_packs


@pytest.fixture
def packs(django_db_setup: None, django_db_blocker: DjangoDbBlocker, transactional_db: None) -> None:
    """For tests with real transactions, which flush everything afterwards."""
    if not Game.objects.exists():
        load_packs()
