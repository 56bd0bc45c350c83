"""A pack's cards, lists and formats on a day as the legality engine takes them, without a database."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date

from cards.engine.names import name_key
from cards.engine.rows import CardDraft
from rules.engine.legality import CompiledFormat, compile_format
from rules.engine.packschema import Pack
from rules.engine.schema import Dated
from rules.engine.selectors import CardFacts
from rules.engine.verdict import StatusFact


def cards_on(pack: Pack, day: date) -> dict[int, CardFacts]:
    """The cards as the errata and tags of the day have them. Their ids are their places in the pack, from 1."""
    legal_on = {card_set.code: card_set.legal_on for card_set in pack.game.sets}
    tagged = [(tag.tag, set(map(name_key, tag.cards))) for tag in pack.lists.tag if _is_in_force(tag, day)]
    errata = sorted((e for e in pack.lists.erratum if e.from_ <= day), key=lambda erratum: erratum.from_)
    found = {}
    for id_, card in enumerate(pack.cards, start=1):
        keys = set(_keys(card))
        facts = dict(card.facts)
        for erratum in errata:
            if name_key(erratum.card) in keys:
                facts.update(erratum.facts)
        found[id_] = CardFacts(
            id=id_,
            name=card.name,
            facts=facts,
            tags=frozenset(tag for tag, named in tagged if named & keys),
            legal_dates=tuple(legal_on[code] for code, _ in card.printings),
            sets=tuple(code for code, _ in card.printings),
        )
    return found


def compiled_on(pack: Pack, slug: str, day: date) -> CompiledFormat:
    """The format with its lists of the day, for the cards of ``cards_on``. ValueError: no version is in force then."""
    version = next((one for one in pack.formats if one.slug == slug and _is_in_force(one, day)), None)
    if version is None:
        raise ValueError(f"no version of {slug} is in force on {day}")
    ids = {key: id_ for id_, card in enumerate(pack.cards, start=1) for key in _keys(card)}
    statuses = [
        StatusFact(
            card_id=ids[name_key(entry.card)],
            status=entry.status,
            max_copies=entry.max_copies,
            since=entry.from_,
            section=entry.section,
            source=entry.source,
            points=entry.points or 0,
            zone=entry.zone or "",
        )
        for entry in pack.lists.status
        if slug in entry.formats and _is_in_force(entry, day)
    ]
    return compile_format(version, statuses, day, {})


def _keys(card: CardDraft) -> Iterable[str]:
    return map(name_key, card.spellings)


def _is_in_force(dated: Dated, day: date) -> bool:
    return (dated.from_ is None or dated.from_ <= day) and (dated.until is None or day < dated.until)
