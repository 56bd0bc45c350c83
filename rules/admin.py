from __future__ import annotations

from django.contrib import admin
from django.db.models import QuerySet
from django.forms import ModelForm
from django.http import HttpRequest

from cards.admin import ReadOnly
from rules.models import (
    Format,
    FormatVersion,
    GameOrganiser,
    Policy,
    Publication,
    RulesDocument,
    Ruling,
    Section,
    StatusEntry,
)
from rules.services.publishing import add_game_organiser, remove_game_organiser


@admin.register(RulesDocument)
class RulesDocumentAdmin(ReadOnly):
    list_display = ["title", "version", "game", "prefix", "during"]
    list_select_related = ["game"]


@admin.register(Section)
class SectionAdmin(ReadOnly):
    list_display = ["number", "heading", "document", "is_reading"]
    list_filter = ["document", "is_reading"]
    list_select_related = ["document"]
    search_fields = ["number", "heading"]
    exclude = ["search"]


@admin.register(Format)
class FormatAdmin(ReadOnly):
    list_display = ["name", "slug", "game"]
    list_select_related = ["game"]


@admin.register(FormatVersion)
class FormatVersionAdmin(ReadOnly):
    list_display = ["format", "version", "during", "digest"]
    list_select_related = ["format"]


@admin.register(StatusEntry)
class StatusEntryAdmin(ReadOnly):
    list_display = ["card", "format", "status", "max_copies", "during", "section"]
    list_filter = ["format", "status"]
    list_select_related = ["card", "format"]


@admin.register(Policy)
class PolicyAdmin(ReadOnly):
    list_display = ["name", "slug", "version", "format", "during"]
    list_select_related = ["format"]


@admin.register(Ruling)
class RulingAdmin(ReadOnly):
    list_display = ["number", "question", "game", "kind", "status", "during"]
    list_filter = ["game", "kind", "status"]
    list_select_related = ["game"]
    search_fields = ["number", "question", "answer"]


@admin.register(Publication)
class PublicationAdmin(ReadOnly):
    list_display = ["title", "game", "effective_on", "published_at", "published_by"]
    list_filter = ["game"]
    list_select_related = ["game", "published_by"]


@admin.register(GameOrganiser)
class GameOrganiserAdmin(admin.ModelAdmin):
    """Given and taken by superusers; who has the role publishes for the game."""

    list_display = ["user", "game"]
    list_filter = ["game"]
    list_select_related = ["user", "game"]
    autocomplete_fields = ["user"]

    def has_add_permission(self, request: HttpRequest) -> bool:
        return bool(request.user.is_superuser)

    def has_change_permission(self, request: HttpRequest, obj: GameOrganiser | None = None) -> bool:
        """There is nothing in it to change."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: GameOrganiser | None = None) -> bool:
        return bool(request.user.is_superuser)

    def save_model(
        self, request: HttpRequest, obj: GameOrganiser, form: ModelForm[GameOrganiser], change: bool
    ) -> None:
        obj.pk = add_game_organiser(game=obj.game, user=obj.user)[0].pk

    def delete_model(self, request: HttpRequest, obj: GameOrganiser) -> None:
        remove_game_organiser(game=obj.game, user=obj.user)

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[GameOrganiser]) -> None:
        for role in queryset.select_related("game", "user"):
            remove_game_organiser(game=role.game, user=role.user)
