"""Publications as files: read from TOML and JSON, held against what a game has; and how a change meets a list."""

from __future__ import annotations

import json
from datetime import date
from typing import Any

import pytest

from cards.engine.facts import FactSpec
from config.errors import DomainError
from rules.engine.amending import Amendment, Clash, Spell, amend, amend_again
from rules.engine.formatcheck import GameNames
from rules.engine.publication import (
    Known,
    PublicationFile,
    publication_faults,
    publication_of,
    read_publication,
    refusal,
)

JAN, FEB, MAR, APR = (date(2027, month, 1) for month in (1, 2, 3, 4))
HEAD = """\
title = "Winter list"
source = "Heralds' letter"
announced_on = 2027-01-15
effective_on = 2027-02-01
"""
BAN = """\
[[changes]]
format = "open"
card = "Lance"
status = "banned"
section = "JOUST 2.1"
"""
VERSION = """\
[[formats]]
slug = "open"
name = "Open"
version = "2"
from = 2027-02-01
document = { slug = "rulebook", version = "1" }
[formats.pool]
kind = "all"
[[formats.constraint]]
id = "size"
kind = "zone_count"
zones = ["main"]
min = 3
cite = "JOUST 2.1"
"""
CARDS = {"lance": (1, "Lance"), "spear": (1, "Lance"), "shield": (2, "Shield")}
KNOWN = Known(
    names=GameNames(
        zones={"main", "side"},
        facts={"power": FactSpec(label="Power", type="number")},
        tags={"gift"},
        sets={"J1"},
        cards={key: name for key, (_, name) in CARDS.items()},
    ),
    cards={key: card for key, (card, _) in CARDS.items()},
    formats={"open": "Open", "sealed": "Sealed"},
    lists={"open": frozenset({"copies", "points"})},
    like={"shild": ["Shield"], "lace": []},
    citations={("rulebook", "1"): frozenset({"JOUST 2.1", "JOUST R1"})},
)


def faults(text: str) -> list[tuple[int | None, str]]:
    """(line, message) of everything that is wrong, in shape or in sense."""
    try:
        read = read_publication(text)
    except DomainError as error:
        refused = error
    else:
        refused = refusal(publication_faults(read.file, KNOWN), text=read.text)
    return [(fault["line"], fault["message"]) for fault in refused.context["faults"]]


def test_toml_and_json_say_the_same():
    from_toml = read_publication(HEAD + BAN).file
    body: dict[str, Any] = {
        "title": "Winter list",
        "source": "Heralds' letter",
        "announced_on": "2027-01-15",
        "effective_on": "2027-02-01",
        "changes": [{"format": "open", "card": "Lance", "status": "banned", "section": "JOUST 2.1"}],
    }
    assert read_publication(json.dumps(body)).file == publication_of(body) == from_toml
    assert PublicationFile.model_validate(from_toml.as_json()) == from_toml
    assert faults(HEAD + BAN + VERSION) == []


def test_every_name_must_be_known():
    text = HEAD + BAN.replace("open", "closed").replace("Lance", "Lace").replace("2.1", "9.9") + 'zone = "attic"\n'
    text += '[[tags]]\ntag = "gifts"\nadd = ["Shield", "Shild"]\n'
    assert faults(text) == [
        (6, "no such format: closed"),
        (7, "no such card: Lace"),
        (9, "no such section in any rules document: JOUST 9.9"),
        (10, "no such zone: attic"),
        (12, "no such tag: gifts"),
        (13, "no such card: Shild; did you mean Shield?"),
    ]


def test_restricted_and_banned_in_one_publication_names_both_lines():
    second = BAN.replace("banned", "restricted").replace("Lance", "Spear")
    assert faults(HEAD + BAN + second) == [
        (10, "Spear is changed twice in open (banned and restricted); the other is line 5")
    ]


def test_the_same_change_twice_names_both_lines():
    assert faults(HEAD + BAN + BAN) == [(10, "Lance is changed twice in open (banned); the other is line 5")]


def test_from_a_form_both_changes_are_named_by_number():
    change = {"format": "open", "card": "Lance", "status": "banned", "section": "JOUST 2.1"}
    file = publication_of({"title": "t", "source": "s", "effective_on": "2027-02-01", "changes": [change, change]})
    [fault] = refusal(publication_faults(file, KNOWN)).context["faults"]
    assert fault == {
        "line": None,
        "where": "changes 2",
        "message": "Lance is changed twice in open (banned); the other is changes 1",
    }


def test_a_card_banned_in_one_zone_may_be_restricted_in_all_and_have_points():
    leader = BAN + 'zone = "side"\n'
    points = BAN.replace('"banned"', '"points"\npoints = 3')
    assert faults(HEAD + leader + BAN.replace("banned", "restricted") + points) == []


def test_a_card_banned_in_every_zone_can_not_be_changed_in_one_too():
    [(line, message)] = faults(HEAD + BAN + BAN.replace("banned", "restricted") + 'zone = "side"\n')
    assert (line, message) == (
        10,
        "Lance is banned in every zone of open, and changed in one of them too; the other is line 5",
    )


