"""A whole event over HTTP: registration, rounds by reports of both sides, a minute of round end, its proof."""

from __future__ import annotations

import hashlib
import multiprocessing
import random
import statistics
import sys
import time
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from io import StringIO
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore
from django.contrib.sessions.models import Session
from django.core.management import call_command
from django.db import connection
from django.utils import timezone

from accounts.models import User
from config.bench.crowd import Ask, Told, follow_from, send, signed_in
from config.bench.hall import HOST, Hall, open_hall
from config.bench.rounds import between
from config.bench.scratch import scratch_database
from events.models import Event, LogEntry
from rules.packreader import read_pack
from rules.services.loading import load_pack

LINES = 16
DRAWS_IN_100, FIRST_WINS_IN_100 = 5, 48
READS = {"version": 40, "pairings": 25, "standings": 20, "match": 12, "me": 3}
"""In a hundred: pages without a feed ask for the version, guests look at pairings and standings, both players of a
table at its match after each report, and players open their page."""
AS_PART = {"HX-Request": "true", "Accept-Encoding": "gzip"}
CUT = 4
BUSY_ROUND = 2  # the first that has standings before it


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--players", type=between(4, 5_000), default=2_000, help="default: 2000")
    parser.add_argument("--rounds", type=between(BUSY_ROUND, 20), default=12, help="default: 12")
    parser.add_argument("--seconds", type=between(1, 600), default=60, help="of round end, measured (default: 60)")
    parser.add_argument("--submits", type=between(1, 500), default=27, help="a second, in those (default: 27)")
    parser.add_argument("--reads", type=between(1, 5_000), default=400, help="a second, in those (default: 400)")
    parser.add_argument("--seed", default="tiltyard", help="any text (default: tiltyard)")


def run(options: dict[str, Any]) -> dict[str, Any]:
    """The clients are other processes on this machine. Progress on stderr.

    In round 2, ``submits`` results a second are reported for ``seconds`` while ``reads`` pages a second are read, of
    which ``READS`` are the shares; ``submit_p95_ms`` counts from the moment at which a submit was due. Every player
    has a page open that follows the event: ``post_fanout_p99_ms`` is from the start of the transaction that posts a
    round to the moment at which a page hears of it, over all rounds.
    """
    with scratch_database():
        sessions = _accounts(options["players"] + 1)
        with open_hall() as hall, ProcessPoolExecutor(3, multiprocessing.get_context("spawn")) as others:
            event = _Event(hall, others, sessions, options)
            event.begin()
            with event.followed():
                for number in range(1, options["rounds"] + 1):
                    event.play(number)
                event.play_cut(options["rounds"])
            event.finish()
            return event.figures()


def _accounts(count: int) -> list[str]:
    """Sessions of so many people. Nobody types a password: checking one is slow on purpose, and is not measured."""
    load_pack(pack=read_pack(Path(settings.BASE_DIR) / "rules" / "packs" / "epic"))
    users = [User(email=f"p{n}@example.org", display_name=f"Player {n}") for n in range(count)]
    User.objects.bulk_create(users)
    expires = timezone.now() + timedelta(days=1)
    store = SessionStore()
    rows = []
    for user in users:
        data = {
            SESSION_KEY: str(user.pk),
            BACKEND_SESSION_KEY: settings.AUTHENTICATION_BACKENDS[0],
            HASH_SESSION_KEY: user.get_session_auth_hash(),
        }
        key = hashlib.sha256(user.email.encode()).hexdigest()[:32]
        rows.append(Session(session_key=key, session_data=store.encode(data), expire_date=expires))
    Session.objects.bulk_create(rows)
    return [row.session_key for row in rows]


