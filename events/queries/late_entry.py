"""Coming into an event that is under way: for which round, and at what price."""

from __future__ import annotations

from dataclasses import dataclass

from config.errors import Conflict
from events.engine.decklist_rules import decklist_rules
from events.models import Event, Player, Round, Stage
from events.queries.registration import is_full
from events.queries.scoring import standings_policy

LIMITED = (Stage.Kind.DRAFT, Stage.Kind.SEALED)


@dataclass(frozen=True)
class LateTerms:
    """``round`` is the first to be played, ``missed`` are those before it that count as missed: no points and, where
    ``count_as_lost``, matches played and lost in percentages. Never byes. ``needs_decklist``: none is there yet."""

    round: int
    missed: tuple[int, ...]
    count_as_lost: bool
    needs_decklist: bool

    def as_json(self) -> dict[str, object]:
        return {
            "round": self.round,
            "missed": list(self.missed),
            "count_as_lost": self.count_as_lost,
            "needs_decklist": self.needs_decklist,
        }


def late_terms(event: Event, player: Player | None = None) -> LateTerms:
    """On which terms somebody enters now: a new person, or ``player``, who dropped, was not there at the start, or
    waits for a place. 6 queries at most.

    Raises Conflict "event.not_running", "late.closed", "late.too_late", "late.limited", "late.no_swiss",
    "registration.full", "player.not_dropped".
    """
    if event.state != Event.State.RUNNING:
        raise Conflict("event.not_running", "Only an event that is under way is entered late.", {"state": event.state})
    if player is not None and player.state == Player.State.CHECKED_IN:
        raise Conflict("player.not_dropped", f"{player.name} is in the event.")
    if event.late_until_round is None:
        raise Conflict(
            "late.closed", "This event lets nobody in after its start. The organiser can change that in the settings."
        )
    stages = list(event.stages.order_by("number"))
    rounds = list(event.rounds.select_related("stage").order_by("sequence"))
    first = (rounds[-1].sequence if rounds else 0) + 1
    _refuse_stage(stages, rounds)
    if first > event.late_until_round:
        raise Conflict(
            "late.too_late",
            f"The next round is round {first}, and nobody comes into this event after round {event.late_until_round}.",
            {"round": first, "last": event.late_until_round},
        )
    if is_full(event):
        raise Conflict("registration.full", f"All {event.capacity} places are taken.", {"capacity": event.capacity})
    return LateTerms(
        round=first,
        missed=_missed(rounds, player),
        count_as_lost=standings_policy(event).missed_rounds_count,
        needs_decklist=decklist_rules(event.rules).requires
        and (player is None or not player.submissions.filter(replaced_at=None).exists()),
    )


def _refuse_stage(stages: list[Stage], rounds: list[Round]) -> None:
    if any(stage.kind in LIMITED for stage in stages):
        raise Conflict(
            "late.limited", "The cards of this event are handed out: nobody can come in with a pool of their own now."
        )
    active = next((stage for stage in stages if stage.state == Stage.State.ACTIVE), None)
    swiss = active is not None and active.kind in (Stage.Kind.SWISS, Stage.Kind.DECK_BUILDING)
    planned = 0 if active is None else active.rounds_planned or 0
    played = [round_ for round_ in rounds if active is not None and round_.stage_id == active.pk]
    if not swiss or (active is not None and active.kind == Stage.Kind.SWISS and len(played) >= planned):
        raise Conflict("late.no_swiss", "No Swiss round is to come into which somebody could be paired.")


def _missed(rounds: list[Round], player: Player | None) -> tuple[int, ...]:
    """Ranked rounds in which the player had no seat, those that an earlier entry has counted already left out."""
    ranked = [round_.sequence for round_ in rounds if round_.stage.kind in Stage.RANKED]
    if player is None:
        return tuple(ranked)
    seated = set(player.seats.values_list("round__sequence", flat=True))
    counted = {number for entry in player.late_entries for number in entry["missed"]}
    return tuple(number for number in ranked if number not in seated | counted)


def has_time_of_own(player: Player) -> bool:
    """Whether the player came in after decklists were due, and sits at no posted table yet. 1 query, or none."""
    entries = player.late_entries
    if not entries or not entries[-1]["new"]:
        return False
    seated = player.seats.filter(round__sequence__gte=entries[-1]["round"])
    return not seated.exclude(round__state=Round.State.DRAFT).exists()


def can_be_undone(event: Event, player: Player) -> bool:
    """Whether the last late entry can be taken back: nothing was paired since. 1 query, or none."""
    if not player.late_entries or player.state != Player.State.CHECKED_IN or event.state != Event.State.RUNNING:
        return False
    return not event.rounds.filter(sequence__gte=player.late_entries[-1]["round"]).exists()
