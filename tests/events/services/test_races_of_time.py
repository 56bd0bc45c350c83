"""Time that a table is given, and who is not there, at the moment at which something else happens to the table. Every
guard has a control: with the locks off, the same race shows the fault."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from config.errors import Conflict
from events.models import Match, Player, Round, TimeExtension
from events.queries.verification import verify_event
from events.services import attendance, clocks, transaction
from events.services.transaction import Change
from tests.events.clocking import clocked, minutes
from tests.events.factories import Made, actor_of, make_event, user_of
from tests.events.services.test_races_at_the_desk import lock_off, nothing, outcome, then
from tests.threads import at_once, lock_no_rows, meeting, of_type

pytestmark = [pytest.mark.race, pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("packs")]
Patch = pytest.MonkeyPatch
Step = Callable[[], None]


@pytest.fixture(autouse=True)
def _slow_machine(monkeypatch: Patch) -> None:
    monkeypatch.setattr(transaction, "LOCK_TIMEOUT", "30s")


def no_locks(monkeypatch: Patch) -> None:
    lock_off(monkeypatch)
    lock_no_rows(monkeypatch)


def at_a_table() -> tuple[Made, Round, Match, Player, Player]:
    """One table, whose clock has run for eleven minutes; a table waits for ten."""
    made = make_event(players=2, started=True)
    round_ = made.post_round()
    clocked(round_, since=minutes(11), runs=[(minutes(0), None)])
    match = round_.matches.get()
    one, other = (seat.player for seat in match.seats.select_related("player__user").order_by("index"))
    return made, round_, match, one, other


def extend(made: Made, match: Match) -> Change:
    return clocks.extend_table(
        event_id=made.event.pk, actor=made.by_organiser, match_id=match.pk, minutes=5, reason="Deck check."
    )


def given(match: Match) -> tuple[int, int]:
    """Minutes of the table's own, and how often it was changed."""
    match.refresh_from_db()
    return 5 * TimeExtension.objects.filter(match=match).count(), match.version


# -- two judges at one table ------------------------------------------------------------------------------------------


def test_two_judges_who_give_time_at_once_give_both() -> None:
    made, _, match, *_ = at_a_table()

    answers = at_once(lambda: extend(made, match), lambda: extend(made, match))

    assert (outcome(answers), given(match)) == ((2, []), (10, 2))
    assert sorted(answer.facts["seconds"] for answer in answers) == [300, 600]


def test_control_without_the_locks_a_change_of_the_table_is_lost(monkeypatch: Patch) -> None:
    made, _, match, *_ = at_a_table()
    no_locks(monkeypatch)
    monkeypatch.setattr(clocks, "_playing", then(clocks._playing, meeting(2)))

    answers = at_once(lambda: extend(made, match), lambda: extend(made, match))

    assert (outcome(answers), given(match)) == ((2, []), (10, 1))


# -- time against the result ------------------------------------------------------------------------------------------


def extend_while_confirming(before: Step = nothing, after: Step = nothing) -> tuple[Match, list[Any]]:
    made, round_, match, one, other = at_a_table()
    made.report(one, round_, 2, 0)

    def confirm() -> None:
        before()
        made.report(other, round_, 0, 2)
        after()

    return match, at_once(lambda: extend(made, match), confirm)


def test_a_table_gets_time_before_its_result_or_none() -> None:
    match, (answer, confirmed) = extend_while_confirming()

    assert confirmed is None
    if isinstance(answer, Conflict):
        assert (answer.code, given(match)) == ("match.decided", (0, 2))
    else:
        assert given(match) == (5, 3)
    assert match.state == Match.State.CONFIRMED


def test_control_without_the_locks_a_decided_table_gets_time(monkeypatch: Patch) -> None:
    no_locks(monkeypatch)
    read, decided = meeting(2), meeting(2)
    monkeypatch.setattr(clocks, "_playing", then(clocks._playing, read, decided))

    match, answers = extend_while_confirming(read, decided)

    assert (len(of_type(answers, Change)), given(match)) == (1, (5, 2))
    assert match.state == Match.State.CONFIRMED


# -- the sweep against who comes --------------------------------------------------------------------------------------


def sweep_while(act: Callable[[Made, Round, Match, Player], Any], before: Step, after: Step) -> tuple[Made, Match, Any]:
    made, round_, match, one, late = at_a_table()
    attendance.set_no_show_rule(event_id=made.event.pk, actor=made.by_organiser, minutes=10, drops=False)
    attendance.say_absent(
        event_id=made.event.pk,
        actor=actor_of(user_of(one)),
        match_id=match.pk,
        player_id=late.pk,
        by_player_id=one.pk,
    )

    def come() -> Any:
        before()
        try:
            return act(made, round_, match, late)
        finally:
            after()

    answers = at_once(
        lambda: attendance.sweep_no_shows(event_id=made.event.pk, actor=made.by_organiser, round_number=1), come
    )
    match.refresh_from_db()
    return made, match, answers


def has_come(made: Made, _: Round, match: Match, late: Player) -> Change:
    return attendance.take_absence_back(
        event_id=made.event.pk, actor=made.by_organiser, match_id=match.pk, player_id=late.pk
    )


def has_won(made: Made, round_: Round, _: Match, late: Player) -> None:
    made.report(late, round_, 2, 0)


def held(monkeypatch: Patch) -> tuple[Step, Step]:
    """No locks, and a sweep that has read who is missed and waits until they have come."""
    no_locks(monkeypatch)
    read, came = meeting(2), meeting(2)
    give = attendance._give_loss

    def late(*args: Any) -> None:
        read()
        came()
        give(*args)

    monkeypatch.setattr(attendance, "_give_loss", late)
    return read, came


def test_who_comes_as_the_table_is_swept_has_lost_or_is_there() -> None:
    made, match, answers = sweep_while(has_come, nothing, nothing)

    swept = match.state == Match.State.CONFIRMED
    assert outcome(answers) == ((1, ["match.decided"]) if swept else (1, ["no_show.nobody"]))
    assert verify_event(made.refresh()).faults == []


def test_control_without_the_locks_who_has_come_loses(monkeypatch: Patch) -> None:
    _, match, answers = sweep_while(has_come, *held(monkeypatch))

    assert (outcome(answers), match.state) == ((2, []), Match.State.CONFIRMED)


def test_a_report_comes_before_the_sweep_or_is_refused() -> None:
    made, match, (swept, reported) = sweep_while(has_won, nothing, nothing)

    if match.state == Match.State.CONFIRMED:
        assert (type(swept), reported.code) == (Change, "match.decided")
    else:
        assert (match.state, swept.code, reported) == (Match.State.REPORTED, "no_show.nobody", None)
    assert verify_event(made.refresh()).faults == []


def test_control_without_the_locks_a_table_with_a_report_is_swept(monkeypatch: Patch) -> None:
    _, match, (swept, reported) = sweep_while(has_won, *held(monkeypatch))

    assert (type(swept), reported, match.reports.count()) == (Change, None, 1)
    assert match.state == Match.State.CONFIRMED
