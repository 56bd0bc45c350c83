"""Who is not there: the opponent's word, the sweep after the event's minutes, and taking it back."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, contextmanager
from datetime import timedelta

import pytest

from config.errors import DomainError
from events.models import Absence, Event, LogEntry, Match, Player, Result, Round, Seat
from events.queries.attendance import attendance_of
from events.queries.clocks import database_now
from events.queries.scoring import current_standings
from events.queries.verification import verify_event
from events.services import attendance, registration, rounds
from tests.events.clocking import clocked, minutes
from tests.events.factories import Made, actor_of, make_user, user_of

pytestmark = pytest.mark.django_db
Make = Callable[..., Made]


@contextmanager
def refused(code: str, status: int):
    with pytest.raises(DomainError) as refusal:
        yield
    assert (refusal.value.code, refusal.value.status) == (code, status)


Refused = AbstractContextManager[None]


@pytest.fixture
def hall(make_event: Make) -> Made:
    """Two tables, whose clock has run for eleven minutes; a table waits for ten."""
    made = make_event(players=4, started=True)
    round_ = made.post_round()
    clocked(round_, since=minutes(11), runs=[(minutes(0), None)])
    rule(made, 10)
    return made


def rule(made: Made, after: int | None, drops: bool = False) -> None:
    attendance.set_no_show_rule(event_id=made.event.pk, actor=made.by_organiser, minutes=after, drops=drops)


def round_of(made: Made, number: int = 1) -> Round:
    return Round.objects.get(event=made.event, sequence=number)


def at_table(made: Made, table: int) -> tuple[Match, Player, Player]:
    match = round_of(made).matches.get(table=table)
    one, other = (seat.player for seat in match.seats.order_by("index"))
    return match, one, other


def miss(made: Made, match: Match, player: Player, by: Player | None = None) -> None:
    attendance.say_absent(
        event_id=made.event.pk,
        actor=made.by_organiser if by is None else actor_of(user_of(by)),
        match_id=match.pk,
        player_id=player.pk,
        by_player_id=None if by is None else by.pk,
    )


def sweep(made: Made) -> list[int]:
    change = attendance.sweep_no_shows(event_id=made.event.pk, actor=made.by_organiser, round_number=1)
    tables: list[int] = change.facts["tables"]
    return tables


def seats(match: Match) -> list[tuple[str | None, int | None, int | None]]:
    found = Seat.objects.filter(match=match).order_by("index")
    return [(seat.outcome, seat.game_wins, seat.game_losses) for seat in found]


def test_who_is_missed_loses_the_match_after_the_minutes_and_the_reason_stays(hall: Made) -> None:
    match, ada, other = at_table(hall, 1)
    miss(hall, match, ada, by=other)

    assert sweep(hall) == [1]

    assert seats(match) == [("forfeit_loss", 0, 2), ("forfeit_win", 2, 0)]
    result = Result.objects.get(match=match)
    assert (result.how, result.source, result.reason) == ("no_show", "staff", "Not there after 10 minutes.")
    assert Player.objects.get(pk=ada.pk).state == "checked_in"


def test_it_counts_in_the_standings_and_the_event_verifies(hall: Made) -> None:
    match, ada, other = at_table(hall, 1)
    miss(hall, match, ada)
    sweep(hall)
    two, one, _ = at_table(hall, 2)
    hall.report(one, round_of(hall), 2, 0)
    hall.report(hall.opponent_of(one, round_of(hall)), round_of(hall), 0, 2)
    rounds.complete_round(event_id=hall.event.pk, actor=hall.by_organiser, round_number=1)

    points = {row.player: int(row.values["match_points"]) for row in current_standings(hall.refresh())}

    assert (points[other.pk], points[ada.pk]) == (3, 0)
    assert verify_event(hall.refresh()).faults == []


def test_everybodys_pages_are_told_of_a_sweep_and_of_who_is_back(hall: Made) -> None:
    """One table's own change would be told to its players alone; a sweep takes several, and lists of players change."""
    rule(hall, 10, drops=True)
    for table in (1, 2):
        match, missed, _ = at_table(hall, table)
        miss(hall, match, missed)

    assert sweep(hall) == [1, 2]
    assert hall.refresh().wide_version == hall.event.version
    attendance.take_no_show_back(event_id=hall.event.pk, actor=hall.by_organiser, match_id=match.pk)
    assert hall.refresh().wide_version == hall.event.version


