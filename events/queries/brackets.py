"""Elimination as the bracket engine knows it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from events.engine.brackets import BracketMatch, Placing, final_placing, first_round, next_round
from events.engine.cuts import Cut, cut_reasons
from events.engine.outcomes import Outcome
from events.engine.pairing_model import Reason
from events.models import Match, Player, Round, Stage, Standing

THIRD_PLACE_SLOT = 1
"""In the round of the final, whose own place is 0."""


def has_third_place(stage: Stage) -> bool:
    """Whether two players will play for third place: two lose a semi-final from four players on. No query."""
    return bool(stage.config.get("third_place")) and len(stage.seeds) > 3


def matches_to_play(stage: Stage, number: int) -> tuple[BracketMatch, ...]:
    """Round ``number`` of a single elimination, as its seeds and the results before make it. 3 queries, none for the
    first round. Raises as the bracket does."""
    seeds: list[int] = stage.seeds
    if number == 1:
        return first_round(seeds)
    previous, winners = bracket_round(stage.rounds.get(number=number - 1), seeds)
    reseed, third_place = (bool(stage.config.get(option)) for option in ("reseed", "third_place"))
    return next_round(previous, winners, reseed=reseed, third_place=third_place)


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


def cut_told(stage: Stage) -> list[tuple[Player, Reason]]:
    """Who is in a cut, who had left before it and who stayed outside as good on points, each with the reason, by place;
    nobody before the cut, or where it was made without standings. 2 queries."""
    before = Standing.objects.filter(round__event=stage.event_id, round__stage__number__lt=stage.number)
    newest = before.order_by("-round__sequence").values("round")[:1]
    rows = list(before.filter(round__in=newest).select_related("player").order_by("rank"))
    place_of = {row.player_id: place for place, row in enumerate(rows)}
    if not stage.seeds or any(player not in place_of for player in stage.seeds):
        return []
    last = rows[max(place_of[player] for player in stage.seeds)]
    inside = set(stage.seeds)
    bar = last.values["match_points"]
    cut = Cut(
        tuple(stage.seeds),
        tuple(row.player_id for row in rows if row.rank < last.rank and row.player_id not in inside),
        tuple(row.player_id for row in rows if row.rank > last.rank and row.values["match_points"] == bar),
    )
    reasons = cut_reasons(cut, [row.player_id for row in rows])
    return [(row.player, reasons[row.player_id]) for row in rows if reasons[row.player_id].code != "outside_cut"]


def placing_of(stage: Stage, ranking: Sequence[int]) -> tuple[Placing, ...]:
    """Final places when the final of ``stage`` is complete, else nothing. 2 queries, none before the cut.

    ``ranking`` holds all players by their place after the Swiss rounds.
    """
    if not stage.seeds:
        return ()
    return placing_by(stage, played_in([stage]).get(stage.pk, ()), ranking)


def played_in(stages: Sequence[Stage]) -> dict[int, list[Match]]:
    """Matches of complete rounds with their seats, by stage. 2 queries."""
    found: dict[int, list[Match]] = {}
    matches = Match.objects.filter(round__stage__in=stages, round__state=Round.State.COMPLETE)
    for match in matches.select_related("round").prefetch_related("seats"):
        found.setdefault(match.round.stage_id, []).append(match)
    return found


def placing_by(stage: Stage, matches: Iterable[Match], ranking: Sequence[int]) -> tuple[Placing, ...]:
    """``placing_of`` with the matches of ``played_in``. No query."""
    lost_in: dict[int, int] = {}
    winner = third = None
    for match in matches:
        is_last = match.round.number == stage.rounds_planned
        for_third = is_last and match.bracket_slot == THIRD_PLACE_SLOT
        for seat in match.seats.all():
            won = bool(seat.outcome and Outcome(seat.outcome).is_win)
            if for_third:
                third = seat.player_id if won else third
            elif not won:
                lost_in[seat.player_id] = match.round.number
            elif is_last:
                winner = seat.player_id
    return final_placing(ranking, winner, lost_in, third=third) if winner is not None else ()
