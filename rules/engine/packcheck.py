"""Does a pack hold together? Names used in one file must exist in another, and dates must not overlap."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from itertools import combinations
from typing import Any, Generic, TypeVar

from pydantic import ValidationError

from cards.engine.names import name_key
from cards.engine.rows import LEADING, CardDraft, CardRow
from rules.engine.formatcheck import GameNames, format_faults
from rules.engine.formatparts import Path, citations_of, rules_of
from rules.engine.formatschema import FormatDefinition
from rules.engine.packschema import Document, GameFile, ListsFile, ProductsFile, ProductSpec, RulingsFile, StatusSpec
from rules.engine.policyschema import DraftStage, PolicyDefinition, SealedStage
from rules.engine.products import resolve
from rules.engine.schema import Dated

T = TypeVar("T")
Entry = tuple[Path, tuple[str, str], T]
"""Where it is, of which list and card, and what it says."""


@dataclass(frozen=True)
class Fault:
    """Something wrong in a pack's file. ``where`` is a line, or a path into TOML that the reader turns into one."""

    file: str
    where: int | Path | None
    message: str
    also: Path | None = None
    """The other part that this one is at odds with, in the same file."""


@dataclass(frozen=True)
class In(Generic[T]):
    """What a file holds, with the file's name."""

    file: str
    value: T


@dataclass
class Parts:
    """A pack's files so far as their own shape is right. What ``broken_files`` would have defined isn't missed."""

    game: GameFile
    rows: Sequence[CardRow] = ()
    cards: Sequence[CardDraft] = ()
    lists: ListsFile = field(default_factory=ListsFile)
    products: ProductsFile = field(default_factory=ProductsFile)
    formats: Sequence[In[FormatDefinition]] = ()
    policies: Sequence[In[PolicyDefinition]] = ()
    documents: Sequence[In[Document]] = ()
    rulings: RulingsFile = field(default_factory=RulingsFile)
    broken_files: frozenset[str] = frozenset()


def faults_of(parts: Parts) -> list[Fault]:
    """Every fault, in order of file."""
    return list(_Pack(parts).faults())


