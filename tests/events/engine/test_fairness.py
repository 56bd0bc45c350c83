from __future__ import annotations

import pytest

from events.engine import fairness

SECRET = bytes(range(32))


def test_the_promise_is_the_sha256_of_the_secret() -> None:
    promised = "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd"
    assert fairness.commitment(SECRET) == promised
    assert fairness.keeps_promise(SECRET, promised)
    assert fairness.keeps_promise(SECRET, promised.upper())
    assert not fairness.keeps_promise(SECRET[::-1], promised)
    assert not fairness.keeps_promise(SECRET[:-1], promised)


def test_a_short_secret_is_refused() -> None:
    with pytest.raises(ValueError):
        fairness.commitment(b"guess me")


def test_labels_are_part_of_the_promise_and_never_change() -> None:
    assert [
        fairness.pairing_label(1, 3),
        fairness.pairing_label(1, 3, pod=2, attempt=1),
        fairness.lots_label(1),
        fairness.pods_label(1),
        fairness.seats_label(1, 2),
        fairness.pack_label(1, 2, 0, 7),
        fairness.order_label(1, 2, 0, 7, 4),
        fairness.auto_pick_label(1, 2, 0, 7, 4),
    ] == [
        "pairing|1|3|attempt|0",
        "pairing|1|3|pod|2|attempt|1",
        "lots|1",
        "pods|1",
        "seats|1|2",
        "pack|1|2|0|7",
        "order|1|2|0|7|4",
        "auto|1|2|0|7|4",
    ]
