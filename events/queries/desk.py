"""What the desk and the floor show."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime

from django.db.models import Count, F, Max, QuerySet

from cards.engine.names import name_key
from config.errors import NotFound
from events.engine.decklist_rules import decklist_rules
from events.engine.desk_steps import ROUND_STAGES, DeskFacts, RoundFacts, StageFacts, cut_words
from events.engine.outcomes import Outcome
from events.models import DecklistSubmission, Event, Match, Player, Result, Round, Seat, Stage
from events.queries.clocks import RoundClock, clock_of
from events.queries.decklists import Gaps, gaps_among, outcomes_of
from events.queries.drafting import draft_of
from events.queries.games import GAMES_AND_TURNS, Play, play_of
from events.queries.registration import HOLDING, with_waitlist_places
from events.queries.visibility import WITH_VERDICTS, seats_by_index
from events.sentences_games import duel_words, progress_words, turns_sentence

State = Match.State


@dataclass(frozen=True)
class PlayerRow:
    """A player as the desk lists them. ``outcome`` is what counts of the current decklist, "" without one."""

    player: Player
    outcome: str


@dataclass(frozen=True)
class Claim:
    """What one player says, from their own side."""

    player: Player
    wins: int
    losses: int
    draws: int
    agreed_draw: bool
    reported_at: datetime


@dataclass(frozen=True)
class TableRow:
    """A match with its seats by index, the claims of its players, and what it came to. ``play`` is None for what is no
    duel."""

    match: Match
    seats: tuple[Seat, ...]
    claims: tuple[Claim, ...]
    play: Play | None = None

    @property
    def progress(self) -> str:
        """Of a duel that is being played: its games as far as they were written down, and its extra turns."""
        if self.play is None or self.match.state == State.CONFIRMED:
            return ""
        play, names = self.play, {seat.player_id: seat.player.name for seat in self.seats}
        turns = ""
        if play.at_time and play.most_turns:
            turns = turns_sentence(play.turns_taken, play.most_turns, names.get(play.turn_of or 0, ""))
        return progress_words(play.score, None if play.proposal else play.next_number, turns)

    @property
    def is_bye(self) -> bool:
        return len(self.seats) == 1

    @property
    def is_duel(self) -> bool:
        """Decided by the games of two players."""
        return len(self.seats) == 2 and not self.seats[0].side and self.match.round.stage.kind != Stage.Kind.TABLES

    @property
    def sides(self) -> list[str]:
        return sorted({seat.side for seat in self.seats if seat.side})

    @property
    def score(self) -> str:
        """From the first seat's side, "" while nothing is confirmed; of tables and sides, who won."""
        first = self.seats[0]
        if self.match.state == State.CONFIRMED and (first.place or first.side):
            won = [seat for seat in self.seats if seat.place == 1 or seat.outcome == Outcome.WIN]
            if first.side:
                return f"{won[0].side} won" if won else "tie"
            return " and ".join(seat.player.name for seat in won)
        if self.match.state != State.CONFIRMED or first.game_wins is None:
            return ""
        draws = f"-{first.game_draws}" if first.game_draws else ""
        games = f"{first.game_wins}-{first.game_losses}{draws}"
        return duel_words(games, {seat.player.name: seat.outcome or "" for seat in self.seats})

    @property
    def first_name(self) -> str:
        return self.seats[0].player.name

    @property
    def second_name(self) -> str:
        return self.seats[1].player.name if len(self.seats) > 1 else ""

    @property
    def names(self) -> str:
        return " and ".join(seat.player.name for seat in self.seats)

    @property
    def waiting_for(self) -> str:
        """The player who has not spoken on a reported match, else ""."""
        spoken = {claim.player.pk for claim in self.claims}
        silent = [seat.player.name for seat in self.seats if seat.player_id not in spoken]
        return silent[0] if self.match.state == State.REPORTED and len(silent) == 1 else ""


@dataclass(frozen=True)
class DeskState:
    """``facts`` for ``next_step``, and the rows behind them. ``clock`` is None without a posted round."""

    facts: DeskFacts
    stages: list[Stage]
    round: Round | None
    clock: RoundClock | None


