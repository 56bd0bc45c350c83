from __future__ import annotations

from datetime import date

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from cards.models import Card, CardName, Game
from config.errors import DomainError, NotFound
from decks import queries
from decks.models import Deck, Decklist, Verdict
from decks.panels import panel_of_decklist
from decks.services import decks as services
from decks.services.freezing import freeze_decklist
from rules.models import Format, FormatVersion, StatusEntry
from tests.decks.conftest import DAY


def freeze(text: str, version: FormatVersion, day: date = DAY, pool: dict[int, int] | None = None) -> Decklist:
    return freeze_decklist(text=text, format_version=version, legality_date=day, pool=pool)


def told(decklist: Decklist) -> set[tuple[str, str]]:
    return {(violation["code"], violation["cite"]) for violation in decklist.verdict.violations}


def test_a_legal_list_is_frozen_with_its_verdict_and_everything_to_replay_it(
    legal_text: str, version: FormatVersion, fifty: list[str]
) -> None:
    decklist = freeze(legal_text, version)
    assert (decklist.verdict.outcome, decklist.verdict.violations, decklist.verdict.problems) == ("legal", [], [])
    assert [entry["name"] for entry in decklist.entries] == [*fifty, "The Vacant See"]
    assert decklist.entries[-1] == {
        "zone": "realm",
        "count": 1,
        "card": Card.objects.get(name="The Vacant See").pk,
        "name": "The Vacant See",
        "lines": [18],
    }
    assert decklist.text == legal_text
    assert decklist.verdict.digests["pack"] == version.format.game.digest
    assert decklist.verdict.digests["parser"] == queries.PARSER
    assert version.digest in decklist.verdict.digests.values()


def test_freezing_twice_in_another_order_and_spelling_gives_one_fingerprint(
    legal_text: str, version: FormatVersion
) -> None:
    first = freeze(legal_text, version)
    second = freeze("\r\n".join(reversed(legal_text.upper().split("\n"))), version)
    assert second.pk != first.pk
    assert second.fingerprint == first.fingerprint


def test_an_illegal_list_is_frozen_too_with_every_violation_its_section_and_its_lines(
    legal_text: str, version: FormatVersion, fifty: list[str]
) -> None:
    decklist = freeze(legal_text.replace(f"3 {fifty[0]}", f"4 {fifty[0]}"), version)
    assert decklist.verdict.outcome == "illegal"
    assert told(decklist) == {("zone_count.too_many", "ENGARDE 2.1"), ("copies.too_many", "ENGARDE 2.2")}
    [copies] = [found for found in decklist.verdict.violations if found["code"] == "copies.too_many"]
    assert (copies["limit"], copies["actual"], copies["excess"], copies["lines"]) == (3, 4, 1, [1])


def test_a_banned_card_is_told_with_the_section_that_bans_it_and_since_when(
    legal_text: str, version: FormatVersion, fifty: list[str]
) -> None:
    decklist = freeze(legal_text.replace(f"2 {fifty[16]}", f"1 {fifty[16]}\n1 The Long Bell"), version)
    [banned] = [found for found in decklist.verdict.violations if found["code"] == "status.banned"]
    assert (banned["cite"], banned["since"], banned["lines"]) == ("ENGARDE 2.6", "2025-01-01", [18])
    assert decklist.verdict.outcome == "illegal"


def test_the_same_list_is_judged_by_the_day(legal_text: str, version: FormatVersion) -> None:
    before = freeze(legal_text, version, day=date(2025, 6, 1))
    assert before.verdict.outcome == "illegal"
    assert {code for code, _ in told(before)} == {"pool.not_out_yet"}


def test_a_line_that_is_not_understood_leaves_the_verdict_open_and_is_kept(
    legal_text: str, version: FormatVersion, fifty: list[str]
) -> None:
    decklist = freeze(legal_text.replace(f"2 {fifty[16]}", f"2 {fifty[16]}zz"), version)
    assert decklist.verdict.outcome == "undetermined"
    [problem] = decklist.verdict.problems
    assert (problem["number"], problem["code"], problem["zone"]) == (17, "decks.unknown_card", "main")
    assert problem["suggestions"][0] == fifty[16]


@pytest.mark.parametrize("text", ["3 Nobody\x00", "x" * 300_000, "\n" * 2_001])
def test_what_can_not_be_read_is_refused_and_nothing_is_stored(text: str, version: FormatVersion) -> None:
    with pytest.raises(DomainError):
        freeze(text, version)
    assert (Decklist.objects.count(), Verdict.objects.count()) == (0, 0)


def test_a_stored_verdict_is_reached_again(legal_text: str, version: FormatVersion, fifty: list[str]) -> None:
    asked = legal_text.replace(f"\n2 {fifty[16]}", f"\n\n2 {fifty[16]}")
    for text in (legal_text, legal_text.replace(f"3 {fifty[0]}", f"4 {fifty[0]}"), legal_text + "\nNobody", asked):
        stored = Decklist.objects.select_related("verdict", "format_version__format__game").get(
            pk=freeze(text, version).pk
        )
        replay = queries.replay_verdict(decklist=stored)
        assert (replay.is_same, replay.changed, replay.verdict.outcome) == (True, (), stored.verdict.outcome)


def test_a_replay_tells_what_differs_when_the_verdict_was_tampered_with_or_the_cards_were_changed(
    legal_text: str, version: FormatVersion, engarde: Game
) -> None:
    decklist = freeze(legal_text, version)
    Verdict.objects.update(outcome="illegal")
    Game.objects.update(digest="another")
    stored = Decklist.objects.select_related("verdict", "format_version__format__game").get(pk=decklist.pk)
    replay = queries.replay_verdict(decklist=stored)
    assert (replay.is_same, replay.changed) == (False, ("pack",))


