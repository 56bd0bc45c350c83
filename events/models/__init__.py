from events.models.drafting import Pack, PackCard, Pick, Pod, PodSeat, PoolCard
from events.models.event import Event, StaffRole, Stage
from events.models.history import IdempotencyRecord, LogEntry, OutboxMessage
from events.models.players import Avoidance, DecklistSubmission, Player, Team
from events.models.playing import GameConfiguration, PrintJob
from events.models.rounds import (
    ClockInterval,
    Match,
    Result,
    ResultReport,
    Round,
    RoundPlan,
    Seat,
    Standing,
    TimeExtension,
)

__all__ = [
    "Avoidance",
    "ClockInterval",
    "DecklistSubmission",
    "Event",
    "GameConfiguration",
    "IdempotencyRecord",
    "LogEntry",
    "Match",
    "OutboxMessage",
    "Pack",
    "PackCard",
    "Pick",
    "Player",
    "Pod",
    "PodSeat",
    "PoolCard",
    "PrintJob",
    "Result",
    "ResultReport",
    "Round",
    "RoundPlan",
    "Seat",
    "StaffRole",
    "Stage",
    "Standing",
    "Team",
    "TimeExtension",
]
