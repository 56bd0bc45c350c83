"""One line of a decklist: every way that it can be read, the likeliest first. Nothing is looked up here."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, replace

MAX_COUNT = 999
MAX_LINE = 500
MAX_STEPS = 8
MAX_READINGS = 24

_INVISIBLE = dict.fromkeys(map(ord, "\ufeff\u200b\u200c\u200d\u2060\u00ad\u200e\u200f"))
_QUOTES = '"\u201c\u201d\u201e\u201f'
_DASHES = {ord(dash): "-" for dash in "\u2010\u2011\u2012\u2013\u2014\u2015\u2212"}

# Each pattern below is anchored at one end and repeats only a class that excludes what opens it, on text whose
# spaces are single: the time is linear in the line.
_LEADING_COUNTS = (
    re.compile(r"([0-9]+) ?[xX×*] (?P<rest>.+)"),
    re.compile(r"[xX×]([0-9]+) (?P<rest>.+)"),
    re.compile(r"[(\[][xX×]?([0-9]{1,3})[xX×]?[)\]] ?(?P<rest>.+)"),
    re.compile(r"([0-9]+) ?[:-] (?P<rest>.+)"),
    re.compile(r"([0-9]+)(?: |-(?=[^0-9]))(?P<rest>.+)"),
)
_TRAILING_COUNTS = (
    re.compile(r" ?[xX×*] ?([0-9]+)$"),
    re.compile(r" ([0-9]+)[xX×]$"),
    re.compile(r" ?: ?([0-9]+)$"),
    re.compile(r" -+ ?([0-9]+)$"),
    re.compile(r" ([0-9]+)$"),
)
_BRACKETED_COUNTS = (
    re.compile(r" ?\([xX×]? ?([0-9]{1,3})[xX×]?\)$"),
    re.compile(r" ?\[[xX×]? ?([0-9]{1,3})[xX×]?\]$"),
)
_SUFFIXES = (
    re.compile(r" ?(\*[A-Za-z]{1,8}\*)$"),  # foil marks: *F*, *E*
    re.compile(r" ?(\^[^^]*\^)$"),  # colour tags
    re.compile(r" ?(\|[^|]*)$"),  # name|SET|art
    re.compile(r" ?(\[[^\[\]]*\])$"),  # [Category], [SET]
    re.compile(r" ?(\([^()]*\) (?![xX×*][0-9]+$)[^\s()]{1,12})$"),  # (SET) 12, (plst) GNT-52, (sld) 791★
    re.compile(r" ?(\([^()]*\))$"),  # (SET), (a remark)
    re.compile(r" (\+)$"),
)
_SET_AND_NUMBER = re.compile(r" ((?=[0-9-]{0,6}[A-Z])[A-Z0-9-]{2,7} [A-Z]{0,3}[0-9]{1,4}[a-z]?(?: PH)?)$")
_PREFIX_SET = re.compile(r"(\[[^\[\]]*\]|\([^()]*\)) ?(?P<rest>.+)")
# A count and a name of letters: nothing can be peeled off it, so these are all its readings.
_PLAIN = re.compile(r"([1-9][0-9]{0,2})[xX]? ((?![xX] )[A-Za-z][A-Za-z ,'-]*)")
_BULLET = re.compile(r"[*•·-] (?P<rest>.+)")
_SLASHES = re.compile(r" ?/{1,3} ?")


@dataclass(frozen=True, slots=True)
class Reading:
    """``count`` copies of what may be called ``name``; ``note`` is what was set aside to read it so.

    ``count`` is None when a number stands there that is no count (0, or above 999).
    """

    name: str
    count: int | None
    note: str = ""
    written: str = ""  # the count as it stands in the line


def tidy(raw: str) -> str:
    """The line with one kind of space, dash and digit, and nothing invisible. The raw line is kept elsewhere."""
    if raw.isascii():
        return " ".join(raw.split())
    text = unicodedata.normalize("NFKC", raw.translate(_INVISIBLE)).translate(_INVISIBLE).translate(_DASHES)
    return " ".join(text.split())


def _count(digits: str) -> int | None:
    significant = digits.lstrip("0")
    if not significant or len(significant) > 3:
        return None
    return int(significant)


def _without_comment(text: str) -> str | None:
    """What stands before the last ``#`` or ``//`` that follows a space; None where there is none."""
    cut = max(text.rfind(" #"), text.rfind(" //"))
    return text[:cut].rstrip() if cut >= 1 else None