def desk_state(event: Event) -> DeskState:
    """3 queries, 1 more with a draft, 3 with a posted round, 1 where decklists matter, 5 for each pod that drafts."""
    stages = stage_rows(event)
    round_ = open_round(event)
    clock = clock_of(round_) if round_ is not None and round_.state != Round.State.DRAFT else None
    active = next((stage for stage in stages if stage.state == Stage.State.ACTIVE), None)
    waiting = [stage for stage in stages if stage.state == Stage.State.WAITING]
    registering = event.state == Event.State.REGISTRATION
    current = waiting[0] if registering and waiting else active
    following = next((stage for stage in waiting if current is None or stage.number > current.number), None)
    players = list(event.players.filter(state__in=HOLDING).order_by("name"))
    checked_in = [player for player in players if player.state == Player.State.CHECKED_IN]
    gaps = _decklist_gaps(event, current, checked_in)
    facts = DeskFacts(
        state=event.state,
        checked_in=len(checked_in),
        expected=len(players) - len(checked_in),
        stage=_stage_facts(current),
        next_stage=_stage_facts(following),
        round=_round_facts(round_, clock) if round_ is not None else None,
        last_round=max((getattr(stage, "newest", None) or 0 for stage in stages), default=0),
        decklists_missing=tuple(player.name for player in gaps.missing),
        decklists_illegal=tuple(player.name for player in gaps.illegal),
        without_decklist=decklist_rules(event.rules).without,
        drafting=_drafting(active),
    )
    return DeskState(facts, stages, round_, clock)


def stage_rows(event: Event) -> list[Stage]:
    """The event's stages in order, with ``played`` (rounds made, drafts too) and ``newest`` (sequence). 1 query."""
    return list(event.stages.order_by("number").annotate(played=Count("rounds"), newest=Max("rounds__sequence")))


def open_round(event: Event) -> Round | None:
    """The round that is not complete, a draft too. 1 query."""
    return event.rounds.exclude(state=Round.State.COMPLETE).select_related("stage", "event").first()


def desk_round(*, event: Event, number: int) -> Round:
    """1 query. Raises NotFound "round.unknown"."""
    rounds = event.rounds.select_related("stage", "event", "plan").defer("plan__history")
    found = rounds.filter(sequence=number).first()
    if found is None:
        raise NotFound("round.unknown", f"There is no round {number} in this event.", {"round": number})
    return found


def table_rows(round_: Round) -> list[TableRow]:
    """Every match of a round by table, byes last. 5 queries."""
    event = round_.event
    return [
        _row(event, match) for match in _matches().filter(round=round_).order_by(F("table").asc(nulls_last=True), "pk")
    ]


def floor_match(*, event: Event, match_id: int) -> TableRow:
    """A match that people may know of, with its extensions and who gave them. 7 queries at most. Raises NotFound
    "match.unknown"."""
    found = _matches().prefetch_related("extensions__given_by").filter(event=event, pk=match_id)
    match = found.exclude(round__state=Round.State.DRAFT).first()
    if match is None:
        raise NotFound("match.unknown", "There is no such match in this event.", {"match": match_id})
    return _row(event, match)


def table_of(*, round_: Round, table: int) -> Match:
    """1 query. Raises NotFound "table.unknown"."""
    match = Match.objects.filter(round=round_, table=table).first()
    if match is None:
        raise NotFound(
            "table.unknown",
            f"Round {round_.sequence} has no table {table}. Look at the number again.",
            {"table": table, "round": round_.sequence},
        )
    return match


def latest_results(*, round_: Round, limit: int = 10) -> list[Result]:
    """What was decided last, superseded ones too; byes are left out. 1 query."""
    found = Result.objects.filter(match__round=round_).exclude(source=Result.Source.PAIRING)
    return list(found.select_related("match", "decided_by").order_by("-decided_at", "-pk")[:limit])


def results_of(match: Match) -> list[Result]:
    """Every result that the match ever had, newest first. 1 query."""
    return list(match.results.select_related("decided_by").order_by("-decided_at", "-pk"))


