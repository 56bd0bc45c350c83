"""A match game by game, as its players and staff see it: what was played, who begins next, whose extra turn it is."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.db.models import QuerySet

from cards.engine.streams import Stream
from config.errors import NotFound
from config.prepared import prepared
from events.engine.fairness import choice_label
from events.engine.games import (
    Ending,
    FirstTurn,
    PlayedGame,
    PlayRules,
    Proposal,
    first_turn,
    proposal,
    tally,
    turn_of,
)
from events.engine.outcomes import GameScore, games_to_win
from events.models import Event, ExtraTurn, Game, Match, Player, Result, Round, Seat, Stage
from events.queries.access import Viewer
from events.queries.clocks import database_now, is_at_time
from events.queries.visibility import seats_by_index

GAMES_AND_TURNS = ("games", "turns")
"""What to prefetch with a match for ``play_of``."""


@dataclass(frozen=True)
class Play:
    """A duel as far as it was written down. ``score`` and ``proposal`` are seen from the first seat; ``next_number`` is
    None once nobody has a game left to win. ``chosen_first``: who was chosen to begin the next game."""

    rules: PlayRules
    seats: Sequence[Seat]
    games: Sequence[Game]
    score: GameScore
    next_number: int | None
    first: FirstTurn
    chosen_first: int | None
    at_time: bool
    turns_taken: int | None
    most_turns: int
    turn_of: int | None
    last_turn: ExtraTurn | None
    proposal: Proposal | None

    @property
    def turns_over(self) -> bool:
        """Whether no extra turn is left, nor a game that one could be played in."""
        after_time = bool(self.games) and self.games[-1].after_time
        return self.at_time and (after_time or turns_are_over(self.turns_taken, self.most_turns))


def played(games: Iterable[Game]) -> list[PlayedGame]:
    """Those that have ended, in order. No query, given the rows."""
    ended = sorted((game for game in games if game.ending), key=lambda game: game.number)
    return [PlayedGame(Ending(game.ending), game.winner_id, game.after_time) for game in ended]


def turns_are_over(taken: int | None, most: int) -> bool:
    """Whether no extra turn is left: at once where the policy has none."""
    return most == 0 or (taken is not None and taken >= most)


def next_first_turn(event: Event, match: Match, players: tuple[int, int], games: Sequence[PlayedGame]) -> FirstTurn:
    """Who begins the game after ``games``, or chooses. No query, given the match's round and stage."""
    round_ = match.round

    def lots(game: int) -> Stream:
        return Stream(bytes(event.secret), choice_label(round_.stage.number, round_.number, players, game=game))

    return first_turn(players, games, PlayRules.of(event.rules), lots=lots)


def play_of(event: Event, match: Match, *, at_time: bool) -> Play:
    """No query, given the match's round, stage, seats, games and turns. For duels."""
    rules, round_ = PlayRules.of(event.rules), match.round
    seats = sorted(match.seats.all(), key=lambda seat: seat.index)
    players = (seats[0].player_id, seats[1].player_id)
    rows = list(match.games.all())
    ended = [row for row in rows if row.ending]
    games = played(rows)
    score = tally(players, games, rules)
    policy = event.rules["match"]
    won = max(score.wins, score.losses) >= games_to_win(policy["best_of"])
    turns = list(match.turns.all())
    finished_by = turns[0].finished_by_id if turns and turns[0].number == 0 else None
    taken, most = match.extra_turns, policy["extra_turns"]
    over = turns_are_over(taken, most)
    turn = turn_of(players, finished_by, taken) if finished_by is not None and taken is not None and not over else None
    return Play(
        rules=rules,
        seats=seats,
        games=ended,
        score=score,
        next_number=None if won else len(ended) + 1,
        first=FirstTurn() if won else next_first_turn(event, match, players, games),
        chosen_first=next((row.first_id for row in rows if not row.ending), None),
        at_time=at_time,
        turns_taken=taken,
        most_turns=most,
        turn_of=turn,
        last_turn=turns[-1] if turns else None,
        proposal=proposal(
            players,
            games,
            rules,
            best_of=policy["best_of"],
            at_time=at_time,
            turns_over=over,
            elimination=round_.stage.kind == Stage.Kind.SINGLE_ELIMINATION,
        ),
    )


def visible_play(event: Event, viewer: Viewer, match_id: int) -> tuple[Match, Play]:
    """A duel of the viewer's, or any for staff. 4 queries, and once time is called those of ``is_at_time`` and one.

    Raises NotFound "match.unknown", also for a match of others and for what is no duel.
    """
    found = Match.objects.filter(event=event, pk=match_id).exclude(round__state=Round.State.DRAFT)
    if not viewer.decides_results:
        found = found.filter(seats__player=viewer.player) if viewer.player is not None else found.none()
    found = found.exclude(round__stage__kind__in=(Stage.Kind.TABLES, Stage.Kind.TEAMS))
    match = found.select_related("round__stage").prefetch_related(seats_by_index(), *GAMES_AND_TURNS).first()
    if match is None or len(match.seats.all()) != 2:
        raise NotFound("match.unknown", "There is no such match of yours.", {"match": match_id})
    at_time = match.round.state == Round.State.TIME and is_at_time(match, database_now())
    return match, play_of(event, match, at_time=at_time)


def posted_match(event: Event, match_id: int) -> Match:
    """1 query. Raises NotFound "match.unknown", for a match of a draft as for none."""
    match = Match.objects.filter(event=event, pk=match_id).exclude(round__state=Round.State.DRAFT).first()
    if match is None:
        raise NotFound("match.unknown", "There is no such match in this event.", {"match": match_id})
    return match


def sits_at(player: Player, match_id: int) -> bool:
    """1 query."""
    return Seat.objects.filter(match=match_id, player=player).exists()


def how_decided(match: Match) -> str:
    """By what a confirmed result came about, a value of ``Result.How``; "" without one. 1 query."""
    return _how.first(match.pk) or ""


@prepared
def _how(match: int) -> QuerySet[Result, str]:
    return Result.objects.filter(match=match, superseded_at=None).values_list("how", flat=True)
