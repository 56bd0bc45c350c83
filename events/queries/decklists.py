"""Who has a decklist, who has none or an illegal one, and what is wrong with it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from decks.models import Verdict
from decks.queries import zone_specs
from decks.queries.standing import standing_outcome
from events.models import DecklistSubmission, Event, Player
from events.queries.visibility import WITH_VERDICTS
from rules.sentences import sentence

ListState = Literal["none", "withdrawn", "illegal", "undetermined", "legal"]
NEED: tuple[ListState, ...] = ("none", "withdrawn", "illegal", "undetermined", "legal")
"""The states, those that need something first."""

STATE_WORDS: dict[ListState, str] = {
    "none": "none yet",
    "withdrawn": "withdrawn",
    "illegal": "illegal",
    "undetermined": "undetermined",
    "legal": "legal",
}
VIOLATIONS_SHOWN = 2


@dataclass(frozen=True, slots=True)
class Gaps:
    """Players without a decklist, and those with an illegal one, in the order that was given."""

    missing: tuple[Player, ...] = ()
    illegal: tuple[Player, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.missing or self.illegal)

    @property
    def players(self) -> tuple[Player, ...]:
        return (*self.missing, *self.illegal)


def outcomes_of(event: Event) -> dict[int, str]:
    """What counts of each player's decklist, by player; who has none is not in it. 1 query."""
    submissions = DecklistSubmission.objects.filter(event=event, replaced_at=None)
    return dict(submissions.values_list("player_id", standing_outcome("decklist")))


def gaps_among(event: Event, players: Sequence[Player]) -> Gaps:
    """Which of ``players`` have no decklist that may be played. 1 query."""
    outcomes = outcomes_of(event)
    return Gaps(
        missing=tuple(player for player in players if player.pk not in outcomes),
        illegal=tuple(player for player in players if outcomes.get(player.pk) == Verdict.Outcome.ILLEGAL),
    )


@dataclass(frozen=True, slots=True)
class BoardRow:
    """A player and how their decklist stands. ``told`` are the first violations, ``more`` how many are left; both
    empty for staff who play."""

    player: Player
    state: ListState
    handed_in_at: datetime | None = None
    told: tuple[str, ...] = ()
    more: tuple[str, ...] = ()

    @property
    def words(self) -> str:
        return STATE_WORDS[self.state]

    @property
    def needs_something(self) -> bool:
        return self.state in ("none", "withdrawn", "illegal")


def decklist_board(event: Event, *, reads: bool) -> list[BoardRow]:
    """Everybody who has or waits for a place, who needs something first, those who wait for a place last. ``reads``:
    with violations. 2 queries."""
    submissions, withdrawn = {}, set()
    for found in DecklistSubmission.objects.filter(event=event).select_related(*WITH_VERDICTS):
        if found.replaced_at is None:
            submissions[found.player_id] = found
        else:
            withdrawn.add(found.player_id)
    labels = {zone.key: zone.label for zone in zone_specs(event.game)} if reads else {}
    rows = []
    for player in event.players.exclude(state=Player.State.DROPPED).order_by("name", "pk"):
        current = submissions.get(player.pk)
        if current is None:
            rows.append(BoardRow(player, "withdrawn" if player.pk in withdrawn else "none"))
            continue
        verdict = current.decklist.standing
        told = [sentence(violation, labels) for violation in verdict.violations] if reads else []
        state: ListState = verdict.outcome  # type: ignore[assignment]  # the outcomes are three of the states
        rows.append(
            BoardRow(
                player, state, current.submitted_at, tuple(told[:VIOLATIONS_SHOWN]), tuple(told[VIOLATIONS_SHOWN:])
            )
        )
    return sorted(rows, key=lambda row: (row.player.state == Player.State.WAITLISTED, NEED.index(row.state)))
