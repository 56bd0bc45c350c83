from __future__ import annotations

import json
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from cards.engine.changes import Change, FieldChange
from cards.engine.facts import fact_specs
from cards.engine.files import MAX_BYTES, CardFile, SetRow, read_files
from cards.engine.rows import CardRow, RowFault
from cards.models import Card, CardName, CardSet, Game, Printing
from cards.services import CardImport, import_cards
from config.errors import Conflict, DomainError
from rules.packreader import read_pack
from rules.services.loading import load_pack
from tests.rules.packs import write_pack

SPECS = fact_specs(
    {
        "cost": {"label": "Cost", "type": "choice", "values": ["action", "free"]},
        "power": {"label": "Power", "type": "number"},
        "unique": {"label": "Unique", "type": "flag"},
    }
)


def read(text: str, sets: str = "") -> CardFile:
    return read_files(text.encode(), SPECS, sets.encode())


# -- files ----------------------------------------------------------------------------------------------------------


def test_a_table_gives_rows_with_every_kind_of_name():
    file = read("set,number,name,aliases,faces,former,cost,power\nJ1,1,Lance,Spear | Pike,,Pole,free,3\n")
    row = CardRow(2, "J1", "1", "Lance", ("Spear", "Pike"), (), ("Pole",), "", {"cost": "free", "power": 3})
    assert file == CardFile((row,), (), ())


def test_json_tells_the_line_on_which_a_card_begins():
    file = read('[\n {"set": "J1", "number": "1", "name": "Lance"},\n\n {"set": "J1",\n  "number": "2", "name": ""}]')
    assert [row.line for row in file.rows] == [2, 4]
    assert file.faults == (RowFault(4, "name is empty"),)


def test_one_json_file_may_hold_sets_and_cards():
    text = """{"cards": [{"set": "J2", "number": "1", "name": "Lance", "former": ["Pole"]}],
 "sets": [{"code": "J2", "name": "Two", "released_on": "2026-03-01", "legal_on": "2026-02-22"}]}"""
    file = read(text)
    assert file.rows == (CardRow(1, "J2", "1", "Lance", former=("Pole",)),)
    assert file.sets == (SetRow("J2", "Two", date(2026, 3, 1), date(2026, 2, 22)),)


def test_a_table_of_sets_keeps_release_and_legality_apart():
    sets = "code,name,released_on,legal_on,sample\nJ2,Two,2026-03-01,,\nJ3,Three,,2026-05-01,yes\n"
    file = read("set,number,name\nJ2,1,Lance\n", sets)
    assert file.sets == (
        SetRow("J2", "Two", date(2026, 3, 1), None),
        SetRow("J3", "Three", None, date(2026, 5, 1), sample=True),
    )


CARD = '{"set": "J1", "number": "1", "name": "Lance"}'


