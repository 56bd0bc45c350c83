"""What holds for every template, whoever writes it."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from django.conf import settings
from django.template.loader import get_template

ROOT = Path(settings.BASE_DIR)
TEMPLATES = sorted((ROOT / "templates").rglob("*.html"))
NAMES = [path.relative_to(ROOT / "templates").as_posix() for path in TEMPLATES]
EXTENDS = re.compile(r"""\{%\s*extends\s+["'][\w/.-]+["']\s*%\}""")


def faults(text: str) -> list[str]:
    """Everything in a template that the content security policy blocks, or that lets markup through unescaped."""
    found = []
    if re.search(r"<[a-z][^>]*\sstyle\s*=", text, re.IGNORECASE):
        found.append("inline style")
    if re.search(r"<style\b", text, re.IGNORECASE):
        found.append("style element")
    if re.search(r"<script\b(?![^>]*\ssrc=)", text, re.IGNORECASE):
        found.append("script without src")
    if re.search(r"<[a-z][^>]*\son[a-z]+\s*=", text, re.IGNORECASE):
        found.append("handler attribute")
    if re.search(r"\bhx-on[:-]|\bhx-vals\s*=\s*[\"']js:|javascript:", text, re.IGNORECASE):
        found.append("script in an attribute")
    if re.search(r"\|\s*safe(seq)?\b|\{%\s*autoescape\s+off", text):
        found.append("unescaped")
    if re.search(r"""(?:src|href|action)\s*=\s*["'](?:https?:)?//""", text):
        found.append("another site")
    return found


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ('<p style="color: red">', "inline style"),
        ("<style>p{}</style>", "style element"),
        ("<script>go()</script>", "script without src"),
        ('<button type="button" onclick="go()">', "handler attribute"),
        ('<div hx-on:click="go()">', "script in an attribute"),
        ('<a href="javascript:go()">', "script in an attribute"),
        ("{{ name|safe }}", "unescaped"),
        ("{% autoescape off %}", "unescaped"),
        ('<script src="https://cdn.example/x.js"></script>', "another site"),
    ],
)
def test_each_fault_is_found(text, fault):
    assert faults(text) == [fault]


@pytest.mark.parametrize("path", TEMPLATES, ids=NAMES)
def test_a_template_has_nothing_inline_and_nothing_unescaped(path):
    assert faults(path.read_text()) == []


@pytest.mark.parametrize("path", TEMPLATES, ids=NAMES)
def test_a_template_is_a_page_on_a_base_or_a_fragment(path):
    name = path.relative_to(ROOT / "templates")
    is_part = name.name.startswith("_") or name.parts[0] == "components" or name.as_posix() == "base.html"

    assert is_part != bool(EXTENDS.match(path.read_text().lstrip()))


@pytest.mark.parametrize("name", NAMES)
def test_a_template_compiles(name):
    assert get_template(name).template.name == name


def test_the_stylesheet_is_small_and_asks_nothing_of_other_sites():
    text = (ROOT / "static/css/tiltyard.css").read_text()

    assert len(text.encode()) < 40_000
    assert re.findall(r"@import|url\(", text) == []


def test_every_class_of_the_component_page_is_in_the_stylesheet():
    text = (ROOT / "static/css/tiltyard.css").read_text()
    page = (ROOT / "templates/design.html").read_text()
    used = {word for words in re.findall(r'class="([^"{]*)"', page) for word in words.split()}
    bare = {"card", "step-title", "event-name"}  # named for the reader; need no rule of their own

    assert {word for word in used - bare if not re.search(rf"\.{re.escape(word)}(?![\w-])", text)} == set()


def test_htmx_is_told_to_stay_within_the_policy():
    base = (ROOT / "templates/base.html").read_text()
    config = json.loads(re.search(r"<meta name=\"htmx-config\" content='([^']*)'", base)[1])

    assert (config["includeIndicatorStyles"], config["allowEval"], config["selfRequestsOnly"]) == (False, False, True)
