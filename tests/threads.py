"""Real threads on real connections: what a busy hall does to one event at once."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from django.db import connection
from django.db.models import QuerySet

from config.prepared import Prepared


def at_once(*calls: Callable[[], Any]) -> list[Any]:
    """Run every call in a thread of its own, let go together; results in order, an exception being its own result."""
    barrier = threading.Barrier(len(calls))
    results: list[Any] = [None] * len(calls)

    def work(place: int, call: Callable[[], Any]) -> None:
        try:
            barrier.wait(10)
            results[place] = call()
        except Exception as error:  # noqa: BLE001 - the test looks at what came out
            results[place] = error
        finally:
            connection.close()

    threads = [threading.Thread(target=work, args=(place, call)) for place, call in enumerate(calls)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    return results


def of_type(results: Sequence[Any], kind: type) -> list[Any]:
    return [result for result in results if isinstance(result, kind)]


def meeting(parties: int) -> Callable[[], None]:
    """A place where ``parties`` threads wait for each other, so that a control shows its fault every time."""
    barrier = threading.Barrier(parties)

    def meet() -> None:
        try:
            barrier.wait(5)
        except threading.BrokenBarrierError:
            return

    return meet


def lock_no_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    """For a control: what reads rows to change them locks none. Prepared queries are written anew each time, so that
    none without its lock is left behind."""
    monkeypatch.setattr(QuerySet, "select_for_update", lambda rows, *args, **options: rows)
    monkeypatch.setattr(Prepared, "__call__", lambda query, *args, **named: list(query.build(*args, **named)))
