from events.models.drafting import Pack, PackCard, Pick, Pod, PodSeat, PoolCard
from events.models.event import Event, Prize, Series, StaffInvite, StaffRole, Stage
from events.models.history import IdempotencyRecord, LogEntry, OutboxMessage
from events.models.players import Avoidance, DecklistSubmission, Player, Team
from events.models.playing import GameConfiguration, PrintJob
from events.models.rounds import (
    ClockInterval,
    Game,
    Match,
    Result,
    ResultReport,
    Round,
    RoundPlan,
    Seat,
    Standing,
    TimeExtension,
)
from events.models.telling import Delivery, NotificationSetting, PushSubscription, Webhook

__all__ = [
    "Avoidance",
    "ClockInterval",
    "DecklistSubmission",
    "Delivery",
    "Event",
    "Game",
    "GameConfiguration",
    "IdempotencyRecord",
    "LogEntry",
    "Match",
    "NotificationSetting",
    "OutboxMessage",
    "Pack",
    "PackCard",
    "Pick",
    "Player",
    "Pod",
    "PodSeat",
    "PoolCard",
    "PrintJob",
    "Prize",
    "PushSubscription",
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
