"""Who is in the cut for certain, who can still make it, and whether a draw is safe: during Swiss, by what all can see.

Counted once for each state of the event and kept in the cache: pages that refresh ask for the newest entry of the log
that could change it, and no more.
"""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from django.core.cache import cache
from django.db.models import Count, F, OuterRef, QuerySet, Subquery

from config.prepared import prepared
from events.engine.outcomes import GameScore, Outcome
from events.engine.standings import PlayerEntry, Result
from events.engine.whatif import CutOutlook, OpenMatch, outlook_for_cut
from events.engine.whatif_model import Chance, PlayerOutlook
from events.models import Event, LogEntry, Match, Player, Round, Seat, Stage
from events.queries.public_pages import SHOWN, Situation
from events.queries.scoring import standings_policy

log = logging.getLogger(__name__)

LARGE = 512
"""Players above which results are not followed one by one: every match of the open round counts as open, so that what
is said holds whatever they are, and is counted once a round."""
LATER_OF_LARGE = 2
PLAYED_THROUGH = 20_000
"""Players times ends up to which a round is played through: about a second."""
KEPT_SECONDS = 6 * 3600
COUNTING_SECONDS = 30
READ: dict[str, Outlook] = {}
"""What this process got from the cache last, by key: an outlook of thousands takes longer to unpack than a page."""
MOST_READ = 8
OF_NO_ACCOUNT = (
    *("result.reported", "result.withdrawn", "result.disputed", "match.extra_turns", "sideboarding.recorded"),
    *("round.drafted", "round.drafted_by_hand", "round.discarded", "round.seats_changed", "round.time_called"),
    *("clock.started", "clock.paused", "decklist.submitted", "decklist.withdrawn", "decklist.consent"),
    *("player.public_name", "player.claimed", "player.paid", "staff.added", "staff.removed"),
)
"""Kinds of log entries after which nobody's chances are others. What is not known to be one of them counts."""


@dataclass(frozen=True)
class Outlook:
    """``seq`` is the newest entry of the log that is counted in. ``is_of_rounds``: no result of the open round changes
    it."""

    seq: int
    cut: CutOutlook
    is_of_rounds: bool = False

    def of(self, player_id: int) -> PlayerOutlook | None:
        """None for who is not in the event, or left it."""
        found = self.cut.players.get(player_id)
        return None if found is None or found.reason.code == "dropped" else found

    def after_draw(self, player_id: int) -> Chance | None:
        """The player's chance if their open match is drawn; None without one."""
        for match, outlooks in self.cut.after_draw.items():
            if player_id in match.players:
                return outlooks[match.players.index(player_id)].chance
        return None


def planned_cut(stages: Sequence[Stage]) -> tuple[Stage, int] | None:
    """The Swiss stage that is played, and the size of the cut by rank that follows it. No query."""
    for stage, after in zip(stages, stages[1:], strict=False):
        by_rank = after.kind == Stage.Kind.SINGLE_ELIMINATION and after.config.get("cut_by", "rank") == "rank"
        if stage.state == Stage.State.ACTIVE and stage.kind == Stage.Kind.SWISS and by_rank:
            return stage, int(after.config["cut"])
    return None


def outlook_of(situation: Situation) -> Outlook | None:
    """None where no cut by rank follows, the cut takes everybody, somebody counts a large field at this moment, or
    there is no cache. No query where no cut follows, else 1, and 2 more for the first who asks after a change."""
    found = planned_cut(situation.stages)
    if found is None:
        return None
    stage, cut = found
    event = situation.event
    [(newest, newest_of_rounds, active)] = _counted_from(event.pk)
    played = situation.round.number if situation.round is not None and situation.round.stage_id == stage.pk else 0
    later = (stage.rounds_planned or 0) - played
    is_large = (active or 0) > LARGE
    if cut >= (active or 0) or (is_large and later > LATER_OF_LARGE):
        return None
    return _kept(event, (newest_of_rounds if is_large else newest) or 0, later, cut, is_large=is_large)


