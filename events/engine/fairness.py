"""What an event promises before it starts, and the labels under which its chance is drawn.

The secret's hash is published before the event, the secret after it. Each purpose has a stream of its own, so that a
pod more or an automatic pick changes nothing else. Labels are part of the promise: never change one.
"""

from __future__ import annotations

import hashlib
import hmac

SECRET_BYTES = 32


def commitment(secret: bytes) -> str:
    """SHA-256 of the secret in hex. Raises ``ValueError`` unless it has 32 bytes: short ones can be guessed."""
    if len(secret) != SECRET_BYTES:
        raise ValueError(f"an event's secret has {SECRET_BYTES} bytes, not {len(secret)}")
    return hashlib.sha256(secret).hexdigest()


def keeps_promise(secret: bytes, published: str) -> bool:
    """Whether a revealed secret is the one that was promised."""
    return len(secret) == SECRET_BYTES and hmac.compare_digest(commitment(secret), published.lower())


def pairing_label(stage: int, round_number: int, *, pod: int | None = None, attempt: int = 0) -> str:
    """``attempt`` counts deliberate new pairings of one round; each is in the log."""
    return _label("pairing", stage, round_number, *(() if pod is None else ("pod", pod)), "attempt", attempt)


def repair_label(stage: int, round_number: int) -> str:
    """Ties between plans that mend a round after a mistake."""
    return _label("repair", stage, round_number)


def lots_label(stage: int) -> str:
    """Drawing of lots that breaks the last ties of a stage."""
    return _label("lots", stage)


def late_lot_label(player: int) -> str:
    """The lot of somebody who came in after the others' were drawn."""
    return _label("lots", 0, "late", player)


def pods_label(stage: int) -> str:
    """Who is in which pod."""
    return _label("pods", stage)


def seats_label(stage: int, pod: int) -> str:
    """Where the players of a pod sit."""
    return _label("seats", stage, pod)


def pack_label(stage: int, pod: int, round_number: int, seat: int) -> str:
    """Content of the pack that a seat opens; sealed pools use pod 0 and the player's place as seat."""
    return _label("pack", stage, pod, round_number, seat)


def order_label(stage: int, pod: int, round_number: int, opened_by: int, k: int) -> str:
    """Order in which a pack is shown before its pick ``k``."""
    return _label("order", stage, pod, round_number, opened_by, k)


def auto_pick_label(stage: int, pod: int, round_number: int, seat: int, k: int) -> str:
    """A pick made for somebody who did not make it."""
    return _label("auto", stage, pod, round_number, seat, k)


def choice_label(stage: int, round_number: int, players: tuple[int, int], *, game: int = 1) -> str:
    """Who of two players chooses before a game of a round; the same for (a, b) and (b, a). A later ``game`` has lots of
    its own where nobody has lost one yet."""
    again = () if game == 1 else ("game", game)
    return _label("choice", stage, round_number, min(players), max(players), *again)


def _label(*parts: str | int) -> str:
    return "|".join(str(part) for part in parts)
