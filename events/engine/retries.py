"""When to try again what did not arrive."""

from __future__ import annotations

MOST_ATTEMPTS = 8
FIRST_WAIT = 10.0
LONGEST_WAIT = 640.0


def wait_before(attempt: int, jitter: float) -> float:
    """Seconds to wait after ``attempt`` failed (1 for the first): twice as long each time, from 10 s to 640 s, and
    between half and the whole of that by ``jitter`` in [0, 1), so that what failed together does not return together.

    After eight attempts at most 21 minutes have passed: a pairing that comes later than that is of no use.
    """
    whole = min(LONGEST_WAIT, FIRST_WAIT * 2.0 ** (attempt - 1))
    return whole * (0.5 + jitter / 2)
