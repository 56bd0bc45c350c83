"""Decklists are judged again once a publication has changed their rules; their first verdicts are never changed."""

from __future__ import annotations

import json
import logging
import time
from collections.abc import Callable, Collection, Sequence
from typing import Any, NamedTuple

from django.db import OperationalError, connection, transaction
from django.db.models import F, Max
from django.db.models.functions import Coalesce, Now

from decks.models import LaterVerdict, Revalidation
from decks.queries.judging import Judge, Judgement, judgements
from rules.models import FormatVersion, Publication

State = Revalidation.State
BATCH = 1000
LOCK_TIMEOUT = "10s"
ADVISORY_KEY = 0x7112_0001
"""One batch at a time, of whichever revalidation: so nobody stores what they judged by lists older than another's."""

_log = logging.getLogger(__name__)
_NEXT = """
SELECT state, publication_id, decklist_ids[done + 1 : done + %s], done, cardinality(decklist_ids)
FROM decks_revalidation WHERE id = %s FOR UPDATE SKIP LOCKED
"""
_UPSERT = """
INSERT INTO decks_laterverdict AS later (decklist_id, publication_id, outcome, violations, digests, decided_at)
SELECT decklist, publication, outcome, violations, digests, now()
FROM jsonb_to_recordset(%s::jsonb)
    AS judged (decklist int, publication bigint, outcome text, violations jsonb, digests jsonb)
ON CONFLICT (decklist_id) DO UPDATE SET publication_id = excluded.publication_id, outcome = excluded.outcome,
    violations = excluded.violations, digests = excluded.digests, decided_at = excluded.decided_at
"""


def start_revalidation(*, publication_id: int, decklist_ids: Collection[int]) -> Revalidation:
    """Note whose verdicts may have changed. There is one for each publication: a second call gets the first one's.

    Without any decklists it is done at once. Else the caller enqueues it after the commit.
    """
    values: dict[str, Any] = {"decklist_ids": sorted(set(decklist_ids))}
    if not decklist_ids:
        values |= {"state": State.DONE, "started_at": Now(), "finished_at": Now()}
    found, _ = Revalidation.objects.get_or_create(publication_id=publication_id, defaults=values)
    return found


def run_revalidation(
    *,
    revalidation_id: int,
    batch: int = BATCH,
    seconds: float | None = None,
    settled: Callable[[Sequence[int]], Collection[int]] = lambda _: (),
) -> bool:
    """Judge the decklists from where it stands, a batch in each transaction; True once it is done.

    False means that ``seconds`` have gone by, or that somebody else is at it: call again later. ``settled`` is asked
    within the transaction which of the decklists may not change any more (their event has begun).

    A LaterVerdict is stored where outcome, violations or digests differ from those that stand; it keeps its publication
    where only the digests do; it goes where the first verdict holds again. Any exception but OperationalError leaves
    the state FAILED, with all that was committed; a further call goes on from there.
    """
    began = time.monotonic()
    judge, newest = Judge(), None
    try:
        while True:
            with transaction.atomic():
                todo = _take(revalidation_id, batch)
                if todo is None:
                    return False
                if todo.state == State.DONE:
                    return True
                if newest != (newest := Publication.objects.aggregate(newest=Max("pk"))["newest"]):
                    judge = Judge()
                changed = _store(judgements(decklist_ids=todo.decklist_ids, judge=judge), todo.publication, settled)
                _advance(revalidation_id, todo, changed)
            if todo.is_last:
                return True
            if seconds is not None and time.monotonic() - began >= seconds:
                return False
    except OperationalError:
        raise
    except Exception:
        _log.exception("Revalidation %s failed", revalidation_id)
        Revalidation.objects.filter(pk=revalidation_id).update(state=State.FAILED)
        raise


class _Todo(NamedTuple):
    """The next decklists of a revalidation that has ``total`` of them and is ``done`` with some."""

    state: str
    publication: int
    decklist_ids: list[int]
    done: int
    total: int

    @property
    def is_last(self) -> bool:
        return self.done + len(self.decklist_ids) >= self.total


def _take(revalidation_id: int, batch: int) -> _Todo | None:
    """Locks the revalidation; None while another transaction has it, or if there is none."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT set_config('lock_timeout', %s, true)", [LOCK_TIMEOUT])
        cursor.execute(_NEXT, [batch, revalidation_id])
        row = cursor.fetchone()
        if row is None:
            return None
        cursor.execute("SELECT pg_advisory_xact_lock(%s)", [ADVISORY_KEY])
    return _Todo(*row)


def settle_verdicts(
    *, decklist_ids: Collection[int], format_version: FormatVersion, kept: int, batch: int = BATCH
) -> list[tuple[int, str, str]]:
    """Judge decklists by rules that are kept from now on, so that one verdict doesn't come from other lists than the
    next; (decklist, outcome that stood, outcome now) where these differ.

    Runs in the transaction of the caller, who keeps everybody else from judging them. What is stored is as of
    ``run_revalidation``. Three queries for a batch, and at most two writes.
    """
    judge, ids, changed = Judge((format_version, kept)), sorted(set(decklist_ids)), []
    for start in range(0, len(ids), batch):
        differing = [
            found
            for found in judgements(decklist_ids=ids[start : start + batch], judge=judge)
            if found.now != found.before
        ]
        _write(differing, None)
        changed += [
            (found.decklist, found.before.outcome, found.now.outcome)
            for found in differing
            if found.now.outcome != found.before.outcome
        ]
    return changed


def _store(judged: Sequence[Judgement], publication: int, settled: Callable[[Sequence[int]], Collection[int]]) -> int:
    """Store what differs from what stands; the number of outcomes that changed."""
    differing = [found for found in judged if found.now != found.before]
    if not differing:
        return 0
    kept = set(settled([found.decklist for found in differing]))
    differing = [found for found in differing if found.decklist not in kept]
    _write(differing, publication)
    return sum(found.now.outcome != found.before.outcome for found in differing)


def _write(differing: Sequence[Judgement], publication: int | None) -> None:
    again = [found.decklist for found in differing if found.now == found.first]
    if again:
        LaterVerdict.objects.filter(decklist__in=again).delete()
    rows = [
        {"decklist": found.decklist, "publication": _since(found, publication), **found.now._asdict()}
        for found in differing
        if found.now != found.first
    ]
    if rows:
        with connection.cursor() as cursor:
            cursor.execute(_UPSERT, [json.dumps(rows)])


def _since(found: Judgement, publication: int | None) -> int | None:
    """The publication by which this came to be said, which isn't that of a mere change of digests."""
    if found.publication is None or found.later is None or found.later[:2] != found.now[:2]:
        return publication
    return found.publication


def _advance(revalidation_id: int, todo: _Todo, changed: int) -> None:
    Revalidation.objects.filter(pk=revalidation_id).update(
        state=State.DONE if todo.is_last else State.RUNNING,
        done=F("done") + len(todo.decklist_ids),
        changed=F("changed") + changed,
        started_at=Coalesce("started_at", Now()),
        finished_at=Now() if todo.is_last else None,
    )
