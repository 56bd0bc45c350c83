"""The board of decklists: who has none or an illegal one, whom to remind, and what becomes of who has none."""

from __future__ import annotations

from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from config.errors import DomainError
from events.engine.decklist_rules import MODES, WITHOUT, decklist_rules
from events.models import Event, Player
from events.queries.access import Viewer
from events.queries.decklists import BoardRow, decklist_board
from events.services import missing_lists, reminders
from events.services.transaction import Change
from events.views.desk import at_desk, attempt, show

FILTERS = {
    "needed": ("Something is needed", ("none", "withdrawn", "illegal")),
    "none": ("None yet", ("none", "withdrawn")),
    "illegal": ("Illegal", ("illegal",)),
    "undetermined": ("Undetermined", ("undetermined",)),
    "legal": ("Legal", ("legal",)),
}


class RulesForm(forms.Form):
    mode = forms.ChoiceField(label="Decklists", choices=[(key, words.capitalize()) for key, words in MODES.items()])
    without = forms.ChoiceField(
        label="Who has no legal one before round 1",
        choices=[
            ("wait", "The event waits: round 1 is not made before all are in"),
            ("drop", "Is dropped when the event starts"),
            ("loss", "Loses the match of round 1"),
        ],
        help_text="Counts where decklists are needed. A drop can be taken back until round 1 is paired.",
    )


@at_desk("decides_results")
@require_safe
def board(request: HttpRequest, event: Event, viewer: Viewer) -> HttpResponse:
    return _board(request, event, viewer)


def _board(
    request: HttpRequest,
    event: Event,
    viewer: Viewer,
    refusal: DomainError | None = None,
    form: RulesForm | None = None,
) -> HttpResponse:
    rules = decklist_rules(event.rules)
    rows = decklist_board(event, reads=viewer.sees_decklists)
    chosen = request.GET.get("show", "")
    wanted = FILTERS[chosen][1] if chosen in FILTERS else ()
    reminded = [row.player.decklist_reminded_at for row in rows if row.player.decklist_reminded_at]
    context: dict[str, Any] = {
        "rules": rules,
        "rules_words": MODES[rules.mode],
        "without_words": WITHOUT[rules.without],
        "rows": [row for row in rows if not wanted or row.state in wanted],
        "filters": _filters(rows, chosen),
        "chosen": chosen,
        "counts": {
            "missing": sum(row.state in ("none", "withdrawn") for row in rows),
            "illegal": sum(row.state == "illegal" for row in rows),
        },
        "to_remind": sum(_lacks(row) for row in rows) if _may_remind(event, viewer) else 0,
        "may_remind": _may_remind(event, viewer),
        "last_reminder": max(reminded, default=None),
        "pause": reminders.PAUSE.seconds // 60,
        "now": timezone.now(),
        "form": form or RulesForm(initial={"mode": rules.mode, "without": rules.without}),
        "may_change": viewer.runs_event and event.state == Event.State.REGISTRATION,
        "reads": viewer.sees_decklists,
    }
    return show(request, event, viewer, "decklists", tab="desk_decklists", refusal=refusal, **context)


def _lacks(row: BoardRow) -> bool:
    return row.needs_something and row.player.state != Player.State.WAITLISTED


def _may_remind(event: Event, viewer: Viewer) -> bool:
    is_open = event.state in (Event.State.REGISTRATION, Event.State.RUNNING)
    return viewer.runs_rounds and is_open and decklist_rules(event.rules).requires


def _filters(rows: list[BoardRow], chosen: str) -> list[tuple[str, str, int, bool]]:
    """(query, words, number, chosen) of each filter that finds somebody."""
    found = [("", "Everybody", len(rows), chosen not in FILTERS)]
    for key, (words, states) in FILTERS.items():
        if number := sum(row.state in states for row in rows):
            found.append((f"?show={key}", words, number, key == chosen))
    return found


@at_desk("runs_rounds")
@require_POST
def remind(request: HttpRequest, event: Event, viewer: Viewer) -> HttpResponse:
    """Everybody who lacks a decklist, or the one ``player`` of the form."""
    sent = request.POST.get("player", "")
    if sent and not (sent.isascii() and sent.isdigit() and len(sent) <= 15):
        return _board(request, event, viewer, DomainError("player.form", "This form is damaged. Reload the page."))
    return attempt(
        request,
        event,
        reminders.remind_of_decklists,
        told=_told,
        back=reverse("events:desk_decklists", args=[event.code]),
        page=lambda refusal: _board(request, event, viewer, refusal),
        player_id=int(sent) if sent else None,
    )


def _told(change: Change) -> str:
    number, lately = len(change.facts["reminded"]), change.facts["lately"]
    said = f"{number} player{' is' if number == 1 else 's are'} reminded."
    if lately:
        said += f" {lately} {'was' if lately == 1 else 'were'} less than {reminders.PAUSE.seconds // 60} minutes ago."
    return said


@at_desk("runs_event")
@require_POST
def change_rules(request: HttpRequest, event: Event, viewer: Viewer) -> HttpResponse:
    form = RulesForm(request.POST)
    if not form.is_valid():
        refusal = DomainError("decklist.form", "Nothing is saved yet: choose one of each.")
        return _board(request, event, viewer, refusal, form)
    return attempt(
        request,
        event,
        missing_lists.change_decklist_rules,
        told=lambda _: "What is asked of players is saved.",
        back=reverse("events:desk_decklists", args=[event.code]),
        page=lambda refusal: _board(request, event, viewer, refusal, form),
        **form.cleaned_data,
    )
