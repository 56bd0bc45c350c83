"""The writer of rulings."""

from __future__ import annotations

from collections.abc import Sequence

from django.db import transaction
from django.db.backends.postgresql.psycopg_any import DateRange

from cards.engine.names import name_key
from cards.models import CardName, Game
from rules.engine.packschema import RulingSpec
from rules.models import Ruling


@transaction.atomic
def save_rulings(*, game: Game, rulings: Sequence[RulingSpec]) -> None:
    """The game's rulings become these, by number. One that isn't among them any more is withdrawn, never deleted.

    ``cards`` are any names of the cards. A constant number of queries, however many rulings.
    """
    ids = dict(CardName.objects.filter(game=game).values_list("key", "card_id"))
    known = {ruling.number: ruling for ruling in Ruling.objects.filter(game=game)}
    new: list[Ruling] = []
    for spec in rulings:
        ruling = known.get(spec.number) or Ruling(game=game, number=spec.number)
        ruling.question, ruling.answer = spec.question.strip(), spec.answer.strip()
        ruling.kind, ruling.status = Ruling.Kind(spec.kind), Ruling.Status(spec.status)
        ruling.authority, ruling.source, ruling.date_note = spec.authority, spec.source, spec.date_note
        ruling.during = DateRange(spec.from_, spec.until)
        ruling.citations = list(spec.citations)
        if ruling.pk is None:
            new.append(ruling)
            known[spec.number] = ruling
    for number in known.keys() - {spec.number for spec in rulings}:
        known[number].status = Ruling.Status.WITHDRAWN
    Ruling.objects.bulk_update([ruling for ruling in known.values() if ruling.pk is not None], _FIELDS, batch_size=500)
    Ruling.objects.bulk_create(new)
    through = Ruling.cards.through
    through.objects.filter(ruling__game=game, ruling__number__in=[spec.number for spec in rulings]).delete()
    through.objects.bulk_create(
        through(ruling_id=known[spec.number].pk, card_id=card)
        for spec in rulings
        for card in sorted({ids[name_key(name)] for name in spec.cards})
    )


_FIELDS = (
    "question",
    "answer",
    "kind",
    "status",
    "authority",
    "source",
    "during",
    "date_note",
    "citations",
)
