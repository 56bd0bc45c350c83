from __future__ import annotations

from django.urls import path

from rules import views

app_name = "rules"
urlpatterns = [
    path("rules/", views.documents, name="documents"),
    path("rules/search", views.search, name="search"),
    path("rules/<slug:game>/<slug:document>@<str:version>/", views.document, name="document"),
    path("rules/<slug:game>/<slug:document>@<str:version>/<str:number>", views.section, name="section"),
    path("formats/<slug:game>/<slug:format>", views.format_page, name="format"),
    path("cards/<slug:game>/<slug:card>", views.card, name="card"),
]
