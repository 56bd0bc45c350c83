"""A player's own page, and what they do there: register, check in, report, drop, claim."""

from __future__ import annotations

import re
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from config.errors import DomainError
from events.channels.tokens import CALENDAR, token_for
from events.engine.decklist_rules import decklist_rules
from events.engine.outcomes import GameScore
from events.engine.reporting import reportable_scores
from events.models import Event, Match, Player, Round, Seat, Stage
from events.queries import own_match
from events.queries import player_pages as queries
from events.queries.attendance import due, may_be_missed
from events.queries.clocks import TableClock, is_at_time, table_clock
from events.queries.games import how_decided, play_of
from events.queries.late_entry import can_be_undone
from events.queries.outlook import outlook_of
from events.queries.public_pages import Situation, situation_of
from events.queries.registration import can_return, waitlist_place
from events.queries.sideboarding import can_sideboard, last_game
from events.sentences import listed, round_name, score
from events.sentences_games import how_words
from events.sentences_outlook import own_outlook, why
from events.sentences_pairing import pairing_sentences
from events.services import privacy, registration, results
from events.views.commands import actor_of, carry_out, command_of, event_and_viewer
from events.views.kept import kept
from events.views.pages import show
from events.views.player_forms import acts, number_of
from events.views.player_games import play_shown
from events.views.queued import telling_how_it_stands

SCORE = re.compile(r"([0-9]{1,2})-([0-9]{1,2})(?:-([0-9]{1,2}))?\Z")


@acts
def register(request: HttpRequest, code: str) -> HttpResponse:
    event, viewer = event_and_viewer(request, code)
    actor = actor_of(request)
    user_id = actor.user_id
    assert user_id is not None
    change = carry_out(
        registration.register,
        event_id=event.pk,
        actor=actor,
        user_id=user_id,
        hides_surname=request.POST.get("hides_surname") == "1",
        command=command_of(request),
    )
    waits = change.facts["state"] == Player.State.WAITLISTED
    messages.success(request, f"You are {'on the waitlist of' if waits else 'registered for'} {event.name}.")
    return redirect("events:me", code=code)


@acts
def public_name(request: HttpRequest, code: str) -> HttpResponse:
    """Under which name everybody but staff reads of the player."""
    event, viewer = event_and_viewer(request, code)
    player = viewer.require_player()
    change = carry_out(
        privacy.choose_public_name,
        event_id=event.pk,
        actor=actor_of(request),
        player_id=player.pk,
        style=request.POST.get("style", ""),
        own=request.POST.get("own", ""),
        command=command_of(request),
    )
    messages.success(request, f"Others read “{change.facts['public_name']}” now.")
    return redirect("events:me", code=code)


@acts
def check_in(request: HttpRequest, code: str) -> HttpResponse:
    event, viewer = event_and_viewer(request, code)
    player = viewer.require_player()
    carry_out(
        registration.check_in,
        event_id=event.pk,
        actor=actor_of(request),
        player_id=player.pk,
        command=command_of(request),
    )
    messages.success(request, "You are checked in.")
    return redirect("events:me", code=code)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def drop(request: HttpRequest, code: str) -> HttpResponse:
    """GET asks and names what will happen; POST does it."""
    event, viewer = event_and_viewer(request, code)
    player = viewer.require_player()
    if request.method != "POST":
        situation = situation_of(event)
        return show(request, "drop", {}, event=event, viewer=viewer, situation=situation, here="me")
    carry_out(
        registration.drop_player,
        event_id=event.pk,
        actor=actor_of(request),
        player_id=player.pk,
        command=command_of(request),
    )
    messages.success(request, f"You have dropped from {event.name}.")
    return redirect("events:me", code=code)


@acts
def report(request: HttpRequest, code: str) -> HttpResponse:
    """The player's word on their match, seen from their own side: "2-1", or won, lost and drawn games one by one."""
    event, viewer = event_and_viewer(request, code)
    player = viewer.require_player()
    said, match_id = _score_of(request), number_of(request, "match")
    with telling_how_it_stands(request, event, match_id=match_id, said=said, me=player):
        change = carry_out(
            results.report_result,
            event_id=event.pk,
            actor=actor_of(request),
            match_id=match_id,
            player_id=player.pk,
            wins=said.wins,
            losses=said.losses,
            draws=said.draws,
            command=command_of(request),
        )
    words = {
        Match.State.CONFIRMED: ("Confirmed: the result counts.", messages.SUCCESS),
        Match.State.DISPUTED: ("You two disagree. Call a judge to your table.", messages.WARNING),
    }
    sentence, level = words.get(change.facts["state"], ("Reported. Your opponent confirms it.", messages.SUCCESS))
    messages.add_message(request, level, sentence)
    return redirect("events:me", code=code)