def test_where_nobody_came_both_lose(hall: Made) -> None:
    match, ada, other = at_table(hall, 1)
    miss(hall, match, ada)
    miss(hall, match, other)

    sweep(hall)

    assert seats(match) == [("double_loss", 0, 0), ("double_loss", 0, 0)]


def test_in_an_event_that_says_so_who_is_missed_is_dropped_and_comes_back_with_the_match(hall: Made) -> None:
    rule(hall, 10, drops=True)
    match, ada, other = at_table(hall, 1)
    miss(hall, match, ada)
    sweep(hall)
    gone = Player.objects.get(pk=ada.pk)
    assert (gone.state, gone.dropped_after_round) == ("dropped", 1)

    attendance.take_no_show_back(event_id=hall.event.pk, actor=hall.by_organiser, match_id=match.pk)

    back = Player.objects.get(pk=ada.pk)
    assert (back.state, back.dropped_after_round) == ("checked_in", None)
    assert (Match.objects.get(pk=match.pk).state, seats(match)) == ("open", [(None, None, None)] * 2)
    assert Result.objects.filter(match=match, superseded_at=None).count() == 0
    assert Absence.objects.count() == 0
    hall.report(ada, round_of(hall), 2, 1)


def test_who_had_dropped_by_themselves_does_not_come_back_by_it(hall: Made) -> None:
    rule(hall, 10, drops=True)
    match, ada, _ = at_table(hall, 1)
    registration.drop_player(event_id=hall.event.pk, actor=hall.by_organiser, player_id=ada.pk)
    miss(hall, match, ada)
    sweep(hall)

    attendance.take_no_show_back(event_id=hall.event.pk, actor=hall.by_organiser, match_id=match.pk)

    assert Player.objects.get(pk=ada.pk).state == "dropped"


def test_who_came_meanwhile_and_whose_table_has_reported_loses_nothing(hall: Made) -> None:
    match, ada, other = at_table(hall, 1)
    two, third, _ = at_table(hall, 2)
    miss(hall, match, ada, by=other)
    miss(hall, two, third)
    attendance.take_absence_back(
        event_id=hall.event.pk, actor=actor_of(user_of(ada)), match_id=match.pk, player_id=ada.pk, by_player_id=ada.pk
    )
    hall.report(third, round_of(hall), 2, 0)

    with refused("no_show.nobody", 409):
        sweep(hall)

    assert Result.objects.filter(match__table__isnull=False).count() == 0


def test_before_the_minutes_and_without_a_rule_nobody_loses(hall: Made) -> None:
    match, ada, _ = at_table(hall, 1)
    miss(hall, match, ada)
    rule(hall, 12)
    with refused("no_show.too_early", 409):
        sweep(hall)
    rule(hall, None)
    with refused("no_show.no_rule", 409):
        sweep(hall)
    assert seats(match) == [(None, None, None)] * 2


def test_a_clock_that_stands_does_not_run_against_who_is_missed(hall: Made) -> None:
    clocked(round_of(hall), since=minutes(30), runs=[(minutes(0), minutes(9))])
    match, ada, _ = at_table(hall, 1)
    miss(hall, match, ada)

    with refused("no_show.too_early", 409):
        sweep(hall)


