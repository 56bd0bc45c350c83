"""EnGarde as its pack tells it, and a legal deck of its Standard on one day."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest
from django.db import connection
from pytest_django.plugin import DjangoDbBlocker

from accounts.models import User
from cards.models import Card, Game
from rules.models import Format, FormatVersion
from rules.packreader import read_pack
from rules.services.loading import load_pack

DAY = date(2026, 11, 30)


def load_packs() -> None:
    for game in ("engarde", "epic"):
        load_pack(pack=read_pack(Path(__file__).resolve().parents[2] / "rules" / "packs" / game))


@pytest.fixture(scope="package")
def loaded_pack(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """Loaded once, outside the tests' transactions, and taken out again after the last of them."""
    with django_db_blocker.unblock():
        load_packs()
    yield
    with django_db_blocker.unblock(), connection.cursor() as cursor:
        cursor.execute("TRUNCATE cards_game CASCADE")


@pytest.fixture
def packs(loaded_pack: None, django_db_blocker: DjangoDbBlocker) -> None:
    """Both games, put back where a test with real transactions has flushed them."""
    with django_db_blocker.unblock():
        if not Game.objects.exists():
            load_packs()


@pytest.fixture
def engarde(packs: None, db: None) -> Game:
    return Game.objects.get(slug="engarde")


@pytest.fixture
def standard(engarde: Game) -> Format:
    return Format.objects.select_related("game").get(game=engarde, slug="standard")


@pytest.fixture
def version(standard: Format) -> FormatVersion:
    return FormatVersion.objects.select_related("format__game").get(format=standard, version="2025")


@pytest.fixture
def fifty(engarde: Game) -> list[str]:
    """Names of 17 cards of the newest set that go into a main deck three times."""
    cards = Card.objects.filter(
        game=engarde, printings__card_set__code="EF", facts__rarity__in=["common", "uncommon", "rare"]
    ).exclude(facts__type="realm")
    return list(cards.order_by("name").values_list("name", flat=True)[:17])


@pytest.fixture
def legal_text(fifty: list[str]) -> str:
    """Lines 1 to 17 the main deck, line 18 the Realm."""
    lines = [f"{2 if place == 16 else 3} {name}" for place, name in enumerate(fifty)]
    return "\n".join([*lines, "Realm: The Vacant See"])


@pytest.fixture
def player(db: None) -> User:
    return User.objects.create_user("player@example.org", display_name="Player")


@pytest.fixture
def outsider(db: None) -> User:
    return User.objects.create_user("outsider@example.org", display_name="Outsider")
