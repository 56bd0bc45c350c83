"""What happened in an event, for its report."""

from __future__ import annotations

from typing import Literal

from django.db.models import F, Prefetch

from events.engine.report_file import (
    ReportEvent,
    ReportFile,
    ReportMatch,
    ReportPlace,
    ReportPlayer,
    ReportRound,
    ReportSeat,
    ReportStanding,
)
from events.models import Event, Match, Player, Result
from events.queries.closing import awards_for, final_places, handovers_of, last_standings, prizes_of
from events.queries.public_pages import shown_rounds
from events.queries.visibility import seats_by_index


def report_of(event: Event, *, audience: Literal["public", "organiser"]) -> ReportFile:
    """Built for its readers from scratch: everybody's has no name that a player hides, no reason of staff, and no
    round that is not posted; neither has decklists. 13 queries at most. Give game, format and version with the event.
    """
    full = audience == "organiser"
    players = event.players.select_related("team").order_by("pk")
    finished = event.state == Event.State.FINISHED
    return ReportFile(
        audience=audience,
        event=ReportEvent(
            code=event.code,
            name=event.name,
            place=event.place,
            starts_at=event.starts_at.isoformat(),
            time_zone=event.time_zone,
            state=event.state,
            game=event.game.slug,
            format=event.format.slug,
            format_version=event.format_version.version,
            legality_date=event.legality_date.isoformat(),
            rules=event.rules,
            commitment=event.commitment,
            secret=bytes(event.secret).hex() if finished else None,
        ),
        players=tuple(_player(player, full=full) for player in players),
        rounds=_rounds(event, full=full),
        standings=tuple(
            ReportStanding(rank=row.rank, player=row.player_id, values=row.values, record=row.record)
            for row in last_standings(event)
        ),
        places=_places(event, full=full) if finished else (),
    )


def _player(player: Player, *, full: bool) -> ReportPlayer:
    told = ReportPlayer(
        id=player.pk,
        name=player.shown_name,
        state=player.state,
        entered_from_round=player.entered_from_round,
        dropped_after_round=player.dropped_after_round,
    )
    if not full:
        return told
    team = player.team.name if player.team is not None else None
    return told.model_copy(update={"full_name": player.name, "team": team, "has_account": player.user_id is not None})


def _rounds(event: Event, *, full: bool) -> tuple[ReportRound, ...]:
    rounds = shown_rounds(event)
    counted = Prefetch("results", Result.objects.filter(superseded_at=None))
    by_round: dict[int, list[ReportMatch]] = {}
    found = Match.objects.filter(round__in=rounds).select_related("pod").prefetch_related(seats_by_index(), counted)
    for match in found.order_by(F("table").asc(nulls_last=True), "pk"):
        by_round.setdefault(match.round_id, []).append(_match(match, full=full))
    return tuple(
        ReportRound(
            round=round_.sequence,
            stage=round_.stage.number,
            kind=round_.stage.kind,
            state=round_.state,
            matches=tuple(by_round.get(round_.pk, ())),
        )
        for round_ in rounds
    )


def _match(match: Match, *, full: bool) -> ReportMatch:
    counts = match.state == Match.State.CONFIRMED
    result = next(iter(match.results.all()), None) if counts else None
    return ReportMatch(
        table=match.table,
        pod=match.pod.number if match.pod is not None else None,
        seats=tuple(
            ReportSeat(
                player=seat.player_id,
                outcome=seat.outcome if counts else None,
                wins=seat.game_wins if counts else None,
                losses=seat.game_losses if counts else None,
                draws=seat.game_draws if counts else None,
                place=seat.place if counts else None,
                side=seat.side,
            )
            for seat in match.seats.all()
        ),
        decided=result.source if result is not None else None,
        reason=result.reason if full and result is not None else None,
    )


def _places(event: Event, *, full: bool) -> tuple[ReportPlace, ...]:
    places = final_places(event)
    awards, handed = awards_for(places, prizes_of(event)), handovers_of(event) if full else {}
    return tuple(
        ReportPlace(
            place=row.place,
            player=row.player.pk,
            lost_in=row.lost_in,
            prize=awards[row.player.pk].told if row.player.pk in awards else None,
            handed_over=row.player.pk in handed if full else None,
        )
        for row in places
    )
