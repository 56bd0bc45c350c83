"""The published JSON Schemas, for programs."""

from __future__ import annotations

from django.urls import path
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from cards.api import PublicView, QueryParameters
from config.errors import NotFound
from config.schemas import published


class SchemasAnswer(serializers.Serializer):
    schemas = serializers.ListField(child=serializers.CharField(), help_text="Their names.")


class SchemasView(PublicView):
    @extend_schema(responses=SchemasAnswer, operation_id="list_schemas")
    def get(self, request: Request) -> Response:
        QueryParameters.of(request)
        return Response({"schemas": list(published())})


class SchemaView(PublicView):
    @extend_schema(responses=OpenApiTypes.OBJECT, operation_id="get_schema")
    def get(self, request: Request, name: str) -> Response:
        """A JSON Schema (2020-12) of a file that people write or an answer that programs read."""
        QueryParameters.of(request)
        schema = published().get(name)
        if schema is None:
            raise NotFound(
                "schema.unknown",
                f"There is no schema {name!r}. There are: {', '.join(published())}.",
                {"schemas": list(published())},
            )
        return Response(schema)


urlpatterns = [
    path("schemas", SchemasView.as_view(), name="schemas"),
    path("schemas/<slug:name>", SchemaView.as_view(), name="published-schema"),
]
