"""Situations whose right outcome is known from the sources or from a reading, by code and number.

The names of the examples are those of the sources' situations; ``found`` lists every violation, in the engine's order,
as (code, rule, section, limit, actual).
"""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest

from cards.engine.names import name_key
from rules.engine.formatschema import EventPool, Transition, ZoneCount
from rules.engine.legality import CardFacts, StatusFact, UnresolvedLine, VerdictResult, check_swap
from rules.engine.policyschema import DraftStage, PolicyDefinition
from rules.engine.repeating import repeated
from tests.rules.shelf import Parts, Shelf

EPIC, ENGARDE = Shelf("epic"), Shelf("engarde")
MELEE, DUELS, MAGIC = Shelf("epic-melee"), Shelf("epic-duels"), Shelf("magic-epic")
Found = list[tuple[str, str, str, object, int | None]]


def found(result: VerdictResult) -> tuple[str, Found]:
    return result.outcome, [(v.code, v.constraint, v.cite, v.limit, v.actual) for v in result.violations]


# -- Epic Designed Deck -----------------------------------------------------------------------------------------------

ACTIONS = list(EPIC.named(50, cost="action"))
FREE = list(EPIC.named(30, cost="free"))
GIFTS = list(EPIC.lists.tag[0].cards)


def cards(names: list[str], count: int, *, each: int = 3) -> dict[str, int]:
    """``count`` cards in all, ``each`` of the first names."""
    whole, rest = divmod(count, each)
    return dict.fromkeys(names[:whole], each) | ({names[whole]: rest} if rest else {})


def epic_deck(*, main: int = 60, side: int = 0, free: int = 0, gift: int = 0) -> Parts:
    """As many copies of each card as are allowed. ``free`` cards that are no gifts, and gifts of unknown cost."""
    held = cards(GIFTS, gift) | cards(FREE, free) | cards(ACTIONS, main - free - gift)
    return {"main": held, "side": cards(ACTIONS[-5:], side)}


def with_costs(shelf: Shelf, costs: dict[str, str]) -> Shelf:
    """The same pack, had somebody supplied what these cards cost."""
    copy = object.__new__(Shelf)
    copy.__dict__.update(vars(shelf))
    copy.cards = shelf.cards | {
        name: replace(shelf.cards[name], facts={**shelf.cards[name].facts, "cost": cost})
        for name, cost in costs.items()
    }
    return copy


def listed(card: CardFacts, copies: int) -> StatusFact:
    return StatusFact(card.id, "restricted" if copies else "banned", copies, date(2026, 1, 1), "EPIC 12.6", "A list")


def test_designed_ok_60_and_15_cards_3_of_each_18_free_and_9_gifts_are_legal():
    epic = with_costs(EPIC, dict.fromkeys(GIFTS, "action"))
    assert found(epic.judged("designed-deck.1", epic_deck(side=15, free=18, gift=9))) == ("legal", [])


@pytest.mark.parametrize(
    ("deck", "violations"),
    [
        (epic_deck(main=59), [("zone_count.too_few", "deck-size", "EPIC 12.1", 60, 59)]),
        (epic_deck(side=14), [("zone_count.not_one_of", "sideboard-size", "EPIC 9.2", (0, 15), 14)]),
        (epic_deck(side=15, free=19), [("sum.too_many", "free-cards", "EPIC 12.3", 18, 19)]),
    ],
    ids=["designed.59", "designed.side14", "designed.free19"],
)
def test_designed_decks_with_one_fault(deck: Parts, violations: Found):
    assert found(EPIC.judged("designed-deck.1", deck)) == ("illegal", violations)


def test_designed_freegift_the_tenth_gift_is_also_the_nineteenth_free_card():
    costs = dict.fromkeys(GIFTS[:3], "action") | {GIFTS[3]: "free"}
    deck = epic_deck(free=18, gift=10)

    assert found(with_costs(EPIC, costs).judged("designed-deck.1", deck)) == (
        "illegal",
        [("sum.too_many", "free-cards", "EPIC 12.3", 18, 19), ("sum.too_many", "gift-cards", "EPIC 12.4", 9, 10)],
    )


