"""Decklists: judged and frozen at once, replaced until the deadline, changed late only by staff who say why."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from config.errors import Conflict, DomainError, NotFound
from decks.models import Decklist, Verdict
from events.models import DecklistSubmission, Event, Player, PoolCard
from events.queries.access import Viewer, viewer_of
from events.queries.visibility import visible_decklist
from events.services import administration, registration, rounds, setup, submission
from events.services.transaction import AlreadyDone, Change, Command
from tests.events.factories import Made, actor_of, legal_text, make_user, too_many_copies, user_of
from tests.events.services.watching import last_entry, nothing_new, one_change, refused

Make = Callable[..., Made]
pytestmark = pytest.mark.django_db


def submit(made: Made, player: Player, text: str | None = None, **options: Any) -> Change:
    actor = made.by_organiser if options.get("by_staff") else actor_of(user_of(player))
    return submission.submit_decklist(
        event_id=made.event.pk,
        actor=actor,
        player_id=player.pk,
        text=legal_text(made.event, player) if text is None else text,
        **options,
    )


def test_a_decklist_is_stored_with_its_verdict_and_told_to_staff_only(make_event: Make) -> None:
    made = make_event(players=1)
    player = made.players[0]
    with one_change(made.event, "decklist.submitted"):
        change = submit(made, player)
    decklist = Decklist.objects.get(pk=change.facts["decklist"])
    assert change.facts == {
        "player": player.pk,
        "decklist": decklist.pk,
        "fingerprint": decklist.fingerprint,
        "outcome": "legal",
    }
    row = player.submissions.get()
    assert (row.decklist_id, row.by_staff, row.reason, row.replaced_at) == (decklist.pk, False, "", None)
    entry = last_entry(made.event)
    assert entry.is_public is False
    assert entry.payload == {
        "player": player.pk,
        "fingerprint": decklist.fingerprint,
        "outcome": "legal",
        "late": False,
        "reason": "",
    }


def test_an_illegal_list_is_kept_until_a_legal_one_replaces_it(make_event: Make) -> None:
    made = make_event(players=1)
    player = made.players[0]
    text = legal_text(made.event)
    first = submit(made, player, too_many_copies(text))
    assert first.facts["outcome"] == "illegal"
    second = submit(made, player, text)
    rows = list(player.submissions.order_by("pk"))
    assert [(row.decklist_id, row.replaced_at) for row in rows] == [
        (first.facts["decklist"], rows[1].submitted_at),
        (second.facts["decklist"], None),
    ]
    assert Verdict.objects.get(decklist=first.facts["decklist"]).violations[0]["cite"] == "EPIC 12.2"


def test_a_repeat_makes_no_second_list(make_event: Make) -> None:
    made = make_event(players=1)
    command = Command(key="my-decklist")
    first = submit(made, made.players[0], command=command)
    with nothing_new(), pytest.raises(AlreadyDone) as repeat:
        submit(made, made.players[0], command=command)
    assert repeat.value.change == first
    assert Decklist.objects.count() == 1


def test_a_player_of_another_event_has_no_list_here(make_event: Make) -> None:
    made, other = make_event(players=1), make_event(players=1, name="Another Open")
    with refused(NotFound, "player.unknown", 404):
        submit(made, other.players[0])
    assert Decklist.objects.count() == 0


def test_who_dropped_hands_in_nothing(make_event: Make) -> None:
    made = make_event(players=1)
    registration.drop_player(event_id=made.event.pk, actor=made.by_organiser, player_id=made.players[0].pk)
    with refused(Conflict, "player.dropped", 409):
        submit(made, made.players[0])


def test_text_that_is_no_text_is_refused(make_event: Make) -> None:
    made = make_event(players=1)
    with refused(DomainError, "decks.unreadable", 400):
        submit(made, made.players[0], "Main deck\n1 Thr\x00ust\n")
    assert Decklist.objects.count() == 0


def test_a_list_may_be_replaced_until_round_1_is_posted(make_event: Make) -> None:
    made = make_event(players=2, started=True)
    player = made.players[0]
    made.draft_round()
    submit(made, player)
    rounds.post_round(event_id=made.event.pk, actor=made.by_organiser, round_number=1)
    with refused(Conflict, "decklist.closed", 409):
        submit(made, player)


def test_an_own_deadline_counts_by_the_clock_of_the_database(make_event: Make) -> None:
    made = make_event(players=1, decklist_deadline=timezone.now() + timedelta(minutes=5))
    submit(made, made.players[0])
    Event.objects.filter(pk=made.event.pk).update(decklist_deadline=timezone.now() - timedelta(seconds=1))
    with refused(Conflict, "decklist.closed", 409):
        submit(made, made.players[0])


def test_staff_change_a_list_late_and_say_why(make_event: Make) -> None:
    made = make_event(players=1, decklist_deadline=timezone.now() - timedelta(seconds=1))
    player = made.players[0]
    with refused(DomainError, "decklist.reason", 400):
        submit(made, player, by_staff=True, reason="  ")
    with refused(DomainError, "decklist.reason", 400):
        submit(made, player, by_staff=True, reason="x" * 301)
    with one_change(made.event, "decklist.submitted"):
        submit(made, player, by_staff=True, reason=" Registered on paper. ")
    row = DecklistSubmission.objects.get(player=player)
    assert (row.by_staff, row.reason) == (True, "Registered on paper.")
    assert last_entry(made.event).payload["late"] is True


def test_nothing_is_handed_in_when_the_event_is_over(make_event: Make) -> None:
    made = make_event(players=1)
    administration.cancel_event(event_id=made.event.pk, actor=made.by_organiser, reason="The roof leaks.")
    with refused(Conflict, "decklist.closed", 409, {"state": "cancelled"}):
        submit(made, made.players[0])
    with refused(Conflict, "decklist.closed", 409, {"state": "cancelled"}):
        submit(made, made.players[0], by_staff=True, reason="Late.")


def test_a_limited_deck_is_built_from_the_pool_and_nothing_else(make_event: Make) -> None:
    made = make_event(policy="sealed-3", players=2, checked_in=True)
    player = made.players[0]
    with refused(Conflict, "decklist.no_pool", 409):
        submit(made, player, "Main deck\n1 Thrust\n")
    setup.start_event(event_id=made.event.pk, actor=made.by_organiser)
    assert submit(made, player).facts["outcome"] == "legal"
    name = PoolCard.objects.filter(player=player).order_by("card__name")[0].card.name
    more = legal_text(made.event, player) + f"15 {name}\n"
    assert submit(made, player, more).facts["outcome"] == "illegal"


def test_who_may_read_a_decklist(make_event: Make) -> None:  # T32
    made = make_event(players=2, decklists=True)
    owner, opponent = made.players
    stranger, playing_judge = make_user("Some Spectator"), made.judge

    def reads(event: Event, viewer: Viewer) -> bool:
        try:
            return visible_decklist(event, viewer, owner.pk).player_id == owner.pk
        except NotFound:
            return False

    def all_of(event: Event) -> list[bool]:
        people = [user_of(owner), made.judge, made.organiser, user_of(opponent), stranger]
        return [reads(event, viewer_of(event, person)) for person in people]

    event = made.refresh()
    assert all_of(event) == [True, True, True, False, False]
    registration.register(event_id=event.pk, actor=actor_of(playing_judge), user_id=playing_judge.pk)
    assert reads(event, viewer_of(event, playing_judge)) is False
    event.decklist_publication = Event.Publication.AFTER
    assert all_of(event) == [True, False, True, False, False]
    event.state = Event.State.FINISHED
    assert all_of(event) == [True] * 5
    event.decklist_publication, event.state = Event.Publication.OPEN, Event.State.REGISTRATION
    assert all_of(event) == [True] * 5
