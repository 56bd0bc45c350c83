"""What stands on the papers of an event: pairings, slips, standings, seats, badges. Everybody by their shown name."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from zoneinfo import ZoneInfo

from django.db.models import QuerySet
from django.urls import reverse

from cards.engine.names import name_key
from config.errors import NotFound
from events.engine.metrics import metric
from events.engine.names import filing_name
from events.engine.outcomes import games_to_win
from events.models import Event, Match, Player, Pod, Round, Seat, Stage, Standing
from events.papers.badges import Badge, BadgePaper
from events.papers.drawing import Heading
from events.papers.lists import Column, ListPaper, Section
from events.papers.slips import Slip, SlipPaper, SlipSeat
from events.queries.public_pages import SHOWN, pairings, points_before, ranked_rounds, round_of, standing_rows
from events.sentences import round_name
from events.sentences_standings import metric_value

MOST_METRICS = 4  # columns beside rank, name and record that a page has room for
DROPPED = Player.State.DROPPED


@dataclass(frozen=True, slots=True)
class Kind:
    """A paper that the desk makes. ``right`` is the property of Viewer that whoever asks must have."""

    key: str
    label: str
    of_round: bool
    right: str
    says: str


KINDS = {
    kind.key: kind
    for kind in (
        Kind("by-name", "Pairings by name", True, "follows_event", "For the wall: who sits where, by family name."),
        Kind("by-table", "Pairings by table", True, "follows_event", "For the floor: who sits at each table."),
        Kind(
            "slips",
            "Result slips",
            True,
            "follows_event",
            "Cut through the whole pile, then lay stack on stack.",
        ),
        Kind("standings", "Standings", False, "follows_event", "As of the last complete round, for the wall."),
        Kind("pods", "Seats of the draft", False, "follows_event", "By name, then pod by pod in order of seat."),
        Kind("meeting", "Seats of the player meeting", False, "follows_event", "Two at a table, by family name."),
        Kind("badges", "Badges", False, "runs_rounds", "Eight a page, with a code for the door."),
    )
}


def printable_rounds(event: Event, *, drafts: bool) -> list[Round]:
    """Rounds that were posted, the newest last; with ``drafts`` also one that waits to be. 1 query."""
    states = [*SHOWN, Round.State.DRAFT] if drafts else SHOWN
    return list(Round.objects.filter(event=event, state__in=states).select_related("stage").order_by("sequence"))


def number_of_lines(event: Event, kind: str, round_: Round | None) -> int:
    """How much there is to print. 1 query, 2 for standings and pods."""
    if kind in ("by-name", "by-table", "slips"):
        if round_ is None:
            return 0
        seats, matches = Seat.objects.filter(round=round_), Match.objects.filter(round=round_)
        return {
            "by-name": seats.count,
            "by-table": matches.count,
            "slips": matches.exclude(table=None).count,
        }[kind]()
    if kind == "standings":
        ranked = ranked_rounds(event)
        return Standing.objects.filter(round=ranked[-1]).count() if ranked else 0
    if kind == "pods":
        return sum(len(pod.seats.all()) for pod in _pods(event))
    return _people(event).count()


def pairings_by_name(event: Event, round_: Round, now: datetime) -> ListPaper:
    """3 queries, however many play."""
    rows = []
    for match in pairings(round_):
        seats = list(match.seats.all())
        for seat in seats:
            others = ", ".join(other.player.shown_name for other in seats if other.pk != seat.pk)
            rows.append((seat.player, _filed(seat.player), _table(match), others))
    rows.sort(key=lambda row: _order(row[0]))
    return ListPaper(
        _heading(event, f"{_name(round_)}: by name", now, round_),
        (Column("Player", 10, 15), Column("Table", 2.6, 18, bold=True, align="right"), Column("Against", 9, 13)),
        (Section(tuple(row[1:] for row in rows), guides=_guides(row[0] for row in rows)),),
        "Nobody plays in this round.",
    )


def pairings_by_table(event: Event, round_: Round, now: datetime) -> ListPaper:
    """By pod where the round has pods; byes last. 5 queries at most, however many play."""
    matches = pairings(round_)
    points = {} if round_.stage.kind == Stage.Kind.SINGLE_ELIMINATION else points_before(round_)
    pods = dict(Pod.objects.filter(matches__round=round_).values_list("pk", "number").distinct())
    sections = []
    for pod_id in [*sorted(pods, key=lambda pod: pods[pod]), None]:
        rows = [
            (_table(match), "\n".join(_with_points(seat, points) for seat in match.seats.all()))
            for match in matches
            if match.pod_id == pod_id
        ]
        if rows:
            sections.append(
                Section(tuple(rows), f"Pod {pods[pod_id]}" if pod_id else "", tuple(row[0] for row in rows))
            )
    return ListPaper(
        _heading(event, f"{_name(round_)}: by table", now, round_),
        (Column("Table", 2.4, 24, bold=True, align="right"), Column("Players (points)", 14, 15)),
        tuple(sections),
        "Nobody plays in this round.",
    )


def result_slips(event: Event, round_: Round, now: datetime, origin: str) -> SlipPaper:
    """Of every table in order; a bye has none. 5 queries at most, however many play."""
    points = {} if round_.stage.kind == Stage.Kind.SINGLE_ELIMINATION else points_before(round_)
    pods = dict(Pod.objects.filter(matches__round=round_).values_list("pk", "number").distinct())
    rules = event.rules["match"]
    slips = []
    for match in pairings(round_):
        if match.table is None:
            continue
        seats = []
        for seat in match.seats.all():
            said = [seat.side, f"{points[seat.player_id]} points" if seat.player_id in points else ""]
            seats.append(SlipSeat(seat.player.shown_name, ", ".join(part for part in said if part)))
        link = origin + reverse("events:slip", args=[event.code, match.pk])
        best_of = f"best of {rules['best_of']}" if len(seats) == 2 else ""
        note = " · ".join(part for part in (f"Pod {pods[match.pod_id]}" if match.pod_id else "", best_of) if part)
        slips.append(Slip(str(match.table), tuple(seats), link, note))
    elimination = round_.stage.kind == Stage.Kind.SINGLE_ELIMINATION
    return SlipPaper(
        _heading(event, _name(round_), now, round_),
        tuple(slips),
        wins=games_to_win(rules["best_of"]),
        draws=bool(rules["draws"]) and not elimination,
    )


def standings_list(event: Event, now: datetime) -> ListPaper:
    """As of the newest round that has standings. 2 queries."""
    ranked = ranked_rounds(event)
    round_ = round_of(ranked, None)
    keys = list(event.rules["standings"]["metrics"])[:MOST_METRICS]
    rows = [
        (
            str(row.rank),
            row.player.shown_name + (" (dropped)" if row.player.state == DROPPED else ""),
            "-".join(str(row.record[key]) for key in ("wins", "losses", "draws")),
            *(metric_value(key, row.values[key]) for key in keys),
        )
        for row in (standing_rows(round_) if round_ is not None else ())
    ]
    title = "Standings" if round_ is None else f"Standings after {_name(round_).lower()}"
    figures = [
        Column(metric(key).abbreviation, 2.1, 13, bold=not place, align="right") for place, key in enumerate(keys)
    ]
    return ListPaper(
        _heading(event, title, now),
        (
            Column("Rank", 1.7, 17, bold=True, align="right"),
            Column("Player", 9, 15),
            Column("W-L-D", 2, 13, align="right"),
            *figures,
        ),
        (Section(tuple(rows), guides=tuple(row[0] for row in rows)),),
        "Standings stand here once the first round is complete.",
    )


def draft_seats(event: Event, now: datetime) -> ListPaper:
    """Of the newest draft: everybody by name, then every pod by seat. 3 queries."""
    pods = _pods(event)
    everybody = sorted(
        ((seat.player, pod.number, seat.index + 1) for pod in pods for seat in pod.seats.all()),
        key=lambda row: _order(row[0]),
    )
    by_name = Section(
        tuple((_filed(player), str(pod), str(seat)) for player, pod, seat in everybody),
        guides=_guides(player for player, _, _ in everybody),
    )
    by_pod = [
        Section(
            tuple((seat.player.shown_name, str(pod.number), str(seat.index + 1)) for seat in pod.seats.all()),
            f"Pod {pod.number}",
        )
        for pod in pods
    ]
    return ListPaper(
        _heading(event, "Seats of the draft", now),
        (
            Column("Player", 12, 17),
            Column("Pod", 2, 18, bold=True, align="right"),
            Column("Seat", 2, 18, bold=True, align="right"),
        ),
        (by_name, *by_pod) if everybody else (),
        "The seats of the draft are not drawn yet.",
    )


def meeting_seats(event: Event, now: datetime) -> ListPaper:
    """Two at a table in order of family name, so that everybody knows about where to go. 1 query."""
    people = sorted(_people(event), key=_order)
    rows = tuple((_filed(player), str(place // 2 + 1)) for place, player in enumerate(people))
    return ListPaper(
        _heading(event, "Seats of the player meeting", now),
        (Column("Player", 12, 17), Column("Table", 3, 18, bold=True, align="right")),
        (Section(rows, guides=_guides(people)),),
        "Nobody is registered yet.",
    )


def badges_of(event: Event, now: datetime, origin: str) -> BadgePaper:
    """By family name. The code is the address at which the door checks the player in, or the event's. 1 query."""
    link = reverse("events:overview", args=[event.code])
    starts = event.starts_at.astimezone(ZoneInfo(event.time_zone))
    badges = [
        Badge(
            name=player.shown_name,
            code=origin + (_door(event, player.check_in_code) if player.check_in_code else link),
            code_says="Show this code at the door" if player.check_in_code else "The code leads to the pairings",
            team=player.team.name if player.team is not None else "",
        )
        for player in sorted(_people(event).select_related("team"), key=_order)
    ]
    details = ", ".join(part for part in (f"{starts:%-d %B %Y}", event.place) if part)
    return BadgePaper(_heading(event, "Badges", now), details, tuple(badges))


