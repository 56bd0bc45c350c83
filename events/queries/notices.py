"""Who has to be told what, and by which ways they want it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from itertools import groupby
from operator import itemgetter

from allauth.account.models import EmailAddress
from django.db.models import Q, QuerySet
from django.db.models.functions import Now

from events.models import (
    Channel,
    Delivery,
    Event,
    Match,
    MutedEvent,
    Notice,
    NoticeChoice,
    OutboxMessage,
    Player,
    PushSubscription,
    Round,
    Seat,
)
from events.sentences import round_name
from events.sentences_notices import Place, dropped_line, moved_line, place_from_json, plain_line, posted_line

WAYS = (Channel.EMAIL, Channel.PUSH)
BY_CLOCK = {Notice.TIME_CALLED, Notice.EVENT_STARTED}
DEFAULTS = {
    Channel.EMAIL: frozenset(Notice) - BY_CLOCK,
    Channel.PUSH: frozenset(Notice) - {Notice.TIME_CALLED},
}
"""What somebody gets who never chose. E-mails come too late for what a clock decides."""

OLDEST = timedelta(hours=1)
"""After that nobody wants to know any more; it can be read on the pages."""

Lines = dict[int, str]


@dataclass(frozen=True)
class Ways:
    """By which ways people want to be told one kind of notice of one event."""

    by_mail: frozenset[int]
    browsers: Mapping[int, list[int]] = field(default_factory=dict)


def is_wanted(choices: Mapping[tuple[str, str], bool], kind: str, channel: str) -> bool:
    return choices.get((kind, channel), Notice(kind) in DEFAULTS[Channel(channel)])


def ways_of(event_id: int, kind: str, user_ids: Iterable[int]) -> Ways:
    """4 queries. Nobody is written to whose address was to be confirmed and is not."""
    users = set(user_ids)
    users -= set(MutedEvent.objects.filter(event=event_id, user__in=users).values_list("user", flat=True))
    choices: dict[int, dict[tuple[str, str], bool]] = {}
    for user, channel, wanted in NoticeChoice.objects.filter(user__in=users, kind=kind).values_list(
        "user", "channel", "wanted"
    ):
        choices.setdefault(user, {})[kind, channel] = wanted
    doubtful = set(unconfirmed(users))
    pushed = {user for user in users if is_wanted(choices.get(user, {}), kind, Channel.PUSH)}
    browsers: dict[int, list[int]] = {}
    for user, browser in PushSubscription.objects.filter(user__in=pushed).values_list("user", "pk").order_by("pk"):
        browsers.setdefault(user, []).append(browser)
    mailed = {user for user in users - doubtful if is_wanted(choices.get(user, {}), kind, Channel.EMAIL)}
    return Ways(frozenset(mailed), browsers)


def unconfirmed(user_ids: Iterable[int]) -> list[int]:
    """Whose login address was asked to be confirmed, and is not. 1 query."""
    asked = EmailAddress.objects.filter(user__in=set(user_ids), verified=False)
    return list(asked.filter(primary=True).values_list("user", flat=True))


def lines_of(message: OutboxMessage) -> Lines:
    """What each player of the event is told by a message of the outbox, as things are now: an event that is over, a
    round that is played or was taken back, and a message that lay there for long tell nobody anything. At most 4
    queries."""
    over = message.topic == Notice.EVENT_CANCELLED
    going_on = over or message.event.state in (Event.State.REGISTRATION, Event.State.RUNNING)
    fresh = OutboxMessage.objects.filter(pk=message.pk, created_at__gt=Now() - OLDEST)
    return _LINES[Notice(message.topic)](message) if going_on and fresh.exists() else {}


def _posted(message: OutboxMessage) -> Lines:
    round_ = _shown_round(message)
    if round_ is None or round_.posted_at is None or round_.posted_at.isoformat() != message.payload["posted_at"]:
        return {}  # taken back, and perhaps posted again, which has a message of its own
    return posted_lines(round_)


def posted_lines(round_: Round) -> Lines:
    """What everybody who sits in a round is told of their place, by player. 1 query, one more without its stage."""
    words = _round_words(round_)
    return {player: posted_line(words, place) for player, place in places_in(round_).items()}


def _unposted(message: OutboxMessage) -> Lines:
    """Only whoever was told of the pairings has to forget them."""
    round_ = Round.objects.select_related("stage").filter(event=message.event_id, sequence=message.payload["round"])
    taken_back = round_.filter(state=Round.State.DRAFT).first()
    told = of_round(message.event_id, message.payload["round"]).filter(state=Delivery.State.SENT)
    words = f"Round {message.payload['round']}" if taken_back is None else _round_words(taken_back)
    line = plain_line(message.topic, message.event.name, words)
    return dict.fromkeys(told.values_list("player", flat=True).distinct().order_by(), line)


def of_round(event_id: int, number: int) -> QuerySet[Delivery]:
    """What players were told of their places in a round, or are about to be. 1 query when evaluated."""
    kinds = (Notice.ROUND_POSTED, Notice.PLAYERS_MOVED)
    return Delivery.objects.filter(event=event_id, kind__in=kinds, payload__round=number)


def _moved(message: OutboxMessage) -> Lines:
    round_ = _shown_round(message)
    if round_ is None:
        return {}
    before = {int(player): value and place_from_json(value) for player, value in message.payload["before"].items()}
    after, words = places_in(round_), _round_words(round_)
    return {
        player: moved_line(words, was, after.get(player)) for player, was in before.items() if was != after.get(player)
    }


def _time_called(message: OutboxMessage) -> Lines:
    round_ = _shown_round(message)
    if round_ is None:
        return {}
    playing = Seat.objects.filter(round=round_).exclude(match__table=None).exclude(match__state=Match.State.CONFIRMED)
    line = plain_line(message.topic, message.event.name, _round_words(round_))
    return dict.fromkeys(playing.values_list("player", flat=True), line)


def _started(message: OutboxMessage) -> Lines:
    there = Player.objects.filter(event=message.event_id, state=Player.State.CHECKED_IN)
    return dict.fromkeys(there.values_list("pk", flat=True), plain_line(message.topic, message.event.name))


def _cancelled(message: OutboxMessage) -> Lines:
    players = Player.objects.filter(event=message.event_id).exclude(state=Player.State.DROPPED)
    return dict.fromkeys(players.values_list("pk", flat=True), plain_line(message.topic, message.event.name))


def _named(message: OutboxMessage) -> Lines:
    return dict.fromkeys(_those_named(message), plain_line(message.topic, message.event.name))


def _dropped(message: OutboxMessage) -> Lines:
    return dict.fromkeys(_those_named(message), dropped_line(message.event.name, message.payload.get("why", "")))


def _those_named(message: OutboxMessage) -> list[int]:
    named = Player.objects.filter(event=message.event_id, pk__in=message.payload["players"])
    return list(named.values_list("pk", flat=True))


_LINES: dict[Notice, Callable[[OutboxMessage], Lines]] = {
    Notice.ROUND_POSTED: _posted,
    Notice.ROUND_UNPOSTED: _unposted,
    Notice.PLAYERS_MOVED: _moved,
    Notice.TIME_CALLED: _time_called,
    Notice.EVENT_STARTED: _started,
    Notice.DECKLIST_REMINDER: _named,
    Notice.PLAYER_DROPPED: _dropped,
    Notice.PLACE_WON: _named,
    Notice.EVENT_CANCELLED: _cancelled,
}


def _shown_round(message: OutboxMessage) -> Round | None:
    rounds = Round.objects.select_related("stage").filter(event=message.event_id, sequence=message.payload["round"])
    return rounds.exclude(state__in=[Round.State.DRAFT, Round.State.COMPLETE]).first()


def _round_words(round_: Round) -> str:
    return round_name(round_.stage, round_.number, round_.sequence)


def places_in(round_: Round, players: Iterable[int] | None = None) -> dict[int, Place]:
    """Where everybody sits, or those ``players``, with the names that others read. 1 query, of values: thousands wait
    for a posting."""
    rows = Seat.objects.filter(round=round_).order_by("match_id", "index")
    columns = rows.values_list("match", "match__table", "player", "player__public_name", "player__name")
    wanted = None if players is None else set(players)
    found: dict[int, Place] = {}
    for _, at_table in groupby(columns, key=itemgetter(0)):
        sitting = [(table, player, public_name or name) for _, table, player, public_name, name in at_table]
        for table, player, _ in sitting:
            if wanted is None or player in wanted:
                found[player] = Place(table, tuple(name for _, other, name in sitting if other != player))
    return found


def choices_of(user_id: int) -> dict[tuple[str, str], bool]:
    """What somebody chose otherwise than by default: (kind, channel) to wanted. 1 query."""
    rows = NoticeChoice.objects.filter(user=user_id).values_list("kind", "channel", "wanted")
    return {(kind, channel): wanted for kind, channel, wanted in rows}


def mutable_events(user_id: int) -> list[tuple[Event, bool]]:
    """Events of somebody that are not over, the next first, and whether each is muted. 2 queries."""
    muted = set(MutedEvent.objects.filter(user=user_id).values_list("event", flat=True))
    going_on = Q(state__in=[Event.State.REGISTRATION, Event.State.RUNNING], players__user=user_id)
    return [(event, event.pk in muted) for event in Event.objects.filter(going_on).order_by("starts_at", "pk")]


def browsers_of(user_id: int) -> int:
    """How many browsers show notices to somebody. 1 query."""
    return PushSubscription.objects.filter(user=user_id).count()
