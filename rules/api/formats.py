"""Formats, for programs: what is legal on a day, the lists, what changed, and everything that ever did."""

from __future__ import annotations

from typing import Any

from django.urls import path
from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from cards.api import PublicView, QueryParameters, page_of
from cards.queries import game_by_slug
from config.errors import NotFound
from rules import queries
from rules.api.parameters import DayParameters, GamePageParameters
from rules.engine.formatschema import FormatDefinition
from rules.models import Section

KINDS = ["version", "pool", "status", "tag", "erratum"]


class TwoPointsParameters(QueryParameters):
    """``from`` and ``to`` are versions ("2024") or days ("2024-12-31")."""

    to = serializers.CharField(required=False, max_length=20, help_text="A version or a day; else the newest version.")

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        said = "A version or a day; without it the version before the newest."
        return {"from": serializers.CharField(required=False, max_length=20, help_text=said), **super().get_fields()}


class FormatAnswer(serializers.Serializer):
    game = serializers.CharField(source="game.slug")
    slug = serializers.CharField()
    name = serializers.CharField()


class FormatsAnswer(serializers.Serializer):
    count = serializers.IntegerField()
    results = FormatAnswer(many=True)


class DocumentOfVersionAnswer(serializers.Serializer):
    slug = serializers.CharField()
    version = serializers.CharField()
    title = serializers.CharField()
    date_note = serializers.CharField(help_text="What is known of its days, where they aren't known.")


class VersionAnswer(serializers.Serializer):
    version = serializers.CharField()
    since = serializers.DateField(source="during.lower", allow_null=True, help_text="null: since when isn't known.")
    until = serializers.DateField(source="during.upper", allow_null=True, help_text="The first day without it.")
    digest = serializers.CharField()
    document = DocumentOfVersionAnswer()


class FormatOnDayAnswer(serializers.Serializer):
    slug = serializers.CharField(source="format.slug")
    name = serializers.CharField(source="format.name")
    in_force = VersionAnswer(source="version", allow_null=True, help_text="null: no version is in force on the day.")


class FormatsOnDayAnswer(serializers.Serializer):
    game = serializers.CharField()
    on = serializers.DateField()
    formats = FormatOnDayAnswer(many=True)


class StatusAnswer(serializers.Serializer):
    card = serializers.CharField(source="card.name")
    card_slug = serializers.CharField(source="card.slug")
    status = serializers.ChoiceField(["banned", "restricted", "limit", "points"])
    max_copies = serializers.IntegerField(allow_null=True)
    points = serializers.IntegerField(allow_null=True)
    zone = serializers.CharField(help_text="The only zone that it speaks of; empty for all.")
    since = serializers.DateField(source="during.lower", allow_null=True, help_text="null: since when isn't known.")
    until = serializers.DateField(source="during.upper", allow_null=True, help_text="The first day without it.")
    announced_on = serializers.DateField(allow_null=True)
    source = serializers.CharField()  # type: ignore[assignment]  # a field may be called so; DRF moves it
    section = serializers.CharField()


class TaggedAnswer(serializers.Serializer):
    card = serializers.CharField(source="card.name")
    card_slug = serializers.CharField(source="card.slug")
    since = serializers.DateField(source="during.lower", allow_null=True, help_text="null: since when isn't known.")
    until = serializers.DateField(source="during.upper", allow_null=True, help_text="The first day without it.")
    announced_on = serializers.DateField(allow_null=True)
    source = serializers.CharField()  # type: ignore[assignment]  # a field may be called so; DRF moves it


class TagListAnswer(serializers.Serializer):
    tag = serializers.CharField()
    cards = TaggedAnswer(many=True)


class ListsAnswer(FormatAnswer):
    on = serializers.DateField()
    version = serializers.CharField()
    statuses = StatusAnswer(many=True)
    tags = TagListAnswer(many=True)


class TimelineEventAnswer(serializers.Serializer):
    kind = serializers.ChoiceField(KINDS)
    subject = serializers.CharField()
    before = serializers.CharField(help_text="Empty where nothing went before, or nobody knows what did.")
    after = serializers.CharField()
    cite = serializers.CharField()


class MomentAnswer(serializers.Serializer):
    day = serializers.DateField(allow_null=True, help_text="null: since when isn't known.")
    source = serializers.CharField()  # type: ignore[assignment]  # a field may be called so; DRF moves it
    announced_on = serializers.DateField(allow_null=True)
    events = TimelineEventAnswer(many=True)


class TimelineAnswer(FormatAnswer):
    moments = MomentAnswer(many=True)


class FormatDetailAnswer(FormatAnswer):
    on = serializers.DateField()
    version = serializers.CharField(source="in_force.version")
    digest = serializers.CharField(source="in_force.digest")
    since = serializers.DateField(source="in_force.during.lower", allow_null=True)
    until = serializers.DateField(source="in_force.during.upper", allow_null=True)
    document = DocumentOfVersionAnswer(source="in_force.document")
    definition = serializers.DictField(source="in_force.definition", help_text="As the schema called format has it.")
    lists = StatusAnswer(many=True)
    versions = VersionAnswer(many=True)
    next_changes = MomentAnswer(many=True, help_text="All of the first day after this one; empty: none is announced.")


class RuleChangeAnswer(serializers.Serializer):
    before = serializers.CharField(help_text="Empty where the earlier says nothing of it.")
    after = serializers.CharField(help_text="Empty where the later says nothing of it.")
    cite = serializers.CharField()
    section = serializers.SerializerMethodField(help_text="Document, version and number of the section cited.")

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        # A serializer has a ``label`` of its own, so that the name can't be an attribute of its class.
        return {"label": serializers.CharField(), **super().get_fields()}

    def get_section(self, change: queries.Change) -> dict[str, str] | None:
        section: Section | None = change.section
        if section is None:
            return None
        return {"document": section.document.slug, "version": section.document.version, "number": section.number}


