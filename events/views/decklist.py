"""A player hands in a decklist: text on one side, the verdict by the event's own rules and pool on the other."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST

from config.errors import DomainError
from decks.forms import DecklistField, decklist_file
from decks.panels import Panel, panel_of_check, panel_of_decklist
from decks.queries import check_text
from decks.queries.standing import judged_today
from decks.views.posting import Posted, posted
from events.models import DecklistSubmission, Event, Player
from events.queries import player_pages as queries
from events.queries.public_pages import Situation, situation_of
from events.services import submission
from events.views.commands import actor_of, carry_out, command_of, event_and_viewer
from events.views.kept import kept
from events.views.pages import show
from events.views.player_forms import acts

MOST_VERSIONS = 20
OPEN = (Event.State.REGISTRATION, Event.State.RUNNING)


class SubmitForm(forms.Form):
    text = DecklistField(
        label="Decklist",
        required=False,
        help_text="One card a line: 3x Name. Write Sideboard above the cards of the sideboard. What another program "
        "exports can be pasted as it is.",
    )
    file = decklist_file()


def _form_of(sent: Posted) -> SubmitForm:
    form = SubmitForm(sent.data)
    sent.tell(form)
    if form.is_valid() and not form.cleaned_data["text"].strip():
        form.add_error("text", "Write or paste your list, or choose its file first.")
    return form


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def decklist(request: HttpRequest, code: str) -> HttpResponse:
    """GET shows what counts now; POST with ``hand_in`` submits, without it only checks (a mend, or no JavaScript)."""
    event, viewer = event_and_viewer(request, code)
    player = viewer.require_player()
    situation = situation_of(event)
    versions = queries.submissions_of(player)
    pool = _pool(player, situation)
    closed = queries.decklists_closed_to(player, event, situation.now, has_rounds=situation.has_rounds)
    current, status, refusal, panel = _current(versions), 200, None, None
    sent = posted(request, game=event.game) if request.method == "POST" else None
    if sent is not None:
        form = _form_of(sent)
        if not form.is_valid():
            status = 400
        elif "hand_in" in request.POST:
            try:
                return _hand_in(request, event, player, form.cleaned_data["text"])
            except DomainError as error:
                status, refusal = error.status, error
        if form.is_valid():
            panel = _panel(event, form.cleaned_data["text"], pool)
    else:
        form = SubmitForm(initial={"text": versions[0].decklist.text if versions else ""})
        if current is not None:
            panel = (
                panel_of_decklist(decklist=current.decklist) if closed else _panel(event, current.decklist.text, pool)
            )
    context: dict[str, Any] = {
        "player": player,
        "form": form,
        "sent": sent,
        "panel": panel,
        "leads_to_lines": True,
        "refusal": refusal,
        "current": current,
        "today": None if current is None else judged_today(decklist=current.decklist, day=timezone.localdate()),
        "versions": versions[:MOST_VERSIONS],
        "closed": closed,
        "last": versions[0] if versions else None,
        "asks_consent": event.decklist_publication == Event.Publication.CUT,
        "consent_open": event.state in OPEN and not (situation.elimination and situation.elimination.seeds),
        "waits_for_pool": situation.is_limited and not pool,
        "pool": pool,
    }
    page = show(
        request,
        "decklist",
        context,
        event=event,
        viewer=viewer,
        situation=situation,
        here="me",
        status=status,
        refreshes=False,
    )
    return kept(page, "decklist")


def _hand_in(request: HttpRequest, event: Event, player: Player, text: str) -> HttpResponse:
    change = carry_out(
        submission.submit_decklist,
        event_id=event.pk,
        actor=actor_of(request),
        player_id=player.pk,
        text=text,
        command=command_of(request),
    )
    if change.facts["outcome"] == "legal":
        messages.success(request, f"Handed in and legal. Its fingerprint is {change.facts['fingerprint']}.")
    else:
        messages.warning(
            request,
            f"Handed in, and {change.facts['outcome']}. See why, mend it and hand it in again before the deadline.",
        )
    return redirect("events:decklist", code=event.code)


@acts
def withdraw(request: HttpRequest, code: str) -> HttpResponse:
    event, viewer = event_and_viewer(request, code)
    carry_out(
        submission.withdraw_decklist,
        event_id=event.pk,
        actor=actor_of(request),
        player_id=viewer.require_player().pk,
        command=command_of(request),
    )
    messages.success(request, "Your decklist is withdrawn. Its text is still here: hand it in again to undo that.")
    return redirect("events:decklist", code=event.code)


@acts
def consent(request: HttpRequest, code: str) -> HttpResponse:
    """A checkbox: what is not sent is not agreed to."""
    event, viewer = event_and_viewer(request, code)
    change = carry_out(
        submission.consent_to_publication,
        event_id=event.pk,
        actor=actor_of(request),
        player_id=viewer.require_player().pk,
        shows="shows" in request.POST,
        command=command_of(request),
    )
    if change.facts["shows"]:
        messages.success(request, "Everybody may read your decklist from the cut on, if you are in it.")
    else:
        messages.success(request, "Your decklist stays private.")
    return redirect("events:decklist", code=event.code)


@login_required
@require_POST
def check(request: HttpRequest, code: str) -> HttpResponse:
    """The verdict alone, while a list is being written. Nothing is stored."""
    event, viewer = event_and_viewer(request, code)
    player = viewer.require_player()
    sent = posted(request, game=event.game)
    form = _form_of(sent)
    panel = None
    if form.is_valid():
        panel = _panel(event, form.cleaned_data["text"], _pool(player, situation_of(event)))
    context = {
        "form": form,
        "panel": panel,
        "sent": sent,
        "is_live": True,
        "mend_form": "deck-form",
        "leads_to_lines": not sent.kind,
    }
    status = 200 if panel is not None or not sent.data.get("text", "").strip() else 400
    return render(request, "events/_decklist_answer.html", context, status=status)


def _current(versions: list[DecklistSubmission]) -> DecklistSubmission | None:
    return next((version for version in versions if version.replaced_at is None), None)


def _pool(player: Player, situation: Situation) -> Mapping[int, int] | None:
    if not situation.is_limited:
        return None
    return {row.card.pk: row.count for row in queries.pool_of(player)}


def _panel(event: Event, text: str, pool: Mapping[int, int] | None) -> Panel:
    version, day = event.format_version, event.legality_date
    kept = event.kept_rules_id
    checked = check_text(text=text, game=event.game, format_version=version, day=day, pool=pool, kept=kept)
    return panel_of_check(checked=checked, format_version=version, day=day)
