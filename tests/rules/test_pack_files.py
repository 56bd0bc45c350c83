from __future__ import annotations

from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from config.errors import DomainError
from rules.engine.positions import toml_line
from rules.engine.repeating import repeated
from rules.packreader import read_pack
from tests.rules.packs import FILES, MORE, edited, write_pack


def faults(folder: Path) -> list[tuple[str, int | None, str]]:
    try:
        read_pack(folder)
    except DomainError as error:
        return [(fault["file"], fault["line"], fault["message"]) for fault in error.context["faults"]]
    return []


def test_a_sound_pack_is_read(tmp_path: Path):
    pack = read_pack(write_pack(tmp_path))
    assert [(card.name, card.aliases, card.printings) for card in pack.cards] == [
        ("Lance", ("Spear",), (("J1", "1"), ("J2", "1"))),
        ("Shield", (), (("J1", "2"),)),
        ("Herald, Sworn", (), (("J2", "2"),)),
    ]
    assert dict(pack.cards[1].facts) == {"cost": "action"}
    [document] = pack.documents
    assert [section.number for section in document.sections] == ["1", "2", "2.1", "2.2", "R1"]
    assert (document.sections[2].covers, document.sections[2].cards) == (("J.SIZE",), ("Lance",))


def test_the_digest_is_of_the_content_and_of_nothing_else(tmp_path: Path):
    one, other = write_pack(tmp_path / "one"), write_pack(tmp_path / "other")
    (other / "README.md").write_text("For people.")
    assert read_pack(one).digest == read_pack(other).digest
    write_pack(other, edited("game.toml", 'name = "Joust"', 'name = "Tilt"'))
    assert read_pack(one).digest != read_pack(other).digest


