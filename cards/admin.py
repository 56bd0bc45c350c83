from __future__ import annotations

from django.contrib import admin
from django.http import HttpRequest

from cards.models import Card, CardSet, CardTag, Erratum, Game, Product


class ReadOnly(admin.ModelAdmin):
    """To look at, not to edit: services alone write, so that their checks and the log stand beside every change."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return False


@admin.register(Game)
class GameAdmin(ReadOnly):
    list_display = ["name", "slug", "digest"]


@admin.register(CardSet)
class CardSetAdmin(ReadOnly):
    list_display = ["code", "name", "game", "released_on", "legal_on", "is_sample"]
    list_filter = ["game"]
    list_select_related = ["game"]


@admin.register(Card)
class CardAdmin(ReadOnly):
    list_display = ["name", "game", "is_sample"]
    list_filter = ["game", "is_sample"]
    list_select_related = ["game"]
    search_fields = ["name"]


@admin.register(CardTag)
class CardTagAdmin(ReadOnly):
    list_display = ["card", "tag", "during", "source"]
    list_filter = ["game", "tag"]
    list_select_related = ["card"]


@admin.register(Erratum)
class ErratumAdmin(ReadOnly):
    list_display = ["card", "starts_on", "source", "announced_on"]
    list_filter = ["card__game"]
    list_select_related = ["card"]


@admin.register(Product)
class ProductAdmin(ReadOnly):
    list_display = ["name", "slug", "version", "game", "is_sample"]
    list_select_related = ["game"]
