"""The measurement of multiplayer tables counts right; how fast they are, no test says."""

from __future__ import annotations

import json
from io import StringIO

import pytest
from django.core.management import call_command

from config.errors import DomainError


def test_the_figures_of_an_event_are_printed_beside_those_of_tables_cut_from_the_standing() -> None:
    out = StringIO()
    call_command("bench", "tables", "--players", "33", "--rounds", "4", "--kicks", "20", "--json", stdout=out)
    figures = json.loads(out.getvalue())
    timed = {name: figures.pop(name) for name in list(figures) if name.endswith("_ms")}
    assert set(timed) == {"worst_ms", "median_ms", "floor_worst_ms", "floor_median_ms"}
    assert figures.pop("mean_spread") > figures.pop("floor_mean_spread") > 0
    assert figures.pop("floor_repeats") > 0
    assert figures == {"players": 33, "rounds": 4, "repeats": 0}


@pytest.mark.parametrize(("players", "rounds"), [("2", "3"), ("9", "0")])
def test_an_event_that_cannot_be_is_refused(players: str, rounds: str) -> None:
    with pytest.raises(DomainError):
        call_command("bench", "tables", "--players", players, "--rounds", rounds)