@pytest.mark.parametrize(
    ("file", "old", "new", "line", "says"),
    [
        ("game.toml", '"number"', '"numeral"', 9, "facts.power.type: Input should be"),
        ("game.toml", 'slug = "joust"', 'slug = "joust', 1, "not TOML"),
        ("game.toml", 'headings = ["side"]', 'headings = ["Deck"]', 17, "the heading 'deck' is also one of main"),
        ("game.toml", 'code = "J2"', 'code = "J1"', 23, "there are two of the set J1"),
        ("cards.csv", "J1,2,", "J9,2,", 3, "no such set in game.toml: J9"),
        ("cards.csv", "J1,2,", "J1,1,", 3, "J1 1 is also on line 2"),
        ("cards.csv", ",action,", ",gratis,", 3, "Cost is one of action, free, not 'gratis'"),
        ("cards.csv", "free,3\nJ2,2", "free,4\nJ2,2", 4, "Lance: other facts than on line 2"),
        ("cards.csv", ",,Block.", "Spear,,Block.", 3, "'Spear' also means Lance on line 2"),
        ("cards.csv", "cost,power", "cost,might", 1, "no such fact in game.toml: might"),
        ("lists.toml", 'card = "Spear"', 'card = "Spere"', 3, "no such card in cards.csv: Spere"),
        ("lists.toml", 'format = "open"', 'format = "shut"', 2, "no such format: shut"),
        ("lists.toml", '"JOUST 2.1"', '"JOUST 9.9"', 8, "no such section in any document: JOUST 9.9"),
        ("lists.toml", "max_copies = 0", "max_copies = 1", 1, "status.1: banned means max_copies = 0"),
        ("formats/open.1.toml", 'cite = "JOUST 2.1"', "", 7, "constraint.1.cite: Field required"),
        ("formats/open.1.toml", 'cite = "JOUST 2.1"', 'cite = "JOUST 7"', 12, "no such section in rulebook 1: JOUST 7"),
        ("formats/open.1.toml", '"JOUST R1"', '"JOUST R2"', 20, "no such section in rulebook 1: JOUST R2"),
        ("formats/open.1.toml", 'zones = ["main"]', 'zones = ["mane"]', 10, "no such zone in game.toml: mane"),
        ("formats/open.1.toml", '{ tag = "gift" }', '{ tag = "gifts" }', 17, "no such tag in lists.toml: gifts"),
        ("formats/open.1.toml", '{ tag = "gift" }', '{ fact = "hue", eq = 1 }', 17, "no such fact in game.toml: hue"),
        ("formats/open.1.toml", '{ tag = "gift" }', '{ fact = "cost", gte = 1 }', 17, "cost is no number, so gte"),
        ("formats/open.1.toml", '{ tag = "gift" }', '{ fact = "cost", eq = "x" }', 17, "cost can never be 'x'"),
        ("formats/open.1.toml", '{ tag = "gift" }', '{ fact = "cost", like = "x" }', 17, "Extra inputs"),
        ("formats/open.1.toml", '{ tag = "gift" }', '{ names = ["Spere"] }', 17, "no such card in cards.csv: Spere"),
        ("formats/open.1.toml", "min = 2", "min = 2\nmax = 1", 7, "no deck could meet it"),
        ("formats/open.1.toml", "min = 2", "min = 2\nmax = 3\nmix = 1", 13, "Extra inputs"),
        ("formats/open.1.toml", 'id = "gifts"', 'id = "size"', None, "two constraints have the id size"),
        ("formats/open.1.toml", 'version = "1" }', 'version = "2" }', 4, "no such document: rulebook 2"),
        ("formats/open.1.toml", 'kind = "sum"', 'kind = "total"', 13, "does not match any of the expected tags"),
        ("policy/open.1.toml", 'format = "open"', 'format = "shut"', 4, "no such format: shut"),
        ("policy/open.1.toml", 'product = "booster"', 'product = "box"', 15, "no such product in products.toml: box"),
        ("policy/open.1.toml", '{ best_of = "', '{ best = "', 7, "cite names best, which this table doesn't have"),
        ("policy/open.1.toml", "best_of = 3", "best_of = 2", 6, "best of 2 has no middle"),
        ("products.toml", "pack_size = 2", "pack_size = 3", 5, "the slots hold 2 cards, the pack 3"),
        ("products.toml", 'set = "J1"', 'set = "J7"', 13, "no card of the set J7 in cards.csv"),
        ("products.toml", 'sheet = "all"', 'sheet = "some"', 10, "no such sheet: some"),
        ("documents/rulebook.1.md", "## 2.2 Mulligan", "## 2.1 Mulligan", 21, "JOUST 2.1 is there twice"),
        ("documents/rulebook.1.md", "## 2.2 Mulligan", "## Mulligan", 21, "a section begins with its number"),
        ("documents/rulebook.1.md", "nobody", "<b>nobody</b>", 19, "section 2.1: no HTML"),
        ("documents/rulebook.1.md", "cards: Lance", "cards: Lanze", 15, "no such card in cards.csv: Lanze"),
        ("documents/rulebook.1.md", 'title = "Rules of the joust"', "", None, "title: Field required"),
        ("readings.toml", 'version = "1"', 'version = "3"', 1, "no such document: rulebook 3"),
    ],
)
def test_a_fault_is_told_with_its_file_and_line(
    tmp_path: Path, file: str, old: str, new: str, line: int | None, says: str
):
    found = faults(write_pack(tmp_path, edited(file, old, new)))
    assert [(name, at) for name, at, message in found if says in message] == [(file, line)], found


def test_every_fault_is_told_at_once(tmp_path: Path):
    changes = {
        **edited("cards.csv", "J1,2,", "J9,2,"),
        **edited("formats/open.1.toml", 'zones = ["main"]', 'zones = ["mane"]'),
        **edited("policy/open.1.toml", "best_of = 3", "best_of = 2"),
    }
    assert [file for file, _, _ in faults(write_pack(tmp_path, changes))] == [
        "cards.csv",
        "formats/open.1.toml",
        "policy/open.1.toml",
    ]


