"""The step that an event waits for, in every state, and what stands in its way."""

from __future__ import annotations

import pytest

from events.engine.desk_steps import Blocker, DeskFacts, RoundFacts, StageFacts, Step, StepCode, next_step

SWISS = StageFacts("swiss")
CUT = StageFacts("single_elimination", cut=8)


def registering(**facts: object) -> DeskFacts:
    return DeskFacts(**{"state": "registration", "checked_in": 8, "expected": 0, "stage": SWISS, **facts})


def running(**facts: object) -> DeskFacts:
    return DeskFacts(**{"state": "running", "checked_in": 8, "expected": 0, "stage": StageFacts("swiss", 3), **facts})


def in_round(**facts: object) -> DeskFacts:
    return running(round=RoundFacts(**{"number": 2, "state": "playing", "clock": "running", **facts}))


def test_registration_leads_to_the_start():
    assert next_step(registering()) == Step(StepCode.START_EVENT, "Start the event with 8 players")


def test_gaps_in_decklists_stop_the_start_and_no_shows_do_not():
    facts = registering(expected=2, decklists_missing=("Ada", "Bela"), decklists_illegal=("Cleo",))

    step = next_step(facts)

    assert step.blockers == (
        Blocker("decklists_illegal", "1 decklist illegal: Cleo", True, names=("Cleo",)),
        Blocker("decklists_missing", "2 without a decklist: Ada, Bela", True, names=("Ada", "Bela")),
        Blocker("not_checked_in", "2 not checked in: starting drops them as no-shows", False),
    )
    assert not step.is_possible


def test_no_shows_alone_leave_the_start_possible():
    assert next_step(registering(expected=1)).is_possible


@pytest.mark.parametrize("checked_in", [0, 1])
def test_an_event_needs_two_players(checked_in):
    step = next_step(registering(checked_in=checked_in))

    assert [blocker.code for blocker in step.blockers] == ["too_few_players"]
    assert not step.is_possible


def test_decklists_do_not_matter_before_a_draft():
    facts = registering(stage=StageFacts("draft"), decklists_missing=("Ada",))

    assert next_step(facts).blockers == ()


@pytest.mark.parametrize(
    ("state", "label"), [("finished", "The event is over."), ("cancelled", "The event was cancelled.")]
)
def test_an_event_that_is_over_waits_for_nothing(state, label):
    step = next_step(running(state=state))

    assert step == Step(None, label)
    assert not step.is_possible


def test_between_rounds_the_next_is_drafted():
    facts = running(stage=StageFacts("swiss", 3, 2), last_round=2)

    assert next_step(facts) == Step(StepCode.DRAFT_ROUND, "Draft round 3", (), 3)


def test_one_player_left_is_no_swiss_round():
    step = next_step(running(checked_in=1, last_round=1))

    assert [blocker.text for blocker in step.blockers] == ["1 player left, and a round needs two"]


def test_elimination_is_drafted_whoever_has_left():
    facts = running(checked_in=1, stage=StageFacts("single_elimination", 3, 1, 8), last_round=4)

    assert next_step(facts) == Step(StepCode.DRAFT_ROUND, "Draft round 5", (), 5)


@pytest.mark.parametrize(
    ("following", "code", "label"),
    [
        (CUT, StepCode.BEGIN_STAGE, "Cut to the top 8"),
        (SWISS, StepCode.BEGIN_STAGE, "Begin the Swiss rounds"),
        (StageFacts("deck_building"), StepCode.BEGIN_STAGE, "Begin deck building"),
        (StageFacts("draft"), StepCode.BEGIN_STAGE, "Begin the draft"),
        (StageFacts("sealed"), StepCode.BEGIN_STAGE, "Begin opening packs"),
        (None, StepCode.FINISH_EVENT, "Finish the event"),
    ],
)
def test_after_the_last_round_the_next_stage_begins_or_the_event_ends(following, code, label):
    facts = running(stage=StageFacts("swiss", 3, 3), next_stage=following, last_round=3)

    assert next_step(facts) == Step(code, label)


