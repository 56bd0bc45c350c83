"""Where a card stands in every format of its game on a day, by the same engine that judges whole decks."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from typing import Literal, cast

from cards.models import Card
from rules.engine.checks.cards import limit_of
from rules.engine.checks.deck import DeckCheck
from rules.engine.checks.fixed import not_sold_in
from rules.engine.counting import Counted
from rules.engine.formatschema import AnyConstraint, Eligible, Fixed, FormatDefinition
from rules.engine.legality import CardFacts, CompiledFormat, DeckFacts, DeckLine, Violation, check, compile_format
from rules.engine.schema import FactSelector
from rules.engine.selectors import evaluate, walk
from rules.engine.verdict import StatusFact
from rules.models import Format, FormatVersion, Section, StatusEntry

Standing = Literal["legal", "restricted", "banned", "illegal", "undetermined", "own pool"]
# What a deck of one copy can say about the card itself; that such a deck is too small says nothing.
_ABOUT_THE_CARD = ("pool.", "status.", "eligible.")


@dataclass(frozen=True)
class CardStanding:
    """``violation`` is why it may not be played, or why that can't be told.

    ``zones`` are those that may hold it, ``copies`` is how many a deck may have (None: no rule bounds them, or a
    missing fact decides), and ``section`` is the rule behind that. ``banned_from`` are the zones from which a list
    bans it alone, ``points`` what a copy costs on the points list. The rest of a deck may keep it out all the same.
    """

    format: Format
    version: FormatVersion
    standing: Standing
    zones: tuple[str, ...]
    copies: int | None
    violation: Violation | None
    cite: str
    section: Section | None
    banned_from: tuple[str, ...] = ()
    points: int = 0


def standings_of_card(*, card: Card, facts: CardFacts, day: date) -> list[CardStanding]:
    """One for each format with a version in force on the day, by name of format. Three queries."""
    versions = FormatVersion.objects.filter(format__game=card.game_id, during__contains=day)
    entries: dict[int, list[StatusEntry]] = {}
    for entry in StatusEntry.objects.filter(card=card, during__contains=day):
        entries.setdefault(entry.format_id, []).append(entry)
    told = []
    for version in versions.select_related("format__game").order_by("format__name"):
        compiled = _compiled(version, entries.get(version.format_id, ()), day)
        told.append((version, _judged(facts, compiled)))
    sections = _Sections(card, {(version.document_id, judged.cite) for version, judged in told if judged.cite})
    return [
        CardStanding(
            format=version.format,
            version=version,
            standing=judged.standing,
            zones=judged.zones,
            copies=judged.copies,
            violation=judged.violation,
            cite=judged.cite,
            section=sections.of(version, judged.cite),
            banned_from=judged.banned_from,
            points=judged.points,
        )
        for version, judged in told
    ]


def _compiled(version: FormatVersion, entries: Iterable[StatusEntry], day: date) -> CompiledFormat:
    definition = FormatDefinition.model_validate(version.definition)
    return compile_format(definition, [status_fact(entry) for entry in entries], day, {})


def status_fact(entry: StatusEntry) -> StatusFact:
    """An entry of a list as the engine reads it. No query."""
    status = cast(Literal["banned", "restricted", "limit", "points"], entry.status)
    since, points = entry.during.lower, entry.points or 0
    return StatusFact(
        entry.card_id, status, entry.max_copies, since, entry.section, entry.source, points=points, zone=entry.zone
    )


def standing_in(facts: CardFacts, compiled: CompiledFormat) -> Standing:
    """How the card of these facts stands in one format. No query."""
    return _judged(facts, compiled).standing


@dataclass(frozen=True)
class _Judged:
    standing: Standing
    zones: tuple[str, ...]
    copies: int | None
    violation: Violation | None
    cite: str
    banned_from: tuple[str, ...] = ()
    points: int = 0


def _judged(facts: CardFacts, compiled: CompiledFormat) -> _Judged:
    zones = dict.fromkeys(zone for clause in compiled.clauses for zone in clause.rule.zones)
    against = {zone: _against(facts, zone, compiled) for zone in zones}
    entries = compiled.statuses.get(facts.id, ())
    points = max((entry.points for entry in entries), default=0)
    if open_zones := tuple(zone for zone, found in against.items() if not found):
        shut = tuple(entry.zone for entry in entries if entry.zone and entry.status == "banned")
        entry = next((one for one in entries if one.status in ("restricted", "limit") and not one.zone), None)
        copies, cite = _most_copies(facts, open_zones, compiled)
        standing: Standing = "legal"
        if entry is not None and entry.max_copies is not None:
            standing = "restricted" if entry.status == "restricted" else "legal"
            copies = entry.max_copies if copies is None else min(copies, entry.max_copies)
            cite = entry.section
        return _Judged(standing, open_zones, copies, None, cite, shut, points)
    zone, found = min(against.items(), key=lambda pair: (len(pair[1]), not pair[1][0].undetermined))
    first = next((violation for violation in found if not violation.undetermined), found[0])
    if first.code == "pool.not_given":
        return _Judged("own pool", (zone,), None, first, first.cite, points=points)
    standing = "banned" if first.code == "status.banned" else "illegal"
    return _Judged("undetermined" if first.undetermined else standing, (), 0, first, first.cite, points=points)


def _against(facts: CardFacts, zone: str, compiled: CompiledFormat) -> list[Violation]:
    verdict = check(DeckFacts((DeckLine(zone, 1, facts),)), compiled)
    by_other_cards = {clause.rule.id for clause in compiled.clauses if _turns_on_other_cards(clause.rule, facts)}
    about = [v for v in verdict.violations if v.code.startswith(_ABOUT_THE_CARD) and v.constraint not in by_other_cards]
    sold = [clause.rule for clause in compiled.clauses if isinstance(clause.rule, Fixed) and zone in clause.rule.zones]
    return [*about, *(found for rule in sold for found in not_sold_in(rule, facts))]


def _turns_on_other_cards(rule: AnyConstraint, facts: CardFacts) -> bool:
    """Whether the rest of the deck decides if the rule lets the card in."""
    if not isinstance(rule, Eligible) or evaluate(rule.select, facts) is False:
        return False
    return any(isinstance(part, FactSelector) and part.in_zone is not None for part in walk(rule.select))


def _most_copies(facts: CardFacts, zones: tuple[str, ...], compiled: CompiledFormat) -> tuple[int | None, str]:
    rules = [rule for rule in compiled.lasting_copies if not set(rule.zones).isdisjoint(zones)]
    truths = [(evaluate(rule.select, facts), rule) for rule in rules]
    if any(truth is None for truth, _ in truths):
        return None, ""
    nothing = DeckCheck(Counted(DeckFacts(())), compiled)
    limits = [(limit_of(nothing, rule, facts), rule.cite) for truth, rule in truths if truth]
    return min(limits, default=(None, ""))


class _Sections:
    """The sections behind citations: those of the version's own document, else of any of the game. One query."""

    def __init__(self, card: Card, wanted: set[tuple[int, str]]) -> None:
        numbers = {cite.partition(" ")[2] for _, cite in wanted}
        found = Section.objects.select_related("document__game").filter(document__game=card.game_id, number__in=numbers)
        self._found = {(s.document_id, f"{s.document.prefix} {s.number}"): s for s in found.defer("search")}

    def of(self, version: FormatVersion, cite: str) -> Section | None:
        own = self._found.get((version.document_id, cite))
        return own or next((section for (_, other), section in self._found.items() if other == cite), None)
