"""How a card stands under every kind of list, pool and rule."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from cards.models import Card
from rules.packreader import read_pack
from rules.queries import card_facts_for, standings_of_card
from rules.services.loading import load_pack
from rules.standing import standing_text
from tests.rules.judging import DAY
from tests.rules.packs import FILES, edited, write_pack

pytestmark = pytest.mark.django_db

ZONES = 'zones = ["main", "side"]\ncite = "JOUST 2.1"\n'
COPIES = f'[[constraint]]\nid = "copies"\nkind = "copies"\nmax = 3\n{ZONES}'


def status(**values: Any) -> str:
    entry = {"format": "open", "card": "Shield", "source": "List", "section": "JOUST 2.1", **values}
    return "[[status]]\n" + "".join(f"{key} = {value!r}\n" for key, value in entry.items())


def standing(
    folder: Path, *, name: str = "Shield", lists: str = "", rules: str = "", pool: str = 'kind = "all"'
) -> tuple[Any, ...]:
    files: dict[str, Any] = {
        "lists.toml": lists + FILES["lists.toml"],
        **edited("formats/open.1.toml", 'kind = "all"', pool),
    }
    files["formats/open.1.toml"] += rules
    load_pack(pack=read_pack(write_pack(folder, files)))
    card = Card.objects.get(name=name)
    [found] = standings_of_card(card=card, facts=card_facts_for([card.pk], day=DAY)[card.pk], day=DAY)
    return found.standing, found.zones, found.copies, found.banned_from, found.points, standing_text(found, card.game)


def test_a_card_that_is_banned_from_one_zone_is_legal_in_the_others(tmp_path: Path):
    listed = status(status="banned", max_copies=0, zone="side")
    assert standing(tmp_path, lists=listed, rules=COPIES) == (
        "legal", ("main",), 3, ("side",), 0, "Main deck: at most 3 copies. Banned from: Sideboard.",
    )  # fmt: skip


@pytest.mark.parametrize(("most", "said"), [(1, "1 copy"), (7, "7 copies")])
def test_a_limit_of_its_own_is_how_many_there_may_be(tmp_path: Path, most: int, said: str):
    found = standing(tmp_path, lists=status(status="limit", max_copies=most), rules=COPIES)
    assert found == ("legal", ("main", "side"), most, (), 0, f"Main deck or Sideboard: at most {said}.")


def test_a_restricted_card_is_out_where_none_may_be_there(tmp_path: Path):
    rules = f'[[constraint]]\nid = "none"\nkind = "status"\nrestricted_in_all = 0\n{ZONES}'
    found = standing(tmp_path, lists=status(status="restricted", max_copies=1), rules=rules)
    assert (found[0], found[-1]) == ("illegal", "Restricted, and this format takes no restricted card.")


def test_its_points_are_told(tmp_path: Path):
    rules = f'{COPIES}[[constraint]]\nid = "points"\nkind = "points"\nbudget = 7\n{ZONES}'
    found = standing(tmp_path, lists=status(status="points", points=3), rules=rules)
    assert found == (
        "legal",
        ("main", "side"),
        3,
        (),
        3,
        "Main deck or Sideboard: at most 3 copies. It costs 3 points.",
    )


def test_a_number_on_the_card_is_how_many_there_may_be(tmp_path: Path):
    rules = COPIES.replace("max = 3", 'max = 1\nmax_from = "power"')
    assert standing(tmp_path, name="Lance", rules=rules)[:3] == ("legal", ("side",), 3)


def test_a_card_without_that_number_may_be_there_as_often_as_the_rule_says(tmp_path: Path):
    rules = COPIES.replace("max = 3", 'max = 1\nmax_from = "power"')
    assert standing(tmp_path, name="Shield", rules=rules)[:3] == ("legal", ("main", "side"), 1)


@pytest.mark.parametrize(
    ("pool", "expected", "says"),
    [
        ('kind = "unknown"\ncite = "JOUST 2"', "undetermined", "Which cards are legal is not known for this format."),
        ('kind = "sets"\nsets = ["J2"]\ncite = "JOUST 2"', "illegal", "It is in none of the sets of this format."),
        ('kind = "sets"\nsets = ["J1"]\ncite = "JOUST 2"', "legal", "Main deck."),
        ('kind = "all"\nexclude = ["Shield"]', "illegal", "This format leaves it out."),
    ],
)
def test_a_card_stands_as_its_pool_says(tmp_path: Path, pool: str, expected: str, says: str):
    found = standing(tmp_path, pool=pool)
    assert (found[0], found[-1]) == (expected, says)


@pytest.mark.parametrize(
    ("decks", "expected", "says"),
    [
        ('[{ name = "Red", cards = { Shield = 2 } }]', "legal", "Main deck."),
        ('[{ name = "Red", of_unknown_count = ["Shield"] }]', "legal", "Main deck."),
        ('[{ name = "Red", cards = { Lance = 2 } }]', "illegal", "It is in none of the decks of this format."),
        (
            '[{ name = "Red", size = 9, cards = { Lance = 2 } }]',
            "undetermined",
            "Which cards the decks of this format hold is not fully known.",
        ),
        ("[]", "undetermined", "Which cards the decks of this format hold is not fully known."),
    ],
)
def test_a_card_stands_as_the_decks_that_are_sold_hold_it(tmp_path: Path, decks: str, expected: str, says: str):
    rule = f'[[constraint]]\nid = "sold"\nkind = "fixed"\nzones = ["main"]\ncite = "JOUST 2"\ndecks = {decks}\n'
    found = standing(tmp_path, rules=rule)
    assert (found[0], found[-1]) == (expected, says)


def test_a_rule_that_turns_on_the_leader_keeps_no_card_out_by_itself(tmp_path: Path):
    select = '{ any = [{ fact = "cost", in_zone = "side" }, { names = ["Lance"] }] }'
    rule = f'[[constraint]]\nid = "of-side"\nkind = "eligible"\nzones = ["main"]\ncite = "JOUST 2"\nselect = {select}\n'
    assert standing(tmp_path, rules=rule)[0] == "legal"
    never = rule.replace("any =", "all =")
    assert standing(tmp_path, rules=never)[0] == "illegal"
