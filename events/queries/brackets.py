"""Elimination as the bracket engine knows it."""

from __future__ import annotations

from collections.abc import Sequence

from events.engine.brackets import BracketMatch, Placing, final_placing
from events.engine.outcomes import Outcome
from events.models import Match, Round, Stage


def bracket_round(round_: Round, seeds: list[int]) -> tuple[list[BracketMatch], dict[int, int]]:
    """Matches of a round in bracket order, and the winner by slot where there is one. 2 queries."""
    seed_of = {player: number for number, player in enumerate(seeds, 1)}
    matches: list[BracketMatch] = []
    winners: dict[int, int] = {}
    for match in Match.objects.filter(round=round_).prefetch_related("seats").order_by("bracket_slot"):
        slot = match.bracket_slot or 0
        seats = sorted(match.seats.all(), key=lambda seat: seat.index)
        players = [seat.player_id for seat in seats]
        other = players[1] if len(players) > 1 else None
        matches.append(
            BracketMatch(slot, players[0], other, seed_of[players[0]], seed_of[other] if other is not None else None)
        )
        winner = next((seat.player_id for seat in seats if seat.outcome and Outcome(seat.outcome).is_win), None)
        if winner is not None:
            winners[slot] = winner
    return matches, winners


def placing_of(stage: Stage, ranking: Sequence[int]) -> tuple[Placing, ...]:
    """Final places when the final of ``stage`` is complete, else nothing. 2 queries, none before the cut.

    ``ranking`` holds all players by their place after the Swiss rounds.
    """
    if not stage.seeds:
        return ()
    lost_in: dict[int, int] = {}
    winner = None
    matches = Match.objects.filter(round__stage=stage, round__state=Round.State.COMPLETE)
    for match in matches.select_related("round").prefetch_related("seats"):
        for seat in match.seats.all():
            if not (seat.outcome and Outcome(seat.outcome).is_win):
                lost_in[seat.player_id] = match.round.number
            elif match.round.number == stage.rounds_planned:
                winner = seat.player_id
    return final_placing(ranking, winner, lost_in) if winner is not None else ()
