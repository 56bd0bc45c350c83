"""Pages that everybody may read."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import zip_longest
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, render
from django.utils import timezone
from django.views.decorators.http import require_safe

from decks.panels import panel_of_decklist
from decks.queries import sections_cited
from decks.queries.standing import judged_today
from events.engine.decklist_rules import MODES, WITHOUT, decklist_rules
from events.engine.desk_steps import cut_words
from events.engine.metrics import metric
from events.engine.outcomes import Outcome
from events.feed import ticket_for
from events.models import Event, Player, Round, Stage, Standing
from events.queries import closing
from events.queries import public_pages as queries
from events.queries.access import player_id_of
from events.queries.brackets import THIRD_PLACE_SLOT, cut_told
from events.queries.clocks import clock_at
from events.queries.closing import Finish, awards_for, final_order, prizes_of, started_by_lot
from events.queries.outlook import outlook_of
from events.queries.registration import doors_of
from events.queries.visibility import readers_of, visible_decklist
from events.sentences import result_words, round_name
from events.sentences_outlook import CHIPS, why
from events.sentences_pairing import pairing_sentences, pairing_word
from events.sentences_reasons import reason_sentence
from events.sentences_standings import ahead_sentence, metric_value
from events.views.commands import event_and_viewer
from events.views.kept import kept
from events.views.pages import show, whole_number
from events.views.shared import as_guests_see, of_rounds
from rules.descriptions import PLAY_WORDS
from rules.models import Section

FEW_ROWS = 100
"""What is longer is made for everybody at once, also for who is signed in."""


@require_safe
def event_list(request: HttpRequest) -> HttpResponse:
    groups = queries.events_by_state()
    return render(request, "events/event_list.html", {"groups": [(Event.State(k), v) for k, v in groups.items() if v]})


@require_safe
def overview(request: HttpRequest, code: str) -> HttpResponse:
    """The front page of an event: what happens next, and what people look for first just now."""
    event, viewer = event_and_viewer(request, code)
    situation = queries.situation_of(event)
    entries = queries.entries(event)
    context: dict[str, Any] = {"players": entries, "doors": doors_of(event, entries, situation.now)}
    context["link"] = request.build_absolute_uri(request.path)
    if situation.open_round is not None:
        context |= _pairings(situation.open_round, viewer.player, situation, by="name")
    elif situation.round is not None:
        context |= _standings(event, None, situation)
        context["rows"], context["final"] = context["rows"][:8], context["final"][:8]
    elimination = situation.elimination
    if elimination is not None and elimination.seeds:
        context |= bracket_columns(elimination)
    return show(request, "overview", context, event=event, viewer=viewer, situation=situation, here="")


@require_safe
def pairings(request: HttpRequest, code: str) -> HttpResponse:
    event, viewer = event_and_viewer(request, code)
    situation = queries.situation_of(event)
    wanted = whole_number(request.GET.get("round"), field="a round")
    by = request.GET.get("by", "table")
    if by not in ("table", "name"):
        raise Http404
    rounds = queries.shown_rounds(event)
    round_ = queries.round_of(rounds, wanted)
    context: dict[str, Any] = {"rounds": rounds, "by": by}
    if round_ is not None and viewer.user is not None and round_.matches.count() > FEW_ROWS:
        context |= as_guests_see(request, own_row=queries.own_row(round_, viewer.player, by=by))
    if round_ is not None and "part" not in context:
        context |= _pairings(round_, viewer.player, situation, by=by)
    page = show(request, "pairings", context, event=event, viewer=viewer, situation=situation, here="pairings")
    return kept(page, "pairings")


def _pairings(round_: Round, me: Player | None, situation: queries.Situation, *, by: str) -> dict[str, Any]:
    matches = queries.pairings(round_)
    elimination = round_.stage.kind == Stage.Kind.SINGLE_ELIMINATION
    points = {} if elimination else queries.points_before(round_)
    names = {seat.player_id: seat.player.shown_name for match in matches for seat in match.seats.all()}
    tables = [
        {
            "match": match,
            "seats": [(seat.player, points.get(seat.player_id), seat.side) for seat in match.seats.all()],
            "result": result_words(match),
            "word": pairing_word(match.reasons),
            "why": pairing_sentences(match.reasons, names),
            "is_you": me is not None and any(seat.player_id == me.pk for seat in match.seats.all()),
        }
        for match in matches
    ]
    clock = None
    if situation.round is not None and round_.pk == situation.round.pk and round_.state != Round.State.COMPLETE:
        clock = clock_at(situation.round, situation.now)
    confirmed = sum(match.state == match.State.CONFIRMED for match in matches)
    return {
        "round": round_,
        "round_name": round_name(round_.stage, round_.number, round_.sequence),
        "tables": tables,
        "sittings": queries.by_name(matches, points) if by == "name" else (),
        "clock": clock,
        "confirmed": confirmed,
        "me": me,
    }


@require_safe
def standings(request: HttpRequest, code: str) -> HttpResponse:
    event, viewer = event_and_viewer(request, code)
    situation = queries.situation_of(event)
    wanted = whole_number(request.GET.get("round"), field="a round")
    if viewer.user is not None and event.players.count() > FEW_ROWS:
        shared = as_guests_see(request, own_row=f"player-{viewer.player.pk}" if viewer.player is not None else "")
        if shared:
            return show(request, "standings", shared, event=event, viewer=viewer, situation=situation, here="standings")
    context = {**_standings(event, wanted, situation), "me": viewer.player}
    if event.state == Event.State.FINISHED and wanted is None:
        context["has_prizes"] = _put_prizes(event, context["final"], context["rows"])
    newest = context["ranked_rounds"][-1] if context["ranked_rounds"] else None
    moves = False
    if newest is not None and context["ranked_round"].pk == newest.pk:
        moves = _add_outlook(context["rows"], context, situation)
    page = show(request, "standings", context, event=event, viewer=viewer, situation=situation, here="standings")
    return page if moves else of_rounds(page)


def _put_prizes(event: Event, final: list[dict[str, Any]], rows: list[dict[str, Any]]) -> bool:
    """Beside each place what it gets; whether any gets something. 1 query, and those of
    ``final_places`` where there are prizes."""
    by_player = {row["player"].pk: row for row in final} or {row["standing"].player_id: row for row in rows}
    prizes = prizes_of(event)
    awards = awards_for(closing.final_places(event), prizes) if prizes else {}
    for player, award in awards.items():
        by_player[player]["prize"] = award.told
    return bool(awards)


def _standings(event: Event, wanted: int | None, situation: queries.Situation) -> dict[str, Any]:
    rounds = queries.ranked_rounds(event)
    round_ = queries.round_of(rounds, wanted)
    keys = list(event.rules["standings"]["metrics"])
    stored = queries.standing_rows(round_) if round_ is not None else []
    goes_on = next((stage for stage in event.rules["stages"] if stage["kind"] == "single_elimination"), None)
    cut = goes_on["cut"] if goes_on is not None and goes_on.get("cut_by", "rank") == "rank" else None
    return {
        "ranked_rounds": rounds,
        "ranked_round": round_,
        "metrics": [metric(key) for key in keys],
        "rows": [_row(row, after, keys) for row, after in zip_longest(stored, stored[1:])],
        "cut": cut if cut is not None and cut < len(stored) else None,
        "goes_on": cut_words(goes_on) if goes_on is not None and cut is None else "",
        "final": final_places(situation, stored) if wanted is None else [],
    }


def _add_outlook(rows: list[dict[str, Any]], context: dict[str, Any], situation: queries.Situation) -> bool:
    """Each player's way to the cut beside the newest standings, with what is known of the round after them. Whether
    results of that round change it."""
    outlook = outlook_of(situation)
    if outlook is None:
        return False
    context["outlook_cut"] = outlook.cut.cut
    for row in rows:
        found = outlook.of(row["standing"].player_id)
        if found is not None:
            row["outlook"] = (*CHIPS[found.chance], why(found))
    return not outlook.is_of_rounds


def final_places(situation: queries.Situation, ranked: list[Standing]) -> list[dict[str, Any]]:
    """Everybody's place once the final is played, with how far they got in the cut."""
    stage = situation.elimination
    if stage is None or not situation.elimination_is_over:
        return []
    started = [] if ranked else started_by_lot(situation.event)
    return [
        {"place": row.place, "player": row.player, "rank": row.rank, "reached": reached(stage, row)}
        for row in final_order(stage, ranked, started)
    ]


