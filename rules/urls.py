from __future__ import annotations

from django.urls import path

from rules.views import card_import, card_search, cards, documents, formats, rulings

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
    path("cards/<slug:game>/", card_search.cards, name="cards"),
    path("cards/<slug:game>/<slug:card>", cards.card, name="card"),
    path("games/<slug:game>/cards/import", card_import.import_page, name="card_import"),
    path("games/<slug:game>/cards/import/<str:token>", card_import.done_page, name="card_import_done"),
    path("games/<slug:game>/cards/import/<str:token>/undo.json", card_import.undo_file, name="card_import_undo"),
]
