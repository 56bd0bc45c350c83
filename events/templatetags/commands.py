"""What makes a form count once, and refuses it when the event has changed meanwhile."""

from __future__ import annotations

import uuid

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString

from events.models import Event

register = template.Library()


@register.simple_tag
def command(event: Event | None = None) -> SafeString:
    """Hidden fields: a key of this form's own and, with ``event``, the version that the page shows.

    Leave ``event`` out where others' changes do not matter, as for a player's report.
    """
    key = format_html('<input type="hidden" name="idempotency_key" value="{}">', uuid.uuid4())
    if event is None:
        return key
    return key + format_html('<input type="hidden" name="version" value="{}">', event.version)
