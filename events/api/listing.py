"""How a list is described: where it begins, how long it may be, and what stands around it."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema_serializer, inline_serializer
from rest_framework import serializers


def paged(name: str, answer: type[serializers.Serializer]) -> serializers.Serializer:
    """The schema of one page of ``answer``, as ``commands.page`` gives it."""
    serializer = inline_serializer(
        name,
        {
            "count": serializers.IntegerField(help_text="In the whole list."),
            "limit": serializers.IntegerField(),
            "offset": serializers.IntegerField(),
            "results": answer(many=True),
        },
    )
    extend_schema_serializer(many=False)(type(serializer))
    return serializer
