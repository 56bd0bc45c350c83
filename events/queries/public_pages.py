"""What everybody may see of an event. Rounds in draft do not exist here, whoever asks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

from django.db import connection
from django.db.models import F, QuerySet
from django.db.models.functions import Now

from cards.engine.names import name_key
from config.errors import NotFound
from config.prepared import hand_over, prepared
from decks.models import Decklist
from events.engine.brackets import rounds_of
from events.models import ClockInterval, DecklistSubmission, Event, LogEntry, Match, Player, Round, Stage, Standing
from events.queries.brackets import has_third_place
from events.queries.visibility import events_to_list, seats_by_index

SHOWN = [Round.State.POSTED, Round.State.PLAYING, Round.State.TIME, Round.State.COMPLETE]


@dataclass(frozen=True)
class Situation:
    """Where an event stands. ``round`` is the newest one that was posted; ``now`` is the database's clock."""

    event: Event
    stages: Sequence[Stage]
    round: Round | None
    now: datetime

    @property
    def stage(self) -> Stage | None:
        return next((stage for stage in self.stages if stage.state == Stage.State.ACTIVE), None)

    @property
    def open_round(self) -> Round | None:
        """What is being played; nothing is in an event that was called off."""
        if self.round is None or self.round.state == Round.State.COMPLETE or self.event.state == Event.State.CANCELLED:
            return None
        return self.round

    @property
    def elimination(self) -> Stage | None:
        return next((stage for stage in self.stages if stage.kind == Stage.Kind.SINGLE_ELIMINATION), None)

    @property
    def elimination_is_over(self) -> bool:
        stage, last = self.elimination, self.round
        if stage is None or last is None or last.state != Round.State.COMPLETE:
            return False
        return last.stage_id == stage.pk and last.number == stage.rounds_planned

    @property
    def is_limited(self) -> bool:
        return any(stage.kind in (Stage.Kind.DRAFT, Stage.Kind.SEALED) for stage in self.stages)

    @property
    def has_rounds(self) -> bool:
        return self.round is not None


class Stamp(NamedTuple):
    """At which version an event is, and the newest of them that was more than a few players' own."""

    version: int
    wide_version: int


def stamp_of(code: str) -> Stamp | None:
    """1 query, written out because hundreds of guests a second ask it. None for an unknown code."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT version, wide_version FROM events_event WHERE code = %s", [code])
        row = cursor.fetchone()
    return None if row is None else Stamp(*row)


@prepared
def _stages_now(event: int) -> QuerySet[Stage]:
    return Stage.objects.filter(event=event).order_by("number").annotate(now=Now())


@prepared
def _newest_round(event: int) -> QuerySet[Round]:
    posted = Round.objects.filter(event=event, state__in=SHOWN).select_related("stage")
    return posted.order_by("-sequence")[:1]


@prepared
def intervals_of(round_id: int) -> QuerySet[ClockInterval]:
    """When the round's clock ran. 1 query."""
    return ClockInterval.objects.filter(round=round_id)


def situation_of(event: Event) -> Situation:
    """2 queries, and one more once a round was posted."""
    stages = _stages_now(event.pk)
    newest = _newest_round.first(event.pk)
    if newest is not None:
        hand_over(newest, "intervals", intervals_of(newest.pk))
    return Situation(event=event, stages=stages, round=newest, now=stages[0].now)  # type: ignore[attr-defined]


def shown_rounds(event: Event) -> list[Round]:
    """Posted and later, in order. 1 query."""
    return list(Round.objects.filter(event=event, state__in=SHOWN).select_related("stage").order_by("sequence"))


def round_of(rounds: Sequence[Round], wanted: int | None) -> Round | None:
    """The round with that number, or the newest. Raises NotFound "round.unknown". No query."""
    if wanted is None:
        return rounds[-1] if rounds else None
    found = next((round_ for round_ in rounds if round_.sequence == wanted), None)
    if found is None:
        raise NotFound("round.unknown", f"Round {wanted} has not been posted.", {"round": wanted})
    return found


def pairings(round_: Round) -> list[Match]:
    """Matches by table, byes last, with seats by index and their players. 2 queries."""
    matches = Match.objects.filter(round=round_).prefetch_related(seats_by_index())
    return list(matches.order_by(F("table").asc(nulls_last=True), "pk"))


def own_row(round_: Round, me: Player | None, *, by: str) -> str:
    """The id of a player's row in the pairings by table or name; "" for nobody's. 1 query by table, else none."""
    if me is None:
        return ""
    if by == "name":
        return f"player-{me.pk}"
    match = round_.seats.filter(player=me).values_list("match_id", flat=True).first()
    return "" if match is None else f"match-{match}"


def points_before(round_: Round) -> dict[int, str]:
    """Match points that players had when ``round_`` was paired. 1 query, none for the first round."""
    if round_.sequence == 1:
        return {}
    rows = Standing.objects.filter(round__event=round_.event_id, round__sequence=round_.sequence - 1)
    return {player: str(values["match_points"]) for player, values in rows.values_list("player_id", "values")}


@dataclass(frozen=True)
class Sitting:
    """A line of the pairings by name: who, where, against whom. ``opponent`` is that of a duel; ``others`` is everybody
    else at the match."""

    player: Player
    match: Match
    opponent: Player | None
    points: str | None
    opponent_points: str | None
    others: tuple[Player, ...] = ()


