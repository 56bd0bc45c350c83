"""A decklist is withdrawn until the deadline, kept, and counts again once it is handed in again."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from config.errors import Conflict
from decks.models import Decklist
from events.models import Event, Player
from events.services import administration, rounds, submission
from events.services.transaction import AlreadyDone, Command
from tests.events.api.conftest import nobody, program
from tests.events.factories import Made, actor_of, legal_text, user_of
from tests.events.pages.test_public import words
from tests.events.services.watching import last_entry, one_change, refused

__all__ = ["nobody", "program"]
Make = Callable[..., Made]
pytestmark = pytest.mark.django_db


def withdraw(made: Made, player: Player, **options: Any) -> None:
    submission.withdraw_decklist(
        event_id=made.event.pk, actor=actor_of(user_of(player)), player_id=player.pk, **options
    )


def close(made: Made) -> None:
    Event.objects.filter(pk=made.event.pk).update(decklist_deadline=timezone.now() - timedelta(seconds=1))


def test_a_withdrawn_decklist_is_kept_and_counts_again_once_it_is_handed_in_again(make_event: Make) -> None:
    made = make_event(players=1, decklists=True)
    player = made.players[0]
    command = Command(key="withdraw-1")
    with one_change(made.event, "decklist.withdrawn"):
        withdraw(made, player, command=command)
    with pytest.raises(AlreadyDone):
        withdraw(made, player, command=command)
    [row] = player.submissions.all()
    entry = last_entry(made.event)
    assert row.replaced_at == entry.at
    assert (entry.payload, entry.is_public) == (
        {"player": player.pk, "fingerprint": row.decklist.fingerprint},
        False,
    )
    with refused(Conflict, "decklist.none", 409):
        withdraw(made, player)
    made.submit(player, row.decklist.text)
    again = player.submissions.get(replaced_at=None)
    assert again.decklist.fingerprint == row.decklist.fingerprint
    assert Decklist.objects.count() == 2


def test_nothing_is_withdrawn_after_the_deadline_by_the_clock_of_the_database(make_event: Make) -> None:
    made = make_event(players=1, decklists=True)
    close(made)
    with refused(Conflict, "decklist.closed", 409):
        withdraw(made, made.players[0])


def test_nothing_is_withdrawn_once_round_1_is_posted_or_the_event_is_over(make_event: Make) -> None:
    made = make_event(players=2, started=True)
    made.draft_round()
    withdraw(made, made.players[0])
    with refused(Conflict, "event.decklists_missing", 409):
        rounds.post_round(event_id=made.event.pk, actor=made.by_organiser, round_number=1)
    made.submit(made.players[0])
    rounds.post_round(event_id=made.event.pk, actor=made.by_organiser, round_number=1)
    with refused(Conflict, "decklist.closed", 409):
        withdraw(made, made.players[0])
    other = make_event(players=1, decklists=True, name="Other")
    administration.cancel_event(event_id=other.event.pk, actor=other.by_organiser, reason="No hall.")
    with refused(Conflict, "decklist.closed", 409, {"state": "cancelled"}):
        withdraw(other, other.players[0])


def test_a_player_withdraws_on_the_page_and_finds_the_text_there(
    make_event: Make, as_user: Callable[..., Client]
) -> None:
    made = make_event(players=1, decklists=True)
    client, address = as_user(made.players[0]), f"/e/{made.event.code}/me/decklist"
    assert "Withdraw my decklist" in words(client.get(address))
    answer = client.post(f"{address}/withdraw", {"idempotency_key": "withdraw-1"})
    assert (answer.status_code, answer["Location"]) == (302, address)
    page = client.get(address)
    assert "Nothing counts now: you withdrew your decklist." in words(page)
    assert legal_text(made.event).splitlines()[1] in page.content.decode().partition("<textarea")[2]
    assert "Withdraw my decklist" not in words(page)
    close(made)
    assert client.post(f"{address}/withdraw", {"idempotency_key": "withdraw-2"}).status_code == 409


def test_after_the_deadline_the_page_offers_no_withdrawal(make_event: Make, as_user: Callable[..., Client]) -> None:
    made = make_event(players=1, decklists=True)
    close(made)
    page = words(as_user(made.players[0]).get(f"/e/{made.event.code}/me/decklist"))
    assert "The deadline has passed." in page
    assert "Withdraw my decklist" not in page


def test_a_program_withdraws_and_hands_in_again_until_the_deadline_and_then_only_staff_with_a_reason(
    make_event: Make, program: Callable[..., Any], nobody: Any
) -> None:
    made = make_event(players=2, decklists=True)
    player, other = made.players
    path, text = f"events/{made.event.code}/players/{player.pk}/decklist", legal_text(made.event)
    own = program(player)
    assert nobody.send("DELETE", path).status_code == 401
    assert [program(one).send("DELETE", path).status_code for one in (other, made.organiser)] == [403, 403]
    assert own.send("DELETE", path, key=None).status_code == 400
    answer = own.send("DELETE", path, key="withdraw-1")
    assert (answer.status_code, answer.json()) == (200, {"version": made.refresh().version, "player": player.pk})
    assert own.send("DELETE", path, key="withdraw-1").json() == answer.json()
    assert own.get(path).status_code == 404
    assert own.post(path, {"text": text}).status_code == 201
    close(made)
    assert (own.send("DELETE", path).status_code, own.post(path, {"text": text}).status_code) == (409, 409)
    desk, version = program(made.organiser), made.refresh().version
    assert desk.post(path, {"text": text}, version=version).json()["code"] == "decklist.reason"
    assert desk.post(path, {"text": text, "reason": "Lent a card."}, version=version).status_code == 201
    rows = player.submissions.order_by("pk")
    assert [(row.replaced_at is None, row.by_staff, row.reason) for row in rows] == [
        (False, False, ""),
        (False, False, ""),
        (True, True, "Lent a card."),
    ]


def test_a_judge_replaces_a_decklist_after_the_deadline_and_says_why(
    make_event: Make, as_user: Callable[..., Client]
) -> None:
    made = make_event(players=1, decklists=True)
    close(made)
    judge, player = as_user(made.judge), made.players[0]
    address = f"/e/{made.event.code}/desk/players/{player.pk}/decklist"
    assert "Replace it" in words(judge.get(f"/e/{made.event.code}/decklists/{player.pk}/"))
    form = {"text": legal_text(made.event), "reason": "", "idempotency_key": "judge-key-1"}
    answer = judge.post(address, form)
    assert (answer.status_code, player.submissions.count()) == (400, 1)
    assert judge.post(address, {**form, "reason": "Wrong card."}).status_code == 302
    rows = [(row.by_staff, row.reason, row.replaced_at is None) for row in player.submissions.order_by("pk")]
    assert rows == [(False, "", False), (True, "Wrong card.", True)]