def test_only_the_own_opponent_is_missed(hall: Made) -> None:
    match, ada, other = at_table(hall, 1)
    _, stranger, _ = at_table(hall, 2)

    for player, by in ((ada, stranger), (ada, ada)):
        with refused("match.not_yours", 403):
            miss(hall, match, player, by=by)
    with refused("player.unknown", 404):
        miss(hall, match, stranger)
    assert Absence.objects.count() == 0


def test_said_twice_is_said_once_and_taken_back_once(hall: Made) -> None:
    match, ada, other = at_table(hall, 1)
    miss(hall, match, ada, by=other)
    miss(hall, match, ada)
    assert LogEntry.objects.filter(event=hall.event, kind="match.absent").count() == 1

    back = {"event_id": hall.event.pk, "actor": hall.by_organiser, "match_id": match.pk, "player_id": ada.pk}
    attendance.take_absence_back(**back)
    with refused("match.not_missed", 409):
        attendance.take_absence_back(**back)


def test_a_sweep_is_not_taken_back_once_the_round_is_complete(hall: Made) -> None:
    match, ada, _ = at_table(hall, 1)
    two, third, fourth = at_table(hall, 2)
    miss(hall, match, ada)
    miss(hall, two, third)
    sweep(hall)
    rounds.complete_round(event_id=hall.event.pk, actor=hall.by_organiser, round_number=1)

    with refused("round.closed", 409):
        attendance.take_no_show_back(event_id=hall.event.pk, actor=hall.by_organiser, match_id=match.pk)


def test_what_was_played_is_not_taken_back_as_a_no_show(hall: Made) -> None:
    match, ada, other = at_table(hall, 1)
    hall.report(ada, round_of(hall), 2, 0)
    hall.report(other, round_of(hall), 0, 2)

    with refused("no_show.not_swept", 409):
        attendance.take_no_show_back(event_id=hall.event.pk, actor=hall.by_organiser, match_id=match.pk)


# -- before the start -------------------------------------------------------------------------------------------------


def test_who_has_not_checked_in_is_listed_and_swept_and_who_waits_gets_the_places(make_event: Make) -> None:
    made = make_event(players=3, capacity=3)
    Event.objects.filter(pk=made.event.pk).update(waitlist=True)
    here, late, gone = made.players
    waiting = make_user("Wim Aster")
    registration.register(event_id=made.event.pk, actor=actor_of(waiting), user_id=waiting.pk)
    registration.check_in(event_id=made.event.pk, actor=made.by_organiser, player_id=here.pk)
    Event.objects.filter(pk=made.event.pk).update(starts_at=database_now() - timedelta(minutes=1))
    assert [player.name for player in attendance_of(made.refresh()).at_the_door] == [late.name, gone.name]

    facts = attendance.sweep_door(event_id=made.event.pk, actor=made.by_organiser).facts

    assert facts == {"dropped": [late.name, gone.name], "let_in": ["Wim Aster"], "places": 2}
    registration.reinstate_player(event_id=made.event.pk, actor=made.by_organiser, player_id=late.pk)
    assert Player.objects.get(pk=late.pk).state == "registered"


def test_the_door_stays_open_until_its_hour_and_the_minutes_after(make_event: Make) -> None:
    made = make_event(players=2)
    Event.objects.filter(pk=made.event.pk).update(starts_at=database_now() - timedelta(minutes=5))
    rule(made, 10)

    with refused("no_show.too_early", 409):
        attendance.sweep_door(event_id=made.event.pk, actor=made.by_organiser)
    rule(made, 5)
    assert len(attendance.sweep_door(event_id=made.event.pk, actor=made.by_organiser).facts["dropped"]) == 2
    with refused("no_show.nobody", 409):
        attendance.sweep_door(event_id=made.event.pk, actor=made.by_organiser)


def test_a_rule_has_sensible_minutes(make_event: Make) -> None:
    made = make_event(players=0)
    for wrong in (0, 121, -1):
        with refused("no_show.minutes", 400):
            rule(made, wrong)
