"""A match game by game, where its players or staff write it down. The result stays what two reports or staff say."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from config.errors import Conflict, DomainError, NotAllowed
from events.engine.games import Ending, FirstTurn, PlayRules, tally
from events.engine.outcomes import games_to_win
from events.models import Game
from events.queries.games import next_first_turn, played
from events.services.results import Table, lock_table, refuse_decided, refuse_report, refuse_stranger
from events.services.transaction import Actor, Change, Command, EventTransaction, event_transaction


def record_game(
    *,
    event_id: int,
    actor: Actor,
    match_id: int,
    number: int,
    ending: str,
    winner_id: int | None = None,
    player_id: int | None = None,
    command: Command | None = None,
) -> Change:
    """Write down how game ``number`` ended. ``player_id`` is who says so, None for staff; either player's word stands,
    and a second one that says the same changes nothing. Who began is kept with it where lots or a choice told.

    Raises NotFound "match.unknown", NotAllowed "match.not_yours", "results.by_staff", Conflict "match.decided",
    "round.closed", "game.other_state" (the context says the games as they are), "game.not_at_time",
    "concession.ends_match", DomainError "game.ending", "game.winner", "game.concede_own", "score.too_many_draws".
    """
    with event_transaction(event_id, actor=actor, mode="shared", command=command) as tx:
        table, how = _table(tx, match_id, player_id), _ending(ending)
        _refuse_winner(table, how, winner_id)
        rules = PlayRules.of(tx.event.rules)
        _refuse_ending(table, how, winner_id, player_id, rules)
        games = _ended(table)
        if number == len(games) and (games[-1].ending, games[-1].winner_id) == (how, winner_id):
            return _done(tx, table, games)
        if number != len(games) + 1:
            raise _other_state(table, games, f"Game {number} is not the next one to write down")
        _refuse_end_of_match(tx, table, games, rules, how)
        game, _ = Game.objects.update_or_create(
            match=table.match,
            number=number,
            defaults={
                "ending": how,
                "winner_id": winner_id,
                "after_time": table.at_time,
                "recorded_by_id": actor.user_id,
                "recorded_at": tx.now,
            },
        )
        if game.first_id is None and (first := _first_turn(tx, table, games).first) is not None:
            game.first_id = first
            game.save(update_fields=["first"])
        tx.log(
            "game.recorded",
            {**_said(table, number), "ending": how.value, "winner": winner_id, "first": game.first_id},
            public=False,
        )
        return _done(tx, table, [*games, game])


def take_game_back(
    *,
    event_id: int,
    actor: Actor,
    match_id: int,
    number: int,
    player_id: int | None = None,
    command: Command | None = None,
) -> Change:
    """Undo the last game that was written down; what was chosen for the one after it goes, too.

    Raises as ``record_game`` does; Conflict "game.other_state" unless ``number`` is the last.
    """
    with event_transaction(event_id, actor=actor, mode="shared", command=command) as tx:
        table = _table(tx, match_id, player_id)
        games = _ended(table)
        if not games or number != len(games):
            raise _other_state(table, games, f"Game {number} is not the last that was written down")
        Game.objects.filter(match=table.match, number__gt=number).delete()
        last = games[-1]
        last.ending, last.winner, last.after_time = "", None, False
        last.save(update_fields=["ending", "winner", "after_time"])
        tx.log("game.taken_back", _said(table, number), public=False)
        return _done(tx, table, games[:-1])


def choose_first(
    *,
    event_id: int,
    actor: Actor,
    match_id: int,
    number: int,
    first_id: int,
    player_id: int | None = None,
    command: Command | None = None,
) -> Change:
    """Say who begins the next game: for whom the policy lets choose, or staff for them (``player_id`` None).

    Raises NotFound "match.unknown", NotAllowed "match.not_yours", "game.not_your_choice", Conflict "match.decided",
    "round.closed", "game.other_state", "game.no_rule" (the policy does not say who chooses), "game.lots_decide",
    DomainError "game.first".
    """
    with event_transaction(event_id, actor=actor, mode="shared", command=command) as tx:
        table = _table(tx, match_id, player_id, reports=False)
        if first_id not in table.players:
            raise DomainError("game.first", "One of the two players begins. Choose between them.")
        games = _ended(table)
        if number != len(games) + 1:
            raise _other_state(table, games, f"Game {number} is not the next one")
        _refuse_choice(_first_turn(tx, table, games), player_id)
        chosen = Game.objects.filter(match=table.match, number=number).first()
        if chosen is None or chosen.first_id != first_id:
            Game.objects.update_or_create(
                match=table.match,
                number=number,
                defaults={"first_id": first_id, "recorded_by_id": actor.user_id, "recorded_at": tx.now},
            )
            tx.log("game.first_chosen", {**_said(table, number), "first": first_id}, public=False)
        return tx.done(match=table.match.pk, game=number, first=first_id)


def _table(tx: EventTransaction, match_id: int, player_id: int | None, *, reports: bool = True) -> Table:
    table = lock_table(tx, match_id, None)
    if player_id is not None:
        refuse_stranger(table, player_id)
        if reports:
            refuse_report(tx.event)
    refuse_decided(table)
    return table


def _ended(table: Table) -> list[Game]:
    return [game for game in table.match.games.order_by("number") if game.ending]


def _first_turn(tx: EventTransaction, table: Table, games: list[Game]) -> FirstTurn:
    return next_first_turn(tx.event, table.match, table.players, played(games))


def _ending(word: str) -> Ending:
    try:
        return Ending(word)
    except ValueError:
        raise DomainError(
            "game.ending", "A game is won, conceded, drawn or unfinished.", {"endings": [*map(str, Ending)]}
        ) from None


def _refuse_winner(table: Table, ending: Ending, winner_id: int | None) -> None:
    if ending.has_winner and winner_id not in table.players:
        raise DomainError("game.winner", "Say which of the two players won the game.")
    if not ending.has_winner and winner_id is not None:
        raise DomainError("game.winner", f"A game that is {ending} has no winner.")


def _refuse_ending(
    table: Table, ending: Ending, winner_id: int | None, player_id: int | None, rules: PlayRules
) -> None:
    if ending is Ending.UNFINISHED and not table.at_time:
        raise Conflict("game.not_at_time", "A game can stay unfinished once time is called. Until then play it on.")
    if ending is not Ending.CONCEDED or player_id is None:
        return
    if winner_id == player_id:
        raise DomainError("game.concede_own", "Only your opponent can concede a game to you.")
    if rules.concession == "match":
        raise Conflict(
            "concession.ends_match",
            f"By {rules.cite.get('concession', 'the policy')} conceding ends the whole match. A judge may let it count "
            "for the game only.",
            {"cite": rules.cite.get("concession", "")},
        )


def _refuse_end_of_match(
    tx: EventTransaction, table: Table, games: list[Game], rules: PlayRules, ending: Ending
) -> None:
    """No game after one that decided the match, and no more drawn ones than a result can have."""
    best_of = tx.event.rules["match"]["best_of"]
    score = tally(table.players, played(games), rules)
    if max(score.wins, score.losses) >= games_to_win(best_of):
        raise _other_state(table, games, f"The match is won after game {len(games)}")
    if not ending.has_winner and score.draws >= best_of:
        raise DomainError("score.too_many_draws", f"{score.draws} games are drawn already. Call a judge.")


def _refuse_choice(turn: FirstTurn, player_id: int | None) -> None:
    if turn.first is not None:
        raise Conflict("game.lots_decide", "Lots have decided who begins this game.", {"first": turn.first})
    if turn.chooser is None:
        raise Conflict("game.no_rule", "The policy names no rule for who begins this game: agree on it at the table.")
    if player_id not in (None, turn.chooser):
        raise NotAllowed("game.not_your_choice", "Your opponent chooses who begins this game.")


def _said(table: Table, number: int) -> dict[str, Any]:
    return {"match": table.match.pk, "table": table.match.table, "game": number}


def _stored(games: list[Game]) -> list[Mapping[str, Any]]:
    return [{"game": game.number, "ending": game.ending, "winner": game.winner_id} for game in games]


def _other_state(table: Table, games: list[Game], what: str) -> Conflict:
    return Conflict(
        "game.other_state",
        f"{what}. Look at the games as they are now.",
        {"match": table.match.pk, "games": _stored(games)},
    )


def _done(tx: EventTransaction, table: Table, games: list[Game]) -> Change:
    return tx.done(match=table.match.pk, games=_stored(games))
