"""Lists of players: pasted or sent as a file, looked at column by column, then brought in or taken out again."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST

from config.errors import DomainError
from events.engine import rosters
from events.engine.rosters import DELIMITERS, FIELDS, MAX_BYTES, Roster
from events.models import Event
from events.queries.access import Viewer
from events.queries.importing import ImportPlan, imports_of, plan_of_import
from events.services import importing
from events.services.transaction import Change
from events.views.desk import at_desk, attempt, show

MOST_TO_LOOK_AT = 200
MOST_NEW_SHOWN = 25
CHARSET_WORDS = 20


@at_desk("runs_rounds")
@require_http_methods(["GET", "HEAD", "POST"])
def import_players(request: HttpRequest, event: Event, viewer: Viewer) -> HttpResponse:
    """GET: the empty form. POST shows what would become of the list, and with ``bring_in`` brings it in."""
    if request.method != "POST":
        return _page(request, event, viewer)
    text, charset = request.POST.get("text", ""), request.POST.get("charset", "")[:CHARSET_WORDS]
    upload = request.FILES.get("file")
    try:
        if upload is not None:
            text, charset = rosters.decode_roster(upload.read(2 * MAX_BYTES + 1))
        roster = rosters.read_roster(text)
    except DomainError as refusal:
        return _page(request, event, viewer, refusal, text=text if upload is None else "")
    columns = None if upload is not None else _columns(request, roster)
    if columns is None:
        columns = rosters.columns_of(roster)
    shown: dict[str, Any] = {"text": text, "charset": charset, "roster": roster, "columns": columns}
    try:
        entries = rosters.entries_of(roster, columns)
    except DomainError as refusal:
        return _page(request, event, viewer, refusal, **shown)
    if "bring_in" not in request.POST:
        return _page(request, event, viewer, plan=plan_of_import(event, entries), **shown)
    return attempt(
        request,
        event,
        importing.import_players,
        told=_told,
        back=reverse("events:desk_players", args=[event.code]),
        page=lambda refusal: _page(request, event, viewer, refusal, plan=plan_of_import(event, entries), **shown),
        entries=entries,
        leave_out_problems="leave_out" in request.POST,
    )


def _columns(request: HttpRequest, roster: Roster) -> Mapping[str, int] | None:
    """What was chosen for each field, None where nothing was asked yet."""
    sent = {field: request.POST.get(f"column-{field}") for field in FIELDS}
    if all(value is None for value in sent.values()):
        return None
    numbers = {field: int(value) for field, value in sent.items() if value and value.isascii() and value.isdigit()}
    return {field: column for field, column in numbers.items() if column < roster.width}


def _told(change: Change) -> str:
    number, waiting = len(change.facts["players"]), change.facts["waiting"]
    came = f"{number} player{'' if number == 1 else 's'} came in"
    return f"{came}{f', {waiting} of them on the waitlist' if waiting else ''}. Give them the links beside their names."


def _page(
    request: HttpRequest,
    event: Event,
    viewer: Viewer,
    refusal: DomainError | None = None,
    *,
    text: str = "",
    charset: str = "",
    roster: Roster | None = None,
    columns: Mapping[str, int] | None = None,
    plan: ImportPlan | None = None,
) -> HttpResponse:
    context: dict[str, Any] = {
        "registering": event.state == Event.State.REGISTRATION,
        "text": text,
        "charset": charset,
        "roster": roster,
        "plan": plan,
        "imports": imports_of(event),
    }
    if roster is not None:
        context |= {"fields": _fields(roster, columns or {}), "apart_by": DELIMITERS[roster.delimiter]}
    if plan is not None:
        new = [row for row in plan.rows if row.verdict == "new" and not row.message]
        look = sorted((row for row in plan.rows if row not in new), key=lambda row: row.verdict != "problem")
        context |= {
            "look_at": look[:MOST_TO_LOOK_AT],
            "more_to_look_at": max(0, len(look) - MOST_TO_LOOK_AT),
            "new": new[:MOST_NEW_SHOWN],
            "more_new": max(0, len(new) - MOST_NEW_SHOWN),
        }
    return show(request, event, viewer, "import", tab="desk_players", refusal=refusal, **context)


def _fields(roster: Roster, columns: Mapping[str, int]) -> list[dict[str, Any]]:
    """Each field with the columns that it may come from, said with the first things that stand in them."""
    options = [
        (column, ": ".join([roster.title(column), ", ".join(roster.samples(column))])[:80])
        for column in range(roster.width)
    ]
    return [
        {"name": field, "label": label, "chosen": columns.get(field), "options": options}
        for field, (label, _) in FIELDS.items()
    ]


@at_desk("runs_rounds")
@require_POST
def undo_import(request: HttpRequest, event: Event, viewer: Viewer, token: str) -> HttpResponse:
    return attempt(
        request,
        event,
        importing.undo_import,
        told=_told_undone,
        back=reverse("events:import_players", args=[event.code]),
        page=lambda refusal: _page(request, event, viewer, refusal),
        token=token,
    )


def _told_undone(change: Change) -> str:
    removed, kept = change.facts["removed"], len(change.facts["kept"])
    gone = f"{removed} player{'' if removed == 1 else 's'} of the list {'is' if removed == 1 else 'are'} out again."
    return f"{gone} {kept} had begun to take part and stay." if kept else gone
