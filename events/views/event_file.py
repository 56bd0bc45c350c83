"""The event as one file, for pages and programs alike."""

from __future__ import annotations

from tempfile import SpooledTemporaryFile

from django.http import FileResponse, HttpRequest
from django.views.decorators.http import require_safe

from events.models import Event
from events.queries.access import Viewer
from events.queries.event_file import audience_of, event_file
from events.views.commands import event_and_viewer

IN_MEMORY = 1024 * 1024


@require_safe
def download(request: HttpRequest, code: str) -> FileResponse:
    """What ``manage.py verify_event --file`` proves: at any time for who runs the event, for all once it is over."""
    event, viewer = event_and_viewer(request, code)
    return file_of(event, viewer)


def file_of(event: Event, viewer: Viewer) -> FileResponse:
    """Written out before it is sent, so that a slow line keeps no snapshot of the database open. Raises NotFound
    "event_file.not_yet"."""
    audience = audience_of(event, viewer)
    written = SpooledTemporaryFile(max_size=IN_MEMORY)  # noqa: SIM115 - the response closes it
    for piece in event_file(event.pk, audience):
        written.write(piece.encode())
    written.seek(0)
    response = FileResponse(written, as_attachment=True, filename=f"{event.code}.json", content_type="application/json")
    response["Cache-Control"] = "private, no-store"
    return response
