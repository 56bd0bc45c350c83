from django.contrib.postgres.indexes import GinIndex
from django.contrib.postgres.operations import AddIndexConcurrently
from django.db import migrations

FILL = """
UPDATE decks_decklist SET card_ids = ARRAY(
    SELECT DISTINCT (entry ->> 'card')::bigint FROM jsonb_array_elements(entries) AS entry ORDER BY 1
)
"""


class Migration(migrations.Migration):
    # An index that is built concurrently does not stop those who hand in a decklist.
    atomic = False

    dependencies = [("decks", "0002_later_verdicts")]

    operations = [
        migrations.RunSQL(FILL, migrations.RunSQL.noop),
        AddIndexConcurrently("decklist", GinIndex(fields=["card_ids"], name="decklist_cards")),
    ]
