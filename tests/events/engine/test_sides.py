from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Sequence
from itertools import permutations
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cards.engine.streams import Stream
from config.errors import Conflict, DomainError
from events.engine.sides import RollOrder, SideChoices, roll, roll_order, seat_sides

PACK = Path(__file__).parents[3] / "rules" / "packs" / "epic-duels"
SIDES = ("Light", "Dark")


def _stream(label: object) -> Stream:
    return Stream(b"sides", str(label))


def test_the_highest_roll_chooses_first_and_who_is_level_rolls_again() -> None:
    players = (1, 2, 3, 4)
    assert roll_order(players, []) == RollOrder((), (1, 2, 3, 4))
    assert roll_order(players, [{1: 3, 2: 6, 3: 1, 4: 5}]) == RollOrder((2, 4, 1, 3))
    level = {1: 3, 2: 6, 3: 3, 4: 5}
    assert roll_order(players, [level]) == RollOrder((2, 4), (1, 3))
    assert roll_order(players, [level, {1: 2, 3: 2}]) == RollOrder((2, 4), (1, 3))
    # A six in the second throw moves nobody past a player who rolled more in the first.
    assert roll_order(players, [level, {1: 2, 3: 2}, {1: 1, 3: 6}]) == RollOrder((2, 4, 3, 1))
    assert roll_order(players, [{1: 6, 2: 6, 3: 1, 4: 1}, {1: 1, 2: 2, 3: 6, 4: 5}]) == RollOrder((2, 1, 3, 4))


def test_rolls_of_others_than_those_who_have_to_are_refused() -> None:
    for rolls in ([{1: 3}], [{1: 3, 2: 3, 3: 1}, {1: 2}], [{1: 3, 2: 2, 3: 1}, {1: 2, 2: 1}]):
        with pytest.raises(DomainError) as refused:
            roll_order((1, 2, 3), rolls)
        assert refused.value.code == "sides.wrong_rolls"


def test_drawn_rolls_part_everybody_and_everybody_may_choose_first() -> None:
    firsts = Counter()
    for number in range(300):
        rolls = roll((1, 2, 3), _stream(number), faces=6)
        order = roll_order((1, 2, 3), rolls)
        assert (sorted(order.players), order.again) == ([1, 2, 3], ())
        assert {value for throw in rolls for value in throw.values()} <= set(range(1, 7))
        firsts[order.players[0]] += 1
    assert min(firsts[player] for player in (1, 2, 3)) > 70
    with pytest.raises(ValueError):
        roll((1, 2), _stream(1), faces=1)


def test_players_choose_in_turn_until_the_sides_are_full_and_balanced() -> None:
    choices = SideChoices(SIDES, (4, 2, 1, 3))
    assert (choices.per_side, choices.next, choices.open) == (2, 4, ("Light", "Dark"))
    choices = choices.choose(4, "Dark").choose(2, "Light")
    assert (choices.next, choices.teams) == (1, {"Light": (2,), "Dark": (4,)})
    full = choices.choose(1, "Dark")
    assert (full.next, full.teams) == (None, {"Light": (2, 3), "Dark": (4, 1)})


def test_three_a_side_ends_as_soon_as_one_side_is_full() -> None:
    choices = SideChoices(SIDES, (1, 2, 3, 4, 5, 6)).choose(1, "Light").choose(2, "Light").choose(3, "Light")
    assert choices.teams == {"Light": (1, 2, 3), "Dark": (4, 5, 6)}


def test_choices_out_of_turn_of_a_full_or_of_no_side_are_refused() -> None:
    choices = SideChoices(("Light", "Dark", "Grey"), (1, 2, 3)).choose(1, "Light")
    for player, side, code, error in (
        (3, "Dark", "sides.not_your_turn", Conflict),
        (2, "Light", "sides.full", Conflict),
        (2, "Pink", "sides.unknown", DomainError),
    ):
        with pytest.raises(error) as refused:
            choices.choose(player, side)
        assert refused.value.code == code
    with pytest.raises(Conflict) as over:
        choices.choose(2, "Dark").choose(3, "Grey")
    assert over.value.code == "sides.not_your_turn"


@pytest.mark.parametrize("order", [(1,), (1, 2, 3), ()])
def test_sides_that_cannot_be_balanced_are_refused(order: tuple[int, ...]) -> None:
    with pytest.raises(DomainError) as refused:
        SideChoices(SIDES, order)
    assert refused.value.code == "sides.not_balanced"


@pytest.mark.parametrize("per_side", [1, 2, 3])
def test_equal_sides_sit_in_turns(per_side: int) -> None:
    teams = {"Light": range(per_side), "Dark": range(10, 10 + per_side)}
    starts = set()
    for number in range(40):
        seating = seat_sides(teams, _stream(number))
        assert seating.after_team_mate == ()
        assert sorted(seating.players) == [*teams["Light"], *teams["Dark"]]
        assert all((one < 10) != (after < 10) for one, after in zip(seating.players, seating.players[1:], strict=False))
        starts.add(seating.players[0])
    assert starts == {*teams["Light"], *teams["Dark"]}


def _followed(around: Sequence[int], side_of: dict[int, int]) -> int:
    return sum(side_of[around[seat - 1]] == side_of[player] for seat, player in enumerate(around))


@given(st.lists(st.integers(1, 4), min_size=2, max_size=4).filter(lambda sizes: sum(sizes) <= 7), st.integers(0, 99))
def test_no_seating_has_fewer_turns_after_a_team_mate(sizes: list[int], seed: int) -> None:
    side_of = dict(enumerate(side for side, size in enumerate(sizes) for _ in range(size)))
    teams = {str(side): [player for player, own in side_of.items() if own == side] for side in range(len(sizes))}
    seating = seat_sides(teams, _stream(seed))
    best = min(_followed((0, *rest), side_of) for rest in permutations(range(1, len(side_of))))
    assert len(seating.after_team_mate) == _followed(seating.players, side_of) == best
    assert best == max(0, 2 * max(sizes) - sum(sizes))


def test_seats_are_the_same_for_a_stream_whatever_the_order_of_the_input() -> None:
    assert seat_sides({"Light": (1, 2), "Dark": (3, 4)}, _stream(1)) == seat_sides(
        {"Dark": (4, 3), "Light": (2, 1)}, _stream(1)
    )
    with pytest.raises(ValueError):
        seat_sides({"Light": (1, 2), "Dark": (2, 3)}, _stream(1))


def test_sections_say_what_the_engine_does() -> None:
    document = (PACK / "documents" / "tournament-rules.1.md").read_text(encoding="utf-8")
    sections = {part.split(" ")[0]: part for part in document.split("\n## ")}
    assert "The highest roll chooses first" in sections["2.5"]
    assert "full and balanced" in sections["2.5"]
    assert "nobody's turn follows that of a member of their own team" in sections["2.7"]
    policy = tomllib.loads((PACK / "policy" / "light-and-dark.1.toml").read_text(encoding="utf-8"))
    assert policy["stages"][0]["sides"] == list(SIDES)
    assert policy["stages"][0]["players_per_side"] == [1, 2, 3]


def test_a_smaller_side_may_start_too() -> None:
    starts = {seat_sides({"Light": (1,), "Dark": (2, 3)}, _stream(number)).players[0] for number in range(40)}
    assert starts == {1, 2, 3}
