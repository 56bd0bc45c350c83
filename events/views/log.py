"""The log as a page: who did what, when and why; the event as it stood after any entry; and the way back."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.utils.http import urlencode
from django.views.decorators.http import require_safe

from events.engine.replay import EventState, RoundState, TableState
from events.models import Event, LogEntry
from events.queries import public_pages
from events.queries.access import Viewer
from events.queries.event_file import may_download
from events.queries.log import GROUPS, Wanted, entry_at, log_page, state_at
from events.sentences import log_sentence, scores_words
from events.views.commands import event_and_viewer
from events.views.log_undo import Undo, undo_of
from events.views.pages import show, whole_number

MOST_LISTED = 200
FIELDS = ("kind", "player", "round", "by", "q")
WORDS = {"checked_in": "playing", "registered": "registered", "waitlisted": "waiting", "dropped": "dropped"}


@require_safe
def log(request: HttpRequest, code: str) -> HttpResponse:
    """The newest first, a hundred a page; staff who do not play see everything."""
    event, viewer = event_and_viewer(request, code)
    situation = public_pages.situation_of(event)
    wanted = _wanted(request)
    names, hidden = _names(event, viewer)
    page = log_page(event, viewer, wanted, names=names, hidden=hidden)
    undo = undo_of(event, viewer, page.entries)
    typed = {field: request.GET[field] for field in FIELDS if request.GET.get(field)}
    context = {
        "rows": [_row(entry, names, hidden, undo.get(entry.seq)) for entry in page.entries],
        "older": _link(typed, before=page.older),
        "newer": _link(typed, after=page.newer),
        "typed": typed,
        "kinds": [(key, words, key == wanted.kind) for key, (words, _) in GROUPS.items()],
        "rounds": range(1, (situation.round.sequence if situation.round is not None else 0) + 1),
        "wanted": wanted,
        "may_download": may_download(event, viewer),
        "people": sorted(names.items(), key=lambda row: row[1]) if len(names) <= MOST_LISTED else [],
    }
    return show(request, "log", context, event=event, viewer=viewer, situation=situation, here="info")


def _wanted(request: HttpRequest) -> Wanted:
    read = request.GET
    return Wanted(
        kind=read.get("kind", ""),
        player=whole_number(read.get("player"), field="a player"),
        round=whole_number(read.get("round"), field="a round"),
        by=read.get("by", "").strip(),
        text=read.get("q", "").strip(),
        before=whole_number(read.get("before"), field="an entry"),
        after=whole_number(read.get("after"), field="an entry"),
    )


def _names(event: Event, viewer: Viewer) -> tuple[dict[int, str], dict[int, str]]:
    names = public_pages.player_names(event, full=viewer.knows_names)
    return names, {} if viewer.knows_names else public_pages.hidden_actors(event)


def _row(entry: LogEntry, names: dict[int, str], hidden: dict[int, str], undo: Undo | None = None) -> dict[str, Any]:
    text, why = log_sentence(entry.kind, entry.payload, names), entry.payload.get("reason")
    return {
        "entry": entry,
        "text": text,
        "by": hidden.get(entry.actor_id or 0, entry.actor_name),
        "why": why if why and why not in text else None,
        "undo": undo,
    }


def _link(typed: dict[str, str], **place: int | None) -> str:
    """The same question from another place on; "" where there is nothing."""
    found = {name: value for name, value in place.items() if value is not None}
    return f"?{urlencode({**typed, **{name: str(value) for name, value in found.items()}})}" if found else ""


@require_safe
def log_state(request: HttpRequest, code: str, seq: int) -> HttpResponse:
    """The event after one entry: a round's pairings and results, and the standings that counted."""
    event, viewer = event_and_viewer(request, code)
    situation = public_pages.situation_of(event)
    asked = whole_number(request.GET.get("round"), field="a round")
    entry, earlier, later = entry_at(event, viewer, seq)
    state = state_at(event, viewer, seq, round_number=asked)
    names, hidden = _names(event, viewer)
    shown = state.newest if asked is None else state.rounds.get(asked)
    context = {
        "row": _row(entry, names, hidden),
        "state": state,
        "counts": [(WORDS[word], state.in_state(word)) for word in WORDS if state.in_state(word)],
        "event_words": Event.State(state.word).label,
        "shown": shown,
        "tables": _tables(shown, names),
        "numbers": sorted(state.rounds),
        "standings": _standings(state, names),
        "passed_over": sorted(state.passed_over.items()),
        "earlier": earlier,
        "later": later,
    }
    return show(request, "log_state", context, event=event, viewer=viewer, situation=situation, here="info")


def _tables(round_: RoundState | None, names: dict[int, str]) -> list[dict[str, Any]]:
    if round_ is None or round_.matches is None:
        return []
    rows = sorted(round_.matches, key=lambda match: (match.table is None, match.table or 0, match.players))
    return [_table(match, names) for match in rows]


def _table(match: TableState, names: dict[int, str]) -> dict[str, Any]:
    people = [names.get(player, f"player {player}") for player in match.players]
    result = scores_words(match.scores, names) if match.scores else ""
    return {"table": match.table, "people": people, "word": match.word, "result": result}


def _standings(state: EventState, names: dict[int, str]) -> dict[str, Any] | None:
    last = state.last_complete
    if last is None or last.standings is None:
        return None
    rows = [
        (rank, names.get(player, f"player {player}"), points) for rank, (player, points) in enumerate(last.standings, 1)
    ]
    return {"round": last.sequence, "rows": rows}
