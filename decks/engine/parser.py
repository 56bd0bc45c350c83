"""A decklist as people write it, read line by line. No line is lost and no card is guessed.

Every line that is not blank becomes a card, a heading, a comment or a problem, with its number and its text as it
stood. A name is looked up whole before anything is peeled off it. What merely resembles a name is a suggestion.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from functools import lru_cache
from typing import Any, Protocol

from cards.engine.names import name_key
from decks.engine.containers.opening import MAX_LINES, open_decklist
from decks.engine.containers.rows import Row
from decks.engine.headings import Heading, ZoneSpec, is_remark, reader_of
from decks.engine.lines import MAX_COUNT, MAX_LINE, Reading, plain_reading, readings, tidy

MAX_KEY = 140
MAX_SUGGESTED_LINES = 250
SHORTEST_NUMBER = 4  # of the numbers by which a .ydk names cards; fewer digits are a count without a name


class NameIndex(Protocol):
    """The names of one game's cards."""

    def resolve(self, key: str) -> tuple[int, str] | None:
        """(card id, canonical name) of what ``name_key`` made of a name, alias or face."""

    def suggest(self, texts: Sequence[str], limit: int = 3) -> list[list[str]]:
        """For each text the canonical names that resemble it, the nearest first."""


@dataclass(frozen=True, slots=True)
class CardLine:
    """``note`` is what stood beside the name and was set aside: set, foil mark, remark.

    ``prefix`` is what has to stand before the line wherever it stands, so that it goes to its zone ("SB: ").
    """

    number: int
    raw: str
    zone: str
    count: int
    card: int
    name: str
    note: str = ""
    prefix: str = ""


@dataclass(frozen=True, slots=True)
class HeadingLine:
    number: int
    raw: str
    kind: str
    zone: str | None
    count: int | None


@dataclass(frozen=True, slots=True)
class CommentLine:
    number: int
    raw: str


@dataclass(frozen=True, slots=True)
class ProblemLine:
    """A line that is not understood. ``code`` is stable, ``message`` a sentence, ``suggestions`` canonical names.

    ``replacements`` are whole lines, one for each suggestion, that may stand in place of this one. ``zone`` is where
    the cards of the line would be, None where that can't be told either; ``count`` how many they would be, None where
    nobody can say.
    """

    number: int
    raw: str
    code: str
    message: str
    suggestions: tuple[str, ...] = ()
    replacements: tuple[str, ...] = ()
    zone: str | None = None
    count: int | None = None

    def as_json(self) -> dict[str, Any]:
        """JSON types only."""
        return {**asdict(self), "suggestions": list(self.suggestions), "replacements": list(self.replacements)}


@dataclass(frozen=True, slots=True)
class Notice:
    """Something to look at that changes no count. ``number`` is the line it is about."""

    number: int
    code: str
    message: str


@dataclass(frozen=True, slots=True)
class Entry:
    """All copies of one card in one zone, with the lines that name it."""

    zone: str
    count: int
    card: int
    name: str
    lines: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class ParsedDecklist:
    cards: tuple[CardLine, ...]
    headings: tuple[HeadingLine, ...]
    comments: tuple[CommentLine, ...]
    problems: tuple[ProblemLine, ...]
    notices: tuple[Notice, ...] = ()
    zones: tuple[ZoneSpec, ...] = ()
    kind: str = "text"

    @property
    def entries(self) -> tuple[Entry, ...]:
        """Cards summed by zone and card, in order of the game's zones, then of names."""
        order = {zone.key: place for place, zone in enumerate(self.zones)}
        lines: dict[tuple[str, int], list[CardLine]] = {}
        for line in self.cards:
            lines.setdefault((line.zone, line.card), []).append(line)
        entries = (
            Entry(
                zone,
                sum(line.count for line in found),
                card,
                found[0].name,
                tuple(dict.fromkeys(line.number for line in found)),
            )
            for (zone, card), found in lines.items()
        )
        return tuple(sorted(entries, key=lambda entry: (order[entry.zone], name_key(entry.name), entry.card)))


def candidate_keys(data: bytes | str, zones: Sequence[ZoneSpec]) -> set[str]:
    """Every key that ``parse_decklist`` may look up for ``data``, so that one query can resolve them all."""
    reader = reader_of(tuple(zones))
    keys: set[str] = set()
    for row in open_decklist(data)[0].rows:
        line = tidy(row.text)
        for candidate in (line, (reader.prefix(line) or ("", ""))[1]):
            keys.update(key for key, _ in _keyed(candidate))
    return keys


@lru_cache(maxsize=MAX_LINES + 48)
def _keyed(line: str) -> tuple[tuple[str, Reading], ...]:
    """The readings of a tidy line that can be a name, each with its key.

    Remembered, since a list is read twice, once for its keys, and again with every key that its writer presses.
    """
    plain = plain_reading(line)
    keyed = []
    for reading in readings(line) if plain is None else (Reading(line, 1), plain):
        if len(reading.name) <= 2 * MAX_KEY:  # accents written apart make a name longer than its key
            key = name_key(reading.name)
            if 0 < len(key) <= MAX_KEY:
                keyed.append((key, reading))
    return tuple(keyed)