@acts
def withdraw(request: HttpRequest, code: str) -> HttpResponse:
    event, viewer = event_and_viewer(request, code)
    player = viewer.require_player()
    carry_out(
        results.withdraw_report,
        event_id=event.pk,
        actor=actor_of(request),
        match_id=number_of(request, "match"),
        player_id=player.pk,
        command=command_of(request),
    )
    messages.success(request, "Your report is taken back.")
    return redirect("events:me", code=code)


def _score_of(request: HttpRequest) -> GameScore:
    """Raises DomainError "score.unreadable"."""
    text = request.POST.get("score", "")
    if not text:
        text = "-".join(request.POST.get(field, "").strip() or "0" for field in ("wins", "losses", "draws"))
    found = SCORE.match(text)
    if found is None:
        raise DomainError("score.unreadable", "A result is two or three small numbers, as in 2-1. Choose one below.")
    return GameScore(*(int(number or 0) for number in found.groups()))


@login_required
@require_http_methods(["GET", "HEAD"])
def me(request: HttpRequest, code: str) -> HttpResponse:
    """What do I do now?"""
    event, viewer = event_and_viewer(request, code)
    player = viewer.player
    if player is None:
        return redirect("events:overview", code=code)
    situation = situation_of(event)
    submissions = queries.submissions_of(player) if decklist_rules(event.rules).asks else []
    context: dict[str, Any] = {
        "player": player,
        "waits": waitlist_place(player),
        "calendar": reverse("events:own_calendar", args=[event.code, token_for(CALENDAR, player.pk)]),
        "submission": next((found for found in submissions if found.replaced_at is None), None),
        "closed": queries.decklists_closed_to(player, event, situation.now, has_rounds=situation.has_rounds),
        "late_undo": can_be_undone(event, player),
        "returns": can_return(player),
        "seats": own_match.my_seats(player),
        "drafting": queries.draft_open(situation.stages),
        "building": situation.stage is not None
        and situation.stage.kind in (Stage.Kind.DECK_BUILDING, Stage.Kind.SEALED),
    }
    placed = queries.my_standing(player)
    if placed is not None:
        context |= {"standing": placed[0], "field": placed[1]}
        if situation.elimination is not None and situation.elimination_is_over:
            context["place"] = queries.final_place(situation.elimination, placed[0])
    context["outlook"] = _outlook(player, situation)
    context["sideboards"] = can_sideboard(event, context["submission"])
    if situation.open_round is not None:
        mine = next((seat for seat in context["seats"] if seat.round_id == situation.open_round.pk), None)
        context |= match_context(event, player, mine, situation.open_round, situation.now)
    context["history"] = [_past(seat) for seat in context["seats"] if seat.round_id != _open_id(situation)]
    page = show(request, "me", context, event=event, viewer=viewer, situation=situation, here="me")
    beside = [reverse(f"events:{name}", args=[event.code]) for name in ("pairings", "decklist")]
    return kept(page, "me", companions=beside)


def _outlook(player: Player, situation: Situation) -> dict[str, Any] | None:
    """The player's way to the cut, during the Swiss rounds before it."""
    found = outlook_of(situation)
    mine = found.of(player.pk) if found is not None else None
    if found is None or mine is None:
        return None
    words = own_outlook(mine, found.after_draw(player.pk), found.cut.cut)
    return {"words": words, "why": why(mine), "is_of_rounds": found.is_of_rounds}


def _open_id(situation: Situation) -> int | None:
    return situation.open_round.pk if situation.open_round is not None else None


def _past(seat: Any) -> dict[str, Any]:
    others = [other.player.shown_name for other in seat.match.seats.all() if other.pk != seat.pk]
    result = "" if seat.game_wins is None else score(seat.game_wins, seat.game_losses or 0, seat.game_draws or 0)
    if seat.place is not None:
        result = f"place {seat.place} of {len(others) + 1}"
    return {
        "name": round_name(seat.round.stage, seat.round.number, seat.round.sequence),
        "opponent": listed(others) if others else None,
        "result": result,
        "outcome": (seat.outcome or "").replace("_", " "),
    }