@pytest.mark.parametrize(
    ("file", "old", "new", "line", "says"),
    [
        ("lists.toml", 'status = "limit"', 'status = "soft"', 16, "status.2.status: Input should be"),
        ("lists.toml", "max_copies = 2", "max_copies = 0", 13, "limit means a max_copies of at least 1"),
        ("lists.toml", "max_copies = 2\n", "", 13, "limit means a max_copies of at least 1"),
        ("lists.toml", "max_copies = 2", "max_copies = 2\npoints = 1", 13, "only the status points has points"),
        ("lists.toml", "points = 3\n", "", 21, "points has points, and no max_copies"),
        ("lists.toml", "points = 3", "points = 3\nmax_copies = 1", 21, "points has points, and no max_copies"),
        ("lists.toml", "points = 3", "points = 0", 25, "greater than or equal to 1"),
        ("lists.toml", 'zone = "side"', 'zone = "sight"', 18, "no such zone in game.toml: sight"),
        ("lists.toml", "from = 2026-03-01\n", "", 28, "erratum.1.from: Field required"),
        ("lists.toml", "from = 2026-03-01", 'from = "soon"', 30, "erratum.1.from: Input should be a valid date"),
        ("lists.toml", 'card = "Spear"\nfrom', 'card = "Spere"\nfrom', 29, "no such card in cards.csv: Spere"),
        ("lists.toml", "{ power = 2 }", "{ might = 2 }", 31, "no such fact in game.toml: might"),
        ("lists.toml", "{ power = 2 }", '{ power = "2" }', 31, "power can never be '2'"),
        (
            "lists.toml",
            "{ power = 2 }",
            "{ power = 2.5 }",
            31,
            "erratum.1.facts.power: Input should be a valid integer",
        ),
        ("lists.toml", "{ power = 2 }", "{}", 28, "an erratum changes facts, the text, or both"),
        ("lists.toml", "from = 2026-05-01", "from = 2026-03-01", 34, "Lance has two errata from one day (see line 28)"),
        ("rulings.toml", '"J-2"', '"j-1"', 11, "the number j-1 is there twice (see line 1)"),
        ("rulings.toml", '"J-2"', '"J 2"', 11, "ruling.2.number: String should match pattern"),
        ("rulings.toml", '"JOUST R1"', '"JOUST R9"', 7, "no such section in any document: JOUST R9"),
        ("rulings.toml", 'cards = ["Shield"]', 'cards = ["Shild"]', 8, "no such card in cards.csv: Shild"),
        ("rulings.toml", 'source = "Letter of the heralds"\n', "", 1, "a ruling needs source; only a reminder"),
        ("rulings.toml", 'authority = "The head herald"', 'authority = ""', 1, "a ruling needs authority"),
        ("rulings.toml", 'citations = ["JOUST 2.1", "JOUST R1"]\n', "", 1, "a ruling needs citations"),
        ("rulings.toml", 'kind = "reminder"', 'kind = "rumour"', 14, "ruling.2.kind: Input should be"),
        ("rulings.toml", 'kind = "reminder"', 'status = "draft"', 14, "ruling.2.status: Input should be"),
        ("rulings.toml", 'answer = "Yes:', 'answr = "Yes:', 13, "ruling.2.answr: Extra inputs"),
        ("rulings.toml", "from = 2026-02-01", "from = 2026-02-01\nuntil = 2026-02-01", 1, "must be after from"),
    ],
)
def test_a_fault_in_what_else_a_pack_may_have_is_told(
    tmp_path: Path, file: str, old: str, new: str, line: int | None, says: str
):
    assert old in MORE[file]
    found = faults(write_pack(tmp_path, {**MORE, file: MORE[file].replace(old, new, 1)}))
    assert [(name, at) for name, at, message in found if says in message] == [(file, line)], found


@pytest.mark.parametrize(
    ("kind", "found"),
    [
        ("points", [(24, "open has no rule that would read the status points")]),
        (
            "status",
            [
                (4, "open has no rule that would read the status banned"),
                (16, "open has no rule that would read the status limit"),
            ],
        ),
    ],
)
def test_a_status_that_no_rule_of_its_format_reads_is_refused(tmp_path: Path, kind: str, found: list[tuple[int, str]]):
    rules = MORE["formats/open.1.toml"].split("[[constraint]]\n")
    without = "[[constraint]]\n".join(rule for rule in rules if f'kind = "{kind}"' not in rule)
    told = faults(write_pack(tmp_path, {**MORE, "formats/open.1.toml": without}))
    assert told == [("lists.toml", *one) for one in found]


