from __future__ import annotations

from django.urls import path

from rules.views import cards, documents, formats, rulings

app_name = "rules"
urlpatterns = [
    path("rules/", documents.documents, name="documents"),
    path("rules/search", documents.search, name="search"),
    path("rules/<slug:game>/<slug:document>@<str:version>/", documents.document, name="document"),
    path("rules/<slug:game>/<slug:document>@<str:version>/<str:number>", documents.section, name="section"),
    path("rulings/<slug:game>/", rulings.rulings, name="rulings"),
    path("rulings/<slug:game>/<str:ruling>", rulings.ruling, name="ruling"),
    path("formats/<slug:game>/<slug:format>", formats.format_page, name="format"),
    path("formats/<slug:game>/<slug:format>/changes", formats.format_changes, name="format-changes"),
    path("cards/<slug:game>/<slug:card>", cards.card, name="card"),
]
