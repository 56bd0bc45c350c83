"""A pack's cards, lists and formats on a day as the legality engine takes them, without a database."""

from __future__ import annotations

from datetime import date

from cards.engine.names import name_key
from rules.engine.legality import CompiledFormat, compile_format
from rules.engine.packschema import Pack
from rules.engine.schema import Dated
from rules.engine.selectors import CardFacts
from rules.engine.verdict import StatusFact


def cards_on(pack: Pack, day: date) -> dict[int, CardFacts]:
    """The cards with their tags of the day. Their ids are their places in the pack, from 1."""
    legal_on = {card_set.code: card_set.legal_on for card_set in pack.game.sets}
    tagged = [(tag.tag, _keys(tag.cards)) for tag in pack.lists.tag if _in_force(tag, day)]
    return {
        id_: CardFacts(
            id=id_,
            name=card.name,
            facts=card.facts,
            tags=frozenset(tag for tag, keys in tagged if keys & _keys((card.name, *card.aliases, *card.faces))),
            legal_dates=tuple(legal_on[code] for code, _ in card.printings),
            sets=tuple(code for code, _ in card.printings),
        )
        for id_, card in enumerate(pack.cards, start=1)
    }


def compiled_on(pack: Pack, slug: str, day: date) -> CompiledFormat:
    """The format with its lists of the day, for the cards of ``cards_on``. ValueError: no version is in force then."""
    versions = [version for version in pack.formats if version.slug == slug and _in_force(version, day)]
    if not versions:
        raise ValueError(f"no version of {slug} is in force on {day}")
    ids = {
        key: id_
        for id_, card in enumerate(pack.cards, start=1)
        for key in _keys((card.name, *card.aliases, *card.faces))
    }
    statuses = [
        StatusFact(
            card_id=ids[name_key(entry.card)],
            status=entry.status,
            max_copies=entry.max_copies,
            since=entry.from_,
            section=entry.section,
            source=entry.source,
        )
        for entry in pack.lists.status
        if entry.format == slug and _in_force(entry, day)
    ]
    return compile_format(versions[0], statuses, day, {})


def _in_force(dated: Dated, day: date) -> bool:
    return (dated.from_ is None or dated.from_ <= day) and (dated.until is None or day < dated.until)


def _keys(names: tuple[str, ...]) -> frozenset[str]:
    return frozenset(map(name_key, names))
