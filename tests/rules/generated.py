"""Formats, cards and decks made up at random, for the laws that hold in all of them."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Any

from hypothesis import strategies as st

from rules.engine.legality import CardFacts, CompiledFormat, StatusFact, compile_format
from tests.rules.judging import DAY, format_of

ZONES = ("main", "side", "realm")
COSTS, RARITIES = ("action", "free"), ("common", "rare", "mythic")
SETS = {"A0": date(2024, 12, 14), "A1": date(2024, 12, 15), "A2": date(2025, 6, 1), "A3": date(2026, 9, 1)}
"""Eighteen months before ``DAY`` it was the day of A1."""

KNOWN = {
    id_: CardFacts(
        id=id_,
        name=f"Card {id_}",
        facts={"cost": COSTS[id_ % 2], "rarity": RARITIES[id_ % 3], "power": id_ % 5, "unique": id_ % 4 == 0},
        tags=frozenset({"gift"} if id_ % 3 == 0 else ()),
        legal_dates=tuple(SETS[code] for code in codes),
        sets=codes,
    )
    for id_, codes in enumerate([("A0",), ("A1",), ("A0", "A2"), ("A2", "A3"), ("A3",), *[("A1", "A2")] * 7], start=1)
}
"""All facts of these are known."""

HALF_KNOWN = {
    **{id_: card for id_, card in KNOWN.items() if id_ > 4},
    1: CardFacts(1, "Card 1", {}, legal_dates=(date(2024, 1, 1),), sets=("A1",)),
    2: CardFacts(2, "Card 2", {"cost": "free"}, legal_dates=(date(2025, 6, 1),), sets=("A2",)),
    3: CardFacts(3, "Card 3", {"rarity": "rare", "power": 2}, legal_dates=(None,), sets=("A4",)),
    4: CardFacts(4, "Card 4", {"cost": "action", "rarity": "common"}),
}

_zones = st.lists(st.sampled_from(ZONES), min_size=1, max_size=3, unique=True)
_fact_tests = st.one_of(
    st.builds(lambda word: {"fact": "cost", "eq": word}, st.sampled_from(COSTS)),
    st.builds(lambda word: {"fact": "rarity", "ne": word}, st.sampled_from(RARITIES)),
    st.builds(
        lambda words: {"fact": "rarity", "in": words},
        st.lists(st.sampled_from(RARITIES), min_size=1, max_size=2, unique=True),
    ),
    st.builds(lambda number: {"fact": "power", "gte": number}, st.integers(0, 5)),
    st.builds(lambda number: {"fact": "power", "lte": number}, st.integers(0, 5)),
    st.builds(lambda yes: {"fact": "unique", "eq": yes}, st.booleans()),
    st.just({"tag": "gift"}),
    st.builds(lambda id_: {"names": [f"Card {id_}"]}, st.integers(1, 12)),
)
selectors: st.SearchStrategy[dict[str, Any]] = st.recursive(
    _fact_tests,
    lambda inner: st.one_of(
        st.builds(lambda parts: {"all": parts}, st.lists(inner, min_size=1, max_size=2)),
        st.builds(lambda parts: {"any": parts}, st.lists(inner, min_size=1, max_size=2)),
        st.builds(lambda part: {"not": part}, inner),
    ),
    max_leaves=3,
)


@st.composite
def _bounds(draw: st.DrawFn, low: int, high: int) -> dict[str, int]:
    least, most = sorted((draw(st.integers(0, low)), draw(st.integers(low, high))))
    which = draw(st.sampled_from(["min", "max", "both"]))
    return {key: value for key, value in (("min", least), ("max", most)) if which in (key, "both")}


@st.composite
def _measure(draw: st.DrawFn) -> dict[str, Any]:
    measure, low, high = draw(st.sampled_from([({}, 2, 12), ({"distinct": True}, 2, 3), ({"of": "power"}, 2, 12)]))
    return {**draw(_bounds(low, high)), **measure}


RULES: Mapping[str, st.SearchStrategy[dict[str, Any]]] = {
    "zone_count": st.one_of(
        _bounds(3, 20), st.builds(lambda sizes: {"one_of": sizes}, st.lists(st.integers(0, 9), min_size=2, max_size=5))
    ),
    "copies": st.builds(
        lambda most, select: {"max": most, **({"select": select} if select else {})},
        st.integers(1, 5),
        st.none() | selectors,
    ),
    "sum": st.builds(lambda select, measure: {"select": select, **measure}, selectors, _measure()),
    "require": st.builds(lambda select, bounds: {"select": select, **bounds}, selectors, _bounds(1, 10)),
    "eligible": st.builds(lambda select: {"select": select}, selectors),
    "status": st.builds(
        lambda most: {} if most is None else {"restricted_in_all": most}, st.none() | st.integers(0, 2)
    ),
    "points": st.builds(
        lambda budget, each: {"budget": budget, "each": each}, st.integers(0, 9), st.sampled_from(["copy", "card"])
    ),
}
"""The kinds of rules that count, add up, list cards or test them one by one: what is asked in each, without zones."""

LEFT_OUT: Mapping[str, st.SearchStrategy[dict[str, Any]]] = {
    "group": st.builds(
        lambda select, most, trigger: {"select": select, "max": most, **({"trigger": trigger} if trigger else {})},
        selectors,
        st.integers(0, 3),
        st.none() | selectors,
    ),
    "when": st.builds(
        lambda select, most: {
            "select": select,
            "then": [{"id": "then", "kind": "zone_count", "zones": ["main"], "max": most, "cite": "T 3"}],
        },
        selectors,
        st.integers(1, 9),
    ),
    "bound": st.builds(
        lambda select, times: {
            "select": select,
            "max": {"base": 1, "times": times, "over": 2, "measure": {"zones": ["main"]}},
        },
        selectors,
        st.integers(0, 2),
    ),
    "copies_per": st.builds(
        lambda select, most: {"kind": "copies", "select": select, "per": "rarity", "max": most},
        selectors,
        st.integers(1, 4),
    ),
    "sum_per": st.builds(
        lambda select, most: {"kind": "sum", "select": select, "per": "rarity", "max": most},
        selectors,
        st.integers(0, 4),
    ),
    "fixed": st.just({"decks": [{"name": "Starter", "size": 4, "cards": {"Card 5": 2, "Card 7": 2}}]}),
}
"""The kinds of rules that are about several cards together otherwise than by a sum."""

_pools = st.sampled_from(
    [
        {"kind": "all"},
        {"kind": "all", "exclude": ["Card 5", "Card 6"]},
        {"kind": "window", "months": 18, "cite": "T 8"},
        {"kind": "window", "months": 18, "cite": "T 8", "include": ["Card 1"]},
        {"kind": "sets", "sets": ["A1", "A2"], "cite": "T 8"},
        {"kind": "event_pool", "cite": "T 8"},
    ]
)


STATUSES = ("banned", "restricted", "limit", "points")


@st.composite
def entries(draw: st.DrawFn, statuses: tuple[str, ...] = STATUSES, zones: tuple[str, ...] = ("", "", "side")) -> Any:
    """Entries of a list: of a card some of copies and of points, but never two of one for the same zone."""
    found: dict[tuple[int, str, bool], StatusFact] = {}
    for card in draw(st.sets(st.integers(1, 12), max_size=4)):
        for status in draw(st.sets(st.sampled_from(statuses), min_size=1, max_size=2)):
            copies = {"banned": 0, "restricted": 1, "limit": draw(st.integers(1, 4)), "points": None}[status]
            points = draw(st.integers(1, 3)) if status == "points" else 0
            zone = draw(st.sampled_from(zones))
            entry = StatusFact(card, status, copies, None, "T 4.1", "a list", points, zone)  # type: ignore[arg-type]
            found[card, zone, status == "points"] = entry
    return tuple(found.values())


@st.composite
def written(draw: st.DrawFn, kinds: tuple[str, ...] = tuple(RULES)) -> dict[str, Any]:
    """A pool and at most four rules of these kinds, after one that asks for a card, as a file has them; and swaps."""
    rules = [{"id": "size", "kind": "zone_count", "zones": ["main"], "min": draw(st.integers(1, 4)), "cite": "T 1"}]
    for place, kind in enumerate(draw(st.lists(st.sampled_from(kinds), max_size=4))):
        says = draw({**RULES, **LEFT_OUT}[kind])
        says = {**says, "then": [{**one, "id": f"then-{place}"} for one in says["then"]]} if "then" in says else says
        rules.append({"id": f"rule-{place}", "kind": kind, "zones": draw(_zones), "cite": "T 2", **says})
    swaps = draw(st.none() | st.booleans())
    if swaps is not None:
        rules.append({"id": "swaps", "kind": "transition", "one_for_one": swaps, "cite": "T 5"})
    return {"pool": draw(_pools), "constraint": rules}


def compiled(format_: Mapping[str, Any], listed: tuple[StatusFact, ...] = ()) -> CompiledFormat:
    return compile_format(format_of(format_["constraint"], format_["pool"]), listed, DAY, {})


def formats(kinds: tuple[str, ...] = tuple(RULES)) -> st.SearchStrategy[CompiledFormat]:
    return st.builds(compiled, written(kinds), entries())


_rows = st.tuples(st.sampled_from(("main", "main", *ZONES)), st.integers(1, 12), st.integers(1, 4))
decks = st.lists(_rows, max_size=8).map(tuple)