@prepared
def _counted_from(event: int) -> QuerySet[Event, tuple[int | None, int | None, int | None]]:
    """The newest entry that counts in a small field, that in a large one, and how many still play."""
    players = Player.objects.filter(event=OuterRef("pk"), lot__gt=0, state=Player.State.CHECKED_IN)
    counted = players.order_by().values("event").annotate(count=Count("pk")).values("count")
    entries = LogEntry.objects.filter(event=OuterRef("pk")).exclude(kind__in=OF_NO_ACCOUNT).order_by("-seq")
    of_rounds = entries.exclude(kind="result.confirmed")
    return Event.objects.filter(pk=event).values_list(
        Subquery(entries.values("seq")[:1]), Subquery(of_rounds.values("seq")[:1]), Subquery(counted)
    )


def _kept(event: Event, seq: int, later: int, cut: int, *, is_large: bool) -> Outlook | None:
    key = f"outlook:{event.code}:{seq}"
    if (read := READ.get(key)) is not None:
        return read
    try:
        known: Outlook | None = cache.get(key)
        # A small field is counted sooner than somebody else's answer would be awaited.
        if known is not None or (is_large and not cache.add(f"{key}:counting", 1, COUNTING_SECONDS)):
            return _remember(key, known)
    except Exception:
        log.warning("No outlook of event %s: the cache is away.", event.code, exc_info=True)
        return None
    counted = Outlook(seq, count_outlook(event, cut=cut, later=later, is_large=is_large), is_large)
    with contextlib.suppress(Exception):  # the page has what it needs, kept or not
        cache.set(key, counted, KEPT_SECONDS)
    return _remember(key, counted)


def _remember(key: str, found: Outlook | None) -> Outlook | None:
    if found is not None:
        while len(READ) >= MOST_READ:
            READ.pop(next(iter(READ)), None)
        READ[key] = found
    return found


def count_outlook(event: Event, *, cut: int, later: int, is_large: bool = False) -> CutOutlook:
    """From the posted rounds; with ``is_large`` no match of the open one has a result yet. 2 queries."""
    rows = event.players.filter(lot__gt=0).order_by("pk").values_list("pk", "lot", "state")
    players = [PlayerEntry(pk, dropped=state == Player.State.DROPPED, lot=lot) for pk, lot, state in rows]
    results: list[Result] = []
    open_matches: list[OpenMatch] = []
    for number, is_over, seats in _matches(event, is_large=is_large):
        first, *others = seats
        if not is_over:
            open_matches.append(OpenMatch(number, first.player_id, others[0].player_id))
            continue
        outcome = Outcome(first.outcome or Outcome.UNFINISHED)
        if not others:
            results.append(Result(number, first.player_id, None, outcome))
            continue
        games = GameScore(first.game_wins or 0, first.game_losses or 0, first.game_draws or 0)
        other = Outcome(others[0].outcome or Outcome.UNFINISHED)
        results.append(Result(number, first.player_id, others[0].player_id, outcome, other, games))
    return outlook_for_cut(
        players,
        results,
        open_matches,
        standings_policy(event),
        cut=cut,
        later=later,
        best_of=event.rules["match"]["best_of"],
        draws=event.rules["match"]["draws"],
        play_through=PLAYED_THROUGH // max(1, len(players)),
    )


def _matches(event: Event, *, is_large: bool) -> list[tuple[int, bool, list[Seat]]]:
    """Number of the round, whether the match is over, and its seats. 1 query."""
    seats = (
        Seat.objects.filter(round__event=event, round__state__in=SHOWN, round__stage__kind=Stage.Kind.SWISS)
        .annotate(number=F("round__sequence"), round_state=F("round__state"), match_state=F("match__state"))
        .order_by("match_id", "index")
    )
    found: list[tuple[int, bool, list[Seat]]] = []
    for _, group in groupby(seats, key=lambda seat: seat.match_id):
        of_match: list[Any] = list(group)
        first = of_match[0]
        awaited = is_large and first.round_state != Round.State.COMPLETE
        is_over = len(of_match) == 1 or (first.match_state == Match.State.CONFIRMED and not awaited)
        found.append((first.number, is_over, of_match))
    return found
