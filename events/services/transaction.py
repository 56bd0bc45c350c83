"""The one way to write to an event.

Order of steps: open a durable transaction, bound its waits, take the event's advisory lock, look up the command's
key (a repeat gets the first answer), re-read the event, compare the version that the sender saw, and only then let
the service check and write. On the way out the log entries are chained, the outbox row is written and the version
grows by one, all in the same transaction. Nothing leaves the process before the commit.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal

from django.db import OperationalError, connection, transaction
from django.db.models import QuerySet
from psycopg import errors as pg

from config.errors import Conflict, NotFound, Unavailable, Unprocessable
from config.prepared import prepared
from events.engine.chain import GENESIS, entry_hash
from events.models import Event, IdempotencyRecord, LogEntry, Player
from events.services import outbox

Mode = Literal["exclusive", "shared"]

LOCK_TIMEOUT = "3s"
STATEMENT_TIMEOUT = "15s"
IDLE_TIMEOUT = "30s"
ADVISORY_CLASS = 0x7111  # our corner of PostgreSQL's advisory lock space; the second key is the event's id
RETRY_ERRORS = (pg.LockNotAvailable, pg.DeadlockDetected, pg.SerializationFailure, pg.QueryCanceled)


@dataclass(frozen=True)
class Actor:
    """Who acts: a user, or the system itself (sweeps, demo)."""

    user_id: int | None
    name: str


SYSTEM = Actor(user_id=None, name="Tiltyard")


@dataclass(frozen=True)
class Command:
    """What a sender adds to a request: a key of their own that makes it count once, and the version that they saw."""

    key: str
    body: Mapping[str, Any] = field(default_factory=dict)
    expected_version: int | None = None

    @property
    def request_hash(self) -> str:
        return hashlib.sha256(json.dumps(self.body, sort_keys=True, default=str).encode()).hexdigest()


@dataclass(frozen=True)
class Change:
    """What a service answers: the event's version afterwards and the ids that the caller may want to look at."""

    version: int
    facts: Mapping[str, Any]

    def as_json(self) -> dict[str, Any]:
        return {"version": self.version, **self.facts}


class AlreadyDone(Exception):  # noqa: N818 - not an error: the caller answers with ``change``
    """This very command was carried out before. Nothing was done now; ``change`` is the answer it got then."""

    def __init__(self, change: Change) -> None:
        super().__init__("already done")
        self.change = change


@dataclass
class EventTransaction:
    """Handed to the service. ``now`` is the database's clock, read once.

    ``concerned`` are the players whose pages show the change, None for everybody's; others hear of it a little later.
    ``news`` are sentences that players hear at once, by player, while their pages are still being made anew.
    """

    event: Event
    actor: Actor
    now: datetime
    command: Command | None = None
    change: Change | None = None
    concerned: set[int] | None = None
    news: dict[int, str] = field(default_factory=dict)
    _entries: list[tuple[str, dict[str, Any], bool]] = field(default_factory=list)
    _messages: list[tuple[str, dict[str, Any]]] = field(default_factory=list)

    def log(self, kind: str, payload: Mapping[str, Any], *, public: bool = True) -> None:
        """Add an entry to the event's chained log. ``payload`` holds JSON types only."""
        self._entries.append((kind, dict(payload), public))

    def tell(self, topic: str, payload: Mapping[str, Any]) -> None:
        """Queue a side effect for after the commit."""
        self._messages.append((topic, dict(payload)))

    def done(self, **facts: Any) -> Change:
        """The last thing a service does: chain the log, raise the version, write the outbox, keep the answer."""
        entries = _chained(self) if self._entries else []
        if entries:
            self.tell(outbox.LIVE, self._told())
        self.change = Change(self.event.version, facts)
        _store(self, entries, self.change)
        return self.change

    def _told(self) -> dict[str, Any]:
        told: dict[str, Any] = {"code": self.event.code, "version": self.event.version}
        if self.concerned is not None:
            told["players"] = sorted(self.concerned)
        if self.news:
            told["news"] = {str(player): sentence for player, sentence in self.news.items()}
        return told


@contextlib.contextmanager
def event_transaction(
    event_id: int,
    *,
    actor: Actor,
    mode: Mode = "exclusive",
    command: Command | None = None,
    archived: bool = False,
) -> Iterator[EventTransaction]:
    """Lock, re-read and check the event; commit the service's writes with their log entries.

    ``shared`` is for what many players do at once (reports): they exclude pairing but not each other, and have to
    lock the rows that they change. An archived event is only for reading, unless ``archived`` says that it may be one.

    Raises NotFound (no such event), Conflict "event.archived", "event.stale" (the event changed since the sender
    looked; the context says its version now), Unprocessable "request.key_reused", Unavailable (a lock could not be had
    in time), AlreadyDone (a repeat).
    """
    with _durable():
        now = _begin(event_id, mode)
        _replay(command, actor)
        event = _event.first(event_id)
        if event is None:
            raise NotFound("event.unknown", "There is no such event.")
        if command is not None and command.expected_version not in (None, event.version):
            raise stale(event.version)
        if event.archived_at is not None and not archived:
            raise Conflict(
                "event.archived", "The event is in the archive, where nothing changes. Its organiser can take it out."
            )
        tx = EventTransaction(event=event, actor=actor, now=now, command=command)
        yield tx
        if tx.change is None:
            raise RuntimeError("A service left its transaction without saying what it did.")


