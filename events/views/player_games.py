"""What the two players of a match do besides reporting it: games one by one, who begins, extra turns, giving in."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods

from config.errors import DomainError
from events.engine.outcomes import games_to_win
from events.models import Event, Match, Player
from events.queries.games import Play, visible_play
from events.queries.own_match import MyMatch
from events.queries.public_pages import situation_of
from events.sentences import score
from events.sentences_games import first_sentence, game_words, proposal_sentence, turns_sentence
from events.services import agreements, games, turns
from events.views.commands import actor_of, carry_out, command_of, event_and_viewer
from events.views.pages import show
from events.views.player_forms import acts, number_of

ENDINGS = {"won": "won", "lost": "won", "drawn": "drawn", "unfinished": "unfinished", "conceded": "conceded"}
"""What a player says of a game, from their own side, by what it is to everybody."""


@acts
def game(request: HttpRequest, code: str) -> HttpResponse:
    """How the next game ended, from the player's own side."""
    event, viewer = event_and_viewer(request, code)
    player = viewer.require_player()
    match, play = visible_play(event, viewer, number_of(request, "match"))
    said = request.POST.get("ending", "")
    if said not in ENDINGS:
        raise DomainError("game.ending", "Say how the game ended: press one of its buttons.")
    winner = {"won": player.pk, "lost": _other(play, player.pk), "conceded": _other(play, player.pk)}.get(said)
    number = number_of(request, "number")
    carry_out(
        games.record_game,
        event_id=event.pk,
        actor=actor_of(request),
        match_id=match.pk,
        number=number,
        ending=ENDINGS[said],
        winner_id=winner,
        player_id=player.pk,
        command=command_of(request),
    )
    messages.success(request, f"Game {number} is written down.")
    return redirect("events:me", code=code)


@acts
def take_game_back(request: HttpRequest, code: str) -> HttpResponse:
    event, viewer = event_and_viewer(request, code)
    player, number = viewer.require_player(), number_of(request, "number")
    carry_out(
        games.take_game_back,
        event_id=event.pk,
        actor=actor_of(request),
        match_id=number_of(request, "match"),
        number=number,
        player_id=player.pk,
        command=command_of(request),
    )
    messages.success(request, f"Game {number} is taken back.")
    return redirect("events:me", code=code)


@acts
def choose_first(request: HttpRequest, code: str) -> HttpResponse:
    event, viewer = event_and_viewer(request, code)
    player, number = viewer.require_player(), number_of(request, "number")
    carry_out(
        games.choose_first,
        event_id=event.pk,
        actor=actor_of(request),
        match_id=number_of(request, "match"),
        number=number,
        first_id=number_of(request, "first"),
        player_id=player.pk,
        command=command_of(request),
    )
    messages.success(request, f"Both of you read now who begins game {number}.")
    return redirect("events:me", code=code)


@acts
def turn(request: HttpRequest, code: str) -> HttpResponse:
    """A turn after time is over."""
    event, viewer = event_and_viewer(request, code)
    player = viewer.require_player()
    carry_out(
        turns.count_turn,
        event_id=event.pk,
        actor=actor_of(request),
        match_id=number_of(request, "match"),
        number=number_of(request, "number"),
        finished_by_id=number_of(request, "finished_by") if "finished_by" in request.POST else None,
        player_id=player.pk,
        command=command_of(request),
    )
    return redirect("events:me", code=code)


@acts
def take_turn_back(request: HttpRequest, code: str) -> HttpResponse:
    event, viewer = event_and_viewer(request, code)
    player = viewer.require_player()
    carry_out(
        turns.take_turn_back,
        event_id=event.pk,
        actor=actor_of(request),
        match_id=number_of(request, "match"),
        number=number_of(request, "number"),
        player_id=player.pk,
        command=command_of(request),
    )
    messages.success(request, "That turn is not counted any more.")
    return redirect("events:me", code=code)


