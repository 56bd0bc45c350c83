"""Deck checks: who writes them down, and what is kept of them."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from config.errors import Conflict, DomainError
from events.models import DeckCheck, DecklistSubmission, LogEntry
from events.queries.staffing import deck_rows
from events.services.deck_checks import record_deck_check
from tests.events.desk.conftest import said, staffed
from tests.events.factories import actor_of

pytestmark = pytest.mark.django_db


def decklist_of(player) -> int:
    return DecklistSubmission.objects.get(player=player, replaced_at=None).decklist_id


def test_a_deck_checker_reads_a_decklist_and_writes_down_what_was_found(make_event, as_user, send):
    made = make_event(started=True)
    made.post_round()
    checker, ada = staffed(made, "deck_checker"), made.players[0]
    desk = f"/e/{made.event.code}/desk/deck-checks/"

    page = as_user(checker).get(desk)
    decklist = as_user(checker).get(f"/e/{made.event.code}/decklists/{ada.pk}/")
    form = {"decklist": decklist_of(ada), "found": "problem", "note": "One card short."}
    sent = send(checker, f"{desk}{ada.pk}", form)
    shown = said(as_user(made.judge).get(desk))

    assert "0 of 4 decks checked" in said(page)
    assert decklist.status_code == 200
    assert "Replace it" not in said(decklist)
    assert sent.url == f"{desk}#player-{ada.pk}"
    check = DeckCheck.objects.get()
    assert (check.player_id, check.decklist_id, check.round, check.found, check.note, check.checker_name) == (
        ada.pk,
        decklist_of(ada),
        1,
        "problem",
        "One card short.",
        "The deck checker",
    )
    assert "1 of 4 decks checked" in shown
    assert "One card short." in shown
    entry = LogEntry.objects.get(event=made.event, kind="deck.checked")
    assert (entry.payload, entry.is_public) == (
        {"player": ada.pk, "decklist": decklist_of(ada), "found": "problem", "reason": "One card short."},
        False,
    )


def test_a_check_of_a_decklist_that_was_replaced_meanwhile_is_refused(make_event):
    made = make_event(decklists=True)
    ada = made.players[0]
    old = decklist_of(ada)
    made.submit(ada, "4 Nothing Known")

    with pytest.raises(Conflict) as caught:
        record_deck_check(
            event_id=made.event.pk,
            actor=actor_of(made.judge),
            player_id=ada.pk,
            decklist_id=old,
            found="in_order",
        )

    assert (caught.value.code, caught.value.context) == ("deck_check.replaced", {"decklist": decklist_of(ada)})
    assert DeckCheck.objects.count() == 0


@pytest.mark.parametrize(
    ("values", "code"),
    [
        ({"found": "perhaps"}, "deck_check.found"),
        ({"found": "problem"}, "deck_check.note"),
        ({"found": "problem", "note": "x" * 301}, "deck_check.note"),
    ],
)
def test_a_check_that_says_too_little_is_refused(make_event, values, code):
    made = make_event(decklists=True)
    ada = made.players[0]
    about = {"event_id": made.event.pk, "actor": actor_of(made.judge), "player_id": ada.pk}

    with pytest.raises(DomainError) as caught:
        record_deck_check(**about, decklist_id=decklist_of(ada), **values)

    assert caught.value.code == code


def test_a_player_learns_nothing_of_checks(make_event, as_user):
    made = make_event(started=True)
    ada = made.players[0]
    about = {"event_id": made.event.pk, "actor": actor_of(made.judge), "player_id": ada.pk}
    record_deck_check(**about, decklist_id=decklist_of(ada), found="problem", note="A canary card.")

    for path in ("", "me/", "log/", f"decklists/{ada.pk}/", "players/"):
        assert "canary" not in as_user(ada).get(f"/e/{made.event.code}/{path}").content.decode()


@pytest.mark.parametrize("players", [1, 3])
def test_the_page_costs_as_many_queries_for_one_as_for_three(make_event, as_user, players):
    made = make_event(players=players, decklists=True)
    for player in made.players:
        record_deck_check(
            event_id=made.event.pk,
            actor=actor_of(made.judge),
            player_id=player.pk,
            decklist_id=decklist_of(player),
            found="in_order",
        )
    client, address = as_user(made.judge), f"/e/{made.event.code}/desk/deck-checks/"
    client.get(address)

    with CaptureQueriesContext(connection) as captured:
        assert client.get(address).status_code == 200

    assert len(captured) == 9
    assert [len(row.checks) for row in deck_rows(made.event)] == [1] * players
