"""Chance that can be checked afterwards: every shuffle and every pack comes from a labelled stream of one secret."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterable, Sequence
from typing import TypeVar

import numpy as np
import numpy.typing as npt

T = TypeVar("T")


class Stream:
    """Numbers from HMAC-SHA256 in counter mode: the same for a secret and a label in every process and version.

    Block ``i`` is ``HMAC-SHA256(secret, len(label) as 4 bytes ‖ label ‖ i as 8 bytes)``, big-endian. Numbers are read
    from the front of the blocks. One stream serves one label; two purposes need two labels.
    """

    def __init__(self, secret: bytes, label: str) -> None:
        encoded = label.encode()
        self._mac = hmac.new(secret, len(encoded).to_bytes(4, "big") + encoded, hashlib.sha256)
        self._block = 0
        self._unread = b""

    def _take(self, size: int) -> int:
        while len(self._unread) < size:
            mac = self._mac.copy()
            mac.update(self._block.to_bytes(8, "big"))
            self._unread += mac.digest()
            self._block += 1
        taken, self._unread = self._unread[:size], self._unread[size:]
        return int.from_bytes(taken, "big")

    def below(self, n: int) -> int:
        """A number from 0 to n - 1, each equally likely (a remainder would favour the small ones)."""
        if n < 1:
            raise ValueError(f"below({n}): there is no such number")
        bits = (n - 1).bit_length()
        size = (bits + 7) // 8
        while True:
            number = self._take(size) >> (8 * size - bits)
            if number < n:
                return number

    def words(self, count: int) -> npt.NDArray[np.uint64]:
        """``count`` numbers from 0 to 2^64 - 1 at once, for draws by the ten thousand.

        The next 32 bytes of the stream, as SHAKE-256 stretches them to 8 bytes a number, big-endian. So a call takes
        32 bytes whatever ``count`` is, and 5 numbers are the first 5 of 6.
        """
        key = self._take(32).to_bytes(32, "big")
        return np.frombuffer(hashlib.shake_256(key).digest(8 * count), dtype=">u8").astype(np.uint64)

    def shuffled(self, items: Iterable[T]) -> list[T]:
        """The items in an order of which each is equally likely (Fisher and Yates); the argument stays as it is."""
        mixed = list(items)
        for last in range(len(mixed) - 1, 0, -1):
            other = self.below(last + 1)
            mixed[last], mixed[other] = mixed[other], mixed[last]
        return mixed

    def choice(self, items: Sequence[T]) -> T:
        return items[self.below(len(items))]

    def weighted(self, pairs: Iterable[tuple[T, int]]) -> T:
        """One item of ``(item, whole weight)`` pairs, each as likely as its weight; weights of 0 never come."""
        weighed = [(item, weight) for item, weight in pairs if weight]
        if any(weight < 0 for _, weight in weighed):
            raise ValueError("a weight is negative")
        left = self.below(sum(weight for _, weight in weighed))
        for item, weight in weighed:
            left -= weight
            if left < 0:
                return item
        raise AssertionError("the weights add up to less than their sum")
