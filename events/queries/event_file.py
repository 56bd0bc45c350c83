"""An event written out as one file, row after row, so that a large one needs no more memory than a small one."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import Any

from django.contrib.postgres.aggregates import ArrayAgg
from django.db import connection, transaction

from cards.models import Product
from config.errors import NotFound
from events.engine.event_file import FORMAT, VERSION, Audience
from events.models import Event, LogEntry, Pack, PodSeat, Round, RoundPlan, Seat, Standing
from events.queries.access import Viewer
from events.queries.public_pages import hidden_actors

CHUNK = 500
TOLD_AFTERWARDS = frozenset(
    {
        "round.drafted",
        "round.drafted_by_hand",
        "round.seats_changed",
        "round.discarded",
        "round.mended",
        "result.corrected",
    }
)
"""How rounds came about: for staff while they are drafts, and needed by whoever makes them again from the secret."""
Row = dict[str, Any]


def audience_of(event: Event, viewer: Viewer) -> Audience:
    """Which file somebody may have: that of staff, or once the event is finished that of the public. No query.

    Raises NotFound "event_file.not_yet"."""
    if viewer.runs_rounds and viewer.reads_whole_log:
        return "staff"
    if not may_download(event, viewer):
        raise NotFound("event_file.not_yet", "The file of the event is for everybody once it is finished.")
    return "public"


def may_download(event: Event, viewer: Viewer) -> bool:
    """Whether ``audience_of`` has a file for them. No query."""
    return event.state == Event.State.FINISHED or (viewer.runs_rounds and viewer.reads_whole_log)


def event_file(event_id: int, audience: Audience) -> Iterator[str]:
    """The text of the file in pieces, all as of one moment. Twelve queries at most, and four for each round.

    ``audience`` "public" has none of what is not public: entries of the log, names that players hide, packs, drafts of
    rounds. The secret is in neither before the event is finished."""
    with _one_moment():
        event = Event.objects.select_related("game", "format", "policy").get(pk=event_id)
        yield from _file(event, audience)


@contextlib.contextmanager
def _one_moment() -> Iterator[None]:
    """Everything is read from one snapshot, whoever writes meanwhile, and keeps nobody from writing."""
    begins = not connection.in_atomic_block
    with transaction.atomic():
        if begins:
            with connection.cursor() as cursor:
                cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
        yield


def _file(event: Event, audience: Audience) -> Iterator[str]:
    staff = audience == "staff"
    yield f'{{"kind": {_json(FORMAT)}, "file_version": {VERSION}, "audience": {_json(audience)}'
    yield f',\n"event": {_json(_facts(event))}'
    yield f',\n"rules": {_json(event.rules)}'
    yield from _list("players", _players(event, staff))
    yield from _list("stages", _stages(event))
    opened = staff and event.state == Event.State.FINISHED
    yield f',\n"products": {_json(_products(event) if opened else {})}'
    yield from _list("packs", _packs(event) if opened else ())
    yield from _list("rounds", _rounds(event, staff))
    yield from _list("log", _log(event, staff))
    yield "\n}\n"


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _list(name: str, rows: Iterable[Row]) -> Iterator[str]:
    yield f',\n"{name}": ['
    between = "\n"
    for row in rows:
        yield between + _json(row)
        between = ",\n"
    yield "]"


def _facts(event: Event) -> Row:
    finished = event.state == Event.State.FINISHED
    return {
        "code": event.code,
        "name": event.name,
        "place": event.place,
        "starts_at": event.starts_at.isoformat(),
        "time_zone": event.time_zone,
        "game": event.game.slug,
        "format": event.format.slug,
        "legality_date": event.legality_date.isoformat(),
        "policy": event.policy.slug,
        "state": event.state,
        "version": event.version,
        "commitment": event.commitment,
        "secret": bytes(event.secret).hex() if finished else None,
        "log_head": event.log_head,
    }


def _players(event: Event, staff: bool) -> Iterator[Row]:
    for player in event.players.order_by("pk").iterator(CHUNK):
        yield {
            "id": player.pk,
            "name": player.name if staff else player.shown_name,
            "state": player.state,
            "lot": player.lot,
            "entered_from_round": player.entered_from_round,
            "dropped_after_round": player.dropped_after_round,
            "late_entries": [{key: entry[key] for key in ("round", "missed", "new")} for entry in player.late_entries],
        }


def _stages(event: Event) -> Iterator[Row]:
    seats = PodSeat.objects.filter(pod__event=event).order_by("pod__stage__number", "pod__number", "index")
    pods: dict[int, list[list[int]]] = {}
    rows = seats.values_list("pod__stage__number", "pod__number", "player_id")
    for (stage, _), group in groupby(rows, lambda row: row[:2]):
        pods.setdefault(stage, []).append([player for _, _, player in group])
    for stage in event.stages.order_by("number"):
        yield {
            "number": stage.number,
            "kind": stage.kind,
            "state": stage.state,
            "config": stage.config,
            "rounds_planned": stage.rounds_planned,
            "seeds": stage.seeds,
            "pods": pods.get(stage.number, []),
        }


def _packs(event: Event) -> Iterator[Row]:
    seats = PodSeat.objects.filter(pod__event=event).values_list("pod__stage", "player", "index")
    place_of = {(stage, player): place for stage, player, place in seats}
    pools = Pack.objects.filter(event=event, pod=None).order_by("stage", "opened_by").distinct()
    for stage, group in groupby(pools.values_list("stage", "opened_by"), lambda row: row[0]):
        place_of |= {(stage, player): place for place, (_, player) in enumerate(group)}
    packs = Pack.objects.filter(event=event).select_related("product", "pod", "stage").order_by("pk")
    for pack in packs.annotate(held=ArrayAgg("cards__card", order_by="cards__position")).iterator(CHUNK):
        yield {
            "stage": pack.stage.number,
            "pod": pack.pod.number if pack.pod is not None else 0,
            "number": pack.number,
            "place": place_of[pack.stage_id, pack.opened_by_id],
            "product": str(pack.product_id),
            "cards": pack.held,
        }


def _products(event: Event) -> Row:
    found = Product.objects.filter(pk__in=Pack.objects.filter(event=event).values("product"))
    return {str(product.pk): product.definition for product in found}


def _rounds(event: Event, staff: bool) -> Iterator[Row]:
    rounds = Round.objects.filter(event=event).order_by("sequence").select_related("stage")
    for round_ in rounds if staff else rounds.exclude(state=Round.State.DRAFT):
        plan = RoundPlan.objects.filter(round=round_).values("content", "history").first()
        standings = Standing.objects.filter(round=round_).order_by("rank")
        complete = round_.state == Round.State.COMPLETE
        yield {
            "sequence": round_.sequence,
            "stage": round_.stage.number,
            "number": round_.number,
            "state": round_.state,
            "plan": plan,
            "matches": list(_matches(round_)),
            "standings": list(standings.values_list("player_id", "rank", "values")) if complete else None,
        }


def _matches(round_: Round) -> Iterator[Row]:
    seats = Seat.objects.filter(round=round_).order_by("match", "index")
    by_match = {
        match: [_seat(row[1:]) for row in group]
        for match, group in groupby(
            seats.values_list("match", "player", "outcome", "game_wins", "game_losses", "game_draws", "side", "place"),
            lambda row: row[0],
        )
    }
    rows = round_.matches.order_by("table", "pk").values_list("pk", "table", "bracket_slot", "state", "by_hand")
    for pk, table, slot, state, by_hand in rows:
        yield {
            "id": pk,
            "table": table,
            "slot": slot,
            "state": state,
            "by_hand": by_hand,
            "seats": by_match.get(pk, []),
        }


def _seat(facts: Sequence[Any]) -> Row:
    player, outcome, won, lost, drawn, side, place = facts
    games = None if won is None else [won, lost or 0, drawn or 0]
    return {"player": player, "outcome": outcome, "games": games, "side": side, "place": place}


def _log(event: Event, staff: bool) -> Iterator[Row]:
    """Of who hid the name after acting, the public reads no name: the hash is of the one before."""
    hidden = {} if staff else hidden_actors(event)
    entries = LogEntry.objects.filter(event=event).order_by("seq")
    fields = ("seq", "kind", "payload", "actor_id", "actor_name", "at", "is_public", "prev_hash", "hash")
    for seq, kind, payload, actor, name, at, is_public, before, digest in entries.values_list(*fields).iterator(CHUNK):
        told = staff or is_public or kind in TOLD_AFTERWARDS
        named = told and hidden.get(actor, name) == name
        yield {
            "seq": seq,
            "kind": kind if told else None,
            "payload": payload if told else None,
            "actor": name if named else None,
            "at": at.isoformat(),
            "prev_hash": before,
            "hash": digest,
        }
