"""Who may open which address of the desk, and who may send its forms."""

from __future__ import annotations

import pytest
from django.test import Client

from events.models import StaffRole
from events.services import privacy, setup
from tests.events.factories import make_user

from .conftest import key, staffed

pytestmark = pytest.mark.django_db

ANY = dict.fromkeys(StaffRole.Role.values, 200)
EVERYTHING = {**ANY, "deck_checker": 403, "coverage": 403}
ROUNDS = {**EVERYTHING, "head_judge": 403, "judge": 403}
ORGANISER = {**ROUNDS, "scorekeeper": 403}
CHECKS = {**EVERYTHING, "scorekeeper": 403, "deck_checker": 200}
DECKS = {**EVERYTHING, "deck_checker": 200, "coverage": 404}
PAGES = {
    "desk/": {**dict.fromkeys(StaffRole.Role.values, 302), "organiser": 200, "scorekeeper": 200},
    "desk/roles/": ANY,
    "desk/deck-checks/": CHECKS,
    "desk/papers/": EVERYTHING,
    "decklists/{player}/": DECKS,
    "log/": ANY,
    "pairings/": ANY,
    "desk/check-in/": ROUNDS,
    "desk/check-in/{token}/": ROUNDS,
    "desk/players/": ROUNDS,
    "desk/decklists/": EVERYTHING,
    "desk/players/import/": ROUNDS,
    "desk/players/{player}/": ROUNDS,
    "desk/players/{player}/decklist": EVERYTHING,
    "desk/pair-by-hand/": {role: 409 if status == 200 else status for role, status in ROUNDS.items()},
    "desk/round/1/": ROUNDS,
    "desk/round/1/swap/": {role: 409 if status == 200 else status for role, status in ROUNDS.items()},
    "desk/round/1/mend/{player}/": {role: 409 if status == 200 else status for role, status in ROUNDS.items()},
    "desk/correct/{match}/": {role: 409 if status == 200 else status for role, status in ROUNDS.items()},
    "desk/staff/": ORGANISER,
    "desk/deliveries/": ORGANISER,
    "desk/settings/": ORGANISER,
    "desk/clone/": ORGANISER,
    "desk/closing/": ROUNDS,
    "desk/report.json": ORGANISER,
    "desk/report/matches.csv": ORGANISER,
    "desk/tie-breakers/": ORGANISER,
    "desk/late/": ROUNDS,
    "desk/late/{player}/": ROUNDS,
    "desk/absent/": EVERYTHING,
    "floor/": EVERYTHING,
    "floor/{match}/": EVERYTHING,
}
FORMS = {
    "desk/do/start-event": ORGANISER,
    "desk/do/draft-round": ROUNDS,
    "desk/do/begin-stage": ROUNDS,
    "desk/do/finish-event": ORGANISER,
    "desk/check-in/": ROUNDS,
    "desk/players/add": ROUNDS,
    "desk/decklists/remind": ROUNDS,
    "desk/decklists/rules": ORGANISER,
    "desk/players/import/": ROUNDS,
    "desk/players/import/0/undo": ROUNDS,
    "desk/players/{player}/drop": ROUNDS,
    "desk/players/{player}/set/paid": ROUNDS,
    "desk/players/{player}/keep-apart": ROUNDS,
    "desk/players/{player}/let-meet/1": ROUNDS,
    "desk/players/{player}/decklist": EVERYTHING,
    "desk/pair-by-hand/": ROUNDS,
    "desk/round/1/pause-clock": ROUNDS,
    "desk/round/1/enter": ROUNDS,
    "desk/late/enter": ROUNDS,
    "desk/late/{player}/undo": ROUNDS,
    "desk/absent/rule": ORGANISER,
    "desk/absent/door": ROUNDS,
    "desk/absent/round/1": ROUNDS,
    "desk/absent/{match}/back": EVERYTHING,
    "floor/{match}/absent": EVERYTHING,
    "desk/round/1/clock": ROUNDS,
    "desk/round/1/extend": ROUNDS,
    "desk/round/1/swap/": ROUNDS,
    "desk/round/1/mend/{player}/": ROUNDS,
    "desk/correct/{match}/": ROUNDS,
    "desk/deliveries/retry": ORGANISER,
    "desk/webhooks/add": ORGANISER,
    "desk/webhooks/1/remove": ORGANISER,
    "desk/webhooks/1/test": ORGANISER,
    "desk/settings/": ORGANISER,
    "desk/tie-breakers/": ORGANISER,
    "desk/cancel": ORGANISER,
    "desk/clone/": ORGANISER,
    "desk/closing/prizes": ORGANISER,
    "desk/closing/archive": ORGANISER,
    "desk/closing/restore": ORGANISER,
    "desk/closing/{player}/hand-over": ROUNDS,
    "desk/closing/{player}/take-back": ROUNDS,
    "desk/staff/add": ORGANISER,
    "desk/staff/invite": ORGANISER,
    "desk/staff/invites/{invite}/revoke": ORGANISER,
    "desk/staff/{role}/end": ORGANISER,
    "desk/staff/{role}/remove": ORGANISER,
    "desk/papers/print": EVERYTHING,
    "desk/papers/sheets": EVERYTHING,
    "desk/deck-checks/{player}": CHECKS,
    "desk/roles/leave": ANY,
    "floor/{match}/decide": EVERYTHING,
    "floor/{match}/placed": EVERYTHING,
    "floor/{match}/turns": EVERYTHING,
    "floor/{match}/game": EVERYTHING,
    "floor/{match}/game/undo": EVERYTHING,
    "floor/{match}/first": EVERYTHING,
    "floor/{match}/turn": EVERYTHING,
    "floor/{match}/turn/undo": EVERYTHING,
    "floor/{match}/concede": EVERYTHING,
    "floor/{match}/draw": EVERYTHING,
    "floor/{match}/winner": EVERYTHING,
    "floor/{match}/extend": EVERYTHING,
    "floor/{match}/take-back-time": EVERYTHING,
}


