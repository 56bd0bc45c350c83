"""Lists of players as spreadsheets write them."""

from __future__ import annotations

import pytest

from config.errors import DomainError
from events.engine.rosters import Entry, columns_of, decode_roster, entries_of, read_roster

TABLE = [["Name", "Team", "Paid"], ["Ada Brook", "Foxes", "yes"], ["Zoë, the Ünique", "", "no"]]


def entries(text: str) -> list[Entry]:
    roster = read_roster(text)
    return entries_of(roster, columns_of(roster))


@pytest.mark.parametrize(("delimiter", "quoted"), [(",", True), (";", False), ("\t", False)])
@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_cells_are_apart_by_commas_semicolons_or_tabs(delimiter, quoted, newline):
    rows = [[f'"{cell}"' if "," in cell and quoted else cell for cell in row] for row in TABLE]
    roster = read_roster(newline.join(delimiter.join(row) for row in rows))

    assert roster.delimiter == delimiter
    assert roster.heading == ("Name", "Team", "Paid")
    assert [row.cells for row in roster.rows] == [tuple(row) for row in TABLE[1:]]


@pytest.mark.parametrize(
    ("charset", "mark", "told"),
    [
        ("utf-8", b"", "UTF-8"),
        ("utf-8", b"\xef\xbb\xbf", "UTF-8"),
        ("utf-16-le", b"\xff\xfe", "UTF-16"),
        ("utf-16-be", b"\xfe\xff", "UTF-16"),
        ("utf-16-le", b"", "UTF-16"),
        ("utf-16-be", b"", "UTF-16"),
        ("cp1252", b"", "Windows-1252"),
    ],
)
def test_the_letters_of_a_file_are_found_and_said(charset, mark, told):
    text = "Vorname;Nachname\nZoë;Grün\nÇelik;Ünal\n"

    assert decode_roster(mark + text.encode(charset)) == (text, told)


def test_what_is_no_text_is_refused():
    with pytest.raises(DomainError) as caught:
        decode_roster(b"PK\x03\x04" + bytes(range(256)) * 3)
    assert caught.value.code == "roster.unreadable"


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("First name,Surname\nAda,Brook\nCher,\n", ["Ada Brook", "Cher"]),
        ("Name;Vorname\nBrook;Ada\n", ["Ada Brook"]),
        ("Nachname\tVorname\nBrook\tAda\n", ["Ada Brook"]),
        ('Full name,Surname\n"Brook, Ada",Brook\n', ["Ada Brook"]),
        ("Ada Brook\nBela Quist\n", ["Ada Brook", "Bela Quist"]),
        ("1;Ada Brook\n2;Bela Quist\n", ["Ada Brook", "Bela Quist"]),
        ('name\n"Ada\n  Brook"\n', ["Ada Brook"]),
        ("PLAYER NAME\n\n  \nAda   Brook  \n", ["Ada Brook"]),
    ],
)
def test_names_are_in_one_column_or_in_two_with_headings_or_without(text, names):
    assert [entry.name for entry in entries(text)] == names


def test_a_row_says_what_is_noted_of_a_player():
    text = "name,alias,paid,club,byes,table\nAda Brook,Ada B.,x,Foxes,2,14\nBela Quist,,,,,\n"

    assert entries(text) == [
        Entry(2, "Ada Brook", "Ada B.", True, "Foxes", 2, 14),
        Entry(3, "Bela Quist"),
    ]


def test_a_cell_that_means_nothing_is_a_problem_of_its_row_with_a_way_to_mend_it():
    found = entries("name,paid,byes,table\nAda,perhaps,12,-1\nBela,yes,1,3\n")

    assert [entry.problem for entry in found] == [
        "“perhaps” is neither yes nor no: write yes, or leave it empty. “12” is no number of byes: write 0 to 9. "
        "“-1” is no table: write 1 to 9999, or leave it empty.",
        "",
    ]


def test_lines_are_those_of_the_text_also_below_a_cell_of_two_lines():
    assert [entry.line for entry in entries('name\n"Ada\nBrook"\n\nBela\n')] == [2, 5]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "roster.empty"),
        (" \n\n", "roster.empty"),
        ("name,team\n", "roster.empty"),
        ("Ada\0", "roster.unreadable"),
        ("\n".join(f"Player {number}" for number in range(2_001)), "roster.too_large"),
        (",".join("Ada" for _ in range(41)), "roster.too_large"),
        ("é" * 128_001, "roster.too_large"),
        ('name\n"' + "x" * 140_000, "roster.unreadable"),
    ],
)
def test_what_is_no_list_is_refused(text, code):
    with pytest.raises(DomainError) as caught:
        read_roster(text)
    assert caught.value.code == code


def test_two_thousand_players_are_a_list():
    assert len(entries("name\n" + "\n".join(f"Player {number}" for number in range(2_000)))) == 2_000


def test_a_list_without_a_column_of_names_is_refused():
    with pytest.raises(DomainError) as caught:
        entries_of(read_roster("Ada\nBela\n"), {"team": 0})
    assert caught.value.code == "roster.no_name"
