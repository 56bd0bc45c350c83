"""A calendar file (RFC 5545, with the names and refresh times of RFC 7986). Every time is in UTC, which needs no
definition of time zones and is shown by each calendar in its reader's own."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime

LONGEST_LINE = 75
"""In octets, without the line break."""
ESCAPES = str.maketrans({"\\": "\\\\", ";": "\\;", ",": "\\,", "\n": "\\n", "\r": None})


@dataclass(frozen=True)
class Entry:
    """``uid`` stays the same while ``sequence`` grows, so that a calendar changes its entry instead of adding one.
    Without ``end`` it is a moment."""

    uid: str
    summary: str
    start: datetime
    end: datetime | None = None
    description: str = ""
    location: str = ""
    url: str = ""
    cancelled: bool = False


def calendar_file(name: str, entries: Iterable[Entry], *, stamp: datetime, sequence: int) -> str:
    """The whole file. ``stamp`` is when what it tells last changed, ``sequence`` the number of that change."""
    lines = [
        "BEGIN:VCALENDAR",
        "VERSION:2.0",
        "PRODID:-//Tiltyard//Events//EN",
        "METHOD:PUBLISH",
        f"NAME:{_text(name)}",
        f"X-WR-CALNAME:{_text(name)}",
        "REFRESH-INTERVAL;VALUE=DURATION:PT15M",
        "X-PUBLISHED-TTL:PT15M",
        *(line for entry in entries for line in _entry(entry, stamp, sequence)),
        "END:VCALENDAR",
    ]
    return "".join(f"{part}\r\n" for line in lines for part in _folded(line))


def _entry(entry: Entry, stamp: datetime, sequence: int) -> Iterator[str]:
    yield "BEGIN:VEVENT"
    yield f"UID:{_text(entry.uid)}"
    yield f"DTSTAMP:{_moment(stamp)}"
    yield f"SEQUENCE:{sequence}"
    yield f"DTSTART:{_moment(entry.start)}"
    if entry.end is not None:
        yield f"DTEND:{_moment(max(entry.start, entry.end))}"
    yield f"SUMMARY:{_text(entry.summary)}"
    if entry.description:
        yield f"DESCRIPTION:{_text(entry.description)}"
    if entry.location:
        yield f"LOCATION:{_text(entry.location)}"
    if entry.url:
        yield f"URL:{entry.url}"
    yield f"STATUS:{'CANCELLED' if entry.cancelled else 'CONFIRMED'}"
    yield "END:VEVENT"


def _moment(moment: datetime) -> str:
    return f"{moment.astimezone(UTC):%Y%m%dT%H%M%SZ}"


def _text(words: str) -> str:
    """Escaped; other control characters have no place in a calendar and are left out."""
    plain = "".join(letter for letter in words if letter == "\n" or letter.isprintable())
    return plain.translate(ESCAPES)


def _folded(line: str) -> Iterator[str]:
    """Lines of at most 75 octets that go on behind a space, never within a character."""
    part, size = "", 0
    for letter in line:
        width = len(letter.encode())
        if size + width > LONGEST_LINE:
            yield part
            part, size = " ", 1
        part += letter
        size += width
    yield part
