"""The packs that Tiltyard comes with, loaded: the numbers that their rulebooks give."""

from __future__ import annotations

from datetime import date, timedelta
from html import unescape
from typing import Any

import pytest
from django.test import Client

from cards.models import Card, CardTag, Game
from rules.engine.legality import CardFacts, CompiledFormat, DeckFacts, DeckLine, check
from rules.models import Section, StatusEntry
from rules.queries import card_facts_for, compiled_format, format_by_slug, format_version_on, search

DAY = date(2026, 9, 1)
pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("shipped_packs")]


def compiled(game: str, slug: str, day: date = DAY) -> CompiledFormat:
    return compiled_format(
        format_version=format_version_on(format=format_by_slug(game=game, slug=slug), day=day), day=day
    )


def cards(game: str) -> list[CardFacts]:
    ids = Card.objects.filter(game__slug=game).values_list("pk", flat=True)
    return sorted(card_facts_for(ids, day=DAY).values(), key=lambda card: card.id)


def deck(zones: dict[str, list[tuple[CardFacts, int]]]) -> DeckFacts:
    return DeckFacts(tuple(DeckLine(zone, count, card) for zone, held in zones.items() for card, count in held))


def codes(
    game: str, slug: str, zones: dict[str, list[tuple[CardFacts, int]]], day: date = DAY
) -> list[tuple[Any, ...]]:
    found = check(deck(zones), compiled(game, slug, day))
    return [(v.code, v.limit, v.actual, v.cite) for v in found.violations]


def test_epic_has_its_31_gift_cards_and_empty_lists():
    assert CardTag.objects.filter(game__slug="epic", tag="gift").count() == 31
    assert not StatusEntry.objects.filter(format__game__slug="epic").exists()


def test_a_gift_card_is_found_by_its_name_without_the_apostrophe(client: Client):
    text = unescape(client.get("/cards/epic/", {"q": "natures renewal"}).content.decode())
    assert "Nature's Renewal" in text


def test_a_designed_deck_has_60_cards_18_free_9_gifts_3_copies_and_a_sideboard_of_none_or_15():
    everything = cards("epic")
    plain = [c for c in everything if c.facts.get("cost") == "action" and "gift" not in c.tags]
    free = [c for c in everything if c.facts.get("cost") == "free" and "gift" not in c.tags]
    gifts = [c for c in everything if "gift" in c.tags]
    legal = [(c, 3) for c in plain[:14]] + [(c, 3) for c in free[:6]]
    assert codes("epic", "designed-deck", {"main": legal}) == []
    assert codes("epic", "designed-deck", {"main": legal, "side": [(c, 3) for c in plain[14:19]]}) == []
    assert codes("epic", "designed-deck", {"main": legal[1:]}) == [("zone_count.too_few", 60, 57, "EPIC 12.1")]
    assert [c[:3] for c in codes("epic", "designed-deck", {"main": [*legal, (free[6], 1)]})] == [
        ("sum.too_many", 18, 19)
    ]
    assert [c[:3] for c in codes("epic", "designed-deck", {"main": [*legal, (plain[0], 1)]})] == [
        ("copies.too_many", 3, 4)
    ]
    assert [c[:3] for c in codes("epic", "designed-deck", {"main": legal, "side": [(plain[20], 3)]})] == [
        ("zone_count.not_one_of", (0, 15), 3)
    ]
    some = [(c, 3) for c in plain[:20]] + [(c, 3) for c in gifts[:3]]
    assert codes("epic", "designed-deck", {"main": some}) == []
    assert [c[:3] for c in codes("epic", "designed-deck", {"main": [*some, (gifts[3], 1)]})] == [
        ("sum.too_many", 9, 10)
    ]


def test_gifts_of_unknown_cost_leave_a_deck_with_many_free_cards_undetermined():
    everything = cards("epic")
    plain = [c for c in everything if c.facts.get("cost") == "action" and "gift" not in c.tags]
    free = [c for c in everything if c.facts.get("cost") == "free" and "gift" not in c.tags]
    gift = next(c for c in everything if "gift" in c.tags and "cost" not in c.facts)
    held = [(c, 3) for c in plain[:14]] + [(c, 3) for c in free[:6]] + [(gift, 1)]
    assert [c[:3] for c in codes("epic", "designed-deck", {"main": held})] == [("sum.unknown", 18, 18)]


