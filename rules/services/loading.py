"""Stores a game pack: game, cards, lists, documents, formats, policies, products and rulings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.db import IntegrityError, connection, models, transaction
from django.db.backends.postgresql.psycopg_any import DateRange

from cards.engine.names import name_key
from cards.models import Card, CardName, Game, Product
from cards.services import CardImport, SetRow, TagRow, import_cards, save_game, save_product, save_tags
from cards.services.errata import ErratumRow, save_errata
from config.errors import Conflict
from rules.engine.digests import definition_digest, digest_of
from rules.engine.formatschema import FormatDefinition
from rules.engine.packschema import Document, Pack
from rules.engine.policyschema import PolicyDefinition
from rules.engine.products import resolve, sheet_names
from rules.engine.schema import Dated
from rules.models import Format, FormatVersion, Policy, RulesDocument, Section, StatusEntry
from rules.services.publishing import reapply_publications
from rules.services.rulings import save_rulings

SAID_LATER = ("play", "unresolved")
"""What formats could not say before, and what decides no deck: a version in use may get it, once."""


@dataclass(frozen=True)
class LoadReport:
    """``changed`` is False when the very same pack was loaded before; then nothing was done."""

    game: Game
    changed: bool
    cards: CardImport


def load_pack(*, pack: Pack) -> LoadReport:
    """Makes the database say what the pack says, in one transaction; does nothing if it was loaded before.

    Cards and sets are added and renewed, never removed. Lists become those of the pack, whole, amended by what was
    published since (Conflict ``publication.contradicts_pack``). A format version, a policy or a product that something
    refers to (a decklist, an event) keeps its definition for ever, and the day from which it holds: a pack that changes
    one under the same version is refused with Conflict ``pack.version_in_use``; only its ``until`` may change. The
    wording of a document may be mended at any time; a section of a document in use can't go. Versions that the pack no
    longer has stay. Conflict ``pack.overlap``: one of those is in force on the same day as one of the pack's.
    """
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))", [f"pack {pack.game.slug}"])
            cursor.execute("SET CONSTRAINTS ALL DEFERRED")
        known = Game.objects.filter(slug=pack.game.slug).first()
        if known is not None and known.digest == pack.digest:
            return LoadReport(known, False, CardImport())
        game = _save_game(pack)
        sets = [SetRow(s.code, s.name, s.released_on, s.legal_on, s.sample) for s in pack.game.sets]
        imported = import_cards(game=game, rows=pack.rows, sets=sets)
        ids = dict(CardName.objects.filter(game=game).values_list("key", "card_id"))
        _save_tags(game, pack)
        _save_errata(game, pack)
        documents = {document.ref.key: _save_document(game, document, ids) for document in pack.documents}
        formats = _save_formats(game, pack.formats, documents)
        _save_statuses(game, pack, formats, ids)
        _save_policies(game, pack.policies, formats)
        _save_products(game, pack)
        save_rulings(game=game, rulings=pack.rulings)
        reapply_publications(game=game)
        try:
            with connection.cursor() as cursor:
                cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        except IntegrityError as error:
            raise Conflict(
                "pack.overlap",
                f"A version of {game.name} that was loaded earlier, and isn't in this pack, is in force on the same "
                f"day as one of the pack's. Give the earlier one its until in the pack. PostgreSQL says: {error}",
                {"game": game.slug},
            ) from error
    return LoadReport(game, True, imported)


def _save_game(pack: Pack) -> Game:
    described = pack.game.model_dump(mode="json")
    values = {key: described[key] for key in ("facts", "zones", "glossary", "synonyms")}
    return save_game(slug=pack.game.slug, name=pack.game.name, values={**values, "digest": pack.digest})


def _save_tags(game: Game, pack: Pack) -> None:
    save_tags(
        game=game,
        tags=[
            TagRow(tag.tag, name, (tag.from_, tag.until), tag.source, tag.announced_on)
            for tag in pack.lists.tag
            for name in tag.cards
        ],
    )


def _save_errata(game: Game, pack: Pack) -> None:
    save_errata(
        game=game,
        errata=[
            ErratumRow(e.card, e.from_, e.facts, (e.text or "").strip(), e.source, e.announced_on)
            for e in pack.lists.erratum
        ],
    )


def _save_document(game: Game, document: Document, ids: Mapping[str, int]) -> RulesDocument:
    front = document.front
    values = {
        "prefix": front.prefix,
        "title": front.title,
        "during": _during(front),
        "date_note": front.date_note,
        "source": front.source,
        "digest": digest_of([[s.number, s.heading, s.body, list(s.covers), list(s.cards)] for s in document.sections]),
    }
    stored, _ = RulesDocument.objects.update_or_create(
        game=game, slug=front.slug, version=front.version, defaults=values
    )
    old = {section.number: section for section in Section.objects.filter(document=stored)}
    gone = [section for number, section in old.items() if number not in {s.number for s in document.sections}]
    used_by = _document_users(stored, gone) if gone else []
    if used_by:
        numbers = ", ".join(section.number for section in gone)
        raise Conflict(
            "pack.section_in_use",
            f"{stored} can't lose its sections {numbers}: {' and '.join(used_by)} may cite them. Keep the numbers, or "
            "give the changed document a new version.",
            {"document": front.slug, "version": front.version, "sections": [section.number for section in gone]},
        )
    Section.objects.filter(pk__in=[section.pk for section in gone]).delete()
    new: list[Section] = []
    renewed: list[Section] = []
    for order, text in enumerate(document.sections, start=1):
        section = old.get(text.number) or Section(document=stored, number=text.number)
        section.heading, section.body, section.order = text.heading, text.body, order
        section.covers, section.is_reading = list(text.covers), text.is_reading
        section.card_names = ", ".join(text.cards)
        (renewed if section.pk else new).append(section)
    Section.objects.bulk_create(new)
    Section.objects.bulk_update(renewed, ["heading", "body", "order", "covers", "is_reading", "card_names"])
    numbered = {section.number: section.pk for section in (*new, *renewed)}
    through = Section.cards.through
    through.objects.filter(section__document=stored).delete()
    through.objects.bulk_create(
        through(section_id=numbered[text.number], card_id=card)
        for text in document.sections
        for card in sorted({ids[name_key(name)] for name in text.cards})
    )
    return stored


def _save_formats(
    game: Game, definitions: Sequence[FormatDefinition], documents: Mapping[tuple[str, str], RulesDocument]
) -> dict[str, Format]:
    formats: dict[str, Format] = {}
    for definition in definitions:
        format_, _ = Format.objects.update_or_create(
            game=game, slug=definition.slug, defaults={"name": definition.name}
        )
        formats[definition.slug] = format_
        _save_version(
            FormatVersion.objects.filter(format=format_, version=definition.version).first()
            or FormatVersion(format=format_, version=definition.version),
            definition,
            {"document": documents[definition.document.key]},
        )
    return formats


def _save_policies(game: Game, definitions: Sequence[PolicyDefinition], formats: Mapping[str, Format]) -> None:
    for definition in definitions:
        _save_version(
            Policy.objects.filter(game=game, slug=definition.slug, version=definition.version).first()
            or Policy(game=game, slug=definition.slug, version=definition.version),
            definition,
            {"name": definition.name, "format": formats[definition.format]},
        )


def _save_version(
    stored: FormatVersion | Policy, definition: FormatDefinition | PolicyDefinition, values: Mapping[str, Any]
) -> None:
    """A version that says the same keeps its digest, though the schema may have got more to say: verdicts name it."""
    described = _described(definition)
    digest, during = definition_digest(described), _during(definition)
    if stored.pk is not None:
        unsaid = [key for key in SAID_LATER if key not in stored.definition]
        before = _described(type(definition).model_validate(stored.definition))
        # What a policy cites decides nothing, and events have a copy of their own; a verdict names what a format cites.
        unsaid += ["cite"] if isinstance(definition, PolicyDefinition) else []
        said = _without(described, unsaid)
        if "cite" not in before.get("pool", {"cite": ""}):
            said["pool"].pop("cite", None)  # a pool of every card needed no citation once
        is_same = _without(before, unsaid) == said
        same_start = stored.during.lower == during.lower
        if not (is_same and same_start) and (users := _users(stored)):
            _refuse(str(stored), users, definition.slug, definition.version)
        if is_same and before == described and stored.during == during:
            return
        digest = stored.digest if is_same else digest
    stored.definition, stored.digest, stored.during = described, digest, during
    for key, value in values.items():
        setattr(stored, key, value)
    stored.save()


def _described(definition: FormatDefinition | PolicyDefinition) -> dict[str, Any]:
    return definition.model_dump(mode="json", by_alias=True, exclude_none=True)


def _without(described: Mapping[str, Any], keys: Sequence[str]) -> dict[str, Any]:
    """What is left of a definition without its days and the keys, at any depth."""

    def pruned(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: pruned(one) for key, one in value.items() if key not in keys}
        return [pruned(one) for one in value] if isinstance(value, list) else value

    return {key: pruned(value) for key, value in described.items() if key not in ("from", "until", *keys)}


def _save_statuses(game: Game, pack: Pack, formats: Mapping[str, Format], ids: Mapping[str, int]) -> None:
    fields = ("format_id", "card_id", "status", "max_copies", "points", "zone", "announced_on", "source", "section")
    wanted = {
        (
            formats[slug].pk,
            ids[name_key(status.card)],
            status.status,
            status.max_copies,
            status.points,
            status.zone or "",
            status.announced_on,
            status.source,
            status.section,
            (status.from_, status.until),
        )
        for status in pack.lists.status
        for slug in status.formats
    }
    stale: list[int] = []
    for entry in StatusEntry.objects.filter(format__game=game):
        key = (*(getattr(entry, name) for name in fields), (entry.during.lower, entry.during.upper))
        if key in wanted:
            wanted.remove(key)
        else:
            stale.append(entry.pk)
    StatusEntry.objects.filter(pk__in=stale).delete()
    StatusEntry.objects.bulk_create(
        StatusEntry(**dict(zip(fields, values, strict=True)), during=DateRange(*during)) for *values, during in wanted
    )


def _save_products(game: Game, pack: Pack) -> None:
    cards = {card.name: card for card in Card.objects.filter(game=game)}
    known = {(p.slug, p.version): p for p in Product.objects.filter(game=game)}
    for spec in pack.products:
        names = {sheet.name: sheet_names(sheet, pack.cards) for sheet in spec.sheets}
        digest = digest_of([spec.model_dump(mode="json"), names])
        stored = known.get((spec.slug, spec.version))
        if stored is not None and stored.digest == digest:
            continue
        if stored is not None and (users := _users(stored)):
            _refuse(f"The product {stored}", users, spec.slug, str(spec.version))
        definition = resolve(spec, pack.cards, {name: card.pk for name, card in cards.items()})
        save_product(
            game=game,
            slug=spec.slug,
            version=spec.version,
            name=spec.name,
            definition=definition.model_dump(mode="json"),
            digest=digest,
            sample=any(cards[name].is_sample for sheet in names.values() for name in sheet),
        )


def _during(dated: Dated) -> DateRange[date]:
    return DateRange(dated.from_, dated.until)


def _refuse(what: str, users: Sequence[str], slug: str, version: str) -> None:
    raise Conflict(
        "pack.version_in_use",
        f"{what} is used by {' and '.join(users)}, so its definition and first day stay as they are. Give the changed "
        "definition a new version, and this one an until.",
        {"slug": slug, "version": version, "used_by": list(users)},
    )


def _document_users(document: RulesDocument, sections: Sequence[Section]) -> list[str]:
    versions = FormatVersion.objects.filter(document=document)
    found = [user for version in versions for user in _users(version)]
    found += _users(document, but=(Section, FormatVersion))
    for section in sections:
        found += _users(section, but=(Section.cards.through,))
    return list(dict.fromkeys(found))


def _users(stored: models.Model, but: tuple[type[models.Model], ...] = ()) -> list[str]:
    """Kinds of rows that refer to the row, in any app, with their number: "3 decklists"."""
    found = []
    for relation in stored._meta.get_fields(include_hidden=True):
        if not isinstance(relation, models.ManyToOneRel) or relation.related_model in but:
            continue
        other = relation.related_model
        number = other._base_manager.filter(**{relation.field.name: stored}).count()
        if number:
            name = other._meta.verbose_name if number == 1 else other._meta.verbose_name_plural
            found.append(f"{number} {name}")
    return found