class _Pack:
    def __init__(self, parts: Parts) -> None:
        self.parts, self.game = parts, parts.game
        self.sets = {card_set.code for card_set in self.game.sets}
        self.names = {name_key(name): card for card in parts.cards for name in card.spellings}
        self.formats = {part.value.slug for part in parts.formats}
        self.products = {product.slug for product in parts.products.product}
        self.vocabulary = GameNames(
            zones={zone.key for zone in self.game.zones},
            facts=self.game.facts,
            tags={tag.tag for tag in parts.lists.tag},
            has_all_tags=not self._is_broken("lists.toml"),
            sets=self.sets,
            cards=None if self._is_broken("cards.csv") else {key: c.name for key, c in self.names.items()},
        )
        self.citations = {
            (part.value.front.slug, part.value.front.version): {
                part.value.citation(section) for section in part.value.sections
            }
            for part in parts.documents
        }
        self.documents_broken = self._is_broken("documents/", "readings")

    def faults(self) -> Iterator[Fault]:
        yield from self._game()
        yield from self._cards()
        yield from self._statuses()
        yield from self._tags()
        yield from self._errata()
        for part in self.parts.formats:
            yield from self._format(part.file, part.value)
        yield from self._versions(self.parts.formats)
        for policy in self.parts.policies:
            yield from self._policy(policy.file, policy.value)
        yield from self._versions(self.parts.policies)
        yield from self._products()
        yield from self._documents()
        yield from self._rulings()

    def _game(self) -> Iterator[Fault]:
        file = "game.toml"
        yield from _twice(file, "zones", [zone.key for zone in self.game.zones], "zone")
        headings = [(index, name_key(h)) for index, zone in enumerate(self.game.zones) for h in zone.headings]
        for (first, one), (second, other) in combinations(headings, 2):
            if one == other:
                where = ("zones", second, "headings")
                yield Fault(file, where, f"the heading {one!r} is also one of {self.game.zones[first].key}")
        yield from _twice(file, "sets", [card_set.code for card_set in self.game.sets], "set")
        for key in self.game.facts:
            if key in LEADING:
                yield Fault(file, ("facts", key), f"a fact can't be called {key}: cards.csv has that column already")

    def _cards(self) -> Iterator[Fault]:
        for row in self.parts.rows:
            if row.set_code and row.set_code not in self.sets:
                yield Fault("cards.csv", row.line, f"no such set in game.toml: {row.set_code}")

    def _card(self, file: str, where: Path, name: str) -> Iterator[Fault]:
        if name_key(name) not in self.names and not self._is_broken("cards.csv"):
            yield Fault(file, where, f"no such card in cards.csv: {name}")

    def _named(self, file: str, where: Path, slug: str) -> Iterator[Fault]:
        """The format must exist; any broken file may be the one that it stands in."""
        if slug not in self.formats and not self._is_broken("formats/"):
            yield Fault(file, where, f"no such format: {slug}")

    def _is_broken(self, *files: str) -> bool:
        return any(name.startswith(files) for name in self.parts.broken_files)

    def _cited(self, file: str, where: Path, citation: str, document: tuple[str, str] | None = None) -> Iterator[Fault]:
        """The section must exist: in the document's own version if it bears that prefix, else in any document."""
        if self.documents_broken:
            return
        prefix = citation.partition(" ")[0]
        own = next((p.value for p in self.parts.documents if p.value.ref.key == document), None)
        if own is not None and own.front.prefix == prefix:
            known, place = self.citations[own.ref.key], f"{own.front.slug} {own.front.version}"
        else:
            known, place = set().union(*self.citations.values()), "any document"
        if citation not in known:
            yield Fault(file, where, f"no such section in {place}: {citation}")

    def _identity(self, name: str) -> str:
        """The card's own name, whichever of its names is given; an unknown name as it is."""
        card = self.names.get(name_key(name))
        return card.name if card else name

    def _statuses(self) -> Iterator[Fault]:
        file, statuses = "lists.toml", self.parts.lists.status
        for index, status in enumerate(statuses):
            where = ("status", index)
            for slug in status.formats:
                yield from self._named(file, (*where, "format"), slug)
                if slug in self.formats and not self._is_broken("formats/") and not self._is_read(status, slug):
                    message = f"{slug} has no rule that would read the status {status.status}"
                    yield Fault(file, (*where, "status"), message)
            yield from self._card(file, (*where, "card"), status.card)
            yield from self._cited(file, (*where, "section"), status.section)
            if status.zone is not None and status.zone not in self.vocabulary.zones:
                yield Fault(file, (*where, "zone"), f"no such zone in game.toml: {status.zone}")
        held = [
            (("status", i), (slug, self._identity(s.card)), s) for i, s in enumerate(statuses) for slug in s.formats
        ]
        for (first, key, one), (second, _, other) in _pairs(held):
            if _at_odds(one, other):
                message = f"{key[1]} has two statuses in {key[0]} on one day"
                yield Fault(file, second, message, also=first)

    def _is_read(self, status: StatusSpec, slug: str) -> bool:
        kind = "points" if status.status == "points" else "status"
        versions = [part.value for part in self.parts.formats if part.value.slug == slug]
        return any(rule.kind == kind for version in versions for _, rule in rules_of(version))

    def _tags(self) -> Iterator[Fault]:
        file = "lists.toml"
        listed = [(("tag", i), tag, name) for i, tag in enumerate(self.parts.lists.tag) for name in tag.cards]
        for where, _, name in listed:
            yield from self._card(file, (*where, "cards"), name)
        held = [(where, (tag.tag, self._identity(name)), tag) for where, tag, name in listed]
        for (first, key, one), (second, _, other) in _pairs(held):
            if _meet(one, other):
                yield Fault(file, second, f"{key[1]} is listed twice as {key[0]} on one day", also=first)

    def _errata(self) -> Iterator[Fault]:
        file = "lists.toml"
        first: dict[tuple[str, date], Path] = {}
        for index, erratum in enumerate(self.parts.lists.erratum):
            where = ("erratum", index)
            yield from self._card(file, (*where, "card"), erratum.card)
            for fact, value in erratum.facts.items():
                spec = self.game.facts.get(fact)
                if spec is None:
                    yield Fault(file, (*where, "facts", fact), f"no such fact in game.toml: {fact}")
                elif not spec.admits(value):
                    yield Fault(file, (*where, "facts", fact), f"{fact} can never be {value!r}")
            name = self._identity(erratum.card)
            other = first.setdefault((name, erratum.from_), where)
            if other != where:
                yield Fault(file, where, f"{name} has two errata from one day", also=other)

    def _rulings(self) -> Iterator[Fault]:
        file = "rulings.toml"
        first: dict[str, Path] = {}
        for index, ruling in enumerate(self.parts.rulings.ruling):
            where = ("ruling", index)
            for name in ruling.cards:
                yield from self._card(file, (*where, "cards"), name)
            for citation in ruling.citations:
                yield from self._cited(file, (*where, "citations"), citation)
            other = first.setdefault(ruling.number.casefold(), where)
            if other != where:
                yield Fault(file, (*where, "number"), f"the number {ruling.number} is there twice", also=other)

    def _format(self, file: str, definition: FormatDefinition) -> Iterator[Fault]:
        document = definition.document.key
        if document not in self.citations and not self.documents_broken:
            yield Fault(file, ("document",), f"no such document: {document[0]} {document[1]}")
        for where, citation in citations_of(definition):
            yield from self._cited(file, where, citation, document)
        for where, message in format_faults(definition, self.vocabulary):
            yield Fault(file, where, message)

    def _policy(self, file: str, policy: PolicyDefinition) -> Iterator[Fault]:
        yield from self._named(file, ("format",), policy.format)
        for index, stage in enumerate(policy.stages):
            if not isinstance(stage, (DraftStage, SealedStage)) or self._is_broken("products.toml"):
                continue
            if stage.product not in self.products:
                yield Fault(file, ("stages", index, "product"), f"no such product in products.toml: {stage.product}")
        tables: list[tuple[Path, Any]] = [
            ((name,), getattr(policy, name)) for name in ("match", "points", "decklist", "standings")
        ]
        tables += [(("play",), policy.play)] if policy.play is not None else []
        tables += [(("stages", index), stage) for index, stage in enumerate(policy.stages)]
        for where, table in tables:
            for key, citation in table.cite.items():
                if key not in type(table).model_fields:
                    yield Fault(file, (*where, "cite"), f"cite names {key}, which this table doesn't have")
                yield from self._cited(file, (*where, "cite"), citation)

    def _versions(self, parts: Iterable[In[Any]]) -> Iterator[Fault]:
        """Versions of one format or policy: told apart by their files; never two on one day; always one name."""
        for one, other in combinations(parts, 2):
            if one.value.slug != other.value.slug:
                continue
            if _meet(one.value, other.value):
                yield Fault(other.file, ("from",), f"in force at the same time as {one.file}: close one with until")
            if isinstance(one.value, FormatDefinition) and one.value.name != other.value.name:
                yield Fault(other.file, ("name",), f"called {one.value.name!r} in {one.file}")

    def _products(self) -> Iterator[Fault]:
        file = "products.toml"
        products = self.parts.products.product
        yield from _twice(file, "product", [f"{p.slug} {p.version}" for p in products], "product")
        held = {row.set_code for row in self.parts.rows}
        for index, product in enumerate(products):
            where: Path = ("product", index)
            found = list(self._product(file, where, product, held))
            yield from found
            if not found and not self._is_broken("cards.csv"):
                yield from self._fillable(file, where, product)

    def _product(self, file: str, where: Path, product: ProductSpec, held: set[str]) -> Iterator[Fault]:
        sheets = [sheet.name for sheet in product.sheets]
        yield from _twice(file, "product", sheets, f"sheet of {product.slug}", (where[1], "sheets"))
        if (held_cards := sum(slot.count for slot in product.slots)) != product.pack_size:
            message = f"the slots hold {held_cards} cards, the pack {product.pack_size}"
            yield Fault(file, (*where, "pack_size"), message)
        for number, slot in enumerate(product.slots):
            if slot.sheet not in sheets:
                yield Fault(file, (*where, "slots", number, "sheet"), f"no such sheet: {slot.sheet}")
        for number, sheet in enumerate(product.sheets):
            at = (*where, "sheets", number, "entries")
            for entry in sheet.entries:
                if entry.set is not None and entry.set not in held and not self._is_broken("cards.csv"):
                    yield Fault(file, at, f"no card of the set {entry.set} in cards.csv")
                if entry.card is not None:
                    yield from self._card(file, at, entry.card)

    def _fillable(self, file: str, where: Path, product: ProductSpec) -> Iterator[Fault]:
        ids = {card.name: number for number, card in enumerate(self.parts.cards)}
        try:
            resolve(product, self.parts.cards, ids)
        except ValidationError as error:
            yield from (Fault(file, where, one["msg"].removeprefix("Value error, ")) for one in error.errors())

    def _documents(self) -> Iterator[Fault]:
        for part in self.parts.documents:
            document = part.value
            seen: dict[str, int] = {}
            for section in document.sections:
                file = "readings.toml" if section.is_reading else part.file
                if section.number in seen:
                    yield Fault(file, section.line, f"{document.citation(section)} is there twice")
                seen[section.number] = section.line
                for name in section.cards:
                    yield from (Fault(file, section.line, f.message) for f in self._card(file, (), name))
        for one, other in combinations(self.parts.documents, 2):
            same = one.value.front.slug == other.value.front.slug
            if same and one.value.front.version == other.value.front.version:
                yield Fault(other.file, ("version",), f"the same slug and version as {one.file}")
            elif same and _meet(one.value.front, other.value.front):
                yield Fault(other.file, ("from",), f"in force at the same time as {one.file}: close one with until")
            if same != (one.value.front.prefix == other.value.front.prefix):
                yield Fault(
                    other.file, ("prefix",), f"versions of one document, and only they, share a prefix: {one.file}"
                )


