from __future__ import annotations

from django.contrib import admin
from django.http import HttpRequest

from decks.models import Decklist, Verdict


class ReadOnly(admin.ModelAdmin):
    """Decklists and verdicts are evidence: to look at, not to edit."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return False


@admin.register(Decklist)
class DecklistAdmin(ReadOnly):
    list_display = ["fingerprint", "format_version", "legality_date", "created_at"]
    search_fields = ["fingerprint"]


@admin.register(Verdict)
class VerdictAdmin(ReadOnly):
    list_display = ["decklist", "outcome", "created_at"]
    list_filter = ["outcome"]
