"""Result slips, one for each table, laid out so that the cut stacks follow one another in order of table."""

from __future__ import annotations

from dataclasses import dataclass

from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas

from decks.sheets import PAPERS, Paper, draw_code
from events.papers.drawing import Heading, Progress, new_canvas, put, width_of, wrapped

PER_PAGE = {4: (2, 2), 6: (2, 3)}  # slips of a page: (across, down)
_PAD = 6 * mm
_BOX = 4.6 * mm
_CODE = 19 * mm


@dataclass(frozen=True, slots=True)
class SlipSeat:
    name: str
    note: str = ""


@dataclass(frozen=True, slots=True)
class Slip:
    """A table. ``link`` opens its result entry; two seats make a duel, more a table with places."""

    table: str
    seats: tuple[SlipSeat, ...]
    link: str
    note: str = ""


@dataclass(frozen=True, slots=True)
class SlipPaper:
    """``wins`` are the games that win a match; no ``draws`` means that games can't be drawn."""

    heading: Heading
    slips: tuple[Slip, ...]
    wins: int = 2
    draws: bool = True


def cut_and_stack(count: int, per_page: int) -> list[list[int | None]]:
    """For each page the slips at its places, None where it stays empty.

    Cut through the whole pile, then lay the stack of place 1 on that of place 2 and so on: slips 0, 1, 2 … follow one
    another from top to bottom.
    """
    pages = -(-count // per_page)
    return [
        [slip if (slip := place * pages + page) < count else None for place in range(per_page)] for page in range(pages)
    ]


def render_slips(paper: SlipPaper, *, per_page: int, size: Paper = "A4", progress: Progress | None = None) -> bytes:
    """A PDF of at least one page; ``progress`` hears how many slips are drawn."""
    canvas = new_canvas(paper.heading, size)
    width, height = PAPERS[size]
    across, down = PER_PAGE[per_page]
    wide, tall = width / across, height / down
    drawn = 0
    for page in cut_and_stack(len(paper.slips), per_page) or [[]]:
        _cuts(canvas, size, across, down)
        for place, number in enumerate(page):
            if number is None:
                continue
            row, column = divmod(place, across)
            canvas.saveState()
            canvas.translate(column * wide, height - (row + 1) * tall)
            _slip(canvas, paper, paper.slips[number], wide, tall)
            canvas.restoreState()
            drawn += 1
            if progress is not None:
                progress(drawn)
        if not page:
            put(canvas, 2 * _PAD, height - 3 * _PAD, "There is no table in this round.", 14)
        canvas.showPage()
    return bytes(canvas.getpdfdata())


def _cuts(canvas: Canvas, size: Paper, across: int, down: int) -> None:
    width, height = PAPERS[size]
    canvas.setLineWidth(0.4)
    canvas.setDash(1, 3)
    for column in range(1, across):
        canvas.line(column * width / across, 0, column * width / across, height)
    for row in range(1, down):
        canvas.line(0, row * height / down, width, row * height / down)
    canvas.setDash()


def _slip(canvas: Canvas, paper: SlipPaper, slip: Slip, wide: float, tall: float) -> None:
    """Drawn with its lower left corner at the origin."""
    left, right, top = _PAD, wide - _PAD, tall - _PAD
    room = right - left - _CODE - 2 * mm
    draw_code(canvas, slip.link, x=right - _CODE, y=top - _CODE, size=_CODE)
    put(canvas, left, top - 3.2 * mm, paper.heading.event, 9, width=room)
    number = f"Table {slip.table}"
    put(canvas, left, top - 12 * mm, number, 22, bold=True, width=room)
    said = " · ".join(part for part in (paper.heading.title, slip.note, paper.heading.warning) if part)
    put(canvas, left, top - 17.5 * mm, said, 10, width=room)
    first = top - _CODE - 2 * mm
    last = _PAD + 9 * mm
    step = (first - last) / max(2, len(slip.seats))
    duel = len(slip.seats) <= 2
    for place, seat in enumerate(slip.seats):
        y = first - place * step
        canvas.setLineWidth(0.8)
        canvas.line(left, y, right, y)
        if duel:
            _wide_seat(canvas, paper, seat, left, right, y, step)
        else:
            _flat_seat(canvas, seat, left, right, y, step)
    canvas.setLineWidth(0.8)
    canvas.line(left, last, right, last)
    _end(canvas, paper, left, right, last, duel=duel)


def _wide_seat(
    canvas: Canvas, paper: SlipPaper, seat: SlipSeat, left: float, right: float, y: float, step: float
) -> None:
    put(canvas, right, y - 5.6 * mm, seat.note, 9, align="right")
    _name(canvas, seat.name, left, y - 6 * mm, right - left - (22 * mm if seat.note else 0), 14)
    boxes = y - 6 * mm - min(9 * mm, (step - 6 * mm) * 0.45)
    put(canvas, left, boxes, "Games won", 9)
    x = left + 19 * mm
    for number in range(paper.wins + 1):
        x = _box(canvas, x, boxes, str(number))
    put(canvas, right - _BOX - 1.5 * mm, boxes, "Drop", 9, align="right")
    canvas.rect(right - _BOX, boxes - 0.9 * mm, _BOX, _BOX)
    _signature(canvas, left, right, y - step + 4.4 * mm)


def _flat_seat(canvas: Canvas, seat: SlipSeat, left: float, right: float, y: float, step: float) -> None:
    """A line or two for each of up to seven: name, place, drop, signature."""
    base = y - step / 2 - 1.4 * mm
    middle = left + (right - left) * 0.47
    _name(canvas, seat.name, left, base, middle - left - 2 * mm, 11)
    put(canvas, middle, base, "Place", 8)
    canvas.rect(middle + 8.5 * mm, base - 1.3 * mm, 7 * mm, 5.4 * mm)
    put(canvas, middle + 18 * mm, base, "Drop", 8)
    canvas.rect(middle + 25 * mm, base - 0.9 * mm, _BOX, _BOX)
    canvas.setLineWidth(0.4)
    canvas.line(middle + 31.5 * mm, base - 0.9 * mm, right, base - 0.9 * mm)
    put(canvas, middle + 31.5 * mm, base - 2.8 * mm, "Signature", 5)


def _name(canvas: Canvas, name: str, x: float, y: float, width: float, size: float) -> None:
    """On one line, or a long one on two smaller ones about it."""
    lines = [name] if width_of(name, size, bold=True) <= width else wrapped(name, width, size * 0.72, bold=True)
    if len(lines) == 1 or len(lines) > 2:
        put(canvas, x, y, name, size, bold=True, width=width)
        return
    for place, line in enumerate(lines):
        put(canvas, x, y + (0.34 - place * 0.8) * size, line, size * 0.72, bold=True, width=width)


def _box(canvas: Canvas, x: float, y: float, label: str) -> float:
    """A box to tick with its number beside it; where the next begins."""
    canvas.setLineWidth(0.8)
    canvas.rect(x, y - 0.9 * mm, _BOX, _BOX)
    put(canvas, x + _BOX + 1.1 * mm, y, label, 11, bold=True)
    return x + _BOX + 5.6 * mm


def _signature(canvas: Canvas, left: float, right: float, y: float) -> None:
    canvas.setLineWidth(0.4)
    canvas.line(left, y, right, y)
    put(canvas, left, y - 2.7 * mm, "Signature", 7)


def _end(canvas: Canvas, paper: SlipPaper, left: float, right: float, y: float, *, duel: bool) -> None:
    base = y - 6.5 * mm
    if duel and paper.draws:
        put(canvas, left, base, "Drawn games", 9)
        x = left + 22 * mm
        for number in range(3):
            x = _box(canvas, x, base, str(number))
    elif not duel:
        put(canvas, left, base, "Place 1 for the winner; equal places for players who share.", 8, width=62 * mm)
    put(canvas, right - 18 * mm, base, "Staff", 8, align="right")
    canvas.setLineWidth(0.4)
    canvas.line(right - 17 * mm, base - 0.6 * mm, right, base - 0.6 * mm)
