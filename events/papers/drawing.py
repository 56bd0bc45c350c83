"""What every paper has: a heading, the time of printing, page numbers, and names that are never cut."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from reportlab.lib.units import mm
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfgen.canvas import Canvas

from decks.sheets import BOLD, PAPERS, PLAIN, Paper, register_fonts

Progress = Callable[[int], None]
SMALLEST = 4.0  # points; a name that does not fit at this size is longer than any that can be entered
MARGIN = 13 * mm


@dataclass(frozen=True, slots=True)
class Heading:
    """``stamp`` says when it was printed, in the event's own time; ``warning`` is what must not be overlooked."""

    event: str
    title: str
    stamp: str
    warning: str = ""


def new_canvas(heading: Heading, paper: Paper) -> Canvas:
    register_fonts()
    canvas = Canvas("", pagesize=PAPERS[paper], pageCompression=1, invariant=1)
    canvas.setTitle(f"{heading.title}, {heading.event}")
    return canvas


def width_of(text: str, size: float, *, bold: bool = False) -> float:
    return float(pdfmetrics.stringWidth(text, BOLD if bold else PLAIN, size))


def put(
    canvas: Canvas,
    x: float,
    y: float,
    text: str,
    size: float,
    *,
    bold: bool = False,
    width: float = 0,
    align: str = "left",
) -> None:
    """One line from ``x`` on, up to it ("right") or around it ("centre"), set smaller until it is ``width`` wide."""
    wide = width_of(text, size, bold=bold)
    if width and wide > width:
        size = max(SMALLEST, size * width / wide)
    canvas.setFont(BOLD if bold else PLAIN, size)
    draw = {"left": canvas.drawString, "right": canvas.drawRightString, "centre": canvas.drawCentredString}[align]
    draw(x, y, text)


def wrapped(text: str, width: float, size: float, *, bold: bool = False) -> list[str]:
    """The lines of ``text``; a word wider than ``width`` stands on a line alone, for ``put`` to set smaller."""
    lines: list[str] = []
    for word in text.split():
        if lines and width_of(f"{lines[-1]} {word}", size, bold=bold) <= width:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines or [""]


def foot(canvas: Canvas, heading: Heading, paper: Paper, *, page: int, pages: int) -> None:
    width, _ = PAPERS[paper]
    put(canvas, MARGIN, MARGIN - 5 * mm, heading.stamp, 8.5)
    put(canvas, width - MARGIN, MARGIN - 5 * mm, f"Page {page} of {pages}", 8.5, align="right")