@pytest.mark.parametrize(
    ("text", "faults"),
    [
        ("", [(1, "there is nothing in it")]),
        ("   \n", [(1, "there is nothing in it")]),
        ("set,number,name\n", [(1, "there is no card in it")]),
        ("name\nLance\n", [(1, "the header lacks set, number")]),
        ("set,number,name,colour\nJ1,1,Lance,red\n", [(1, "no such fact in game.toml: colour")]),
        ("set,number,name,name\nJ1,1,Lance,Lance\n", [(1, "a column stands twice in the header")]),
        ("set,number,name\nJ1,1\n", [(2, "2 cells under 3 columns")]),
        ('set,number,name\nJ1,1,"Lan"ce\n', [(2, "not CSV: ',' expected after '\"'")]),
        ("set,number,name,power\nJ1,1,Lance,three\n", [(2, "Power is a whole number, not 'three'")]),
        ("set,number,name,unique\nJ1,1,Lance,maybe\n", [(2, "Unique is yes or no, not 'maybe'")]),
        ("set,number,name\nJ1,1,La\0nce\n", [(2, "a NUL character can't be stored; this may be no text file")]),
        ("[]", [(1, "there is no card in it")]),
        ("[1]", [(1, "not an object")]),
        ("[" * 100_000, [(1, "not JSON that can be used: it is nested too deeply")]),
        ('["\\ud800"', [(1, "not JSON: Expecting ',' delimiter: line 1 column 10 (char 9)")]),
        ('[{"set": "J1", "number": "1", "name": "L\\ud800"}]', [(1, "half of a surrogate pair can't be stored")]),
        (
            '[{"set": "J1", "number": "1", "name": "L", "faces": ["\\u0000x"]}]',
            [(1, "a NUL character can't be stored")],
        ),
        ('[{"set": "J1", "number": "1", "name": "L", "facts": {"power": 1.5}}]', [(1, "Power can't be 1.5")]),
        ('[{"set": "J1", "number": "1", "name": "L", "facts": {"power": true}}]', [(1, "Power can't be True")]),
        ('[{"set": 1, "number": "1", "name": "L"}]', [(1, "set must be text")]),
        ('[{"set": "J1", "number": "1", "name": "L", "former": "M"}]', [(1, "former must be a list of names")]),
        ('{"cards": 1}', [(1, "cards must be a list")]),
        ('{"tags": []}', [(1, "beside sets and cards there can't be tags")]),
        (f'{{"cards": [{CARD}], "cards": [{CARD}]}}', [(1, "not JSON: cards stands twice")]),
        ('{"sets": [{"code": "J1"}]}', [(1, "the set lacks its name")]),
        (
            '{"sets": [{"code": "J1", "name": "One", "legal_on": "2026-02-30"}]}',
            [(1, "legal_on is a day such as 2026-01-31, not '2026-02-30'")],
        ),
        (
            '{"sets": [{"code": "J1", "name": "One", "legal_on": 20260101}]}',
            [(1, "legal_on is a day such as 2026-01-31, not 20260101")],
        ),
    ],
)
def test_a_faulty_file_is_told_by_line(text: str, faults: list[tuple[int, str]]):
    assert [(fault.line, fault.message) for fault in read(text).faults] == faults


def test_what_is_not_utf_8_or_too_large_is_a_fault():
    utf16 = "set,number,name\nJ1,1,Lance\n".encode("utf-16")
    latin = "set,number,name\nJ1,1,Äther\n".encode("latin-1")
    assert read_files(utf16, SPECS).faults == (RowFault(1, "not UTF-8 text; save it as UTF-8 and send it again"),)
    assert read_files(latin, SPECS).faults == (RowFault(2, "not UTF-8 text; save it as UTF-8 and send it again"),)
    large = b"x" * (MAX_BYTES + 1)
    assert read_files(large, SPECS).faults == (RowFault(1, "it has more than 5 MB; send it in parts"),)


@pytest.mark.parametrize(
    ("sets", "fault"),
    [
        ("code\nJ1\n", RowFault(1, "the header lacks name", "sets")),
        ("code,name,colour\nJ1,One,red\n", RowFault(2, "a set has no colour", "sets")),
        ("code,name,sample\nJ1,One,perhaps\n", RowFault(2, "sample is yes or no, not 'perhaps'", "sets")),
        ("code,name\nJ1,One\nJ1,Uno\n", RowFault(3, "set J1 is also on line 2", "sets")),
        ("code,name\nJ1\n", RowFault(2, "1 cells under 2 columns", "sets")),
    ],
)
def test_a_faulty_table_of_sets_is_told_by_line(sets: str, fault: RowFault):
    assert read("set,number,name\nJ1,1,Lance\n", sets).faults == (fault,)


# -- the import -----------------------------------------------------------------------------------------------------


@pytest.fixture
def game(db: None, tmp_path: Path) -> Game:
    return load_pack(pack=read_pack(write_pack(tmp_path))).game


LANCE = CardRow(1, "J1", "1", "Lance", aliases=("Spear",), facts={"cost": "free", "power": 3})
LANCE_AGAIN = CardRow(2, "J2", "1", "Lance")


def everything() -> list[list[tuple[Any, ...]]]:
    return [sorted(model.objects.values_list(), key=str) for model in (Card, CardName, CardSet, Printing)]


def names(card: str) -> dict[str, str]:
    return dict(CardName.objects.filter(card__name=card).values_list("text", "kind"))


