from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from rules.models import Ruling
from rules.packreader import read_pack
from rules.services.loading import load_pack
from tests.rules.packs import MORE, write_pack

pytestmark = pytest.mark.django_db


def load(folder: Path, rulings: str = MORE["rulings.toml"]) -> None:
    load_pack(pack=read_pack(write_pack(folder, {**MORE, "rulings.toml": rulings})))


def test_rulings_of_a_pack_are_stored(tmp_path: Path):
    load(tmp_path)
    one, other = Ruling.objects.all()
    assert (one.number, one.kind, one.status, one.authority) == ("J-1", "ruling", "published", "The head herald")
    assert (one.citations, one.during.lower, one.during.upper) == (["JOUST 2.1", "JOUST R1"], date(2026, 2, 1), None)
    assert [card.name for card in one.cards.all()] == ["Shield"]
    assert (other.kind, other.source, other.date_note) == ("reminder", "", "date unknown")
    assert [card.name for card in other.cards.all()] == ["Lance", "Shield"]


def test_a_ruling_that_the_pack_has_no_more_is_withdrawn_and_comes_back_with_it(tmp_path: Path):
    load(tmp_path)
    before = sorted(Ruling.objects.values_list(), key=str)
    load(tmp_path, "[[ruling]]" + MORE["rulings.toml"].split("[[ruling]]")[1])
    assert list(Ruling.objects.values_list("number", "status")) == [("J-1", "published"), ("J-2", "withdrawn")]
    assert Ruling.objects.get(number="J-2").cards.count() == 2
    load(tmp_path)
    assert sorted(Ruling.objects.values_list(), key=str) == before


def test_a_ruling_becomes_that_of_the_pack(tmp_path: Path):
    load(tmp_path)
    text = (
        MORE["rulings.toml"].replace("Yes. Nothing", "No. Something").replace('cards = ["Shield"]', 'cards = ["Spear"]')
    )
    load(tmp_path, text.replace('kind = "reminder"', 'kind = "reminder"\nstatus = "superseded"'))
    assert list(Ruling.objects.values_list("answer", "status")) == [
        ("No. Something bounds the shields of a deck.", "published"),
        ("Yes: both names mean one card.", "superseded"),
    ]
    assert [card.name for card in Ruling.objects.get(number="J-1").cards.all()] == ["Lance"]
