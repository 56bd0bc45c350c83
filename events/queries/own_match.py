"""The match of a player: what both phones of a table ask for after every word of either of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Exists, Model, OuterRef, QuerySet
from django.db.models.functions import Now

from config.prepared import Prepared, hand_over, prepared
from events.models import Absence, ExtraTurn, Game, Match, Player, ResultReport, Round, Seat, Standing, TimeExtension
from events.queries.public_pages import SHOWN, intervals_of

WRITTEN_DOWN: Mapping[str, type[Model]] = {
    "reports": ResultReport,
    "extensions": TimeExtension,
    "absences": Absence,
    "games": Game,
    "turns": ExtraTurn,
}
"""What is kept of a match besides its seats. Most matches have none of it, or reports alone."""


def _rows_of(model: type[Model]) -> Prepared[[int], Any]:
    @prepared
    def rows(match: int) -> QuerySet[Any]:
        return model._default_manager.filter(match=match)

    return rows


ROWS = {name: _rows_of(model) for name, model in WRITTEN_DOWN.items()}


@dataclass(frozen=True)
class MyMatch:
    """A match with its extensions, from one player's side. ``opponent`` is that of a duel, and ``seats`` are
    everybody's in order; reports are in their author's own words."""

    match: Match
    mine: Seat
    opponent: Player | None
    seats: Sequence[Seat]
    my_report: ResultReport | None
    their_report: ResultReport | None


def my_match(mine: Seat) -> MyMatch:
    """The match of a seat as ``my_seats`` gave it, with all that is ``WRITTEN_DOWN``. 1 query for each of those that
    there are."""
    match = mine.match
    match.round = mine.round
    for name, rows in ROWS.items():
        hand_over(match, name, rows(match.pk) if getattr(mine, f"has_{name}") else ())
    seats = list(match.seats.all())
    others = [seat.player for seat in seats if seat.player_id != mine.player_id]
    opponent = others[0] if len(others) == 1 and not mine.side else None
    reports = {report.player_id: report for report in match.reports.all()}
    return MyMatch(
        match=match,
        mine=mine,
        opponent=opponent,
        seats=seats,
        my_report=reports.get(mine.player_id),
        their_report=reports.get(opponent.pk) if opponent is not None else None,
    )


def my_open_seat(player: Player) -> tuple[Seat, datetime] | None:
    """The player's seat in the round that is being played, as ``my_seats`` gives it, with the round's intervals, and
    the database's clock. 3 queries, 1 where there is none."""
    newest: Any = _newest_seat.first(player.pk)
    if newest is None or newest.round.state == Round.State.COMPLETE:
        return None
    hand_over(newest.match, "seats", _seats_at(newest.match_id))
    hand_over(newest.round, "intervals", intervals_of(newest.round_id))
    return newest, newest.now


def my_seats(player: Player) -> list[Seat]:
    """The player's seats in posted rounds, newest first, with round, stage and everybody at the table. 2 queries."""
    seats = _seats_of(player.pk)
    at_table: dict[int, list[Seat]] = {}
    for seat in _seats_beside(player.pk):
        at_table.setdefault(seat.match_id, []).append(seat)
    for seat in seats:
        hand_over(seat.match, "seats", at_table.get(seat.match_id, ()))
    return seats


@prepared
def _seats_of(player: int) -> QuerySet[Seat]:
    return _newest_first(player)


@prepared
def _newest_seat(player: int) -> QuerySet[Seat]:
    return _newest_first(player).annotate(now=Now())[:1]


@prepared
def _seats_at(match: int) -> QuerySet[Seat]:
    return Seat.objects.filter(match=match).select_related("player").order_by("index")


def _newest_first(player: int) -> QuerySet[Seat]:
    has = {
        f"has_{name}": Exists(model._default_manager.filter(match=OuterRef("match")))
        for name, model in WRITTEN_DOWN.items()
    }
    seats = Seat.objects.filter(player=player, round__state__in=SHOWN).annotate(**has)
    return seats.select_related("round__stage", "match").order_by("-round__sequence")


@prepared
def _seats_beside(player: int) -> QuerySet[Seat]:
    mine = Seat.objects.filter(player=player, round__state__in=SHOWN).values("match")
    return Seat.objects.filter(match__in=mine).select_related("player").order_by("index")


def points_at_table(match: Match) -> dict[int, str]:
    """Match points of a match's players, by player, when its round was paired. 1 query, given the round."""
    rows = _standings_at_table(match.round.event_id, match.round.sequence - 1, match.pk)
    return {player: str(values["match_points"]) for player, values in rows}


@prepared
def _standings_at_table(event: int, sequence: int, match: int) -> QuerySet[Standing, tuple[int, Mapping[str, Any]]]:
    seated = Seat.objects.filter(match=match).values("player")
    rows = Standing.objects.filter(round__event=event, round__sequence=sequence, player__in=seated)
    return rows.values_list("player_id", "values")
