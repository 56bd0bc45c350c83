"""One publication's changes, held against the stored lists and then written."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Mapping
from datetime import date
from typing import Any, TypeVar

from django.db.backends.postgresql.psycopg_any import DateRange

from cards.models import Card, CardTag, Game
from rules.engine.amending import Amendment, Clash, Spell, amend, amend_again, in_force
from rules.engine.digests import definition_digest
from rules.engine.formatparts import Path
from rules.engine.formatschema import FormatDefinition
from rules.engine.publication import Fault, Known, ListChange, PublicationFile
from rules.models import Format, FormatVersion, RulesDocument, StatusEntry
from rules.queries.changes import changes_of_format
from rules.queries.publications import formats_counting

Said = tuple[str, int | None, int | None]
Key = TypeVar("Key", bound=Hashable)
T = TypeVar("T")


class Refused(Exception):  # noqa: N818 - the publishing service says it as a Conflict
    """The stored lists don't admit the changes. Each clash is (kind, where and why); see ``publishing.CODES``."""

    def __init__(self, clashes: list[tuple[str, Fault]]) -> None:
        super().__init__("refused")
        self.clashes = clashes


class Amendments:
    """``again`` is after a reload of the pack, whose lists may know of the changes already."""

    def __init__(self, game: Game, file: PublicationFile, known: Known, *, again: bool = False) -> None:
        self.game, self.file, self.known, self.again = game, file, known, again
        self.formats = {format_.slug: format_ for format_ in Format.objects.filter(game=game)}
        self.cards = Card.objects.in_bulk(set(known.cards.values()))
        self.clashes: list[tuple[str, Fault]] = []
        self.scopes: dict[tuple[int, date], set[int] | None] = {}
        self.ended: list[tuple[StatusEntry | CardTag | FormatVersion, date]] = []
        self.begun: list[StatusEntry | CardTag | FormatVersion] = []

    def apply(self) -> dict[str, Any]:
        """Writes, and returns the summary of what changed. Raises Refused; then nothing was written."""
        missing = [name for name in self._card_names() if self.known.card(name) not in self.cards]
        if missing:
            raise Refused([("missing", Fault((), f"no such card: {name}")) for name in missing])
        changes, tags, versions = self._statuses(), self._tags(), self._versions()
        if self.clashes:
            raise Refused(self.clashes)
        for row, day in self.ended:
            row.during = DateRange(row.during.lower, day)
        ended = [row for row, _ in self.ended]
        StatusEntry.objects.bulk_update([row for row in ended if isinstance(row, StatusEntry)], ["during"])
        CardTag.objects.bulk_update([row for row in ended if isinstance(row, CardTag)], ["during"])
        FormatVersion.objects.bulk_update([row for row in ended if isinstance(row, FormatVersion)], ["during"])
        StatusEntry.objects.bulk_create(row for row in self.begun if isinstance(row, StatusEntry))
        CardTag.objects.bulk_create(row for row in self.begun if isinstance(row, CardTag))
        for row in self.begun:
            if isinstance(row, FormatVersion):
                row.save()
        for summary, version in versions:
            found = changes_of_format(version=version) if version is not None and not self.again else None
            rows = found.rows if found is not None else ()
            summary["rows"] = [
                {"label": row.label, "before": row.before, "after": row.after, "cite": row.cite} for row in rows
            ]
        return {
            "changes": changes,
            "tags": tags,
            "formats": [summary for summary, _ in versions],
            "scopes": [
                {"format": format_id, "from": day.isoformat(), "cards": None if cards is None else sorted(cards)}
                for (format_id, day), cards in sorted(self.scopes.items(), key=lambda scope: scope[0])
            ],
        }

    def _card_names(self) -> Iterable[str]:
        yield from (change.card for change in self.file.changes)
        yield from (name for tag in self.file.tags for name in (*tag.add, *tag.remove))

    def _card(self, name: str) -> Card:
        return self.cards[int(self.known.card(name))]

    def _meet(self, spells: list[Spell[T]], wanted: T | None, day: date) -> Amendment[T] | Clash[T] | None:
        return amend_again(spells, wanted, day) if self.again else amend(spells, wanted, day)

    def _refuse(self, clash: Clash[Any], where: Path, redundant: str, what: str, day: date) -> None:
        if clash.reason == "redundant":
            self.clashes.append(("redundant", Fault(where, redundant)))
            return
        since = clash.spell.since if clash.spell is not None else None
        message = f"{what} changes on {since} already, so nothing can be said of it from {day} on that would end then"
        self.clashes.append(("scheduled", Fault(where, message)))

    def _affects(self, format_id: int, day: date, card_id: int | None) -> None:
        held = self.scopes.setdefault((format_id, day), set())
        if card_id is None or held is None:
            self.scopes[format_id, day] = None
        else:
            held.add(card_id)

    # lists

    def _statuses(self) -> list[dict[str, Any]]:
        entries = StatusEntry.objects.filter(format__game=self.game, card__in=self.cards)
        rows = {entry.pk: entry for entry in entries}
        spells: dict[tuple[int, int, str, int], list[Spell[Said]]] = defaultdict(list)
        for entry in rows.values():
            key = (entry.format_id, entry.card_id, entry.zone, entry.counts_points)
            said = (entry.status, entry.max_copies, entry.points)
            spells[key].append(Spell(entry.pk, said, entry.during.lower, entry.during.upper))
        pointed = {(c.format, self.known.card(c.card), c.zone) for c in self.file.changes if c.decides == "points"}
        summary = []
        for index, change in enumerate(self.file.changes):
            format_, card, day = self.formats[change.format], self._card(change.card), self.file.day_of(change)
            lists = [int(change.decides == "points")]
            if change.status == "legal" and (change.format, card.pk, change.zone) not in pointed:
                lists.append(1)
            wanted: Said | None = (str(change.status), change.copies, change.points)
            if change.status == "legal" or change.points == 0:
                wanted = None
            places = [(format_.pk, card.pk, change.zone or "", points) for points in lists]
            if len(places) > 1:  # a card without points, or with nothing but points, is taken off one list only
                places = [place for place in places if in_force(spells[place], day) is not None] or places[:1]
            for place in places:
                met = self._meet(spells[place], wanted, day)
                if isinstance(met, Clash):
                    redundant = f"{card.name} is {_status_text(wanted)} in {format_.name} already"
                    self._refuse(met, ("changes", index), redundant, f"{card.name} in {format_.name}", day)
                if not isinstance(met, Amendment):
                    continue
                if met.ends is not None:
                    self.ended.append((rows[met.ends.id], day))
                if met.begins:
                    self.begun.append(self._entry(change, format_, card, day))
                self._affects(format_.pk, day, card.pk)
                summary.append(
                    {
                        "format": format_.slug,
                        "format_name": format_.name,
                        "card": card.name,
                        "slug": card.slug,
                        "zone": change.zone or "",
                        "before": _status_json(met.ends.said if met.ends is not None else None),
                        "after": _status_json(wanted),
                        "from": day.isoformat(),
                        "section": change.section,
                    }
                )
        return summary

    def _entry(self, change: ListChange, format_: Format, card: Card, day: date) -> StatusEntry:
        return StatusEntry(
            format=format_,
            card=card,
            status=change.status,
            max_copies=change.copies,
            points=change.points,
            zone=change.zone or "",
            during=DateRange(day, None),
            announced_on=self.file.announced_on,
            source=self.file.source,
            section=change.section,
        )

    # tags

    def _tags(self) -> list[dict[str, Any]]:
        names = {tag.tag for tag in self.file.tags}
        rows = {tag.pk: tag for tag in CardTag.objects.filter(game=self.game, tag__in=names, card__in=self.cards)}
        spells: dict[tuple[str, int], list[Spell[bool]]] = defaultdict(list)
        for tag in rows.values():
            spells[tag.tag, tag.card_id].append(Spell(tag.pk, True, tag.during.lower, tag.during.upper))
        counting: Mapping[str, set[int]] = formats_counting(game=self.game, tags=names) if names else {}
        summary = []
        for index, change in enumerate(self.file.tags):
            day = self.file.day_of(change)
            for field, listed, wanted in (("add", change.add, True), ("remove", change.remove, None)):
                for name in listed:
                    card = self._card(name)
                    met = self._meet(spells[change.tag, card.pk], wanted, day)
                    if isinstance(met, Clash):
                        redundant = f"{card.name} is {'' if wanted else 'not '}listed as {change.tag} already"
                        self._refuse(met, ("tags", index, field), redundant, f"{card.name} as {change.tag}", day)
                    if not isinstance(met, Amendment):
                        continue
                    if met.ends is not None:
                        self.ended.append((rows[met.ends.id], day))
                    if met.begins:
                        self.begun.append(
                            CardTag(
                                game=self.game,
                                card=card,
                                tag=change.tag,
                                during=DateRange(day, None),
                                source=self.file.source,
                                announced_on=self.file.announced_on,
                            )
                        )
                    for format_id in counting[change.tag]:
                        self._affects(format_id, day, card.pk)
                    summary.append(
                        {
                            "tag": change.tag,
                            "card": card.name,
                            "slug": card.slug,
                            "after": bool(wanted),
                            "from": day.isoformat(),
                        }
                    )
        return summary

    # format versions

    def _versions(self) -> list[tuple[dict[str, Any], FormatVersion | None]]:
        return [
            made
            for index, definition in enumerate(self.file.formats)
            if (made := self._version(("formats", index), definition)) is not None
        ]

    def _version(self, where: Path, definition: FormatDefinition) -> tuple[dict[str, Any], FormatVersion | None] | None:
        format_, day = self.formats[definition.slug], definition.from_
        assert day is not None  # publication_faults has refused it
        described = definition.model_dump(mode="json", by_alias=True, exclude_none=True)
        digest = definition_digest(described)
        rows = {version.pk: version for version in FormatVersion.objects.filter(format=format_)}
        same = next((version for version in rows.values() if version.version == definition.version), None)
        others = [
            Spell(version.pk, version.version, version.during.lower, version.during.upper)
            for version in rows.values()
            if version != same
        ]
        what = f"{format_.name} {definition.version}"
        if same is not None and (not self.again or same.digest != digest):
            self.clashes.append(("exists", Fault((*where, "version"), f"there is a version {what} already")))
            return None
        if same is not None:
            # It stays in the database when a pack is loaded; the pack may only have opened the one before it again.
            earlier = in_force(others, day) if same.during.lower == day else None
            if earlier is not None and earlier.since != day:
                self.ended.append((rows[earlier.id], day))
            return None
        met = amend(others, definition.version, day)
        if isinstance(met, Clash):
            self._refuse(met, (*where, "from"), f"{what} is in force already", format_.name, day)
            return None
        document = RulesDocument.objects.get(
            game=self.game, slug=definition.document.slug, version=definition.document.version
        )
        version = FormatVersion(
            format=format_,
            version=definition.version,
            during=DateRange(day, definition.until),
            document=document,
            definition=described,
            digest=digest,
        )
        if met.ends is not None:
            self.ended.append((rows[met.ends.id], day))
        self.begun.append(version)
        self._affects(format_.pk, day, None)
        summary = {
            "format": format_.slug,
            "format_name": format_.name,
            "version": definition.version,
            "before": met.ends.said if met.ends is not None else None,
            "from": day.isoformat(),
        }
        return summary, version


def _status_json(said: Said | None) -> dict[str, Any] | None:
    return None if said is None else {"status": said[0], "max_copies": said[1], "points": said[2]}


def _status_text(said: Said | None) -> str:
    if said is None:
        return "on no such list"
    status, copies, points = said
    if status == "points":
        return f"at {points} point{'' if points == 1 else 's'}"
    return status if status == "banned" else f"{status} to {copies}"
