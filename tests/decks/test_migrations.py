"""Decklists that were stored before their cards had a column of their own."""

from __future__ import annotations

from importlib import import_module

from django.db import connection

from decks.models import Decklist
from decks.services.freezing import freeze_decklist
from rules.models import FormatVersion
from tests.decks.conftest import DAY


def test_older_decklists_get_their_cards_from_their_entries(legal_text: str, version: FormatVersion) -> None:
    texts = (legal_text, legal_text + "\nSideboard\n" + legal_text.split("\n")[0], "Nobody")
    made = [freeze_decklist(text=text, format_version=version, legality_date=DAY) for text in texts]
    assert [len(decklist.card_ids) for decklist in made] == [18, 18, 0]
    Decklist.objects.update(card_ids=[])
    with connection.cursor() as cursor:
        cursor.execute(import_module("decks.migrations.0003_cards_of_decklists").FILL)
    assert list(Decklist.objects.order_by("pk").values_list("card_ids", flat=True)) == [one.card_ids for one in made]
