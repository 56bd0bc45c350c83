"""What a player brings to the later games of a match, by swaps from the decklist."""

from __future__ import annotations

from collections.abc import Sequence

from config.errors import Conflict, DomainError, NotAllowed, NotFound, Unprocessable
from decks.engine.sideboarding import Move, netted
from events.models import DecklistSubmission, Event, GameConfiguration
from events.queries.sideboarding import last_game, violations_of
from events.queries.visibility import WITH_VERDICTS
from events.services.results import LONGEST_REASON, lock_table, refuse_decided
from events.services.transaction import Actor, Change, Command, event_transaction


def record_configuration(
    *,
    event_id: int,
    actor: Actor,
    match_id: int,
    player_id: int,
    game: int,
    moves: Sequence[Move],
    by_staff: bool = False,
    reason: str = "",
    command: Command | None = None,
) -> Change:
    """Keep which cards changed places since the decklist for one game of a match that has no result yet. It replaces
    what was recorded of the same game; no moves are the deck as registered. The decklist itself never changes, and
    the next match begins with it. Which cards, only the player and staff who do not play get to know.

    Raises NotFound "match.unknown" (also for a round that is not posted), "game.unknown", NotAllowed
    "match.not_yours", Conflict "match.decided", "round.closed", "sideboarding.no_decklist",
    "sideboarding.game_over" (players don't change what was played), DomainError "sideboarding.reason" (staff say why),
    "sideboarding.move", "sideboarding.unknown_card", "sideboarding.too_many", Unprocessable "sideboarding.illegal" with
    the violations.
    """
    if len(reason) > LONGEST_REASON or (by_staff and not reason.strip()):
        raise DomainError("sideboarding.reason", f"Say why, in at most {LONGEST_REASON} characters.")
    with event_transaction(event_id, actor=actor, mode="shared", command=command) as tx:
        table = lock_table(tx, match_id, None)
        match = table.match
        if player_id not in [seat.player_id for seat in table.seats]:
            raise NotAllowed("match.not_yours", "Only the two players of a match sideboard in it.")
        refuse_decided(table)
        last = last_game(tx.event)
        if not 2 <= game <= last:
            raise NotFound("game.unknown", "There is no such game to sideboard for.", {"game": game, "last": last})
        if not by_staff and table.match.games.filter(number=game).exclude(ending="").exists():
            raise Conflict("sideboarding.game_over", f"Game {game} has been played. Sideboard for the next one.")
        current = DecklistSubmission.objects.filter(player=player_id, replaced_at=None)
        submission = current.select_related(*WITH_VERDICTS).first()
        if submission is None:
            raise Conflict("sideboarding.no_decklist", "There is no decklist to sideboard from.")
        net = netted(moves)
        _refuse_illegal(tx.event, submission, net)
        stored = [move.as_json() for move in net]
        before = GameConfiguration.objects.filter(match=match, player=player_id, game=game).first()
        if before is None or (before.moves, before.submission_id) != (stored, submission.pk):
            GameConfiguration.objects.update_or_create(
                match=match,
                player_id=player_id,
                game=game,
                defaults={"submission": submission, "moves": stored, "recorded_at": tx.now},
            )
            said = {"match": match.pk, "table": match.table, "player": player_id, "game": game}
            tx.log("sideboarding.recorded", {**said, "reason": reason.strip()}, public=False)
        return tx.done(match=match.pk, player=player_id, game=game)


def _refuse_illegal(event: Event, submission: DecklistSubmission, moves: Sequence[Move]) -> None:
    violations = violations_of(event, submission, moves)
    if violations:
        raise Unprocessable("sideboarding.illegal", violations[0]["sentence"], {"violations": violations})