def _door(event: Event, code: str) -> str:
    return reverse("events:desk_check_in_player", args=[event.code, code])


def printable_round(event: Event, number: int | None, *, drafts: bool) -> Round | None:
    """The round with that number, or the newest. NotFound "round.unknown": it was not posted, or is gone. 1 query."""
    rounds = printable_rounds(event, drafts=drafts)
    if number is not None and not any(round_.sequence == number for round_ in rounds):
        raise NotFound("round.unknown", f"Round {number} has not been posted.", {"round": number})
    return round_of(rounds, number)


def _heading(event: Event, title: str, now: datetime, round_: Round | None = None) -> Heading:
    there = now.astimezone(ZoneInfo(event.time_zone))
    draft = round_ is not None and round_.state == Round.State.DRAFT
    return Heading(event.name, title, f"Printed {there:%-d %b %Y %H:%M %Z}", "DRAFT, not posted" if draft else "")


def _name(round_: Round) -> str:
    return round_name(round_.stage, round_.number, round_.sequence)


def _table(match: Match) -> str:
    """A match without a table is a bye."""
    return "bye" if match.table is None else str(match.table)


def _with_points(seat: Seat, points: dict[int, str]) -> str:
    said = f" ({points[seat.player_id]})" if seat.player_id in points else ""
    return f"{seat.player.shown_name}{said}"


def _filed(player: Player) -> str:
    """ "Marsh, Cleo": as lists by family name have it."""
    family, given = filing_name(player.shown_name)
    return f"{family}, {given}" if given else family


def _order(player: Player) -> tuple[list[str], int]:
    return [name_key(part) for part in filing_name(player.shown_name)], player.pk


def _guides(players: Iterable[Player]) -> tuple[str, ...]:
    return tuple(filing_name(player.shown_name)[0][:3].capitalize() for player in players)


def _people(event: Event) -> QuerySet[Player]:
    return event.players.exclude(state__in=[DROPPED, Player.State.WAITLISTED])


def _pods(event: Event) -> Sequence[Pod]:
    """Of the newest draft, with seats in order. 2 queries."""
    pods = Pod.objects.filter(event=event, stage__kind=Stage.Kind.DRAFT).prefetch_related("seats__player")
    found = list(pods.order_by("-stage__number", "number"))
    return [pod for pod in found if pod.stage_id == found[0].stage_id]
