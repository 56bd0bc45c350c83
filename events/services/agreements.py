"""Results that are not played out: a match that is conceded, and two players who agree to draw."""

from __future__ import annotations

from config.errors import Conflict, DomainError
from events.engine.games import PlayRules
from events.engine.outcomes import GameScore, Outcome, check_outcome_allowed, games_to_win
from events.models import Event, Match, Result, Round
from events.services.results import (
    LONGEST_REASON,
    Table,
    changed,
    claim,
    confirm,
    lock_table,
    refuse_decided,
    refuse_report,
    refuse_stranger,
    score_so_far,
)
from events.services.transaction import Actor, Change, Command, event_transaction


def concede(
    *,
    event_id: int,
    actor: Actor,
    match_id: int,
    player_id: int,
    for_prizes: bool = False,
    by_staff: bool = False,
    permitted: bool = False,
    reason: str = "",
    command: Command | None = None,
) -> Change:
    """``player_id`` gives the match to the opponent. It counts at once: nobody else has to confirm it. Games that were
    written down stay, and the rest goes to the opponent.

    ``for_prizes``: in exchange for prizes, which the policy may forbid from the posting of pairings on. Where it leaves
    a gap, between that and the beginning of the match, staff who say that the head judge has ``permitted`` it may enter
    it, with a reason.

    Raises NotFound "match.unknown", NotAllowed "match.not_yours", "results.by_staff", Conflict "match.decided",
    "round.closed", "concession.for_prizes", "concession.no_rule", DomainError "result.reason".
    """
    with event_transaction(event_id, actor=actor, mode="exclusive" if by_staff else "shared", command=command) as tx:
        table = lock_table(tx, match_id, None)
        refuse_stranger(table, player_id)
        if not by_staff:
            refuse_report(tx.event)
        refuse_decided(table)
        if len(reason) > LONGEST_REASON or (permitted and not reason.strip()):
            raise DomainError("result.reason", f"Say why, in at most {LONGEST_REASON} characters.")
        if for_prizes and not (permitted and by_staff and table.match.round.state == Round.State.POSTED):
            raise _not_for_prizes(PlayRules.of(tx.event.rules))
        score = conceded_score(tx.event, table, player_id)
        outcomes = (Outcome.LOSS, Outcome.WIN) if player_id == table.players[0] else (Outcome.WIN, Outcome.LOSS)
        source = Result.Source.STAFF if by_staff else Result.Source.PLAYERS
        confirm(tx, table, score, outcomes, source=source, how=Result.How.CONCESSION, reason=reason.strip())
        return changed(tx, table.match)


def conceded_score(event: Event, table: Table, conceder: int) -> GameScore:
    """Seen from the first seat: what was written down, and for the opponent as many games as win a match. 1 query."""
    so_far = score_so_far(event, table)
    need = games_to_win(event.rules["match"]["best_of"])
    if conceder == table.players[0]:
        return GameScore(so_far.wins, need, so_far.draws)
    return GameScore(need, so_far.losses, so_far.draws)


def _not_for_prizes(rules: PlayRules) -> Conflict:
    if rules.prize_concession is None:
        return Conflict(
            "concession.no_rule",
            "The policy names no rule for conceding in exchange for prizes. Ask the head judge; conceding without "
            "anything in return is always possible.",
        )
    cite = rules.cite.get("prize_concession", "")
    return Conflict(
        "concession.for_prizes",
        f"Conceding in exchange for prizes is allowed only before pairings are posted ({cite}). Conceding without "
        "anything in return is always possible.",
        {"cite": cite},
    )


def offer_draw(*, event_id: int, actor: Actor, match_id: int, player_id: int, command: Command | None = None) -> Change:
    """A player's word that both agree to draw; the same from the opponent makes it the result, at the games that were
    written down. It is taken back like any report (``results.withdraw_report``).

    Raises NotFound "match.unknown", NotAllowed "match.not_yours", "results.by_staff", Conflict "match.decided",
    "round.closed", "agreed_draw.not_allowed", DomainError "outcome.elimination_needs_winner",
    "outcome.draws_not_allowed".
    """
    with event_transaction(event_id, actor=actor, mode="shared", command=command) as tx:
        table = lock_table(tx, match_id, None)
        refuse_stranger(table, player_id)
        refuse_report(tx.event)
        refuse_decided(table)
        refuse_agreed_draw(tx.event, table.match)
        score = score_so_far(tx.event, table)
        own = score if player_id == table.players[0] else score.reversed
        return claim(tx, table, player_id, own, agreed_draw=True)


def decide_agreed_draw(
    *, event_id: int, actor: Actor, match_id: int, reason: str = "", command: Command | None = None
) -> Change:
    """Staff enter that two players agreed to draw. Where neither the policy nor the organiser allows it to everybody,
    the head judge's reason is needed; what the policy forbids stays forbidden.

    Raises as ``offer_draw`` without what only players meet; DomainError "result.reason".
    """
    with event_transaction(event_id, actor=actor, command=command) as tx:
        table = lock_table(tx, match_id, None)
        refuse_decided(table)
        if len(reason) > LONGEST_REASON:
            raise DomainError("result.reason", f"Say why, in at most {LONGEST_REASON} characters.")
        refuse_agreed_draw(tx.event, table.match, ruled=bool(reason.strip()))
        drawn = (Outcome.INTENTIONAL_DRAW, Outcome.INTENTIONAL_DRAW)
        score = score_so_far(tx.event, table)
        confirm(
            tx,
            table,
            score,
            drawn,
            source=Result.Source.STAFF,
            how=Result.How.AGREED_DRAW,
            reason=reason.strip(),
        )
        return changed(tx, table.match)


def refuse_agreed_draw(event: Event, match: Match, *, ruled: bool = False) -> None:
    """``ruled``: the head judge lets these two do what is not allowed to everybody. No query, given round and stage.

    Raises Conflict "agreed_draw.not_allowed", DomainError "outcome.elimination_needs_winner",
    "outcome.draws_not_allowed".
    """
    elimination = match.round.stage.kind == match.round.stage.Kind.SINGLE_ELIMINATION
    check_outcome_allowed(Outcome.INTENTIONAL_DRAW, elimination=elimination, draws=event.rules["match"]["draws"])
    rules = PlayRules.of(event.rules)
    if rules.agreed_draws is False:
        cite = rules.cite.get("agreed_draws", "")
        raise Conflict(
            "agreed_draw.not_allowed",
            f"The policy does not let two players agree to draw{f' ({cite})' * bool(cite)}. Play the match.",
            {"cite": cite},
        )
    if not (event.agreed_draws or ruled):
        raise Conflict(
            "agreed_draw.not_allowed",
            "The policy names no rule for draws by agreement, and the organiser has not allowed them. Play the match, "
            "or ask the head judge.",
            {"cite": ""},
        )