class _Event:
    """One event as its organiser and its players live it."""

    def __init__(self, hall: Hall, others: Executor, sessions: Sequence[str], options: dict[str, Any]) -> None:
        self.hall, self.others, self.options = hall, others, options
        self.organiser, self.phones = sessions[0], list(sessions[1:])
        self.draw = random.Random(options["seed"])  # noqa: S311 - who wins, and which phone asks when
        self.fanout: list[float] = []
        self.posting: list[float] = []
        self.drafting: list[float] = []
        self.busy: dict[str, Any] = {}
        self.statuses: Counter[int] = Counter()
        self.commands = 0
        self.began = time.monotonic()

    # -- what happens -----------------------------------------------------------------------------------------------
    def begin(self) -> None:
        rules = {
            "decklist": {"required": False},  # the rounds are what is measured
            "stages": [
                {"kind": "swiss", "rounds": self.options["rounds"], "within_pods": False},
                {"kind": "single_elimination", "cut": CUT},
            ],
        }
        asked = {"game": "epic", "template": "designed-deck", "name": "Bench", "starts_at": _tomorrow(), "rules": rules}
        made = self._command("POST", "", asked)
        self.event = Event.objects.get(pk=made["event"])
        self.api, self.pages = f"/api/v1/events/{self.event.code}", f"/e/{self.event.code}"
        path = f"{self.api}/players/register"
        entered = self._crowd([self._sent_by(phone, "POST", path, {}) for phone in self.phones], keep=True)
        self.players = {told.answer["player"]: phone for told, phone in zip(entered, self.phones, strict=True)}
        self._crowd(
            [
                self._sent_by(phone, "POST", f"{self.api}/players/{player}/check-in", {})
                for player, phone in self.players.items()
            ]
        )
        self._say(f"{len(self.players)} players registered and checked in")
        self._staff("start")

    @contextmanager
    def followed(self) -> Iterator[None]:
        """Every phone has a page open."""
        tickets = self._crowd([self._read_by(phone, f"{self.pages}/ticket") for phone in self.phones], keep=True)
        ours, theirs = multiprocessing.get_context("spawn").Pipe()
        paths = [f"{told.answer['url']}&own=1" for told in tickets]
        process = multiprocessing.get_context("spawn").Process(
            target=follow_from, args=(HOST, self.hall.feed, paths, theirs), daemon=True
        )
        process.start()
        self.pipe = ours
        _, self.lost = ours.recv()
        self._say(f"{len(paths) - self.lost} pages follow")
        try:
            yield
        finally:
            ours.send(None)
            process.join(10)

    def play(self, number: int, draws: bool = True) -> None:
        self.drafting.append(self._timed("rounds"))
        self.posting.append(self._timed(f"rounds/{number}/post"))
        time.sleep(1.5)
        self._heard(number)
        self._staff(f"rounds/{number}/start-clock")
        reports, at_time = self._reports(number, draws)
        if number == BUSY_ROUND:
            self._round_end(reports)
        else:
            began = time.monotonic()
            told = self._crowd(reports)
            seconds = time.monotonic() - began
            self._say(f"round {number}: {len(told)} reports, {len(told) / seconds:.0f} a second")
        self._staff(f"rounds/{number}/call-time")
        self._crowd(at_time)
        self._staff(f"rounds/{number}/complete")

    def play_cut(self, number: int) -> None:
        self._staff("stages/next")
        for _ in range(CUT.bit_length() - 1):
            number += 1
            self.play(number, draws=False)

    def _heard(self, number: int) -> None:
        entry = LogEntry.objects.filter(event=self.event, kind="round.posted").latest("seq")
        version = self._version()
        self.pipe.send(version)
        moments, self.lost = self.pipe.recv()
        self.fanout += [moment - entry.at.timestamp() for moment in moments]
        missed = len(self.phones) - len(moments)
        worst = max(self.fanout[-len(moments) :], default=0)
        self._say(f"round {number} posted: heard by {len(moments)} ({missed} not), the last after {worst:.2f} s")

    def _reports(self, number: int, draws: bool) -> tuple[list[Ask], list[Ask]]:
        """Of both sides of every match, in the order in which matches end by chance; those that time ends apart."""
        matches = self._answer(self._read_by(self.organiser, f"{self.api}/rounds/{number}/matches"))
        asks: list[Ask] = []
        at_time: list[Ask] = []
        for match in matches:
            players = [seat["player"] for seat in match["seats"]]
            if len(players) == 2 and match["state"] == "open":
                first = self._score(draws)
                path = f"{self.api}/matches/{match['id']}/reports"
                for player, (wins, losses, drawn) in zip(players, (first, (first[1], first[0], first[2])), strict=True):
                    body = {"wins": wins, "losses": losses, "draws": drawn}
                    ended = at_time if wins == losses else asks
                    ended.append(self._sent_by(self.players[player], "POST", path, body))
        self.draw.shuffle(asks)
        return asks, at_time

    def _score(self, draws: bool) -> tuple[int, int, int]:
        dice = self.draw.randrange(100)
        if draws and dice < DRAWS_IN_100:
            return 1, 1, 0
        return (2, dice % 2, 0) if dice < DRAWS_IN_100 + FIRST_WINS_IN_100 else (dice % 2, 2, 0)

    def _round_end(self, reports: list[Ask]) -> None:
        seconds, rate, reads = (self.options[name] for name in ("seconds", "submits", "reads"))
        due = [Ask(one.method, one.path, one.headers, one.body, place / rate) for place, one in enumerate(reports)]
        due, rest = due[: seconds * rate], reports[seconds * rate :]
        kinds = self.draw.choices(list(READS), list(READS.values()), k=seconds * reads)
        looks = [self._look(kind, place / reads) for place, kind in enumerate(kinds)]
        # The round was posted an hour ago: the database's housekeeping has counted the rows, and all was looked at.
        with connection.cursor() as cursor:
            cursor.execute("VACUUM ANALYZE")
        for kind in READS:
            self._crowd([self._look(kind) for _ in range(4 * LINES)])
        start = time.time() + 2
        readers = [self.others.submit(send, HOST, self.hall.web, looks[part::2], 2 * LINES, start) for part in (0, 1)]
        submits = self.others.submit(send, HOST, self.hall.web, due, LINES, start).result()
        submitted = time.time() - start
        seen = [told for reader in readers for told in reader.result()]
        read = time.time() - start
        wrong = Counter(told.status for told in (*submits, *seen) if told.status not in (200, 201, 304))
        waited = sorted(told.seconds for told in submits)
        looked = sorted(told.seconds for told in seen)
        self.busy = {
            "submits_per_s": round(len(submits) / submitted, 1),
            "submit_p50_ms": _ms(_share(waited, 0.5)),
            "submit_p95_ms": _ms(_share(waited, 0.95)),
            "submit_p99_ms": _ms(_share(waited, 0.99)),
            "reads_per_s": round(len(seen) / read, 1),
            "read_p50_ms": _ms(_share(looked, 0.5)),
            "read_p95_ms": _ms(_share(looked, 0.95)),
            "errors": sum(wrong.values()),
        }
        self._say(f"round end: {self.busy} {dict(wrong)}")
        self._crowd(rest)

    def _look(self, kind: str, at: float | None = None) -> Ask:
        if kind == "version":
            return Ask("GET", f"{self.pages}/version", at=at)
        if kind == "me":
            return Ask("GET", f"{self.pages}/me/", signed_in(self.draw.choice(self.phones)), at=at)
        if kind == "match":
            return Ask("GET", f"{self.pages}/me/match", signed_in(self.draw.choice(self.phones)) | AS_PART, at=at)
        return Ask("GET", f"{self.pages}/{kind}/", AS_PART, at=at)

    def finish(self) -> None:
        self._staff("finish")
        said = StringIO()
        call_command("verify_event", self.event.code, stdout=said)
        self._say(said.getvalue().strip().splitlines()[-1])

    def figures(self) -> dict[str, Any]:
        fanout = sorted(self.fanout)
        return {
            "players": self.options["players"],
            "rounds": self.options["rounds"],
            **self.busy,
            "errors": self.busy["errors"] + sum(n for status, n in self.statuses.items() if status not in (200, 201)),
            "post_fanout_p50_ms": _ms(_share(fanout, 0.5)),
            "post_fanout_p99_ms": _ms(_share(fanout, 0.99)),
            "subscribers": len(self.phones) - self.lost,
            "draft_median_ms": _ms(statistics.median(self.drafting)),
            "post_median_ms": _ms(statistics.median(self.posting)),
            "verified": True,
            "seconds_in_all": round(time.monotonic() - self.began),
        }

    # -- how it is sent ---------------------------------------------------------------------------------------------
    def _sent_by(self, session: str, method: str, path: str, body: Any) -> Ask:
        self.commands += 1
        return Ask(method, path, signed_in(session, f"command {self.commands}"), body)

    def _read_by(self, session: str, path: str) -> Ask:
        return Ask("GET", path, signed_in(session))

    def _crowd(self, asks: Sequence[Ask], keep: bool = False) -> list[Told]:
        """All of ``asks`` from a process of their own, as fast as they go. RuntimeError: one was refused, with keep."""
        told = self.others.submit(send, HOST, self.hall.web, asks, LINES, time.time(), keep).result()
        self.statuses.update(one.status for one in told)
        if wrong := Counter(one.status for one in told if one.status not in (200, 201)):
            first = next(one for one in told if one.status in wrong)
            self._say(f"refused: {dict(wrong)}, {first.answer}")
        if keep and (refused := [one for one in told if one.status not in (200, 201)]):
            raise RuntimeError(f"{len(refused)} requests were refused, the first with {refused[0]}")
        return told

    def _answer(self, ask: Ask) -> Any:
        [told] = self._crowd([ask], keep=True)
        return told.answer

    def _command(self, method: str, path: str, body: Any) -> Any:
        return self._answer(self._sent_by(self.organiser, method, f"/api/v1/events{path}", body))

    def _version(self) -> int:
        version: int = self._answer(self._read_by(self.organiser, f"{self.api}"))["version"]
        return version

    def _staff(self, path: str) -> Any:
        return self._command("POST", f"/{self.event.code}/{path}", {"version": self._version()})

    def _timed(self, path: str) -> float:
        ask = self._sent_by(self.organiser, "POST", f"{self.api}/{path}", {"version": self._version()})
        [told] = self._crowd([ask], keep=True)
        return told.seconds

    def _say(self, text: str) -> None:
        print(f"{time.monotonic() - self.began:5.0f} s  {text}", file=sys.stderr)  # noqa: T201 - the numbers are on stdout


def _share(values: Sequence[float], share: float) -> float:
    return values[min(len(values) - 1, int(share * len(values)))] if values else 0.0


def _ms(seconds: float) -> float:
    return round(1000 * seconds, 1)


def _tomorrow() -> str:
    return (datetime.now(UTC) + timedelta(days=1)).isoformat()