def test_a_preview_tells_old_and_new_of_every_field(game: Game):
    before = everything()
    rows = [
        CardRow(1, "J1", "1", "Lance", ("Spear", "Pike"), ("Butt",), text="Charge.", facts={"cost": "action"}),
        CardRow(2, "J3", "7", "Lance"),
        CardRow(3, "J3", "8", "Crest", facts={"power": 2}),
        CardRow(4, "J1", "2", "Shield", text="Block.", facts={"cost": "action"}),
    ]
    sets = [SetRow("J3", "Third list", date(2026, 5, 1), None), SetRow("J2", "Second list", None, date(2026, 2, 1))]
    found = import_cards(game=game, rows=rows, sets=sets, dry_run=True)

    assert found.cards == (
        Change(
            "Lance",
            1,
            False,
            (
                FieldChange("text", "Text", "", "Charge."),
                FieldChange("facts.cost", "Cost", "free", "action"),
                FieldChange("facts.power", "Power", 3, None),
                FieldChange("printings", "Printings", None, ["J3 7"]),
                FieldChange("names.alias", "Aliases", None, ["Pike"]),
                FieldChange("names.face", "Faces", None, ["Butt"]),
            ),
        ),
        Change(
            "Crest",
            3,
            True,
            (FieldChange("facts.power", "Power", None, 2), FieldChange("printings", "Printings", None, ["J3 8"])),
        ),
    )
    assert found.sets == (
        Change(
            "J3",
            0,
            True,
            (
                FieldChange("name", "Name", None, "Third list"),
                FieldChange("released_on", "Released on", None, "2026-05-01"),
            ),
        ),
        Change("J2", 0, False, (FieldChange("legal_on", "Legal on", "2026-01-01", "2026-02-01"),)),
    )
    assert (found.same, found.clashes, found.forgotten) == (1, (), 1)
    assert everything() == before


def test_one_more_printing_is_a_change(game: Game):
    row = CardRow(1, "J2", "7", "Lance", facts={"cost": "free", "power": 3})
    done = import_cards(game=game, rows=[row])
    assert done.cards == (Change("Lance", 1, False, (FieldChange("printings", "Printings", None, ["J2 7"]),)),)
    assert Printing.objects.filter(card__slug="lance").count() == 3


def test_what_was_previewed_is_what_is_done(game: Game):
    rows = [CardRow(1, "J1", "1", "Lance", ("spear",), facts={"cost": "action", "power": 3})]
    seen = import_cards(game=game, rows=rows, dry_run=True)
    done = import_cards(game=game, rows=rows, expected=seen.digest)

    assert done == seen
    assert Card.objects.get(name="Lance").facts == {"cost": "action", "power": 3}
    assert names("Lance") == {"Lance": "canonical", "spear": "alias"}
    again = import_cards(game=game, rows=rows, dry_run=True)
    assert again.is_empty


def test_a_preview_that_no_longer_holds_is_refused(game: Game):
    rows = [CardRow(1, "J1", "1", "Lance", facts={"cost": "action"})]
    seen = import_cards(game=game, rows=rows, dry_run=True)
    import_cards(game=game, rows=[CardRow(1, "J1", "1", "Lance", facts={"cost": "free", "power": 9})])
    before = everything()
    with pytest.raises(Conflict) as refused:
        import_cards(game=game, rows=rows, expected=seen.digest)
    assert (refused.value.code, refused.value.status) == ("cards.changed_since", 409)
    assert everything() == before


def test_a_set_that_is_not_there_is_named_with_its_first_line(game: Game):
    before = everything()
    rows = [LANCE, CardRow(2, "J9", "1", "Crest"), CardRow(3, "J9", "2", "Crown")]
    with pytest.raises(DomainError) as refused:
        import_cards(game=game, rows=rows, sets=[SetRow("J3", "Third list", None, None)])
    assert refused.value.context["faults"] == ["line 2: Joust has no set J9: add the set first"]
    assert everything() == before


