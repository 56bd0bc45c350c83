"""What a player sees of their own: the match, the reports on it, the decklist, the place."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Prefetch, prefetch_related_objects

from cards.models import Card, Game
from events.engine.decklist_rules import decklist_rules
from events.models import (
    DecklistSubmission,
    Event,
    Match,
    Player,
    PodSeat,
    PoolCard,
    ResultReport,
    Round,
    Seat,
    Stage,
    Standing,
)
from events.queries.brackets import placing_of
from events.queries.games import GAMES_AND_TURNS
from events.queries.late_entry import has_time_of_own
from events.queries.public_pages import SHOWN
from events.queries.visibility import WITH_VERDICTS


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
    """The match of a seat as ``my_seats`` gave it. 5 queries."""
    match = mine.match
    match.round = mine.round
    prefetch_related_objects([match], "reports", "extensions", "absences", *GAMES_AND_TURNS)
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


def my_seats(player: Player) -> list[Seat]:
    """The player's seats in posted rounds, newest first, with round, stage and everybody at the table. 3 queries."""
    return list(
        Seat.objects.filter(player=player, round__state__in=SHOWN)
        .select_related("round__stage", "match")
        .prefetch_related(Prefetch("match__seats", Seat.objects.select_related("player").order_by("index")))
        .order_by("-round__sequence")
    )


def my_standing(player: Player) -> tuple[Standing, int] | None:
    """The player's row after the last round that counts, and how many rows there are. 2 queries, 1 before the first."""
    rows = Standing.objects.filter(player=player, round__stage__kind__in=Stage.RANKED)
    row = rows.select_related("round").order_by("-round__sequence").first()
    return None if row is None else (row, Standing.objects.filter(round=row.round_id).count())


def final_place(stage: Stage, standing: Standing) -> int | None:
    """The player's place once the final of ``stage`` is complete; ``standing`` is theirs after Swiss. 3 queries."""
    ranking = list(
        Standing.objects.filter(round=standing.round_id).order_by("rank").values_list("player_id", flat=True)
    )
    return next((row.place for row in placing_of(stage, ranking) if row.player == standing.player_id), None)


def points_of(round_: Round, players: Sequence[int]) -> dict[int, str]:
    """Match points of some players when ``round_`` was paired. 1 query."""
    rows = Standing.objects.filter(
        round__event=round_.event_id, round__sequence=round_.sequence - 1, player__in=players
    )
    return {player: str(values["match_points"]) for player, values in rows.values_list("player_id", "values")}


def submissions_of(player: Player) -> list[DecklistSubmission]:
    """All decklists that the player handed in, newest first, each with its verdict. 1 query."""
    return list(
        DecklistSubmission.objects.filter(player=player).select_related(*WITH_VERDICTS).order_by("-submitted_at", "-pk")
    )


def decklists_closed(event: Event, now: datetime, *, has_rounds: bool) -> str:
    """Why decklists can't be changed any more, or "". No query; the service decides again by its own clock."""
    if event.state in (Event.State.FINISHED, Event.State.CANCELLED):
        return "The event is over."
    if not decklist_rules(event.rules).asks:
        return "This event asks for no decklists."
    if event.decklist_deadline is not None and now >= event.decklist_deadline:
        return "The deadline has passed. Only staff can change a decklist now."
    if has_rounds:
        return "Round 1 is posted. Only staff can change a decklist now."
    return ""


def decklists_closed_to(player: Player, event: Event, now: datetime, *, has_rounds: bool) -> str:
    """As ``decklists_closed``; who came in late has time until their first table. 1 query for them, else none."""
    closed = decklists_closed(event, now, has_rounds=has_rounds)
    return "" if closed and event.state == Event.State.RUNNING and has_time_of_own(player) else closed


@dataclass(frozen=True)
class PoolRow:
    card: Card
    count: int


def pool_of(player: Player) -> list[PoolRow]:
    """1 query."""
    rows = PoolCard.objects.filter(player=player).select_related("card").order_by("card__name")
    return [PoolRow(row.card, row.count) for row in rows]


@dataclass(frozen=True)
class CardGroup:
    label: str
    rows: Sequence[PoolRow]

    @property
    def count(self) -> int:
        return sum(row.count for row in self.rows)


def grouped(rows: Sequence[PoolRow], game: Game) -> list[CardGroup]:
    """Cards by the game's fact "type", else "cost", in the order in which the game lists its values; what lacks the
    fact comes last. No query."""
    key = next((key for key in ("type", "cost") if key in game.facts), None)
    if key is None:
        return [CardGroup("Cards", rows)]
    found: dict[str, list[PoolRow]] = {str(value): [] for value in game.facts[key].get("values", ())}
    for row in rows:
        found.setdefault(str(row.card.facts.get(key, "")), []).append(row)
    unknown = found.pop("", [])
    groups = [CardGroup(value.capitalize(), rows) for value, rows in found.items() if rows]
    return groups + ([CardGroup(f"{game.facts[key]['label']} unknown", unknown)] if unknown else [])


def facts_shown(card: Card, game: Game) -> list[tuple[str, str]]:
    """(label, value) of the facts that a card has, in the game's order. No query."""
    return [(fact["label"], str(card.facts[key])) for key, fact in game.facts.items() if key in card.facts]


def cards_by_id(ids: Sequence[int]) -> Mapping[int, Card]:
    """1 query."""
    return Card.objects.in_bulk(list(ids))


def has_seat(event: Event, player: Player) -> bool:
    """Whether the player sits in a draft of the event. 1 query."""
    return PodSeat.objects.filter(pod__event=event, player=player).exists()


def draft_open(stages: Sequence[Stage]) -> bool:
    """No query."""
    return any(stage.kind == Stage.Kind.DRAFT and stage.state == Stage.State.ACTIVE for stage in stages)


def claimed_entry(event: Event, token: str) -> Player | None:
    """The unclaimed entry behind a link. 1 query."""
    return event.players.filter(claim_token=token, user=None).first()
