"""One round at the desk: look the draft over, post it, run the clock, enter results, complete it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from config.errors import Conflict, DomainError
from events.engine.entry import parse_entry, score_choices
from events.engine.health import Severity
from events.engine.outcomes import GameScore
from events.forms import EntryForm
from events.forms_clocks import STEPS, WHYS
from events.models import Event, Player, Result, Round, Stage
from events.queries.access import Viewer
from events.queries.attendance import missed_count
from events.queries.clocks import clock_of, tables_beside
from events.queries.desk import TableRow, desk_round, latest_results, table_of, table_rows
from events.queries.round_health import draft_of_round, health_of
from events.sentences import round_name, score, scores_words
from events.sentences_by_hand import COST_WORDS
from events.sentences_pairing import pairing_sentences, pairing_word
from events.services import results, rounds, undoing
from events.services.transaction import Change
from events.views.commands import is_queued
from events.views.desk import FEW_TABLES, at_desk, attempt, rest_of, show
from events.views.kept import kept
from events.views.queued import telling_how_it_stands

RUNNING = (Round.State.POSTED, Round.State.PLAYING, Round.State.TIME)


@at_desk("runs_rounds")
@require_safe
def round_page(request: HttpRequest, event: Event, viewer: Viewer, number: int) -> HttpResponse:
    return round_shown(request, event, viewer, number)


def round_shown(
    request: HttpRequest,
    event: Event,
    viewer: Viewer,
    number: int,
    refusal: DomainError | None = None,
    entry: EntryForm | None = None,
) -> HttpResponse:
    round_ = desk_round(event=event, number=number)
    rows = table_rows(round_)
    at_time = round_.state == Round.State.TIME
    elimination = round_.stage.kind == Stage.Kind.SINGLE_ELIMINATION
    is_swiss = round_.stage.kind == Stage.Kind.SWISS
    tables = _tables(round_, rows)
    name = round_name(round_.stage, round_.number, round_.sequence)
    lower = name[:1].lower() + name[1:]
    told = sum(len(row.seats) for row in rows)
    open_rows = [row for row in rows if row.match.state != "confirmed"]
    all_rounds = list(event.rounds.order_by("sequence").values_list("sequence", flat=True))
    is_last = number == all_rounds[-1]
    clock = None if round_.state == Round.State.DRAFT else clock_of(round_)
    page = show(
        request,
        event,
        viewer,
        "round",
        tab="desk_round",
        refusal=refusal,
        round=round_,
        tables=tables,
        rest=rest_of(len(tables)),
        has_quick=len(tables) <= FEW_TABLES,
        disputes=[table for table in tables if table["row"].match.state == "disputed"],
        open_tables=[row.match.table for row in open_rows],
        told_players=told,
        has_bye=any(row.is_bye for row in rows),
        gone=[seat.player.name for row in rows for seat in row.seats if seat.player.state == "dropped"],
        groups=_groups(round_),
        **(_draft_facts(event, round_, rows) if round_.state == Round.State.DRAFT and is_swiss else {}),
        away=_away(event) if round_.state != Round.State.COMPLETE and not elimination else [],
        post_words=f"Post {lower}: tell {told} players",
        post_title=f"Post {lower}?",
        post_consequence=f"{told} players see where they sit, and from here on the pairings stand.",
        round_name=name,
        all_rounds=all_rounds,
        can_reopen=is_last and round_.state == Round.State.COMPLETE and round_.stage.state == Stage.State.ACTIVE,
        minutes=round_.seconds // 60,
        from_page="round",
        clock=clock,
        beside=tables_beside(round_, clock) if clock is not None else [],
        absent=missed_count(round_) if clock is not None else 0,
        steps=STEPS,
        whys=WHYS,
        is_open=round_.state in RUNNING,
        at_time=at_time,
        elimination=elimination,
        choices=score_choices(event.rules["match"]["best_of"], at_time=at_time, elimination=elimination),
        latest=_latest(round_, rows) if round_.state != Round.State.DRAFT else [],
        entry=entry or EntryForm(),
        extra_turns=event.rules["match"]["extra_turns"],
    )
    return kept(page, "desk") if round_.state in RUNNING else page


def _tables(round_: Round, rows: list[TableRow]) -> list[dict[str, Any]]:
    """Each match, in a draft with why it is and what its players had when it was paired."""
    if round_.state != Round.State.DRAFT:
        return [{"row": row} for row in rows]
    had: dict[int, int] = {}
    for group in round_.plan.content.get("groups", ()):
        had.update(zip(group["entrants"]["id"], group["entrants"]["points"], strict=True))
    names = {seat.player_id: seat.player.name for row in rows for seat in row.seats}
    return [
        {
            "row": row,
            "word": pairing_word(row.match.reasons),
            "why": pairing_sentences(row.match.reasons, names),
            "players": [(seat.player, had.get(seat.player_id)) for seat in row.seats],
        }
        for row in rows
    ]


def _draft_facts(event: Event, round_: Round, rows: list[TableRow]) -> dict[str, Any]:
    """The findings of the health check with names, and everybody who can trade places."""
    names = {seat.player_id: seat.player.name for row in rows for seat in row.seats}
    findings = health_of(event, draft_of_round(round_))
    return {
        "findings": [
            {
                "stops": found.severity is Severity.STOPS,
                "message": found.message,
                "players": ", ".join(names.get(player, "somebody who is not seated") for player in found.players),
            }
            for found in findings
        ],
        "movable": sorted(names.items(), key=lambda item: item[1]),
    }


def _away(event: Event) -> list[Player]:
    """Who dropped after the event began: out of the round, or back into it. 1 query."""
    return list(event.players.filter(state=Player.State.DROPPED, lot__gt=0).order_by("name"))


def _groups(round_: Round) -> list[dict[str, Any]]:
    """What each pairing cost, in words, most important first; none for a bracket. A round by hand stands beside what
    the engine proposed for it."""
    content = round_.plan.content
    found = []
    for group in content.get("groups", ()):
        proposal = group.get("proposal") or {}
        engine = proposal.get("cost", {}) if content.get("by_hand") else group["cost"]
        found.append(
            {
                "pod": group["pod"],
                "by_hand": content.get("by_hand", False),
                "certified": group["certified"],
                "costs": [(words, group["cost"].get(key, 0), engine.get(key)) for key, words in COST_WORDS.items()],
                "rematches": group["cost"].get("rematches", 0),
            }
        )
    return found


def _latest(round_: Round, rows: list[TableRow]) -> list[dict[str, Any]]:
    names = {seat.player_id: seat.player.name for row in rows for seat in row.seats}
    duels = {row.match.pk for row in rows if row.is_duel}
    return [
        {
            "result": result,
            "words": result_words(result, names),
            "can_undo": result.source == Result.Source.STAFF
            and result.superseded_at is None
            and result.match_id in duels,
        }
        for result in latest_results(round_=round_)
    ]


def result_words(result: Result, names: dict[int, str]) -> str:
    """ "Ada 2-1 Bram", with drawn games behind."""
    return scores_words(result.scores, names)


ROUND_STEPS: dict[str, tuple[Callable[..., Change], str]] = {
    "post": (rounds.post_round, "Round {number} is posted: everybody sees the pairings now."),
    "discard": (rounds.discard_draft, "The draft of round {number} is thrown away."),
    "start-clock": (rounds.start_clock, "The clock of round {number} runs."),
    "pause-clock": (rounds.pause_clock, "The clock of round {number} stands."),
    "call-time": (rounds.call_time, "Time is called in round {number}."),
    "unpost": (undoing.unpost_round, "Round {number} is a draft again, that only staff see."),
    "take-time-back": (undoing.resume_after_time, "Time in round {number} is taken back: the clock stands."),
    "reopen": (undoing.reopen_round, "Round {number} is open again."),
    "complete": (rounds.complete_round, "Round {number} is complete, and the standings are out."),
}


@at_desk("runs_rounds")
@require_POST
def round_step(request: HttpRequest, event: Event, viewer: Viewer, number: int, step: str) -> HttpResponse:
    if step not in ROUND_STEPS:
        raise Http404
    service, told = ROUND_STEPS[step]
    desk = reverse("events:desk", args=[event.code])
    here = reverse("events:desk_round", args=[event.code, number])
    return attempt(
        request,
        event,
        service,
        told=lambda _: told.format(number=number),
        back=desk if step in ("discard", "complete") else here,
        page=lambda refusal: round_shown(request, event, viewer, number, refusal),
        round_number=number,
    )


@at_desk("runs_rounds")
@require_POST
def enter_result(request: HttpRequest, event: Event, viewer: Viewer, number: int) -> HttpResponse:
    """The typed line "12 21". What is wrong with it stands beside the box, with the line still in it."""
    form = EntryForm(request.POST)

    def refused(refusal: DomainError) -> HttpResponse:
        if is_queued(request):
            raise refusal
        form.full_clean()
        form.add_error("entry", refusal.message)
        return round_shown(request, event, viewer, number, refusal, form)

    round_ = desk_round(event=event, number=number)
    if not form.is_valid():
        nothing = DomainError("entry.unreadable", "Nothing was entered.")
        return refused(nothing) if is_queued(request) else round_shown(request, event, viewer, number, nothing, form)
    seen = form.cleaned_data
    try:
        typed = parse_entry(seen["entry"])
        match = table_of(round_=round_, table=typed.table)
    except DomainError as slip:  # of the finger: not an address that is not there
        return refused(DomainError(slip.code, slip.message))
    if seen["match"] not in (None, match.pk):
        return refused(Conflict("table.moved", f"Others sit at table {typed.table} by now. Look who they are."))
    said = GameScore(typed.wins_a, typed.wins_b, typed.draws)
    with telling_how_it_stands(request, event, match_id=match.pk, said=said):
        return attempt(
            request,
            event,
            results.decide_result,
            told=lambda _: f"Table {typed.table}: {score(typed.wins_a, typed.wins_b, typed.draws)}.",
            back=reverse(
                "events:desk_round", args=[event.code, number]
            ),  # without a place in it: the box has the cursor
            page=refused,
            match_id=match.pk,
            wins_a=typed.wins_a,
            wins_b=typed.wins_b,
            draws=typed.draws,
            reason=seen["reason"],
            match_version=seen["match_version"],
        )