def test_the_undo_file_gives_the_old_values_back(game: Game):
    before = Card.objects.values_list("name", "slug", "text", "facts").get(slug="lance")
    sets = [SetRow("J1", "First", date(2024, 1, 1), date(2025, 1, 1), sample=True)]
    row = CardRow(1, "J1", "1", "Long Lance", (), (), ("Lance",), "Charge.", {"power": 4})
    done = import_cards(game=game, rows=[row], sets=sets)
    assert Card.objects.values_list("name", "text", "facts").get(slug="lance") == (
        "Long Lance",
        "Charge.",
        {"power": 4},
    )

    back = read_files(json.dumps(done.undo).encode(), fact_specs(game.facts))
    assert back.faults == ()
    import_cards(game=game, rows=back.rows, sets=back.sets)
    assert Card.objects.values_list("name", "slug", "text", "facts").get(slug="lance") == before
    assert names("Lance") == {"Lance": "canonical", "Spear": "alias", "Long Lance": "former"}
    assert CardSet.objects.values_list("name", "released_on").get(code="J1") == ("First list (sample)", None)


# -- renames --------------------------------------------------------------------------------------------------------


def rename(game: Game, *rows: CardRow) -> CardImport:
    return import_cards(game=game, rows=rows)


def test_a_former_name_renames_the_card_that_has_it(game: Game):
    lance = Card.objects.get(name="Lance")
    done = rename(game, CardRow(1, "J1", "1", "Jousting Pole", former=("Lance",), facts={"cost": "free", "power": 3}))

    assert done.cards == (
        Change(
            "Jousting Pole",
            1,
            False,
            (
                FieldChange("name", "Name", "Lance", "Jousting Pole"),
                FieldChange("names.former", "Former names", None, ["Lance"]),
            ),
        ),
    )
    lance.refresh_from_db()
    assert (lance.name, lance.slug) == ("Jousting Pole", "lance")
    assert names("Jousting Pole") == {"Jousting Pole": "canonical", "Lance": "former", "Spear": "alias"}


def test_a_card_is_renamed_to_a_name_that_was_its_alias(game: Game):
    rename(game, CardRow(1, "J1", "1", "Spear", former=("Lance",), facts={"cost": "free", "power": 3}))
    assert names("Spear") == {"Spear": "canonical", "Lance": "former"}


def test_a_former_name_of_a_new_card_is_only_a_name(game: Game):
    done = rename(game, CardRow(1, "J2", "9", "Crest", former=("Old Crest",)))
    assert (done.added, names("Crest")) == (["Crest"], {"Crest": "canonical", "Old Crest": "former"})


@pytest.mark.parametrize(
    ("rows", "clash"),
    [
        # the former name is the printed name of another card, and both would be stored
        ([CardRow(4, "J1", "2", "Shield", former=("lance",))], "lance of Shield (line 4) already means Lance"),
        # it is an alias of another card, whose printed name is not among the former ones
        ([CardRow(4, "J2", "9", "Pole", former=("Spear",))], "Spear of Pole (line 4) already means Lance"),
        # two cards would become one
        ([CardRow(4, "J2", "9", "Pole", former=("Lance", "Shield"))], "Lance of Pole (line 4) already means Lance"),
        # an old file, after the rename
        ([CardRow(4, "J1", "1", "Spear")], "Spear (line 4) is already another name of Lance"),
    ],
)
def test_a_former_name_that_clashes_is_refused_with_its_line(game: Game, rows: list[CardRow], clash: str):
    before = everything()
    found = import_cards(game=game, rows=rows, dry_run=True)
    assert [(one.line, one.message) for one in found.clashes] == [(4, clash)]
    with pytest.raises(Conflict):
        import_cards(game=game, rows=rows)
    assert everything() == before


def test_within_a_file_a_former_name_means_one_card(game: Game):
    rows = [CardRow(1, "J2", "8", "Crest", former=("Badge",)), CardRow(2, "J2", "9", "Crown", former=("badge",))]
    with pytest.raises(DomainError) as refused:
        import_cards(game=game, rows=rows)
    assert refused.value.context["faults"] == ["line 2: 'badge' also means Crest on line 1"]


def test_an_import_costs_the_same_queries_for_one_card_and_three(game: Game, django_assert_num_queries):
    rows = [CardRow(n, "J2", f"1{n}", f"Crest {n}", aliases=(f"Badge {n}",)) for n in (1, 2, 3)]
    for part in (rows[:1], rows):
        # five reads, and the savepoint that is gone back to
        with django_assert_num_queries(8):
            import_cards(game=game, rows=part, dry_run=True)
