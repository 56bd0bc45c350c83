"""A publication: changed lists, tags and format versions of a game, each from a day on. TOML or JSON of one shape."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from itertools import combinations
from typing import Annotated, Any, Literal, Self

from pydantic import BeforeValidator, Field, ValidationError, model_validator

from cards.engine.names import name_key
from config.errors import DomainError
from rules.engine.formatcheck import GameNames, format_faults
from rules.engine.formatparts import Path, citations_of, rules_of
from rules.engine.formatschema import FormatDefinition
from rules.engine.positions import in_data, toml_line
from rules.engine.schema import Count, Key, Slug, Strict, Text

_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
LARGEST = 2_000

Decides = Literal["copies", "points"]
"""What an entry on a list says of a card: how many copies there may be, or how many points it costs."""


def _day(value: Any) -> Any:
    """Numbers and points in time would pass for days otherwise."""
    if type(value) is date or (isinstance(value, str) and _DAY.fullmatch(value)):
        return value
    raise ValueError("a day is written as year, month, day: 2027-02-01")


Day = Annotated[date, BeforeValidator(_day)]
CardName = Annotated[str, Field(min_length=1, max_length=120)]


class ListChange(Strict):
    """What a card is on the list of a format from a day on; "legal" takes it off.

    ``zone`` is the only zone that it speaks of. ``effective_on`` is needed only where it isn't the publication's.
    ``points`` of 0 take a card off the points list; "legal" does so too, unless another change sets its points.
    """

    format: Slug
    card: CardName
    status: Literal["banned", "restricted", "limit", "points", "legal"]
    max_copies: Count | None = None
    points: Count | None = None
    zone: Key | None = None
    section: Annotated[str, Field(min_length=1, max_length=20)]
    effective_on: Day | None = None

    @model_validator(mode="after")
    def _has_its_number(self) -> Self:
        if (self.status == "points") != (self.points is not None):
            raise ValueError("points are given for the status points, and for no other")
        if self.max_copies is not None and self.status in ("points", "legal"):
            raise ValueError(f"a card that is {self.status} has no max_copies of its own")
        if self.status == "banned" and self.max_copies:
            raise ValueError("a banned card has no copies: leave max_copies out")
        if self.status == "limit" and not self.max_copies:
            raise ValueError("a limit needs max_copies of 1 or more")
        if self.status == "restricted" and self.max_copies == 0:
            raise ValueError("a restricted card has at least one copy; without any it is banned")
        return self

    @property
    def copies(self) -> int | None:
        """The most copies that the list allows; None where it says nothing of copies."""
        match self.status:
            case "banned":
                return 0
            case "restricted":
                return self.max_copies or 1
            case "limit":
                return self.max_copies
        return None

    @property
    def decides(self) -> Decides:
        return "points" if self.status == "points" else "copies"


class TagChange(Strict):
    """Cards that come onto a published list such as the gift cards, and that leave it."""

    tag: Annotated[str, Field(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$", max_length=40)]
    add: tuple[CardName, ...] = ()
    remove: tuple[CardName, ...] = ()
    effective_on: Day | None = None


class PublicationFile(Strict):
    title: Annotated[str, Field(min_length=1, max_length=160)]
    source: Text
    announced_on: Day | None = None
    effective_on: Day
    changes: Annotated[tuple[ListChange, ...], Field(max_length=LARGEST)] = ()
    tags: Annotated[tuple[TagChange, ...], Field(max_length=LARGEST)] = ()
    formats: Annotated[tuple[FormatDefinition, ...], Field(max_length=100)] = ()

    @model_validator(mode="after")
    def _says_something(self) -> Self:
        if not self.changes and not self.formats and not any(tag.add or tag.remove for tag in self.tags):
            raise ValueError("nothing changes: give changes, tags or formats")
        if self.announced_on is not None and self.announced_on > self.effective_on:
            raise ValueError(f"announced on {self.announced_on}, after it takes effect ({self.effective_on})")
        return self

    def as_json(self) -> dict[str, Any]:
        """In JSON types, the same for the same content."""
        return self.model_dump(mode="json", by_alias=True, exclude_none=True)

    def day_of(self, change: ListChange | TagChange) -> date:
        return change.effective_on or self.effective_on

    def first_days(self) -> Iterator[tuple[Path, date]]:
        """Every day from which something holds, with its place."""
        yield ("effective_on",), self.effective_on
        dated: list[tuple[Path, ListChange | TagChange]] = [
            *((("changes", index), change) for index, change in enumerate(self.changes)),
            *((("tags", index), change) for index, change in enumerate(self.tags)),
        ]
        for where, one in dated:
            if one.effective_on is not None:
                yield (*where, "effective_on"), one.effective_on
        for index, definition in enumerate(self.formats):
            if definition.from_ is not None:
                yield ("formats", index, "from"), definition.from_


@dataclass(frozen=True)
class Fault:
    """Something wrong in a publication. ``other`` is the place that contradicts it."""

    where: Path
    message: str
    other: Path | None = None


@dataclass(frozen=True)
class Read:
    """A publication as it came. ``text`` is the TOML that it was read from; "" for any other way in."""

    file: PublicationFile
    text: str = ""


def read_publication(text: str) -> Read:
    """From a TOML or a JSON text. DomainError ``publication.invalid``: every fault, with its line in TOML."""
    is_json = text.lstrip("\ufeff \t\r\n").startswith("{")
    text = text.removeprefix("\ufeff").replace("\r\n", "\n")
    try:
        data = json.loads(text) if is_json else tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        said = re.search(r"line (\d+)", str(error))
        line = int(said[1]) if said else None
        sentence = f"not {'JSON' if is_json else 'TOML'}: {error or 'nested too deeply'}"
        raise _refusal([{"line": line, "where": "", "message": sentence}]) from error
    return Read(publication_of(data, text="" if is_json else text), "" if is_json else text)


def publication_of(data: Any, *, text: str = "") -> PublicationFile:
    """From what JSON or TOML holds. DomainError ``publication.invalid``: everything that is wrong with its shape."""
    try:
        return PublicationFile.model_validate(data)
    except ValidationError as error:
        faults = [Fault(in_data(data, one["loc"]), one["msg"].removeprefix("Value error, ")) for one in error.errors()]
        raise refusal(faults, text=text) from error


def refusal(faults: Sequence[Fault], *, text: str = "") -> DomainError:
    """``publication.invalid`` with every fault in its context as {line, where, message}, in order of lines."""
    told = []
    for fault in faults:
        message = fault.message
        if fault.other is not None:
            other = toml_line(text, fault.other) if text else None
            message += f"; the other is {f'line {other}' if other else _in_words(fault.other)}"
        line = toml_line(text, fault.where) if text else None
        told.append({"line": line, "where": _in_words(fault.where), "message": message})
    return _refusal(sorted(told, key=lambda one: one["line"] or 0) if text else told)


def _refusal(told: list[dict[str, Any]]) -> DomainError:
    lines = []
    for fault in told:
        place = ", ".join(filter(None, (f"line {fault['line']}" if fault["line"] else "", fault["where"])))
        lines.append(f"{place}: {fault['message']}" if place else fault["message"])
    return DomainError("publication.invalid", "This can't be published: " + "\n".join(lines), {"faults": told})


def _in_words(path: Path) -> str:
    """("changes", 2, "card") as "changes 3 card"."""
    return " ".join(str(part + 1 if isinstance(part, int) else part) for part in path)


@dataclass(frozen=True)
class Known:
    """What a game has that a publication may speak of.

    ``cards`` maps keys of names to ids of cards, ``formats`` slugs to names, ``citations`` documents to what they hold,
    ``lists`` slugs of formats to what their rules look up. ``like`` keys of unknown names to cards.
    """

    names: GameNames
    cards: Mapping[str, int]
    formats: Mapping[str, str]
    citations: Mapping[tuple[str, str], frozenset[str]]
    lists: Mapping[str, frozenset[Decides]]
    like: Mapping[str, Sequence[str]] = field(default_factory=dict)

    def card(self, name: str) -> int | str:
        """The same for two names of one card."""
        key = name_key(name)
        return self.cards.get(key, key)


def publication_faults(file: PublicationFile, known: Known) -> list[Fault]:
    """Whatever can be told without looking at the lists in force: unknown names, and changes at odds with others."""
    return [*_changes(file, known), *_contradictions(file, known), *_tags(file, known), *_formats(file, known)]


def lists_of(definition: FormatDefinition) -> frozenset[Decides]:
    """The lists that a rule of the format looks at."""
    looked_at: dict[str, Decides] = {"status": "copies", "points": "points"}
    return frozenset(looked_at[rule.kind] for _, rule in rules_of(definition) if rule.kind in looked_at)


def _changes(file: PublicationFile, known: Known) -> Iterator[Fault]:
    cited = frozenset().union(*known.citations.values())
    new = {definition.slug: lists_of(definition) for definition in file.formats}
    for index, change in enumerate(file.changes):
        where: Path = ("changes", index)
        lists = known.lists.get(change.format, frozenset()) | new.get(change.format, frozenset())
        if change.format not in known.formats:
            yield Fault((*where, "format"), f"no such format: {change.format}")
        elif not lists or (change.status != "legal" and change.decides not in lists):
            kind = "points list" if change.decides == "points" else "banned and restricted list"
            yield Fault((*where, "format"), f"no rule of {known.formats[change.format]} looks at a {kind}")
        yield from _card((*where, "card"), change.card, known)
        if change.zone is not None and change.zone not in known.names.zones:
            yield Fault((*where, "zone"), f"no such zone: {change.zone}")
        if change.section not in cited:
            yield Fault((*where, "section"), f"no such section in any rules document: {change.section}")


def _card(where: Path, name: str, known: Known) -> Iterator[Fault]:
    if name_key(name) not in known.cards:
        like = known.like.get(name_key(name))
        yield Fault(where, f"no such card: {name}" + (f"; did you mean {' or '.join(like)}?" if like else ""))


def _contradictions(file: PublicationFile, known: Known) -> Iterator[Fault]:
    """Two changes of one card. A ban in all zones leaves nothing to say of one; a ban in one zone leaves the others."""
    by_card: dict[tuple[str, int | str, str], list[int]] = {}
    for index, change in enumerate(file.changes):
        by_card.setdefault((change.format, known.card(change.card), change.decides), []).append(index)
    for indexes in by_card.values():
        for first, second in combinations(indexes, 2):
            one, two = file.changes[first], file.changes[second]
            if one.zone == two.zone:
                both = one.status if one.status == two.status else f"{one.status} and {two.status}"
                message = f"{two.card} is changed twice in {two.format} ({both})"
            elif any(change.status == "banned" and change.zone is None for change in (one, two)):
                message = f"{two.card} is banned in every zone of {two.format}, and changed in one of them too"
            else:
                continue
            yield Fault(("changes", second), message, ("changes", first))


def _tags(file: PublicationFile, known: Known) -> Iterator[Fault]:
    seen: dict[tuple[str, int | str], Path] = {}
    for index, change in enumerate(file.tags):
        if known.names.tags is not None and change.tag not in known.names.tags:
            yield Fault(("tags", index, "tag"), f"no such tag: {change.tag}")
        for key, names in (("add", change.add), ("remove", change.remove)):
            where: Path = ("tags", index, key)
            for name in names:
                yield from _card(where, name, known)
                listed = change.tag, known.card(name)
                if listed in seen:
                    yield Fault(where, f"{name} is there twice for {change.tag}", seen[listed])
                seen.setdefault(listed, where)


def _formats(file: PublicationFile, known: Known) -> Iterator[Fault]:
    seen: dict[str, Path] = {}
    for index, definition in enumerate(file.formats):
        where: Path = ("formats", index)
        if definition.from_ is None:
            yield Fault(where, "a new version needs the day from which it holds: from")
        if definition.slug not in known.formats:
            yield Fault((*where, "slug"), f"no such format: {definition.slug}; new formats come with the game's pack")
        elif definition.name != known.formats[definition.slug]:
            yield Fault((*where, "name"), f"the format is called {known.formats[definition.slug]!r}")
        if definition.slug in seen:
            yield Fault(where, f"two versions of {definition.slug}", seen[definition.slug])
        seen.setdefault(definition.slug, where)
        yield from (Fault((*where, *path), message) for path, message in format_faults(definition, known.names))
        document = definition.document.key
        if document not in known.citations:
            yield Fault((*where, "document"), f"no such document: {document[0]} {document[1]}")
            continue
        own = known.citations[document]
        prefix = next(iter(own), "").partition(" ")[0]
        for path, citation in citations_of(definition):
            elsewhere = citation.partition(" ")[0] != prefix
            if citation not in (frozenset().union(*known.citations.values()) if elsewhere else own):
                yield Fault((*where, *path), f"no such section: {citation}")
