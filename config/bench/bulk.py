"""How long it takes to judge very many stored decklists again, from PostgreSQL to stored verdicts."""

from __future__ import annotations

import json
import random
import resource
import sys
import time
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import connection
from django.utils import timezone

from accounts.services import create_user
from cards.models import Card, CardTag, Game
from config.bench.scratch import scratch_database
from decks.queries.affected import affected_decklists
from decks.queries.judging import Judge, StoredDeck
from decks.services.revalidation import run_revalidation, start_revalidation
from rules.engine.publication import publication_of
from rules.models import FormatVersion
from rules.packreader import read_pack
from rules.services.loading import load_pack
from rules.services.publishing import add_game_organiser, publish

FORMAT = "designed-deck"
STAPLE_COPIES = (1,) * 9 + (2,)
"""Of the card that is restricted to one copy, in ten decks that follow each other: every tenth becomes illegal."""
MAIN = (3,) * 18 + (2, 2)
SIDE = (3, 3) + (1,) * 9
DAYS = 7
"""The decklists are for so many days in turn, as those of a week's events are."""


def run(decks: int = 175_000) -> dict[str, Any]:
    """Seconds, MiB and counts, by the names that ``manage.py bench legality --json`` prints. Progress on stderr.

    Every decklist holds the card whose status changes, so every one is found, read, judged and compared, and every one
    is stored, since the digest of the lists differs; one in ten changes its outcome. Timed is all after the commit of
    the publication: finding the decklists by their cards, reading, judging, storing. ``bulk_cpu_s`` are the seconds
    that this process took of a processor: far fewer than ``bulk_s``, if the machine has other work.
    """
    with scratch_database():
        staple = _fill(decks)
        return _revalidate(staple)


@dataclass(frozen=True)
class _Staple:
    """The card that every deck holds, and the format that restricts it from the first of the decks' days on."""

    card: Card
    version: FormatVersion
    first: date


def _fill(decks: int) -> _Staple:
    load_pack(pack=read_pack(Path(settings.BASE_DIR) / "rules" / "packs" / "epic"))
    version = FormatVersion.objects.select_related("format__game").get(format__slug=FORMAT, format__game__slug="epic")
    gifts = set(CardTag.objects.filter(game=version.format.game_id, tag="gift").values_list("card_id", flat=True))
    known = Card.objects.filter(game=version.format.game_id, facts__cost="action").exclude(pk__in=gifts)
    staple, *others = known.order_by("pk")
    made = _Staple(staple, version, timezone.localdate() + timedelta(days=30))
    rng = random.Random(1)  # noqa: S311 - decks to measure with
    began = time.perf_counter()
    lists = "format_version_id, legality_date, text, entries, card_ids, fingerprint, created_at"
    verdicts = "decklist_id, outcome, violations, problems, digests, created_at"
    judge, now, step = Judge(), timezone.now(), 5_000
    for start in range(0, decks, step):
        batch = [_deck(number, made, others, rng) for number in range(start + 1, min(start + step, decks) + 1)]
        judge.prepare(deck[1:5] for deck, _ in batch)
        with connection.cursor() as cursor:
            with cursor.copy(f"COPY decks_decklist (id, {lists}) FROM STDIN") as copy:
                for deck, text in batch:
                    row = (
                        deck.id,
                        deck.version,
                        deck.day,
                        text,
                        json.dumps(deck.entries),
                        deck.cards,
                        f"{deck.id:016x}",
                        now,
                    )
                    copy.write_row(row)
            with cursor.copy(f"COPY decks_verdict ({verdicts}) FROM STDIN") as copy:
                for deck, _ in batch:
                    said = judge.judge(deck)
                    said_json = [json.dumps(part) for part in (said.violations, [], said.digests)]
                    copy.write_row((deck.id, said.outcome, *said_json, now))
        _say(f"Stored {batch[-1][0].id} of {decks} decklists in {time.perf_counter() - began:.0f} s")
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE")
    return made


def _deck(number: int, staple: _Staple, others: list[Card], rng: random.Random) -> tuple[StoredDeck, str]:
    """A legal deck of 60 and 15 cards in 33 rows or so, and its text."""
    copies = STAPLE_COPIES[number % len(STAPLE_COPIES)]
    main = [*MAIN, 3 - copies] if copies < 3 else [*MAIN]
    cards = rng.sample(others, len(main) + len(SIDE))
    counted = [("main", copies, staple.card)]
    counted += [("main", count, card) for count, card in zip(main, cards, strict=False)]
    counted += [("side", count, card) for count, card in zip(SIDE, cards[len(main) :], strict=True)]
    text = "\n".join(f"{'SB: ' if zone == 'side' else ''}{count} {card.name}" for zone, count, card in counted)
    entries = [
        {"zone": zone, "count": count, "card": card.pk, "name": card.name, "lines": [line]}
        for line, (zone, count, card) in enumerate(counted, 1)
    ]
    deck = StoredDeck(
        id=number,
        format=staple.version.format_id,
        version=staple.version.pk,
        day=staple.first + timedelta(days=number % DAYS),
        cards=sorted(card.pk for _, _, card in counted),
        entries=entries,
        pool=None,
        problems=[],
    )
    return deck, text


def _revalidate(staple: _Staple) -> dict[str, Any]:
    game = Game.objects.get(pk=staple.version.format.game_id)
    organiser = create_user(email="bench@example.org", display_name="Bench")
    add_game_organiser(game=game, user=organiser)
    change = {"format": FORMAT, "card": staple.card.name, "status": "restricted", "section": "EPIC 12.6"}
    file = publication_of(
        {"title": "Bench", "source": "Bench", "effective_on": staple.first.isoformat(), "changes": [change]}
    )
    published = publish(game=game, user=organiser, file=file).publication
    _say("Published; judging again")
    before = _forget_peak()
    began, cpu = time.perf_counter(), time.process_time()
    found = affected_decklists(format_id=staple.version.format_id, since=staple.first, cards=[staple.card.pk])
    started = start_revalidation(publication_id=published.pk, decklist_ids=list(found.values_list("pk", flat=True)))
    run_revalidation(revalidation_id=started.pk)
    seconds, cpu = time.perf_counter() - began, time.process_time() - cpu
    peak = _peak_kib()
    started.refresh_from_db()
    _say(f"Judged {started.done} again in {seconds:.1f} s")
    return {
        "bulk_decks": len(started.decklist_ids),
        "bulk_s": round(seconds, 1),
        "bulk_cpu_s": round(cpu, 1),
        "bulk_peak_mib": round(peak / 1024),
        "bulk_growth_mib": round((peak - before) / 1024),
        "bulk_read": started.done,
        "bulk_changed": started.changed,
    }


def _forget_peak() -> int:
    """Let the kernel note the highest use of memory from now on, where it can; what is used now, in KiB."""
    if Path("/proc/self/clear_refs").exists():
        Path("/proc/self/clear_refs").write_text("5")
    return _peak_kib()


def _peak_kib() -> int:
    status = Path("/proc/self/status")
    if status.exists():
        [line] = [line for line in status.read_text().splitlines() if line.startswith("VmHWM")]
        return int(line.split()[1])
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def _say(text: str) -> None:
    print(text, file=sys.stderr)  # noqa: T201 - the numbers are on stdout
