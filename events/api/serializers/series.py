"""Series and their total standings."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from decks.serializers import Strict, Text
from events.api.serializers.fields import Whole
from events.api.serializers.requests import MAX_NUMBER
from events.engine.series import LAST_PLACE, MOST_EVENTS, MOST_POINTS, MOST_ROWS, PlacePoints, SeriesRules
from events.models import Event, Series


class PlacePointsField(Strict):
    first = Whole(min_value=1, max_value=LAST_PLACE)
    last = Whole(min_value=1, max_value=LAST_PLACE)
    points = Whole(min_value=0, max_value=MOST_POINTS)


class SeriesPoints(Strict):
    places = serializers.ListField(child=PlacePointsField(), max_length=MOST_ROWS, default=list)
    per_match_point = Whole(min_value=0, max_value=MOST_POINTS, default=0)
    taking_part = Whole(min_value=0, max_value=MOST_POINTS, default=0)
    best = Whole(min_value=0, max_value=MOST_EVENTS, default=0, help_text="Of each player's events; 0 for all.")


def rules_of(said: dict[str, Any]) -> SeriesRules:
    """``SeriesPoints`` as the engine has them."""
    places = tuple(PlacePoints(row["first"], row["last"], row["points"]) for row in said["places"])
    return SeriesRules(places, said["per_match_point"], said["taking_part"], said["best"])


class CreateSeries(Strict):
    name = Text(max_length=120)
    points = SeriesPoints()


class ChangeSeries(CreateSeries):
    version = Whole(required=False, min_value=0, max_value=MAX_NUMBER, help_text="Of the series; 428 without it.")


class SeriesEvent(Strict):
    code = Text(max_length=20)


class SeriesChanged(serializers.Serializer):
    version = serializers.IntegerField()
    slug = serializers.CharField()


class SeriesEventChanged(SeriesChanged):
    version = serializers.IntegerField(help_text="Of the event.")
    code = serializers.CharField()


class SeriesRowAnswer(serializers.Serializer):
    slug = serializers.CharField()
    name = serializers.CharField()
    events = serializers.IntegerField(source="event_count", help_text="Without those that were called off.")


class ScoredAnswer(serializers.Serializer):
    event = serializers.CharField()
    player = serializers.IntegerField(help_text="In that event.")
    place = serializers.IntegerField()
    points = serializers.IntegerField()
    counts = serializers.BooleanField()


class TotalAnswer(serializers.Serializer):
    place = serializers.IntegerField(help_text="Shared by players with the same total.")
    name = serializers.CharField(help_text="As the player chose to be read.")
    total = serializers.IntegerField()
    results = ScoredAnswer(many=True)


class SeriesEventAnswer(serializers.Serializer):
    code = serializers.CharField()
    name = serializers.CharField()
    starts_at = serializers.DateTimeField()
    state = serializers.ChoiceField(Event.State.choices)


class SeriesStandingsAnswer(serializers.Serializer):
    slug = serializers.CharField(source="series.slug")
    name = serializers.CharField(source="series.name")
    version = serializers.IntegerField(source="series.version")
    points = serializers.SerializerMethodField()
    events = SeriesEventAnswer(many=True, help_text="Only those that are finished give points.")
    standings = TotalAnswer(many=True, source="rows")

    @extend_schema_field(SeriesPoints)
    def get_points(self, found: Any) -> dict[str, Any]:
        series: Series = found.series
        places = [{"first": first, "last": last, "points": points} for first, last, points in series.rules["places"]]
        return {**series.rules, "places": places}