@acts
def offer_draw(request: HttpRequest, code: str) -> HttpResponse:
    event, viewer = event_and_viewer(request, code)
    player = viewer.require_player()
    change = carry_out(
        agreements.offer_draw,
        event_id=event.pk,
        actor=actor_of(request),
        match_id=number_of(request, "match"),
        player_id=player.pk,
        command=command_of(request),
    )
    words = {
        Match.State.CONFIRMED: ("Confirmed: the match is a draw by agreement.", messages.SUCCESS),
        Match.State.DISPUTED: ("You two disagree. Call a judge to your table.", messages.WARNING),
    }
    sentence, level = words.get(change.facts["state"], ("Your opponent has to say so, too.", messages.SUCCESS))
    messages.add_message(request, level, sentence)
    return redirect("events:me", code=code)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def concede(request: HttpRequest, code: str, match_id: int) -> HttpResponse:
    """GET asks and names what will happen; POST does it."""
    event, viewer = event_and_viewer(request, code)
    match, play = visible_play(event, viewer, match_id)
    player = viewer.require_player()
    if request.method != "POST":
        context = _concession(event, match, play, player)
        situation = situation_of(event)
        return show(request, "concede", context, event=event, viewer=viewer, situation=situation, here="me")
    carry_out(
        agreements.concede,
        event_id=event.pk,
        actor=actor_of(request),
        match_id=match_id,
        player_id=player.pk,
        command=command_of(request),
    )
    messages.success(request, "You have conceded the match.")
    return redirect("events:me", code=code)


def _concession(event: Event, match: Match, play: Play, player: Player) -> dict[str, Any]:
    need = games_to_win(event.rules["match"]["best_of"])
    mine = play.score.wins if play.seats[0].player_id == player.pk else play.score.losses
    rules = play.rules
    return {
        "match": match,
        "opponent": next(seat.player for seat in play.seats if seat.player_id != player.pk),
        "score": score(need, mine, play.score.draws),
        "drops_out": match.round.stage.kind == match.round.stage.Kind.SINGLE_ELIMINATION,
        "cite": rules.cite.get("concession", "") if rules.concession is not None else "",
        "prize_rule": rules.prize_concession,
        "prize_cite": rules.cite.get("prize_concession", ""),
        "decided": match.state == Match.State.CONFIRMED,
    }


def play_shown(event: Event, player: Player, found: MyMatch, play: Play) -> dict[str, Any]:
    """The match game by game from one player's side, in words; what they may do about it stands beside."""
    opponent = next(seat.player for seat in play.seats if seat.player_id != player.pk)
    names = {player.pk: "You", opponent.pk: opponent.shown_name}
    flipped = play.seats[0].player_id != player.pk
    so_far = play.score.reversed if flipped else play.score
    first, number = play.first, play.next_number
    over = play.proposal is not None
    shown: dict[str, Any] = {
        "score": score(so_far.wins, so_far.losses, so_far.draws),
        "number": number,
        "games": [
            {
                "number": row.number,
                "words": game_words(row.ending, names.get(row.winner_id or 0, "")),
                "began": names.get(row.first_id or 0, ""),
            }
            for row in play.games
        ],
        "last": play.games[-1].number if play.games else None,
        "at_time": play.at_time,
        "may_concede_game": play.rules.concession != "match" and event.rules["match"]["best_of"] > 1,
        "may_agree": _may_agree(event, found.match),
    }
    if number is not None and not over:
        shown["first"] = first_sentence(first, number, names, play.chosen_first)
        shown["first_cite"] = play.rules.cite.get(first.rule, "")
        shown["may_choose"] = first.chooser == player.pk
        shown["choices"] = [(player.pk, "I begin"), (opponent.pk, f"{opponent.shown_name} begins")]
    if play.proposal is not None:
        proposed = play.proposal.score
        shown["proposal"] = proposal_sentence(play.proposal)
        shown["proposal_cite"] = play.rules.cite.get(play.proposal.rule, "")
        shown["proposed"] = proposed.reversed if proposed is not None and flipped else proposed
    if play.at_time and play.most_turns and found.match.state != Match.State.CONFIRMED:
        taken, last = play.turns_taken, play.last_turn
        shown["turns"] = turns_sentence(taken, play.most_turns, names.get(play.turn_of or 0, ""))
        shown["turns_cite"] = event.rules["match"].get("cite", {}).get("extra_turns", "")
        shown["next_turn"] = None if play.turns_over else (0 if taken is None else taken + 1)
        shown["turn_back"] = last.number if last is not None and last.counted_by_id == player.user_id else None
        shown["finishers"] = [(player.pk, "My turn is finished"), (opponent.pk, f"{opponent.shown_name} is finished")]
    return shown


def _may_agree(event: Event, match: Match) -> bool:
    try:
        agreements.refuse_agreed_draw(event, match)
    except DomainError:
        return False
    return True


def _other(play: Play, player_id: int) -> int:
    return next(seat.player_id for seat in play.seats if seat.player_id != player_id)
