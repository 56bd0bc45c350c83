"""The log of an event: found by kind, round, person and text, and read back as the event that it tells of."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.db.models import BooleanField, F, Func, Min, Q, QuerySet, TextField, Value
from django.db.models.functions import Cast

from config.errors import DomainError, NotFound
from events.engine.replay import EventState, replay
from events.models import Event, LogEntry
from events.queries.access import Viewer
from events.queries.visibility import log_for

PAGE = 100
MOST_NAMED = 50
LONGEST_TEXT = 60
GROUPS: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "event": ("Event", ("event.", "stage.", "prize.", "prizes.", "series.")),
    "players": ("Players", ("player.", "players.", "avoidance.")),
    "decklists": ("Decklists", ("decklist.", "decklists.", "deck.", "sideboarding.")),
    "rounds": ("Rounds and clock", ("round.", "clock.")),
    "results": ("Results", ("result.", "match.", "game.")),
    "packs": ("Packs and picks", ("draft.", "sealed.")),
    "staff": ("Staff", ("staff.", "webhook.", "deliveries.")),
}
"""Kinds that are asked for together: what they are called, and how they begin."""

BEGINS_ROUND = ("round.drafted", "round.drafted_by_hand", "round.posted")
_PLAYERS = (
    "$.player",
    "$.players[*]",
    "$.one",
    "$.other",
    "$.no_shows[*]",
    "$.scores[*].player",
    "$.after[*].player",
    "$.matches[*].players[*]",
    "$.made[*][*]",
    "$.ended[*][*]",
    "$.pods[*][*]",
    "$.standings[*][0]",
)
_NAMES_PLAYER = " || ".join(f"{place} == $ids[*]" for place in _PLAYERS)


@dataclass(frozen=True)
class Wanted:
    """What of a log is asked for; "" and None are no matter. ``kind`` is a key of ``GROUPS`` or one kind; ``by`` is a
    part of a name; ``before`` and ``after`` are numbers of entries."""

    kind: str = ""
    player: int | None = None
    round: int | None = None
    by: str = ""
    text: str = ""
    before: int | None = None
    after: int | None = None


@dataclass(frozen=True)
class LogPage:
    """Entries, the newest first. ``older`` and ``newer`` are where the pages beside begin, None where there is none."""

    entries: Sequence[LogEntry]
    older: int | None
    newer: int | None


def log_page(
    event: Event, viewer: Viewer, wanted: Wanted, *, names: Mapping[int, str], hidden: Mapping[int, str]
) -> LogPage:
    """Of the entries that the viewer may read. ``names`` are the players' as the viewer reads them; ``hidden`` are the
    accounts whose names the viewer may not read, with what stands there instead. 1 query, 2 for a round.

    Raises DomainError "log.kind", "log.text"."""
    entries = asked_for(event, viewer, wanted, names=names, hidden=hidden)
    if wanted.after is not None:
        rows = list(entries.filter(seq__gt=wanted.after).order_by("seq")[: PAGE + 1])
        more, rows = len(rows) > PAGE, list(reversed(rows[:PAGE]))
        return LogPage(rows, _last(rows), rows[0].seq if more else None)
    if wanted.before is not None:
        entries = entries.filter(seq__lt=wanted.before)
    rows = list(entries.order_by("-seq")[: PAGE + 1])
    more, rows = len(rows) > PAGE, rows[:PAGE]
    return LogPage(rows, _last(rows) if more else None, rows[0].seq if rows and wanted.before is not None else None)


def _last(rows: Sequence[LogEntry]) -> int | None:
    return rows[-1].seq if rows and rows[-1].seq > 1 else None


def asked_for(
    event: Event, viewer: Viewer, wanted: Wanted, *, names: Mapping[int, str], hidden: Mapping[int, str]
) -> QuerySet[LogEntry]:
    """All entries of ``log_page`` in order, whatever page. 1 query when evaluated, and one at once for a round."""
    entries = log_for(event, viewer)
    if len(wanted.text) > LONGEST_TEXT or len(wanted.by) > LONGEST_TEXT:
        raise DomainError("log.text", f"Look for at most {LONGEST_TEXT} characters.")
    if wanted.kind in GROUPS:
        found = Q()
        for beginning in GROUPS[wanted.kind][1]:
            found |= Q(kind__startswith=beginning)
        entries = entries.filter(found)
    elif wanted.kind:
        if "." not in wanted.kind:
            raise DomainError("log.kind", "Choose one of the kinds of entries.", {"kinds": list(GROUPS)})
        entries = entries.filter(kind=wanted.kind)
    if wanted.player is not None:
        entries = entries.filter(_names([wanted.player]))
    if wanted.round is not None:
        entries = entries.filter(_of_round(event, wanted.round))
    if wanted.by:
        entries = entries.filter(_by(wanted.by, hidden))
    if wanted.text:
        entries = entries.annotate(said=Cast("payload", TextField())).filter(_says(wanted.text, names, hidden))
    return entries


def _names(players: Sequence[int]) -> Func:
    path = Func(Value(_NAMES_PLAYER), template="%(expressions)s::jsonpath")
    ids = Func(Value(json.dumps({"ids": list(players)})), template="%(expressions)s::jsonb")
    silent = Value(True)
    return Func(F("payload"), path, ids, silent, function="jsonb_path_match", output_field=BooleanField())


def _of_round(event: Event, number: int) -> Q:
    """While it was the newest round, or said of it later."""
    starts = dict(
        LogEntry.objects.filter(event=event, kind__in=BEGINS_ROUND, payload__round__in=[number, number + 1])
        .values_list("payload__round")
        .annotate(first=Min("seq"))
    )
    said = Q(payload__round=number) | Q(payload__mended_round=number)
    if number not in starts:
        return said
    during = Q(seq__gte=starts[number])
    if number + 1 in starts:
        during &= Q(seq__lt=starts[number + 1])
    return said | during


def _by(name: str, hidden: Mapping[int, str]) -> Q:
    """Who acted, under the name that the viewer reads."""
    shown = [user for user, other in hidden.items() if name.casefold() in other.casefold()]
    plain = Q(actor_name__icontains=name) & (Q(actor=None) | ~Q(actor__in=list(hidden)))
    return plain | Q(actor__in=shown)


def _says(text: str, names: Mapping[int, str], hidden: Mapping[int, str]) -> Q:
    """In the kind, in what it holds, in the name of who acted, or in that of a player it is about."""
    wanted = text.casefold()
    players = [player for player, name in names.items() if wanted in name.casefold()][:MOST_NAMED]
    found = Q(kind__icontains=text.replace(" ", "_")) | Q(said__icontains=text) | _by(text, hidden)
    return found | Q(_names(players)) if players else found


def entry_at(event: Event, viewer: Viewer, seq: int) -> tuple[LogEntry, int | None, int | None]:
    """The entry, and the numbers of those before and behind it that the viewer may read. 3 queries.

    Raises NotFound "log.unknown", for an entry that the viewer may not read as for none."""
    readable = log_for(event, viewer)
    found = readable.filter(seq=seq).first()
    if found is None:
        raise NotFound("log.unknown", "There is no such entry in the log.", {"entry": seq})
    numbers = readable.values_list("seq", flat=True)
    return found, numbers.filter(seq__lt=seq).order_by("-seq").first(), numbers.filter(seq__gt=seq).first()


RESULTS = ("result.", "match.", "game.")


def state_at(event: Event, viewer: Viewer, seq: int, *, round_number: int | None = None) -> EventState:
    """The event after entry ``seq``, as far as the viewer may read its log; results of the round asked for, or else of
    the newest one. 2 queries: what results were entered in other rounds is not read."""
    entries = log_for(event, viewer).filter(seq__lte=seq)
    results = Q()
    for beginning in RESULTS:
        results |= Q(kind__startswith=beginning)
    skeleton = list(entries.exclude(results).exclude(kind="draft.picked").values_list("seq", "kind", "payload"))
    first, last = _window(skeleton, round_number)
    within = Q(seq__gte=first) if last is None else Q(seq__gte=first, seq__lt=last)
    told = entries.filter(results).filter(within | Q(kind="result.corrected")).values_list("seq", "kind", "payload")
    merged = sorted([*skeleton, *told], key=lambda row: row[0])
    return replay((kind, payload) for _, kind, payload in merged)


def _window(
    skeleton: Sequence[tuple[int, str, Mapping[str, object]]], round_number: int | None
) -> tuple[int, int | None]:
    """From which entry on the results of a round are, and before which."""
    first: int | None = None
    last: int | None = None
    newest = max((int(str(said["round"])) for _, kind, said in skeleton if kind == "round.posted"), default=0)
    wanted = newest if round_number is None else round_number
    for seq, kind, said in skeleton:
        if kind == "round.posted" and said["round"] == wanted and first is None:
            first = seq
        if kind == "round.posted" and said["round"] == wanted + 1 and last is None:
            last = seq
    return first or 0, last
