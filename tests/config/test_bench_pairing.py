from __future__ import annotations

import json

from django.core.management import call_command

from config.bench import pairing_peers


def figures(capsys, *words: str) -> dict:
    call_command("bench", "pairing", "--json", *words)
    return json.loads(capsys.readouterr().out)


def test_every_round_of_the_event_is_paired_with_proof_and_beside_the_peers(capsys) -> None:
    found = figures(capsys, "--players", "41", "--rounds", "4")
    assert (found["players"], found["rounds"]) == (41, 4)
    assert (found["avoidable_rematches"], found["uncertified_rounds"]) == (0, 0)
    assert 0 < found["median_ms"] <= found["worst_ms"]
    assert found["median_ms"] <= found["explained_median_ms"]
    assert sorted([*found["peers"], *found["peers_skipped"]]) == sorted(pairing_peers.PEERS)
    assert "rustworkx, complete graph" in found["peers"]


def test_a_peer_that_takes_too_long_is_left_out_and_named(capsys) -> None:
    found = figures(capsys, "--players", "8", "--rounds", "1", "--peer-seconds", "0")
    assert found["peers"] == {}
    assert set(found["peers_skipped"].values()) == {"0 of 1 rounds in 0 s"}
