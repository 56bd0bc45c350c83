"""A log that shows tampering: every entry's hash covers the entry before it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

GENESIS = "0" * 64
"""The hash before the first entry."""


@dataclass(frozen=True, slots=True)
class ChainEntry:
    """One entry of an event's log as stored. ``seq`` counts from 1 without gaps."""

    seq: int
    kind: str
    payload: Mapping[str, Any]
    actor: str
    at: datetime
    prev_hash: str
    hash: str


def canonical_json(value: Any) -> str:
    """JSON with one spelling per value: sorted keys, no spaces, Unicode as it is.

    Raises ``TypeError`` for floats (their text depends on who wrote them), for keys that are not text and for
    anything that JSON does not have.
    """
    _refuse_unstable(value)
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False)


def canonical_time(at: datetime) -> str:
    """UTC with microseconds. Raises ``ValueError`` for a time without zone."""
    if at.tzinfo is None:
        raise ValueError("a logged time has a zone")
    return at.astimezone(UTC).isoformat(timespec="microseconds")


def entry_hash(prev_hash: str, seq: int, kind: str, payload: Mapping[str, Any], actor: str, at: datetime) -> str:
    """SHA-256, in hex, of the canonical JSON list of all arguments."""
    text = canonical_json([prev_hash, seq, kind, payload, actor, canonical_time(at)])
    return hashlib.sha256(text.encode()).hexdigest()


def verify_chain(entries: Iterable[ChainEntry], *, genesis: str = GENESIS) -> int | None:
    """``seq`` of the first entry that does not hold (changed, missing before it, out of order), None when all do.

    A chain cut off at the end holds in itself: compare its last hash with one published earlier.
    """
    previous = genesis
    expected = 1
    for entry in entries:
        if entry.seq != expected or entry.prev_hash != previous:
            return entry.seq
        if entry_hash(previous, entry.seq, entry.kind, entry.payload, entry.actor, entry.at) != entry.hash:
            return entry.seq
        previous = entry.hash
        expected += 1
    return None


def _refuse_unstable(value: Any) -> None:
    if isinstance(value, float):
        raise TypeError(f"{value!r} is a float: log whole numbers or text")
    if isinstance(value, Mapping):
        for key, inner in value.items():
            if not isinstance(key, str):
                raise TypeError(f"key {key!r} is not text")
            _refuse_unstable(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            _refuse_unstable(inner)
