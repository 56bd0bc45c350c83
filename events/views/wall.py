"""The board on the wall: it shows itself afresh for days, so what has not changed is not sent again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseNotModified
from django.views.decorators.http import require_safe

from events.engine.clock import ClockPhase
from events.models import Event
from events.papers.lists import ListPaper
from events.queries import public_pages as queries
from events.queries.clocks import RoundClock, TableClock, clock_at, tables_beside
from events.queries.papers import pairings_by_name, standings_list
from events.sentences import round_name
from events.views.commands import event_and_viewer
from events.views.pages import show
from events.views.public import bracket_columns, final_places

AFRESH = 60  # seconds after which a board is sent again unchanged, so that its clock starts from the server's
FEW, MANY = 64, 240  # rows up to which a board has one column, and two


@dataclass(frozen=True, slots=True)
class Row:
    """A line of the board. ``guide`` stands, of a page's first and last row, at its head; ``clock`` in place of the
    figure."""

    name: str
    figure: str
    lead: str = ""
    note: str = ""
    guide: str = ""
    clock: RoundClock | None = None


@dataclass(frozen=True, slots=True)
class Board:
    title: str
    rows: Sequence[Row]


@require_safe
def wall(request: HttpRequest, code: str) -> HttpResponse:
    """The clock, and who sits where; between rounds the standings and the bracket. 304 while nothing is new."""
    event, viewer = event_and_viewer(request, code)
    situation = queries.situation_of(event)
    clock = clock_at(situation.open_round, situation.now) if situation.open_round is not None else None
    phase = clock.word if clock is not None else ""
    etag = f'"{event.version}-{int(situation.now.timestamp()) // AFRESH}{phase}"'
    is_part = "HX-Request" in request.headers
    if is_part and request.headers.get("If-None-Match", "").removeprefix("W/") == etag:
        response: HttpResponse = HttpResponseNotModified()
    else:
        context = _context(event, situation, clock)
        response = show(request, "wall", context, event=event, viewer=viewer, situation=situation, here="wall")
    if is_part:
        response["ETag"] = etag
        response["Cache-Control"] = "no-cache"
    return response


def _context(event: Event, situation: queries.Situation, clock: RoundClock | None) -> dict[str, Any]:
    context: dict[str, Any] = {}
    round_ = situation.open_round
    if round_ is not None and clock is not None:
        paper = pairings_by_name(event, round_, situation.now)
        name = round_name(round_.stage, round_.number, round_.sequence)
        context |= {"round": round_, "clock": clock, "board": _pairings(name, paper)}
        beside = tables_beside(round_, clock)
        if beside:
            title = "Still playing" if clock.phase is ClockPhase.TIME else "More time"
            context["overtime"] = Board(title, [_own_end(table) for table in beside])
    elif situation.round is not None:
        context["board"] = _standings(event, situation)
    elimination = situation.elimination
    if elimination is not None and elimination.seeds:
        context |= bracket_columns(elimination)
    board = context.get("board")
    rows = len(board.rows) if board is not None else 0
    context["density"] = "few" if rows <= FEW else "many" if rows <= MANY else "crowd"
    return context


def _own_end(table: TableClock) -> Row:
    number = str(table.match.table)
    return Row(table.shown_names, "", lead=number, note=table.added, guide=number, clock=table.clock)


def _pairings(name: str, paper: ListPaper) -> Board:
    [section] = paper.sections
    rows = [
        Row(who, table, note=f"vs {others}" if others else "", guide=guide)
        for (who, table, others), guide in zip(section.rows, section.guides, strict=True)
    ]
    return Board(f"{name}: find your table", rows)


def _standings(event: Event, situation: queries.Situation) -> Board:
    """After the final everybody's place; before, the points of the last round that was ranked."""
    ranked = queries.ranked_rounds(event)
    stored = queries.standing_rows(ranked[-1]) if ranked else []
    final = final_places(situation, stored)
    if final:
        rows = [
            Row(row["player"].shown_name, "", lead=str(row["place"]), note=row["reached"], guide=str(row["place"]))
            for row in final
        ]
        return Board("Final placing", rows)
    paper = standings_list(event, situation.now)
    [section] = paper.sections
    rows = [Row(who, points, lead=rank, note=record, guide=rank) for rank, who, record, points, *_ in section.rows]
    return Board(paper.heading.title, rows)
