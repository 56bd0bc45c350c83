from __future__ import annotations

from django.urls import path

from cards import views

app_name = "cards"
urlpatterns = [
    path("cards/<slug:game>/", views.cards, name="cards"),
    path("cards/<slug:game>/<slug:card>", views.card, name="card"),
]
