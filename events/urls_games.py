"""Addresses below /games/: what is published for a game. It is here since a publication reaches into events."""

from __future__ import annotations

from django.urls import path

from events.views import publishing

app_name = "games"
urlpatterns = [
    path("<slug:game>/publish", publishing.publish, name="publish"),
    path("<slug:game>/publications", publishing.publications, name="publications"),
    path("<slug:game>/publications/<int:publication>", publishing.publication_page, name="publication"),
]
