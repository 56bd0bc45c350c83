"""/api/v1/: the same services as the pages, for programs."""

from django.urls import include, path
from drf_spectacular.views import SpectacularAPIView

app_name = "api"
urlpatterns = [
    path("schema/", SpectacularAPIView.as_view(), name="schema"),
    path("", include("cards.api")),
    path("", include("rules.api")),
    path("", include("decks.api")),
    path("", include("events.api")),
]