def parse_decklist(data: bytes | str, index: NameIndex, zones: Sequence[ZoneSpec]) -> ParsedDecklist:
    """Read ``data``. ``zones`` are the game's, the first being where cards go until a heading says otherwise.

    Raises DomainError ``decks.too_large`` and ``decks.unreadable`` (see ``open_decklist``).
    """
    opened, charset = open_decklist(data)
    parsed = _Parser(index, zones).parse(opened.rows)
    if charset:
        said = f"The file is not UTF-8. It was read as {charset}: look at the letters with accents."
        parsed = replace(parsed, notices=(Notice(1, "decks.charset", said), *parsed.notices))
    return replace(parsed, kind=opened.kind)


class _Parser:
    def __init__(self, index: NameIndex, zones: Sequence[ZoneSpec]) -> None:
        self.index = index
        self.zones = tuple(zones)
        self.reader = reader_of(self.zones)
        self.zone: str | None = self.zones[0].key  # None: below a heading of what is not in the deck
        self.nowhere = ""  # the heading, not understood, that the lines stand below
        self.cards: list[CardLine] = []
        self.headings: list[HeadingLine] = []
        self.comments: list[CommentLine] = []
        self.problems: list[ProblemLine] = []
        self.unknown: list[tuple[int, str, Reading]] = []  # place in problems, what stood before it, what it says
        self.after_about = False

    def parse(self, rows: Iterable[Row]) -> ParsedDecklist:
        gaps: list[tuple[int, str]] = []
        for row in rows:
            line = tidy(row.text)
            if line:
                self._line(row.number, row.raw, line)
            elif self.cards and not row.raw.strip("\ufeff \t\u00a0"):
                gaps.append((row.number, row.raw))
        self._suggest()
        notices = [*self._ask_for_zones(gaps), *self._checksum_notices()]
        return ParsedDecklist(
            tuple(self.cards),
            tuple(self.headings),
            tuple(self.comments),
            tuple(self.problems),
            tuple(notices),
            self.zones,
        )

    def _line(self, number: int, raw: str, line: str) -> None:
        about, self.after_about = self.after_about, line.casefold() == "about"
        if (found := self._first_hit(line)) is not None:
            self._card(number, raw, found, self.zone)
        elif (heading := self.reader.read(line)) is not None and not (heading.kind == "unknown" and is_remark(line)):
            self._heading(number, raw, line, heading)
        elif is_remark(line) or (about and line.lower().startswith("name ")):
            self.comments.append(CommentLine(number, raw))
        elif (prefixed := self.reader.prefix(line)) is not None:
            self._prefixed(number, raw, line, *prefixed)
        elif self.zone is None and not self.nowhere:
            self.comments.append(CommentLine(number, raw))
        else:
            self._unknown(number, raw, line, self.zone)

    def _first_hit(self, line: str) -> tuple[Reading, tuple[int, str]] | None:
        if (plain := plain_reading(line)) is not None:
            key = line.lower()
            if (hit := self.index.resolve(key)) is not None:
                return Reading(line, 1), hit
            hit = self.index.resolve(key[-len(plain.name) :])
            return None if hit is None else (plain, hit)
        if is_remark(line):
            hit = self.index.resolve(name_key(line))
            return None if hit is None else (Reading(line, 1), hit)
        for key, reading in _keyed(line):
            if (hit := self.index.resolve(key)) is not None:
                return reading, hit
        return None

    def _card(
        self, number: int, raw: str, found: tuple[Reading, tuple[int, str]], zone: str | None, prefix: str = ""
    ) -> None:
        reading, (card, name) = found
        for category in reading.note.split("["):
            words = category.partition("]")[0]
            if "]" in category and (named := self.reader.zone_of(words)) is not None:
                zone, prefix = named, f"{self.reader.labels[named]}: "
            elif "]" in category and (self.reader.is_aside(words) or "{noDeck}" in words):
                self.comments.append(CommentLine(number, raw))
                return
        if zone is None:
            if self.nowhere:
                self._problem(
                    number,
                    raw,
                    "decks.zone_unknown",
                    f"{name} stands below “{self.nowhere}”, which names no part of this deck. "
                    f"Put it below one of: {self._zone_names()}.",
                )
            else:
                self.comments.append(CommentLine(number, raw))
        elif reading.count is None:
            self._problem(
                number,
                raw,
                "decks.count",
                f"{reading.written[:20]} is no number of copies of {name}. Write a number from 1 to {MAX_COUNT}, "
                "or take the line out.",
                zone=zone,
            )
        else:
            self.cards.append(CardLine(number, raw, zone, reading.count, card, name, reading.note, prefix))

    def _heading(self, number: int, raw: str, line: str, heading: Heading) -> None:
        if heading.kind in ("unknown", "foreign"):
            words = line[:60]
            if heading.kind == "foreign":
                self.zone, self.nowhere = None, words
            self._problem(
                number,
                raw,
                "decks.heading_unknown",
                f"“{words}” looks like a heading and names no part of this deck. Use one of: "
                f"{self._zone_names()}; or put // before it to make it a remark.",
            )
            return
        if heading.kind in ("zone", "aside"):
            self.zone, self.nowhere = heading.zone, ""
        self.headings.append(HeadingLine(number, raw, heading.kind, heading.zone, heading.count))

    def _prefixed(self, number: int, raw: str, line: str, zone: str, rest: str) -> None:
        found = self._first_hit(rest)
        if not zone:
            self._problem(
                number, raw, "decks.zone_unknown", f"This game has no such part of a deck. Use: {self._zone_names()}."
            )
        elif found is None:
            self._unknown(number, raw, rest, zone, before=line[: -len(rest)])
        else:
            self._card(number, raw, found, zone, line[: -len(rest)])

    def _unknown(self, number: int, raw: str, line: str, zone: str | None, before: str = "") -> None:
        if len(line) > MAX_LINE:
            self._problem(
                number, raw, "decks.line_too_long", f"The line is longer than {MAX_LINE:,} characters. One card a line."
            )
            return
        self.unknown.append((len(self.problems), before, _plainest(line)))
        self._problem(number, raw, "decks.unknown_card", "", zone=zone)

    def _suggest(self) -> None:
        """Every unknown name is looked for at once."""
        asked = self.unknown[:MAX_SUGGESTED_LINES]
        found = self.index.suggest([best.name[:MAX_KEY] for _, _, best in asked], limit=3) if asked else []
        found += [[] for _ in self.unknown[MAX_SUGGESTED_LINES:]]
        for (place, before, best), names in zip(self.unknown, found, strict=True):
            if best.name.isdecimal() and len(best.name) >= SHORTEST_NUMBER:
                told = f"No card of this game has the number {best.name[:20]}. Write the card's name in its place."
                self.problems[place] = replace(self.problems[place], message=told)
                continue
            ask = f"Did you mean {_either(names)}?" if names else "Look for it in the list of cards."
            self.problems[place] = replace(
                self.problems[place],
                message=f"No card of this game is called “{best.name[:80]}”. {ask}",
                suggestions=tuple(names),
                replacements=tuple(f"{before}{best.count or 1}x {name}" for name in names),
            )

    def _problem(self, number: int, raw: str, code: str, message: str, *, zone: str | None = None) -> None:
        self.problems.append(ProblemLine(number, raw, code, message, zone=zone))

    def _zone_names(self) -> str:
        return ", ".join(zone.label for zone in self.zones)

    def _ask_for_zones(self, gaps: Sequence[tuple[int, str]]) -> Iterable[Notice]:
        """Some programs write the sideboard after one blank line. Nothing is taken for that: it is asked.

        Several blank lines are only how the list is spaced, which is said aloud.
        """
        first = self.zones[0]
        marked = bool(self.headings) or any(line.zone != first.key for line in self.cards)
        gaps = [gap for gap in gaps if gap[0] < self.cards[-1].number]
        if len(self.zones) < 2 or not gaps or marked:
            return
        other = self.zones[1]
        number, raw = gaps[0]
        below = sum(line.count for line in self.cards if line.number > number)
        if len(gaps) == 1:
            asked = (
                f"Line {number} is blank and no heading follows. Write “{other.label}” there if the {below} cards "
                f"below are that, else “{first.label}”."
            )
            words = (other.label, first.label)
            self.problems.append(ProblemLine(number, raw, "decks.zones_unclear", asked, words, words, count=0))
            self.problems.sort(key=lambda problem: problem.number)
        else:
            said = f"Lines are blank and no heading follows: every card is counted as {first.label}."
            yield Notice(number, "decks.blank_lines", said)

    def _checksum_notices(self) -> Iterable[Notice]:
        """A number in a heading is the writer's own count of what stands below it."""
        for place, heading in enumerate(self.headings):
            if heading.count is None or heading.kind == "aside":
                continue
            if heading.kind == "total":
                actual = sum(line.count for line in self.cards)
            else:
                ends = [
                    other.number
                    for other in self.headings[place + 1 :]
                    if other.kind in ("zone", "aside") or heading.kind == "group"
                ]
                end = ends[0] if ends else MAX_LINES + 1
                actual = sum(line.count for line in self.cards if heading.number < line.number < end)
            if actual != heading.count:
                yield Notice(
                    heading.number,
                    "decks.heading_count",
                    f"Line {heading.number} says {heading.count} cards; {actual} were read. Look for a missing line.",
                )


def _either(names: Sequence[str]) -> str:
    """“A”, “B” or “C”."""
    quoted = [f"“{name}”" for name in names]
    return " or ".join(part for part in (", ".join(quoted[:-1]), quoted[-1]) if part)


def _plainest(line: str) -> Reading:
    """The reading to suggest for: the remainder after a count, without set and remark."""
    found = [reading for _, reading in _keyed(line)]
    if not found:
        return Reading(line, 1)
    counted = [reading for reading in found if reading.written] or found
    return min(counted, key=lambda reading: len(reading.name))
