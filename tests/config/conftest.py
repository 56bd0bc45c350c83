"""Packs put back where another test's real transactions have flushed them, and signals as a terminal gives them."""

from __future__ import annotations

import signal
from collections.abc import Iterator

import pytest
from pytest_django.plugin import DjangoDbBlocker

from cards.models import Game
from tests.events.factories import load_packs


@pytest.fixture
def packs(django_db_setup: None, django_db_blocker: DjangoDbBlocker, transactional_db: None) -> None:
    """For tests with real transactions, which flush everything afterwards."""
    if not Game.objects.exists():
        load_packs()


@pytest.fixture(autouse=True)
def interruptible() -> Iterator[None]:
    """A shell starts what it runs in the background deaf to Ctrl-C, and so would every process of these tests be."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)
