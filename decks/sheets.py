"""Registration sheets as PDF, filled or blank: what a judge files, counts and checks a deck by."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Literal

import segno
from reportlab.lib.pagesizes import A4, LETTER
from reportlab.lib.units import mm
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas

Paper = Literal["A4", "Letter"]
PAPERS: dict[Paper, tuple[float, float]] = {"A4": A4, "Letter": LETTER}

PLAIN, BOLD = "SourceSansPro-Regular", "SourceSansPro-Bold"
_MARGIN = 12 * mm
_ROW = 5.3 * mm
_GAP = 5 * mm
_COUNT = 11 * mm  # the column of numbers
_HEAD = 44 * mm
_FOOT = 34 * mm


@dataclass(frozen=True)
class Block:
    """A part of the deck. ``rule`` stands under its total ("60 cards or more"), ``blank_rows`` are there at least: the
    first part of a sheet with any has as many as the page holds."""

    label: str
    rows: tuple[tuple[int, str], ...] = ()
    rule: str = ""
    blank_rows: int = 0
    counts: tuple[str, ...] = ("#",)

    @property
    def total(self) -> int:
        return sum(count for count, _ in self.rows)


@dataclass(frozen=True)
class Sheet:
    """One decklist, or a blank. ``details`` are what stands in the head: (label, value), an empty value to fill in."""

    family_name: str
    given_name: str
    title: str
    details: tuple[tuple[str, str], ...]
    blocks: tuple[Block, ...]
    verdict: str = ""
    fingerprint: str = ""
    link: str = ""
    notes: tuple[str, ...] = field(default=())

    @property
    def filing_letter(self) -> str:
        return (self.family_name or self.given_name)[:1].upper()


def render_sheets(
    sheets: Iterable[Sheet], *, paper: Paper = "A4", progress: Callable[[int], None] | None = None
) -> bytes:
    """A PDF with each sheet beginning on a page of its own; ``progress`` hears how many sheets are done."""
    register_fonts()
    canvas = Canvas("", pagesize=PAPERS[paper], pageCompression=1, invariant=1)
    canvas.setTitle("Deck registration")
    for done, sheet in enumerate(sheets, 1):
        _Page(canvas, sheet, PAPERS[paper]).draw()
        if progress is not None:
            progress(done)
    return bytes(canvas.getpdfdata())


@cache
def register_fonts() -> None:
    """Make PLAIN and BOLD known to reportlab, once."""
    folder = files("font_source_sans_pro") / "files"
    for name in (PLAIN, BOLD):
        pdfmetrics.registerFont(TTFont(name, io.BytesIO((folder / f"{name}.ttf").read_bytes())))


@dataclass(frozen=True)
class _Line:
    """What goes into one row of a column: a heading, a card, an empty row, or a block's total."""

    kind: Literal["heading", "card", "total"]
    block: Block
    count: str = ""
    text: str = ""


