"""Laws that hold in every format: in those of the shipped packs, and in formats made up at random."""

from __future__ import annotations

import random
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from config.bench import decks as drawn
from rules.engine.formatschema import Transition
from rules.engine.legality import (
    CardCount,
    CardFacts,
    CompiledFormat,
    DeckFacts,
    DeckLine,
    MissingFact,
    StatusFact,
    VerdictResult,
    Violation,
    check,
    check_swap,
)
from rules.engine.packcards import cards_on, compiled_on
from rules.engine.repeating import repeated
from rules.engine.screening import Row
from rules.packreader import read_pack
from tests.rules import naive
from tests.rules.generated import HALF_KNOWN, KNOWN, LEFT_OUT, RULES, compiled, decks, entries, formats, written
from tests.rules.judging import DAY, LEGAL

PACKS = Path(__file__).resolve().parents[2] / "rules" / "packs"
THEN, NOW = date(2024, 7, 1), date(2026, 9, 1)
WINDOWS = {THEN: date(2023, 1, 1), NOW: date(2025, 3, 1)}
"""The first day of the 18 months before each, counted by hand."""
Deck = tuple[Row, ...]
Cards = Mapping[int, CardFacts]
pools = st.none() | st.dictionaries(st.integers(1, 12), st.integers(1, 6))
seeds = st.integers(0, 1_000_000)


def facts(deck: Deck, cards: Cards) -> DeckFacts:
    return DeckFacts(tuple(DeckLine(zone, count, cards[card]) for zone, card, count in deck))


def judge(
    format_: CompiledFormat, deck: Deck, cards: Cards = KNOWN, pool: Mapping[int, int] | None = None
) -> VerdictResult:
    return check(facts(deck, cards), format_, pool)


@dataclass(frozen=True)
class Shipped:
    """A format of a shipped pack on a day, as the engine has it and as its file has it."""

    compiled: CompiledFormat
    cards: Cards
    raw: Mapping[str, Any]
    listed: naive.Listed

    @property
    def is_fixed(self) -> bool:
        return any(rule["kind"] == "fixed" for rule in self.raw["constraint"])

    def deck(self, rng: random.Random) -> Deck:
        """Of some cards in each zone, as often as there are few or many."""
        zones = sorted({zone for rule in self.raw["constraint"] for zone in rule.get("zones", ())})
        most = rng.choice((1, 3, 4))
        rows = [(rng.choice(zones), card, rng.randint(1, most)) for card in rng.choices(sorted(self.cards), k=40)]
        return tuple(rows[: rng.choice((1, 15, 40))])


def _shipped() -> dict[str, Shipped]:
    found = {}
    for folder in sorted(PACKS.iterdir()):
        pack = read_pack(folder)
        listed = tomllib.loads((folder / "lists.toml").read_text()) if (folder / "lists.toml").exists() else {}
        files = [tomllib.loads(path.read_text()) for path in sorted((folder / "formats").iterdir())]
        for raw in [one for file in files for one in repeated(file)]:
            day = THEN if "until" in raw else NOW
            cards = cards_on(pack, day)
            ids = {card.name: id_ for id_, card in cards.items()}
            statuses = [
                {**entry, "card": ids[entry["card"]]}
                for entry in listed.get("status", [])
                if entry["format"] == raw["slug"] and entry.get("from", day) <= day < entry.get("until", date.max)
            ]
            name = f"{folder.name} {raw['slug']} {raw['version']}"
            found[name] = Shipped(compiled_on(pack, raw["slug"], day), cards, raw, statuses)
    return found


SHIPPED = _shipped()
some_shipped = st.sampled_from(sorted(SHIPPED))
DRAWN = {"epic designed-deck 1": drawn.epic(), "engarde standard 2025": drawn.engarde()}
ALL_KINDS = (*RULES, *LEFT_OUT)


@pytest.mark.parametrize("name", sorted(SHIPPED))
def test_an_empty_deck_is_legal_in_no_format(name: str) -> None:
    for pool in (None, {}, {1: 3}):
        assert check(DeckFacts(()), SHIPPED[name].compiled, pool).outcome != "legal"


@settings(max_examples=50, deadline=None, derandomize=True)
@given(formats())
def test_an_empty_deck_is_legal_in_no_format_made_up_at_random(format_: CompiledFormat) -> None:
    assert judge(format_, ()).outcome == "illegal"


