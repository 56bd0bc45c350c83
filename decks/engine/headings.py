"""Lines that are no cards: headings of zones, headings of kinds of card, and what is said about a deck."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from cards.engine.names import name_key


@dataclass(frozen=True, slots=True)
class ZoneSpec:
    """A part of a deck as the game names it: ``key`` "side", ``label`` "Sideboard", and its other headings."""

    key: str
    label: str
    headings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Heading:
    """``zone`` is None for a heading that only sorts the cards of a zone ("Units (24)")."""

    kind: str  # zone | aside | group | total | foreign | unknown
    zone: str | None = None
    count: int | None = None


_ZONE_WORDS = {
    "main": ("main", "main deck", "maindeck", "mainboard", "main board", "deck", "decklist", "deck list"),
    "side": ("side", "sideboard", "side board", "side deck", "sidedeck", "sb"),
}


def _set_of(words: str) -> frozenset[str]:
    return frozenset(word.strip() for word in words.split(","))


_ASIDE = _set_of("maybe, maybeboard, maybe board, considering, wishlist, token, tokens, not in deck, acquireboard")
_TOTALS = _set_of("total, total cards, cards in total, total card count")
_GROUPS = _set_of(
    "about, action, actions, ability, abilities, ally, allies, artifact, artifacts, attack, attacks, battle, battles, "
    "card, cards, champion, champions, character, characters, commander, companion, creature, creatures, discipline, "
    "enchantment, enchantments, energy, equipment, event, events, evil, good, sage, wild, free, gift, gifts, hero, "
    "heroes, instant, instants, item, items, land, lands, leader, leaders, location, locations, machine, machines, "
    "magic, major, minor, monster, monsters, other, others, planeswalker, planeswalkers, pokemon, reaction, reactions, "
    "resource, resources, sorceries, sorcery, spell, spells, summon, summons, support, supports, trainer, trainers, "
    "trap, traps, unit, units, upgrade, upgrades, weapon, weapons"
)
_ABOUT = re.compile(r"(?:deck ?name|name|author|creator|title|description|comments?|notes?|format) ?[:=]", re.I)
_RULE = re.compile(r"[-=_*~#/+. ]+")
_COUNTED = re.compile(r"(?P<words>.+?) ?(?:[:-] ?|\(|\[| )(?P<count>[0-9]{1,4})(?: cards?)?[)\]]? ?:?$", re.I)
_PREFIX = re.compile(r"(?P<words>[^:]{1,40}):(?P<rest>.+)")


def _words(text: str) -> str:
    return name_key(text.strip(" :*=-_~"))


@lru_cache(maxsize=64)
def reader_of(zones: tuple[ZoneSpec, ...]) -> HeadingReader:
    """The reader of these zones, made once."""
    return HeadingReader(zones)


class HeadingReader:
    """Reads headings of one game's zones."""

    def __init__(self, zones: Sequence[ZoneSpec]) -> None:
        self._own: dict[str, str] = {}
        for zone in zones:
            spellings: Iterable[str] = (zone.key, zone.label, *zone.headings, *_ZONE_WORDS.get(zone.key, ()))
            for spelling in spellings:
                self._own.setdefault(_words(spelling), zone.key)
        self._foreign = {word for words in _ZONE_WORDS.values() for word in words} - set(self._own)
        self.labels: Mapping[str, str] = {zone.key: zone.label for zone in zones}

    def zone_of(self, words: str) -> str | None:
        return self._own.get(_words(words))

    def is_aside(self, words: str) -> bool:
        return _words(words) in _ASIDE

    def read(self, line: str) -> Heading | None:
        """The heading that the whole of a tidy ``line`` is, or None.

        "foreign" is a zone that this game doesn't have, "unknown" a line that ends in a colon and names nothing
        known: neither may be passed over, for what stands below it may belong elsewhere.
        """
        if len(line) > 120:
            return None
        bare = line
        if bare[:1] == "[" and bare[-1:] == "]" and "[" not in bare[1:]:
            bare = bare[1:-1]
        bare = bare.lstrip("/#*=-~_ ").rstrip("/#*=-~_ ")
        if not bare:
            return None
        if (known := self._known(bare, None)) is not None:
            return known
        counted = _COUNTED.fullmatch(bare)
        if counted and (known := self._known(counted["words"], int(counted["count"]))) is not None:
            return known
        if line.endswith(":"):
            return Heading("unknown")
        return None

    def _known(self, text: str, count: int | None) -> Heading | None:
        words = _words(text)
        if (zone := self._own.get(words)) is not None:
            return Heading("zone", zone, count)
        if words in _ASIDE:
            return Heading("aside", None, count)
        if words in self._foreign:
            return Heading("foreign", None, count)
        if words in _TOTALS:
            return Heading("total", None, count)
        if words in _GROUPS:
            return Heading("group", None, count)
        return None

    def prefix(self, line: str) -> tuple[str, str] | None:
        """``SB: 2 Glass Oath`` and ``Realm: The Old Keep`` as (zone key, remainder).

        The zone key is "" for a zone that this game doesn't have.
        """
        found = _PREFIX.fullmatch(line)
        if found is None or not found["rest"].strip():
            return None
        words = _words(found["words"])
        if words in self._own:
            return self._own[words], found["rest"].strip()
        if words in self._foreign:
            return "", found["rest"].strip()
        return None


def is_remark(line: str) -> bool:
    """Whether a tidy ``line`` says something about the deck rather than what is in it."""
    return (
        line.startswith(("//", "#", "/*", ";", "-- "))
        or _RULE.fullmatch(line) is not None
        or _ABOUT.match(line) is not None
    )
