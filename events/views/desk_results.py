"""The floor: every table of the round that is played, and one match with its claims and its decision."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from config.errors import DomainError
from events.engine.entry import score_choices
from events.engine.outcomes import GameScore
from events.forms import DecideForm, TurnsForm
from events.forms_clocks import STEPS, WHYS
from events.forms_placed import PlacesForm, SheetsForm
from events.models import Event, Match, Round, Stage
from events.queries.access import Viewer
from events.queries.attendance import may_be_missed
from events.queries.clocks import clock_of, database_now, extensions_of, table_clock, tables_beside
from events.queries.desk import TableRow, floor_match, open_round, results_of, table_rows
from events.queries.sideboarding import recorded, who_can_sideboard
from events.sentences import round_name
from events.sentences_games import how_words
from events.sentences_pairing import pairing_sentences
from events.services import results, turns, undoing
from events.services.placed_results import MELEE
from events.views.commands import is_queued
from events.views.desk import at_desk, attempt, rest_of, show
from events.views.desk_play import play_at_floor
from events.views.desk_rounds import RUNNING, result_words
from events.views.player_forms import number_of
from events.views.queued import telling_how_it_stands

FILTERS = {
    "playing": "Playing",
    "reported": "Reported",
    "disputed": "Disputed",
    "confirmed": "Confirmed",
}
STATES = {"playing": Match.State.OPEN}


@at_desk("decides_results")
@require_safe
def floor(request: HttpRequest, event: Event, viewer: Viewer) -> HttpResponse:
    round_ = open_round(event)
    if round_ is not None and round_.state == Round.State.DRAFT:
        round_ = None
    rows = [row for row in table_rows(round_) if not row.is_bye] if round_ is not None else []
    chosen = request.GET.get("show", "")
    filters = [
        (key, words, sum(row.match.state == STATES.get(key, key) for row in rows)) for key, words in FILTERS.items()
    ]
    clock = clock_of(round_) if round_ is not None else None
    shown = [row for row in rows if chosen not in FILTERS or row.match.state == STATES.get(chosen, chosen)]
    return show(
        request,
        event,
        viewer,
        "floor",
        tab="floor",
        round=round_,
        clock=clock,
        beside=tables_beside(round_, clock) if round_ is not None and clock is not None else [],
        rows=shown,
        rest=rest_of(len(shown)),
        total=len(rows),
        filters=filters,
        chosen=chosen if chosen in FILTERS else "",
        most_turns=event.rules["match"]["extra_turns"],
        round_name=round_name(round_.stage, round_.number, round_.sequence) if round_ is not None else "",
    )


@at_desk("decides_results")
@require_safe
def match_page(request: HttpRequest, event: Event, viewer: Viewer, match_id: int) -> HttpResponse:
    return match_shown(request, event, viewer, match_id)


def match_shown(
    request: HttpRequest,
    event: Event,
    viewer: Viewer,
    match_id: int,
    refusal: DomainError | None = None,
    form: DecideForm | None = None,
    turns: TurnsForm | None = None,
) -> HttpResponse:
    row = floor_match(event=event, match_id=match_id)
    round_ = row.match.round
    at_time = round_.state == Round.State.TIME
    elimination = round_.stage.kind == Stage.Kind.SINGLE_ELIMINATION
    names = {seat.player_id: seat.player.name for seat in row.seats}
    may_sideboard = viewer.sees_decklists and not row.is_bye and row.match.state != Match.State.CONFIRMED
    best_of = event.rules["match"]["best_of"]
    return show(
        request,
        event,
        viewer,
        "match",
        tab="floor",
        refusal=refusal,
        row=row,
        round=round_,
        clock=table_clock(round_, row.match, database_now()).clock,
        extensions=extensions_of(row.match),
        missed={absence.player_id for absence in row.match.absences.all()},
        may_miss=may_be_missed(row.match, row.seats, round_),
        steps=STEPS,
        whys=WHYS,
        can_decide=round_.state in RUNNING and not row.is_bye,
        needs_reason=row.match.state in (Match.State.DISPUTED, Match.State.CONFIRMED),
        at_time=at_time,
        choices=score_choices(best_of, at_time=at_time, elimination=elimination),
        history=[
            {"result": result, "words": result_words(result, names) + how_words(result.how)}
            for result in results_of(row.match)
        ],
        form=form or DecideForm(initial={"match_version": row.match.version}),
        turns_form=turns or TurnsForm(initial={"turns": row.match.extra_turns or 0}),
        most_turns=event.rules["match"]["extra_turns"],
        turn_numbers=range(event.rules["match"]["extra_turns"] + 1),
        round_name=round_name(round_.stage, round_.number, round_.sequence),
        why=pairing_sentences(row.match.reasons, names),
        placed=_placed(request, event, row),
        play=play_at_floor(event, viewer, row),
        configurations=recorded(event, row.match, player=None) if viewer.sees_decklists else [],
        named=True,
        sideboarders=who_can_sideboard(event, names) if may_sideboard else set(),
    )


def _placed(request: HttpRequest, event: Event, row: TableRow) -> list[tuple[str, str, list[str], Any]]:
    """The forms for a table, the likelier first: what it is, its heading, the heads of its columns, and the form."""
    if row.is_duel or row.sides:
        return []
    what = request.POST.get("what")
    typed = {name: request.POST if what == name else None for name in ("sheets", "places")}
    places = ("places", "Places, shared by who is level", ["Place"], PlacesForm(row.seats, typed["places"]))
    if event.game.slug != MELEE:
        return [places]
    heads = ["Gold", "worth", "Silver", "worth", "Goblin", "worth", "Pairs"]
    return [("sheets", "Loot", heads, SheetsForm(row.seats, typed["sheets"])), places]


@at_desk("decides_results")
@require_POST
def decide(request: HttpRequest, event: Event, viewer: Viewer, match_id: int) -> HttpResponse:
    row = floor_match(event=event, match_id=match_id)
    form = DecideForm(request.POST)

    def refused(refusal: DomainError) -> HttpResponse:
        if is_queued(request):
            raise refusal
        typed = {**request.POST.dict(), "match_version": floor_match(event=event, match_id=match_id).match.version}
        kept = DecideForm(typed)
        kept.is_valid()
        return match_shown(request, event, viewer, match_id, refusal, kept)

    if not form.is_valid():
        return refused(DomainError("result.form", "That is no result yet: look at what is marked below."))
    values = form.cleaned_data
    said = GameScore(values["wins_a"], values["wins_b"], values["draws"])
    with telling_how_it_stands(request, event, match_id=match_id, said=said):
        return attempt(
            request,
            event,
            results.decide_result,
            told=lambda _: f"{row.match}: {_told(row, values['wins_a'], values['wins_b'], values['draws'])}.",
            back=_back(request, event, row, viewer),
            page=refused,
            match_id=match_id,
            wins_a=values["wins_a"],
            wins_b=values["wins_b"],
            draws=values["draws"],
            reason=values["reason"],
            match_version=values["match_version"],
        )


@at_desk("decides_results")
@require_POST
def take_back(request: HttpRequest, event: Event, viewer: Viewer, match_id: int) -> HttpResponse:
    """The last result that staff entered at a table."""
    row = floor_match(event=event, match_id=match_id)
    return attempt(
        request,
        event,
        undoing.take_back_result,
        told=lambda _: f"{row.match}: the result is taken back.",
        back=_back(request, event, row, viewer),
        page=lambda refusal: match_shown(request, event, viewer, match_id, refusal),
        match_id=match_id,
        match_version=number_of(request, "match_version"),
    )


@at_desk("decides_results")
@require_POST
def extra_turns(request: HttpRequest, event: Event, viewer: Viewer, match_id: int) -> HttpResponse:
    row = floor_match(event=event, match_id=match_id)
    form = TurnsForm(request.POST)
    if not form.is_valid():
        refusal = DomainError("match.extra_turns", "Write how many extra turns were taken, as a number.")
        return match_shown(request, event, viewer, match_id, refusal, turns=form)
    return attempt(
        request,
        event,
        turns.note_extra_turns,
        told=lambda change: f"{row.match}: extra turn {change.facts['extra_turns']}.",
        back=reverse("events:floor_match", args=[event.code, match_id]),
        page=lambda refusal: match_shown(request, event, viewer, match_id, refusal, turns=form),
        match_id=match_id,
        turns=form.cleaned_data["turns"],
    )


def _told(row: TableRow, wins_a: int, wins_b: int, draws: int) -> str:
    first, second = (seat.player.name for seat in row.seats)
    return f"{first} {wins_a}-{wins_b}{f'-{draws}' if draws else ''} {second}"


def _back(request: HttpRequest, event: Event, row: TableRow, viewer: Viewer) -> str:
    """Where the form stood: the round at the desk, or the floor."""
    if request.POST.get("from") == "round" and viewer.runs_rounds:
        return reverse("events:desk_round", args=[event.code, row.match.round.sequence]) + f"#table-{row.match.table}"
    return reverse("events:floor", args=[event.code])
