"""How an event ended: everybody's place, and what is given for it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from accounts.models import User
from events.engine.brackets import Placing
from events.engine.prizes import Award, Prize, awards_of
from events.models import Event, Match, Player, PrizeHandover, Round, StaffRole, Stage, Standing
from events.models import Prize as StoredPrize
from events.queries.brackets import placing_by, played_in


@dataclass(frozen=True)
class Finish:
    """A player's final place. ``rank`` and ``points`` are of the standings, None where none were made; ``lost_in`` is
    the round of the elimination that put them out, None for the winner and for who was not in it."""

    place: int
    player: Player
    rank: int | None
    points: str | None
    lost_in: int | None = None


def final_order(stage: Stage | None, standings: Sequence[Standing], started: Sequence[Player]) -> list[Finish]:
    """Everybody's place: by how far they got in the elimination, then by rank, or by lot where no standings were made.
    The queries of ``placing_of``. Once the elimination is over; before, and without one, by rank alone."""
    matches = played_in([stage]).get(stage.pk, ()) if stage is not None and stage.seeds else ()
    return _in_order(stage, matches, standings, started)


def _in_order(
    stage: Stage | None, matches: Iterable[Match], standings: Sequence[Standing], started: Sequence[Player]
) -> list[Finish]:
    players = {row.player_id: row.player for row in standings} or {player.pk: player for player in started}
    ranks = {row.player_id: row for row in standings}
    placing = placing_by(stage, matches, list(players)) if stage is not None else ()
    rows = placing or [Placing(rank, player, rank) for rank, player in enumerate(players, 1)]
    return [
        Finish(
            place=row.place,
            player=players[row.player],
            rank=ranks[row.player].rank if row.player in ranks else None,
            points=str(ranks[row.player].values["match_points"]) if row.player in ranks else None,
            lost_in=row.lost_in,
        )
        for row in rows
    ]


def final_places(event: Event) -> list[Finish]:
    """Of an event that is over, best first; nobody where it never began. 5 queries at most."""
    return final_places_of([event])[event.pk]


def final_places_of(events: Sequence[Event]) -> dict[int, list[Finish]]:
    """``final_places`` of several events, by event. 5 queries at most, none for no events."""
    if not events:
        return {}
    told = list(Stage.objects.filter(event__in=events, kind__in=[Stage.Kind.SINGLE_ELIMINATION, Stage.Kind.TEAMS]))
    stages = {stage.event_id: stage for stage in told if stage.seeds}
    of_teams = {stage.event_id for stage in told if stage.kind == Stage.Kind.TEAMS}
    matches = played_in(list(stages.values())) if stages else {}
    counted = Round.objects.filter(event__in=events, state=Round.State.COMPLETE, stage__kind__in=Stage.RANKED)
    newest = counted.order_by("event_id", "-sequence").distinct("event_id").values("pk")
    standings: dict[int, list[Standing]] = {}
    for row in Standing.objects.filter(round__in=newest).select_related("player").order_by("rank"):
        standings.setdefault(row.event_id, []).append(row)
    unranked = [event for event in events if event.pk not in standings]
    started: dict[int, list[Player]] = {}
    if unranked:
        for player in Player.objects.filter(event__in=unranked, lot__gt=0).order_by("lot"):
            started.setdefault(player.event_id, []).append(player)
    found = {}
    for event in events:
        stage = stages.get(event.pk)
        played = matches.get(stage.pk, ()) if stage is not None else ()
        order = _in_order(stage, played, standings.get(event.pk, ()), started.get(event.pk, ()))
        found[event.pk] = _by_team(order) if event.pk in of_teams else order
    return found


def _by_team(finishes: Sequence[Finish]) -> list[Finish]:
    """Players of one team share a place: teams in the order of their best players, after as many places as the players
    of the teams before fill. Whoever has no team is one."""
    teams: dict[int, list[Finish]] = {}
    for finish in finishes:
        player = finish.player
        teams.setdefault(player.team_id if player.team_id is not None else -player.pk, []).append(finish)
    found: list[Finish] = []
    for members in teams.values():
        place = len(found) + 1
        found += [replace(finish, place=place) for finish in members]
    return found


def last_standings(event: Event) -> list[Standing]:
    """After the last complete round that counts in them, by rank. 1 query."""
    counted = Round.objects.filter(event=event, state=Round.State.COMPLETE, stage__kind__in=Stage.RANKED)
    newest = counted.order_by("-sequence").values("pk")[:1]
    return list(Standing.objects.filter(round__in=newest).order_by("rank"))


def started_by_lot(event: Event) -> list[Player]:
    """Everybody who was there when it began, in the order of lots. 1 query."""
    return list(event.players.filter(lot__gt=0).order_by("lot"))


def prizes_of(event: Event) -> list[Prize]:
    """The prizes table, best places first. 1 query."""
    rows = StoredPrize.objects.filter(event=event).order_by("first", "last", "pk")
    return [Prize(row.first, row.last, row.words) for row in rows]


def awards_for(finishes: Sequence[Finish], prizes: Sequence[Prize]) -> dict[int, Award]:
    """By player, of who gets something. No query."""
    return awards_of([(row.place, row.player.pk) for row in finishes], prizes)


def handovers_of(event: Event) -> Mapping[int, PrizeHandover]:
    """What was handed over, by player. 1 query."""
    return {row.player_id: row for row in PrizeHandover.objects.filter(event=event)}


def archived_of(user: User) -> list[Event]:
    """Events in the archive that the user is an organiser of, the newest first. 1 query."""
    roles = StaffRole.objects.filter(user=user, role=StaffRole.Role.ORGANISER)
    found = Event.objects.filter(archived_at__isnull=False, pk__in=roles.values("event"))
    return list(found.select_related("game", "format").order_by("-starts_at", "-pk")[:200])
