"""Fields of events that take one JSON type each."""

from __future__ import annotations

from datetime import date, datetime
from typing import Any

from django.utils.dateparse import parse_date, parse_datetime
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

FIRST_YEAR, LAST_YEAR = 1990, 2200


class Whole(serializers.IntegerField):
    """An IntegerField takes "3", 3.0 and true."""

    def to_internal_value(self, data: Any) -> int:
        if type(data) is not int:
            self.fail("invalid")
        value: int = super().to_internal_value(data)
        return value


class YesOrNo(serializers.BooleanField):
    """A BooleanField takes "yes", "off" and 1."""

    def to_internal_value(self, data: Any) -> bool:
        if not isinstance(data, bool):
            self.fail("invalid", input=data)
        return data


@extend_schema_field(OpenApiTypes.DATETIME)
class Instant(serializers.Field):
    """ISO 8601 with its offset: without one nobody knows which hour is meant."""

    default_error_messages = {
        "invalid": "Send a time such as 2026-12-05T10:00:00+01:00, with its offset.",
        "range": f"Send a time from the years {FIRST_YEAR} to {LAST_YEAR}.",
    }

    def to_internal_value(self, data: Any) -> datetime:
        try:
            value = parse_datetime(data) if isinstance(data, str) else None
        except ValueError:
            value = None
        if value is None or value.tzinfo is None:
            self.fail("invalid")
        if not FIRST_YEAR <= value.year <= LAST_YEAR:
            self.fail("range")
        return value

    def to_representation(self, value: datetime) -> str:
        return value.isoformat()


@extend_schema_field(OpenApiTypes.DATE)
class Day(serializers.Field):
    default_error_messages = {
        "invalid": "Send a day such as 2026-12-05.",
        "range": f"Send a day from the years {FIRST_YEAR} to {LAST_YEAR}.",
    }

    def to_internal_value(self, data: Any) -> date:
        try:
            value = parse_date(data) if isinstance(data, str) and len(data) == 10 else None
        except ValueError:
            value = None
        if value is None:
            self.fail("invalid")
        if not FIRST_YEAR <= value.year <= LAST_YEAR:
            self.fail("range")
        return value

    def to_representation(self, value: date) -> str:
        return value.isoformat()
