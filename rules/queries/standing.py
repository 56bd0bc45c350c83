"""Where a card stands in every format of its game on a day, by the same engine that judges whole decks."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from typing import Literal, cast

from cards.models import Card
from rules.engine.formatschema import Copies, FormatDefinition
from rules.engine.legality import CardFacts, CompiledFormat, DeckFacts, DeckLine, Violation, check, compile_format
from rules.engine.selectors import evaluate
from rules.engine.verdict import StatusFact
from rules.models import Format, FormatVersion, Section, StatusEntry

Standing = Literal["legal", "restricted", "banned", "illegal", "undetermined", "own pool"]
# What a deck of one copy can say about the card itself; that such a deck is too small says nothing.
_ABOUT_THE_CARD = ("pool.", "status.", "eligible.")


@dataclass(frozen=True)
class CardStanding:
    """``violation`` is why it may not be played, or why that can't be told.

    ``zones`` are those that may hold it, ``copies`` is how many a deck may have (None: no rule bounds them, or a
    missing fact decides), and ``section`` is the rule behind that.
    """

    format: Format
    version: FormatVersion
    standing: Standing
    zones: tuple[str, ...]
    copies: int | None
    violation: Violation | None
    cite: str
    section: Section | None


def standings_of_card(*, card: Card, facts: CardFacts, day: date) -> list[CardStanding]:
    """One for each format with a version in force on the day, by name of format. Three queries."""
    versions = FormatVersion.objects.filter(format__game=card.game_id, during__contains=day)
    entries: dict[int, list[StatusEntry]] = {}
    for entry in StatusEntry.objects.filter(card=card, during__contains=day):
        entries.setdefault(entry.format_id, []).append(entry)
    told = []
    for version in versions.select_related("format__game").order_by("format__name"):
        compiled = _compiled(version, entries.get(version.format_id, ()), day)
        told.append((version, *_judged(card, facts, compiled)))
    sections = _Sections(card, {(version.document_id, cite) for version, *_, cite in told if cite})
    return [
        CardStanding(version.format, version, standing, zones, copies, violation, cite, sections.of(version, cite))
        for version, standing, zones, copies, violation, cite in told
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


_Judged = tuple[Standing, tuple[str, ...], int | None, Violation | None, str]


def _judged(card: Card, facts: CardFacts, compiled: CompiledFormat) -> _Judged:
    zones = dict.fromkeys(zone for rule in compiled.definition.constraints for zone in rule.zones)
    against = {zone: _against(facts, zone, compiled) for zone in zones}
    open_zones = tuple(zone for zone, found in against.items() if not found)
    if open_zones:
        entry = next((one for one in compiled.statuses.get(card.pk, ()) if not one.zone), None)
        copies, cite = _most_copies(facts, open_zones, compiled)
        if entry is not None and entry.max_copies is not None:
            fewer = entry.max_copies if copies is None else min(copies, entry.max_copies)
            return "restricted", open_zones, fewer, None, entry.section
        return "legal", open_zones, copies, None, cite
    zone, found = min(against.items(), key=lambda pair: (len(pair[1]), not pair[1][0].undetermined))
    first = next((violation for violation in found if not violation.undetermined), found[0])
    if first.code == "pool.not_given":
        return "own pool", (zone,), None, first, first.cite
    standing: Standing = "banned" if first.code == "status.banned" else "illegal"
    return ("undetermined" if first.undetermined else standing), (), 0, first, first.cite


def _against(facts: CardFacts, zone: str, compiled: CompiledFormat) -> list[Violation]:
    verdict = check(DeckFacts((DeckLine(zone, 1, facts),)), compiled)
    return [violation for violation in verdict.violations if violation.code.startswith(_ABOUT_THE_CARD)]


def _most_copies(facts: CardFacts, zones: tuple[str, ...], compiled: CompiledFormat) -> tuple[int | None, str]:
    bounds = (rule for rule in compiled.definition.constraints if isinstance(rule, Copies))
    rules = [rule for rule in bounds if not set(rule.zones).isdisjoint(zones)]
    truths = [(evaluate(rule.select, facts), rule) for rule in rules]
    if any(truth is None for truth, _ in truths):
        return None, ""
    return min(((rule.max, rule.cite) for truth, rule in truths if truth), default=(None, ""))


class _Sections:
    """The sections behind citations: those of the version's own document, else of any of the game. One query."""

    def __init__(self, card: Card, wanted: set[tuple[int, str]]) -> None:
        numbers = {cite.partition(" ")[2] for _, cite in wanted}
        found = Section.objects.select_related("document__game").filter(document__game=card.game_id, number__in=numbers)
        self._found = {(s.document_id, f"{s.document.prefix} {s.number}"): s for s in found.defer("search")}

    def of(self, version: FormatVersion, cite: str) -> Section | None:
        own = self._found.get((version.document_id, cite))
        return own or next((section for (_, other), section in self._found.items() if other == cite), None)
