"""Who is signed in, for programs."""

from __future__ import annotations

from django.urls import path
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.decorators import api_view
from rest_framework.request import Request
from rest_framework.response import Response


class MeAnswer(serializers.Serializer):
    """Yourself, as nobody else sees you."""

    email = serializers.EmailField()
    display_name = serializers.CharField()


@extend_schema(responses=MeAnswer, operation_id="get_me")
@api_view(["GET"])
def me(request: Request) -> Response:
    """The account that this request is signed in with."""
    return Response(MeAnswer(request.user).data)


urlpatterns = [path("me", me, name="me")]
