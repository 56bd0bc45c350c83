from __future__ import annotations

import hashlib

import pytest

from config.errors import Conflict, DomainError
from events.engine.secret_choice import SecretChoices, commitment, visible_to

TEAMS = {"Light": (1, 2), "Dark": (3, 4)}
CHOSEN = {1: "Yoda", 2: "Mace", 3: "Darth Vader", 4: "Darth Maul"}
SALTS = {player: bytes([player]) * 16 for player in CHOSEN}


def _sealed() -> SecretChoices:
    choices = SecretChoices(TEAMS, choices={"Light": frozenset({"Yoda", "Mace"})})
    for player, choice in CHOSEN.items():
        choices = choices.seal(player, commitment(player, choice, SALTS[player]))
    return choices


def test_a_commitment_is_a_salted_digest_of_its_own_player() -> None:
    assert commitment(1, "Yoda", b"s" * 16) == hashlib.sha256(b"16:" + b"s" * 16 + b"|1|Yoda").hexdigest()
    assert commitment(1, "Yoda", b"s" * 16) != commitment(2, "Yoda", b"s" * 16)
    with pytest.raises(ValueError):
        commitment(1, "Yoda", b"short")


def test_everything_is_revealed_at_once() -> None:
    choices = _sealed()
    for player, choice in CHOSEN.items():
        assert choices.revealed is None
        choices = choices.open(player, choice, SALTS[player])
    assert choices.revealed == CHOSEN


def test_nothing_can_be_opened_before_all_chose_and_nothing_changed_after() -> None:
    early = SecretChoices(TEAMS).seal(1, commitment(1, "Yoda", SALTS[1]))
    assert early.waiting == (2, 3, 4)
    with pytest.raises(Conflict) as too_early:
        early.open(1, "Yoda", SALTS[1])
    assert (too_early.value.code, too_early.value.context["waiting"]) == ("choices.not_all_chose", [2, 3, 4])
    changed = early.seal(1, commitment(1, "Mace", SALTS[1]))
    assert changed.sealed != early.sealed
    with pytest.raises(Conflict) as too_late:
        _sealed().seal(1, commitment(1, "Mace", SALTS[1]))
    assert too_late.value.code == "choices.closed"


def test_another_choice_than_the_sealed_one_is_refused() -> None:
    for choice, salt in (("Mace", SALTS[1]), ("Yoda", SALTS[2])):
        with pytest.raises(DomainError) as refused:
            _sealed().open(1, choice, salt)
        assert refused.value.code == "choices.broken_seal"
    with pytest.raises(DomainError) as stranger:
        _sealed().seal(9, "digest")
    assert stranger.value.code == "choices.not_in_game"


def test_a_character_of_the_other_side_is_refused_and_all_may_choose_again() -> None:
    choices = SecretChoices({"Light": (1,), "Dark": (3,)}, choices={"Light": frozenset({"Yoda"})})
    choices = choices.seal(1, commitment(1, "Darth Vader", SALTS[1])).seal(3, commitment(3, "Yoda", SALTS[3]))
    with pytest.raises(DomainError) as refused:
        choices.open(1, "Darth Vader", SALTS[1])
    assert refused.value.code == "choices.not_on_side"
    assert choices.open(3, "Yoda", SALTS[3]).opened == {3: "Yoda"}
    assert choices.again() == SecretChoices(choices.teams, choices=choices.choices)


def test_before_all_chose_only_team_mates_see_anything() -> None:
    some = {player: choice for player, choice in CHOSEN.items() if player != 4}
    assert visible_to(1, TEAMS, some) == {1: "Yoda", 2: "Mace", 3: None, 4: None}
    assert visible_to(4, TEAMS, some) == {1: None, 2: None, 3: "Darth Vader", 4: None}
    assert visible_to(None, TEAMS, some) == visible_to(9, TEAMS, some) == dict.fromkeys(CHOSEN)
    for viewer in (None, 1, 4):
        assert visible_to(viewer, TEAMS, CHOSEN) == CHOSEN