@pytest.fixture
def played(make_event):
    made = make_event(started=True)
    made.round_ = made.post_round()
    return made


def address(made, path: str) -> str:
    facts = {
        "player": made.players[0].pk,
        "token": made.players[0].check_in_code,
        "match": made.round_.matches.order_by("table")[0].pk,
        "role": made.event.staff.order_by("pk")[0].pk,
        "invite": 1,
    }
    return f"/e/{made.event.code}/{path.format(**facts)}"


@pytest.mark.parametrize("role", StaffRole.Role.values)
def test_a_page_opens_for_the_roles_that_it_is_for(played, as_user, role):
    client = as_user(staffed(played, role))

    found = {path: client.get(address(played, path)).status_code for path in PAGES}

    assert found == {path: statuses[role] for path, statuses in PAGES.items()}


@pytest.mark.parametrize("role", StaffRole.Role.values)
def test_a_form_is_refused_to_the_other_roles(played, as_user, role):
    client, keep = as_user(staffed(played, role)), ["desk/cancel", "desk/staff/{role}/remove"]

    refused = {
        path: client.post(address(played, path), {"idempotency_key": key()}).status_code == 403
        for path in sorted(FORMS, key=keep.__contains__)
    }

    assert refused == {path: statuses[role] == 403 for path, statuses in FORMS.items()}


def test_nobody_else_learns_that_there_is_a_desk(played, make_event, as_user):
    elsewhere = make_event(name="Another place")
    boss_elsewhere = staffed(elsewhere, StaffRole.Role.ORGANISER)
    paths = sorted({*PAGES, *FORMS} - {"log/", "pairings/"})

    for person in (make_user("Out Sider"), played.players[0], boss_elsewhere):
        client = as_user(person)
        for path in paths:
            own = person == played.players[0] and path == "decklists/{player}/"
            assert (path, client.get(address(played, path)).status_code) == (path, 200 if own else 404)
            if path == "decklists/{player}/":
                continue
            assert (path, client.post(address(played, path), {"idempotency_key": key()}).status_code) == (path, 404)


def test_whoever_is_not_logged_in_is_asked_to(played):
    public = {"log/", "pairings/", "decklists/{player}/"}
    answers = [Client().get(address(played, path)) for path in PAGES if path not in public]

    assert {(answer.status_code, answer.url.split("?")[0]) for answer in answers} == {(302, "/account/login/")}


def test_whoever_is_not_logged_in_changes_nothing(played):
    before = played.refresh().version

    for path in FORMS:
        assert Client().post(address(played, path), {"idempotency_key": key()}).status_code == 302

    assert played.refresh().version == before


def test_judges_are_led_from_the_desk_to_the_floor(played, as_user):
    response = as_user(played.judge).get(address(played, "desk/"))

    assert response.url == f"/e/{played.event.code}/floor/"


@pytest.mark.parametrize(("role", "place"), [("deck_checker", "desk/deck-checks/"), ("coverage", "desk/roles/")])
def test_the_desk_leads_everybody_to_their_own_place(played, as_user, role, place):
    response = as_user(staffed(played, role)).get(address(played, "desk/"))

    assert response.url == f"/e/{played.event.code}/{place}"


@pytest.mark.parametrize(("role", "status"), [("judge", 200), ("deck_checker", 404), ("coverage", 404)])
def test_a_draft_is_known_to_those_who_follow_the_event_only(make_event, as_user, role, status):
    made = make_event(started=True)
    made.draft_round()

    assert as_user(staffed(made, role)).get(f"/api/v1/events/{made.event.code}/rounds/1").status_code == status


