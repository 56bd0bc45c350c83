"""A text becomes a decklist that is never changed, with its verdict."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from datetime import date

from django.db import transaction

from decks.models import Decklist, Verdict
from decks.queries import check_text, verdict_digests
from rules.models import FormatVersion


def freeze_decklist(
    *,
    text: str,
    format_version: FormatVersion,
    legality_date: date,
    pool: Mapping[int, int] | None = None,
    kept: int | None = None,
) -> Decklist:
    """Store ``text`` as a decklist that is never changed, with its verdict, legal or not.

    Runs in the caller's transaction, or in one of its own. ``pool`` maps card ids to copies, for limited play; ``kept``
    are the rules of the moment from which the lists of ``legality_date`` don't change any more, if it has come.
    Raises DomainError ``decks.too_large`` and ``decks.unreadable``; then nothing is stored.
    """
    game = format_version.format.game
    checked = check_text(text=text, game=game, format_version=format_version, day=legality_date, pool=pool, kept=kept)
    with transaction.atomic():
        decklist = Decklist.objects.create(
            format_version=format_version,
            legality_date=legality_date,
            text=text,
            entries=[{**asdict(entry), "lines": list(entry.lines)} for entry in checked.entries],
            card_ids=sorted({entry.card for entry in checked.entries}),
            fingerprint=checked.fingerprint,
            pool=None if pool is None else {str(card): count for card, count in sorted(pool.items())},
        )
        Verdict.objects.create(
            decklist=decklist,
            outcome=checked.verdict.outcome,
            violations=[violation.as_json() for violation in checked.verdict.violations],
            problems=[problem.as_json() for problem in checked.parsed.problems],
            digests=verdict_digests(game=game, compiled=checked.compiled, deck=checked.deck),
        )
    return decklist
