from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter, ValidationError

from rules.engine.schema import Selector
from rules.engine.selectors import CardFacts, describe, evaluate, missing_facts

READ = TypeAdapter(Selector)
FREE = {"fact": "cost", "eq": "free"}
GIFT = {"tag": "gift"}

FULL = CardFacts(1, "Thrust", {"cost": "free", "power": 3, "legend": True}, frozenset({"gift"}))
EMPTY = CardFacts(2, "Nothing Known", {})


@pytest.mark.parametrize(
    ("selector", "truth"),
    [
        (FREE, True),
        ({"fact": "cost", "ne": "free"}, False),
        ({"fact": "cost", "in": ["action", "free"]}, True),
        ({"fact": "power", "gte": 3}, True),
        ({"fact": "power", "gte": 4}, False),
        ({"fact": "power", "lte": 3}, True),
        ({"fact": "power", "lte": 2}, False),
        ({"fact": "legend", "eq": True}, True),
        ({"fact": "legend", "eq": 1}, False),
        (GIFT, True),
        ({"tag": "other"}, False),
        ({"names": ["THRUST"]}, True),
        ({"names": ["Shelter"]}, False),
        ({"all": [FREE, {"tag": "other"}]}, False),
        ({"any": [{"tag": "other"}, FREE]}, True),
        ({"not": FREE}, False),
    ],
)
def test_a_card_with_every_fact_is_in_or_out(selector: dict[str, Any], truth: bool):
    assert evaluate(READ.validate_python(selector), FULL) is truth


@pytest.mark.parametrize(
    ("selector", "truth", "missing"),
    [
        (FREE, None, ("cost",)),
        ({"fact": "cost", "ne": "free"}, None, ("cost",)),
        ({"not": FREE}, None, ("cost",)),
        ({"all": [FREE, GIFT]}, False, ()),
        ({"all": [FREE, {"not": GIFT}]}, None, ("cost",)),
        ({"any": [FREE, {"not": GIFT}]}, True, ()),
        ({"any": [FREE, {"fact": "power", "gte": 1}]}, None, ("cost", "power")),
        (GIFT, False, ()),
    ],
)
def test_a_missing_fact_leaves_it_open_only_where_it_decides(
    selector: dict[str, Any], truth: bool | None, missing: tuple[str, ...]
):
    read = READ.validate_python(selector)
    assert (evaluate(read, EMPTY), missing_facts(read, EMPTY)) == (truth, tuple((EMPTY.name, one) for one in missing))


selectors = st.recursive(
    st.sampled_from([FREE, GIFT, {"fact": "power", "gte": 2}, {"fact": "cost", "ne": "action"}, {"names": ["C"]}]),
    lambda inner: st.one_of(
        st.lists(inner, min_size=1, max_size=3).map(lambda parts: {"all": parts}),
        st.lists(inner, min_size=1, max_size=3).map(lambda parts: {"any": parts}),
        inner.map(lambda part: {"not": part}),
    ),
    max_leaves=8,
)
facts = st.fixed_dictionaries({}, optional={"cost": st.sampled_from(["free", "action"]), "power": st.integers(0, 4)})
tags = st.sampled_from([frozenset(), frozenset({"gift"})])


@given(selectors, facts, tags)
def test_what_is_known_stays_so_when_more_is_learnt(
    selector: dict[str, Any], known: dict[str, Any], tagged: frozenset[str]
):
    read = READ.validate_python(selector)
    now = evaluate(read, CardFacts(1, "C", known, tagged))
    for cost in ("free", "action"):
        for power in (0, 2, 4):
            later = evaluate(read, CardFacts(1, "C", {"cost": cost, "power": power, **known}, tagged))
            assert later is not None
            assert now is None or later is now


@given(selectors, selectors, facts, tags)
def test_not_all_of_two_is_either_not(
    one: dict[str, Any], other: dict[str, Any], known: dict[str, Any], tagged: frozenset[str]
):
    card = CardFacts(1, "C", known, tagged)
    left = evaluate(READ.validate_python({"not": {"all": [one, other]}}), card)
    assert left is evaluate(READ.validate_python({"any": [{"not": one}, {"not": other}]}), card)


@given(selectors, facts, tags)
def test_facts_are_missing_exactly_where_the_answer_is_open(
    selector: dict[str, Any], known: dict[str, Any], tagged: frozenset[str]
):
    read, card = READ.validate_python(selector), CardFacts(1, "C", known, tagged)
    assert (evaluate(read, card) is None) == bool(missing_facts(read, card))
    assert not set(missing_facts(read, card)) & set(known)


@pytest.mark.parametrize(
    "selector",
    [
        {"fact": "cost"},
        {"fact": "cost", "eq": "free", "ne": "free"},
        {"fact": "cost", "like": "f%"},
        {"fact": "cost", "gte": "3"},
        {"all": []},
        {"tag": "gift", "fact": "cost"},
        {"set": "S1"},
        "gift",
    ],
)
def test_a_selector_of_another_shape_is_refused(selector: Any):
    with pytest.raises(ValidationError):
        READ.validate_python(selector)


@pytest.mark.parametrize(
    ("selector", "words"),
    [
        (FREE, "free cards"),
        (GIFT, "gift cards"),
        ({"not": FREE}, "cards that are not free"),
        ({"fact": "power", "gte": 3}, "cards with power at least 3"),
        ({"names": ["Thrust", "Shelter"]}, "Thrust or Shelter"),
    ],
)
def test_a_selector_is_said_in_words(selector: dict[str, Any], words: str):
    assert describe(READ.validate_python(selector)) == words
