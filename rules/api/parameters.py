"""What may stand behind the ``?`` of several addresses."""

from __future__ import annotations

from rest_framework import serializers

from cards.api import PageParameters, QueryParameters


class DayParameters(QueryParameters):
    on = serializers.DateField(required=False, input_formats=["%Y-%m-%d"], help_text="The day; today without it.")


class GamePageParameters(PageParameters):
    game = serializers.CharField(required=False, max_length=40)
