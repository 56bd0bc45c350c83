"""Events that run now keep the rules as they are now: what they were when these began isn't known any more."""

from __future__ import annotations

from functools import reduce
from operator import or_
from typing import Any

from django.apps.registry import Apps
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

from rules.engine.digests import digest_of


def keep(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """One row of kept rules for the running events of a format that are judged by the same."""
    event_model, kept_model = apps.get_model("events", "Event"), apps.get_model("rules", "KeptRules")
    running = event_model.objects.filter(state="running", kept_rules=None)
    judged_by = running.order_by().values_list("format", "format__game", "format__game__digest", "legality_date")
    for format_, game, pack, day in list(judged_by.distinct()):
        statuses, cards = _statuses(apps, format_, day), _cards(apps, game, day)
        kept, _ = kept_model.objects.get_or_create(
            digest=digest_of([format_, pack, statuses, cards]),
            defaults={"format_id": format_, "pack": pack, "statuses": statuses, "cards": cards},
        )
        running.filter(format=format_, legality_date=day).update(kept_rules=kept)


def _statuses(apps: Apps, format_: int, day: Any) -> list[dict[str, Any]]:
    entries = apps.get_model("rules", "StatusEntry").objects.filter(format=format_, during__contains=day)
    return [
        {
            "card_id": entry.card_id,
            "status": entry.status,
            "max_copies": entry.max_copies,
            "since": entry.during.lower and entry.during.lower.isoformat(),
            "section": entry.section,
            "source": entry.source,
            "points": entry.points or 0,
            "zone": entry.zone,
        }
        for entry in entries.order_by("card", "zone", "status")
    ]


def _cards(apps: Apps, game: int, day: Any) -> dict[str, dict[str, Any]]:
    cards = apps.get_model("cards", "Card").objects.filter(game=game)
    kept: dict[str, dict[str, Any]] = {
        str(pk): {"name": name, "facts": facts, "tags": [], "legal": [], "sets": []}
        for pk, name, facts in cards.values_list("pk", "name", "facts")
    }
    changed: dict[int, list[dict[str, Any]]] = {}
    errata = apps.get_model("cards", "Erratum").objects.filter(card__game=game, starts_on__lte=day)
    for card, facts in errata.order_by("starts_on").values_list("card", "facts"):
        changed.setdefault(card, []).append(facts)
    for card, all_facts in changed.items():
        kept[str(card)]["facts"] = reduce(or_, all_facts, kept[str(card)]["facts"])
    tags = apps.get_model("cards", "CardTag").objects.filter(game=game, during__contains=day)
    for card, tag in tags.order_by("tag").values_list("card", "tag").distinct():
        kept[str(card)]["tags"].append(tag)
    printings = apps.get_model("cards", "Printing").objects.filter(card__game=game)
    for card, legal_on, code in printings.order_by("card_set__legal_on", "pk").values_list(
        "card", "card_set__legal_on", "card_set__code"
    ):
        kept[str(card)]["legal"].append(legal_on and legal_on.isoformat())
        kept[str(card)]["sets"].append(code)
    return kept


class Migration(migrations.Migration):
    dependencies = [
        ("events", "0004_kept_rules"),
        ("cards", "0003_errata"),
    ]

    operations = [migrations.RunPython(keep, migrations.RunPython.noop)]
