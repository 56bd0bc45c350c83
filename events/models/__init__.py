from events.models.attendance import Absence
from events.models.closing import Prize, PrizeHandover
from events.models.drafting import Pack, PackCard, Pick, Pod, PodSeat, PoolCard
from events.models.event import Event, StaffRole, Stage
from events.models.games import ExtraTurn, Game
from events.models.history import IdempotencyRecord, LogEntry, OutboxMessage
from events.models.notifications import (
    Channel,
    Delivery,
    MutedEvent,
    Notice,
    NoticeChoice,
    PushSubscription,
    Webhook,
)
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
from events.models.series import Series
from events.models.staff import DeckCheck, StaffInvite

__all__ = [
    "Absence",
    "Avoidance",
    "Channel",
    "ClockInterval",
    "DeckCheck",
    "DecklistSubmission",
    "Delivery",
    "Event",
    "ExtraTurn",
    "Game",
    "GameConfiguration",
    "IdempotencyRecord",
    "LogEntry",
    "Match",
    "MutedEvent",
    "Notice",
    "NoticeChoice",
    "OutboxMessage",
    "Pack",
    "PackCard",
    "Pick",
    "Player",
    "Pod",
    "PodSeat",
    "PoolCard",
    "PrintJob",
    "PushSubscription",
    "Prize",
    "PrizeHandover",
    "Result",
    "ResultReport",
    "Round",
    "RoundPlan",
    "Seat",
    "Series",
    "StaffInvite",
    "StaffRole",
    "Stage",
    "Standing",
    "Team",
    "TimeExtension",
    "Webhook",
]