def reached(stage: Stage | None, row: Finish) -> str:
    """How far a player got in the elimination, once it is over; "" for who was not in it."""
    if stage is None:
        return ""
    if row.place == 1:
        return "winner"
    return "" if row.lost_in is None else f"lost in the {round_name(stage, row.lost_in, row.lost_in).lower()}"


def _row(row: Standing, after: Standing | None, keys: list[str]) -> dict[str, Any]:
    why = None
    if after is not None:
        why = ahead_sentence(row.player.shown_name, after.player.shown_name, row.values, after.values, keys)
    return {
        "standing": row,
        "values": [(metric(key), metric_value(key, row.values[key]), row.values[key]) for key in keys],
        "why": why,
        "dropped": row.player.state == Player.State.DROPPED,
    }


@require_safe
def bracket(request: HttpRequest, code: str) -> HttpResponse:
    event, viewer = event_and_viewer(request, code)
    situation = queries.situation_of(event)
    stage = situation.elimination
    if stage is None:
        raise Http404
    context: dict[str, Any] = {"stage": stage}
    if stage.seeds:
        told = [(player, reason_sentence(reason.as_json(), {})) for player, reason in cut_told(stage)]
        context |= {**bracket_columns(stage), "cut_told": told}
    return show(request, "bracket", context, event=event, viewer=viewer, situation=situation, here="bracket")


