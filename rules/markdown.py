"""Section bodies as HTML: paragraphs, lists and emphasis. HTML in a body is shown as text, never obeyed."""

from __future__ import annotations

from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt

_MARKDOWN = MarkdownIt("zero", {"html": False}).enable(["list", "emphasis"])


def to_html(body: str) -> SafeString:
    return mark_safe(_MARKDOWN.render(body))  # noqa: S308 - the parser escapes everything that isn't its own
