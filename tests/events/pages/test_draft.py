from __future__ import annotations

import re
import uuid

import pytest
from django.test import Client

from cards.models import Card
from events.models import PackCard, Pick
from tests.events.pages.test_public import words


@pytest.fixture
def drafting(make_event):
    return make_event(policy="draft-2", players=3, started=True)


def take(client: Client, made, pack: object, pick: object, card: object, **fields: object):
    data = {"idempotency_key": str(uuid.uuid4()), "pack": pack, "pick": pick, "card": card, **fields}
    return client.post(f"/e/{made.event.code}/draft/pick", data)


def offered(client: Client, made) -> list[int]:
    page = client.get(f"/e/{made.event.code}/draft/").content.decode()
    return [int(card) for card in re.findall(r'name="card" value="(\d+)"', page)]


def test_the_pack_in_front_of_a_player_is_shown_and_one_card_taken(drafting, as_user):
    player = drafting.players[0]
    client, address = as_user(player), f"/e/{drafting.event.code}/draft/"
    before = words(client.get(address))
    tiles = offered(client, drafting)

    answer = take(client, drafting, 1, 0, tiles[3])
    after = words(client.get(address))

    name = PackCard.objects.select_related("card").get(pk=tiles[3]).card.name
    assert "Pack 1, pick 1 of 15" in before
    assert len(tiles) == 15
    assert (answer.status_code, answer["Location"]) == (302, address)
    waiting = {entry.name for entry in drafting.players[1:]}
    assert f"You took {name}. Waiting for" in after
    assert all(name in after for name in waiting)
    assert offered(client, drafting) == []


def test_the_next_pack_comes_when_everybody_has_picked_and_goes_to_the_left(drafting, as_user):
    for player in drafting.players:
        drafting.pick(player)
    draft = drafting.draft(drafting.players[0])
    seat = draft.seat_of_player(drafting.players[0].pk)
    right = draft.seats[(seat.index - 1) % 3]

    page = as_user(drafting.players[0]).get(f"/e/{drafting.event.code}/draft/")

    assert "Pack 1, pick 2 of 15" in words(page)
    assert f"Packs go to the left: yours next to {draft.seats[(seat.index + 1) % 3].player.name}." in words(page)
    shown = {int(card) for card in re.findall(r'name="card" value="(\d+)"', page.content.decode())}
    opened = set(PackCard.objects.filter(pack__opened_by=right.player, pack__number=1).values_list("pk", flat=True))
    assert shown < opened
    assert len(shown) == 14


def test_nobody_sees_a_pack_that_is_not_in_front_of_them(drafting, as_user):
    mine = set(offered(as_user(drafting.players[0]), drafting))
    others = [set(offered(as_user(player), drafting)) for player in drafting.players[1:]]
    seat = drafting.draft(drafting.players[0]).seat_of_player(drafting.players[0].pk)
    client = as_user(drafting.players[0])
    seats = {number: client.get(f"/e/{drafting.event.code}/draft/{number}/").status_code for number in (1, 2, 3, 4)}

    assert all(mine.isdisjoint(theirs) for theirs in others)
    assert seats == {number: 200 if number == seat.index + 1 else 404 for number in (1, 2, 3, 4)}


def test_staff_and_strangers_see_no_pack(drafting, as_user):
    address = f"/e/{drafting.event.code}/draft/"

    assert as_user(drafting.organiser).get(address).status_code == 404
    assert as_user(drafting.judge).get(f"{address}1/").status_code == 404
    assert Client().get(address)["Location"] == f"/account/login/?next={address}"


def test_no_public_page_names_a_card_of_the_packs(drafting):
    client, code = Client(), drafting.event.code
    names = set(Card.objects.filter(pk__in=PackCard.objects.values("card")).values_list("name", flat=True))

    pages = "".join(
        client.get(f"/e/{code}/{tab}").content.decode()
        for tab in ("", "players/", "info/", "log/", "wall/", "pairings/")
    )

    assert {name for name in names if name in pages} == set()


@pytest.mark.parametrize(
    ("pack", "pick", "card", "status"),
    [
        (1, 1, None, 409),
        (2, 0, None, 409),
        (1, 0, "other", 400),
        (1, 0, 10**17, 400),
        (1, 0, "", 400),
        (1, 0, "x", 400),
        ("", 0, None, 400),
        (1, "-1", None, 400),
        (10**30, 0, None, 400),
        (1, 10**9, None, 409),
    ],
)
def test_a_pick_that_is_not_open_is_refused(drafting, as_user, pack, pick, card, status):
    client = as_user(drafting.players[0])
    mine, theirs = offered(client, drafting)[0], offered(as_user(drafting.players[1]), drafting)[0]
    card = {None: mine, "other": theirs}.get(card, card)

    answer = take(client, drafting, pack, pick, card)

    assert (answer.status_code, Pick.objects.count()) == (status, 0)


def test_a_second_tap_takes_nothing_more(drafting, as_user):
    client = as_user(drafting.players[0])
    first, second = offered(client, drafting)[:2]

    answers = [
        take(client, drafting, 1, 0, first, idempotency_key="one-tap-only"),
        take(client, drafting, 1, 0, first, idempotency_key="one-tap-only"),
        take(client, drafting, 1, 0, second),
    ]

    assert [answer.status_code for answer in answers] == [302, 302, 409]
    assert [pick.pack_card_id for pick in Pick.objects.all()] == [first]


def test_a_pack_is_shown_in_the_same_order_after_a_reload_and_in_another_after_a_pass(drafting, as_user):
    client = as_user(drafting.players[0])
    draft = drafting.draft(drafting.players[0])
    seat = draft.seat_of_player(drafting.players[0].pk)
    left = draft.seats[(seat.index + 1) % 3].player
    shown = offered(client, drafting)
    again = offered(client, drafting)
    for player in drafting.players:
        drafting.pick(player)

    passed = offered(as_user(left), drafting)

    assert shown == again
    assert passed != [card for card in shown if card in passed]


def test_after_the_draft_the_picks_are_the_pool(make_event, as_user):
    made = make_event(policy="draft-2", players=2, started=True)
    made.draft_to_the_end()
    client = as_user(made.players[0])
    review = words(client.get(f"/e/{made.event.code}/draft/"))
    made.next_stage()

    assert "The draft is over" in review
    assert "30 of 30 picks made" in review
    assert "My pool 30 cards" in words(client.get(f"/e/{made.event.code}/pool/"))
    assert "Build your deck" in words(client.get(f"/e/{made.event.code}/me/"))


def test_a_constructed_event_has_neither_draft_nor_pool(make_event, as_user):
    made = make_event(players=1)
    client = as_user(made.players[0])

    assert [client.get(f"/e/{made.event.code}/{page}/").status_code for page in ("draft", "pool")] == [404, 404]
