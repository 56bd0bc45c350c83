"""Codes and tokens that people type or open."""

from __future__ import annotations

from cards.engine.streams import Stream

# No vowels and nothing that looks like something else: a code is read aloud across a hall.
CODE_ALPHABET = "23456789bcdfghjkmnpqrstvwxz"
CODE_LENGTH = 7


def event_code(rng: Stream) -> str:
    """A short address for an event, such as ``k7tq2mx``."""
    return "".join(rng.choice(CODE_ALPHABET) for _ in range(CODE_LENGTH))
