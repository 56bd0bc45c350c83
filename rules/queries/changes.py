"""What became different in a format from one day or version to another: rules, policies, lists, errata."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from django.db.models import Q

from cards.models import Card, CardTag, Erratum
from config.errors import DomainError, NotFound
from rules.descriptions import policy_facts, pool_text, rule_text
from rules.engine.days import day_of
from rules.engine.formatschema import FormatDefinition
from rules.engine.policyschema import PolicyDefinition
from rules.lists import NOT_LISTED, entry_text, facts_text, tag_text
from rules.models import Format, FormatVersion, Policy, Section, StatusEntry
from rules.queries.lists import tags_counted

NOT_KNOWN = "not known"


@dataclass(frozen=True)
class Point:
    """A day of a format's life and the version in force on it."""

    version: FormatVersion
    day: date


@dataclass(frozen=True)
class Change:
    """``before`` or ``after`` is empty where that version says nothing of it. ``section`` is where the new one does.

    Of what went, ``cite`` and ``section`` are those of the old version.
    """

    label: str
    before: str
    after: str
    cite: str
    section: Section | None = None


@dataclass(frozen=True)
class ListChange:
    """A card that stands otherwise on a list, has a tag on one of the days only, or got an erratum between them.

    ``source`` is who says so.
    """

    card: Card
    before: str
    after: str
    source: str
    cite: str = ""


@dataclass(frozen=True)
class Changes:
    before: FormatVersion
    after: FormatVersion
    before_day: date
    after_day: date
    rows: tuple[Change, ...]
    lists: tuple[ListChange, ...]


@dataclass(frozen=True)
class _Said:
    label: str
    value: str
    cite: str


def changes_of_format(*, version: FormatVersion) -> Changes | None:
    """How ``version`` on its first day differs from what was in force before; None for a first version.

    At most seven queries; select ``format__game`` and ``document`` with the version.
    """
    start = version.during.lower
    if start is None:
        return None
    earlier = FormatVersion.objects.filter(format=version.format, during__endswith__lte=start)
    before = earlier.select_related("document").order_by("-during").first()
    if before is None:
        return None
    return changes_between(before=Point(before, before.during.upper - timedelta(days=1)), after=Point(version, start))


def points_between(*, format: Format, before: str, after: str, today: date) -> tuple[Point, Point]:
    """The two that are to be compared, each named as a version ("2024") or a day ("2024-12-31"). One query.

    Versions are met where they are nearest: the earlier one on its last day, the later one on its first. NotFound
    ``format.no_such_version``, ``format.not_in_force``.
    """
    found = FormatVersion.objects.filter(format=format).select_related("document", "format__game")
    versions = list(found.order_by("during"))
    one, other = _named(before, format, versions), _named(after, format, versions)
    is_forward = versions.index(one.version) <= versions.index(other.version)
    return _nearest(one, is_first=is_forward, today=today), _nearest(other, is_first=not is_forward, today=today)


@dataclass(frozen=True)
class _Asked:
    version: FormatVersion
    day: date | None


def _named(name: str, format: Format, versions: Sequence[FormatVersion]) -> _Asked:
    for version in versions:
        if version.version == name:
            return _Asked(version, None)
    context = {"format": format.slug, "asked": name[:20], "versions": [version.version for version in versions]}
    try:
        day = day_of(name)
    except DomainError as error:
        there_are = ", ".join(version.version for version in versions) or "none"
        raise NotFound(
            "format.no_such_version",
            f"{format.name} has no version {name[:20]!r}, nor is that a day as in 2025-03-01. Versions: {there_are}.",
            context,
        ) from error
    version_then = next((version for version in versions if day in version.during), None)
    if version_then is None:
        raise NotFound("format.not_in_force", f"No version of {format.name} is in force on {day}.", context)
    return _Asked(version_then, day)


def _nearest(asked: _Asked, *, is_first: bool, today: date) -> Point:
    first, end = asked.version.during.lower, asked.version.during.upper
    last = None if end is None else end - timedelta(days=1)
    return Point(asked.version, asked.day or (last if is_first else first) or today)


def changes_between(*, before: Point, after: Point) -> Changes:
    """Rules and policies compared field by field, lists and tags card by card. Six queries.

    Select ``document`` with both versions, and ``format__game`` with the later one.
    """
    format = after.version.format
    definitions = [FormatDefinition.model_validate(point.version.definition) for point in (before, after)]
    was, now = _policies(format, before.day), _policies(format, after.day)
    kept = {key.partition(" ")[0] for key in was} & {key.partition(" ")[0] for key in now}
    rows = [
        *_compared(_rules(definitions[0], format), _rules(definitions[1], format)),
        *_compared(_only(was, kept), _only(now, kept)),
    ]
    days = before.day, after.day
    lists = (*_statuses(format, *days), *_tags(format, definitions, *days), *_errata(format, *days))
    return Changes(
        before.version,
        after.version,
        before.day,
        after.day,
        _with_sections(rows, before.version, after.version),
        tuple(sorted(lists, key=lambda change: (change.card.name, change.before, change.after))),
    )