def match_context(event: Event, player: Player, mine: Seat | None, round_: Round, now: datetime) -> dict[str, Any]:
    """What the card of the player's match in the open ``round_`` shows; ``mine`` is their seat in it, if any."""
    name = round_name(round_.stage, round_.number, round_.sequence)
    if mine is None:
        return {"round": round_, "round_name": name}
    found = own_match.my_match(mine)
    names = {seat.player_id: seat.player.shown_name for seat in found.seats} | {player.pk: player.name}
    elimination = round_.stage.kind == Stage.Kind.SINGLE_ELIMINATION
    points = {} if elimination else own_match.points_at_table(found.match)
    table, at_time = table_clock(round_, found.match, now), is_at_time(found.match, now)
    options = reportable_scores(
        event.rules["match"]["best_of"],
        at_time=at_time,
        elimination=elimination,
        draws=event.rules["match"]["draws"],
    )
    theirs = found.their_report
    play = None
    if found.opponent is not None:
        play = play_shown(event, player, found, play_of(event, found.match, at_time=at_time))
    return {
        "play": play,
        "proposed": _option(play["proposed"]) if play is not None and play.get("proposed") else None,
        "round": round_,
        "round_name": name,
        "my": found,
        "company": [] if found.opponent else [(seat, points.get(seat.player_id)) for seat in found.seats],
        "my_points": points.get(player.pk),
        "their_points": points.get(found.opponent.pk) if found.opponent is not None else None,
        "why": pairing_sentences(found.match.reasons, names),
        "clock": table.clock,
        "given": table,
        "clock_note": _ends(event, table),
        "options": [_option(option) for option in options],
        "claimed": _option(GameScore(theirs.losses, theirs.wins, theirs.draws)) if theirs is not None else None,
        "my_words": _said(found.my_report, ""),
        "their_words": _said(theirs, " for themselves"),
        "their_score": score(*_numbers(theirs)),
        "how": how_words(how_decided(found.match)) if found.match.state == Match.State.CONFIRMED else "",
        "sideboard_game": _to_sideboard(event, play["number"]) if play is not None else None,
        "result": _past(found.mine)["result"],
        **_absences(event, found, round_, now),
    }


def _absences(event: Event, found: own_match.MyMatch, round_: Round, now: datetime) -> dict[str, Any]:
    """Who of the table is missed, and when that loses the match."""
    if not may_be_missed(found.match, found.seats, round_):
        return {}
    missed = {absence.player_id: absence for absence in found.match.absences.all()}
    _, at = due(event, round_, now)
    return {
        "may_miss": True,
        "missed": missed.get(found.mine.player_id),
        "missing": missed.get(found.opponent.pk) if found.opponent is not None else None,
        "loses_at": f"{at.astimezone(ZoneInfo(event.time_zone)):%H:%M:%S}" if at is not None else "",
    }


def _ends(event: Event, table: TableClock) -> str:
    """When a running clock with time of its own ends, to the second; else ""."""
    if not table.added or not table.clock.is_running:
        return ""
    return f"ends {table.clock.deadline.astimezone(ZoneInfo(event.time_zone)):%H:%M:%S} ({table.added})"


def _numbers(report: Any) -> tuple[int, int, int]:
    return (report.wins, report.losses, report.draws) if report is not None else (0, 0, 0)


def _to_sideboard(event: Event, number: int | None) -> int | None:
    """The game to sideboard for while ``number`` is the next: nobody does for the first."""
    wanted = max(number or 0, 2)
    return wanted if number is not None and wanted <= last_game(event) else None


def _said(report: Any, whose: str) -> str:
    if report is not None and report.agreed_draw:
        return "that you two agree to draw"
    return f"{score(*_numbers(report))}{whose}"


def _option(option: GameScore) -> dict[str, Any]:
    """A result button: what it sends, and what it says in the first person."""
    verb = "I won" if option.wins > option.losses else "I lost" if option.wins < option.losses else "Draw"
    return {
        "value": score(option.wins, option.losses, option.draws),
        "words": f"{verb} {score(option.wins, option.losses, option.draws)}",
        "is_win": option.wins > option.losses,
        "is_draw": option.wins == option.losses,
    }


@require_http_methods(["GET", "HEAD", "POST"])
def claim(request: HttpRequest, code: str, token: str) -> HttpResponse:
    """An entry that staff made, on its way to the account of the person behind it."""
    event, viewer = event_and_viewer(request, code)
    entry = queries.claimed_entry(event, token)
    if entry is None:
        if viewer.player is not None and request.method == "POST":
            return redirect("events:me", code=code)
        raise Http404
    if request.method != "POST":
        situation = situation_of(event)
        context = {"entry": entry, "token": token}
        return show(request, "claim", context, event=event, viewer=viewer, situation=situation, here="")
    if viewer.user is None:
        return redirect("events:claim", code=code, token=token)
    carry_out(
        registration.claim_entry,
        token=token,
        actor=actor_of(request),
        user_id=viewer.user.pk,
        command=command_of(request),
    )
    messages.success(request, f"The entry of {entry.name} is yours now.")
    return redirect("events:me", code=code)
