from __future__ import annotations

import hashlib
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone

import pytest

from events.engine.chain import GENESIS, ChainEntry, canonical_json, canonical_time, entry_hash, verify_chain

NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)


def chain(length: int = 4) -> list[ChainEntry]:
    entries: list[ChainEntry] = []
    previous = GENESIS
    for seq in range(1, length + 1):
        made = ("result", {"table": seq, "names": ["Zoë", None, True]}, "user:7", NOON + timedelta(seconds=seq))
        own = entry_hash(previous, seq, *made)
        entries.append(ChainEntry(seq, *made, prev_hash=previous, hash=own))
        previous = own
    return entries


def test_a_whole_chain_holds() -> None:
    assert verify_chain(chain()) is None
    assert verify_chain([]) is None


@pytest.mark.parametrize(
    "change",
    [
        {"payload": {"table": 9, "names": ["Zoë", None, True]}},
        {"kind": "drop"},
        {"actor": "user:8"},
        {"at": NOON},
        {"hash": "0" * 64},
        {"prev_hash": "1" * 64},
        {"seq": 7},
    ],
)
def test_any_changed_part_breaks_it_there(change: dict) -> None:
    entries = chain()
    entries[2] = replace(entries[2], **change)
    assert verify_chain(entries) == change.get("seq", 3)


def test_a_removed_or_moved_entry_breaks_it() -> None:
    entries = chain()
    assert verify_chain([entries[0], *entries[2:]]) == 3
    assert verify_chain([entries[1], entries[0]]) == 2


def test_numbers_have_no_gap_even_where_the_hashes_fit() -> None:
    (first,) = chain(1)
    made = ("drop", {}, "user:7", NOON)
    third = ChainEntry(3, *made, prev_hash=first.hash, hash=entry_hash(first.hash, 3, *made))
    assert verify_chain([first, third]) == 3


def test_the_hash_is_a_published_fact() -> None:
    # sha256 of ["000…0",1,"opened",{"a":1,"b":"ü"},"system","2026-05-01T12:00:00.000000+00:00"]
    text = f'["{GENESIS}",1,"opened",{{"a":1,"b":"ü"}},"system","2026-05-01T12:00:00.000000+00:00"]'
    expected = hashlib.sha256(text.encode()).hexdigest()
    assert entry_hash(GENESIS, 1, "opened", {"b": "ü", "a": 1}, "system", NOON) == expected


def test_one_value_has_one_spelling() -> None:
    assert canonical_json({"b": [1, "é"], "a": None}) == '{"a":null,"b":[1,"é"]}'
    assert canonical_time(datetime(2026, 5, 1, 14, tzinfo=timezone(timedelta(hours=2)))) == canonical_time(NOON)


def test_what_has_no_single_spelling_is_refused() -> None:
    for value in ({"share": 0.5}, {"deep": [{"x": 1.0}]}, {1: "a"}, {"when": NOON}):
        with pytest.raises(TypeError):
            canonical_json(value)
    with pytest.raises(ValueError):
        canonical_time(datetime(2026, 5, 1))
