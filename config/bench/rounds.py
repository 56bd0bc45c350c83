"""How long a round takes from rows in PostgreSQL to the stored pairing, and from its results to stored standings."""

from __future__ import annotations

import hashlib
import json
import statistics
import sys
import time
from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from django.conf import settings
from django.db import connection
from django.db.models import F

from accounts.services import create_user
from cards.engine.streams import Stream
from config.bench.scratch import scratch_database
from events.engine.pairing import PairingOptions, pair_round
from events.engine.plan_check import verify_plan
from events.models import Event, Match, Player, Stage
from events.queries.scoring import pairing_state
from events.services import rounds, setup
from events.services.transaction import Actor
from rules.models import Policy
from rules.packreader import read_pack
from rules.services.loading import load_pack

T = TypeVar("T")
DRAWS_IN_100, FIRST_WINS_IN_100 = 5, 48
DROPS_IN_1000 = 20


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--players", type=between(2, 30_000), default=10_000, help="at the start (default: 10000)")
    parser.add_argument("--rounds", type=between(1, 30), default=12, help="that are played (default: 12)")
    parser.add_argument("--seed", default="tiltyard", help="any text (default: tiltyard)")


def between(least: int, most: int) -> Callable[[str], int]:
    def read(text: str) -> int:
        if not text.isdecimal() or not least <= int(text) <= most:
            raise ArgumentTypeError(f"a whole number from {least} to {most}")
        return int(text)

    return read


def run(options: dict[str, Any]) -> dict[str, Any]:
    """Milliseconds of the services, and of their parts in the last round; progress on stderr.

    ``draft_*`` is all of ``draft_round``: the event's lock, reading, pairing, the check, tables, storing, the log and
    the commit. The parts are done once more on their own to say where the time goes; ``store_ms`` is what they leave.
    Every round one match in twenty is drawn and one player in fifty drops.
    """
    with scratch_database():
        event, actor = _begin(options["players"], options["seed"])
        drafted, completed = [], []
        for number in range(1, options["rounds"] + 1):
            parts = _parts(event, f"{options['seed']} {number}")
            drafted.append(_timed(partial(rounds.draft_round, event_id=event.pk, actor=actor))[0])
            rounds.post_round(event_id=event.pk, actor=actor, round_number=number)
            _play(event, number, options["seed"])
            complete = partial(rounds.complete_round, event_id=event.pk, actor=actor, round_number=number)
            completed.append(_timed(complete)[0])
            _drop(event, number, options["seed"])
            _say(f"round {number}: drafted in {drafted[-1]:.2f} s, completed in {completed[-1]:.2f} s")
    return {
        "players": options["players"],
        "rounds": options["rounds"],
        "draft_median_ms": round(1000 * statistics.median(drafted)),
        "draft_worst_ms": round(1000 * max(drafted)),
        "complete_median_ms": round(1000 * statistics.median(completed)),
        "complete_worst_ms": round(1000 * max(completed)),
        **{f"{name}_ms": round(1000 * seconds) for name, seconds in parts.items()},
        "store_ms": round(1000 * (drafted[-1] - sum(parts.values()))),
    }


def _timed(work: Callable[[], T]) -> tuple[float, T]:
    began = time.perf_counter()
    result = work()
    return time.perf_counter() - began, result


def _begin(players: int, seed: str) -> tuple[Event, Actor]:
    """A started event. Its players are stored directly: registration is not what is measured."""
    load_pack(pack=read_pack(Path(settings.BASE_DIR) / "rules" / "packs" / "epic"))
    user = create_user(email="bench@example.org", display_name="Bench")
    actor = Actor(user.pk, user.display_name)
    policy = Policy.objects.filter(slug="designed-deck").order_by("-version")[0]
    made = setup.create_event(
        actor=actor,
        policy_id=policy.pk,
        name="Bench",
        starts_at=datetime(2030, 1, 1, tzinfo=UTC),
        secret=hashlib.sha256(seed.encode()).digest(),
    )
    event = Event.objects.get(pk=made.facts["event"])
    event.rules["decklist"]["required"] = False
    event.save(update_fields=["rules"])
    Stage.objects.filter(event=event, kind=Stage.Kind.SWISS).update(config={"kind": "swiss", "rounds": 30})
    Player.objects.bulk_create(
        Player(event=event, name=f"Player {number}", name_key=f"player {number}", state=Player.State.CHECKED_IN)
        for number in range(players)
    )
    setup.start_event(event_id=event.pk, actor=actor)
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE")
    return event, actor


def _parts(event: Event, label: str) -> dict[str, float]:
    reading, (entrants, history) = _timed(lambda: pairing_state(event))
    pairing, plan = _timed(lambda: pair_round(entrants, history, PairingOptions(), Stream(b"bench", label)))
    explaining, pairs = _timed(lambda: [(pair.a, pair.b) for pair in plan.pairs])
    checking, check = _timed(
        lambda: verify_plan(entrants.single(), history.among(entrants), PairingOptions(), plan, pairs)
    )
    if not (check.holds and plan.certified):
        raise RuntimeError(f"the plan does not hold: {json.dumps([fault.as_json() for fault in check.faults])}")
    return {"read": reading, "pair": pairing, "explain": explaining, "check": checking}


def _play(event: Event, number: int, seed: str) -> None:
    """Results by chance, written directly: reports are not what is measured."""
    with connection.cursor() as cursor:
        cursor.execute(
            "WITH thrown AS (SELECT s.id, s.index = 0 AS is_first, abs(hashtext(s.match_id || %s)) %% 100 AS dice"
            " FROM events_seat s JOIN events_round r ON r.id = s.round_id"
            " WHERE r.event_id = %s AND r.sequence = %s AND s.outcome IS NULL)"
            " UPDATE events_seat s SET game_draws = 0,"
            " outcome = CASE WHEN dice < %s THEN 'draw' WHEN is_first = (dice < %s) THEN 'win' ELSE 'loss' END,"
            " game_wins = CASE WHEN dice < %s THEN 1 WHEN is_first = (dice < %s) THEN 2 ELSE dice %% 2 END,"
            " game_losses = CASE WHEN dice < %s THEN 1 WHEN is_first = (dice < %s) THEN dice %% 2 ELSE 2 END"
            " FROM thrown WHERE thrown.id = s.id",
            [seed, event.pk, number, *(DRAWS_IN_100, FIRST_WINS_IN_100) * 3],
        )
    Match.objects.filter(event=event, round__sequence=number).update(state=Match.State.CONFIRMED)


def _drop(event: Event, number: int, seed: str) -> None:
    drawn = Stream(seed.encode(), f"drops {number}")
    active = list(event.players.filter(state=Player.State.CHECKED_IN).order_by("pk").values_list("pk", flat=True))
    gone = [player for player in active if drawn.below(1000) < DROPS_IN_1000]
    event.players.filter(pk__in=gone).update(state=Player.State.DROPPED, dropped_after_round=number)
    Event.objects.filter(pk=event.pk).update(version=F("version") + 1)


def _say(text: str) -> None:
    print(text, file=sys.stderr)  # noqa: T201 - the numbers are on stdout