def test_a_list_that_no_rule_looks_at_can_not_be_changed():
    text = HEAD + BAN.replace("open", "sealed")
    assert faults(text) == [(6, "no rule of Sealed looks at a banned and restricted list")]
    status = '[[formats.constraint]]\nid = "lists"\nkind = "status"\nzones = ["main"]\ncite = "JOUST 2.1"\n'
    new = VERSION.replace('"open"', '"sealed"').replace('"Open"', '"Sealed"') + status
    assert faults(text + new) == []
    points = text.replace('"banned"', '"points"\npoints = 3')
    assert faults(points + new) == [(6, "no rule of Sealed looks at a points list")]
    assert faults(text.replace("banned", "legal") + new) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", [(None, "Field required")] * 3),
        (HEAD, [(None, "nothing changes: give changes, tags or formats")]),
        (
            HEAD.replace("2027-01-15", "2027-02-02") + BAN,
            [(None, "announced on 2027-02-02, after it takes effect (2027-02-01)")],
        ),
        (HEAD + BAN + "max_copies = 1\n", [(5, "a banned card has no copies: leave max_copies out")]),
        (HEAD + BAN.replace("banned", "limit"), [(5, "a limit needs max_copies of 1 or more")]),
        (HEAD + BAN.replace("banned", "points"), [(5, "points are given for the status points, and for no other")]),
        (
            HEAD + BAN.replace("banned", "legal") + "max_copies = 1\n",
            [(5, "a card that is legal has no max_copies of its own")],
        ),
        (
            HEAD + BAN.replace("banned", "outlawed"),
            [(8, "Input should be 'banned', 'restricted', 'limit', 'points' or 'legal'")],
        ),
        (HEAD.replace("2027-02-01", "1801440000") + BAN, [(4, "a day is written as year, month, day: 2027-02-01")]),
        (
            HEAD.replace("2027-02-01", "2027-02-01T00:00:00") + BAN,
            [(4, "a day is written as year, month, day: 2027-02-01")],
        ),
        (HEAD + BAN + "colour = 1\n", [(10, "Extra inputs are not permitted")]),
        (
            HEAD + VERSION.replace("from = 2027-02-01\n", ""),
            [(5, "a new version needs the day from which it holds: from")],
        ),
        (
            HEAD + VERSION.replace('slug = "open"', 'slug = "shut"'),
            [(6, "no such format: shut; new formats come with the game's pack")],
        ),
        (HEAD + VERSION.replace('"Open"', '"Shut"'), [(7, "the format is called 'Open'")]),
        (HEAD + VERSION.replace("2.1", "7"), [(18, "no such section: JOUST 7")]),
        (HEAD + VERSION.replace('["main"]', '["attic"]'), [(16, "no such zone in game.toml: attic")]),
        (HEAD + VERSION.replace('"rulebook"', '"songbook"'), [(10, "no such document: songbook 1")]),
    ],
)
def test_what_is_wrong_is_told_with_its_line(text: str, expected: list[tuple[int | None, str]]):
    assert faults(text) == expected


@pytest.mark.parametrize(
    ("text", "line"),
    [("title = \n", 1), ("{", 1), ('{"title": NaN, "a": ' + "[" * 100_000, None), ("a = " + "[" * 100_000, None)],
)
def test_what_is_neither_toml_nor_json_is_refused(text: str, line: int | None):
    [(at, message)] = faults(text)
    assert (at, message.startswith("not ")) == (line, True)


# how a change meets a list


def spell(since: date | None, until: date | None = None, said: str = "restricted", id: int = 1) -> Spell[str]:
    return Spell(id, said, since, until)


def test_a_change_ends_what_was_in_force_and_begins_on_its_day():
    old = spell(JAN)
    assert amend([old], "banned", FEB) == Amendment(old, True)
    assert amend([old], None, FEB) == Amendment(old, False)
    assert amend([], "banned", FEB) == Amendment(None, True)
    assert amend([spell(JAN, FEB)], "restricted", FEB) == Amendment(None, True)
    short = spell(JAN, MAR)
    assert amend([short], "restricted", FEB) == Amendment(short, True)


def test_a_change_that_is_none_is_told():
    assert amend([spell(JAN)], "restricted", FEB) == Clash("redundant", spell(JAN))
    assert amend([spell(FEB)], "restricted", FEB) == Clash("redundant", spell(FEB))
    assert amend([], None, FEB) == Clash("redundant", None)
    assert amend([spell(JAN, FEB)], None, FEB) == Clash("redundant", None)


@pytest.mark.parametrize("wanted", ["banned", "restricted", None])
def test_what_is_scheduled_for_later_is_never_overwritten(wanted: str | None):
    later = spell(MAR, id=2, said="limit")
    assert amend([spell(JAN, MAR), later], wanted, FEB) == Clash("scheduled", later)
    assert amend([later], wanted, MAR) == Clash("scheduled", later)


def test_after_a_reload_what_the_list_says_already_is_passed_over():
    assert amend_again([spell(JAN)], "restricted", FEB) is None
    assert amend_again([spell(FEB, MAR)], "restricted", FEB) is None
    assert amend_again([spell(JAN, MAR), spell(MAR, said="banned", id=2)], "restricted", FEB) is None
    assert amend_again([spell(MAR)], None, FEB) is None
    short = spell(JAN, MAR)
    assert amend_again([short], "restricted", FEB) == Amendment(short, True)
    assert amend_again([spell(JAN)], "banned", FEB) == Amendment(spell(JAN), True)
    assert amend_again([spell(FEB)], "banned", FEB) == Clash("scheduled", spell(FEB))
