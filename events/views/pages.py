"""What the event's pages share: the bar, the words for where the event stands, fragments for pages that keep fresh."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from zoneinfo import ZoneInfo

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.cache import patch_vary_headers

from config.errors import DomainError, NotFound
from events.engine.decklist_rules import decklist_rules
from events.engine.desk_steps import cut_words
from events.models import Event, Stage
from events.queries.access import Viewer
from events.queries.public_pages import Situation, why_cancelled
from events.sentences import round_name

LONGEST_NUMBER = 6


def whole_number(text: str | None, *, field: str) -> int | None:
    """A number of an address, None when there is none. Raises DomainError "request.number"."""
    if text is None or text == "":
        return None
    if not (text.isascii() and text.isdigit() and len(text) <= LONGEST_NUMBER):
        raise DomainError("request.number", f"“{text[:20]}” is no number for {field}. Follow a link of the page.")
    return int(text)


def state_words(situation: Situation) -> str:
    """Where the event stands, for the bar: "Round 3 of 5", "Semi-finals", "Registration open"."""
    event, stage, round_ = situation.event, situation.stage, situation.round
    if event.archived_at is not None:
        return f"{event.get_state_display()}, in the archive"
    if event.state != Event.State.RUNNING or stage is None:
        return str(event.get_state_display())
    if stage.kind not in Stage.PLAYED:
        return str(stage.get_kind_display())
    if round_ is None or round_.stage_id != stage.pk:
        if stage.kind == Stage.Kind.SWISS:
            return f"{stage.rounds_planned} Swiss rounds"
        planned = stage.rounds_planned
        return f"{planned} round{'' if planned == 1 else 's'}" if stage.kind in Stage.RANKED else "Cut made"
    if stage.kind in Stage.RANKED:
        return f"Round {round_.number} of {stage.rounds_planned}"
    return round_name(stage, round_.number, round_.sequence)


def next_words(situation: Situation) -> tuple[str, str]:
    """How things stand, and what happens next: a headline and a sentence."""
    event, stage, round_ = situation.event, situation.stage, situation.open_round
    if event.state == Event.State.CANCELLED:
        return "Cancelled", f"The organiser called it off: {why_cancelled(event)}"
    if event.state == Event.State.FINISHED:
        return "The event is over", "The placing is final."
    if event.state == Event.State.REGISTRATION:
        starts = timezone.localtime(event.starts_at)
        hands_in = decklist_rules(event.rules).requires and not situation.is_limited
        what = "register, hand in a decklist and check in" if hands_in else "register and check in"
        return "Registration is open", f"Before {starts:%-d %B %Y, %H:%M}: {what}."
    if stage is None:
        return "All stages are played", "The organiser closes the event next."
    if stage.kind == Stage.Kind.DRAFT:
        return "The draft is under way", "Players pick on their own page."
    if stage.kind in (Stage.Kind.SEALED, Stage.Kind.DECK_BUILDING):
        hand_in = " and hand in decklists" if decklist_rules(event.rules).asks else ""
        return "Deck building", f"Players build from their pools{hand_in}. Then round 1 is paired."
    if round_ is None:
        return _between(situation, stage)
    name = round_name(round_.stage, round_.number, round_.sequence)
    verb = "are" if name.endswith("s") else "is"
    words = {
        "posted": (f"{name} {verb} posted", "Find your table and sit down."),
        "playing": (f"{name} {verb} being played", "Report the result as soon as your match is over."),
        "time": (
            f"Time in {name[:1].lower() + name[1:]}",
            f"Finish the turn, then {event.rules['match']['extra_turns']} extra turns.",
        ),
    }
    return words[round_.state]


def _between(situation: Situation, stage: Stage) -> tuple[str, str]:
    last = situation.round
    played = last.number if last is not None and last.stage_id == stage.pk else 0
    if played < (stage.rounds_planned or 0):
        coming = round_name(stage, played + 1, (last.sequence if last else 0) + 1)
        before = "The event has begun" if last is None else f"{state_words(situation)}: complete"
        return before, f"{coming} is posted next. Stay near the tables."
    elimination = situation.elimination
    if stage.kind == Stage.Kind.SWISS and elimination is not None:
        return "The Swiss rounds are played", f"Next comes the cut to {cut_words(elimination.config)}."
    return "All rounds are played", "The organiser closes the event next."


def tabs(event: Event, viewer: Viewer, situation: Situation, here: str) -> list[tuple[str, str, bool]]:
    """(words, address, open) for the event's bar."""
    names = [("Pairings", "pairings"), ("Standings", "standings")]
    if situation.elimination is not None:
        names.append(("Bracket", "bracket"))
    names += [("Players", "players"), ("Info", "info")]
    if viewer.player is not None:
        names.insert(0, ("Me", "me"))
    rows = [(words, reverse(f"events:{name}", args=[event.code]), name == here) for words, name in names]
    if viewer.is_staff:
        rows.append(("Desk", f"/e/{event.code}/desk/", here == "desk"))
    return rows


def show(
    request: HttpRequest,
    page: str,
    context: Mapping[str, Any],
    *,
    event: Event,
    viewer: Viewer,
    situation: Situation,
    here: str,
    status: int = 200,
    refreshes: bool = True,
) -> HttpResponse:
    """``events/<page>.html``, or for htmx ``events/_<page>.html`` alone with the words of the bar beside it.

    Times are in the event's own zone. Both are made of the same fragment. A page that does not refresh itself, because
    something is being written on it, is always whole.
    """
    with timezone.override(ZoneInfo(event.time_zone)):
        headline, detail = next_words(situation)
        full = {
            "event": event,
            "viewer": viewer,
            "situation": situation,
            "state_words": state_words(situation),
            "headline": headline,
            "detail": detail,
            "tabs": tabs(event, viewer, situation, here),
            "here": here,
            "fragment": f"events/_{page}.html",
            "fragment_url": request.get_full_path(),
            "now": situation.now,
            "decklists": decklist_rules(event.rules),
            **context,
        }
        if refreshes and "HX-Request" in request.headers:
            body = render_to_string("events/_fragment.html", full, request)
            response = HttpResponse(body, status=status)
            response["Cache-Control"] = "no-store"
        else:
            response = render(request, f"events/{page}.html", full, status=status)
    patch_vary_headers(response, ["HX-Request"])
    return response


def nothing_here(what: str) -> NotFound:
    return NotFound("page.unknown", f"There is no {what} to be seen here.")
