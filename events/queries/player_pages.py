"""What a player sees of their own: the match, the reports on it, the decklist, the place."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, OuterRef, QuerySet, Subquery

from cards.models import Card, Game
from config.prepared import prepared
from events.engine.decklist_rules import decklist_rules
from events.models import (
    DecklistSubmission,
    Event,
    Player,
    PodSeat,
    PoolCard,
    Stage,
    Standing,
)
from events.queries.brackets import placing_of
from events.queries.late_entry import has_time_of_own
from events.queries.visibility import WITH_VERDICTS


def my_standing(player: Player) -> tuple[Standing, int] | None:
    """The player's row after the last round that counts, and how many rows there are. 1 query."""
    row = _last_standing.first(player.pk)
    return None if row is None else (row, row.of_how_many)  # type: ignore[attr-defined]


@prepared
def _last_standing(player: int) -> QuerySet[Standing]:
    beside = Standing.objects.filter(round=OuterRef("round")).order_by().values("round")
    rows = Standing.objects.filter(player=player, round__stage__kind__in=Stage.RANKED).select_related("round")
    counted = rows.annotate(of_how_many=Subquery(beside.annotate(number=Count("pk")).values("number")))
    return counted.order_by("-round__sequence")[:1]


def final_place(stage: Stage, standing: Standing) -> int | None:
    """The player's place once the final of ``stage`` is complete; ``standing`` is theirs after Swiss. 3 queries."""
    ranking = list(
        Standing.objects.filter(round=standing.round_id).order_by("rank").values_list("player_id", flat=True)
    )
    return next((row.place for row in placing_of(stage, ranking) if row.player == standing.player_id), None)


def submissions_of(player: Player) -> list[DecklistSubmission]:
    """All decklists that the player handed in, newest first, each with its verdict. 1 query."""
    return _submissions(player.pk)


def submission_of(player: Player) -> DecklistSubmission | None:
    """The decklist of the player that counts, with its verdict. 1 query."""
    return next((found for found in submissions_of(player) if found.replaced_at is None), None)


@prepared
def _submissions(player: int) -> QuerySet[DecklistSubmission]:
    handed_in = DecklistSubmission.objects.filter(player=player).select_related(*WITH_VERDICTS)
    return handed_in.order_by("-submitted_at", "-pk")


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