def test_twelve_gifts_of_unknown_cost_are_too_many_gifts_and_perhaps_too_many_free_cards():
    result = EPIC.judged("designed-deck.1", epic_deck(free=9, gift=12))

    assert found(result) == (
        "illegal",
        [("sum.unknown", "free-cards", "EPIC 12.3", 18, 9), ("sum.too_many", "gift-cards", "EPIC 12.4", 9, 12)],
    )
    unknown = result.violations[0]
    assert (unknown.undetermined, unknown.possible) == (True, 21)
    assert {fact.card for fact in unknown.facts} == set(GIFTS[:4])
    assert {fact.fact for fact in unknown.facts} == {"cost"}


def test_designed_restricted2_one_in_the_deck_and_one_beside_it_are_two():
    entry = listed(EPIC.cards[ACTIONS[0]], 1)
    main = cards(ACTIONS[1:], 59) | {ACTIONS[0]: 1}
    side = cards(ACTIONS[-5:], 14) | {ACTIONS[0]: 1}

    assert found(EPIC.judged("designed-deck.1", {"main": main, "side": side}, listed=[entry])) == (
        "illegal",
        [("status.restricted", "lists", "EPIC 12.6", 1, 2)],
    )
    one = {"main": main, "side": cards(ACTIONS[-5:], 15)}
    assert found(EPIC.judged("designed-deck.1", one, listed=[entry])) == ("legal", [])


@pytest.mark.parametrize("zone", ["main", "side"])
def test_designed_banned1_a_banned_card_is_allowed_in_neither_zone(zone: str):
    entry = listed(EPIC.cards[ACTIONS[0]], 0)
    deck = {"main": cards(ACTIONS[1:], 60), "side": cards(ACTIONS[-5:], 15)}
    deck[zone] = deck[zone] | {ACTIONS[0]: 1}
    deck[zone][list(deck[zone])[0]] -= 1

    assert found(EPIC.judged("designed-deck.1", deck, listed=[entry])) == (
        "illegal",
        [("status.banned", "lists", "EPIC 12.6", 0, 1)],
    )


def test_an_unknown_line_leaves_an_epic_deck_undetermined_and_other_faults_are_said_all_the_same():
    line = UnresolvedLine(7, "1 Brush Asid", 1, "main")
    full, short = epic_deck(main=60), epic_deck(main=58)

    assert found(EPIC.judged("designed-deck.1", full, unresolved=[line])) == (
        "undetermined",
        [("line.unresolved", "", "EPIC R24", None, 1)],
    )
    assert found(EPIC.judged("designed-deck.1", short, unresolved=[line])) == (
        "illegal",
        [
            ("line.unresolved", "", "EPIC R24", None, 1),
            ("zone_count.too_few", "deck-size", "EPIC 12.1", 60, 58),
        ],
    )


# -- swaps between games ----------------------------------------------------------------------------------------------


def swapped(deck: Parts, out: list[str], into: list[str]) -> Parts:
    """The deck with one copy of each name of ``out`` in the sideboard, and one of ``into`` in the main deck."""
    main, side = dict(deck["main"]), dict(deck["side"])
    for names, there, here in ((out, main, side), (into, side, main)):
        for name in names:
            there[name] -= 1
            here[name] = here.get(name, 0) + 1
    zones = {"main": main, "side": side}
    return {zone: {name: count for name, count in held.items() if count} for zone, held in zones.items()}


