"""What every body that programs send is made of, here and in the apps above."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rest_framework import serializers


class Strict(serializers.Serializer):
    """Refuses fields that it doesn't know: a misspelt one would otherwise be passed over in silence."""

    def to_internal_value(self, data: Any) -> Any:
        if isinstance(data, Mapping) and (unknown := sorted(set(data) - set(self.fields))):
            raise serializers.ValidationError({name: ["There is no such field."] for name in unknown})
        return super().to_internal_value(data)


class Text(serializers.CharField):
    """A CharField takes numbers too; a program that sends one has a fault."""

    def to_internal_value(self, data: Any) -> str:
        if not isinstance(data, str):
            self.fail("invalid")
        value: str = super().to_internal_value(data)
        return value
