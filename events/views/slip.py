"""Where the code on a table's result slip leads: staff to the table, its players to their own report."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_safe

from events.queries.games import posted_match, sits_at
from events.views.commands import event_and_viewer


@login_required
@require_safe
def slip(request: HttpRequest, code: str, match_id: int) -> HttpResponse:
    """Whoever enters results goes to the match at the floor, a player of it to their page, others to the pairings."""
    event, viewer = event_and_viewer(request, code)
    match = posted_match(event, match_id)
    if viewer.player is not None and sits_at(viewer.player, match_id):
        return redirect("events:me", code=code)
    if viewer.decides_results:
        return redirect("events:floor_match", code=code, match_id=match.pk)
    return redirect("events:pairings", code=code)
