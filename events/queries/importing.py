"""What would become of a list of players: who is new, who is there, and which rows can't be used."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, get_args

from django.db.models import QuerySet

from accounts.names import clean_display_name
from cards.engine.names import name_key
from config.errors import DomainError
from events.engine.rosters import Entry
from events.models import Event, LogEntry, Player
from events.queries.registration import HOLDING

Verdict = Literal["new", "waitlist", "there", "twice", "problem"]
LONGEST_KEY = 60
LATEST_IMPORTS = 10


@dataclass(frozen=True, slots=True)
class RowVerdict:
    """What becomes of a row. ``message`` says how to mend a problem, else what is worth a look."""

    entry: Entry
    name: str
    key: str
    verdict: Verdict
    message: str = ""
    public_name: str = ""
    team: str = ""

    @property
    def comes_in(self) -> bool:
        return self.verdict in ("new", "waitlist")


@dataclass(frozen=True, slots=True)
class ImportPlan:
    rows: tuple[RowVerdict, ...]

    @property
    def counts(self) -> dict[str, int]:
        """Rows by verdict, those of no row too."""
        found = Counter(row.verdict for row in self.rows)
        return {verdict: found[verdict] for verdict in get_args(Verdict)}

    @property
    def coming(self) -> list[RowVerdict]:
        return [row for row in self.rows if row.comes_in]


def plan_of_import(event: Event, entries: Sequence[Entry]) -> ImportPlan:
    """A verdict for each row, in order; places are given in the order of the rows. 1 query.

    Somebody is there already whose full name is, in any spelling. Of a person who stands twice in the list the first
    row counts.
    """
    people = list(event.players.values_list("name_key", "public_name", "state"))
    there = {key for key, _, _ in people}
    taken = {word for key, public, _ in people for word in (key, name_key(public)) if word}
    places = None if event.capacity is None else event.capacity - sum(state in HOLDING for _, _, state in people)
    return ImportPlan(tuple(_verdicts(event, entries, there, taken, places)))


def _verdicts(
    event: Event, entries: Sequence[Entry], there: set[str], taken: set[str], places: int | None
) -> Iterator[RowVerdict]:
    lines: dict[str, int] = {}
    turned: dict[tuple[str, ...], tuple[str, int]] = {}
    full_names = {name_key(entry.name)[:LONGEST_KEY] for entry in entries}
    for entry in entries:
        row = _checked(entry)
        if row.verdict == "new" and row.key in there:
            row = _as(row, "there", "Is in the event already; what is noted there stays.")
        elif row.verdict == "new" and row.key in lines:
            row = _as(row, "twice", f"The same name as in line {lines[row.key]}, which counts.")
        elif row.verdict == "new" and row.public_name and name_key(row.public_name) in taken | (full_names - {row.key}):
            words = f"Somebody else is called {row.public_name} already. Choose another name for others to read."
            row = _as(row, "problem", words)
        if row.verdict == "new" and places is not None and places <= 0:
            row = (
                _as(row, "waitlist", "All places are taken: waits for one.")
                if event.waitlist
                else _as(row, "problem", f"All {event.capacity} places are taken. Raise the limit, or keep a waitlist.")
            )
        if row.comes_in:
            lines[row.key] = entry.line
            taken |= {row.key, *([name_key(row.public_name)] if row.public_name else [])}
            places = None if places is None else places - 1
            parts = tuple(sorted(row.key.split()))
            other, line = turned.setdefault(parts, (row.key, entry.line))
            if other != row.key and not row.message:
                row = _as(row, row.verdict, f"The same words as in line {line}, in another order: is it one person?")
        yield row


def _checked(entry: Entry) -> RowVerdict:
    """The row by itself: what it says can be stored."""
    if not entry.name.strip():
        return RowVerdict(entry, "", "", "problem", f"There is no name. {entry.problem}".strip())
    try:
        name = clean_display_name(entry.name)
        public_name = clean_display_name(entry.public_name) if entry.public_name else ""
        team = clean_display_name(entry.team) if entry.team else ""
    except DomainError as error:
        return RowVerdict(entry, entry.name[:LONGEST_KEY], "", "problem", f"{error.message} {entry.problem}".strip())
    verdict: Verdict = "problem" if entry.problem else "new"
    public_name = "" if name_key(public_name) == name_key(name) else public_name
    return RowVerdict(entry, name, name_key(name)[:LONGEST_KEY], verdict, entry.problem, public_name, team)


def _as(row: RowVerdict, verdict: Verdict, message: str) -> RowVerdict:
    return RowVerdict(row.entry, row.name, row.key, verdict, message, row.public_name, row.team)


@dataclass(frozen=True, slots=True)
class Imported:
    """A list that came in. ``left`` of its players could still be taken out again."""

    token: str
    at: datetime
    by: str
    players: int
    left: int
    undone: bool


def imports_of(event: Event) -> list[Imported]:
    """The newest first. 2 queries, 1 without any."""
    kinds = ("players.imported", "players.import_undone")
    entries = list(LogEntry.objects.filter(event=event, kind__in=kinds).order_by("-seq")[: 2 * LATEST_IMPORTS])
    undone = {entry.payload["list"] for entry in entries if entry.kind == "players.import_undone"}
    lists = [entry for entry in entries if entry.kind == "players.imported"][:LATEST_IMPORTS]
    if not lists:
        return []
    untouched = set(untouched_players(event).values_list("pk", flat=True))
    return [
        Imported(
            token=entry.payload["list"],
            at=entry.at,
            by=entry.actor_name,
            players=len(entry.payload["players"]),
            left=len(untouched & set(entry.payload["players"])),
            undone=entry.payload["list"] in undone,
        )
        for entry in lists
    ]


def untouched_players(event: Event) -> QuerySet[Player]:
    """Who has done nothing yet: no account has claimed the entry, nobody has come, no decklist is in. 1 query when
    evaluated."""
    waits = (Player.State.REGISTERED, Player.State.WAITLISTED)
    return event.players.filter(user=None, state__in=waits, is_present=False, submissions=None)