@pytest.mark.parametrize("role", StaffRole.Role.values)
def test_a_role_reads_hidden_names_only_where_it_has_to(played, as_user, role):
    hidden = played.players[0]
    privacy.choose_public_name(
        event_id=played.event.pk, actor=played.by_organiser, player_id=hidden.pk, style="own", own="Masked Fox"
    )
    client = as_user(staffed(played, role))
    knows = role != "coverage"
    follows = role not in ("coverage", "deck_checker")

    assert (hidden.name in client.get(address(played, "log/")).content.decode()) is knows
    players = client.get(f"/api/v1/events/{played.event.code}/players").json()["results"]
    assert (hidden.name in [row["name"] for row in players]) is follows
    for path in ("pairings/", "players/", "standings/"):
        assert hidden.name not in client.get(address(played, path)).content.decode()


def test_a_draft_is_nowhere_to_be_found_by_judges_and_players(make_event, as_user):
    made = make_event(started=True)
    made.round_ = made.draft_round()
    match = made.round_.matches.all()[0]

    assert as_user(made.judge).get(address(made, "desk/round/1/")).status_code == 403
    assert as_user(made.judge).get(address(made, "floor/{match}/")).status_code == 404
    assert as_user(made.organiser).get(address(made, "floor/{match}/")).status_code == 404
    assert as_user(made.players[0]).get(address(made, "desk/round/1/")).status_code == 404
    floor = as_user(made.judge).get(address(made, "floor/")).content.decode()
    assert f"/floor/{match.pk}/" not in floor
    assert "No round is being played" in floor


def test_what_does_not_exist_is_not_found(played, as_user):
    client = as_user(played.organiser)
    huge = "9" * 30

    for path in (
        "desk/round/9/",
        f"desk/round/{huge}/",
        "desk/players/0/decklist",
        f"desk/players/{huge}/decklist",
        "floor/0/",
        f"floor/{huge}/",
    ):
        assert (path, client.get(address(played, path)).status_code) == (path, 404)
    assert client.get("/e/nowhere/desk/").status_code == 404


def test_another_events_things_are_not_found(played, make_event, as_user):
    other = make_event(name="Another place", started=True)
    other.round_ = other.post_round()
    client, here = as_user(played.organiser), f"/e/{played.event.code}/"
    theirs = {"player": other.players[0].pk, "match": other.round_.matches.all()[0].pk}
    role = other.event.staff.all()[0].pk

    assert client.get(f"{here}desk/players/{theirs['player']}/decklist").status_code == 404
    assert client.get(f"{here}floor/{theirs['match']}/").status_code == 404
    for path in (
        f"desk/players/{theirs['player']}/drop",
        f"desk/players/{theirs['player']}/decklist",
        f"floor/{theirs['match']}/decide",
        f"floor/{theirs['match']}/placed",
        f"floor/{theirs['match']}/turns",
        f"desk/staff/{role}/remove",
    ):
        sent = {"idempotency_key": key(), "text": "1 X", "score": "2-0", "match_version": 0, "turns": 1}
        assert client.post(here + path, sent).status_code == 404


def test_a_step_that_does_not_exist_is_not_found(played, send):
    for path in ("desk/do/explode", "desk/round/1/explode", "desk/players/{player}/explode"):
        assert send(played.organiser, address(played, path)).status_code == 404


def test_addresses_of_forms_are_not_read(played, as_user):
    client = as_user(played.organiser)

    for path in set(FORMS) - set(PAGES):
        assert (path, client.get(address(played, path)).status_code) == (path, 405)


def test_a_judge_who_plays_reads_no_decklist_at_the_desk(played, as_user):
    ada, bela = played.players[0], played.players[1]
    setup.add_staff(
        event_id=played.event.pk, actor=played.by_organiser, email=ada.user.email, role=StaffRole.Role.SCOREKEEPER
    )
    lines = bela.submissions.get().decklist.text.splitlines()

    assert lines[1] not in as_user(ada).get(f"/e/{played.event.code}/desk/players/{bela.pk}/decklist").content.decode()
    assert lines[1] in as_user(ada).get(f"/e/{played.event.code}/desk/players/{ada.pk}/decklist").content.decode()
    organiser = as_user(played.organiser)
    assert lines[1] in organiser.get(f"/e/{played.event.code}/desk/players/{bela.pk}/decklist").content.decode()


def test_a_page_that_refreshes_after_the_session_ended_is_left_as_it_is(played):
    answer = Client().get(address(played, "desk/"), headers={"HX-Request": "true"})

    assert (answer.status_code, answer.content) == (401, b"")