def _strip_quotes(text: str) -> str:
    if len(text) > 2 and text[0] in _QUOTES and text[-1] in _QUOTES:
        return text[1:-1].strip()
    return text


def _peel_count(reading: Reading, patterns: tuple[re.Pattern[str], ...]) -> Reading | None:
    for pattern in patterns:
        found = pattern.search(reading.name)
        if found and found.start():
            name = reading.name[: found.start()].rstrip()
            return replace(reading, name=name, count=_count(found[1]), written=found[1])
    return None


def _peel_suffix(reading: Reading, patterns: tuple[re.Pattern[str], ...]) -> Reading | None:
    for pattern in patterns:
        found = pattern.search(reading.name)
        if found and found.start():
            note = f"{found[1]} {reading.note}".strip()
            return replace(reading, name=reading.name[: found.start()].rstrip(), note=note)
    return None


def _chain(start: Reading, *, counted: bool) -> Iterator[Reading]:
    """``start`` whole, then shorter by one suffix at a time; a comment is cut only when nothing else can be peeled.

    A number is peeled as the count only while no count is known, and a count that was peeled from within a comment
    is forgotten when the comment is cut. A set without brackets ("ABC 12") is peeled only after a leading count.
    """
    reading, has_count = start, counted
    for _ in range(MAX_STEPS):
        yield reading
        following = None
        if not has_count:
            following = _peel_count(reading, _BRACKETED_COUNTS)
            has_count = following is not None
        if following is None:
            following = _peel_suffix(reading, (*_SUFFIXES, _SET_AND_NUMBER) if counted else _SUFFIXES)
        if following is None and not has_count:
            following = _peel_count(reading, _TRAILING_COUNTS)
            has_count = following is not None
        if following is None:
            cut = _without_comment(reading.name)
            if cut is None:
                return
            note = f"{start.name[len(cut) :]} {start.note}".strip()
            following = Reading(cut, start.count, note, start.written)
            has_count = counted
        reading = following


def _with_slashes(reading: Reading) -> Iterator[Reading]:
    yield reading
    if "/" in reading.name:
        for slash in (" // ", "/", " / "):
            yield replace(reading, name=_SLASHES.sub(slash, reading.name).strip())


def plain_reading(line: str) -> Reading | None:
    """What ``readings`` of a line such as "3 Ember Fox" come to but for the whole line; None for any other line.

    The name_key of such a line, and of the name in it, is itself in lower case.
    """
    found = _PLAIN.fullmatch(line)
    if found is None or len(line) > MAX_LINE or "--" in line:
        return None
    return Reading(found[2], int(found[1]), written=found[1])


def readings(line: str) -> list[Reading]:
    """Every reading of a tidy ``line``, in the order in which they are tried; MAX_READINGS at most.

    The whole line as a name comes first, then the whole remainder after a count, and only then shorter names: a name
    that ends in digits, brackets or ``#4`` is never cut while it is a name. A line over MAX_LINE has none.
    """
    found: dict[tuple[str, int | None], Reading] = {}
    if len(line) > MAX_LINE:
        return []
    for start, counted in _starts(line):
        for shorter in _chain(start, counted=counted):
            for reading in _with_slashes(replace(shorter, name=_strip_quotes(shorter.name))):
                if reading.name:
                    found.setdefault((reading.name, reading.count), reading)
                if len(found) == MAX_READINGS:
                    return list(found.values())
    return list(found.values())


def _starts(line: str) -> Iterator[tuple[Reading, bool]]:
    bullet = _BULLET.fullmatch(line)
    for text in [line] if bullet is None else [line, bullet["rest"]]:
        yield from _after_set(text, 1, "", counted=False)
        for pattern in _LEADING_COUNTS:
            if found := pattern.fullmatch(text):
                yield from _after_set(found["rest"], _count(found[1]), found[1], counted=True)


def _after_set(text: str, count: int | None, written: str, *, counted: bool) -> Iterator[tuple[Reading, bool]]:
    yield Reading(text, count, written=written), counted
    prefixed = _PREFIX_SET.fullmatch(text)
    if prefixed and not prefixed[1][1:-1].isdecimal():  # "[3] Name" is a count
        yield Reading(prefixed["rest"], count, prefixed[1], written), counted
