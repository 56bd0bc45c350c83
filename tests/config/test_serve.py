"""``manage.py serve`` as a person runs it, against the servers of the test run and a database of its own."""

from __future__ import annotations

import contextlib
import http.client
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psycopg
import pytest
from django.conf import settings
from psycopg.conninfo import make_conninfo

from config import processes
from config.demo.cast import LOGINS, PASSWORD

ROOT = Path(settings.BASE_DIR)
DATABASE = "tiltyard_serve"
# A demo that was played, as far as ``serve`` looks: an event with its code, finished because everybody left.
PLAYED = """
import django; django.setup()
from django.core.management import call_command
call_command("migrate", verbosity=0); call_command("load_packs", verbosity=0)
from django.utils import timezone
from config.demo.program import CODES, was_played
from events.services import registration, setup
from events.services.transaction import SYSTEM
from rules.models import Policy
policy = Policy.objects.filter(slug="sealed-3").order_by("-during")[0]
event = setup.create_event(
    actor=SYSTEM, policy_id=policy.pk, name="Played", starts_at=timezone.now(), code=CODES["sealed"]
).facts["event"]
players = [
    registration.add_player(event_id=event, actor=SYSTEM, name=name).facts["player"] for name in ("Ada B", "Bela Q")
]
for player in players:
    registration.check_in(event_id=event, actor=SYSTEM, player_id=player)
setup.start_event(event_id=event, actor=SYSTEM)
for player in players:
    registration.drop_player(event_id=event, actor=SYSTEM, player_id=player)
setup.finish_event(event_id=event, actor=SYSTEM)
assert was_played()
"""


def wait_until(true: Callable[[], bool], seconds: float) -> bool:
    until = time.monotonic() + seconds
    while not true():
        if time.monotonic() > until:
            return False
        time.sleep(0.05)
    return True


def descendants(pid: int) -> dict[int, str]:
    """Every process below ``pid`` with its command line."""
    parents: dict[int, int] = {}
    for entry in Path("/proc").iterdir():
        with contextlib.suppress(OSError, ValueError):
            parents[int(entry.name)] = int((entry / "stat").read_text().rsplit(")", 1)[1].split()[1])
    found, frontier = {}, {pid}
    while frontier:
        frontier = {child for child, parent in parents.items() if parent in frontier}
        for child in frontier:
            with contextlib.suppress(OSError):
                found[child] = (Path("/proc") / str(child) / "cmdline").read_text().replace("\0", " ").strip()
    return found


def alive(pid: int) -> bool:
    try:
        return (Path("/proc") / str(pid) / "stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


@pytest.fixture
def environ() -> Iterator[dict[str, str]]:
    """With a database of its own on the servers of this run."""
    url = os.environ["DATABASE_URL"]
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(f"DROP DATABASE IF EXISTS {DATABASE} WITH (FORCE)")
        connection.execute(f"CREATE DATABASE {DATABASE}")
        yield {
            **os.environ,
            "DATABASE_URL": make_conninfo(url, dbname=DATABASE),
            "DJANGO_SETTINGS_MODULE": "config.settings",
            "PYTHONPATH": str(ROOT),
        }
        connection.execute(f"DROP DATABASE {DATABASE} WITH (FORCE)")


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def status(port: int, path: str) -> int | None:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
    try:
        connection.request("GET", path)
        return connection.getresponse().status
    except OSError:
        return None
    finally:
        connection.close()


def test_serve_answers_tells_the_logins_and_stops_everything(environ: dict[str, str]) -> None:
    subprocess.run([sys.executable, "-c", PLAYED], env=environ, check=True, cwd=ROOT, timeout=60)
    port = free_port()
    command = [sys.executable, "manage.py", "serve", "--port", str(port)]
    with subprocess.Popen(
        command, cwd=ROOT, env=environ, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as serve:
        said: list[str] = []
        assert serve.stdout is not None
        reader = threading.Thread(target=lambda: said.extend(serve.stdout or ()))
        reader.start()
        below: dict[int, str] = {}
        try:
            assert wait_until(lambda: status(port, "/healthz") == 200, 40), "".join(said)
            assert status(port, "/live/") == 403  # the feed is in front, and wants a ticket
            below = descendants(serve.pid)
            for part in ("uvicorn config.asgi:application", "celery -A config worker", "celery -A config beat"):
                assert any(part in line for line in below.values()), below
            serve.send_signal(signal.SIGINT)
            began = time.monotonic()
            assert serve.wait(20) == 0
            assert wait_until(lambda: not any(map(alive, below)), 20 - (time.monotonic() - began)), below
        finally:
            for pid in [serve.pid, *below]:
                if alive(pid):
                    os.kill(pid, signal.SIGKILL)
            reader.join(10)
    text = "".join(said)
    assert f"http://127.0.0.1:{port}/" in text
    for email, name in LOGINS.values():
        assert email in text
        assert name in text
    assert PASSWORD in text
    assert "Four events played" not in text
    assert "\nStopping.\n" in text


def started(tmp_path: Path, script: str) -> list[str]:
    return ["sh", "-c", f"{script} echo ready > {tmp_path / 'ready'}; wait"]


def test_a_child_that_will_not_stop_is_ended_with_all_that_it_started(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(processes, "GRACE_SECONDS", 0.3)
    with processes.running([started(tmp_path, "trap '' TERM; sleep 60 & sleep 60 &")]) as (child,):
        assert wait_until((tmp_path / "ready").exists, 10)
        below = descendants(child.pid)
        assert len(below) == 2
    assert child.returncode == -signal.SIGKILL
    assert wait_until(lambda: not any(map(alive, below)), 5)


def test_a_second_interrupt_while_stopping_leaves_nobody_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(processes, "GRACE_SECONDS", 5)
    children: list[subprocess.Popen[bytes]] = []

    def serve() -> None:
        with processes.running([started(tmp_path, "trap '' TERM; sleep 60 &")]) as running:
            children.extend(running)
            assert wait_until((tmp_path / "ready").exists, 10)
            timer = threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT))
            timer.start()

    began = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        serve()
    assert time.monotonic() - began < 5  # impatience is heard
    assert [child.poll() for child in children] == [-signal.SIGKILL]


def test_what_was_started_is_stopped_when_a_later_one_can_not_start(tmp_path: Path) -> None:
    before = descendants(os.getpid())
    with pytest.raises(FileNotFoundError), processes.running([["sleep", "60"], [str(tmp_path / "no-such-program")]]):
        pass
    assert descendants(os.getpid()).keys() <= before.keys()
