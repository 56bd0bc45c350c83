"""/api/v1/: the same services as the pages, for programs."""

from __future__ import annotations

from typing import Any

from django.http import Http404
from django.urls import include, path, re_path
from drf_spectacular.views import SpectacularAPIView
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.views import APIView


class Nothing(APIView):
    """An address that the API does not have: refused as a problem, whatever the method."""

    permission_classes = [AllowAny]
    schema = None

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        raise Http404


app_name = "api"
urlpatterns = [
    path("schema/", SpectacularAPIView.as_view(permission_classes=[AllowAny]), name="schema"),
    path("", include("config.api.schemas")),
    path("", include("accounts.api")),
    path("", include("rules.api")),  # before those of cards: cards/import is no card
    path("", include("cards.api")),
    path("", include("decks.api")),
    path("", include("events.api")),
    re_path("", Nothing.as_view(), name="nothing"),
]
