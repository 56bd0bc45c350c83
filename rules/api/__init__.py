"""Formats, rules documents, rulings and published schemas, for programs."""

from __future__ import annotations

from rules.api import card, card_import, cards, documents, formats, rulings

urlpatterns = [
    *card_import.urlpatterns,
    *cards.urlpatterns,
    *card.urlpatterns,
    *formats.urlpatterns,
    *documents.urlpatterns,
    *rulings.urlpatterns,
]
