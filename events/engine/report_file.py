"""The report of an event as one file: what happened, for archives and other programs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Literal

from pydantic import Field

from rules.engine.schema import Strict


class ReportEvent(Strict):
    """``secret`` is None until the event is finished; ``starts_at`` is a moment in ISO 8601."""

    code: str
    name: str
    place: str
    starts_at: str
    time_zone: str
    state: str
    game: str
    format: str
    format_version: str
    legality_date: str
    rules: dict[str, Any] = Field(description="As docs/schemas/policy.json has them.")
    commitment: str
    secret: str | None


class ReportPlayer(Strict):
    """``name`` is what everybody reads. The three last fields are in the organiser's report only."""

    id: int
    name: str
    state: str
    entered_from_round: int
    dropped_after_round: int | None
    full_name: str | None = None
    team: str | None = None
    has_account: bool | None = None


class ReportSeat(Strict):
    """``outcome`` is None while no result counts; games are None where a table or sides play."""

    player: int
    outcome: str | None
    wins: int | None
    losses: int | None
    draws: int | None
    place: int | None
    side: str


class ReportMatch(Strict):
    """A bye has no table and one seat. ``decided`` says by whom; ``reason`` is in the organiser's report only."""

    table: int | None
    pod: int | None
    seats: tuple[ReportSeat, ...]
    decided: str | None
    reason: str | None = None


class ReportRound(Strict):
    round: int
    stage: int
    kind: str
    state: str
    matches: tuple[ReportMatch, ...]


class ReportStanding(Strict):
    """``values`` are exact fractions as text, by tie-breaker."""

    rank: int
    player: int
    values: dict[str, str]
    record: dict[str, int]


class ReportPlace(Strict):
    """``handed_over`` is in the organiser's report only."""

    place: int
    player: int
    lost_in: int | None
    prize: str | None
    handed_over: bool | None = None


class ReportFile(Strict):
    """``standings`` are those after the last complete round that counts in them; ``places`` are empty until the event
    is finished. ``audience`` says whose report it is: what is only the organiser's is left out of everybody's."""

    version: Literal[1] = 1
    audience: Literal["public", "organiser"]
    event: ReportEvent
    players: tuple[ReportPlayer, ...]
    rounds: tuple[ReportRound, ...]
    standings: tuple[ReportStanding, ...]
    places: tuple[ReportPlace, ...]

    def as_json(self) -> dict[str, Any]:
        """Without what is only the organiser's where it is everybody's."""
        described: dict[str, Any] = self.model_dump(mode="json")
        if self.audience == "public":
            for rows, fields in (
                (described["players"], ("full_name", "team", "has_account")),
                ([match for round_ in described["rounds"] for match in round_["matches"]], ("reason",)),
                (described["places"], ("handed_over",)),
            ):
                for row in rows:
                    for field in fields:
                        row.pop(field)
        return described


Row = list[object]
Table = tuple[list[str], list[Row]]


def table_of(report: ReportFile, name: str) -> Table:
    """Head and rows of one of ``TABLES``, for a spreadsheet; the organiser's has full names."""
    full = report.audience == "organiser"
    names = {player.id: (player.full_name if full else None) or player.name for player in report.players}
    return TABLES[name](report, names, full)


def _players(report: ReportFile, names: Mapping[int, str], full: bool) -> Table:
    head = ["player", "name", "state", "entered from round", "dropped after round"]
    rows: list[Row] = []
    for player in report.players:
        row: Row = [player.id, names[player.id], player.state, player.entered_from_round, player.dropped_after_round]
        rows.append([*row, player.name, player.team] if full else row)
    return [*head, "read as", "team"] if full else head, rows


def _standings(report: ReportFile, names: Mapping[int, str], full: bool) -> Table:
    metrics = list(report.event.rules["standings"]["metrics"])
    counts = ["wins", "losses", "draws", "byes"]
    rows: list[Row] = [
        [row.rank, names[row.player], *map(row.values.get, metrics), *map(row.record.get, counts)]
        for row in report.standings
    ]
    return ["rank", "name", *metrics, *counts], rows


def _matches(report: ReportFile, names: Mapping[int, str], full: bool) -> Table:
    """A row for each seat."""
    head = [
        "round",
        "kind",
        "table",
        "seat",
        "name",
        "outcome",
        "wins",
        "losses",
        "draws",
        "place",
        "side",
        "decided by",
    ]
    rows: list[Row] = []
    for round_ in report.rounds:
        for match in round_.matches:
            for number, seat in enumerate(match.seats, 1):
                row: Row = [round_.round, round_.kind, match.table, number, names[seat.player], seat.outcome]
                row += [seat.wins, seat.losses, seat.draws, seat.place, seat.side, match.decided]
                rows.append([*row, match.reason] if full else row)
    return [*head, "reason"] if full else head, rows


def _places(report: ReportFile, names: Mapping[int, str], full: bool) -> Table:
    head = ["place", "name", "lost in round of elimination", "prize"]
    rows: list[Row] = []
    for place in report.places:
        row: Row = [place.place, names[place.player], place.lost_in, place.prize]
        rows.append([*row, "yes" if place.handed_over else "no"] if full else row)
    return [*head, "handed over"] if full else head, rows


TABLES: Mapping[str, Callable[[ReportFile, Mapping[int, str], bool], Table]] = {
    "players": _players,
    "standings": _standings,
    "matches": _matches,
    "places": _places,
}
