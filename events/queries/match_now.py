"""How a match stands, for somebody whose word on it was refused."""

from __future__ import annotations

from typing import Any

from events.engine.outcomes import GameScore
from events.models import Event, Match, Player, Round, Seat
from events.queries.visibility import seats_by_index
from events.sentences import listed, score

PLAYABLE = (Round.State.POSTED, Round.State.PLAYING, Round.State.TIME)


def match_now(*, event: Event, match_id: int, said: GameScore, me: Player | None = None) -> dict[str, Any] | None:
    """For staff from the first seat's side, for a player of the match (``me``) from their own; ``said`` is from the
    same side. None for a match that the asker may not know of. 3 queries.

    ``same``: what was said counts already. ``undecided``: nothing counts, and nobody said otherwise. ``can_correct``:
    it may be said again on top of ``version``, with a reason where one is needed.
    """
    match = (
        Match.objects.filter(event=event, pk=match_id)
        .exclude(round__state=Round.State.DRAFT)
        .select_related("round")
        .prefetch_related(seats_by_index(), "reports")
        .first()
    )
    seats = [] if match is None else list(match.seats.all())
    mine = next((seat for seat in seats if me is not None and seat.player_id == me.pk), None)
    if match is None or len(seats) != 2 or (me is not None and mine is None):
        return None
    confirmed = match.state == Match.State.CONFIRMED
    claims = {report.player_id: GameScore(report.wins, report.losses, report.draws) for report in match.reports.all()}
    side = mine or seats[0]
    agreed = all((claim if who == side.player_id else claim.reversed) == said for who, claim in claims.items())
    counts = (side.game_wins, side.game_losses, side.game_draws)
    playable = match.round.state in PLAYABLE
    return {
        "version": match.version,
        "state": match.state,
        "words": _words(match, seats, claims, mine),
        "same": confirmed and counts == (said.wins, said.losses, said.draws),
        "undecided": match.state in (Match.State.OPEN, Match.State.REPORTED) and agreed,
        "can_correct": playable and (mine is None or not confirmed),
        "needs_reason": match.state in (Match.State.CONFIRMED, Match.State.DISPUTED),
    }


def _words(match: Match, seats: list[Seat], claims: dict[int, GameScore], mine: Seat | None) -> str:
    first, second = seats
    if match.state == Match.State.CONFIRMED and first.game_wins is not None:
        side = mine or first
        games = score(side.game_wins or 0, side.game_losses or 0, side.game_draws or 0)
        told = f"{games} for you" if mine else f"{first.player.name} {games} {second.player.name}"
        closed = "" if match.round.state in PLAYABLE else f", and round {match.round.sequence} is complete"
        return f"{told}, confirmed{closed}"
    if not claims:
        return "no result yet"
    names = {seat.player_id: seat.player.name if mine is None else seat.player.shown_name for seat in seats}
    if mine is not None:
        names[mine.player_id] = "you"
    told = listed([f"{names[who]} said {score(said.wins, said.losses, said.draws)}" for who, said in claims.items()])
    return f"{told[:1].upper()}{told[1:]}, each from their own side"
