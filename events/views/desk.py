"""The desk: who may stand at it, what every page of it shows, and the step that the event waits for."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any
from zoneinfo import ZoneInfo

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from config.errors import DomainError
from events.engine.decklist_rules import decklist_rules
from events.engine.desk_steps import Blocker, DeskFacts, Step, StepCode, next_step
from events.engine.outlook import warning_sentence
from events.engine.swiss import check_rounds, number_of_rounds
from events.models import Event, Round, Stage
from events.queries.access import Viewer
from events.queries.desk import desk_state, rounds_shown
from events.services import rounds, setup
from events.services import stages as stage_services
from events.services.transaction import Change
from events.views.commands import actor_of, carry_out, command_of, event_and_viewer, is_queued

View = Callable[..., HttpResponse]
LIVE = ("absent", "overview", "players", "round", "floor", "match")
SHOWN_BESIDE_THE_FORM = (400, 409, 422)
FEW_TABLES = 100  # each with a form of its own, and shown anew as soon as something changes


def at_desk(right: str) -> Callable[[View], View]:
    """For staff with ``right``, a property of Viewer. Everybody else who is logged in: there is no such page (404);
    staff without the right are told so (403). The view gets (request, event, viewer) and runs in the event's time zone.
    """

    def decorate(view: View) -> View:
        @wraps(view)
        def guarded(request: HttpRequest, code: str, **kwargs: Any) -> HttpResponse:
            if not request.user.is_authenticated:
                return _ask_to_log_in(request)
            event, viewer = event_and_viewer(request, code)
            if not viewer.is_staff:
                raise Http404
            viewer.require(getattr(viewer, right))
            with timezone.override(ZoneInfo(event.time_zone)):
                return view(request, event, viewer, **kwargs)

        return guarded

    return decorate


def _ask_to_log_in(request: HttpRequest) -> HttpResponse:
    """Before anything is looked up, so that it tells nothing. A refreshing part of a page is left as it is."""
    if "HX-Request" in request.headers:
        return HttpResponse(status=401)
    return redirect_to_login(request.get_full_path())


def attempt(
    request: HttpRequest,
    event: Event,
    service: Callable[..., Change],
    *,
    told: Callable[[Change], str],
    back: str | Callable[[Change], str],
    page: Callable[[DomainError], HttpResponse],
    **arguments: Any,
) -> HttpResponse:
    """Carry out what a form asks for, say so, and go ``back``. A refusal that a person can mend is shown by ``page``
    with the state as it is now; what is not there, or not allowed, goes on to the middleware."""
    try:
        change = carry_out(
            service, event_id=event.pk, actor=actor_of(request), command=command_of(request), **arguments
        )
    except DomainError as refusal:
        if refusal.status not in SHOWN_BESIDE_THE_FORM or is_queued(request):
            raise
        event.refresh_from_db()
        return page(refusal)
    messages.success(request, told(change))
    return redirect(back if isinstance(back, str) else back(change))


def show(
    request: HttpRequest,
    event: Event,
    viewer: Viewer,
    page: str,
    *,
    tab: str,
    refusal: DomainError | None = None,
    **context: Any,
) -> HttpResponse:
    """A page under the event's bar, or to htmx its live part. ``page`` is the name of both templates: the part has an
    underscore in front."""
    shown = rounds_shown(event)
    context |= {
        "event": event,
        "viewer": viewer,
        "tabs": _tabs(event, viewer, tab, shown),
        "state_words": _state_words(event, shown),
        "refusal": refusal,
    }
    is_part = request.headers.get("HX-Request") == "true" and "HX-History-Restore-Request" not in request.headers
    name = f"events/desk/{'_' if is_part and page in LIVE else ''}{page}.html"
    response = render(request, name, context, status=refusal.status if refusal is not None else 200)
    response["Vary"] = "HX-Request"
    response["Cache-Control"] = "no-store"
    return response


def rest_of(tables: int) -> int:
    """For how many milliseconds a list of so many tables rests before a page asks for it again: making it and showing
    it takes longer the longer it is, and results come all the time."""
    return 10 * max(0, tables - FEW_TABLES)


def _tabs(event: Event, viewer: Viewer, tab: str, shown: list[Round]) -> list[tuple[str, str, bool]]:
    code = event.code
    tabs: list[tuple[str, str, list[str | int]]] = []
    if viewer.runs_rounds:
        tabs += [("Desk", "desk", [code]), ("Players", "desk_players", [code])]
        if shown:
            number = shown[-1].sequence
            tabs.append((f"Round {number}", "desk_round", [code, number]))
    if viewer.decides_results:
        tabs.append(("Floor", "floor", [code]))
        if event.state == Event.State.REGISTRATION or decklist_rules(event.rules).asks:
            tabs.append(("Decklists", "desk_decklists", [code]))
    if viewer.checks_decks:
        tabs.append(("Deck checks", "desk_deck_checks", [code]))
    if viewer.follows_event:
        tabs.append(("Papers", "papers", [code]))
    if viewer.runs_rounds:
        tabs.append(("Prizes", "desk_closing", [code]))
    if viewer.runs_event:
        tabs += [("Staff", "desk_staff", [code]), ("Notices", "desk_deliveries", [code])]
        tabs.append(("Settings", "desk_settings", [code]))
    else:
        tabs.append(("My role", "my_roles", [code]))
    found = [(words, reverse(f"events:{name}", args=args), name == tab) for words, name, args in tabs]
    return [*found, ("Public page", f"/e/{code}/", False)]


def _state_words(event: Event, shown: list[Round]) -> str:
    if event.archived_at is not None:
        return f"{event.get_state_display()}, in the archive"
    if event.state != Event.State.RUNNING or not shown:
        return event.get_state_display()
    return f"Round {shown[-1].sequence}: {shown[-1].get_state_display().lower()}"


@at_desk("is_staff")
@require_safe
def overview(request: HttpRequest, event: Event, viewer: Viewer) -> HttpResponse:
    """For judges, the desk is the floor; for who checks decks, what there is to check."""
    if not viewer.runs_rounds:
        places = (("decides_results", "floor"), ("checks_decks", "desk_deck_checks"), ("is_staff", "my_roles"))
        place = next(name for right, name in places if getattr(viewer, right))
        return redirect(f"events:{place}", code=event.code)
    return _overview(request, event, viewer)


def _overview(request: HttpRequest, event: Event, viewer: Viewer, refusal: DomainError | None = None) -> HttpResponse:
    state = desk_state(event)
    facts = state.facts
    step = next_step(facts)
    return show(
        request,
        event,
        viewer,
        "overview",
        tab="desk",
        refusal=refusal,
        facts=facts,
        step=step,
        step_url=_step_url(event, step),
        versioned=step.code not in (StepCode.START_CLOCK, StepCode.CALL_TIME),
        may_step=viewer.runs_event or step.code not in ORGANISERS_ONLY,
        consequence=CONSEQUENCES.get(step.code, "") if step.code is not None else "",
        blockers=[(blocker, *_mend(event, blocker, step.round)) for blocker in step.blockers],
        stages=state.stages,
        by_hand=step.code is StepCode.DRAFT_ROUND and _plays_swiss(state.stages),
        warnings=_warnings(event, facts),
        round=state.round,
        clock=state.clock if state.round is not None and state.round.state == Round.State.PLAYING else None,
    )


def _plays_swiss(stages: list[Stage]) -> bool:
    return any(stage.state == Stage.State.ACTIVE and stage.kind == Stage.Kind.SWISS for stage in stages)


ORGANISERS_ONLY = (StepCode.START_EVENT, StepCode.FINISH_EVENT)
CONSEQUENCES = {
    StepCode.START_EVENT: "Registration closes, and whoever is not checked in is dropped.",
    StepCode.POST_ROUND: "Every player in it is told, and from here on the pairings stand.",
    StepCode.BEGIN_STAGE: "The stage before it is closed for good.",
    StepCode.FINISH_EVENT: "The placing becomes final, and the secret behind every draw is shown.",
    StepCode.COMPLETE_ROUND: "The standings after it are stored and shown to everybody.",
}
MENDS = {
    "too_few_players": "Check players in",
    "not_checked_in": "Check players in",
}


def _mend(event: Event, blocker: Blocker, number: int | None) -> tuple[str, str]:
    """(address, words) of where a blocker can be seen to."""
    if blocker.code.startswith("decklists_"):
        return reverse("events:desk_decklists", args=[event.code]), "See the decklists"
    if blocker.code in MENDS:
        return reverse("events:desk_players", args=[event.code]), MENDS[blocker.code]
    if blocker.code == "drafting":
        return reverse("events:overview", args=[event.code]), "See the draft"
    place = {"disputed": "#disputes", "playing": "#entry", "reported": "#tables"}.get(blocker.code, "")
    if blocker.code == "dropped_after_posting":
        return reverse("events:desk_round", args=[event.code, number]), "Mend the round"
    words = {"disputed": "Decide", "playing": "Enter results", "reported": "See the tables"}.get(blocker.code, "See it")
    return reverse("events:desk_round", args=[event.code, number]) + place, words


ROUND_STEPS = {
    StepCode.POST_ROUND: "post",
    StepCode.START_CLOCK: "start-clock",
    StepCode.CALL_TIME: "call-time",
    StepCode.COMPLETE_ROUND: "complete",
}


def _step_url(event: Event, step: Step) -> str:
    if step.code is None:
        return ""
    if step.code in ROUND_STEPS:
        return reverse("events:round_step", args=[event.code, step.round, ROUND_STEPS[step.code]])
    return reverse("events:desk_step", args=[event.code, step.code.value.replace("_", "-")])


def _warnings(event: Event, facts: DeskFacts) -> list[str]:
    """What the Swiss rounds can't promise with the players who are there, before the first is drafted."""
    if facts.checked_in < 2 or facts.last_round:
        return []
    swiss = next((stage for stage in event.rules["stages"] if stage["kind"] == "swiss"), None)
    if swiss is None or swiss.get("within_pods"):
        return []
    planned = swiss["rounds"] or number_of_rounds(facts.checked_in)
    return [warning_sentence(warning) for warning in check_rounds(facts.checked_in, planned)]


