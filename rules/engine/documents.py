"""Rules documents as Markdown: TOML front matter between ``+++`` lines, then one numbered section for each rule."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from rules.engine.packschema import SectionText

_HEADING = re.compile(r"^##\s+(\S+)(?:\s+(.*?))?\s*$")
_NUMBER = re.compile(r"^[0-9]+(\.[0-9]+)*[a-z]?$")
_META = re.compile(r"^(covers|cards):\s*(.*)$")
_FORBIDDEN = (
    (re.compile(r"^#"), "only ## headings"),
    (re.compile(r"</?[A-Za-z]"), "no HTML"),
    (re.compile(r"\]\("), "no links or images"),
    (re.compile(r"^(```|~~~)"), "no code blocks"),
)


@dataclass
class ParsedDocument:
    """``front`` is the TOML text and ``front_line`` the line before it. Faults are (line, message) pairs."""

    front: str = ""
    front_line: int = 0
    sections: list[SectionText] = field(default_factory=list)
    faults: list[tuple[int, str]] = field(default_factory=list)


def parse_document(text: str) -> ParsedDocument:
    lines = text.removeprefix("\ufeff").splitlines()
    parsed = ParsedDocument()
    if not lines or lines[0].strip() != "+++":
        parsed.faults.append((1, "the document begins with front matter between two lines of +++"))
        return parsed
    end = next((number for number, line in enumerate(lines[1:], start=1) if line.strip() == "+++"), None)
    if end is None:
        parsed.faults.append((1, "the front matter has no closing line of +++"))
        return parsed
    parsed.front, parsed.front_line = "\n".join(lines[1:end]), 1
    starts = [number for number in range(end + 1, len(lines)) if lines[number].startswith("## ")]
    for number in range(end + 1, starts[0] if starts else len(lines)):
        if lines[number].strip():
            parsed.faults.append((number + 1, "text before the first section"))
            break
    if not starts:
        parsed.faults.append((len(lines), "the document has no section"))
    for start, stop in zip(starts, [*starts[1:], len(lines)], strict=True):
        section, faults = _section(start, lines[start:stop])
        parsed.sections.append(section)
        parsed.faults += faults
    return parsed


def _section(start: int, lines: list[str]) -> tuple[SectionText, list[tuple[int, str]]]:
    faults: list[tuple[int, str]] = []
    heading = _HEADING.match(lines[0])
    number, title = (heading[1], heading[2] or "") if heading else ("", "")
    if not _NUMBER.match(number) or len(number) > 20:
        faults.append((start + 1, f"a section begins with its number, such as 5.3, not {number!r}"))
    if not title or len(title) > 200:
        faults.append((start + 1, f"section {number} needs a heading of 1 to 200 characters"))
    meta: dict[str, list[str]] = {"covers": [], "cards": []}
    at = 1
    while at < len(lines) and (found := _META.match(lines[at])):
        separator = "|" if "|" in found[2] else ","
        meta[found[1]] += [part.strip() for part in found[2].split(separator) if part.strip()]
        at += 1
        while at < len(lines) and lines[at - 1].rstrip().endswith(separator):
            meta[found[1]] += [part.strip() for part in lines[at].split(separator) if part.strip()]
            at += 1
    for offset, line in enumerate(lines[at:], start=start + at + 1):
        faults += [(offset, f"section {number}: {rule}") for pattern, rule in _FORBIDDEN if pattern.search(line)]
    body = "\n".join(lines[at:]).strip()
    if not body:
        faults.append((start + 1, f"section {number} has no text"))
    return SectionText(start + 1, number, title, body, tuple(meta["covers"]), tuple(meta["cards"])), faults