# More of a card never mends that there's too much of something.
def too_many(verdict: VerdictResult) -> dict[tuple[Any, ...], int]:
    """By what there is too much of, how much; one card is another thing than the next, unless they are added up."""
    found = {}
    for one in verdict.violations:
        kind, _, code = one.code.partition(".")
        if one.excess is not None and one.excess > 0 and code != "not_one_of":
            added_up = kind in ("zone_count", "sum", "require", "points", "group") or code == "too_many_restricted"
            cards = () if added_up else tuple(card.id for card in one.cards)
            what = "pool" if kind == "pool" else one.code
            found[what, one.constraint, one.zones if kind == "status" else (), cards] = one.excess
    return found


def holds_no_less(before: VerdictResult, after: VerdictResult) -> bool:
    more = too_many(after)
    return all(more.get(what, 0) >= excess for what, excess in too_many(before).items())


@settings(max_examples=200, deadline=None, derandomize=True)
@given(formats(), decks, decks.filter(bool), pools)
def test_a_card_more_never_removes_that_there_are_too_many(
    format_: CompiledFormat, deck: Deck, more: Deck, pool: dict[int, int] | None
) -> None:
    assert holds_no_less(judge(format_, deck, pool=pool), judge(format_, deck + more[:1], pool=pool))


@settings(max_examples=100, deadline=None, derandomize=True)
@given(some_shipped, seeds)
def test_nor_does_it_in_a_shipped_format(name: str, seed: int) -> None:
    one, rng = SHIPPED[name], random.Random(seed)
    deck, more = one.deck(rng), one.deck(rng)[:1]
    pool = dict.fromkeys(one.cards, 2)
    assert holds_no_less(*(judge(one.compiled, rows, one.cards, pool) for rows in (deck, deck + more)))


# Neither the order of the rows matters, nor how the copies of a card are split over them (its printings, say).
def split(deck: Deck, rng: random.Random) -> Deck:
    rows = []
    for zone, card, count in deck:
        first = rng.randint(0, count)
        rows += [(zone, card, part) for part in (first, count - first) if part]
    rng.shuffle(rows)
    return tuple(rows)


@settings(max_examples=200, deadline=None, derandomize=True)
@given(formats(ALL_KINDS), decks, pools, seeds)
def test_a_verdict_depends_on_neither_order_nor_printings(
    format_: CompiledFormat, deck: Deck, pool: dict[int, int] | None, seed: int
) -> None:
    for cards in (KNOWN, HALF_KNOWN):
        other = split(deck, random.Random(seed))
        assert judge(format_, other, cards, pool) == judge(format_, deck, cards, pool)


@settings(max_examples=100, deadline=None, derandomize=True)
@given(some_shipped, seeds)
def test_nor_does_it_in_a_shipped_format_depend_on_them(name: str, seed: int) -> None:
    one, rng = SHIPPED[name], random.Random(seed)
    deck = one.deck(rng)
    assert judge(one.compiled, split(deck, rng), one.cards) == judge(one.compiled, deck, one.cards)


# What a format lets a player swap between games leaves a legal deck legal.
def swapped(deck: Deck, rng: random.Random, rule: Transition) -> Deck:
    """With a copy from each of two zones of the rule in the other's place."""
    copies = [(zone, card) for zone, card, count in deck for _ in range(count)]
    one, other = (rng.choice([copy for copy in copies if copy[0] == zone]) for zone in rule.zones)
    copies.remove(one)
    copies.remove(other)
    return tuple((zone, card, 1) for zone, card in [*copies, (one[0], other[1]), (other[0], one[1])])


@pytest.mark.parametrize("name", sorted(DRAWN))
@settings(max_examples=30, deadline=None, derandomize=True)
@given(seed=seeds)
def test_a_legal_deck_stays_legal_through_swaps_one_for_one_and_when_it_is_restored(name: str, seed: int) -> None:
    kind, rng = DRAWN[name], random.Random(seed)
    rule = kind.compiled.transition
    assert rule is not None
    assert rule.zones == ("main", "side")
    first = kind.deck(rng, legal=True)
    assert judge(kind.compiled, first, kind.cards) == LEGAL
    deck = first
    for _ in range(3):
        deck = swapped(deck, rng, rule)
        assert judge(kind.compiled, deck, kind.cards) == LEGAL
        assert check_swap(facts(first, kind.cards), facts(deck, kind.cards), rule) == ()
        assert check_swap(facts(deck, kind.cards), facts(first, kind.cards), rule) == ()


