from __future__ import annotations

from django.contrib import admin

from cards.admin import ReadOnly
from decks.models import Decklist, Verdict


@admin.register(Decklist)
class DecklistAdmin(ReadOnly):
    list_display = ["fingerprint", "format_version", "legality_date", "created_at"]
    search_fields = ["fingerprint"]


@admin.register(Verdict)
class VerdictAdmin(ReadOnly):
    list_display = ["decklist", "outcome", "created_at"]
    list_filter = ["outcome"]