def test_sideboard_swap_four_for_four_is_allowed_and_four_for_three_is_not():
    deck = epic_deck(side=15)
    rule = EPIC.compiled("designed-deck.1").transition
    assert rule is not None
    assert (rule.one_for_one, rule.restore, rule.cite) == (True, "match", "EPIC 9.3")

    def broken(into: int) -> list[tuple[str, tuple[str, ...], object, int | None]]:
        after = swapped(deck, ACTIONS[:4], ACTIONS[-5:][:into])
        violations = check_swap(EPIC.deck(deck), EPIC.deck(after), rule)
        return [(v.code, v.zones, v.limit, v.actual) for v in violations]

    assert broken(4) == []
    assert broken(3) == [
        ("transition.size_changed", ("main",), 60, 59),
        ("transition.size_changed", ("side",), 15, 16),
    ]


# -- the gift list ----------------------------------------------------------------------------------------------------


def test_giftlist_has_31_names_found_whatever_their_kind_of_apostrophe():
    keys = {name_key(name) for name in GIFTS}
    asked = ["Nature's Renewal", "NATURE\u2019S  RENEWAL", "Ring of Will", "Lightning Storm"]

    assert len(GIFTS) == len(keys) == 31
    assert [name_key(name) in keys for name in asked] == [True, True, True, False]


# -- sealed packs and drafts ------------------------------------------------------------------------------------------


def policies(shelf: Shelf) -> dict[str, PolicyDefinition]:
    files = [f"policy/{path.name}" for path in sorted((shelf.folder / "policy").iterdir())]
    found = [PolicyDefinition.model_validate(one) for file in files for one in repeated(shelf.toml(file))]
    return {f"{one.slug}.{one.version}": one for one in found}


POLICIES = policies(EPIC)
PACK = int(EPIC.toml("products.toml")["product"][0]["pack_size"])


@pytest.mark.parametrize(
    ("packs", "stem", "pool", "smallest", "has_sideboard", "builds"),
    [
        (1, "pack-war.1", 15, 15, False, False),
        (2, "sealed-2.1", 30, 30, False, False),
        (3, "sealed-3.1", 45, 30, True, True),
        (4, "sealed-4.1", 60, 30, True, True),
        (5, "sealed-5.1", 75, 30, True, True),
        (6, "sealed-6.1", 90, 30, True, True),
    ],
)
def test_sealed(packs: int, stem: str, pool: int, smallest: int, has_sideboard: bool, builds: bool):
    stages = POLICIES[stem].stages
    size = next(c for c in EPIC.formats[stem].constraints if isinstance(c, ZoneCount) and c.zones == ("main",))
    opened = cards(ACTIONS + FREE, pool, each=2)
    main = cards(ACTIONS + FREE, smallest, each=2)
    rest = [name for name in opened if name not in main]
    side = cards(rest, 15, each=2) if pool >= smallest + 15 else {}

    assert (PACK * packs, size.min) == (pool, smallest)
    assert ([s.packs for s in stages if s.kind == "sealed"], "deck_building" in [s.kind for s in stages]) == (
        [packs],
        builds,
    )
    assert bool(side) is has_sideboard
    assert found(EPIC.judged(stem, {"main": main, "side": side}, pool=opened)) == ("legal", [])


def test_sealed_3_with_a_sideboard_leaves_exactly_30_cards_for_the_deck():
    opened = cards(ACTIONS, 45, each=1)
    names = list(opened)
    deck = {"main": dict.fromkeys(names[:29], 1), "side": dict.fromkeys(names[29:44], 1)}

    assert found(EPIC.judged("sealed-3.1", deck, pool=opened)) == (
        "illegal",
        [("zone_count.too_few", "deck-size", "EPIC 10.3", 30, 29)],
    )


@pytest.mark.parametrize("packs", [2, 3, 4, 5, 6])
def test_draft_passes_left_right_left_and_each_player_picks_every_pack_empty(packs: int):
    stage = next(s for s in POLICIES[f"draft-{packs}.1"].stages if isinstance(s, DraftStage))
    format_ = EPIC.formats[f"draft-{packs}.1"]

    assert stage.directions == ("left", "right", "left", "right", "left", "right")[:packs]
    assert [PACK - pick for pick in range(1, PACK)] == [14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1]
    assert stage.packs * PACK == {2: 30, 3: 45, 4: 60, 5: 75, 6: 90}[packs]
    assert isinstance(format_.pool, EventPool)


