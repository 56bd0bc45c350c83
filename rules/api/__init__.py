"""Formats, rules documents, rulings and published schemas, for programs."""

from __future__ import annotations

from rules.api import documents, formats, rulings

urlpatterns = [*formats.urlpatterns, *documents.urlpatterns, *rulings.urlpatterns]
