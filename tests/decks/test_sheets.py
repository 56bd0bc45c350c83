"""Registration sheets: what is printed on them, read out of the PDF again."""

from __future__ import annotations

import io
import re

import pytest
import segno
from pypdf import PdfReader
from reportlab.pdfbase import pdfmetrics

from decks.sheets import PAPERS, Block, Sheet, render_sheets

MAIN = Block("Main deck", tuple((3, f"Card number {place}") for place in range(20)), "At least 60 cards.")
SIDE = Block("Sideboard", ((2, "D\u00e9j\u00e0 Song"), (1, "Salt & Ash <3")), "No cards or 15 cards.")
DETAILS = (("Date", "29 November 2026"), ("Place", "Gda\u0144sk"), ("Format", "Designed Deck 1"))


def sheet(*blocks: Block, family: str = "\u0141ukasiewicz", **values: str) -> Sheet:
    return Sheet(family, "Ana", "Harvest Cup", DETAILS, blocks or (MAIN, SIDE), **values)


def pages(*sheets: Sheet, paper: str = "A4") -> list[str]:
    reader = PdfReader(io.BytesIO(render_sheets(sheets, paper=paper)))  # type: ignore[arg-type]
    return [" ".join(page.extract_text().split()) for page in reader.pages]


def rows(text: str) -> list[tuple[int, str]]:
    return [(int(count), name) for count, name in re.findall(r"\b([0-9]+) (Card number [0-9]+)\b", text)]


def test_names_letters_counts_and_totals_stand_on_one_page() -> None:
    [text] = pages(sheet(verdict="Legal as of 29 November 2026.", fingerprint="K7QM-2XWD-9RTB", link="https://x/1"))
    for words in ("\u0141ukasiewicz", "Ana", "Harvest Cup", "Gda\u0144sk", "Page 1 of 1", "D\u00e9j\u00e0 Song"):
        assert words in text
    for words in ("Salt & Ash <3", "At least 60 cards.", "K7QM-2XWD-9RTB", "Legal as of", "FOR JUDGES ONLY"):
        assert words in text
    assert (rows(text), "60 cards in all." in text, "3 cards in all." in text) == (list(MAIN.rows), True, True)


def test_the_filing_letter_is_that_of_the_family_name() -> None:
    assert [sheet(family=name).filing_letter for name in ("\u00d8rsted", "de la Cruz", "")] == ["\u00d8", "D", "A"]


def test_more_cards_than_a_page_holds_go_on_without_one_being_lost() -> None:
    many = Block("Main deck", tuple((1, f"Card number {place}") for place in range(150)))
    texts = pages(sheet(many, SIDE))
    assert [f"Page {place} of {len(texts)}" in text for place, text in enumerate(texts, 1)] == [True] * len(texts)
    assert (len(texts), [row for text in texts for row in rows(text)]) == (3, list(many.rows))
    assert sum("Salt & Ash" in text for text in texts) == 1


def test_a_blank_has_rows_and_no_numbers() -> None:
    [text] = pages(
        Sheet("", "", "Harvest Cup", DETAILS, (Block("Main deck", (), "At least 30 cards.", 20, ("played", "pool")),))
    )
    assert ("played pool" in text, "At least 30 cards." in text, rows(text)) == (True, True, [])


def drawn_rows(*blocks: Block, paper: str) -> tuple[int, int]:
    """How many rows to write in each column of the only page has."""
    [page] = PdfReader(io.BytesIO(render_sheets([sheet(*blocks)], paper=paper))).pages  # type: ignore[arg-type]
    lines = re.findall(rb"n ([0-9.]+) ([0-9.]+) m ([0-9.]+) ([0-9.]+) l S", page.get_contents().get_data())
    middle, long = float(page.mediabox.width) / 2, float(page.mediabox.width) * 0.4
    starts = [float(x) for x, y, until, level in lines if y == level and float(until) - float(x) > long]
    return sum(x < middle for x in starts), sum(x > middle for x in starts)


@pytest.mark.parametrize(("paper", "left", "right"), [("A4", 34, 19 + 15), ("Letter", 31, 16 + 15)])
def test_the_empty_rows_of_a_blank_fill_the_left_column_before_the_right(paper: str, left: int, right: int) -> None:
    main, side = Block("Main deck", blank_rows=20), Block("Sideboard", blank_rows=15)
    assert drawn_rows(main, side, paper=paper) == (left, right)


@pytest.mark.parametrize(("paper", "left", "right"), [("A4", 34, 6), ("Letter", 31, 9)])
def test_the_cards_of_a_sheet_fill_the_left_column_before_the_right(paper: str, left: int, right: int) -> None:
    forty = Block("Main deck", tuple((1, f"Card number {place}") for place in range(40)))
    assert drawn_rows(forty, paper=paper) == (left, right)


def test_the_code_on_a_sheet_is_that_of_its_link() -> None:
    link = "https://tiltyard.example/e/harvest/decklists/7/"
    [page] = PdfReader(io.BytesIO(render_sheets([sheet(link=link)]))).pages
    drawn = page.get_contents().get_data().split(b"n ")
    boxes = max((re.findall(rb"([0-9.]+) ([0-9.]+) ([0-9.]+) ([0-9.]+) re", part) for part in drawn), key=len)
    bars = [tuple(float(number) for number in box) for box in boxes]
    matrix = [list(row) for row in segno.make(link, error="m", micro=False).matrix]
    cell, left, top = bars[0][3], min(x for x, *_ in bars), max(y for _, y, *_ in bars)
    seen = [[0] * len(matrix) for _ in matrix]
    for x, y, width, _ in bars:
        row, start = round((top - y) / cell), round((x - left) / cell)
        seen[row][start : start + round(width / cell)] = [1] * round(width / cell)
    assert seen == matrix


def test_each_sheet_begins_on_a_page_of_its_own_and_says_how_far_it_is() -> None:
    told: list[int] = []
    content = render_sheets([sheet(), sheet(), sheet()], progress=told.append)
    assert (len(PdfReader(io.BytesIO(content)).pages), told) == (3, [1, 2, 3])
    assert render_sheets([sheet()]) == render_sheets([sheet()])


@pytest.mark.parametrize("paper", PAPERS)
def test_every_paper_holds_the_sheet(paper: str) -> None:
    reader = PdfReader(io.BytesIO(render_sheets([sheet()], paper=paper)))  # type: ignore[arg-type]
    width, height = PAPERS[paper]  # type: ignore[index]
    box = reader.pages[0].mediabox
    assert (float(box.width), float(box.height)) == pytest.approx((width, height), abs=0.01)
    assert pages(sheet(), paper=paper)[0].count("Card number") == 20


def test_letters_of_the_whole_of_europe_are_in_the_font() -> None:
    render_sheets([sheet()])
    font = pdfmetrics.getFont("SourceSansPro-Regular").face
    letters = "ąćęłńśźżčřšžőűğışșțþðœōạ—’"
    assert [letter for letter in letters if ord(letter) not in font.charToGlyph] == []
