"""What decklists that were judged again mean to their events, and two processes that judge at once."""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Sequence

import pytest

from cards.models import Card
from config.errors import Conflict
from decks.models import LaterVerdict
from decks.services.revalidation import run_revalidation
from events.models import Event
from events.queries.desk import desk_state, player_rows
from events.services import missing_lists, setup
from events.services.publishing import settled as settled_in_events
from tests.events.factories import Made, make_event
from tests.events.lists import ban, decklists, start
from tests.threads import at_once


def outcomes(made: Made) -> list[str]:
    return [row.outcome for row in player_rows(event=made.event)]


def test_an_event_does_not_begin_with_a_decklist_that_a_new_list_made_illegal(make_event: Callable[..., Made]) -> None:
    made = make_event(players=2, checked_in=True, decklists=True)
    entry = ban(made)
    assert run_revalidation(revalidation_id=start(made).pk, settled=settled_in_events)
    names = ("Ada Brook", "Bela Quist")
    assert (outcomes(made), desk_state(made.refresh()).facts.decklists_illegal) == (["illegal", "illegal"], names)
    with pytest.raises(Conflict) as refused:
        setup.start_event(event_id=made.event.pk, actor=made.by_organiser)
    assert (refused.value.code, refused.value.context) == (
        "event.decklists_missing",
        {"missing": [], "illegal": list(names)},
    )
    entry.delete()
    assert run_revalidation(revalidation_id=start(made, "Spring list").pk, settled=settled_in_events)
    assert outcomes(made) == ["legal", "legal"]
    setup.start_event(event_id=made.event.pk, actor=made.by_organiser)
    assert made.refresh().state == Event.State.RUNNING


def test_a_mended_decklist_counts_by_its_own_verdict(make_event: Callable[..., Made]) -> None:
    made = make_event(players=2, checked_in=True, decklists=True)
    banned = ban(made).card
    assert run_revalidation(revalidation_id=start(made).pk, settled=settled_in_events)
    handed_in = decklists(made)[0]
    spare = Card.objects.filter(game=made.event.game, facts__cost="action").exclude(pk__in=handed_in.card_ids)[0]
    for player in made.players:
        assert made.submit(player, handed_in.text.replace(banned.name, spare.name)) == "legal"
    assert outcomes(made) == ["legal", "legal"]
    setup.start_event(event_id=made.event.pk, actor=made.by_organiser)


def test_a_running_event_keeps_its_verdicts_and_ends_deck_building_by_them(make_event: Callable[..., Made]) -> None:
    made = make_event(players=2, started=True)
    first = [decklist.verdict.digests for decklist in decklists(made)]
    ban(made)
    revalidation = start(made)
    assert run_revalidation(revalidation_id=revalidation.pk, settled=settled_in_events)
    revalidation.refresh_from_db()
    assert (revalidation.state, revalidation.done, revalidation.changed) == ("done", 2, 0)
    assert (outcomes(made), LaterVerdict.objects.count()) == (["legal", "legal"], 0)
    assert [decklist.verdict.digests for decklist in decklists(made)] == first
    missing_lists.refuse_gaps(made.event)


@pytest.mark.race
@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("packs")
def test_of_two_who_judge_the_same_decklists_one_leaves_them_to_the_other() -> None:
    made = make_event(players=4, decklists=True)
    ban(made)
    revalidation = start(made)
    judging, left = threading.Event(), threading.Event()
    asked: list[int] = []

    def settled(ids: Sequence[int]) -> Collection[int]:
        asked.extend(ids)
        judging.set()
        assert left.wait(10)
        return ()

    def other() -> bool:
        assert judging.wait(10)
        try:
            return run_revalidation(revalidation_id=revalidation.pk)
        finally:
            left.set()

    results = at_once(
        lambda: run_revalidation(revalidation_id=revalidation.pk, batch=10, settled=settled),
        other,
    )
    assert results == [True, False]
    assert asked == [decklist.pk for decklist in decklists(made)]
    revalidation.refresh_from_db()
    assert (revalidation.state, revalidation.done, revalidation.changed) == ("done", 4, 4)
    assert run_revalidation(revalidation_id=revalidation.pk)
    assert LaterVerdict.objects.count() == 4


@pytest.mark.race
@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("packs")
def test_two_who_judge_for_two_publications_leave_the_verdict_of_the_newer_lists() -> None:
    made = make_event(players=2, decklists=True)
    entry = ban(made)
    winter = start(made)
    judging, newer_done = threading.Event(), threading.Event()

    def settled(ids: Sequence[int]) -> Collection[int]:
        judging.set()
        newer_done.wait(1)  # in vain, where the newer run waits for this batch
        return ()

    def newer() -> bool:
        assert judging.wait(10)
        entry.delete()
        try:
            return run_revalidation(revalidation_id=start(made, "Spring list").pk)
        finally:
            newer_done.set()

    results = at_once(lambda: run_revalidation(revalidation_id=winter.pk, settled=settled), newer)
    assert results == [True, True]
    assert outcomes(made) == ["legal", "legal"]
    assert not LaterVerdict.objects.exists()


@pytest.mark.race
@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("packs")
def test_an_event_that_is_started_while_its_decklists_are_judged_sees_what_they_come_to() -> None:
    made = make_event(players=2, checked_in=True, decklists=True)
    ban(made)
    winter = start(made)
    judging, started = threading.Event(), threading.Event()

    def settled(ids: Sequence[int]) -> Collection[int]:
        found = settled_in_events(ids)
        judging.set()
        started.wait(1)  # in vain, where the start waits for this batch
        return found

    def begin() -> None:
        assert judging.wait(10)
        try:
            setup.start_event(event_id=made.event.pk, actor=made.by_organiser)
        finally:
            started.set()

    done, refused = at_once(lambda: run_revalidation(revalidation_id=winter.pk, settled=settled), begin)
    assert done is True
    assert (type(refused), getattr(refused, "code", "")) == (Conflict, "event.decklists_missing")
    assert (made.refresh().state, outcomes(made)) == (Event.State.REGISTRATION, ["illegal", "illegal"])