def test_engarde_standard_has_50_and_10_three_banned_and_two_restricted_cards():
    entries = StatusEntry.objects.filter(format__slug="standard", format__game__slug="engarde")
    assert sorted(entries.values_list("status", flat=True)) == ["banned"] * 3 + ["restricted"] * 2
    everything = [c for c in cards("engarde") if any(day and day >= date(2025, 11, 1) for day in c.legal_dates)]
    listed = set(entries.values_list("card", flat=True))
    plain = [
        c for c in everything
        if c.facts.get("type") not in (None, "realm") and c.facts.get("rarity") not in (None, "mythic")
        and c.id not in listed
    ]  # fmt: skip
    realm = next(c for c in everything if c.facts.get("type") == "realm")
    main = [(c, 3) for c in plain[:16]] + [(plain[16], 2)]
    side = [(c, 3) for c in plain[17:20]] + [(plain[20], 1)]
    assert codes("engarde", "standard", {"main": main, "realm": [(realm, 1)]}) == []
    assert codes("engarde", "standard", {"main": main, "side": side, "realm": [(realm, 1)]}) == []
    assert [
        c[:3] for c in codes("engarde", "standard", {"main": main[1:], "side": side[1:], "realm": [(realm, 1)]})
    ] == [
        ("zone_count.too_few", 50, 47),
        ("zone_count.not_one_of", (0, 10), 7),
    ]
    assert [c[:3] for c in codes("engarde", "standard", {"main": main})] == [("zone_count.too_few", 1, 0)]


def test_the_window_of_engarde_standard_is_18_months_with_its_first_day():
    pool = compiled("engarde", "standard").definition.pool
    assert (pool.kind, pool.months, pool.inclusive) == ("window", 18, True)  # type: ignore[union-attr]
    card = next(c for c in cards("engarde") if c.legal_dates == (date(2025, 11, 1),))
    lines = {"main": [(card, 1)]}
    edge = date(2027, 5, 1)
    outside = [c[0] for c in codes("engarde", "standard", lines, edge + timedelta(1))]
    assert "pool.rotated_out" in outside
    assert "pool.rotated_out" not in [c[0] for c in codes("engarde", "standard", lines, edge)]


@pytest.mark.parametrize(("day", "first"), [(date(2024, 6, 7), "CR 702.50"), (date(2020, 7, 3), None)])
def test_a_number_of_the_comprehensive_rules_is_read_with_its_date(day: date, first: str | None):
    magic = Game.objects.get(slug="magic-epic")
    cited = [
        f"{hit.section.document.prefix} {hit.section.number}"
        for hit in search(query="702.50", game=magic, day=day).hits
    ]
    rule = Section.objects.get(document__prefix="CR", number="702.50a")

    assert next((citation for citation in cited if citation.startswith("CR ")), None) == first
    assert "707.10" in rule.body


@pytest.mark.parametrize(
    ("game", "query", "covered"),
    [
        ("epic-melee", "who takes silver", "3.8"),
        ("epic-melee", "golem", "5.7"),
        ("epic-duels", "force lift", "3.6"),
        ("epic-duels", "hand size", "2.13"),
        ("magic-epic", "can I play lands", "5.2"),
        ("magic-epic", "cycling", "5.4"),
        ("epic", "how many free cards may a deck have", "12.3"),
        ("epic", "starting life", "1.2"),
        ("epic", "muligan cost", "2.2"),
        ("engarde", "starting life total", "1.2"),
        ("engarde", "slow play", "10.4"),
        ("engarde", "mana per turn", "5.1"),
    ],
)
def test_a_judges_question_finds_its_rule_among_the_first_three(game: str, query: str, covered: str):
    found = search(query=query, game=Game.objects.get(slug=game), day=DAY)
    assert covered in [hit.section.number for hit in found.hits[:3]]