def test_two_versions_may_not_be_in_force_on_one_day(tmp_path: Path):
    second = FILES["formats/open.1.toml"].replace('version = "1"\n', 'version = "2"\nfrom = 2026-01-01\n', 1)
    changes = {"formats/open.2.toml": second}
    assert faults(write_pack(tmp_path, changes)) == [
        ("formats/open.2.toml", 4, "in force at the same time as formats/open.1.toml: close one with until")
    ]
    closed = edited("formats/open.1.toml", 'version = "1"\n', 'version = "1"\nuntil = 2026-01-01\n')
    assert faults(write_pack(tmp_path, {**changes, **closed})) == []


def status(card: str, status: str, numbers: str, during: str = "") -> str:
    return (
        f'[[status]]\nformat = "open"\ncard = "{card}"\nstatus = "{status}"\n{numbers}\n{during}\n'
        'source = "x"\nsection = "JOUST 2.1"\n'
    )


SPRING, LATER = "until = 2026-06-01", "from = 2026-06-01"
BANNED, ONE = ("banned", "max_copies = 0"), ("restricted", "max_copies = 1")


@pytest.mark.parametrize(
    ("one", "other", "are_at_odds"),
    [
        (status("Spear", *BANNED), status("Lance", *ONE), True),
        (status("Lance", *BANNED, SPRING), status("Lance", *ONE, "from = 2026-05-31"), True),
        (status("Lance", *ONE, SPRING), status("Lance", *BANNED, LATER), False),
        (status("Lance", *ONE), status("Shield", *BANNED), False),
        (status("Lance", *ONE), status("Lance", "limit", "max_copies = 2"), True),
        (status("Lance", *ONE), status("Lance", "points", "points = 2"), False),
        (status("Lance", "points", "points = 1"), status("lance", "points", "points = 2"), True),
        (status("Lance", *BANNED), status("Lance", "restricted", 'max_copies = 1\nzone = "side"'), True),
        (status("Lance", "banned", 'max_copies = 0\nzone = "side"'), status("Lance", *ONE), False),
        (
            status("Lance", "banned", 'max_copies = 0\nzone = "side"'),
            status("Lance", "limit", 'max_copies = 3\nzone = "side"'),
            True,
        ),
    ],
)
def test_a_card_may_not_have_two_statuses_on_one_day(tmp_path: Path, one: str, other: str, are_at_odds: bool):
    tags = "[[tag]]" + FILES["lists.toml"].split("[[tag]]")[1]
    found = faults(write_pack(tmp_path, {**MORE, "lists.toml": one + other + tags}))
    line = 1 + one.count("\n")
    told = [("lists.toml", line, "Lance has two statuses in open on one day (see line 1)")]
    assert found == (told if are_at_odds else [])


def test_a_card_may_not_have_a_tag_twice_on_one_day(tmp_path: Path):
    tag = '[[tag]]\ntag = "gift"\ncards = ["{}"]\nsource = "x"\n'
    text = FILES["lists.toml"].split("[[tag]]")[0] + tag.format("Lance") + tag.format("Spear")
    assert faults(write_pack(tmp_path, {"lists.toml": text})) == [
        ("lists.toml", 13, "Lance is listed twice as gift on one day (see line 9)")
    ]


def test_a_range_that_another_rule_makes_unreachable_is_refused(tmp_path: Path):
    changes = edited("formats/open.1.toml", "max = 1\n", "min = 9\n")
    changes["formats/open.1.toml"] = str(changes["formats/open.1.toml"]).replace("min = 2\n", "min = 2\nmax = 8\n")
    assert faults(write_pack(tmp_path, changes)) == [
        ("formats/open.1.toml", 19, "gifts asks for 9 cards where size allows 8")
    ]


def test_a_booster_that_can_run_out_of_cards_is_refused(tmp_path: Path):
    changes = edited("products.toml", ', { card = "Herald, Sworn", weight = 2 }', "")
    assert faults(write_pack(tmp_path, changes)) == []
    changes["products.toml"] = str(changes["products.toml"]).replace("= 2\n", "= 3\n")
    found = faults(write_pack(tmp_path, changes))
    assert [message for _, _, message in found] == ["slot any: sheet all can run out of different cards"]