def bracket_columns(stage: Stage) -> dict[str, Any]:
    """``columns`` of matches round by round, and the ``champion`` once the final is won."""
    columns = []
    champion = None
    for column in queries.bracket_rounds(stage):
        matches = []
        for slot in column.slots:
            seats = sorted(slot.match.seats.all(), key=lambda seat: seat.index) if slot.match is not None else []
            sides = [
                {
                    "player": seat.player,
                    "seed": slot.seeds.get(seat.player_id),
                    "score": "" if seat.game_wins is None or len(seats) == 1 else seat.game_wins,
                    "won": seat.outcome is not None and Outcome(seat.outcome).is_win,
                }
                for seat in seats
            ]
            is_last = column.number == stage.rounds_planned
            for_third = is_last and slot.number == THIRD_PLACE_SLOT
            matches.append({"match": slot.match, "sides": sides, "is_bye": len(seats) == 1, "for_third": for_third})
            if is_last and not for_third:
                champion = next((side["player"] for side in sides if side["won"]), None)
        columns.append({"name": round_name(stage, column.number, column.number), "matches": matches})
    return {"columns": columns, "champion": champion}


@require_safe
def players(request: HttpRequest, code: str) -> HttpResponse:
    event, viewer = event_and_viewer(request, code)
    situation = queries.situation_of(event)
    entries = queries.entries(event)
    handed_in = queries.decklists_of(event)
    reads = readers_of(event, viewer)
    doors = doors_of(event, entries, situation.now)
    rows = [
        {"player": entry, "reads": entry.pk in handed_in and reads(entry), "waits": doors.place_of(entry)}
        for entry in entries
    ]
    context = {
        "rows": rows,
        "me": viewer.player,
        "doors": doors,
        "some_read": any(row["reads"] for row in rows),
    }
    return show(request, "players", context, event=event, viewer=viewer, situation=situation, here="players")


@require_safe
def info(request: HttpRequest, code: str) -> HttpResponse:
    event, viewer = event_and_viewer(request, code)
    situation = queries.situation_of(event)
    sections = sections_cited(
        citations=queries.cites_of(event.rules), format_version=event.format_version, day=event.legality_date
    )
    context = {
        "settings": _settings(event.rules, sections),
        "prizes": prizes_of(event),
        "metrics": [metric(key) for key in event.rules["standings"]["metrics"]],
        "goes_on": cut_words(situation.elimination.config) if situation.elimination is not None else "",
        "secret": bytes(event.secret).hex() if event.state == Event.State.FINISHED else None,
    }
    return show(request, "info", context, event=event, viewer=viewer, situation=situation, here="info")


def _settings(rules: Mapping[str, Any], sections: Mapping[str, Section]) -> list[dict[str, Any]]:
    """What an event's rules say, line by line, with the section that each rests on."""
    match, points, deck = rules["match"], rules["points"], rules["decklist"]
    lists = decklist_rules(rules)
    rows = [
        ("Match", f"best of {match['best_of']}", match, "best_of"),
        ("Round clock", f"{match['minutes']} minutes", match, "minutes"),
        ("At time", f"{match['extra_turns']} extra turns", match, "extra_turns"),
        ("Drawn matches", "may happen" if match["draws"] else "do not exist", match, "draws"),
        ("Points", f"win {points['win']}, draw {points['draw']}, loss {points['loss']}", points, "win"),
        ("Bye", f"{points['bye']} points", points, "bye"),
        ("Decklist", MODES[lists.mode], deck, "required"),
        *([("Decklists are due", "before round 1 is posted", deck, "deadline")] if lists.asks else []),
        *([("Players without one", WITHOUT[lists.without], deck, "")] if lists.requires else []),
    ]
    play = rules.get("play") or {}
    rows += [
        (label, words[play[key]], play, key) for key, (label, words) in PLAY_WORDS.items() if play.get(key) in words
    ]
    found = []
    for label, value, part, key in rows:
        cite = part.get("cite", {}).get(key, "")
        found.append({"label": label, "value": value, "cite": cite, "section": sections.get(cite)})
    return found


@require_safe
def decklist(request: HttpRequest, code: str, player_id: int) -> HttpResponse:
    """The decklist that counts: for its owner, for staff who do not play, and for all when it is public."""
    event, viewer = event_and_viewer(request, code)
    submission = visible_decklist(event, viewer, player_id)
    situation = queries.situation_of(event)
    context = {
        "submission": submission,
        "zones": queries.zones_of(submission.decklist),
        "panel": panel_of_decklist(decklist=submission.decklist),
        "today": judged_today(decklist=submission.decklist, day=timezone.localdate()),
    }
    return show(request, "decklist_shown", context, event=event, viewer=viewer, situation=situation, here="players")


@require_safe
def ticket(request: HttpRequest, code: str) -> JsonResponse:
    """Opens the live feed of this event for a minute. A query, and three for somebody signed in."""
    event = get_object_or_404(Event.objects.only("pk"), code=code)
    signed = ticket_for(code, player_id_of(event, request.user))
    response = JsonResponse({"ticket": signed, "url": f"/live/?ticket={signed}"})
    response["Cache-Control"] = "no-store"
    return response
