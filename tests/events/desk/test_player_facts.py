"""What staff write down about a player, at the desk and through the API."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from rest_framework.test import APIClient

from config.errors import Conflict, DomainError, NotFound
from events.models import Avoidance, Event, Player, Team
from events.queries.verification import verify_event
from events.services import administration, player_facts
from tests.events.services.watching import last_entry, nothing_new, one_change, refused

from .conftest import said

pytestmark = pytest.mark.django_db


def change(made, **values):
    return player_facts.change_facts(
        event_id=made.event.pk, actor=made.by_organiser, player_id=made.players[0].pk, **values
    )


def facts_of(made) -> tuple[object, ...]:
    player = Player.objects.select_related("team").get(pk=made.players[0].pk)
    team = player.team.name if player.team is not None else None
    return player.paid_at is not None, player.assigned_byes, player.fixed_table, player.fixed_table_kind, team


def test_staff_write_down_facts_with_a_small_form_each(make_event, send, as_user):
    made = make_event(players=3)
    Event.objects.filter(pk=made.event.pk).update(fee="5 EUR")
    ada, bela, _ = made.players
    page = f"/e/{made.event.code}/desk/players/{ada.pk}/"

    for fact, values in (
        ("paid", {"paid": "1"}),
        ("byes", {"assigned_byes": "2"}),
        ("table", {"fixed_table": "7", "fixed_table_kind": "accessibility"}),
        ("team", {"team": " Red  Foxes "}),
    ):
        answer = send(made.organiser, f"{page}set/{fact}", values)
        assert (fact, answer.status_code, answer.url) == (fact, 302, page)
    kept = send(made.organiser, f"{page}keep-apart", {"other_id": bela.pk, "is_strict": "1", "reason": "Twins."})
    shown = said(as_user(made.organiser).get(page))
    of_bela = said(as_user(made.organiser).get(f"/e/{made.event.code}/desk/players/{bela.pk}/"))

    assert facts_of(made) == (True, 2, 7, "accessibility", "Red Foxes")
    assert kept.url == page
    assert "Paid on" in shown
    assert "A place costs 5 EUR." in shown
    assert "Bela Quist , strictly: Twins." in shown
    assert "Ada Brook , strictly: Twins." in of_bela
    assert "paid" in said(as_user(made.organiser).get(f"/e/{made.event.code}/desk/players/"))
    assert "Fee 5 EUR paid at the event" in said(as_user(ada).get(f"/e/{made.event.code}/"))

    send(made.organiser, f"{page}let-meet/{Avoidance.objects.get().pk}")
    for fact, values in (("paid", {"paid": "0"}), ("table", {"fixed_table": ""}), ("team", {"team": ""})):
        send(made.organiser, f"{page}set/{fact}", values)
    assert (facts_of(made), Avoidance.objects.count(), Team.objects.count()) == ((False, 2, None, "", None), 0, 0)
    assert verify_event(made.refresh()).faults == []


def test_what_is_private_is_in_no_public_entry_of_the_log(make_event):
    made = make_event(players=2)
    ada, bela = made.players
    change(made, paid=True, assigned_byes=1, fixed_table=3, fixed_table_kind="accessibility", team="Foxes")
    player_facts.keep_apart(
        event_id=made.event.pk, actor=made.by_organiser, player_id=bela.pk, other_id=ada.pk, reason="A quarrel."
    )

    entries = made.event.log.filter(seq__gt=4).order_by("seq").values_list("kind", "is_public")

    assert list(entries) == [
        ("player.paid", False),
        ("player.byes", True),
        ("player.table", False),
        ("player.team", True),
        ("avoidance.added", False),
    ]
    assert last_entry(made.event).payload == {
        "players": [ada.pk, bela.pk],
        "is_strict": False,
        "reason": "A quarrel.",
    }


def test_what_stays_as_it_is_is_not_logged(make_event):
    made = make_event(players=1)
    change(made, paid=True, team="Foxes")

    with nothing_new():
        change(made, paid=True, assigned_byes=0, fixed_table=0, team="FOXES")


def test_players_of_one_team_share_it_in_any_spelling(make_event):
    made = make_event(players=2)
    change(made, team="Red Foxes")
    player_facts.change_facts(
        event_id=made.event.pk, actor=made.by_organiser, player_id=made.players[1].pk, team="red  foxes"
    )

    assert [team.players.count() for team in Team.objects.all()] == [2]


@pytest.mark.parametrize(
    ("values", "code"),
    [
        ({"assigned_byes": 10}, "player.byes"),
        ({"assigned_byes": -1}, "player.byes"),
        ({"fixed_table": 10_000, "fixed_table_kind": "feature"}, "player.table"),
        ({"fixed_table": 3}, "player.table_kind"),
        ({"team": "x" * 61}, "account.display_name_long"),
        ({"team": "A\u202eB"}, "account.display_name_character"),
    ],
)
def test_what_can_not_be_is_refused(make_event, values, code):
    made = make_event(players=1)

    with refused(DomainError, code, 400):
        change(made, **values)


def test_byes_are_assigned_before_the_first_round(make_event):
    made = make_event(players=4, started=True)
    with one_change(made.event, "player.byes"):
        change(made, assigned_byes=1)
    change(made, assigned_byes=0)
    made.draft_round()

    with refused(Conflict, "player.byes_late", 409):
        change(made, assigned_byes=1)


def test_two_are_kept_apart_once_and_nobody_from_themselves(make_event):
    made, other = make_event(players=2), make_event(players=1, name="Another Open")
    ada, bela = made.players

    def apart(one: int, two: int, **values):
        return player_facts.keep_apart(
            event_id=made.event.pk, actor=made.by_organiser, player_id=one, other_id=two, **values
        )

    first, second = apart(ada.pk, bela.pk), apart(bela.pk, ada.pk, is_strict=True)

    assert first.facts == second.facts
    assert list(Avoidance.objects.values_list("one", "other", "is_strict")) == [(ada.pk, bela.pk, True)]
    with refused(DomainError, "avoidance.oneself", 400):
        apart(ada.pk, ada.pk)
    with refused(NotFound, "player.unknown", 404):
        apart(ada.pk, other.players[0].pk)
    with refused(NotFound, "avoidance.unknown", 404):
        player_facts.let_meet(event_id=other.event.pk, actor=other.by_organiser, avoidance_id=first.facts["avoidance"])


def test_nothing_is_noted_once_the_event_is_over(make_event, as_user):
    made = make_event(players=2)
    administration.cancel_event(event_id=made.event.pk, actor=made.by_organiser, reason="The roof leaks.")

    with refused(Conflict, "event.over", 409):
        change(made, paid=True)
    page = as_user(made.organiser).get(f"/e/{made.event.code}/desk/players/{made.players[0].pk}/").content.decode()
    assert "Has paid" not in page


def test_a_form_that_can_not_be_is_refused_with_the_page_of_now(make_event, send):
    made = make_event(players=1)
    page = f"/e/{made.event.code}/desk/players/{made.players[0].pk}/"

    for path, values in (("set/byes", {"assigned_byes": "many"}), ("set/paid", {}), ("keep-apart", {"other_id": ""})):
        answer = send(made.organiser, page + path, values)
        assert (path, answer.status_code, "Nothing was changed." in said(answer)) == (path, 400, True)
    assert send(made.organiser, f"{page}set/colour", {}).status_code == 404


def test_the_api_changes_and_shows_the_facts_to_staff_alone(make_event):
    made = make_event(players=2)
    ada, bela = made.players
    staff, player = APIClient(), APIClient()
    staff.force_authenticate(made.organiser)
    player.force_authenticate(ada.user)
    address = f"/api/v1/events/{made.event.code}"
    numbers = iter(range(100))

    def send(client: APIClient, method: str, path: str, body: dict[str, object] | None):
        headers = {"Idempotency-Key": f"facts-of-{next(numbers)}"}
        return getattr(client, method)(f"{address}{path}", body, format="json", headers=headers)

    version = made.refresh().version
    facts = {"paid": True, "assigned_byes": 1, "fixed_table": 4, "fixed_table_kind": "feature", "team": "Foxes"}
    changed = send(staff, "patch", f"/players/{ada.pk}/facts", {**facts, "version": version})
    apart = send(staff, "post", "/avoidances", {"one": bela.pk, "other": ada.pk, "version": version + 1})
    seen, own = (client.get(f"{address}/players/{ada.pk}").json() for client in (staff, player))

    assert (changed.status_code, apart.status_code) == (200, 201)
    assert (seen["assigned_byes"], seen["fixed_table"], seen["fixed_table_kind"]) == (1, 4, "feature")
    assert (seen["team"], seen["paid_at"] is not None) == ("Foxes", True)
    assert not {"paid_at", "fixed_table", "assigned_byes"} & set(own)
    assert staff.get(f"{address}/avoidances").json() == [
        {"id": apart.json()["avoidance"], "one": ada.pk, "other": bela.pk, "is_strict": False, "reason": ""}
    ]
    assert player.get(f"{address}/avoidances").status_code == 403
    assert send(player, "patch", f"/players/{ada.pk}/facts", {**facts, "version": version}).status_code == 403
    assert send(staff, "patch", f"/players/{ada.pk}/facts", facts).status_code == 428
    assert send(staff, "delete", f"/avoidances/{apart.json()['avoidance']}", None).status_code == 200
    assert Avoidance.objects.count() == 0


@pytest.mark.parametrize("others", [1, 3])
def test_the_page_asks_the_database_as_often_for_one_who_is_avoided_as_for_three(make_event, as_user, others):
    made = make_event(players=others + 1)
    ada, *rest = made.players
    for other in rest:
        player_facts.keep_apart(event_id=made.event.pk, actor=made.by_organiser, player_id=ada.pk, other_id=other.pk)
    client = as_user(made.organiser)

    with CaptureQueriesContext(connection) as captured:
        assert client.get(f"/e/{made.event.code}/desk/players/{ada.pk}/").status_code == 200

    assert len(captured) == 2 + 3 + 5
