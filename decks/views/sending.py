"""A deck as a download."""

from __future__ import annotations

from django.http import HttpResponse
from django.utils.http import content_disposition_header

from decks.queries.texts import DeckFile


def as_download(file: DeckFile) -> HttpResponse:
    """Never shown in the browser, whatever its content looks like."""
    response = HttpResponse(file.text, content_type=f"{file.format.media_type}; charset=utf-8")
    response["Content-Disposition"] = content_disposition_header(as_attachment=True, filename=file.name)
    return response
