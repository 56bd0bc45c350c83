from __future__ import annotations

from pathlib import Path

import pytest

from config.errors import DomainError
from events.engine.outcomes import Outcome
from events.engine.pairing_model import Reason
from events.engine.side_results import PASSES_TO_END, Character, DeckEnd, SideResult, passes, side_result

PACK = Path(__file__).parents[3] / "rules" / "packs" / "epic-duels"
TEAMS = {"Light": (1, 2), "Dark": (3, 4)}


def _characters(**left: int) -> dict[str, tuple[Character, ...]]:
    """Two players a side, each with a major and a minor character."""
    return {
        "Light": (
            Character(1, "Yoda", left.get("yoda", 0)),
            Character(1, "Trooper", left.get("trooper", 0), minor=True),
            Character(2, "Mace", left.get("mace", 0)),
        ),
        "Dark": (
            Character(3, "Darth Vader", left.get("vader", 0)),
            Character(4, "Guard", left.get("guard", 0), minor=True),
        ),
    }


def test_a_side_without_a_character_has_lost() -> None:
    result = side_result(_characters(yoda=3, trooper=1))
    assert result == SideResult(
        "Light", {"Light": 4, "Dark": 0}, (2, 3, 4), Reason("defeated", {"side": "Dark", "cite": "DUELS 2.3"})
    )
    assert result.outcomes(TEAMS) == {1: Outcome.WIN, 2: Outcome.WIN, 3: Outcome.LOSS, 4: Outcome.LOSS}


def test_a_minor_character_keeps_its_side_in_the_game() -> None:
    with pytest.raises(DomainError) as refused:
        side_result(_characters(yoda=3, guard=1), {1: 1, 3: 1})
    assert refused.value.code == "sides.not_finished"
    assert refused.value.context["left"] == {"Light": 3, "Dark": 1}


def test_the_last_two_killed_at_once_tie() -> None:
    result = side_result(_characters())
    assert (result.winner, result.reason) == (None, Reason("all_defeated", {"cite": "DUELS 3.4"}))
    assert set(result.outcomes(TEAMS).values()) == {Outcome.DRAW}
    # Elimination comes first, even where somebody has gone through the deck.
    assert side_result(_characters(yoda=1), {3: 2}).reason.code == "defeated"


def test_after_two_passes_the_most_damage_left_wins_and_minor_characters_count() -> None:
    result = side_result(_characters(yoda=5, trooper=4, vader=8), {1: 0, 3: 2})
    assert result == SideResult(
        "Light",
        {"Light": 9, "Dark": 8},
        (2, 4),
        Reason("most_damage_left", {"player": 3, "most": 9, "next": 8, "cite": "DUELS 2.16"}),
    )
    assert side_result(_characters(yoda=5, vader=8), {2: 2}).winner == "Dark"


def test_as_much_damage_left_is_a_tie() -> None:
    result = side_result(_characters(yoda=5, trooper=3, vader=8), {4: 3})
    assert (result.winner, result.reason) == (
        None,
        Reason("equal_damage_left", {"player": 4, "most": 8, "cite": "DUELS R4"}),
    )


def test_searching_a_deck_is_not_going_through_it() -> None:
    assert passes([DeckEnd.SEARCHED]) == 0
    assert passes([DeckEnd.DRAWN, DeckEnd.SEARCHED, DeckEnd.DRAWN]) == 2
    with pytest.raises(DomainError) as refused:
        side_result(_characters(yoda=5, vader=4), {1: passes([DeckEnd.DRAWN, DeckEnd.SEARCHED])})
    assert refused.value.code == "sides.not_finished"


def test_boards_that_cannot_be_are_refused() -> None:
    for sides, code in (
        ({"Light": (Character(1, "Yoda", 3),)}, "sides.two_sides"),
        ({"Light": (Character(1, "Yoda", 3),), "Dark": ()}, "sides.two_sides"),
        ({"Light": (Character(1, "Yoda", 3),), "Dark": (Character(2, "Guard", -1),)}, "sides.negative"),
    ):
        with pytest.raises(DomainError) as refused:
            side_result(sides)
        assert refused.value.code == code


def test_sections_say_what_the_engine_does() -> None:
    document = (PACK / "documents" / "tournament-rules.1.md").read_text(encoding="utf-8")
    sections = {part.split(" ")[0]: " ".join(part.split()) for part in document.split("\n## ")}
    assert f"through their deck {PASSES_TO_END} times" in sections["2.16"]
    assert "the untaken damage of minor characters is counted in" in sections["2.16"]
    assert "lost all of its characters" in sections["2.3"]
    assert "the game ends in a tie" in sections["3.4"]
    assert 'number = "R4"\nheading = "Equal damage remaining"' in (PACK / "readings.toml").read_text(encoding="utf-8")
