"""Reads of formats, lists, rules documents and policies. Everything by date; "today" is only a default."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date

from django.db.models import QuerySet

from cards.models import Card, Game
from config.errors import NotFound
from rules.engine.digests import ENGINE, statuses_digest
from rules.engine.formatparts import citations_of
from rules.engine.formatschema import FormatDefinition
from rules.engine.legality import CompiledFormat, compile_format
from rules.engine.policyschema import PolicyDefinition
from rules.models import Format, FormatVersion, Policy, RulesDocument, Section, StatusEntry
from rules.queries.changes import Change, Changes, Point, changes_between, changes_of_format, points_between
from rules.queries.facts import card_facts_for
from rules.queries.keeping import kept_facts, kept_lists
from rules.queries.lists import TagList, status_entries_on, tag_lists_on
from rules.queries.search import Meaning, SearchResult, SectionHit, meanings_in, search, search_sections
from rules.queries.standing import CardStanding, standings_of_card, status_fact
from rules.queries.timeline import Event, Moment, next_moments, timeline_of

__all__ = [
    "CardStanding",
    "CardStatus",
    "Change",
    "Changes",
    "Event",
    "FormatOnDay",
    "Meaning",
    "Moment",
    "Point",
    "SearchResult",
    "SectionHit",
    "SectionInContext",
    "TagList",
    "card_facts_for",
    "changes_between",
    "changes_of_format",
    "compiled_format",
    "document_by_version",
    "documents",
    "meanings_in",
    "next_moments",
    "other_versions",
    "sections_about",
    "sections_cited",
    "tag_lists_on",
    "versions_of",
    "format_by_slug",
    "format_version_on",
    "formats",
    "formats_on",
    "kept_facts",
    "policies_on",
    "policy_definition",
    "points_between",
    "policy_on",
    "search",
    "search_sections",
    "section_by_citation",
    "section_in_context",
    "status_entries_on",
    "standings_of_card",
    "statuses_of",
    "timeline_of",
]

_CITATION = re.compile(r"^\s*([A-Za-z][A-Za-z0-9]*)\s+((?:[0-9]+(?:\.[0-9]+)*[a-z]?)|(?:[Rr][0-9]+))\s*$")


def formats(*, game: Game | None = None) -> QuerySet[Format]:
    """Formats with their games, by game and name. One query."""
    found = Format.objects.select_related("game")
    return found if game is None else found.filter(game=game)


def format_by_slug(*, game: str, slug: str) -> Format:
    """One query. NotFound: no such format."""
    found = Format.objects.select_related("game").filter(game__slug=game, slug=slug).first()
    if found is None:
        raise NotFound("format.unknown", f"There is no format {slug!r} of {game!r}.", {"game": game, "format": slug})
    return found


def format_version_on(*, format: Format, day: date) -> FormatVersion:
    """The version in force on the day. One query. NotFound: none was, with the days of those that there are."""
    versions = list(FormatVersion.objects.filter(format=format).select_related("document", "format__game"))
    for version in versions:
        if day in version.during:
            return version
    days = [f"{v.version}: from {v.during.lower or 'ever'} until {v.during.upper or 'now'}" for v in versions]
    raise NotFound(
        "format.not_in_force",
        f"No version of {format.name} is in force on {day}. There are: {'; '.join(days) or 'none'}.",
        {"format": format.slug, "day": day.isoformat()},
    )


@dataclass(frozen=True)
class FormatOnDay:
    """``version`` is None where none is in force on the day."""

    format: Format
    version: FormatVersion | None


def formats_on(*, day: date, game: Game | None = None) -> list[FormatOnDay]:
    """Every format with what is in force of it on the day, in the order of ``formats``. Two queries."""
    found = list(formats(game=game))
    versions = FormatVersion.objects.filter(format__in=found, during__contains=day).select_related("document")
    by_format = {version.format_id: version for version in versions}
    return [FormatOnDay(format, by_format.get(format.pk)) for format in found]


def versions_of(*, format: Format) -> QuerySet[FormatVersion]:
    """Every version with its document, newest first. One query."""
    return FormatVersion.objects.filter(format=format).select_related("document", "format__game").order_by("-during")


def sections_cited(
    *, definition: FormatDefinition, version: FormatVersion, also: Iterable[str] = ()
) -> dict[str, Section]:
    """The sections that a format version cites, by citation: of its own document, else of another. One query.

    ``also`` are further citations to look up.
    """
    cites = {cite for _, cite in citations_of(definition)} | {*also}
    numbers = {cite.partition(" ")[2] for cite in cites}
    sections = Section.objects.select_related("document__game").filter(
        document__game=version.format.game_id, number__in=numbers
    )
    ordered = sorted(sections, key=lambda section: section.document_id == version.document_id)
    found = {f"{section.document.prefix} {section.number}": section for section in ordered}
    return {cite: found[cite] for cite in cites if cite in found}


def sections_about(*, card: Card, day: date) -> QuerySet[Section]:
    """Sections in force on the day that name the card. One query."""
    sections = Section.objects.filter(cards=card, document__during__contains=day)
    return sections.select_related("document__game").defer("search")


def compiled_format(*, format_version: FormatVersion, day: date, kept: int | None = None) -> CompiledFormat:
    """The version with the lists in force on the day, or with the kept ones, ready for ``check``. One query."""
    digests = {"engine": ENGINE, "format": format_version.digest}
    if kept is None:
        entries = StatusEntry.objects.filter(format=format_version.format_id, during__contains=day)
        statuses = [status_fact(entry) for entry in entries]
    else:
        digests["pack"], statuses = kept_lists(kept)
    digests["statuses"] = statuses_digest(statuses)
    definition = FormatDefinition.model_validate(format_version.definition)
    return compile_format(definition, statuses, day, digests)


@dataclass(frozen=True)
class CardStatus:
    """How a card stands on one list now or at another time."""

    format: Format
    entry: StatusEntry
    in_force: bool


def statuses_of(*, card: Card, day: date) -> list[CardStatus]:
    """Every list that the card was ever on, those in force on the day first. One query."""
    entries = StatusEntry.objects.filter(card=card).select_related("format__game")
    found = [CardStatus(entry.format, entry, day in entry.during) for entry in entries]
    return sorted(found, key=lambda status: (not status.in_force, status.format.name, status.entry.pk))


def documents(*, game: Game | None = None) -> QuerySet[RulesDocument]:
    """Every rules document with its game, by game, name and version. One query."""
    found = RulesDocument.objects.select_related("game")
    return found if game is None else found.filter(game=game)


def document_by_version(*, game: str, slug: str, version: str) -> RulesDocument:
    """The document with its sections in order. Two queries. NotFound: no such document or version."""
    found = documents().filter(game__slug=game, slug=slug, version=version).prefetch_related("sections").first()
    if found is None:
        raise NotFound(
            "document.unknown",
            f"There is no rules document {slug!r} {version!r} of {game!r}.",
            {"game": game, "document": slug, "version": version},
        )
    return found


@dataclass(frozen=True)
class SectionInContext:
    section: Section
    previous: Section | None
    next: Section | None
    within: tuple[Section, ...]
    """The sections that it is a part of, outermost first: of 5.3 that is 5."""
    parts: tuple[Section, ...]
    """The sections that are its parts: of 5 that is 5.1, 5.2 and so on."""
    chapter: tuple[Section, ...] = ()
    """The sections of its chapter, itself included: of 5.3 that is 5, 5.1, 5.2; of a reading, all readings."""


def section_in_context(*, document: RulesDocument, number: str) -> SectionInContext:
    """A section with its neighbours. One query. NotFound: the document has no such section."""
    sections = list(Section.objects.filter(document=document).order_by("order").prefetch_related("cards__game"))
    place = next((place for place, section in enumerate(sections) if section.number == number), None)
    if place is None:
        raise NotFound(
            "section.unknown",
            f"{document} has no section {number!r}.",
            {"document": document.slug, "version": document.version, "number": number},
        )
    by_number = {section.number: section for section in sections}
    pieces = number.split(".")
    outer = [".".join(pieces[:size]) for size in range(1, len(pieces))]
    chapter = _chapter(sections[place])
    return SectionInContext(
        section=sections[place],
        previous=sections[place - 1] if place else None,
        next=sections[place + 1] if place + 1 < len(sections) else None,
        within=tuple(by_number[part] for part in outer if part in by_number),
        parts=tuple(s for s in sections if s.number.startswith(f"{number}.") and s.number.count(".") == len(pieces)),
        chapter=tuple(section for section in sections if _chapter(section) == chapter),
    )


def _chapter(section: Section) -> str:
    return "readings" if section.is_reading else section.number.partition(".")[0]


def other_versions(*, section: Section, document: RulesDocument) -> list[Section]:
    """The sections with the same number in the document's other versions, newest first. One query."""
    same = Section.objects.filter(document__game=document.game_id, document__slug=document.slug, number=section.number)
    others = same.exclude(document=document).select_related("document__game").defer("search")
    return list(others.order_by("-document__during"))


