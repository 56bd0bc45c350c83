"""Every kind of rule, pool and stage in plain English."""

from __future__ import annotations

from typing import Any

import pytest

from rules.descriptions import policy_facts, pool_text, rule_text
from rules.engine.policyschema import PolicyDefinition
from tests.rules.judging import ANY_SIZE, format_of

LABELS = {"main": "Main deck", "side": "Sideboard"}
MAIN = {"id": "r", "zones": ["main"], "cite": "T 1"}
GIFTS = {"tag": "gift"}


@pytest.mark.parametrize(
    ("rule", "says", "figure"),
    [
        (
            {"kind": "copies", "max": 3, "per": "title"},
            "at most 3 copies of each card, cards of one title counted together",
            "≤ 3",
        ),
        (
            {"kind": "copies", "max": 3, "max_from": "deck_limit"},
            "at most 3 copies of each card, or as many as its deck limit says",
            "≤ 3",
        ),
        (
            {"kind": "sum", "select": {"not": GIFTS}, "of": "influence", "max": 15},
            "at most 15 influence of cards that are not gift",
            "≤ 15",
        ),
        (
            {"kind": "sum", "select": GIFTS, "distinct": True, "min": 2},
            "at least 2 gift cards, each counted once",
            "≥ 2",
        ),
        ({"kind": "sum", "select": GIFTS, "per": "faction", "max": 2}, "at most 2 gift cards of each faction", "≤ 2"),
        ({"kind": "status"}, "no banned cards, restricted cards within their limit", "lists"),
        (
            {"kind": "status", "restricted_in_all": 1},
            "no banned cards, and at most 1 different restricted card, each within its limit",
            "lists",
        ),
        ({"kind": "points", "budget": 7}, "at most 7 points of the points list", "≤ 7"),
        (
            {"kind": "points", "budget": 7, "each": "card"},
            "at most 7 points of the points list, each card counted once",
            "≤ 7",
        ),
        ({"kind": "group", "select": GIFTS, "max": 1}, "at most 1 different card of the gift cards", "≤ 1"),
        (
            {"kind": "group", "select": GIFTS, "max": 0, "trigger": {"fact": "kind", "eq": "vow"}},
            "none of the gift cards, if the deck has any of the vow cards",
            "≤ 0",
        ),
        ({"kind": "fixed"}, "a deck as it is sold, of cards that are not known", "fixed"),
        (
            {"kind": "fixed", "decks": [{"name": "Red", "size": 5}, {"name": "Blue", "size": 5}]},
            "exactly the deck Red or Blue",
            "fixed",
        ),
        (
            {
                "kind": "bound",
                "of": "agenda",
                "min": {"base": 2, "times": 2, "over": 5, "measure": {"zones": ["main"]}},
            },
            "agenda: at least 2 and 2 for every 5 cards in Main deck",
            "by deck",
        ),
        (
            {
                "kind": "bound",
                "select": GIFTS,
                "max": {"base": 10, "times": -1, "measure": {"zones": ["side"], "of": "power"}},
            },
            "gift cards: at most 10 less 1 for each of the power in Sideboard",
            "by deck",
        ),
        (
            {
                "kind": "when",
                "select": GIFTS,
                "label": "companion cards",
                "instead_of": ["size"],
                "then": [{**MAIN, "id": "x", "kind": "zone_count", "min": 80}],
            },
            "with 1 companion card, the rule size doesn't hold; Main deck: at least 80 cards",
            "if",
        ),
        (
            {"kind": "eligible", "select": {"fact": "faction", "in_zone": "leader"}},
            "only cards with the faction of a card in leader",
            "only",
        ),
    ],
)
def test_a_rule_is_told_in_words_and_by_its_number(rule: dict[str, Any], says: str, figure: str):
    text = rule_text(format_of([ANY_SIZE, {**MAIN, **rule}]).constraints[1], LABELS)
    assert (text.subject, text.asks, text.figure) == ("Main deck", says, figure)


