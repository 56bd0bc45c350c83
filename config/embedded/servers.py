"""The two servers as one thing: started by their first user, stopped by their last."""

from __future__ import annotations

import contextlib
import fcntl
import os
import shutil
import time
from collections.abc import Iterator, Mapping
from pathlib import Path

from config.embedded.layout import EPHEMERAL_PREFIX, EmbeddedError, Layout
from config.embedded.postgres import Postgres
from config.embedded.processes import uninterrupted
from config.embedded.valkey import Valkey

NAMES = ("DATABASE_URL", "REDIS_URL")


class Services:
    """PostgreSQL and Valkey for this checkout, or with ``ephemeral`` for this process alone, or under a given layout.

    Every process that uses the lasting pair holds a shared lock on one file; whoever finds itself alone there when it
    leaves stops the servers. The kernel drops the lock of a process that is killed. Start an ephemeral pair from the
    main thread: its servers end when the thread that started them does.
    """

    def __init__(self, ephemeral: bool = False, layout: Layout | None = None) -> None:
        self.layout = layout or (Layout.temporary() if ephemeral else Layout.lasting())
        self.postgres = Postgres(self.layout)
        self.valkey = Valkey(self.layout)
        self._use: int | None = None
        self._pid = 0

    @property
    def environ(self) -> dict[str, str]:
        """What the settings need to find the servers."""
        return {"DATABASE_URL": self.postgres.url, "REDIS_URL": self.valkey.url, "TILTYARD_EMBEDDED": "1"}

    def start(self) -> Services:
        """Start or join both servers; on any failure or interruption, leave as ``stop`` does.

        Raises EmbeddedError with the server's own words.
        """
        if self._use is not None:
            raise EmbeddedError("These servers are already in use here.")
        if self.layout.ephemeral:
            _sweep(self.layout.state.parent)
        self.layout.prepare()
        try:
            with self._lock(), uninterrupted():
                self._pid = os.getpid()
                self._use = _opened(self.layout.state / "users")
                fcntl.flock(self._use, fcntl.LOCK_SH)
                self.postgres.start()
                self.valkey.start()
        except BaseException:
            self.stop()
            if self.layout.ephemeral:
                self.layout.remove()
            raise
        return self

    def stop(self) -> None:
        """Leave, and stop the servers if nobody else uses them. A fork of the process that started them may not."""
        if self._use is None or os.getpid() != self._pid:
            return
        with uninterrupted():
            with self._lock():
                use, self._use = self._use, None
                try:
                    fcntl.flock(use, fcntl.LOCK_EX | fcntl.LOCK_NB)
                except BlockingIOError:
                    return
                finally:
                    os.close(use)
                self._halt()
            if self.layout.ephemeral:
                self.layout.remove()

    def remove(self) -> None:
        """Throw the lasting data away.

        Raises EmbeddedError while a command uses them.
        """
        if not self.layout.state.exists():
            return
        with uninterrupted(), self._lock():
            use = _opened(self.layout.state / "users")
            try:
                fcntl.flock(use, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise EmbeddedError(f"The servers in {self.layout.state} are in use: end that command first.") from None
            finally:
                os.close(use)
            self._halt()
            self.layout.remove()

    def _halt(self) -> None:
        try:
            self.valkey.stop()
        finally:
            self.postgres.stop()
            self.layout.remove_sockets()

    @contextlib.contextmanager
    def _lock(self) -> Iterator[None]:
        handle = _opened(self.layout.state / "lock")
        try:
            fcntl.flock(handle, fcntl.LOCK_EX)
            yield
        finally:
            os.close(handle)

    def __enter__(self) -> Services:
        return self.start()

    def __exit__(self, *exc: object) -> None:
        self.stop()


def default() -> Services:
    """The lasting servers' addresses. Starts nothing and writes nothing; EmbeddedError if a wheel is missing."""
    Postgres.installed()
    Valkey.installed()
    return Services()


def named(environ: Mapping[str, str]) -> bool:
    """Whether the environment names servers of its own, so that none is to be started.

    Raises EmbeddedError if it names only one of the two.
    """
    found = [name for name in NAMES if environ.get(name)]
    if len(found) == 1:
        raise EmbeddedError(f"{found[0]} is set alone: set both {' and '.join(NAMES)}, or neither.")
    return bool(found)


def _opened(path: Path) -> int:
    return os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)


def _sweep(folder: Path) -> None:
    """Remove what ephemeral runs left that were killed outright. Their servers are gone already."""
    for left in folder.glob(f"{EPHEMERAL_PREFIX}{os.geteuid()}-*"):
        with contextlib.suppress(OSError):
            found = left.lstat()
            if found.st_uid != os.geteuid() or time.time() - found.st_mtime < 60:  # that one may be just starting
                continue
            use = os.open(left / "users", os.O_RDWR | os.O_CLOEXEC | os.O_NOFOLLOW)
            try:
                fcntl.flock(use, fcntl.LOCK_EX | fcntl.LOCK_NB)
                shutil.rmtree(left, ignore_errors=True)
            finally:
                os.close(use)
