"""Lists that hang on a wall: pairings, standings, seats. Large enough to be read over the shoulders of others."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas

from decks.sheets import PAPERS, Paper
from events.papers.drawing import MARGIN, Heading, Progress, foot, new_canvas, put, width_of, wrapped

_HEAD = 27 * mm
_GAP = 3.5 * mm  # between columns
_LEADING = 1.18
_PAD = 1.2 * mm


@dataclass(frozen=True, slots=True)
class Column:
    """``share`` is its part of the width, in any unit; ``size`` in points."""

    label: str
    share: float
    size: float = 15
    bold: bool = False
    align: Literal["left", "right", "centre"] = "left"


@dataclass(frozen=True, slots=True)
class Section:
    """Rows under a title of their own: a pod. A title of "" is not drawn. ``guides`` stand, of a page's first and last
    row, at its upper right corner: what a person looks for to find the right page."""

    rows: tuple[tuple[str, ...], ...]
    title: str = ""
    guides: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ListPaper:
    heading: Heading
    columns: tuple[Column, ...]
    sections: tuple[Section, ...]
    empty: str = "There is nothing to list yet."


@dataclass(frozen=True, slots=True)
class _Line:
    """A row, or with one cell and no ``row`` a section's title. ``place`` counts the rows of its section."""

    cells: tuple[tuple[str, ...], ...]
    height: float
    place: int = -1
    guide: str = ""


def render_list(paper: ListPaper, *, size: Paper = "A4", progress: Progress | None = None) -> bytes:
    """A PDF of at least one page; ``progress`` hears how many rows are drawn."""
    canvas = new_canvas(paper.heading, size)
    width, height = PAPERS[size]
    edges = _edges(paper.columns, width)
    pages = _pages(_lines(paper, edges), height - 2 * MARGIN - _HEAD)
    drawn = 0
    for number, page in enumerate(pages, 1):
        _head(canvas, paper, edges, size, _guide(page))
        y = height - MARGIN - _HEAD
        for line in page:
            _draw(canvas, paper.columns, edges, line, y)
            y -= line.height
            drawn += line.place >= 0
            if progress is not None and line.place >= 0:
                progress(drawn)
        if not page:
            put(canvas, MARGIN, y - 14 * mm, paper.empty, 15)
        foot(canvas, paper.heading, size, page=number, pages=len(pages))
        canvas.showPage()
    return bytes(canvas.getpdfdata())


def _edges(columns: Sequence[Column], width: float) -> list[tuple[float, float]]:
    """(left edge, width) of every column."""
    room = width - 2 * MARGIN - _GAP * (len(columns) - 1)
    whole = sum(column.share for column in columns)
    x, found = MARGIN, []
    for column in columns:
        wide = room * column.share / whole
        found.append((x, wide))
        x += wide + _GAP
    return found


def _lines(paper: ListPaper, edges: Sequence[tuple[float, float]]) -> Iterator[_Line]:
    for section in paper.sections:
        if section.title:
            yield _Line(((section.title,),), 13 * mm)
        for place, row in enumerate(section.rows):
            cells = tuple(
                tuple(line for part in cell.split("\n") for line in wrapped(part, wide, column.size, bold=column.bold))
                for cell, column, (_, wide) in zip(row, paper.columns, edges, strict=True)
            )
            tall = max(len(lines) * column.size * _LEADING for lines, column in zip(cells, paper.columns, strict=True))
            guide = section.guides[place] if section.guides else ""
            yield _Line(cells, tall + _PAD, place, guide)


def _pages(lines: Iterator[_Line], room: float) -> list[list[_Line]]:
    """No title stands at the foot of a page without a row under it."""
    pages: list[list[_Line]] = [[]]
    left = room
    for line in lines:
        if line.height > left and pages[-1]:
            over = [pages[-1].pop()] if pages[-1][-1].place < 0 else []
            pages.append(over)
            left = room - sum(title.height for title in over)
        pages[-1].append(line)
        left -= line.height
    return [page for page in pages if page] or [[]]


def _guide(page: Sequence[_Line]) -> str:
    guides = [line.guide for line in page if line.guide]
    if not guides or guides[0] == guides[-1]:
        return guides[0] if guides else ""
    return f"{guides[0]} – {guides[-1]}"


def _head(canvas: Canvas, paper: ListPaper, edges: Sequence[tuple[float, float]], size: Paper, guide: str) -> None:
    width, height = PAPERS[size]
    top = height - MARGIN
    room = width - 2 * MARGIN
    taken = width_of(guide, 26, bold=True) + 6 * mm if guide else 0
    put(canvas, MARGIN, top - 4.5 * mm, paper.heading.event, 13, width=room - taken)
    put(canvas, MARGIN, top - 15 * mm, paper.heading.title, 26, bold=True, width=room - taken)
    if guide:
        put(canvas, width - MARGIN, top - 15 * mm, guide, 26, bold=True, align="right", width=room / 2)
    if paper.heading.warning:
        put(canvas, width - MARGIN, top - 4.5 * mm, paper.heading.warning, 11, bold=True, align="right")
    for column, (x, wide) in zip(paper.columns, edges, strict=True):
        put(canvas, _anchor(column, x, wide), top - _HEAD + 2.2 * mm, column.label, 10, align=column.align, width=wide)
    canvas.setLineWidth(1.4)
    canvas.line(MARGIN, top - _HEAD, width - MARGIN, top - _HEAD)


def _anchor(column: Column, x: float, wide: float) -> float:
    return {"left": x, "right": x + wide, "centre": x + wide / 2}[column.align]


def _draw(
    canvas: Canvas, columns: Sequence[Column], edges: Sequence[tuple[float, float]], line: _Line, y: float
) -> None:
    left, right = edges[0][0], edges[-1][0] + edges[-1][1]
    if line.place < 0:
        put(canvas, left, y - line.height + 3.2 * mm, line.cells[0][0], 19, bold=True, width=right - left)
        canvas.setLineWidth(0.8)
        canvas.line(left, y - line.height, right, y - line.height)
        return
    if line.place % 2:
        canvas.setFillGray(0.925)
        canvas.rect(left - 1.5 * mm, y - line.height, right - left + 3 * mm, line.height, stroke=0, fill=1)
        canvas.setFillGray(0)
    for cell, column, (x, wide) in zip(line.cells, columns, edges, strict=True):
        leading = column.size * _LEADING
        start = y - (line.height - leading * len(cell)) / 2 - column.size * 0.86
        for place, text in enumerate(cell):
            at = _anchor(column, x, wide)
            put(
                canvas, at, start - place * leading, text, column.size, bold=column.bold, align=column.align, width=wide
            )
