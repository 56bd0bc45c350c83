"""A web process works on one request at a time, and a slow one holds up nobody for long."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from typing import Any

import pytest

from config import wsgi
from config.wsgi import OneByOne
from tests.threads import at_once

SOON = 5


class Site:
    """Notes how many requests were in it at most; one for ``/slow`` stays until it is let go."""

    def __init__(self) -> None:
        self.inside, self.most = 0, 0
        self.lock, self.slow_is_in, self.let_go = threading.Lock(), threading.Event(), threading.Event()

    def __call__(self, environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        with self.lock:
            self.inside += 1
            self.most = max(self.most, self.inside)
        if environ["PATH_INFO"] == "/slow":
            self.slow_is_in.set()
            self.let_go.wait(SOON)
        else:
            threading.Event().wait(0.02)
        with self.lock:
            self.inside -= 1
        if environ["PATH_INFO"] == "/broken":
            raise RuntimeError("broken")
        return [b"done"]


def ask(application: Callable[..., Iterable[bytes]], path: str = "/") -> list[bytes]:
    return list(application({"PATH_INFO": path}, None))


@pytest.mark.parametrize(("guard", "most"), [(OneByOne, 1), (lambda site: site, 4)], ids=["guarded", "control"])
def test_requests_of_a_process_come_one_after_the_other(guard: Any, most: int) -> None:
    site = Site()
    application = guard(site)
    assert at_once(*[lambda: ask(application)] * 4) == [[b"done"]] * 4
    assert (site.most > 1) == (most > 1)


def test_a_slow_request_keeps_one_other_waiting_and_then_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wsgi, "PATIENCE_SECONDS", 0.05)
    site = Site()
    application = OneByOne(site)
    slow = threading.Thread(target=ask, args=(application, "/slow"))
    slow.start()
    assert site.slow_is_in.wait(SOON)
    assert ask(application) == [b"done"]
    monkeypatch.setattr(wsgi, "PATIENCE_SECONDS", 10 * SOON)
    assert [ask(application) for _ in range(3)] == [[b"done"]] * 3
    assert slow.is_alive()
    site.let_go.set()
    slow.join(SOON)
    assert ask(application) == [b"done"]


def test_a_request_that_breaks_gives_its_turn_back() -> None:
    application = OneByOne(Site())
    with pytest.raises(RuntimeError, match="broken"):
        ask(application, "/broken")
    assert ask(application) == [b"done"]