@prepared
def _event(event: int) -> QuerySet[Event]:
    return Event.objects.filter(pk=event)


@contextlib.contextmanager
def creation_transaction(
    *, actor: Actor, command: Command | None = None
) -> Iterator[Callable[[Event], EventTransaction]]:
    """For the one change that has no event yet: the service makes it and passes it to what is yielded.

    Raises Unprocessable "request.key_reused", Unavailable, AlreadyDone, as ``event_transaction`` does.
    """
    with _durable():
        now = _begin(None, "exclusive")
        _replay(command, actor)
        yield lambda event: EventTransaction(event=event, actor=actor, now=now, command=command)


@contextlib.contextmanager
def command_transaction(*, actor: Actor, command: Command | None = None) -> Iterator[Callable[..., Change]]:
    """For a change that belongs to no event: the service calls what is yielded, with the version of what it changed and
    the facts of its answer, last. Raises as ``creation_transaction`` does.
    """
    with _durable():
        _begin(None, "exclusive")
        _replay(command, actor)

        def done(version: int, **facts: Any) -> Change:
            change = Change(version, facts)
            _keep_answer(actor, command, change)
            return change

        yield done


def _keep_answer(actor: Actor, command: Command | None, change: Change) -> None:
    if command is not None:
        kept = IdempotencyRecord.objects.filter(actor=_actor_key(actor), key=command.key)
        kept.update(answer=change.as_json())


@contextlib.contextmanager
def _durable() -> Iterator[None]:
    try:
        with transaction.atomic(durable=True):
            yield
    except OperationalError as error:
        if isinstance(error.__cause__, RETRY_ERRORS):
            raise Unavailable(
                "event.busy", "The event is busy with another change. Nothing was saved: send it again in a moment."
            ) from error
        raise


def stale(version: int) -> Conflict:
    return Conflict(
        "event.stale",
        "The event has changed since you looked. Look at the new state, then send it again if it still makes sense.",
        {"version": version},
    )


def refuse_not_running(tx: EventTransaction) -> None:
    """Raises Conflict "event.not_running": nothing is played before the start and after the end."""
    if tx.event.state != Event.State.RUNNING:
        raise Conflict("event.not_running", "The event is not running.", {"state": tx.event.state})


def _begin(event_id: int | None, mode: Mode) -> datetime:
    """Bound the waits, take the event's lock, then look at the clock: three steps in one message to the database."""
    steps = [
        "SELECT set_config('lock_timeout', %s, true), set_config('statement_timeout', %s, true),"
        " set_config('idle_in_transaction_session_timeout', %s, true)"
    ]
    values: list[Any] = [LOCK_TIMEOUT, STATEMENT_TIMEOUT, IDLE_TIMEOUT]
    if event_id is not None:
        lock, keys = _lock(event_id, mode)
        steps.append(lock)
        values += keys
    with connection.cursor() as cursor:
        cursor.execute("; ".join([*steps, "SELECT clock_timestamp()"]), values)
        while cursor.nextset():
            pass
        row = cursor.fetchone()
    now: datetime = row[0]
    return now


def _lock(event_id: int, mode: Mode) -> tuple[str, list[int]]:
    lock = "pg_advisory_xact_lock" if mode == "exclusive" else "pg_advisory_xact_lock_shared"
    return f"SELECT {lock}(%s, %s)", [ADVISORY_CLASS, event_id % 2**31]


def hold_events(event_ids: Iterable[int]) -> None:
    """Keep exclusive changes out of events until the caller's transaction ends, after those that are under way."""
    with connection.cursor() as cursor:
        for event_id in sorted(set(event_ids)):
            cursor.execute(*_lock(event_id, "shared"))


