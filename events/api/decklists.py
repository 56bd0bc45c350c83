"""The board of decklists, for programs: who lacks one, reminders, and what is asked."""

from __future__ import annotations

from django.urls import path
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.decorators import api_view
from rest_framework.request import Request
from rest_framework.response import Response

from events.api.commands import IDEMPOTENCY_KEY, carry_out, event_and_viewer, read
from events.api.serializers.changes import Changed
from events.api.serializers.fields import Whole
from events.api.serializers.requests import MAX_NUMBER, PlainCommand
from events.engine.decklist_rules import MODES, WITHOUT, decklist_rules
from events.queries.decklists import NEED, decklist_board
from events.services import missing_lists, reminders


class DecklistRulesAnswer(serializers.Serializer):
    mode = serializers.ChoiceField(list(MODES))
    without = serializers.ChoiceField(list(WITHOUT), help_text="What becomes of who has no legal one before round 1.")
    due = serializers.DateTimeField(allow_null=True, help_text="Null: until round 1 is posted.")


class DecklistRow(serializers.Serializer):
    player = serializers.IntegerField(source="player.pk")
    name = serializers.CharField(source="player.name")
    state = serializers.ChoiceField(NEED)
    handed_in_at = serializers.DateTimeField(allow_null=True)
    reminded_at = serializers.DateTimeField(source="player.decklist_reminded_at", allow_null=True)
    violations = serializers.SerializerMethodField(help_text="Empty for staff who play.")

    def get_violations(self, row: object) -> list[str]:
        return [*getattr(row, "told", ()), *getattr(row, "more", ())]


class DecklistBoard(serializers.Serializer):
    rules = DecklistRulesAnswer()
    rows = DecklistRow(many=True)


class Remind(PlainCommand):
    player = Whole(required=False, min_value=1, max_value=MAX_NUMBER, help_text="Without it, everybody who lacks one.")


class Reminded(Changed):
    reminded = serializers.ListField(child=serializers.IntegerField(), help_text="Players.")
    lately = serializers.IntegerField(help_text="How many were left out, since they were reminded minutes ago.")


class DecklistRulesChange(PlainCommand):
    mode = serializers.ChoiceField(list(MODES))
    without = serializers.ChoiceField(list(WITHOUT), default="wait")


class DecklistRulesChanged(Changed):
    mode = serializers.ChoiceField(list(MODES))
    without = serializers.ChoiceField(list(WITHOUT))


@extend_schema(responses=DecklistBoard, operation_id="get_decklist_board")
@api_view(["GET"])
def board(request: Request, code: str) -> Response:
    """Staff: everybody with or waiting for a place, who needs something first."""
    event, viewer = event_and_viewer(request, code)
    viewer.require(viewer.decides_results)
    rules = decklist_rules(event.rules)
    asked = {"mode": rules.mode, "without": rules.without, "due": event.decklist_deadline}
    return Response(DecklistBoard({"rules": asked, "rows": decklist_board(event, reads=viewer.sees_decklists)}).data)


@extend_schema(
    parameters=[IDEMPOTENCY_KEY], request=Remind, responses=Reminded, operation_id="remind_of_missing_decklists"
)
@api_view(["POST"])
def remind(request: Request, code: str) -> Response:
    """Staff: ask players for decklists that are missing or illegal, each once in ten minutes at most."""
    event, viewer = event_and_viewer(request, code)
    viewer.require(viewer.runs_rounds)
    values = read(request, Remind)
    return carry_out(
        request,
        viewer,
        reminders.remind_of_decklists,
        event=event,
        version=values.get("version"),
        player_id=values.get("player"),
    )


@extend_schema(
    parameters=[IDEMPOTENCY_KEY],
    request=DecklistRulesChange,
    responses=DecklistRulesChanged,
    operation_id="change_decklist_rules",
)
@api_view(["POST"])
def change_rules(request: Request, code: str) -> Response:
    """Organiser: whether decklists are asked for, and what becomes of who has none; until the event starts."""
    event, viewer = event_and_viewer(request, code)
    viewer.require(viewer.runs_event)
    values = read(request, DecklistRulesChange)
    return carry_out(
        request,
        viewer,
        missing_lists.change_decklist_rules,
        event=event,
        version=values.get("version"),
        needs_version=True,
        mode=values["mode"],
        without=values["without"],
    )


urlpatterns = [
    path("events/<slug:code>/decklists", board),
    path("events/<slug:code>/decklists/remind", remind),
    path("events/<slug:code>/decklists/rules", change_rules),
]