FAMILY = MORE["formats/sealed-n.1.toml"]


def test_one_file_can_stand_for_a_family_of_formats(tmp_path: Path):
    pack = read_pack(write_pack(tmp_path, {"formats/sealed-n.1.toml": FAMILY}))
    assert [(f.slug, f.name, f.constraints[0].label, getattr(f.constraints[0], "min", None)) for f in pack.formats] == [
        ("open", "Open", None, 2),
        ("sealed-2", "Sealed, 2 packs", "cards of 2 packs", 2),
        ("sealed-3", "Sealed, 3 packs", "cards of 3 packs", 3),
    ]


def test_a_number_takes_the_place_of_its_mark_as_text_or_as_a_number():
    data = {"for_each": [2, 3], "slug": "a-{n}", "deep": [{"x": "{n}", "y": "{n} of {n}"}], "z": 1}
    assert repeated(data) == [
        {"slug": "a-2", "deep": [{"x": 2, "y": "2 of 2"}], "z": 1},
        {"slug": "a-3", "deep": [{"x": 3, "y": "3 of 3"}], "z": 1},
    ]
    assert repeated({"slug": "{n}"}) == [{"slug": "{n}"}]


def test_one_file_can_stand_for_a_family_of_policies(tmp_path: Path):
    pack = read_pack(write_pack(tmp_path, MORE))
    assert [(p.slug, p.format, getattr(p.stages[0], "packs", None)) for p in pack.policies] == [
        ("open", "open", 1),
        ("sealed-2", "sealed-2", 2),
        ("sealed-3", "sealed-3", 3),
    ]


@pytest.mark.parametrize(
    ("old", "new", "line", "says"),
    [
        ("[2, 3]", "[]", 1, "for_each: a list of 1 to 100 whole numbers"),
        ("[2, 3]", '[2, "3"]', 1, "for_each: a list of 1 to 100 whole numbers"),
        ("[2, 3]", "[2, true]", 1, "for_each: a list of 1 to 100 whole numbers"),
        ("[2, 3]", "[2, 1001]", 1, "for_each: a list of 1 to 100 whole numbers"),
        ("[2, 3]", "3", 1, "for_each: a list of 1 to 100 whole numbers"),
        ("[2, 3]", "[3, 3]", 1, "for_each: a number stands there twice"),
        ('"sealed-{n}"', '"sealed"', 1, "for_each: the slug must have {n} in it"),
        ('"sealed-{n}"', '"packs-{n}"', 2, "the file should be formats/packs-n.1.toml"),
        ('["main"]', '["mane"]', 12, "no such zone in game.toml: mane"),
        ('min = "{n}"', 'min = "{n}x"', 13, "constraint.1.min: Input should be a valid integer"),
        ('min = "{n}"', 'min = "{n}"\nmax = 2', 9, "size: min 3 is above max 2"),
        ("for_each = [2, 3]\n", "", 1, "slug: String should match pattern"),
    ],
)
def test_a_fault_in_a_family_is_told_once(tmp_path: Path, old: str, new: str, line: int, says: str):
    assert old in FAMILY
    found = faults(write_pack(tmp_path, {"formats/sealed-n.1.toml": FAMILY.replace(old, new)}))
    assert [(name, at) for name, at, message in found if says in message] == [("formats/sealed-n.1.toml", line)], found


def test_a_family_must_not_make_what_another_file_makes(tmp_path: Path):
    other = FAMILY.replace("for_each = [2, 3]\n", "").replace("{n}", "3").replace('"3"', "3")
    changes = {"formats/sealed-n.1.toml": FAMILY, "formats/sealed-3.1.toml": other}
    assert faults(write_pack(tmp_path, dict(changes))) == [
        ("formats/sealed-n.1.toml", None, "in force at the same time as formats/sealed-3.1.toml: close one with until")
    ]


