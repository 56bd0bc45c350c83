"""One set of data, many days: lists before and after they take effect, limits before and after errata."""

from __future__ import annotations

import pickle
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from cards.models import Card
from rules.engine.digests import ENGINE, statuses_digest
from rules.engine.legality import DeckFacts, DeckLine, check, compile_format
from rules.models import Format, StatusEntry
from rules.packreader import read_pack
from rules.queries import card_facts_for, compiled_format, format_version_on
from rules.services.loading import load_pack
from tests.rules.judging import ANY_SIZE, COPIES, DAY, LISTS, card, format_of, on_list
from tests.rules.packs import FILES, write_pack

JANUARY, EVE, EFFECT, LATER = date(2026, 1, 1), date(2026, 1, 31), date(2026, 2, 1), date(2026, 4, 1)
ERRATUM = """\
[[erratum]]
card = "Lance"
from = 2026-02-01
facts = { power = 5 }
source = "Errata"
"""
COPIES_BY_CARD = """\
[[constraint]]
id = "copies"
kind = "copies"
zones = ["main", "side"]
max = 1
max_from = "power"
cite = "JOUST 2.1"
"""


def loaded(folder: Path, lists: str, rules: str = "") -> None:
    files: dict[str, Any] = {"lists.toml": lists + "[[tag]]" + FILES["lists.toml"].split("[[tag]]")[1]}
    for slug in ("open", "closed"):
        text = FILES["formats/open.1.toml"].replace('"open"', f'"{slug}"').replace('"Open"', f'"{slug.title()}"')
        files[f"formats/{slug}.1.toml"] = text + rules
    load_pack(pack=read_pack(write_pack(folder, files)))


def found(name: str, copies: int, day: date, slug: str = "open") -> list[tuple[str, Any, Any]]:
    card_ = Card.objects.get(name=name)
    version = format_version_on(format=Format.objects.get(slug=slug), day=day)
    compiled = compiled_format(format_version=version, day=day)
    deck = DeckFacts((DeckLine("main", copies, card_facts_for([card_.pk], day=day)[card_.pk]),))
    return [(v.code, v.limit, v.since) for v in check(deck, compiled).violations]


def status(format_: str, kind: str, start: date, end: date | None = None, **values: Any) -> str:
    until = f"until = {end}\n" if end else ""
    rest = "".join(f"{key} = {value!r}\n" for key, value in values.items())
    return f'[[status]]\nformat = "{format_}"\ncard = "Lance"\nstatus = "{kind}"\nfrom = {start}\n{until}{rest}' + (
        'source = "List"\nsection = "JOUST 2.1"\n'
    )


@pytest.mark.django_db
def test_a_list_holds_from_the_day_it_takes_effect_and_not_the_day_before(tmp_path: Path):
    loaded(tmp_path, status("open", "banned", EFFECT, max_copies=0, announced_on=str(JANUARY)).replace(
        f"'{JANUARY}'", str(JANUARY)))  # fmt: skip
    assert found("Lance", 2, EVE) == []
    assert found("Lance", 2, EFFECT) == [("status.banned", 0, EFFECT)]


@pytest.mark.django_db
def test_a_card_that_moves_from_restricted_to_banned_is_banned_on_the_day_itself(tmp_path: Path):
    loaded(
        tmp_path,
        status("open", "restricted", JANUARY, EFFECT, max_copies=1) + status("open", "banned", EFFECT, max_copies=0),
    )
    assert found("Lance", 2, EVE) == [("status.restricted", 1, JANUARY)]
    assert found("Lance", 2, EFFECT) == [("status.banned", 0, EFFECT)]


@pytest.mark.django_db
def test_one_announcement_may_take_effect_on_another_day_in_another_format(tmp_path: Path):
    loaded(tmp_path, status("open", "banned", EFFECT, max_copies=0) + status("closed", "banned", LATER, max_copies=0))
    assert [found("Lance", 2, day, "open") != [] for day in (EVE, EFFECT, LATER)] == [False, True, True]
    assert [found("Lance", 2, day, "closed") != [] for day in (EVE, EFFECT, LATER)] == [False, False, True]


@pytest.mark.django_db
def test_an_erratum_changes_a_limit_from_its_day_for_every_printing(tmp_path: Path):
    loaded(tmp_path, ERRATUM, COPIES_BY_CARD)
    assert [found("Lance", 4, day) for day in (EVE, EFFECT)] == [[("copies.too_many", 3, None)], []]
    assert found("Lance", 6, EFFECT) == [("copies.too_many", 5, None)]


@pytest.mark.django_db
def test_every_status_of_the_day_is_compiled_and_digested(tmp_path: Path):
    rules = '[[constraint]]\nid = "p"\nkind = "points"\nzones = ["main"]\nbudget = 7\ncite = "JOUST 2.1"\n'
    both = [
        status("open", "points", JANUARY, points=3),
        status("open", "banned", JANUARY, max_copies=0, zone="side"),
        status("open", "limit", JANUARY, EFFECT, max_copies=9),
    ]
    loaded(tmp_path, "".join(both).replace("'", '"'), rules)
    version = format_version_on(format=Format.objects.get(slug="open"), day=EVE)
    compiled = compiled_format(format_version=version, day=EVE)
    [entries] = compiled.statuses.values()
    assert sorted((one.status, one.max_copies, one.points, one.zone) for one in entries) == [
        ("banned", 0, 0, "side"),
        ("limit", 9, 0, ""),
        ("points", None, 3, ""),
    ]
    assert compiled.digests == {
        "engine": ENGINE, "format": version.digest, "statuses": statuses_digest(entries),
    }  # fmt: skip
    assert compiled_format(format_version=version, day=EFFECT).digests["statuses"] != compiled.digests["statuses"]
    StatusEntry.objects.filter(status="points").update(points=4)
    assert compiled_format(format_version=version, day=EVE).digests["statuses"] != compiled.digests["statuses"]


@pytest.mark.parametrize(
    "pair",
    [
        (("banned", 0, ""), ("limit", 4, "")),
        (("restricted", 1, "side"), ("banned", 0, "side")),
        (("points", None, ""), ("points", None, "")),
    ],
)
def test_two_entries_that_speak_of_the_same_can_not_be_compiled(pair: Any):
    anvil = card(1, "Anvil")
    entries = [on_list(anvil, kind, most, zone=zone) for kind, most, zone in pair]
    with pytest.raises(ValueError, match="card 1 has two statuses"):
        compile_format(format_of([ANY_SIZE, LISTS]), entries, DAY, {})


def test_a_compiled_format_can_be_sent_to_another_process():
    anvil = card(1, "Anvil")
    compiled = compile_format(format_of([ANY_SIZE, LISTS, COPIES]), [on_list(anvil, "limit", 4)], DAY, {"a": "b"})
    deck = DeckFacts((DeckLine("main", 5, anvil),))
    before = check(deck, compiled)
    sent = pickle.loads(pickle.dumps(compiled))
    assert (sent, check(deck, sent)) == (compiled, before)
