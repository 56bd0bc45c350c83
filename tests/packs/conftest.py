"""A sixth game, taught by the folder tests/data/packs/lanternmoot alone, and its decks."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from django.db import connection
from jsonschema import Draft202012Validator
from pytest_django.plugin import DjangoDbBlocker

from config.schemas import published
from decks.panels import verdict_json
from rules.packreader import read_pack
from rules.services.loading import load_pack

PACKS = Path(__file__).resolve().parents[1] / "data" / "packs"
LEGAL_DECK = PACKS / "lanternmoot.txt"
Judge = Callable[..., tuple[str, list[tuple[Any, ...]]]]


@pytest.fixture(scope="package")
def _lanternmoot(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """Loaded once, outside the tests' transactions, and taken out again after the last of them."""
    with django_db_blocker.unblock():
        load_pack(pack=read_pack(PACKS / "lanternmoot"))
    yield
    with django_db_blocker.unblock(), connection.cursor() as cursor:
        cursor.execute("TRUNCATE cards_game CASCADE")


@pytest.fixture
def judge(_lanternmoot: None, db: None) -> Judge:
    """The outcome of a list on a day, and of each violation code, rule, section, limit and what is there.

    What is answered follows the published schema, whatever the list.
    """
    schema = Draft202012Validator(published()["check"])

    def judged(text: str, day: str = "2026-06-01", format: str = "hundred") -> tuple[str, list[tuple[Any, ...]]]:
        answer = verdict_json(game="lanternmoot", format=format, day=date.fromisoformat(day), text=text)
        assert [error.message for error in schema.iter_errors(answer)] == []
        assert answer["problems"] == []
        found = answer["violations"]
        return answer["outcome"], [(v["code"], v["constraint"], v["cite"], v["limit"], v["actual"]) for v in found]

    return judged


class Deck:
    """The legal deck, to be changed card by card: Plain Lanterns fill it up to its size whatever else goes or comes."""

    def __init__(self) -> None:
        lines = [line for line in LEGAL_DECK.read_text().splitlines() if line[:1].isdigit()]
        self.cards = {name: int(count) for count, _, name in (line.partition(" ") for line in lines)}
        self.keeper = next(iter(self.cards))
        del self.cards[self.keeper]
        self.familiar = ""

    def changed(self, *, keeper: str | None = None, familiar: str = "", size: int = 100) -> Deck:
        self.keeper = self.keeper if keeper is None else keeper
        self.familiar = familiar
        return self._filled(size)

    def with_cards(self, cards: dict[str, int], *, size: int = 100) -> Deck:
        """``cards`` gives copies by name, 0 to leave a card out."""
        self.cards = {name: count for name, count in {**self.cards, **cards}.items() if count}
        return self._filled(size)

    def _filled(self, size: int) -> Deck:
        rest = sum(count for name, count in self.cards.items() if name != "Plain Lantern")
        self.cards["Plain Lantern"] = size - rest
        return self

    @property
    def text(self) -> str:
        zones = {"Keeper": {self.keeper: 1}, "Familiar": {self.familiar: 1}, "Procession": self.cards}
        lines = []
        for zone, cards in zones.items():
            lines += [zone, *(f"{count} {name}" for name, count in cards.items() if name)]
        return "\n".join(lines)


@pytest.fixture
def deck() -> Deck:
    return Deck()