def test_a_file_is_called_after_its_slug_and_version(tmp_path: Path):
    changes = {"formats/open.1.toml": None, "formats/free.1.toml": FILES["formats/open.1.toml"]}
    assert faults(write_pack(tmp_path, changes)) == [
        ("formats/free.1.toml", 1, "the file should be formats/open.1.toml")
    ]
    changes = {"policy/open.1.toml": None, "policy/open.2.toml": FILES["policy/open.1.toml"]}
    assert faults(write_pack(tmp_path / "other", changes)) == [
        ("policy/open.2.toml", 1, "the file should be policy/open.1.toml")
    ]


@pytest.mark.parametrize("name", ["format/open.1.toml", "cards.tsv", "formats/old/open.1.toml"])
def test_a_file_that_no_pack_has_is_told(tmp_path: Path, name: str):
    found = faults(write_pack(tmp_path, {name: "x = 1\n"}))
    assert [file for file, _, _ in found] == [name]


def test_a_folder_without_a_game_is_no_pack(tmp_path: Path):
    assert faults(tmp_path) == [("game.toml", None, "the folder has no such file")]


def test_text_that_no_column_can_hold_is_refused(tmp_path: Path):
    write_pack(tmp_path)
    (tmp_path / "cards.csv").write_bytes(b"set,number,name\nJ1,1,Caf\xe9\n")
    assert ("cards.csv", 2, "not UTF-8") in faults(tmp_path)
    (tmp_path / "cards.csv").write_bytes(b"set,number,name\nJ1,1,a\0b\n")
    assert ("cards.csv", None, "holds a NUL character") in faults(tmp_path)


def test_text_that_only_an_escape_can_make_is_refused_as_well(tmp_path: Path):
    found = faults(write_pack(tmp_path, edited("game.toml", 'name = "Joust"', 'name = "Jou\\u0000st"')))
    assert found == [("game.toml", 2, "name: holds a NUL character")]


@pytest.mark.parametrize("value", ["[" * 50 + "]" * 50, "[" * 5000 + "]" * 5000, "9" * 5000])
def test_what_a_parser_chokes_on_is_a_fault_and_no_crash(tmp_path: Path, value: str):
    found = faults(write_pack(tmp_path, edited("lists.toml", "max_copies = 0", f"max_copies = {value}")))
    assert "lists.toml" in [name for name, _, _ in found]


def test_the_command_answers_by_its_exit_code(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    sound = write_pack(tmp_path / "sound")
    broken = write_pack(tmp_path / "broken", edited("cards.csv", "J1,2,", "J9,2,"))
    call_command("check_pack", sound)
    assert "sound. Joust: 3 cards" in capsys.readouterr().out
    with pytest.raises(CommandError):
        call_command("check_pack", sound, broken)
    assert "cards.csv:3: no such set in game.toml: J9" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("select", "says"),
    [
        ("{ fact = 3, eq = 1 }", "constraint.2.select.fact: Input should be a valid string"),
        ('{ fact = "cost", gte = "x" }', "constraint.2.select.gte: Input should be a valid integer"),
        ('{ all = [{ tag = "gift" }, { fact = "cost", gte = "x" }] }', "constraint.2.select.all.2.gte: Input should"),
        ("{ not = { tag = 3 } }", "constraint.2.select.not.tag: Input should be a valid string"),
        ("{ any = [] }", "constraint.2.select.any: Tuple should have at least 1 item"),
        ("{ not = { not = { like = 3 } } }", "constraint.2.select.not.not: a selector has one of"),
    ],
)
def test_a_fault_in_a_selector_names_its_part(tmp_path: Path, select: str, says: str):
    found = faults(write_pack(tmp_path, edited("formats/open.1.toml", '{ tag = "gift" }', select)))
    assert [(at, message.startswith(says)) for _, at, message in found] == [(17, True)], found


def test_a_path_finds_the_deepest_line_that_it_has():
    text = 'a = 1\n[[t]]\nx = 1\n[[t]]\nx = 2\n[t.u]\n"y z" = 3\n[[t.v]]\n[[t.v]]\nw = 1\n'
    assert [
        toml_line(text, path)
        for path in [("a",), ("t", 0, "x"), ("t", 1, "x"), ("t", 1, "u", "y z", 0), ("t", 1, "v", 1, "w"), ("q",)]
    ] == [1, 3, 5, 7, 10, None]