def _replay(command: Command | None, actor: Actor) -> None:
    """Stop a second run of the same command. In shared mode two may arrive at once: the unique key decides."""
    if command is None:
        return
    with connection.cursor() as cursor:  # get_or_create would ask, and set a savepoint, before it inserts
        cursor.execute(
            "INSERT INTO events_idempotencyrecord (actor, key, request_hash, answer, created_at)"
            " VALUES (%s, %s, %s, '{}', clock_timestamp()) ON CONFLICT DO NOTHING",
            [_actor_key(actor), command.key, command.request_hash],
        )
        if cursor.rowcount == 1:
            return
    record = IdempotencyRecord.objects.get(actor=_actor_key(actor), key=command.key)
    if record.request_hash != command.request_hash:
        raise Unprocessable(
            "request.key_reused", "This Idempotency-Key was used for another request. Send a new one with a new key."
        )
    answer = dict(record.answer)
    raise AlreadyDone(Change(answer.pop("version"), answer))


def _actor_key(actor: Actor) -> str:
    return f"user:{actor.user_id}" if actor.user_id is not None else "system"


def _name_in_log(tx: EventTransaction) -> str:
    """A player who hides the name is in the log, which everybody reads, under the one that others read."""
    if tx.actor.user_id is None:
        return tx.actor.name
    return _public_name.first(tx.event.pk, tx.actor.user_id) or tx.actor.name


@prepared
def _public_name(event: int, user: int) -> QuerySet[Player, str]:
    return Player.objects.filter(event=event, user=user).values_list("public_name", flat=True)


@prepared
def _head(event: int) -> QuerySet[Event]:
    return Event.objects.filter(pk=event).select_for_update().only("version", "log_head")


@prepared
def _newest_seq(event: int) -> QuerySet[LogEntry, int]:
    return LogEntry.objects.filter(event=event).order_by("-seq").values_list("seq", flat=True)[:1]


def _chained(tx: EventTransaction) -> list[dict[str, Any]]:
    """The entries with their numbers and hashes, and the event's new version. The event's row is locked only now:
    shared writers meet here and nowhere else, and hold it for what ``_store`` and the commit take."""
    name = _name_in_log(tx)
    [head] = _head(tx.event.pk)
    newest, prev = _newest_seq.first(tx.event.pk) or 0, head.log_head or GENESIS
    entries = []
    for seq, (kind, payload, public) in enumerate(tx._entries, newest + 1):
        digest = entry_hash(prev, seq, kind, payload, name, tx.now)
        entry = {"seq": seq, "kind": kind, "payload": payload, "actor_name": name, "is_public": public}
        entries.append({**entry, "prev_hash": prev, "hash": digest})
        prev = digest
    tx.event.version, tx.event.log_head = head.version + 1, prev
    if tx.concerned is None:
        tx.event.wide_version = tx.event.version
    return entries


_STORE = """
WITH entries AS (
    INSERT INTO events_logentry
        (event_id, seq, kind, payload, actor_id, actor_name, at, is_public, prev_hash, hash)
    SELECT %(event)s, seq, kind, payload, %(user)s, actor_name, %(now)s, is_public, prev_hash, hash
    FROM jsonb_to_recordset(%(entries)s::jsonb) AS entry (
        seq bigint, kind text, payload jsonb, actor_name text, is_public boolean, prev_hash text, hash text
    )
), messages AS (
    INSERT INTO events_outboxmessage (event_id, topic, key, payload, created_at, attempts)
    SELECT %(event)s, topic, key, payload, clock_timestamp(), 0
    FROM jsonb_to_recordset(%(messages)s::jsonb) AS message (place int, topic text, key text, payload jsonb)
    ORDER BY place
), answered AS (
    UPDATE events_idempotencyrecord SET answer = %(answer)s::jsonb WHERE actor = %(actor)s AND key = %(command)s
)
UPDATE events_event SET version = %(version)s, wide_version = %(wide_version)s, log_head = %(log_head)s
WHERE id = %(event)s AND %(moved)s
"""


def _store(tx: EventTransaction, entries: list[dict[str, Any]], change: Change) -> None:
    """All that a change leaves behind besides its rows, in one statement: every shared writer waits for it."""
    event, version = tx.event, tx.event.version
    messages: list[dict[str, Any]] = [
        {"place": place, "topic": topic, "key": f"{event.pk}:{version}:{place}:{topic}", "payload": payload}
        for place, (topic, payload) in enumerate(tx._messages)
    ]
    values = {
        "event": event.pk,
        "user": tx.actor.user_id,
        "now": tx.now,
        "entries": json.dumps(entries),
        "messages": json.dumps(messages),
        "answer": json.dumps(change.as_json()),
        "actor": _actor_key(tx.actor),
        "command": tx.command.key if tx.command is not None else None,
        "version": version,
        "wide_version": event.wide_version,
        "log_head": event.log_head,
        "moved": bool(entries),
    }
    with connection.cursor() as cursor:
        cursor.execute(_STORE, values)
    if messages:
        told = [outbox.Message(one["topic"], one["key"], one["payload"]) for one in messages]
        transaction.on_commit(lambda: outbox.hand_on_at_once(messages=told), robust=True)