@pytest.mark.parametrize(
    ("pool", "says", "figure"),
    [
        ({"kind": "all"}, "every card that has come out", "all"),
        (
            {"kind": "all", "exclude": ["Anvil", "Bellows"]},
            "every card that has come out, without Anvil and Bellows",
            "all",
        ),
        (
            {"kind": "sets", "sets": ["A", "B"], "include": ["Anvil"], "cite": "T 8"},
            "cards with a printing in A and B, with Anvil",
            "2 sets",
        ),
        ({"kind": "unknown", "cite": "T 8"}, "not known: the source doesn't say which cards are legal", "unknown"),
    ],
)
def test_a_pool_is_told_in_words(pool: dict[str, Any], says: str, figure: str):
    text = pool_text(format_of([ANY_SIZE], pool).pool)
    assert (text.subject, text.asks, text.figure) == ("Card pool", says, figure)


def test_tables_and_teams_are_told_with_their_sizes():
    policy = PolicyDefinition.model_validate(
        {
            "slug": "p", "name": "P", "version": "1", "format": "f", "match": {}, "points": {}, "decklist": {},
            "standings": {"metrics": ["match_points"]},
            "stages": [
                {"kind": "tables", "min_players": 2, "max_players": 4, "cite": {"max_players": "T 2"}},
                {"kind": "tables", "min_players": 3, "max_players": 3},
                {"kind": "teams", "sides": ["Light", "Dark"], "players_per_side": [2, 1], "cite": {"sides": "T 3"}},
            ],
        }
    )  # fmt: skip
    facts = [(fact.key, fact.label, fact.value, fact.cite) for fact in policy_facts(policy)]
    assert facts[:4] == [
        ("stage 1 max_players", "Players at a table", "2 to 4, each for themselves", "T 2"),
        ("stage 2 max_players", "Players at a table", "3, each for themselves", None),
        ("stage 3 sides", "Sides", "Light against Dark", "T 3"),
        ("stage 3 players_per_side", "Players of each side", "1 or 2", None),
    ]


def test_brackets_round_robins_and_pools_are_told_with_who_goes_on():
    single = {"kind": "single_elimination", "cut": 8}
    policy = PolicyDefinition.model_validate(
        {
            "slug": "p", "name": "P", "version": "1", "format": "f", "match": {}, "points": {}, "decklist": {},
            "standings": {"metrics": ["match_points"]},
            "stages": [
                {**single, "reseed": True, "third_place": True},
                {**single, "cut_by": "points", "cut_points": 12},
                {**single, "cut_by": "clean_break"},
                {**single, "cut_by": "full_bracket"},
                {"kind": "double_elimination", "cut": 16},
                {"kind": "round_robin"},
                {"kind": "pools", "pool_size": 4, "advance": 1, "wildcards": 2},
                {"kind": "pools", "pool_size": 5, "advance": 2},
            ],
        }
    )  # fmt: skip
    facts = [(fact.key, fact.label, fact.value) for fact in policy_facts(policy)]
    assert facts[:11] == [
        ("stage 1 cut", "Single elimination", "top 8, re-seeded after each round"),
        ("stage 1 third_place", "Third place", "played for"),
        ("stage 2 cut", "Single elimination", "all with 12 points or more, 8 at most"),
        ("stage 3 cut", "Single elimination", "top 8 at most, where points fall"),
        ("stage 4 cut", "Single elimination", "top 8, or as many as fill the bracket"),
        ("stage 5 cut", "Double elimination", "top 16"),
        ("stage 6 kind", "Round robin", "everybody against everybody"),
        ("stage 7 pool_size", "Players in a pool", "4, everybody against everybody"),
        ("stage 7 advance", "Go on from each pool", "the first 1, and the best 2 of the others"),
        ("stage 8 pool_size", "Players in a pool", "5, everybody against everybody"),
        ("stage 8 advance", "Go on from each pool", "the first 2"),
    ]