class _Page:
    def __init__(self, canvas: Canvas, sheet: Sheet, size: tuple[float, float]) -> None:
        self.canvas, self.sheet = canvas, sheet
        self.width, self.height = size
        self.rows = int((self.height - 2 * _MARGIN - _HEAD - _FOOT) / _ROW)
        self.column = (self.width - 2 * _MARGIN - _GAP) / 2

    def draw(self) -> None:
        columns = _columns(self.sheet.blocks, self.rows)
        pages = [columns[start : start + 2] for start in range(0, len(columns), 2)]
        for number, page in enumerate(pages, 1):
            self._head(number, len(pages))
            for place, lines in enumerate(page):
                self._column(_MARGIN + place * (self.column + _GAP), lines)
            self._foot()
            self.canvas.showPage()

    def _text(self, x: float, y: float, text: str, size: float, *, bold: bool = False, width: float = 0) -> None:
        font = BOLD if bold else PLAIN
        if width:  # a name is never cut: it is set smaller until it fits
            wide = pdfmetrics.stringWidth(text, font, size)
            size = size if wide <= width else max(3.5, size * width / wide)
        self.canvas.setFont(font, size)
        self.canvas.drawString(x, y, text)

    def _head(self, number: int, pages: int) -> None:
        top = self.height - _MARGIN
        box = 16 * mm
        right = self.width - _MARGIN
        self.canvas.setLineWidth(1.2)
        self.canvas.rect(right - box, top - box, box, box)
        self.canvas.setFont(BOLD, 30)
        self.canvas.drawCentredString(right - box / 2, top - box + 4.5 * mm, self.sheet.filing_letter)
        self.canvas.setLineWidth(0.5)
        self._text(_MARGIN, top - 5 * mm, self.sheet.title, 14, bold=True, width=self.width - 2 * _MARGIN - 40 * mm)
        page = f"Page {number} of {pages}"
        self.canvas.setFont(PLAIN, 8)
        self.canvas.drawRightString(right - box - 3 * mm, top - 4 * mm, page)
        half = (right - box - 3 * mm - _MARGIN - 3 * mm) / 2
        self._field(_MARGIN, top - 16 * mm, half, "Last name", self.sheet.family_name, size=13)
        self._field(_MARGIN + half + 3 * mm, top - 16 * mm, half, "First name", self.sheet.given_name, size=13)
        across = 3
        width = (self.width - 2 * _MARGIN - (across - 1) * 3 * mm) / across
        for place, (label, value) in enumerate(self.sheet.details[: 2 * across]):
            row, column = divmod(place, across)
            self._field(_MARGIN + column * (width + 3 * mm), top - (27 + row * 10.5) * mm, width, label, value)

    def _field(self, x: float, y: float, width: float, label: str, value: str, *, size: float = 10) -> None:
        self.canvas.line(x, y - 1 * mm, x + width, y - 1 * mm)
        self._text(x, y - 3.6 * mm, label, 6.5, width=width)
        self._text(x, y, value, size, width=width)

    def _column(self, x: float, lines: Sequence[_Line]) -> None:
        y = self.height - _MARGIN - _HEAD - _ROW
        for line in lines:
            offset = _COUNT * len(line.block.counts)
            if line.kind == "heading":
                self._text(x + offset + 1 * mm, y + 1.4 * mm, line.text, 10, bold=True)
                for place, label in enumerate(line.block.counts):
                    self._text(x + place * _COUNT + 1 * mm, y + 1.4 * mm, label, 7)
            elif line.kind == "total":
                self.canvas.rect(x, y - 0.2 * mm, _COUNT, _ROW)
                self.canvas.setFont(BOLD, 10)
                self.canvas.drawCentredString(x + _COUNT / 2, y + 1.4 * mm, line.count)
                self._text(x + offset + 1 * mm, y + 1.4 * mm, line.text, 7.5, width=self.column - offset - 2 * mm)
            else:
                self.canvas.setLineWidth(0.3)
                self.canvas.line(x, y, x + self.column, y)
                for place in range(len(line.block.counts)):
                    edge = x + (place + 1) * _COUNT
                    self.canvas.line(edge, y, edge, y + _ROW)
                self.canvas.setFont(PLAIN, 9.5)
                self.canvas.drawCentredString(x + _COUNT / 2, y + 1.4 * mm, line.count)
                room = self.column - offset - 2 * mm
                self._text(x + offset + 1 * mm, y + 1.4 * mm, line.text, 9.5, width=room)
            y -= _ROW

    def _foot(self) -> None:
        bottom, height = _MARGIN, _FOOT - 6 * mm
        box = 78 * mm
        left = self.width - _MARGIN - box
        self.canvas.setLineWidth(0.8)
        self.canvas.rect(left, bottom, box, height)
        self._text(left + 1.5 * mm, bottom + height - 3.4 * mm, "FOR JUDGES ONLY", 6.5, bold=True)
        labels = [block.label for block in self.sheet.blocks][:3]
        labels = [f"{label} counted" for label in labels] + ["Checked, round", "Checked, round", "Status", "Judge"]
        width = (box - 3 * mm) / 4
        for place, label in enumerate(labels[:8]):
            row, column = divmod(place, 4)
            self._field(left + 1.5 * mm + column * width, bottom + (14.5 - row * 10) * mm, width - 1.5 * mm, label, "")
        x = _MARGIN
        if self.sheet.link:
            draw_code(self.canvas, self.sheet.link, x=_MARGIN, y=_MARGIN, size=height)
            x += height + 3 * mm
        y = bottom + height - 4 * mm
        room = left - x - 3 * mm
        if self.sheet.fingerprint:
            self._text(x, y, self.sheet.fingerprint, 11, bold=True, width=room)
            y -= 5 * mm
        for words in (*_wrapped(self.sheet.verdict, room, 8), *self.sheet.notes):
            self._text(x, y, words, 8, width=room)
            y -= 3.8 * mm


def draw_code(canvas: Canvas, link: str, *, x: float, y: float, size: float) -> None:
    """A QR code of ``size`` points each way, its lower left corner at ``x`` and ``y``."""
    matrix = segno.make(link, error="m", micro=False).matrix
    cell = size / len(matrix)
    path = canvas.beginPath()
    for row, cells in enumerate(matrix):
        start = None
        for column, dark in enumerate([*cells, 0]):
            if dark and start is None:
                start = column
            elif not dark and start is not None:
                path.rect(x + start * cell, y + size - (row + 1) * cell, (column - start) * cell, cell)
                start = None
    canvas.drawPath(path, stroke=0, fill=1)


def _columns(blocks: Sequence[Block], rows: int) -> list[list[_Line]]:
    """The lines of every block, in columns of at most ``rows``; a block's total is never parted from its heading.

    The first block fills the left column, then goes on in the right one; the others stand together at the foot of that
    while there is room. On a blank, rows of the first block fill whatever is left before the others.
    """
    first, *others = (_lines(block) for block in blocks)
    rest = [line for lines in others for line in lines]
    empty = [_Line("card", blocks[0])] if blocks[0].blank_rows else []
    first += empty * (rows - len(first))
    columns = [first[start : start + rows] for start in range(0, len(first), rows)]
    if len(columns) == 1:
        columns.append([])
    room = rows - len(columns[-1])
    if len(columns) % 2 == 0 and len(rest) <= room:
        columns[-1] += empty * (room - len(rest)) + rest
        return columns
    columns += [rest[start : start + rows] for start in range(0, len(rest), rows)]
    return [column for column in columns if column] if len(columns) > 2 else columns


def _lines(block: Block) -> list[_Line]:
    lines = [_Line("heading", block, text=block.label)]
    total = str(block.total) if block.rows else ""
    lines.append(_Line("total", block, count=total, text=f"cards in all. {block.rule}".strip()))
    lines += [_Line("card", block, count=str(count) if count else "", text=name) for count, name in block.rows]
    lines += [_Line("card", block)] * max(0, block.blank_rows - len(block.rows))
    return lines


def _wrapped(text: str, width: float, size: float) -> list[str]:
    lines: list[str] = []
    for word in text.split():
        if lines and pdfmetrics.stringWidth(f"{lines[-1]} {word}", PLAIN, size) <= width:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines[:4]