def _rules(definition: FormatDefinition, format: Format) -> dict[str, _Said]:
    zones = {zone["key"]: zone["label"] for zone in format.game.zones}
    pool = pool_text(definition.pool)
    said = {"pool": _Said(pool.subject, pool.asks, definition.pool.cite or "")}
    for rule in definition.constraints:
        text = rule_text(rule, zones)
        said[f"rule {rule.id}"] = _Said(text.subject, text.asks, rule.cite)
    for play in definition.play:
        said[f"play {play.id}"] = _Said(play.label, play.value or NOT_KNOWN, play.cite)
    return said


def _policies(format: Format, day: date) -> dict[str, _Said]:
    return {
        f"{policy.slug} {fact.key}": _Said(fact.label, fact.value, fact.cite or "")
        for policy in Policy.objects.filter(format=format, during__contains=day)
        for fact in policy_facts(PolicyDefinition.model_validate(policy.definition))
    }


def _only(said: Mapping[str, _Said], slugs: set[str]) -> dict[str, _Said]:
    """A policy that came or went altogether is no change of one."""
    return {key: one for key, one in said.items() if key.partition(" ")[0] in slugs}


def _compared(before: Mapping[str, _Said], after: Mapping[str, _Said]) -> Iterator[tuple[Change, bool]]:
    """Each with whether the new version says something of it."""
    nothing = _Said("", "", "")
    for key in [*after, *(key for key in before if key not in after)]:
        was, now = before.get(key, nothing), after.get(key, nothing)
        if was.value != now.value:
            yield Change(now.label or was.label, was.value, now.value, now.cite or was.cite), key in after


def _with_sections(
    rows: Iterable[tuple[Change, bool]], before: FormatVersion, after: FormatVersion
) -> tuple[Change, ...]:
    rows = tuple(rows)
    numbers = {row.cite.partition(" ")[2] for row, _ in rows}
    documents = {before.document_id, after.document_id}
    found = Section.objects.filter(document__in=documents, number__in=numbers).select_related("document__game")
    sections = {(s.document_id, f"{s.document.prefix} {s.number}"): s for s in found.defer("search")}
    return tuple(
        Change(
            row.label,
            row.before,
            row.after,
            row.cite,
            sections.get((after.document_id if is_said else before.document_id, row.cite)),
        )
        for row, is_said in rows
    )


def _statuses(format: Format, before: date, after: date) -> Iterator[ListChange]:
    zones = {zone["key"]: zone["label"] for zone in format.game.zones}
    then = Q(during__contains=before) | Q(during__contains=after)
    entries = list(StatusEntry.objects.filter(then, format=format).select_related("card__game"))
    was = {(e.card_id, e.zone, e.counts_points): e for e in entries if before in e.during}
    now = {(e.card_id, e.zone, e.counts_points): e for e in entries if after in e.during}
    for key in {**was, **now}:
        old, new = was.get(key), now.get(key)
        texts = [NOT_LISTED if entry is None else entry_text(entry, zones) for entry in (old, new)]
        said = new or old
        if texts[0] != texts[1] and said is not None:
            yield ListChange(said.card, texts[0], texts[1], said.source, said.section)


def _tags(format: Format, definitions: Sequence[FormatDefinition], before: date, after: date) -> Iterator[ListChange]:
    then = Q(during__contains=before) | Q(during__contains=after)
    rows = CardTag.objects.filter(then, game=format.game_id, tag__in=tags_counted(definitions))
    by_card: dict[tuple[int, str], list[CardTag]] = {}
    for row in rows.select_related("card__game"):
        by_card.setdefault((row.card_id, row.tag), []).append(row)
    for (_, tag), found in by_card.items():
        had, has = (any(day in row.during for row in found) for day in (before, after))
        if had != has:
            yield ListChange(found[0].card, tag_text(tag, has=had), tag_text(tag, has=has), found[0].source)


def _errata(format: Format, before: date, after: date) -> Iterator[ListChange]:
    errata = Erratum.objects.filter(card__game=format.game_id, starts_on__lte=max(before, after))
    by_card: dict[int, list[Erratum]] = {}
    for erratum in errata.select_related("card__game").order_by("card", "starts_on"):
        by_card.setdefault(erratum.card_id, []).append(erratum)
    for found in by_card.values():
        between = [erratum for erratum in found if erratum.starts_on > min(before, after)]
        if not between:
            continue
        card = found[0].card
        facts = [_facts_on(card, found, day) for day in (before, after)]
        changed = [key for erratum in between for key in erratum.facts]
        keys = [key for key in dict.fromkeys(changed) if facts[0].get(key) != facts[1].get(key)]
        words = ("old wording", "new wording") if any(erratum.text for erratum in between) else ("", "")
        if before > after:
            words = words[::-1]
        said = [
            facts_text({key: values.get(key) for key in keys}, format.game.facts, wording=word)
            for values, word in zip(facts, words, strict=True)
        ]
        if said[0] != said[1]:
            yield ListChange(card, said[0], said[1], between[-1].source)


def _facts_on(card: Card, errata: Iterable[Erratum], day: date) -> dict[str, Any]:
    facts = dict(card.facts)
    for erratum in errata:
        if erratum.starts_on <= day:
            facts |= erratum.facts
    return facts