def test_a_pod_that_drafts_holds_the_stage_open():
    facts = running(
        stage=StageFacts("draft"), next_stage=StageFacts("deck_building"), drafting=(("Ada", "Bela"), ("Cleo",))
    )

    step = next_step(facts)

    assert [blocker.text for blocker in step.blockers] == [
        "A pod is still drafting: Ada, Bela to pick",
        "A pod is still drafting: Cleo to pick",
    ]
    assert not step.is_possible


def test_deck_building_ends_with_every_decklist_in():
    facts = running(stage=StageFacts("deck_building"), next_stage=SWISS, decklists_missing=("Ada",))

    assert [blocker.code for blocker in next_step(facts).blockers] == ["decklists_missing"]
    assert not next_step(facts).is_possible


def test_a_draft_is_posted():
    step = next_step(running(round=RoundFacts(2, "draft", players=8)))

    assert step == Step(StepCode.POST_ROUND, "Post round 2", (), 2)


def test_a_draft_with_somebody_who_left_is_not_posted():
    step = next_step(running(round=RoundFacts(2, "draft", players=8, gone=("Ada",))))

    assert step.blockers == (
        Blocker("dropped_in_draft", "Ada dropped after the draft: pair again", True, names=("Ada",)),
    )


def test_a_posted_round_waits_for_its_clock_even_with_a_dispute():
    step = next_step(in_round(state="posted", clock="none", playing=(1, 2), disputed=(3,)))

    assert step.code is StepCode.START_CLOCK
    assert [(blocker.code, blocker.stops) for blocker in step.blockers] == [("disputed", False)]
    assert step.is_possible


def test_a_posted_round_names_who_has_left_since_while_it_can_still_be_mended():
    step = next_step(in_round(state="posted", clock="none", playing=(1, 2), gone=("Ada",)))

    assert (step.code, step.is_possible) == (StepCode.START_CLOCK, True)
    assert step.blockers == (
        Blocker(
            "dropped_after_posting",
            "Ada dropped after the round was posted: mend it while nobody plays",
            False,
            names=("Ada",),
        ),
    )


@pytest.mark.parametrize("state", ["posted", "playing", "time"])
def test_a_round_with_every_result_is_completed(state):
    assert next_step(in_round(state=state)) == Step(StepCode.COMPLETE_ROUND, "Complete round 2", (), 2)


@pytest.mark.parametrize("clock", ["running", "paused"])
def test_while_a_round_is_played_missing_results_stop_its_end_worst_first(clock):
    step = next_step(in_round(clock=clock, playing=(4, 9), reported=(5,), disputed=(17,)))

    assert step.code is StepCode.COMPLETE_ROUND
    assert step.blockers == (
        Blocker("disputed", "1 disputed: table 17", True, (17,)),
        Blocker("playing", "2 results missing: tables 4, 9", True, (4, 9)),
        Blocker("reported", "1 reported, not confirmed by the other player: table 5", True, (5,)),
    )
    assert not step.is_possible


def test_when_the_clock_has_run_out_time_is_called():
    step = next_step(in_round(clock="over", playing=(4,)))

    assert (step.code, step.is_possible) == (StepCode.CALL_TIME, True)
    assert [(blocker.code, blocker.stops) for blocker in step.blockers] == [("playing", False)]


def test_at_time_the_last_results_are_waited_for():
    step = next_step(in_round(state="time", clock="over", playing=(4,)))

    assert (step.code, step.is_possible) == (StepCode.COMPLETE_ROUND, False)


def test_long_lists_are_cut():
    step = next_step(in_round(playing=tuple(range(1, 21))))
    names = tuple("ABCDEFGH")

    assert step.blockers[0].text == "20 results missing: tables 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12 and 8 more"
    assert next_step(registering(decklists_missing=names)).blockers[0].text == (
        "8 without a decklist: A, B, C, D, E, F and 2 more"
    )