# -- EnGarde ----------------------------------------------------------------------------------------------------------

COMMON = list(ENGARDE.named(20, years=(2025, 2026), rarity="common"))
UNCOMMON = list(ENGARDE.named(5, years=(2025, 2026), rarity="uncommon"))


def engarde_deck(*, main: int = 50, side: int = 10, realms: int = 1, instead: dict[str, int] | None = None) -> Parts:
    """``instead`` are cards of the main deck in place of commons."""
    held = dict(instead or {})
    held |= cards([name for name in COMMON if name not in held], main - sum(held.values()))
    names = [name for name, card in ENGARDE.cards.items() if card.facts.get("type") == "realm"]
    current = [name for name in names if any(day and day.year >= 2025 for day in ENGARDE.cards[name].legal_dates)]
    return {"main": held, "side": cards(UNCOMMON, side), "realm": dict.fromkeys(current[:realms], 1)}


ROOMY = {"mythic-copies", "main-cards"}


def of_lists(result: VerdictResult) -> tuple[str, Found]:
    """Without what can't be told of the listed cards, whose rarity and type nobody knows."""
    outcome, violations = found(result)
    return outcome, [violation for violation in violations if violation[1] not in ROOMY]


@pytest.mark.parametrize(
    ("deck", "outcome", "violations"),
    [
        (engarde_deck(), "legal", []),
        (engarde_deck(main=49), "illegal", [("zone_count.too_few", "deck-size", "ENGARDE 2.1", 50, 49)]),
        (engarde_deck(main=51), "illegal", [("zone_count.too_many", "deck-size", "ENGARDE 2.1", 50, 51)]),
        (engarde_deck(realms=2), "illegal", [("zone_count.too_many", "realm", "ENGARDE 2.3", 1, 2)]),
        (engarde_deck(realms=0), "illegal", [("zone_count.too_few", "realm", "ENGARDE 2.3", 1, 0)]),
        (engarde_deck(side=15), "illegal", [("zone_count.not_one_of", "sideboard-size", "ENGARDE 2.4", (0, 10), 15)]),
        (engarde_deck(side=0), "legal", []),
    ],
    ids=["deck.ok", "deck.49", "deck.51", "deck.tworealms", "no realm", "deck.side15", "no sideboard"],
)
def test_engarde_decks(deck: Parts, outcome: str, violations: Found):
    assert found(ENGARDE.judged("standard.2025", deck)) == (outcome, violations)


@pytest.mark.parametrize("card", ["The Long Bell", "Mira's Final Ledger", "Hollowing \u2014 Greater"])
def test_engarde_deck_banned(card: str):
    deck = engarde_deck(instead={card: 1})
    assert of_lists(ENGARDE.judged("standard.2025", deck)) == (
        "illegal",
        [("status.banned", "lists", "ENGARDE 2.6", 0, 1)],
    )


@pytest.mark.parametrize("card", ["Bell-bronze Reliquary", "Tideturn: Reflux"])
def test_engarde_deck_restricted2(card: str):
    assert of_lists(ENGARDE.judged("standard.2025", engarde_deck(instead={card: 2}))) == (
        "illegal",
        [("status.restricted", "lists", "ENGARDE 2.6", 1, 2)],
    )
    assert of_lists(ENGARDE.judged("standard.2025", engarde_deck(instead={card: 1}))) == ("legal", [])