def test_a_later_ban_changes_neither_the_stored_verdict_nor_its_replay(
    legal_text: str, version: FormatVersion, fifty: list[str]
) -> None:
    decklist = freeze(legal_text, version)
    StatusEntry.objects.create(
        format=version.format,
        card=Card.objects.get(name=fifty[0]),
        status="banned",
        max_copies=0,
        during=(date(2026, 12, 1), None),
        source="A later announcement",
        section="ENGARDE 2.6",
    )
    stored = Decklist.objects.select_related("verdict", "format_version__format__game").get(pk=decklist.pk)
    assert queries.replay_verdict(decklist=stored).is_same
    assert freeze(legal_text, version, day=date(2026, 12, 1)).verdict.outcome == "illegal"


def test_an_alias_and_a_face_are_the_card(legal_text: str, version: FormatVersion, fifty: list[str]) -> None:
    card = Card.objects.get(name=fifty[0])
    CardName.objects.create(game=card.game, card=card, text="Old Name", key="old name", kind="former")
    other = freeze(legal_text.replace(f"3 {fifty[0]}", f"2 {fifty[0]}\n1 old name"), version)
    assert other.verdict.outcome == "legal"
    assert other.fingerprint == freeze(legal_text, version).fingerprint
    assert other.entries[0]["lines"] == [1, 2]


@pytest.mark.usefixtures("engarde")
def test_a_limited_list_is_held_against_the_pool_and_keeps_it() -> None:
    sealed = FormatVersion.objects.select_related("format__game").get(format__slug="sealed-3")
    cards = list(Card.objects.filter(game__slug="epic", facts__cost="action").order_by("pk")[:31])
    text = "\n".join(card.name for card in cards[:30])
    pool = {card.pk: 1 for card in cards[:30]}

    def codes(pool: dict[int, int] | None) -> tuple[str, set[str]]:
        pk = freeze(text, sealed, pool=pool).pk
        stored = Decklist.objects.select_related("verdict", "format_version__format__game").get(pk=pk)
        assert queries.replay_verdict(decklist=stored).is_same
        return stored.verdict.outcome, {code for code, _ in told(stored)}

    assert codes(pool) == ("legal", set())
    assert codes({**pool, cards[0].pk: 0}) == ("illegal", {"pool.not_in_pool"})
    assert codes(None) == ("undetermined", {"pool.not_given"})


def test_a_frozen_list_is_told_as_it_was_judged_without_mends(
    legal_text: str, version: FormatVersion, fifty: list[str]
) -> None:
    text = legal_text.replace(f"3 {fifty[0]}", f"4 {fifty[0]}") + "\nNobody"
    pk = freeze(text, version).pk
    StatusEntry.objects.all().delete()
    stored = Decklist.objects.select_related("verdict", "format_version__format__game").get(pk=pk)
    panel = panel_of_decklist(decklist=stored)
    assert (panel.outcome, panel.subject) == ("illegal", "EnGarde CCG: Standard on 30 November 2026")
    assert [(told["cite"], told["cite_url"], told["mends"]) for told in panel.violations] == [
        ("ENGARDE 2.1", "/rules/engarde/rulebook@2025/2.1", []),
        ("ENGARDE 2.2", "/rules/engarde/rulebook@2025/2.2", []),
    ]
    assert [(problem["number"], problem["mends"]) for problem in panel.problems] == [(19, [])]


def test_a_deck_is_checked_in_a_fixed_number_of_queries_whatever_its_size(
    legal_text: str, version: FormatVersion
) -> None:
    def count(text: str) -> int:
        with CaptureQueriesContext(
            connection,
        ) as captured:
            queries.check_text(text=text, game=version.format.game, format_version=version, day=DAY)
        return len(captured)

    small = count("\n".join(legal_text.split("\n")[:2]))
    assert count(legal_text) == small == 5
    assert count(legal_text + "\nNobody\nNobody else") == small + 1


def test_a_deck_is_kept_changed_in_part_and_deleted_by_its_owner(player, standard: Format) -> None:
    deck = services.create_deck(owner=player, format=standard, name="  Bells   at dawn ", text="3 Nobody")
    assert (deck.name, deck.text, deck.game) == ("Bells at dawn", "3 Nobody", standard.game)
    services.save_deck(owner=player, deck_id=deck.pk, text="2 Nobody")
    deck.refresh_from_db()
    assert (deck.name, deck.text) == ("Bells at dawn", "2 Nobody")
    services.delete_deck(owner=player, deck_id=deck.pk)
    assert list(queries.decks_of(owner=player)) == []


def test_a_deck_of_somebody_else_is_not_known(player, outsider, standard: Format) -> None:
    deck = services.create_deck(owner=player, format=standard, name="Mine")
    with pytest.raises(NotFound):
        services.save_deck(owner=outsider, deck_id=deck.pk, name="Yours")
    with pytest.raises(NotFound):
        services.delete_deck(owner=outsider, deck_id=deck.pk)
    assert Deck.objects.get().name == "Mine"


@pytest.mark.parametrize(("name", "text"), [("", "3 A"), (" ", "3 A"), ("x" * 101, "3 A"), ("Deck", "\x00")])
def test_a_deck_that_can_not_be_stored_is_refused(player, standard: Format, name: str, text: str) -> None:
    with pytest.raises(DomainError):
        services.create_deck(owner=player, format=standard, name=name, text=text)
    assert Deck.objects.count() == 0
