"""Events in the admin: to look at. Whoever changes one does it at its desk, where the log sees it."""

from __future__ import annotations

from django.contrib import admin

from cards.admin import ReadOnly
from events.models import Event, LogEntry, OutboxMessage, Player, Result, Round, StaffRole, Stage


@admin.register(Event)
class EventAdmin(ReadOnly):
    list_display = ["name", "code", "state", "format", "starts_at", "version"]
    list_filter = ["state", "game"]
    list_select_related = ["format"]
    search_fields = ["name", "code", "place"]


@admin.register(StaffRole)
class StaffRoleAdmin(ReadOnly):
    list_display = ["event", "user", "role"]
    list_filter = ["role"]
    list_select_related = ["event", "user"]
    search_fields = ["event__name", "event__code", "user__display_name"]


@admin.register(Stage)
class StageAdmin(ReadOnly):
    list_display = ["event", "number", "kind", "state"]
    list_filter = ["kind", "state"]
    list_select_related = ["event"]


@admin.register(Player)
class PlayerAdmin(ReadOnly):
    list_display = ["name", "event", "state", "registered_at"]
    list_filter = ["state"]
    list_select_related = ["event"]
    search_fields = ["name", "event__name", "event__code"]
    exclude = ["claim_token"]  # whoever has it can take the entry


@admin.register(Round)
class RoundAdmin(ReadOnly):
    list_display = ["event", "sequence", "state", "posted_at", "completed_at"]
    list_filter = ["state"]
    list_select_related = ["event"]


@admin.register(Result)
class ResultAdmin(ReadOnly):
    list_display = ["match", "source", "decided_by", "decided_at", "superseded_at"]
    list_filter = ["source"]
    list_select_related = ["match", "decided_by"]


@admin.register(LogEntry)
class LogEntryAdmin(ReadOnly):
    list_display = ["event", "seq", "kind", "actor_name", "at"]
    list_select_related = ["event"]
    search_fields = ["event__code", "kind", "actor_name"]


@admin.register(OutboxMessage)
class OutboxMessageAdmin(ReadOnly):
    list_display = ["key", "topic", "created_at", "sent_at", "attempts"]
    list_filter = ["topic"]