def _started(change: Change) -> str:
    absent = change.facts["no_shows"]
    return f"The event has started. Dropped as no-shows: {', '.join(absent)}." if absent else "The event has started."


STEPS: dict[str, tuple[Callable[..., Change], str, Callable[[Change], str]]] = {
    "start-event": (setup.start_event, "runs_event", _started),
    "draft-round": (
        rounds.draft_round,
        "runs_rounds",
        lambda change: f"Round {change.facts['round']} is drafted. Only staff see it until you post it.",
    ),
    "begin-stage": (stage_services.begin_next_stage, "runs_rounds", lambda _: "The next stage has begun."),
    "finish-event": (setup.finish_event, "runs_event", lambda _: "The event is finished. Its secret is public now."),
}


@at_desk("runs_rounds")
@require_POST
def do_step(request: HttpRequest, event: Event, viewer: Viewer, step: str) -> HttpResponse:
    """The steps that belong to no open round."""
    if step not in STEPS:
        raise Http404
    service, right, told = STEPS[step]
    viewer.require(getattr(viewer, right))

    def back(change: Change) -> str:
        if step == "draft-round":
            return reverse("events:desk_round", args=[event.code, change.facts["round"]])
        return reverse("events:desk", args=[event.code])

    return attempt(
        request,
        event,
        service,
        told=told,
        back=back,
        page=lambda refusal: _overview(request, event, viewer, refusal),
    )
