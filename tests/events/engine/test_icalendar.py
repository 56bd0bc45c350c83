"""Calendar files as RFC 5545 wants them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from hypothesis import given
from hypothesis import strategies as st

from events.engine.icalendar import Entry, calendar_file

NOON = datetime(2026, 12, 5, 12, 0, tzinfo=ZoneInfo("Europe/Vienna"))
STAMP = datetime(2026, 12, 1, 8, 30, 1, tzinfo=UTC)


def read(text: str) -> list[tuple[str, str]]:
    """Name and value of each line, unfolded and unescaped, as a calendar reads them."""
    found = []
    for line in text.replace("\r\n ", "").split("\r\n")[:-1]:
        name, _, value = line.partition(":")
        parts = [part.replace("\\n", "\n").replace("\\,", ",").replace("\\;", ";") for part in value.split("\\\\")]
        found.append((name, "\\".join(parts)))
    return found


def test_a_whole_file():
    entry = Entry(
        "open-round-1@example.org",
        "Open: round 1",
        NOON,
        NOON + timedelta(minutes=50),
        "Find your table; sit down,\nplease.",
        "Town hall, room 2",
        "https://example.org/e/open/",
    )
    assert calendar_file("The Open", [entry], stamp=STAMP, sequence=7).split("\r\n") == [
        "BEGIN:VCALENDAR",
        "VERSION:2.0",
        "PRODID:-//Tiltyard//Events//EN",
        "METHOD:PUBLISH",
        "NAME:The Open",
        "X-WR-CALNAME:The Open",
        "REFRESH-INTERVAL;VALUE=DURATION:PT15M",
        "X-PUBLISHED-TTL:PT15M",
        "BEGIN:VEVENT",
        "UID:open-round-1@example.org",
        "DTSTAMP:20261201T083001Z",
        "SEQUENCE:7",
        "DTSTART:20261205T110000Z",
        "DTEND:20261205T115000Z",
        "SUMMARY:Open: round 1",
        "DESCRIPTION:Find your table\\; sit down\\,\\nplease.",
        "LOCATION:Town hall\\, room 2",
        "URL:https://example.org/e/open/",
        "STATUS:CONFIRMED",
        "END:VEVENT",
        "END:VCALENDAR",
        "",
    ]


def test_an_entry_that_is_called_off_says_so():
    text = calendar_file("O", [Entry("u", "s", NOON, cancelled=True)], stamp=STAMP, sequence=8)

    assert "STATUS:CANCELLED\r\n" in text
    assert "DTEND" not in text


def test_an_end_before_the_start_is_the_start():
    text = calendar_file("O", [Entry("u", "s", NOON, NOON - timedelta(hours=1))], stamp=STAMP, sequence=0)

    assert "DTEND:20261205T110000Z\r\n" in text


@given(st.text(), st.text())
def test_no_words_break_the_file_and_none_that_can_be_shown_is_lost(name, said):
    text = calendar_file(name, [Entry("u", name, NOON, description=said)], stamp=STAMP, sequence=0)
    shown = {"".join(c for c in words if c == "\n" or c.isprintable()) for words in (name, said)}

    assert all(len(line.encode("utf-8", "surrogatepass")) <= 75 for line in text.split("\r\n"))
    assert "\n" not in text.replace("\r\n", "")
    assert [key for key, _ in read(text)].count("BEGIN") == 2
    values = {value for key, value in read(text) if key in ("NAME", "SUMMARY", "DESCRIPTION")}
    assert values - {""} == shown - {""}
