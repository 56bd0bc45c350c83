"""What staff and players do at the same moment: one outcome, and whoever is late reads the state as it is now. Every
guard has a control: with the lock off, the same race shows the fault."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from config.errors import Conflict
from events.engine.rosters import Entry
from events.models import DecklistSubmission, LogEntry, Match, Player, Result, Round, Seat
from events.queries import swiss_round
from events.queries.verification import verify_event
from events.services import importing, missing_lists, registration, reminders, results, rounds, submission, transaction
from events.services.transaction import Change, Command
from tests.events.factories import Made, actor_of, make_event, make_user, user_of
from tests.threads import at_once, meeting, of_type

pytestmark = [pytest.mark.race, pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("packs")]
ILLEGAL = "Main deck\n1 Thrust\n"
Patch = pytest.MonkeyPatch


@pytest.fixture(autouse=True)
def _slow_machine(monkeypatch: Patch) -> None:
    """Nobody gives up waiting for a lock because the tests have to share the processors."""
    monkeypatch.setattr(transaction, "LOCK_TIMEOUT", "30s")


def nothing() -> None:
    return


def lock_off(monkeypatch: Patch) -> None:
    monkeypatch.setattr(transaction, "_lock", lambda event_id, mode: ("SELECT 1", []))


def then(function: Callable[..., Any], *after: Callable[[], None]) -> Callable[..., Any]:
    """``function``, and what is to happen before its caller goes on."""

    def slow(*args: Any, **options: Any) -> Any:
        found = function(*args, **options)
        for step in after:
            step()
        return found

    return slow


def refusals(answers: list[Any]) -> list[str]:
    return sorted(refusal.code for refusal in of_type(answers, Conflict))


def outcome(answers: list[Any]) -> tuple[int, list[str]]:
    """How many got through, and how the others were refused."""
    assert len(of_type(answers, Change)) + len(of_type(answers, Conflict)) == len(answers), answers
    return len(of_type(answers, Change)), refusals(answers)


# -- pairing against a last result (T10) ------------------------------------------------------------------------------


def one_result_left() -> tuple[Made, Round, Match]:
    """Round 1 with every result in but one, which one of the two players has reported."""
    made = make_event(players=4, started=True)
    round_ = made.post_round()
    last, other = round_.matches.order_by("table")
    results.decide_result(event_id=made.event.pk, actor=made.by_organiser, match_id=other.pk, wins_a=2, wins_b=0)
    return made, round_, last


def complete(made: Made) -> Change:
    return rounds.complete_round(event_id=made.event.pk, actor=made.by_organiser, round_number=1)


def test_the_last_result_is_in_the_standings_or_the_round_is_not_complete() -> None:
    made, round_, last = one_result_left()
    first, second = (seat.player for seat in last.seats.select_related("player__user"))
    made.report(first, round_, 2, 1)

    answers = at_once(lambda: made.report(second, round_, 1, 2), lambda: complete(made))

    assert answers[0] is None
    done, refused = len(of_type(answers, Change)), refusals(answers)
    assert (done, refused) in [(1, []), (0, ["round.results_missing"])]
    if not done:
        complete(made)
    made.draft_round()
    plan = Round.objects.get(event=made.event, sequence=2).plan.content
    assert sum(points for group in plan["groups"] for points in group["entrants"]["points"]) == 2 * 3
    assert verify_event(made.refresh()).faults == []


def correct_while_complete(made: Made, last: Match, before: Callable[[], None], after: Callable[[], None]) -> list[Any]:
    def correct() -> Change:
        before()
        try:
            return results.decide_result(
                event_id=made.event.pk,
                actor=made.by_organiser,
                match_id=last.pk,
                wins_a=0,
                wins_b=2,
                reason="The slip says so.",
            )
        finally:
            after()

    return at_once(correct, lambda: complete(made))


def test_a_correction_that_meets_the_end_of_the_round_is_in_the_standings_or_refused() -> None:
    made, _, last = one_result_left()
    results.decide_result(event_id=made.event.pk, actor=made.by_organiser, match_id=last.pk, wins_a=2, wins_b=0)

    answers = correct_while_complete(made, last, nothing, nothing)

    assert outcome(answers) in [(2, []), (1, ["round.closed"])]
    assert Round.objects.get(event=made.event).state == "complete"
    assert verify_event(made.refresh()).faults == []


def test_control_without_the_lock_the_standings_lack_the_correction(monkeypatch: Patch) -> None:
    made, _, last = one_result_left()
    results.decide_result(event_id=made.event.pk, actor=made.by_organiser, match_id=last.pk, wins_a=2, wins_b=0)
    lock_off(monkeypatch)
    counted, corrected = meeting(2), meeting(2)
    monkeypatch.setattr(rounds, "store_standings", then(rounds.store_standings, counted, corrected))

    answers = correct_while_complete(made, last, counted, corrected)

    assert outcome(answers) == (2, [])
    assert verify_event(made.refresh()).faults == ["The standings after round 1 are not what the results come to."]


# -- drop against pairing ---------------------------------------------------------------------------------------------


def drop_while_pairing(made: Made, after: Callable[[], None] = nothing) -> list[Any]:
    leaver = made.players[0]

    def drop() -> Change:
        try:
            return registration.drop_player(
                event_id=made.event.pk, actor=actor_of(user_of(leaver)), player_id=leaver.pk
            )
        finally:
            after()

    return at_once(drop, lambda: rounds.draft_round(event_id=made.event.pk, actor=made.by_organiser))


def left(made: Made) -> tuple[str, int | None, bool]:
    """State, the round after which the leaver left, and whether they sit in round 1."""
    leaver = made.players[0]
    leaver.refresh_from_db()
    seated = Seat.objects.filter(event=made.event, player=leaver).exists()
    return leaver.state, leaver.dropped_after_round, seated


def test_who_drops_while_a_round_is_paired_left_before_it_or_sits_in_it() -> None:
    made = make_event(players=4, started=True)

    assert outcome(drop_while_pairing(made)) == (2, [])

    assert left(made) in [("dropped", 0, False), ("dropped", 1, True)]


def test_control_without_the_lock_who_left_before_the_round_sits_in_it(monkeypatch: Patch) -> None:
    made = make_event(players=4, started=True)
    lock_off(monkeypatch)
    meet, gone = meeting(2), meeting(2)
    monkeypatch.setattr(swiss_round, "pairing_state", then(swiss_round.pairing_state, meet, gone))
    monkeypatch.setattr(registration, "_last_round", then(registration._last_round, meet))

    assert outcome(drop_while_pairing(made, gone)) == (2, [])

    assert left(made) == ("dropped", 0, True)


# -- decklist edit against lock ---------------------------------------------------------------------------------------


def edit_while_posting(made: Made) -> list[Any]:
    made.draft_round()
    player = made.players[0]
    return at_once(
        lambda: submission.submit_decklist(
            event_id=made.event.pk, actor=actor_of(user_of(player)), player_id=player.pk, text=ILLEGAL
        ),
        lambda: rounds.post_round(event_id=made.event.pk, actor=made.by_organiser, round_number=1),
    )


def counts(made: Made) -> tuple[str, str]:
    """The state of round 1, and what counts of the decklist that was edited."""
    current = DecklistSubmission.objects.select_related("decklist__verdict").get(
        player=made.players[0], replaced_at=None
    )
    return Round.objects.get(event=made.event).state, current.decklist.verdict.outcome


def test_a_decklist_that_is_edited_as_round_1_is_posted_counts_before_it_or_not_at_all() -> None:
    made = make_event(players=2, started=True)

    answers = edit_while_posting(made)

    assert (outcome(answers), counts(made)) in [
        ((1, ["decklist.closed"]), ("posted", "legal")),
        ((1, ["event.decklists_missing"]), ("draft", "illegal")),
    ]


def test_control_without_the_lock_round_1_is_posted_with_an_illegal_decklist(monkeypatch: Patch) -> None:
    made = make_event(players=2, started=True)
    lock_off(monkeypatch)
    meet = meeting(2)
    monkeypatch.setattr(submission, "_closed", then(submission._closed, meet))
    monkeypatch.setattr(rounds, "refuse_gaps", then(missing_lists.refuse_gaps, meet))

    answers = edit_while_posting(made)

    assert (outcome(answers), counts(made)) == ((2, []), ("posted", "illegal"))


# -- two scorekeepers everywhere --------------------------------------------------------------------------------------


def start_clock(made: Made, command: Command) -> Change:
    return rounds.start_clock(event_id=made.event.pk, actor=made.by_organiser, round_number=1, command=command)


def decide(made: Made, command: Command) -> Change:
    match = Match.objects.filter(event=made.event).order_by("table")[0]
    return results.decide_result(
        event_id=made.event.pk, actor=made.by_organiser, match_id=match.pk, wins_a=2, wins_b=0, command=command
    )


def complete_with(made: Made, command: Command | None) -> Change:
    return rounds.complete_round(event_id=made.event.pk, actor=made.by_organiser, round_number=1, command=command)


def post(made: Made, command: Command) -> Change:
    return rounds.post_round(event_id=made.event.pk, actor=made.by_organiser, round_number=1, command=command)


def add_guest(made: Made, command: Command) -> Change:
    return registration.add_player(event_id=made.event.pk, actor=made.by_organiser, name="Guest One", command=command)


def check_in(made: Made, command: Command) -> Change:
    return registration.check_in(
        event_id=made.event.pk, actor=made.by_organiser, player_id=made.players[0].pk, command=command
    )


def bring_in(made: Made, command: Command | None) -> Change:
    entries = [Entry(1, "Guest One"), Entry(2, "Guest Two")]
    return importing.import_players(event_id=made.event.pk, actor=made.by_organiser, entries=entries, command=command)


def registering() -> Made:
    return make_event(players=2)


def drafted() -> Made:
    made = make_event(players=2, started=True)
    made.draft_round()
    return made


def posted() -> Made:
    made = make_event(players=2, started=True)
    made.post_round(clock=False)
    return made


def decided() -> Made:
    made = posted()
    decide(made, Command(key="the-result-comes"))
    return made


STEPS = {
    "player.registered": (registering, add_guest),
    "player.checked_in": (registering, check_in),
    "players.imported": (registering, bring_in),
    "round.posted": (drafted, post),
    "clock.started": (posted, start_clock),
    "result.confirmed": (posted, decide),
    "round.completed": (decided, complete_with),
}


def test_of_two_scorekeepers_who_do_the_same_at_once_one_does_it_and_the_other_is_told() -> None:
    found = {}
    for kind, (prepare, step) in STEPS.items():
        made = prepare()
        version = made.refresh().version
        entries = LogEntry.objects.filter(event=made.event, kind=kind)
        before = entries.count()
        commands = [Command(key=f"{kind} by {keeper}", expected_version=version) for keeper in "ab"]
        answers = at_once(*[partial(step, made, command) for command in commands])
        late = of_type(answers, Conflict)[0].context["version"] - version
        faults = verify_event(made.refresh()).faults
        found[kind] = (*outcome(answers), late, entries.count() - before, faults)

    assert found == {kind: (1, ["event.stale"], 1, 1, []) for kind in STEPS}


def test_control_without_the_lock_two_scorekeepers_complete_a_round_twice(monkeypatch: Patch) -> None:
    made = decided()
    lock_off(monkeypatch)
    monkeypatch.setattr(rounds, "missing_results", then(rounds.missing_results, meeting(2)))
    monkeypatch.setattr(rounds, "store_standings", lambda event, round_: [])  # their rows have a wall of their own

    answers = at_once(*[lambda: complete_with(made, None)] * 2)

    assert outcome(answers) == (2, [])
    assert LogEntry.objects.filter(event=made.event, kind="round.completed").count() == 2


def test_a_decision_on_what_another_scorekeeper_decided_meanwhile_is_refused_by_the_match() -> None:
    made = posted()
    match = Match.objects.get(event=made.event)

    def decide_it(wins_a: int, wins_b: int) -> Change:
        return results.decide_result(
            event_id=made.event.pk,
            actor=made.by_organiser,
            match_id=match.pk,
            wins_a=wins_a,
            wins_b=wins_b,
            reason="I have the slip.",
            match_version=match.version,
        )

    answers = at_once(lambda: decide_it(2, 0), lambda: decide_it(1, 2))

    assert outcome(answers) == (1, ["event.stale"])
    assert Result.objects.filter(match=match).count() == 1


# -- reminders, lists and claims --------------------------------------------------------------------------------------


def remind_twice(made: Made) -> list[Any]:
    return at_once(*[lambda: reminders.remind_of_decklists(event_id=made.event.pk, actor=made.by_organiser)] * 2)


def times_reminded(made: Made) -> int:
    return LogEntry.objects.filter(event=made.event, kind="decklists.reminded").count()


def test_players_are_reminded_once_by_two_who_press_at_once() -> None:
    made = make_event(players=2)

    assert outcome(remind_twice(made)) == (1, ["decklist.reminded_lately"])
    assert times_reminded(made) == 1


def test_control_without_the_lock_players_are_reminded_twice(monkeypatch: Patch) -> None:
    made = make_event(players=2)
    lock_off(monkeypatch)
    monkeypatch.setattr(reminders, "_refuse_unasked", then(reminders._refuse_unasked, meeting(2)))
    monkeypatch.setattr(reminders, "_players", lambda event: list(event.players.order_by("pk")))
    monkeypatch.setattr(reminders, "gaps_among", then(reminders.gaps_among, meeting(2)))

    assert outcome(remind_twice(made)) == (2, [])
    assert times_reminded(made) == 2


def list_and_player_for_the_last_place(made: Made) -> list[Any]:
    person = make_user("First Comer")
    return at_once(
        lambda: importing.import_players(
            event_id=made.event.pk, actor=made.by_organiser, entries=[Entry(1, "Guest One")], leave_out_problems=True
        ),
        lambda: registration.register(event_id=made.event.pk, actor=actor_of(person), user_id=person.pk),
    )


def in_and_waiting(made: Made) -> list[str]:
    return sorted(made.event.players.filter(user__display_name="First Comer").values_list("state", flat=True)) + sorted(
        made.event.players.filter(name="Guest One").values_list("state", flat=True)
    )


def last_place() -> Made:
    made = make_event(players=2, capacity=3)
    made.event.waitlist = True
    made.event.save(update_fields=["waitlist"])
    return made


def test_a_list_and_a_player_share_the_last_place_one_of_them_waits() -> None:
    made = last_place()

    assert outcome(list_and_player_for_the_last_place(made)) == (2, [])

    assert sorted(in_and_waiting(made)) == ["registered", "waitlisted"]


def test_control_without_the_lock_a_list_and_a_player_both_get_the_last_place(monkeypatch: Patch) -> None:
    made = last_place()
    lock_off(monkeypatch)
    meet = meeting(2)
    monkeypatch.setattr(importing, "plan_of_import", then(importing.plan_of_import, meet))
    monkeypatch.setattr(registration, "is_full", then(registration.is_full, meet))

    assert outcome(list_and_player_for_the_last_place(made)) == (2, [])

    assert in_and_waiting(made) == ["registered", "registered"]


def claim_twice(made: Made, token: str) -> list[Any]:
    people = [make_user("True Owner"), make_user("Link Finder")]
    return at_once(
        *[
            lambda person=person: registration.claim_entry(token=token, actor=actor_of(person), user_id=person.pk)
            for person in people
        ]
    )


def test_of_two_who_claim_one_entry_at_once_one_gets_it() -> None:
    made = make_event(players=1)
    guest = registration.add_player(event_id=made.event.pk, actor=made.by_organiser, name="Guest One").facts

    answers = claim_twice(made, guest["claim_token"])

    assert len(of_type(answers, Change)) == 1
    assert [getattr(answer, "code", "") for answer in answers if not isinstance(answer, Change)] == ["claim.unknown"]
    assert Player.objects.get(pk=guest["player"]).user is not None
