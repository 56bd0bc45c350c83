"""What makes a form count once, and refuses it when the event has changed meanwhile."""

from __future__ import annotations

import uuid

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString

from events.models import Event, Series

register = template.Library()


@register.simple_tag
def command(event: Event | Series | None = None) -> SafeString:
    """Hidden fields: a key of this form's own and, with ``event`` or a series, the version that the page shows.

    Leave ``event`` out where others' changes do not matter, as for a player's report.
    """
    key = format_html('<input type="hidden" name="idempotency_key" value="{}">', uuid.uuid4())
    if event is None:
        return key
    return key + format_html('<input type="hidden" name="version" value="{}">', event.version)
