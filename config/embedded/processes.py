"""Starting processes that end when they should, and not being interrupted half-way."""

from __future__ import annotations

import contextlib
import ctypes
import os
import pwd
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from types import FrameType
from typing import IO

PR_SET_PDEATHSIG = 1
ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
ENVIRONMENT = {"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "TZ": "UTC"}


def spawn(
    command: Sequence[str | Path],
    account: pwd.struct_passwd | None,
    output: IO[bytes] | int,
    *,
    tied: signal.Signals | None = None,
    stdin: int = subprocess.DEVNULL,
) -> subprocess.Popen[bytes]:
    """Start a command as ``account`` in a session of its own, where a terminal's Ctrl-C does not reach it.

    With ``tied`` the kernel sends it that signal when the calling thread ends, however it ends.
    """
    return subprocess.Popen(
        [os.fspath(word) for word in command],
        stdin=stdin,
        stdout=output,
        stderr=output,
        env=ENVIRONMENT,
        cwd="/",
        start_new_session=True,
        preexec_fn=end_with_parent(tied) if tied else None,
        user=account.pw_uid if account else None,
        group=account.pw_gid if account else None,
        extra_groups=[] if account else None,
    )


def listens(path: Path) -> bool:
    """Whether a server takes connections at a Unix socket, ready or not."""
    with socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(5)
        try:
            connection.connect(str(path))
        except OSError:
            return False
        return True


def end_with_parent(signum: signal.Signals) -> Callable[[], None] | None:
    """For a child between fork and exec: be sent ``signum`` when the parent is gone. Linux only."""
    if sys.platform != "linux":
        return None
    libc = ctypes.CDLL(None)
    parent = os.getpid()

    def tie() -> None:
        libc.prctl(PR_SET_PDEATHSIG, int(signum))
        if os.getppid() != parent:  # it went before we asked
            os._exit(1)

    return tie


@contextlib.contextmanager
def uninterrupted() -> Iterator[None]:
    """Put off the signals that end a process until the block is done, so that none falls between two halves of it."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    pending: list[int] = []
    before = {signum: signal.signal(signum, lambda number, _: pending.append(number)) for signum in ENDING}
    try:
        yield
    finally:
        for signum, handler in before.items():
            signal.signal(signum, handler)
        if pending:
            signal.raise_signal(pending[0])


def leave_on_signals() -> None:
    """Make SIGTERM and SIGHUP unwind the program, as Ctrl-C does, so that its servers are stopped."""

    def leave(signum: int, frame: FrameType | None) -> None:
        raise SystemExit(128 + signum)

    for signum in (signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(signum) is signal.SIG_DFL:  # nohup's SIG_IGN stays
            signal.signal(signum, leave)
