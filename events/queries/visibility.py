"""What of an event each person may see. Nothing here hands out what the viewer may not know of."""

from __future__ import annotations

from collections.abc import Callable

from django.db.models import Count, F, Prefetch, Q, QuerySet

from config.errors import NotFound
from events.models import DecklistSubmission, Event, LogEntry, Match, Player, PodSeat, Round, Seat, Stage, Standing
from events.queries.access import Viewer
from events.queries.registration import HOLDING

WITH_VERDICTS = (
    "decklist__verdict",
    "decklist__later_verdict__publication",
    "decklist__format_version__format__game",
)
"""What to select with a submission whose decklist is shown."""


def seats_by_index() -> Prefetch:
    """For matches: their seats with the players, seat A first."""
    return Prefetch("seats", Seat.objects.select_related("player").order_by("index"))


def events_to_list() -> QuerySet[Event]:
    """Every event that was neither cancelled nor archived, the newest first, with ``player_count``. 1 query when
    evaluated."""
    return (
        Event.objects.exclude(state=Event.State.CANCELLED)
        .filter(archived_at=None)
        .select_related("game", "format")
        .annotate(player_count=Count("players", filter=Q(players__state__in=HOLDING)))
        .order_by("-starts_at", "-pk")
    )


def player_in(event: Event, player_id: int, *, players: QuerySet[Player] | None = None) -> Player:
    """One of the event's ``players``, which may carry more than their fields. 1 query. Raises NotFound
    "player.unknown"."""
    player = (event.players.all() if players is None else players).filter(pk=player_id).first()
    if player is None:
        raise NotFound("player.unknown", "There is no such player in this event.", {"player": player_id})
    return player


def visible_rounds(event: Event, viewer: Viewer) -> QuerySet[Round]:
    """Rounds in order with their stage; drafts for who follows the event only. 1 query when evaluated."""
    rounds = Round.objects.filter(event=event).select_related("stage")
    if not viewer.follows_event:
        rounds = rounds.exclude(state=Round.State.DRAFT)
    return rounds.order_by("sequence")


def visible_round(event: Event, viewer: Viewer, number: int) -> Round:
    """1 query. Raises NotFound "round.unknown", for a draft as for a round that there is not."""
    round_ = visible_rounds(event, viewer).filter(sequence=number).first()
    if round_ is None:
        raise NotFound("round.unknown", f"There is no round {number} in this event.", {"round": number})
    return round_


def matches_of(round_: Round) -> QuerySet[Match]:
    """By table, byes last, each with seats, players reports and results. 4 queries when evaluated."""
    return (
        Match.objects.filter(round=round_)
        .select_related("pod")
        .prefetch_related(seats_by_index(), "reports", "results")
        .order_by(F("table").asc(nulls_last=True), "pk")
    )


def standings_after(round_: Round) -> QuerySet[Standing]:
    """By rank, with players. 1 query when evaluated. Raises NotFound "standings.not_yet"."""
    if round_.state != Round.State.COMPLETE:
        raise NotFound(
            "standings.not_yet",
            f"Round {round_.sequence} is not complete: its standings are made then.",
            {"round": round_.sequence, "state": round_.state},
        )
    return round_.standings.select_related("player").order_by("rank")


def log_for(event: Event, viewer: Viewer) -> QuerySet[LogEntry]:
    """Entries in order: all for staff who do not play, the public ones for everybody else. 1 query."""
    entries = LogEntry.objects.filter(event=event).order_by("seq")
    return entries if viewer.reads_whole_log else entries.filter(is_public=True)


def readers_of(event: Event, viewer: Viewer) -> Callable[[Player], bool]:
    """Whether the decklist of a player may be shown to the viewer: it is theirs, they check decks, or it is public.

    For as many players as are asked about: 1 query in an event that publishes from the cut on, else none.
    """
    if viewer.sees_decklists or _is_open(event):
        return lambda player: True
    own = None if viewer.player is None else viewer.player.pk
    if event.decklist_publication != Event.Publication.CUT:
        return lambda player: player.pk == own
    cut = players_in_cut(event)
    return lambda player: player.pk == own or (player.shows_decklist and player.pk in cut)


def _is_open(event: Event) -> bool:
    if event.decklist_publication == Event.Publication.AFTER:
        return event.state == Event.State.FINISHED
    return event.decklist_publication == Event.Publication.OPEN


def players_in_cut(event: Event) -> frozenset[int]:
    """Who was seeded when the cut was made; nobody before. 1 query."""
    seeds = event.stages.filter(kind=Stage.Kind.SINGLE_ELIMINATION).values_list("seeds", flat=True)
    return frozenset(player for stage in seeds for player in stage)


def visible_decklist(event: Event, viewer: Viewer, player_id: int) -> DecklistSubmission:
    """The decklist that counts, with its verdict. The query of ``readers_of`` and 1.

    Raises NotFound "decklist.unknown", whether there is none or it may not be seen.
    """
    submission = (
        DecklistSubmission.objects.filter(event=event, player_id=player_id, replaced_at=None)
        .select_related("player", *WITH_VERDICTS)
        .first()
    )
    if submission is None or not readers_of(event, viewer)(submission.player):
        raise NotFound("decklist.unknown", "There is no decklist to be seen here.", {"player": player_id})
    return submission


def seat_in_draft(event: Event, player: Player) -> PodSeat:
    """The player's seat in the newest draft of the event. 1 query. Raises NotFound "draft.no_seat"."""
    seat = (
        PodSeat.objects.filter(pod__event=event, player=player)
        .select_related("pod__stage", "pod__event")
        .order_by("-pod__stage__number")
        .first()
    )
    if seat is None:
        raise NotFound("draft.no_seat", "You have no seat in a draft of this event.")
    return seat