# Every number of a violation, counted once more.
SIZES = {"id": "sizes", "kind": "zone_count", "zones": ["main"], "one_of": [4, 2], "cite": "T 2"}
BETWEEN_SIZES = {"pool": {"kind": "all"}, "constraint": [SIZES]}


def numbers(verdict: VerdictResult) -> list[naive.Breach]:
    """Of what is broken for sure."""
    return sorted(
        [
            (one.code, one.constraint, one.limit, one.actual, one.excess, tuple(sorted(card.id for card in one.cards)))
            for one in verdict.violations
            if not one.undetermined
        ],
        key=repr,
    )


@settings(max_examples=300, deadline=None, derandomize=True)
@given(written(), entries(("banned", "restricted", "points"), ("",)), decks, pools)
@example(BETWEEN_SIZES, (), (("main", 1, 3),), None)
def test_the_numbers_of_every_violation_are_those_of_a_plain_count(
    raw: dict[str, Any], listed: tuple[StatusFact, ...], deck: Deck, pool: dict[int, int] | None
) -> None:
    plain = [
        {"card": one.card_id, "status": one.status, "max_copies": one.max_copies, "points": one.points}
        for one in listed
    ]
    found = numbers(judge(compiled(raw, listed), deck, pool=pool))
    assert found == naive.breaches(raw, plain, DAY, date(2024, 12, 15), deck, KNOWN, pool)


@settings(max_examples=150, deadline=None, derandomize=True)
@given(
    some_shipped.filter(lambda name: all(rule["kind"] != "fixed" for rule in SHIPPED[name].raw["constraint"])), seeds
)
def test_so_they_are_in_a_shipped_format(name: str, seed: int) -> None:
    one, rng = SHIPPED[name], random.Random(seed)
    pool = {card: rng.randint(0, 3) for card in one.cards} if one.raw["pool"]["kind"] == "event_pool" else None
    assert numbers(judge(one.compiled, deck := one.deck(rng), one.cards, pool)) == counted(one, deck, pool)


@pytest.mark.parametrize("name", ["epic designed-deck 1", "engarde standard 2025"])
@settings(max_examples=60, deadline=None, derandomize=True)
@given(seed=seeds)
def test_so_they_are_of_decks_that_are_almost_legal(name: str, seed: int) -> None:
    one, kind = SHIPPED[name], DRAWN[name]
    assert one.compiled.as_of == kind.compiled.as_of
    deck = kind.deck(random.Random(seed), legal=False)
    found = numbers(judge(one.compiled, deck, one.cards))
    assert found != []
    assert found == counted(one, deck, None)


def counted(one: Shipped, deck: Deck, pool: Mapping[int, int] | None) -> list[naive.Breach]:
    return naive.breaches(one.raw, one.listed, one.compiled.as_of, WINDOWS[one.compiled.as_of], deck, one.cards, pool)


def test_twelve_gifts_of_unknown_cost_are_too_many_gifts_and_maybe_too_many_free_cards() -> None:
    one = SHIPPED["epic designed-deck 1"]
    unknown = [card for card in one.cards.values() if "gift" in card.tags and "cost" not in card.facts][:4]
    free = [card for card in one.cards.values() if card.facts.get("cost") == "free"][:3]
    action = [card for card in one.cards.values() if card.facts.get("cost") == "action"][:13]
    deck = tuple(("main", card.id, 3) for card in (*unknown, *free, *action))
    gifts = tuple(CardCount(card.id, card.name, 3) for card in sorted(unknown, key=lambda card: card.name))
    assert judge(one.compiled, deck, one.cards) == VerdictResult(
        "illegal",
        (
            Violation(
                "sum.unknown",
                constraint="free-cards",
                cite="EPIC 12.3",
                limit=18,
                actual=9,
                possible=21,
                zones=("main", "side"),
                cards=gifts,
                facts=tuple(MissingFact(card.name, "cost") for card in gifts),
                subject="free cards",
                undetermined=True,
            ),
            Violation(
                "sum.too_many",
                constraint="gift-cards",
                cite="EPIC 12.4",
                limit=9,
                actual=12,
                excess=3,
                zones=("main", "side"),
                cards=gifts,
                subject="gift cards",
            ),
        ),
    )