def test_engarde_aether_and_its_other_numbers_are_those_of_the_year():
    told = {
        stem: {rule.id: rule.value for rule in ENGARDE.formats[stem].play}
        for stem in ("standard.2024", "standard.2025", "eternal.2024", "eternal.2025")
    }
    sideboards = {
        stem: rule.one_of
        for stem in told
        for rule in ENGARDE.formats[stem].constraints
        if isinstance(rule, ZoneCount) and rule.id == "sideboard-size"
    }
    minutes = {stem: policy.match.minutes for stem, policy in policies(ENGARDE).items()}

    assert {stem: (play["aether-cap"], play["oaths"], play["hand"]) for stem, play in told.items()} == {
        "standard.2024": ("8", "at most 3", "8 cards"),
        "standard.2025": ("10", "at most 2", "7 cards"),
        "eternal.2024": ("8", "at most 3", "8 cards"),
        "eternal.2025": ("10", "at most 2", "7 cards"),
    }
    assert {stem: play["mulligan"] is None for stem, play in told.items()} == {
        stem: stem.endswith("2024") for stem in told
    }
    assert sideboards == {stem: (0, 15) if stem.endswith("2024") else (0, 10) for stem in told}
    assert minutes == {stem: 55 if stem.endswith("2024") else 50 for stem in told}


def test_engarde_registration_is_due_before_round_1():
    lists = {stem: (policy.decklist.required, policy.decklist.deadline) for stem, policy in policies(ENGARDE).items()}
    assert set(lists.values()) == {(True, "round-1")}


def test_engarde_swaps_need_not_be_one_for_one():
    rule = ENGARDE.compiled("standard.2025").transition
    assert isinstance(rule, Transition)
    deck = engarde_deck()
    before = {"main": deck["main"], "side": deck["side"]}
    after = swapped(before, COMMON[:1], UNCOMMON[:2])
    realm = deck["realm"]

    assert check_swap(ENGARDE.deck({**before, "realm": realm}), ENGARDE.deck({**after, "realm": realm}), rule) == ()


# -- games of which the source leaves the decks open ------------------------------------------------------------------

NINE = list(MELEE.cards)


@pytest.mark.parametrize(
    ("main", "outcome", "violations"),
    [
        (dict.fromkeys(NINE, 6), "undetermined", [("fixed.unknown", "deck", "MELEE 1.2", None, 54)]),
        (dict.fromkeys(NINE, 5) | {"EZ": 14}, "undetermined", [("fixed.unknown", "deck", "MELEE 1.2", None, 54)]),
        (dict.fromkeys(NINE, 6) | {"EZ": 5}, "illegal", [("fixed.too_few", "deck", "MELEE 1.2", 54, 53)]),
        (
            dict.fromkeys(NINE[:8], 6) | {NINE[0]: 12},
            "illegal",
            [("fixed.missing", "deck", "MELEE 1.2", 1, 0)],
        ),
    ],
    ids=["six of each", "another split", "a card is lost", "a kind is missing"],
)
def test_the_deck_of_melee_has_54_cards_of_nine_kinds_in_unknown_numbers(
    main: dict[str, int], outcome: str, violations: Found
):
    assert found(MELEE.judged("shared-deck.1", {"main": main})) == (outcome, violations)


def test_a_standard_deck_of_duels_is_never_legal_as_nobody_has_listed_it():
    deck = {"main": {"Flamethrower": 2}, "characters": {"Darth Vader": 1}}

    assert found(DUELS.judged("standard-decks.1", deck)) == (
        "undetermined",
        [("fixed.unknown", "standard-deck", "DUELS 2.2", None, 3)],
    )
    assert found(DUELS.judged("standard-decks.1", {}))[0] != "legal"


def test_a_deck_of_the_five_epic_cards_is_undetermined_and_an_empty_one_illegal():
    outcome, violations = found(MAGIC.judged("epic-cards.1", {"main": dict.fromkeys(MAGIC.cards, 4)}))

    assert outcome == "undetermined"
    assert {(code, rule, cite) for code, rule, cite, _, _ in violations} == {("pool.unknown", "pool", "MTGEPIC 2")}
    outcome, violations = found(MAGIC.judged("epic-cards.1", {}))
    assert outcome == "illegal"
    assert ("zone_count.too_few", "deck", "MTGEPIC R3", 1, 0) in violations
