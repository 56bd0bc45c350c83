"""The measurement of many stored decklists counts right and leaves nothing behind; how fast it is, no test says."""

from __future__ import annotations

import pytest
from django.db import connection

from config.bench import bulk
from config.bench.scratch import DATABASE
from decks.models import Decklist

pytestmark = pytest.mark.django_db(transaction=True)


def databases() -> set[str]:
    with connection.cursor() as cursor:
        cursor.execute("SELECT datname FROM pg_database")
        return {name for (name,) in cursor.fetchall()}


def test_every_decklist_is_read_and_one_in_ten_changes_in_a_database_that_is_gone_afterwards() -> None:
    name = connection.settings_dict["NAME"]
    told = bulk.run(40)
    assert {key: told[key] for key in ("bulk_decks", "bulk_read", "bulk_changed")} == {
        "bulk_decks": 40,
        "bulk_read": 40,
        "bulk_changed": 4,
    }
    assert told["bulk_s"] > 0
    assert 0 <= told["bulk_growth_mib"] < told["bulk_peak_mib"]
    assert (DATABASE in databases(), connection.settings_dict["NAME"]) == (False, name)
    assert Decklist.objects.count() == 0


def test_who_interrupts_it_finds_no_database_left(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[bool] = []

    def interrupted(decks: int) -> None:
        made.append(DATABASE in databases())
        raise KeyboardInterrupt

    monkeypatch.setattr(bulk, "_fill", interrupted)
    with pytest.raises(KeyboardInterrupt):
        bulk.run(40)
    assert (made, DATABASE in databases()) == ([True], False)