def player_rows(*, event: Event, query: str = "") -> list[PlayerRow]:
    """Players by name with ``waitlist_place``, then those who wait in their order, and last those who have dropped;
    ``query`` is a part of the name in any spelling. 2 queries."""
    found = with_waitlist_places(event.players.order_by("name", "pk"))
    key = name_key(query)
    if key:
        found = found.filter(name_key__contains=key)
    outcomes = outcomes_of(event)
    rows = [PlayerRow(player, outcomes.get(player.pk, "")) for player in found]
    return sorted(rows, key=_place_in_list)


def _place_in_list(row: PlayerRow) -> tuple[bool, int]:
    return row.player.state == Player.State.DROPPED, getattr(row.player, "waitlist_place", None) or 0


def current_submission(player: Player) -> DecklistSubmission | None:
    """The decklist that counts, with its verdict. 1 query."""
    return DecklistSubmission.objects.filter(player=player, replaced_at=None).select_related(*WITH_VERDICTS).first()


def rounds_shown(event: Event) -> list[Round]:
    """1 query."""
    return list(event.rounds.order_by("sequence"))


def _matches() -> QuerySet[Match]:
    return Match.objects.select_related("round__stage").prefetch_related(seats_by_index(), "reports", *GAMES_AND_TURNS)


def _row(event: Event, match: Match) -> TableRow:
    seats = tuple(match.seats.all())
    player = {seat.player_id: seat.player for seat in seats}
    claims = tuple(
        Claim(
            player[report.player_id], report.wins, report.losses, report.draws, report.agreed_draw, report.reported_at
        )
        for report in sorted(match.reports.all(), key=lambda report: (report.reported_at, report.pk))
    )
    row = TableRow(match, seats, claims)
    # Staff end a table as it stands from time on, also one that was given more.
    at_time = match.round.state == Round.State.TIME
    return replace(row, play=play_of(event, match, at_time=at_time)) if row.is_duel else row


def _stage_facts(stage: Stage | None) -> StageFacts | None:
    if stage is None:
        return None
    played = getattr(stage, "played", 0)
    goes_on = cut_words(stage.config) if "cut" in stage.config else ""
    return StageFacts(stage.kind, stage.rounds_planned or 0, played, stage.config.get("cut", 0), goes_on)


def _round_facts(round_: Round, clock: RoundClock | None) -> RoundFacts:
    if clock is None:
        seats = list(Seat.objects.filter(round=round_).select_related("player"))
        gone = [seat.player.name for seat in seats if seat.player.state == Player.State.DROPPED]
        return RoundFacts(round_.sequence, round_.state, players=len(seats), gone=tuple(sorted(gone)))
    tables: dict[str, list[int]] = {state: [] for state in State.values}
    for state, table in round_.matches.order_by("table").values_list("state", "table"):
        if table is not None:
            tables[state].append(table)
    left: tuple[str, ...] = ()
    if round_.state == Round.State.POSTED:
        seated = round_.seats.filter(match__state=State.OPEN, player__state=Player.State.DROPPED)
        left = tuple(seated.order_by("player__name").values_list("player__name", flat=True))
    return RoundFacts(
        round_.sequence,
        round_.state,
        clock=clock.word,
        gone=left,
        playing=tuple(tables[State.OPEN]),
        reported=tuple(tables[State.REPORTED]),
        disputed=tuple(tables[State.DISPUTED]),
    )


def _decklist_gaps(event: Event, stage: Stage | None, players: list[Player]) -> Gaps:
    matters = stage is not None and stage.kind in (*ROUND_STAGES, Stage.Kind.DECK_BUILDING)
    return gaps_among(event, players) if matters and decklist_rules(event.rules).requires else Gaps()


def _drafting(stage: Stage | None) -> tuple[tuple[str, ...], ...]:
    if stage is None or stage.kind != Stage.Kind.DRAFT:
        return ()
    waiting = []
    for pod in stage.pods.select_related("stage", "event").order_by("number"):
        draft = draft_of(pod)
        if not draft.state.finished:
            waiting.append(tuple(draft.seats[index].player.name for index in draft.state.pending))
    return tuple(waiting)
