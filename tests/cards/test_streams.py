from __future__ import annotations

import hashlib
import hmac
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cards.engine.streams import Stream


def test_the_first_byte_is_that_of_the_documented_block():
    block = hmac.new(b"secret", (4).to_bytes(4, "big") + b"pods" + (0).to_bytes(8, "big"), hashlib.sha256).digest()
    assert Stream(b"secret", "pods").below(256) == block[0]


def test_a_stream_is_the_same_for_ever():
    stream = Stream(b"secret", "pods")
    assert [stream.below(10) for _ in range(12)] == [6, 4, 2, 9, 8, 7, 7, 3, 6, 5, 3, 2]


def test_labels_that_run_together_are_still_two_streams():
    one, other = Stream(b"s", "round-1"), Stream(b"s", "round-11")
    assert [one.below(1 << 64) for _ in range(4)] != [other.below(1 << 64) for _ in range(4)]


@given(st.integers(1, 1000), st.binary(max_size=8))
def test_below_stays_below(n: int, secret: bytes):
    stream = Stream(secret, "x")
    assert all(0 <= stream.below(n) < n for _ in range(20))


def test_no_number_is_likelier_than_another():
    stream = Stream(b"fair", "die")
    counts = Counter(stream.below(6) for _ in range(6000))
    assert sum((count - 1000) ** 2 / 1000 for count in counts.values()) < 20.5  # chi-square, 5 degrees, p = 0.001


def test_there_is_no_number_below_nothing():
    with pytest.raises(ValueError):
        Stream(b"", "").below(0)


@given(st.lists(st.integers()), st.binary(max_size=4))
def test_shuffling_loses_nothing_and_leaves_the_argument(items: list[int], secret: bytes):
    before = list(items)
    assert sorted(Stream(secret, "x").shuffled(items)) == sorted(before)
    assert items == before


def test_every_order_of_three_comes():
    stream = Stream(b"orders", "x")
    assert len({tuple(stream.shuffled("abc")) for _ in range(200)}) == 6


def test_weights_are_kept_and_a_weight_of_nothing_never_comes():
    stream = Stream(b"weights", "x")
    counts = Counter(stream.weighted([("a", 3), ("b", 1), ("c", 0)]) for _ in range(4000))
    assert set(counts) == {"a", "b"}
    assert 2850 < counts["a"] < 3150


def test_words_are_the_documented_stretch_of_the_next_32_bytes():
    key = Stream(b"secret", "pods").below(1 << 256).to_bytes(32, "big")
    stretched = hashlib.shake_256(key).digest(24)
    stream = Stream(b"secret", "pods")
    assert stream.words(3).tolist() == [int.from_bytes(stretched[place : place + 8], "big") for place in (0, 8, 16)]
    after = Stream(b"secret", "pods")
    after.below(1 << 256)
    assert stream.below(1 << 64) == after.below(1 << 64)


def test_words_are_the_same_for_ever():
    assert Stream(b"secret", "pods").words(0).tolist() == []
    first, second = Stream(b"secret", "pods").words(2).tolist(), Stream(b"secret", "pods").words(5).tolist()
    assert first == second[:2] == [13108910915369657438, 9547443436604794238]
