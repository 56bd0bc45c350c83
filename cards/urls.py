from __future__ import annotations

from django.urls import path

from cards import views

app_name = "cards"
urlpatterns = [
    path("cards/", views.games, name="games"),
]
