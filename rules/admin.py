from __future__ import annotations

from django.contrib import admin

from cards.admin import ReadOnly
from rules.models import Format, FormatVersion, Policy, RulesDocument, Section, StatusEntry


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
