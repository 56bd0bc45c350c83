"""The launcher, with real servers and real signals."""

from __future__ import annotations

import dataclasses
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psycopg
import pytest
import redis
from kombu import Connection

from config.embedded.layout import PROJECT, EmbeddedError, Layout, _copy_wheel
from config.embedded.servers import Services, default, named

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
RUN = [sys.executable, "-m", "config.embedded", "run"]
UNNAMED = {name: value for name, value in os.environ.items() if name not in ("DATABASE_URL", "REDIS_URL")}
# Says where the servers are and which process it is, then waits to be ended.
HOLD = ["bash", "-c", 'echo "$$ $DATABASE_URL"; exec sleep 60']


@pytest.fixture(scope="module")
def made() -> Iterator[Layout]:
    """A pair of lasting servers that has run once; making its data folder takes most of a test's time."""
    first = dataclasses.replace(Layout.temporary(), ephemeral=False)
    with Services(layout=first):
        pass
    yield first
    Services(layout=first).remove()


@pytest.fixture
def layout(made: Layout) -> Iterator[Layout]:
    """Lasting servers in a folder of their own, so that this checkout's are left alone."""
    ours = dataclasses.replace(Layout.temporary(), ephemeral=False)
    subprocess.run(["cp", "-a", made.state, ours.state], check=True)
    yield ours
    Services(layout=ours).remove()


def processes_of(state: Path) -> list[int]:
    """Every process whose command line names the state folder."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            command = (folder / "cmdline").read_bytes()
        except OSError:
            continue
        if os.fsencode(state) in command and int(folder.name) != os.getpid():
            found.append(int(folder.name))
    return found


def within(seconds: float, true: Callable[[], bool]) -> bool:
    until = time.monotonic() + seconds
    while not true():
        if time.monotonic() > until:
            return False
        time.sleep(0.02)
    return True


def is_gone(pid: int) -> bool:
    return not Path(f"/proc/{pid}").exists()


def held(*options: str) -> tuple[subprocess.Popen[str], int, Path]:
    """A process that holds servers, the command it runs, and their state folder."""
    holder = subprocess.Popen(
        [*RUN, *options, "--", *HOLD],
        env=UNNAMED,
        cwd=PROJECT,
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    assert holder.stdout is not None
    pid, url = holder.stdout.readline().split()
    return holder, int(pid), Path(url.partition("host=")[2]).parent


def both_answer(services: Services) -> bool:
    with psycopg.connect(services.postgres.url) as connection, redis.Redis.from_url(services.valkey.url) as client:
        return connection.execute("SELECT 1").fetchone() == (1,) and client.ping() is True


def test_an_ephemeral_pair_answers_on_sockets_only_and_leaves_nothing() -> None:
    services = Services(ephemeral=True)
    assert not services.layout.state.exists()
    with (
        services,
        psycopg.connect(services.postgres.url) as database,
        redis.Redis.from_url(services.valkey.url) as cache,
    ):
        assert database.execute("SELECT current_setting('listen_addresses')").fetchone() == ("",)
        assert database.execute("SELECT lower('ÄÖ'), current_database()").fetchone() == ("äö", "tiltyard")
        assert cache.config_get("port") == {"port": "0"}
        running = processes_of(services.layout.state)
        owners = {Path(f"/proc/{pid}").stat().st_uid for pid in running}
        assert len(running) >= 2
        assert owners == {services.layout.account.pw_uid if services.layout.account else os.geteuid()}
        assert 0 not in owners
        assert services.layout.sockets.stat().st_mode & 0o777 == 0o700
    assert processes_of(services.layout.state) == []
    assert not services.layout.state.exists()


def test_killing_the_holder_outright_ends_its_servers_and_its_command_and_the_next_run_sweeps_up() -> None:
    holder, command, state = held("--ephemeral")
    assert processes_of(state)
    holder.kill()
    holder.wait()
    assert within(10, lambda: processes_of(state) == [] and is_gone(command))
    assert state.exists()
    with Services(ephemeral=True):
        assert state.exists()  # too young to be told from one that is just starting
    os.utime(state, (0, 0))
    with Services(ephemeral=True) as other:
        assert not state.exists()
        assert both_answer(other)


def test_sweeping_spares_servers_in_use() -> None:
    with Services(ephemeral=True) as first:
        os.utime(first.layout.state, (0, 0))
        with Services(ephemeral=True):
            assert both_answer(first)


@pytest.mark.parametrize(
    ("send", "code"),
    [
        (lambda holder: holder.terminate(), 128 + signal.SIGTERM),
        (lambda holder: os.killpg(holder.pid, signal.SIGINT), 128 + signal.SIGINT),
        (lambda holder: os.killpg(holder.pid, signal.SIGHUP), 128 + signal.SIGHUP),
    ],
    ids=["terminated", "ctrl-c", "terminal closed"],
)
def test_a_signal_ends_the_command_and_then_the_servers(
    send: Callable[[subprocess.Popen[str]], None], code: int
) -> None:
    holder, command, state = held("--ephemeral")
    send(holder)
    assert holder.wait(20) == code
    assert is_gone(command)
    assert processes_of(state) == []
    assert not state.exists()


def test_a_signal_while_the_servers_start_leaves_none() -> None:
    folder = Path(tempfile.mkdtemp(prefix="t", dir="/tmp"))
    folder.chmod(0o711)
    holder = subprocess.Popen([*RUN, "--ephemeral", "--", "true"], env={**UNNAMED, "TMPDIR": str(folder)}, cwd=PROJECT)
    assert within(20, lambda: any(folder.glob("*/users")))
    holder.terminate()
    assert holder.wait(20) == 128 + signal.SIGTERM
    assert processes_of(folder) == []
    folder.rmdir()  # fails on anything left inside


def test_the_exit_code_of_the_command_is_handed_on() -> None:
    assert subprocess.call([*RUN, "--ephemeral", "--", "bash", "-c", "exit 7"], env=UNNAMED, cwd=PROJECT) == 7


def test_two_users_share_the_lasting_servers_and_the_last_one_stops_them(layout: Layout) -> None:
    first, second = Services(layout=layout), Services(layout=layout)
    first.start()
    running = processes_of(layout.state)
    second.start()
    assert set(running) <= set(processes_of(layout.state))
    first.stop()
    assert both_answer(second)
    second.stop()
    assert processes_of(layout.state) == []


def test_what_is_stored_is_there_at_the_next_start(layout: Layout) -> None:
    with Services(layout=layout) as services, psycopg.connect(services.postgres.url) as connection:
        connection.execute("CREATE TABLE kept AS SELECT 42 AS answer")
    with Services(layout=layout) as services, psycopg.connect(services.postgres.url) as connection:
        assert connection.execute("SELECT answer FROM kept").fetchone() == (42,)


def test_servers_whose_holder_was_killed_are_joined_and_stopped_by_the_next(layout: Layout) -> None:
    script = f"""
