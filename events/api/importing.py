"""Lists of players, for programs: looked at first, then brought in or taken out again."""

from __future__ import annotations

from django.urls import path
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.decorators import api_view
from rest_framework.request import Request
from rest_framework.response import Response

from decks.serializers import Strict, Text
from events.api.commands import IDEMPOTENCY_KEY, carry_out, event_and_viewer, read
from events.api.serializers.changes import Changed
from events.api.serializers.fields import Whole, YesOrNo
from events.api.serializers.requests import PlainCommand
from events.engine.rosters import LAST_TABLE, MAX_ROWS, MOST_BYES, Entry
from events.queries.importing import plan_of_import
from events.services import importing


class ImportRow(Strict):
    name = Text(max_length=200, allow_blank=True)
    public_name = Text(max_length=200, allow_blank=True, default="", help_text="What everybody but staff reads.")
    paid = YesOrNo(default=False)
    team = Text(max_length=200, allow_blank=True, default="")
    assigned_byes = Whole(default=0, min_value=0, max_value=MOST_BYES)
    fixed_table = Whole(default=0, min_value=0, max_value=LAST_TABLE, help_text="That the player needs; 0 for none.")


class ImportPlayers(PlainCommand):
    rows = serializers.ListField(child=ImportRow(), allow_empty=False, max_length=MAX_ROWS)
    dry_run = YesOrNo(default=False, help_text="Only say what would become of each row. Nothing is changed.")
    leave_out_problems = YesOrNo(default=False, help_text="Else one row with a problem stops the whole list.")


class ImportCounts(serializers.Serializer):
    new = serializers.IntegerField()
    waitlist = serializers.IntegerField()
    there = serializers.IntegerField()
    twice = serializers.IntegerField()
    problem = serializers.IntegerField()


class RowVerdictAnswer(serializers.Serializer):
    row = serializers.IntegerField(source="entry.line", help_text="From 1.")
    name = serializers.CharField(help_text="As it would be stored.")
    verdict = serializers.ChoiceField(["new", "waitlist", "there", "twice", "problem"])
    message = serializers.CharField(help_text="How to mend a problem, or what is worth a look.")


class ImportPreview(serializers.Serializer):
    version = serializers.IntegerField(help_text="Of the event; nothing has changed it.")
    counts = ImportCounts()
    rows = RowVerdictAnswer(many=True)


class LeftOut(serializers.Serializer):
    there = serializers.IntegerField()
    twice = serializers.IntegerField()
    problem = serializers.IntegerField()


class PlayersImported(Changed):
    list = serializers.CharField(help_text="By which the list can be taken out again.")
    players = serializers.ListField(child=serializers.IntegerField(), help_text="Who came in, by row.")
    waiting = serializers.IntegerField(help_text="How many of them are on the waitlist.")
    left_out = LeftOut()


class ImportUndone(Changed):
    list = serializers.CharField()
    removed = serializers.IntegerField()
    kept = serializers.ListField(child=serializers.IntegerField(), help_text="Players who had begun to take part.")


@extend_schema(
    parameters=[IDEMPOTENCY_KEY],
    request=ImportPlayers,
    responses={200: ImportPreview, 201: PlayersImported},
    operation_id="import_players",
)
@api_view(["POST"])
def import_players(request: Request, code: str) -> Response:
    """Staff: enter everybody of a list who is not there yet, before the start; all of them or nobody. With `dry_run`
    only say what would become of each row."""
    event, viewer = event_and_viewer(request, code)
    viewer.require(viewer.runs_rounds)
    values = read(request, ImportPlayers)
    entries = [Entry(line=number, **row) for number, row in enumerate(values["rows"], 1)]
    if values["dry_run"]:
        plan = plan_of_import(event, entries)
        return Response(ImportPreview({"version": event.version, "counts": plan.counts, "rows": plan.rows}).data)
    return carry_out(
        request,
        viewer,
        importing.import_players,
        event=event,
        version=values.get("version"),
        needs_version=True,
        created=True,
        entries=entries,
        leave_out_problems=values["leave_out_problems"],
    )


@extend_schema(
    parameters=[IDEMPOTENCY_KEY], request=PlainCommand, responses=ImportUndone, operation_id="undo_import_of_players"
)
@api_view(["POST"])
def undo_import(request: Request, code: str, token: str) -> Response:
    """Staff: take out again who came in with a list and has done nothing since, before the start."""
    event, viewer = event_and_viewer(request, code)
    viewer.require(viewer.runs_rounds)
    values = read(request, PlainCommand)
    return carry_out(
        request,
        viewer,
        importing.undo_import,
        event=event,
        version=values.get("version"),
        needs_version=True,
        token=token,
    )


urlpatterns = [
    path("events/<slug:code>/players/import", import_players),
    path("events/<slug:code>/players/import/<slug:token>/undo", undo_import),
]
