"""An event as one file: what was decided beforehand, what was drawn, what was played, and the log of it all.

It holds what it takes to prove the event without the database that it was played in. There are two kinds. That of staff
has every entry of the log. That of the public, made once the event is finished, withholds what is not public: of such
an entry the hash is left, and the chain still holds around it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from pydantic import AwareDatetime, ConfigDict, TypeAdapter, ValidationError

from config.errors import Unprocessable

FORMAT, VERSION = "tiltyard.event", 1
STRICT = ConfigDict(extra="forbid")
Audience = Literal["public", "staff"]


@dataclass(frozen=True, slots=True, kw_only=True)
class EventFacts:
    """``commitment`` is the SHA-256 of ``secret``, both in hex; the secret is null until the event is finished.
    ``log_head`` is the hash of the newest entry of the log, empty before the first."""

    __pydantic_config__ = STRICT

    code: str
    name: str
    place: str
    starts_at: AwareDatetime
    time_zone: str
    game: str
    format: str
    legality_date: str
    policy: str
    state: str
    version: int
    commitment: str
    secret: str | None
    log_head: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FileLateEntry:
    __pydantic_config__ = STRICT

    round: int
    missed: list[int]
    new: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class FilePlayer:
    """``lot`` is 0 for who was never in. ``late_entries`` are those after the start: "round" is the first that was
    played, "missed" those before it that count as missed, "new" whether the lot was drawn then."""

    __pydantic_config__ = STRICT

    id: int
    name: str
    state: Literal["registered", "waitlisted", "checked_in", "dropped"]
    lot: int
    entered_from_round: int
    dropped_after_round: int | None
    late_entries: tuple[FileLateEntry, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class FileStage:
    """``config`` is its part of the rules; ``pods`` are players by seat, ``seeds`` players by seed of a bracket."""

    __pydantic_config__ = STRICT

    number: int
    kind: str
    state: Literal["waiting", "active", "complete"]
    config: dict[str, Any]
    rounds_planned: int | None
    seeds: list[int]
    pods: list[list[int]]


@dataclass(frozen=True, slots=True, kw_only=True)
class FileSeat:
    """``games`` are won, lost and drawn; null where none are counted or nothing is decided."""

    __pydantic_config__ = STRICT

    player: int
    outcome: str | None
    games: tuple[int, int, int] | None
    side: str
    place: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class FileMatch:
    __pydantic_config__ = STRICT

    id: int
    table: int | None
    slot: int | None
    state: Literal["open", "reported", "disputed", "confirmed"]
    by_hand: bool
    seats: list[FileSeat]


@dataclass(frozen=True, slots=True, kw_only=True)
class FilePlan:
    """What the engine was given and what it answered, so that the round can be made again."""

    __pydantic_config__ = STRICT

    content: dict[str, Any]
    history: list[Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class FileRound:
    """``standings`` are [player, rank, values by metric as exact fractions]; null until the round is complete."""

    __pydantic_config__ = STRICT

    sequence: int
    stage: int
    number: int
    state: Literal["draft", "posted", "playing", "time", "complete"]
    plan: FilePlan | None
    matches: list[FileMatch]
    standings: list[tuple[int, int, dict[str, str]]] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class FilePack:
    """``product`` names one of the file's; ``place`` is that of who opened it: a seat in the pod, or among all."""

    __pydantic_config__ = STRICT

    stage: int
    pod: int
    number: int
    place: int
    product: str
    cards: list[int]


@dataclass(frozen=True, slots=True, kw_only=True)
class FileEntry:
    """One entry of the log. ``payload`` or ``actor`` is null where it is withheld: nobody can compute ``hash`` then."""

    __pydantic_config__ = STRICT

    seq: int
    kind: str | None
    payload: dict[str, Any] | None
    actor: str | None
    at: AwareDatetime
    prev_hash: str
    hash: str

    @property
    def is_whole(self) -> bool:
        return self.kind is not None and self.payload is not None and self.actor is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class EventFile:
    """Packs and products are in the file of staff only: they tell what players had to build their decks from."""

    __pydantic_config__ = STRICT

    kind: Literal["tiltyard.event"]
    file_version: Literal[1]
    audience: Audience
    event: EventFacts
    rules: dict[str, Any]
    players: list[FilePlayer]
    stages: list[FileStage]
    products: dict[str, Any]
    packs: list[FilePack]
    rounds: list[FileRound]
    log: list[FileEntry]


_SHAPE: TypeAdapter[EventFile] = TypeAdapter(EventFile)


def read_event_file(text: str | bytes) -> EventFile:
    """Raises Unprocessable "event_file.unreadable" with every fault and where it is."""
    try:
        return _SHAPE.validate_json(text)
    except ValidationError as error:
        faults = [
            {"where": "/".join(map(str, fault["loc"])) or "the file", "what": fault["msg"]}
            for fault in error.errors(include_url=False, include_input=False, include_context=False)
        ]
        first = faults[0]
        more = f" and {len(faults) - 1} more" if len(faults) > 1 else ""
        raise Unprocessable(
            "event_file.unreadable",
            f"{first['where']}: {first['what']}{more}. docs/schemas/event.json says what the file of an event is like.",
            {"faults": faults[:20]},
        ) from None
