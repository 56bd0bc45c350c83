"""Rounds of the demo: posted, played, reported by both players, decided where they disagree."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction

from accounts.models import User
from cards.engine.streams import Stream
from config.demo.cast import Story, actor_of
from events.models import Event, Match, Player, Round, Standing
from events.queries.scoring import missing_results
from events.services import registration, results, rounds, turns
from events.services.transaction import Actor

TOP_SHOWN = 5


@dataclass
class Table:
    """What the demo's people have in hand while an event runs."""

    story: Story
    event: Event
    organiser: Actor
    judge: Actor
    rng: Stream
    once: set[str] = field(default_factory=set)

    def first_time(self, what: str) -> bool:
        """True once: the story has one dispute, one match to extra turns."""
        fresh = what not in self.once
        self.once.add(what)
        return fresh


def play_round(table: Table, *, with_incidents: bool = False) -> Round:
    """Draft, post, play, report, complete, and show the standings."""
    event, story = table.event, table.story
    number = rounds.draft_round(event_id=event.pk, actor=table.organiser).facts["round"]
    rounds.post_round(event_id=event.pk, actor=table.organiser, round_number=number)
    rounds.start_clock(event_id=event.pk, actor=table.organiser, round_number=number)
    round_ = Round.objects.select_related("stage").get(event=event, sequence=number)
    elimination = round_.stage.kind == "single_elimination"
    matches = list(missing_results(round_))
    minutes = event.rules["match"]["minutes"]
    story.say(
        f"Round {number} ({round_.stage.get_kind_display()}): {len(matches)} tables, {minutes} minutes, best of "
        f"{event.rules['match']['best_of']}."
    )
    _tell_bye(table, round_)
    to_time = matches[-1] if with_incidents and not elimination and table.first_time("time") else None
    for match in matches:
        if match is to_time:
            continue
        _play_match(table, match, dispute=with_incidents and table.first_time("dispute"))
    if to_time is not None:
        _play_to_time(table, number, to_time)
    rounds.complete_round(event_id=event.pk, actor=table.organiser, round_number=number)
    _tell_standings(table, round_, elimination)
    return round_


def drop_somebody(table: Table, number: int) -> None:
    """One player leaves after a round: the one in last place who has an account."""
    last = Standing.objects.filter(round__event=table.event, round__sequence=number).order_by("-rank").first()
    if last is None:
        return
    player = last.player
    registration.drop_player(event_id=table.event.pk, actor=_player_actor(player), player_id=player.pk)
    table.story.say(f"{player.name} drops after round {number}.")


def _play_match(table: Table, match: Match, *, dispute: bool) -> None:
    rng = table.rng
    first, second = (seat.player for seat in match.seats.all())
    loser_games = rng.below(2)
    wins = (2, loser_games) if rng.below(2) else (loser_games, 2)
    if dispute:
        _play_disputed(table, match, wins)
        return
    _report(table, match, first, wins)
    _report(table, match, second, wins[::-1])


def _play_disputed(table: Table, match: Match, wins: tuple[int, int]) -> None:
    """Both say that they won; a judge goes through it with them and decides ``wins``."""
    first, second = (seat.player for seat in match.seats.all())
    _report(table, match, first, (2, 1))
    _report(table, match, second, (2, 0))
    table.story.detail(
        f"Dispute at table {match.table}: {first.name} says 2-1, {second.name} says 2-0, each for themselves."
    )
    results.decide_result(
        event_id=table.event.pk,
        actor=table.judge,
        match_id=match.pk,
        wins_a=wins[0],
        wins_b=wins[1],
        reason="Both players and a spectator went through the games with the judge.",
    )
    table.story.detail(f"{table.judge.name} decides: {first.name} {wins[0]}-{wins[1]} {second.name}.")


def _play_to_time(table: Table, number: int, match: Match) -> None:
    """Time is called while one table still plays: extra turns, then the result that stands."""
    event = table.event
    rounds.call_time(event_id=event.pk, actor=table.organiser, round_number=number)
    most = event.rules["match"]["extra_turns"]
    for turn in range(1, most + 1):
        turns.note_extra_turns(event_id=event.pk, actor=table.judge, match_id=match.pk, turns=turn)
    first, second = (seat.player for seat in match.seats.all())
    match.refresh_from_db()
    _report(table, match, first, (1, 1))
    _report(table, match, second, (1, 1))
    table.story.detail(
        f"Time in round {number}: table {match.table} plays {most} extra turns and ends "
        f"{first.name} 1-1 {second.name}, a draw."
    )


def _report(table: Table, match: Match, player: Player, wins: tuple[int, int]) -> None:
    results.report_result(
        event_id=table.event.pk,
        actor=_player_actor(player),
        match_id=match.pk,
        player_id=player.pk,
        wins=wins[0],
        losses=wins[1],
    )


def _player_actor(player: Player) -> Actor:
    return actor_of(player.user) if isinstance(player.user, User) else Actor(user_id=None, name=player.name)


def _tell_bye(table: Table, round_: Round) -> None:
    bye = round_.matches.filter(table=None).prefetch_related("seats__player").first()
    if bye is not None:
        (seat,) = bye.seats.all()
        codes = ", ".join(reason["code"].replace("_", " ") for reason in bye.reasons)
        table.story.detail(f"Bye for {seat.player.name} ({codes}).")


def _tell_standings(table: Table, round_: Round, elimination: bool) -> None:
    story = table.story
    if elimination:
        for match in round_.matches.prefetch_related("seats__player").order_by("bracket_slot"):
            seats = list(match.seats.all())
            shown = " ".join(f"{seat.player.name} {seat.game_wins}" for seat in seats)
            story.detail(f"Table {match.table}: {shown}")
            story.outcome(f"{round_.sequence} {shown}")
        return
    metrics = table.event.rules["standings"]["metrics"]
    for row in round_.standings.select_related("player").order_by("rank"):
        values = [_shown(row.values[key], key) for key in metrics]
        story.outcome(f"{round_.sequence} {row.rank} {row.player.name} {row.values}")
        if row.rank <= TOP_SHOWN:
            record = row.record
            story.detail(
                f"{row.rank}. {row.player.name:<24} {record['wins']}-{record['losses']}-{record['draws']}   "
                + "  ".join(values)
            )


def _shown(value: str, key: str) -> str:
    number = Fraction(value)
    label = {"match_points": "points", "omw": "OMW%", "gw": "GW%", "ogw": "OGW%"}.get(key, key)
    return f"{label} {number}" if number.denominator == 1 and key == "match_points" else f"{label} {float(number):.1%}"