def by_name(matches: Sequence[Match], points: Mapping[int, str]) -> list[Sitting]:
    """Every player of a round, by name. No query."""
    rows = []
    for match in matches:
        seats = sorted(match.seats.all(), key=lambda seat: seat.index)
        for seat in seats:
            others = tuple(s.player for s in seats if s.pk != seat.pk)
            other = others[0] if len(others) == 1 else None
            theirs = points.get(other.pk) if other is not None else None
            rows.append(Sitting(seat.player, match, other, points.get(seat.player_id), theirs, others))
    return sorted(rows, key=lambda row: name_key(row.player.shown_name))


def ranked_rounds(event: Event) -> list[Round]:
    """Complete rounds that have standings of their own: not those of a bracket. 1 query."""
    return [
        round_
        for round_ in shown_rounds(event)
        if round_.state == Round.State.COMPLETE and round_.stage.kind in Stage.RANKED
    ]


def standing_rows(round_: Round) -> list[Standing]:
    """As stored when the round was completed. 1 query."""
    return list(Standing.objects.filter(round=round_).select_related("player").order_by("rank"))


@dataclass(frozen=True)
class BracketSlot:
    """``match`` is None until it is posted; ``feeders`` are the slots of the round before that lead here."""

    match: Match | None
    number: int
    seeds: Mapping[int, int]


@dataclass(frozen=True)
class BracketRound:
    round: Round | None
    number: int
    slots: Sequence[BracketSlot]


def bracket_rounds(stage: Stage) -> list[BracketRound]:
    """The whole bracket of a stage whose cut was made, rounds to come with empty places; the match for third place is
    beside the final. 4 queries, fewer before."""
    seeds = {player: number for number, player in enumerate(stage.seeds, 1)}
    total = stage.rounds_planned or rounds_of(len(seeds))
    posted = {round_.number: round_ for round_ in stage.rounds.filter(state__in=SHOWN).order_by("number")}
    matches: dict[tuple[int, int], Match] = {}
    if posted:
        numbers = {round_.pk: round_.number for round_ in posted.values()}
        found = Match.objects.filter(round__in=list(numbers)).prefetch_related("seats__player").order_by("bracket_slot")
        matches = {(numbers[match.round_id], match.bracket_slot or 0): match for match in found}
    return [
        BracketRound(
            posted.get(number),
            number,
            [
                BracketSlot(matches.get((number, slot)), slot, seeds)
                for slot in range(2 ** (total - number) + (number == total and has_third_place(stage)))
            ],
        )
        for number in range(1, total + 1)
    ]


def entries(event: Event) -> list[Player]:
    """Players by name, then those who wait for a place, in their order, and last those who left. 1 query."""
    return sorted(event.players.all(), key=_place_in_list)


def _place_in_list(player: Player) -> tuple[bool, bool, float, str]:
    waits = player.state == Player.State.WAITLISTED
    since = player.registered_at.timestamp() if waits else 0.0
    return player.state == Player.State.DROPPED, waits, since, name_key(player.shown_name)


def decklists_of(event: Event) -> set[int]:
    """Players whose current decklist exists. 1 query."""
    return set(DecklistSubmission.objects.filter(event=event, replaced_at=None).values_list("player_id", flat=True))


def player_names(event: Event, *, full: bool) -> dict[int, str]:
    """As staff read them with ``full``, else as everybody does. 1 query."""
    rows = event.players.values_list("pk", "name", "public_name")
    return {pk: name if full else public or name for pk, name, public in rows}


def hidden_actors(event: Event) -> dict[int, str]:
    """Of players who hide their names, by account: the name that others read. 1 query."""
    hidden = event.players.exclude(public_name="").exclude(user=None)
    return dict(hidden.values_list("user", "public_name"))


def events_by_state() -> dict[str, list[Event]]:
    """Running, open and finished ones with ``player_count``; the newest first, of finished ones fifty. 3 queries."""
    found = events_to_list()
    return {
        Event.State.RUNNING: list(found.filter(state=Event.State.RUNNING)),
        Event.State.REGISTRATION: list(found.filter(state=Event.State.REGISTRATION).order_by("starts_at", "pk")[:200]),
        Event.State.FINISHED: list(found.filter(state=Event.State.FINISHED)[:50]),
    }


def why_cancelled(event: Event) -> str:
    """The organiser's words, from the log. 1 query."""
    entry = LogEntry.objects.filter(event=event, kind="event.cancelled").order_by("-seq").first()
    return str(entry.payload["reason"]) if entry is not None else ""


def cites_of(rules: Mapping[str, Any]) -> set[str]:
    """Every section that an event's rules cite. No query."""
    parts = [rules.get(part, {}).get("cite", {}) for part in ("match", "play", "points", "decklist", "standings")]
    parts += [stage.get("cite", {}) for stage in rules.get("stages", ())]
    return {cite for part in parts for cite in part.values()}


@dataclass(frozen=True)
class DeckZone:
    label: str
    count: int
    entries: Sequence[Mapping[str, Any]]


def zones_of(decklist: Decklist) -> list[DeckZone]:
    """The entries of a frozen decklist by zone, without empty ones. No query, given its version's game."""
    zones = []
    for zone in decklist.format_version.format.game.zones:
        rows = [entry for entry in decklist.entries if entry["zone"] == zone["key"]]
        if rows:
            zones.append(DeckZone(zone["label"], sum(entry["count"] for entry in rows), rows))
    return zones
