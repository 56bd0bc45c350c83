"""Players at the desk: who is here, who has a decklist, who comes and goes."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import urlencode

from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from config.errors import DomainError
from decks.panels import panel_of_decklist
from decks.views.posting import posted
from events.engine.decklist_rules import decklist_rules
from events.forms import AddPlayerForm, StaffDecklistForm
from events.models import Event, Player
from events.queries.access import Viewer
from events.queries.desk import current_submission, player_rows
from events.queries.visibility import player_in
from events.services import registration, submission
from events.services.transaction import Change
from events.views.desk import at_desk, attempt, show


@at_desk("runs_rounds")
@require_safe
def players(request: HttpRequest, event: Event, viewer: Viewer) -> HttpResponse:
    return _players(request, event, viewer)


def _players(
    request: HttpRequest,
    event: Event,
    viewer: Viewer,
    refusal: DomainError | None = None,
    form: AddPlayerForm | None = None,
) -> HttpResponse:
    query = (request.POST.get("q") or request.GET.get("q") or "")[:60]
    rows = player_rows(event=event, query=query)
    return show(
        request,
        event,
        viewer,
        "players",
        tab="desk_players",
        refusal=refusal,
        rows=rows,
        origin=request.build_absolute_uri("/").rstrip("/"),
        query=query,
        counts=[
            (words, sum(row.player.state == state for row in rows))
            for state, words in (
                (Player.State.CHECKED_IN, "checked in"),
                (Player.State.REGISTERED, "expected"),
                *([(Player.State.WAITLISTED, "on the waitlist")] if event.waitlist else []),
            )
        ],
        form=form or AddPlayerForm(),
        registering=event.state == Event.State.REGISTRATION,
        is_open=event.state in (Event.State.REGISTRATION, Event.State.RUNNING),
        asks_decklists=decklist_rules(event.rules).asks,
    )


@at_desk("runs_rounds")
@require_POST
def add(request: HttpRequest, event: Event, viewer: Viewer) -> HttpResponse:
    form = AddPlayerForm(request.POST)

    def refused(refusal: DomainError) -> HttpResponse:
        return _players(request, event, viewer, refusal, form)

    if not form.is_valid():
        return refused(DomainError("player.form", "Nobody was added: look at the name."))
    return attempt(
        request,
        event,
        registration.add_player,
        told=_added,
        back=lambda change: f"{reverse('events:desk_players', args=[event.code])}#player-{change.facts['player']}",
        page=refused,
        name=form.cleaned_data["name"],
    )


def _added(change: Change) -> str:
    where = "on the waitlist" if change.facts["state"] == Player.State.WAITLISTED else "in"
    return f"{change.facts['name']} is {where}. Give them the link that stands beside the name."


ACTIONS: dict[str, tuple[Callable[..., Change], str]] = {
    "check-in": (registration.check_in, "{name} is checked in."),
    "undo-check-in": (registration.undo_check_in, "{name} is not checked in any more."),
    "drop": (registration.drop_player, "{name} has dropped."),
    "reinstate": (registration.reinstate_player, "{name} is back in the event."),
}


@at_desk("runs_rounds")
@require_POST
def act(request: HttpRequest, event: Event, viewer: Viewer, player_id: int, action: str) -> HttpResponse:
    if action not in ACTIONS:
        raise Http404
    service, told = ACTIONS[action]
    player = player_in(event, player_id)
    query = request.POST.get("q", "")[:60]
    back = reverse("events:desk_players", args=[event.code])
    back = f"{back}{'?' + urlencode({'q': query}) if query else ''}#player-{player.pk}"
    at_the_door = request.POST.get("from") == "check-in"
    return attempt(
        request,
        event,
        service,
        told=lambda _: told.format(name=player.name),
        back=reverse("events:desk_check_in", args=[event.code]) if at_the_door else back,
        page=lambda refusal: _players(request, event, viewer, refusal),
        player_id=player.pk,
    )


@at_desk("decides_results")
@require_http_methods(["GET", "HEAD", "POST"])
def decklist(request: HttpRequest, event: Event, viewer: Viewer, player_id: int) -> HttpResponse:
    """Read a player's decklist, and hand one in for them. Staff who play may hand one in, and read none."""
    player = player_in(event, player_id)
    if request.method != "POST":
        return _decklist(request, event, viewer, player)
    sent = posted(request, game=event.game)
    form = StaffDecklistForm(sent.data)
    sent.tell(form)
    if not form.is_valid():
        refusal = DomainError("decklist.form", "Nothing was handed in: look at what is marked below.")
        return _decklist(request, event, viewer, player, refusal, form)
    return attempt(
        request,
        event,
        submission.submit_decklist,
        told=lambda change: f"The decklist of {player.name} is in: {change.facts['outcome']}.",
        back=reverse("events:desk_decklist", args=[event.code, player.pk]),
        page=lambda refusal: _decklist(request, event, viewer, player, refusal, form),
        player_id=player.pk,
        text=form.cleaned_data["text"],
        reason=form.cleaned_data["reason"],
        by_staff=True,
    )


def _decklist(
    request: HttpRequest,
    event: Event,
    viewer: Viewer,
    player: Player,
    refusal: DomainError | None = None,
    form: StaffDecklistForm | None = None,
) -> HttpResponse:
    handed_in = current_submission(player)
    readable = viewer.sees_decklists or player == viewer.player
    panel = panel_of_decklist(decklist=handed_in.decklist) if handed_in is not None and readable else None
    text = handed_in.decklist.text if handed_in is not None and readable else ""
    return show(
        request,
        event,
        viewer,
        "decklist",
        tab="desk_players",
        refusal=refusal,
        player=player,
        submission=handed_in,
        readable=readable,
        panel=panel,
        form=form or StaffDecklistForm(initial={"text": text}),
        is_open=event.state in (Event.State.REGISTRATION, Event.State.RUNNING),
    )