def section_by_citation(*, citation: str, game: Game | None = None, day: date | None = None) -> Section | None:
    """The section that "EPIC 5.3" or "ENGARDE R2" names: as it read on the day, else in its newest version."""
    parts = _CITATION.match(citation[:60])
    if parts is None:
        return None
    sections = Section.objects.select_related("document__game").filter(
        document__prefix__iexact=parts[1], number__iexact=parts[2]
    )
    if game is not None:
        sections = sections.filter(document__game=game)
    found = sorted(sections, key=lambda section: section.document.during.lower or date.min, reverse=True)
    then = [section for section in found if day is not None and day in section.document.during]
    return next(iter(then or found), None)


def policies_on(*, day: date, game: Game | None = None) -> QuerySet[Policy]:
    """The policies in force on the day, which are also the templates of events. One query."""
    found = Policy.objects.filter(during__contains=day).select_related("game", "format")
    return found if game is None else found.filter(game=game)


def policy_on(*, game: Game, slug: str, day: date) -> Policy:
    """One query. NotFound: no version of it is in force on the day."""
    found = policies_on(day=day, game=game).filter(slug=slug).first()
    if found is None:
        raise NotFound(
            "policy.not_in_force",
            f"{game.name} has no policy {slug!r} that is in force on {day}.",
            {"game": game.slug, "policy": slug, "day": day.isoformat()},
        )
    return found


def policy_definition(policy: Policy) -> PolicyDefinition:
    """What the row holds, typed. No query."""
    return PolicyDefinition.model_validate(policy.definition)
