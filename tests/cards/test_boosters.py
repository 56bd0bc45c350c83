from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from pydantic import ValidationError

from cards.engine.boosters import ProductDefinition, open_pack
from cards.engine.streams import Stream


def product(**changes: Any) -> ProductDefinition:
    values: dict[str, Any] = {
        "name": "Booster",
        "pack_size": 4,
        "slots": [{"name": "rare", "count": 1, "sheet": "rares"}, {"name": "any", "count": 3, "sheet": "all"}],
        "sheets": [
            {"name": "rares", "entries": [[1, 1], [2, 3]]},
            {"name": "all", "entries": [[n, 1] for n in range(1, 8)]},
        ],
    }
    return ProductDefinition.model_validate({**values, **changes})


def test_the_same_stream_opens_the_same_pack():
    assert open_pack(product(), Stream(b"s", "pack 1")) == open_pack(product(), Stream(b"s", "pack 1"))
    assert open_pack(product(), Stream(b"s", "pack 1")) != open_pack(product(), Stream(b"s", "pack 2"))


def test_each_slot_is_filled_from_its_sheet_by_weight():
    packs = [open_pack(product(), Stream(b"s", f"pack {n}")) for n in range(1000)]
    assert {len(pack) for pack in packs} == {4}
    rares = Counter(pack[0] for pack in packs)
    assert set(rares) == {1, 2}
    assert 680 < rares[2] < 820


def test_no_card_comes_twice_where_the_product_says_so():
    packs = [open_pack(product(unique_in_pack=True), Stream(b"s", f"pack {n}")) for n in range(200)]
    assert {len(set(pack)) for pack in packs} == {4}
    assert any(len(set(open_pack(product(), Stream(b"s", f"pack {n}")))) < 4 for n in range(200))


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"pack_size": 5}, "the slots hold 4 cards"),
        ({"slots": [{"name": "x", "count": 4, "sheet": "none"}]}, "which is not there"),
        (
            {
                "unique_in_pack": True,
                "sheets": [
                    {"name": "rares", "entries": [[1, 1]]},
                    {"name": "all", "entries": [[1, 1], [2, 1], [3, 1]]},
                ],
            },
            "run out",
        ),
        ({"sheets": [{"name": "rares", "entries": [[1, 1], [1, 2]]}, {"name": "all", "entries": [[1, 1]]}]}, "twice"),
        ({"flavour": "none"}, "Extra inputs"),
    ],
)
def test_a_product_that_cannot_always_be_opened_is_refused(changes: dict[str, Any], says: str):
    with pytest.raises(ValidationError, match=says):
        product(**changes)
