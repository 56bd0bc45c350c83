"""Badges to cut out and wear: a name that is read from a few steps away, and a code for the door."""

from __future__ import annotations

from dataclasses import dataclass

from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas

from decks.sheets import PAPERS, Paper, draw_code
from events.papers.drawing import Heading, Progress, new_canvas, put, width_of, wrapped

WIDE, TALL = 90 * mm, 60 * mm
_ACROSS, _DOWN = 2, 4
_CODE = 25 * mm
_PAD = 5 * mm


@dataclass(frozen=True, slots=True)
class Badge:
    """``code`` is what the QR holds: the check-in code, or else the event's address."""

    name: str
    code: str
    code_says: str
    team: str = ""


@dataclass(frozen=True, slots=True)
class BadgePaper:
    heading: Heading
    details: str
    badges: tuple[Badge, ...]


def render_badges(paper: BadgePaper, *, size: Paper = "A4", progress: Progress | None = None) -> bytes:
    """Eight a page, with lines to cut along; ``progress`` hears how many are drawn."""
    canvas = new_canvas(paper.heading, size)
    width, height = PAPERS[size]
    left, top = (width - _ACROSS * WIDE) / 2, height - (height - _DOWN * TALL) / 2
    each = _ACROSS * _DOWN
    for start in range(0, max(1, len(paper.badges)), each):
        if not paper.badges:
            put(canvas, left, top - 14 * mm, "Nobody is registered yet.", 14)
        for place, badge in enumerate(paper.badges[start : start + each]):
            row, column = divmod(place, _ACROSS)
            canvas.saveState()
            canvas.translate(left + column * WIDE, top - (row + 1) * TALL)
            _badge(canvas, paper, badge)
            canvas.restoreState()
            if progress is not None:
                progress(start + place + 1)
        canvas.showPage()
    return bytes(canvas.getpdfdata())


def _badge(canvas: Canvas, paper: BadgePaper, badge: Badge) -> None:
    canvas.setLineWidth(0.4)
    canvas.setDash(1, 3)
    canvas.rect(0, 0, WIDE, TALL)
    canvas.setDash()
    room = WIDE - 2 * _PAD
    put(canvas, _PAD, TALL - _PAD - 3.6 * mm, paper.heading.event, 11, bold=True, width=room)
    canvas.setLineWidth(1.2)
    canvas.line(_PAD, TALL - _PAD - 5.8 * mm, WIDE - _PAD, TALL - _PAD - 5.8 * mm)
    lines, size = _name(badge.name, room)
    for place, line in enumerate(lines):
        y = TALL - _PAD - 8 * mm - size * (0.9 + place * 1.06)
        put(canvas, _PAD, y, line, size, bold=True, width=room)
    draw_code(canvas, badge.code, x=WIDE - _PAD - _CODE, y=_PAD - 1 * mm, size=_CODE)
    beside = room - _CODE - 3 * mm
    put(canvas, _PAD, _PAD + 15 * mm, badge.team, 12, width=beside)
    put(canvas, _PAD, _PAD + 6 * mm, paper.details, 9, width=beside)
    put(canvas, _PAD, _PAD + 1.5 * mm, badge.code_says, 8, width=beside)


def _name(name: str, room: float) -> tuple[list[str], float]:
    """As large as two lines allow."""
    for size in (26, 22, 19, 16):
        lines = wrapped(name, room, size, bold=True)
        if len(lines) <= 2 and all(width_of(line, size, bold=True) <= room for line in lines):
            return lines, size
    return wrapped(name, room, 16, bold=True)[:2] if len(wrapped(name, room, 16, bold=True)) <= 2 else [name], 16