def _meet(one: Dated, other: Dated) -> bool:
    starts, ends = (one.from_ or date.min, other.from_ or date.min), (one.until or date.max, other.until or date.max)
    return max(starts) < min(ends)


def _pairs(entries: Iterable[Entry[T]]) -> Iterator[tuple[Entry[T], Entry[T]]]:
    """Every two entries of one list and card, the earlier first."""
    by_key: dict[tuple[str, str], list[Entry[T]]] = {}
    for entry in entries:
        by_key.setdefault(entry[1], []).append(entry)
    for held in by_key.values():
        yield from combinations(held, 2)


def _at_odds(one: StatusSpec, other: StatusSpec) -> bool:
    """On one day a card has one number of copies in a zone and one of points; banned everywhere leaves no other."""
    if not _meet(one, other) or (one.status == "points") != (other.status == "points"):
        return False
    return one.zone == other.zone or any(s.status == "banned" and s.zone is None for s in (one, other))


def _twice(file: str, table: str, keys: Sequence[str], what: str, inside: Path = ()) -> Iterator[Fault]:
    seen: Mapping[str, int] = {}
    for index, key in enumerate(keys):
        if key in seen:
            yield Fault(file, (table, *inside, index), f"there are two of the {what} {key}")
        seen = {**seen, key: index}