class CardChangeAnswer(serializers.Serializer):
    card = serializers.CharField(source="card.name")
    card_slug = serializers.CharField(source="card.slug")
    before = serializers.CharField()
    after = serializers.CharField()
    source = serializers.CharField()  # type: ignore[assignment]  # a field may be called so; DRF moves it
    cite = serializers.CharField()


class PointAnswer(serializers.Serializer):
    version = serializers.CharField(source="version.version")
    day = serializers.DateField()


class ChangesAnswer(FormatAnswer):
    before = PointAnswer()
    after = PointAnswer()
    rules = RuleChangeAnswer(many=True)
    lists = CardChangeAnswer(many=True)


class FormatsView(PublicView):
    @extend_schema(parameters=[GamePageParameters], responses=FormatsAnswer, operation_id="list_formats")
    def get(self, request: Request) -> Response:
        values = GamePageParameters.of(request)
        game = game_by_slug(slug=values["game"]) if "game" in values else None
        count, formats = page_of(queries.formats(game=game), values)
        return Response(FormatsAnswer({"count": count, "results": formats}).data)


class FormatsOfGameView(PublicView):
    @extend_schema(parameters=[DayParameters], responses=FormatsOnDayAnswer, operation_id="list_formats_of_game")
    def get(self, request: Request, game: str) -> Response:
        """Every format of the game with the version in force on the day."""
        day = DayParameters.of(request).get("on") or timezone.localdate()
        found = queries.formats_on(day=day, game=game_by_slug(slug=game))
        return Response(FormatsOnDayAnswer({"game": game, "on": day, "formats": found}).data)


class FormatView(PublicView):
    @extend_schema(parameters=[DayParameters], responses=FormatDetailAnswer, operation_id="get_format")
    def get(self, request: Request, game: str, slug: str) -> Response:
        """The version in force on the day, with the lists of that day and what changes next."""
        day = DayParameters.of(request).get("on") or timezone.localdate()
        found = queries.format_by_slug(game=game, slug=slug)
        answer = {
            "game": found.game,
            "slug": found.slug,
            "name": found.name,
            "on": day,
            "in_force": queries.format_version_on(format=found, day=day),
            "lists": queries.status_entries_on(format=found, day=day),
            "versions": queries.versions_of(format=found),
            "next_changes": queries.next_moments(queries.timeline_of(format=found), after=day),
        }
        return Response(FormatDetailAnswer(answer).data)


class ListsView(PublicView):
    @extend_schema(parameters=[DayParameters], responses=ListsAnswer, operation_id="get_lists_of_format")
    def get(self, request: Request, game: str, slug: str) -> Response:
        """Banned, restricted and limited cards, points, and the cards of each tag that a rule counts, on the day."""
        day = DayParameters.of(request).get("on") or timezone.localdate()
        found = queries.format_by_slug(game=game, slug=slug)
        version = queries.format_version_on(format=found, day=day)
        definition = FormatDefinition.model_validate(version.definition)
        answer = {
            "game": found.game,
            "slug": found.slug,
            "name": found.name,
            "on": day,
            "version": version.version,
            "statuses": queries.status_entries_on(format=found, day=day),
            "tags": queries.tag_lists_on(definition=definition, game=found.game, day=day),
        }
        return Response(ListsAnswer(answer).data)


class ChangesView(PublicView):
    @extend_schema(parameters=[TwoPointsParameters], responses=ChangesAnswer, operation_id="compare_versions_of_format")
    def get(self, request: Request, game: str, slug: str) -> Response:
        """Rules, policies and lists of two versions or days, compared entry by entry."""
        values = TwoPointsParameters.of(request)
        found = queries.format_by_slug(game=game, slug=slug)
        versions = [version.version for version in queries.versions_of(format=found)]
        if not versions:
            raise NotFound("format.no_version", f"{found.name} has no version yet.", {"format": found.slug})
        before, after = queries.points_between(
            format=found,
            before=values.get("from") or versions[min(1, len(versions) - 1)],
            after=values.get("to") or versions[0],
            today=timezone.localdate(),
        )
        changes = queries.changes_between(before=before, after=after)
        answer = {
            "game": found.game,
            "slug": found.slug,
            "name": found.name,
            "before": before,
            "after": after,
            "rules": changes.rows,
            "lists": changes.lists,
        }
        return Response(ChangesAnswer(answer).data)


class TimelineView(PublicView):
    @extend_schema(responses=TimelineAnswer, operation_id="get_timeline_of_format")
    def get(self, request: Request, game: str, slug: str) -> Response:
        """Everything that ever changed or is announced to, by day and source, the newest first."""
        QueryParameters.of(request)
        found = queries.format_by_slug(game=game, slug=slug)
        moments = queries.timeline_of(format=found)
        answer = {"game": found.game, "slug": found.slug, "name": found.name, "moments": moments}
        return Response(TimelineAnswer(answer).data)


_ONE = "games/<slug:game>/formats/<slug:slug>"
urlpatterns = [
    path("formats", FormatsView.as_view(), name="formats"),
    path("games/<slug:game>/formats", FormatsOfGameView.as_view(), name="formats-of-game"),
    path(_ONE, FormatView.as_view(), name="format"),
    path(f"{_ONE}/lists", ListsView.as_view(), name="format-lists"),
    path(f"{_ONE}/changes", ChangesView.as_view(), name="format-changes"),
    path(f"{_ONE}/timeline", TimelineView.as_view(), name="format-timeline"),
]