import os, signal
from pathlib import Path
from config.embedded.layout import Layout, _account
from config.embedded.servers import Services
Services(layout=Layout(Path({str(layout.state)!r}), Path({str(layout.sockets)!r}), False, _account())).start()
os.kill(os.getpid(), signal.SIGKILL)
"""
    assert subprocess.call([sys.executable, "-c", script], cwd=PROJECT) == -signal.SIGKILL
    left = processes_of(layout.state)
    assert left
    with Services(layout=layout) as services:
        assert both_answer(services)
        assert set(left) & set(processes_of(layout.state))
    assert within(5, lambda: processes_of(layout.state) == [])


def test_a_fork_of_the_holder_cannot_stop_the_servers(layout: Layout) -> None:
    with Services(layout=layout) as services:
        fork = os.fork()
        if fork == 0:
            services.stop()
            os._exit(0)
        os.waitpid(fork, 0)
        assert both_answer(services)


def test_data_in_use_are_not_thrown_away(layout: Layout) -> None:
    with Services(layout=layout) as services:
        with pytest.raises(EmbeddedError, match="in use"):
            Services(layout=layout).remove()
        assert both_answer(services)
    Services(layout=layout).remove()
    assert not layout.state.exists()


def test_every_client_finds_the_sockets_below_an_awkward_path() -> None:
    plain = Layout.temporary()
    state = plain.state.with_name(f"{plain.state.name[:20]} ünï'q\"%41?#&+")
    odd = dataclasses.replace(plain, state=state, sockets=state / "run")
    with Services(layout=odd) as services:
        assert both_answer(services)
        broker = services.valkey.url.replace("unix://", "redis+socket://", 1)
        with Connection(broker) as connection:
            connection.ensure_connection(max_retries=1, timeout=5)
    assert not state.exists()


def test_a_server_that_will_not_start_says_why_and_leaves_nothing(layout: Layout) -> None:
    (layout.postgres / "postgresql.conf").write_text("no_such_setting = 1\n")
    with pytest.raises(EmbeddedError, match="no_such_setting"):
        Services(layout=layout).start()
    assert processes_of(layout.state) == []


def test_data_of_another_postgresql_are_refused_by_name(layout: Layout) -> None:
    (layout.postgres / "PG_VERSION").write_text("9\n")
    with pytest.raises(EmbeddedError, match="PostgreSQL 9's"):
        Services(layout=layout).start()
    assert processes_of(layout.state) == []


def test_a_planted_link_is_refused(tmp_path: Path) -> None:
    planted = Layout.temporary()
    planted.state.symlink_to(tmp_path)
    with pytest.raises(EmbeddedError, match="not a folder of ours"):
        Services(layout=planted).start()
    planted.state.unlink(missing_ok=True)
    assert list(tmp_path.iterdir()) == []


def test_root_copies_a_wheel_that_others_cannot_reach_and_opens_nothing(tmp_path: Path) -> None:
    package = tmp_path / "private" / "package"
    (package / "bin").mkdir(parents=True)
    (package.with_name("package.libs")).mkdir()
    for name, mode in (("bin/server", 0o700), ("share.txt", 0o600)):
        (package / name).write_text(name)
        (package / name).chmod(mode)
    (tmp_path / "private").chmod(0o700)
    target = tmp_path / "copy"
    _copy_wheel(package, target)
    modes = {str(p.relative_to(target)): p.stat().st_mode & 0o777 for p in (target, *target.rglob("*"))}
    assert modes == {
        ".": 0o755,
        "package": 0o755,
        "package/bin": 0o755,
        "package/bin/server": 0o755,
        "package/share.txt": 0o644,
        "package.libs": 0o755,
    }
    assert (tmp_path / "private").stat().st_mode & 0o777 == 0o700
    assert sorted(p.name for p in tmp_path.iterdir()) == ["copy", "private"]


def test_asking_for_the_addresses_starts_and_writes_nothing() -> None:
    services = default()
    before = services.layout.state.exists()
    assert set(services.environ) == {"DATABASE_URL", "REDIS_URL", "TILTYARD_EMBEDDED"}
    assert services.layout.state.exists() == before


@pytest.mark.parametrize("name", ["DATABASE_URL", "REDIS_URL"])
@pytest.mark.parametrize(
    "command",
    [["manage.py", "check"], ["-m", "config.embedded", "run", "--", "true"], ["-m", "pytest", "--collect-only"]],
    ids=["manage.py", "run", "pytest"],
)
def test_naming_one_server_of_two_is_an_error(name: str, command: list[str]) -> None:
    environ = {**UNNAMED, name: "somewhere"}
    run = subprocess.run([sys.executable, *command], env=environ, cwd=PROJECT, capture_output=True, text=True)
    assert (run.returncode, run.stderr) == (
        2,
        f"error: {name} is set alone: set both DATABASE_URL and REDIS_URL, or neither.\n",
    )


def test_with_both_named_nothing_is_started() -> None:
    named_elsewhere = {"DATABASE_URL": "postgresql://elsewhere", "REDIS_URL": "redis://elsewhere"}
    assert named(named_elsewhere)
    run = subprocess.run(
        [*RUN, "--ephemeral", "--", "bash", "-c", "echo $DATABASE_URL $REDIS_URL"],
        env={**UNNAMED, **named_elsewhere},
        cwd=PROJECT,
        capture_output=True,
        text=True,
    )
    assert run.stdout == "postgresql://elsewhere redis://elsewhere\n"


def test_empty_names_count_as_none() -> None:
    assert not named({"DATABASE_URL": "", "REDIS_URL": ""})


@pytest.mark.parametrize("words", [[], ["start"], ["run"], ["run", "--"], ["run", "--fast", "--", "true"]])
def test_other_words_print_the_usage(words: list[str]) -> None:
    run = subprocess.run(
        [sys.executable, "-m", "config.embedded", *words], env=UNNAMED, cwd=PROJECT, capture_output=True, text=True
    )
    assert run.returncode == 2
    assert "python -m config.embedded run" in run.stderr
