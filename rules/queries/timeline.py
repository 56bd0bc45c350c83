"""Everything that ever changed in a format, or will: versions, lists, tags, errata, the sets in its card pool."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import groupby
from typing import Any, Literal

from cards.models import Card, CardSet, CardTag, Erratum
from rules.engine.formatschema import AllPool, FormatDefinition, Pool, SetsPool, WindowPool
from rules.engine.legality import months_before
from rules.lists import NOT_LISTED, entry_text, facts_text, tag_text
from rules.models import Format, FormatVersion, StatusEntry
from rules.queries.lists import tags_counted

Kind = Literal["version", "pool", "status", "tag", "erratum"]
_ORDER: tuple[Kind, ...] = ("version", "pool", "status", "tag", "erratum")


@dataclass(frozen=True)
class Event:
    """One thing that was ``before`` and is ``after`` from a day on. ``subject`` is a card, a set or a version.

    ``card`` is None where it isn't about one, ``cite`` "" where no section is known to say it.
    """

    kind: Kind
    subject: str
    before: str
    after: str
    cite: str
    card: Card | None = None


@dataclass(frozen=True)
class Moment:
    """What one source changed with effect from ``day``, which is None where nobody knows since when it holds."""

    day: date | None
    source: str
    announced_on: date | None
    events: tuple[Event, ...]


_Dated = tuple[date | None, str, date | None, Event]


def timeline_of(*, format: Format) -> tuple[Moment, ...]:
    """By day and source, the newest first, those of unknown day last. Five queries; select ``game`` with the format."""
    versions = list(FormatVersion.objects.filter(format=format).select_related("document").order_by("during"))
    definitions = [FormatDefinition.model_validate(version.definition) for version in versions]
    dated = [
        *_of_versions(versions),
        *_of_pools(format, list(zip(versions, definitions, strict=True))),
        *_of_statuses(format),
        *_of_tags(format, tags_counted(definitions)),
        *_of_errata(format),
    ]
    dated.sort(key=_place)
    grouped = groupby(dated, key=lambda one: one[:3])
    return tuple(
        Moment(day, source, announced_on, tuple(event for *_, event in found))
        for (day, source, announced_on), found in grouped
    )


def next_moments(moments: Iterable[Moment], *, after: date) -> tuple[Moment, ...]:
    """Those of the first day after the one given on which anything changes; none where nothing is known to."""
    later = [moment for moment in moments if moment.day is not None and moment.day > after]
    first = min((moment.day for moment in later if moment.day), default=None)
    return tuple(moment for moment in later if moment.day == first)


def _place(one: _Dated) -> tuple[int, int, str, int, str]:
    day, source, announced, event = one
    kind = _ORDER.index(event.kind)
    return -day.toordinal() if day else 1, kind, source, announced.toordinal() if announced else 0, event.subject


def _of_versions(versions: list[FormatVersion]) -> Iterator[_Dated]:
    before: FormatVersion | None = None
    for version in versions:
        start, source = version.during.lower, version.document.title
        follows = before is not None and before.during.upper == start
        if before is not None and not follows:
            yield before.during.upper, before.document.title, None, _version(f"Version {before.version}", "", "ends")
        was = f"version {before.version}" if before is not None and follows else ""
        yield start, source, None, _version(f"Version {version.version}", was, "in force")
        before = version
    if before is not None and before.during.upper is not None:
        yield before.during.upper, before.document.title, None, _version(f"Version {before.version}", "", "ends")


def _version(subject: str, before: str, after: str) -> Event:
    return Event("version", subject, before, after, "")


def _of_pools(format: Format, versions: list[tuple[FormatVersion, FormatDefinition]]) -> Iterator[_Dated]:
    for card_set in CardSet.objects.filter(game=format.game_id, legal_on__isnull=False).order_by("legal_on", "code"):
        assert card_set.legal_on is not None
        for version, definition in versions:
            pool = definition.pool
            if not _takes_in(pool, card_set.code):
                continue
            turns = [(card_set.legal_on, "", "comes in")]
            if isinstance(pool, WindowPool):
                turns.append((_leaves_on(card_set.legal_on, pool), "in the card pool", "leaves, but for reprints"))
            for day, before, after in turns:
                if day in version.during:
                    subject = f"{card_set.name} ({card_set.code})"
                    yield day, "Card pool", None, Event("pool", subject, before, after, pool.cite or "")


def _takes_in(pool: Pool, code: str) -> bool:
    return isinstance(pool, (AllPool, WindowPool)) or (isinstance(pool, SetsPool) and code in pool.sets)


def _leaves_on(legal_on: date, pool: WindowPool) -> date:
    """The first day whose window has no room for what became legal on ``legal_on``."""
    month = legal_on.year * 12 + legal_on.month - 1 + pool.months
    day = date(month // 12, month % 12 + 1, 1)
    while (start := months_before(day, pool.months)) < legal_on or (pool.inclusive and start == legal_on):
        day += timedelta(days=1)
    return day


def _of_statuses(format: Format) -> Iterator[_Dated]:
    zones = {zone["key"]: zone["label"] for zone in format.game.zones}
    entries = StatusEntry.objects.filter(format=format).select_related("card__game")
    rows = sorted(entries, key=lambda e: (e.card_id, e.zone, e.counts_points, e.during.lower or date.min))
    for _, found in groupby(rows, key=lambda e: (e.card_id, e.zone, e.counts_points)):
        before: StatusEntry | None = None
        for entry in found:
            start = entry.during.lower
            follows = before is not None and before.during.upper == start
            if before is not None and not follows:
                yield _end_of(before, zones)
            was = entry_text(before, zones) if before is not None and follows else NOT_LISTED if start else ""
            event = Event("status", entry.card.name, was, entry_text(entry, zones), entry.section, entry.card)
            yield start, entry.source, entry.announced_on, event
            before = entry
        if before is not None and before.during.upper is not None:
            yield _end_of(before, zones)


def _end_of(entry: StatusEntry, zones: dict[str, str]) -> _Dated:
    event = Event("status", entry.card.name, entry_text(entry, zones), NOT_LISTED, entry.section, entry.card)
    return entry.during.upper, entry.source, entry.announced_on, event


def _of_tags(format: Format, tags: list[str]) -> Iterator[_Dated]:
    for row in CardTag.objects.filter(game=format.game_id, tag__in=tags).select_related("card__game"):
        has, hasnt = tag_text(row.tag, has=True), tag_text(row.tag, has=False)
        start, stop = row.during.lower, row.during.upper
        event = Event("tag", row.card.name, hasnt if start else "", has, "", row.card)
        yield start, row.source, row.announced_on, event
        if stop is not None:
            yield stop, row.source, row.announced_on, Event("tag", row.card.name, has, hasnt, "", row.card)


def _of_errata(format: Format) -> Iterator[_Dated]:
    errata = (
        Erratum.objects.filter(card__game=format.game_id).select_related("card__game").order_by("card", "starts_on")
    )
    for _, found in groupby(errata, key=lambda erratum: erratum.card_id):
        known: dict[str, Any] = {}
        for erratum in found:
            known = known or dict(erratum.card.facts)
            was = {key: known.get(key) for key in erratum.facts}
            known |= erratum.facts
            before = facts_text(was, format.game.facts)
            after = facts_text(erratum.facts, format.game.facts, wording="new wording" if erratum.text else "")
            event = Event("erratum", erratum.card.name, before, after, "", erratum.card)
            yield erratum.starts_on, erratum.source, erratum.announced_on, event
