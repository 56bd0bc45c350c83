"""Staff over the API: every role against every command, and the same services as the pages."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from events.models import StaffRole
from events.services import setup
from tests.events.api.conftest import Program
from tests.events.desk.conftest import staffed
from tests.events.factories import Made, make_user, user_of

pytestmark = pytest.mark.django_db

Programs = Callable[[object], Program]
ROLES = StaffRole.Role.values


def only(*roles: str) -> dict[str, bool]:
    return {role: role in roles for role in ROLES}


RUNS = only("organiser", "scorekeeper")
DECIDES = only("organiser", "scorekeeper", "head_judge", "judge")
CHECKS = only("organiser", "head_judge", "judge", "deck_checker")
READS = {
    "staff": only("organiser"),
    "invites": only("organiser"),
    "avoidances": RUNS,
    "deck-checks": CHECKS,
    "log": only(*ROLES),
    "rounds/1/matches": only(*ROLES),
}
COMMANDS = {
    "start": only("organiser"),
    "finish": only("organiser"),
    "staff": only("organiser"),
    "staff/{role}/end": only("organiser"),
    "staff/{role}/remove": only("organiser"),
    "invites": only("organiser"),
    "invites/1/revoke": only("organiser"),
    "stages/next": RUNS,
    "check-in": RUNS,
    "players": RUNS,
    "players/{player}/facts": RUNS,
    "players/{player}/drop": RUNS,
    "players/{player}/reinstate": RUNS,
    "players/{player}/public-name": RUNS,
    "avoidances": RUNS,
    "rounds": RUNS,
    "rounds/1/post": RUNS,
    "rounds/1/complete": RUNS,
    "rounds/1/swap": RUNS,
    "rounds/1/reopen": RUNS,
    "matches/{match}/correct": RUNS,
    "matches/{match}/result": DECIDES,
    "matches/{match}/extra-turns": DECIDES,
    "matches/{match}/places": DECIDES,
    "matches/{match}/sides": DECIDES,
    "players/{player}/decklist": DECIDES,
    "players/{player}/deck-check": CHECKS,
    "players/{player}/decklist-consent": only(),
    "draft/picks": only(),
    "matches/{match}/reports": only(),
    "staff/leave": only(*ROLES),
}
PATCHED = ("players/{player}/facts",)


@pytest.fixture
def played(make_event: Callable[..., Made]) -> Made:
    made = make_event(started=True)
    made.post_round()
    return made


def filled(made: Made, path: str) -> str:
    match = made.event.matches.order_by("table")[0]
    role = made.event.staff.order_by("pk")[0]
    return f"events/{made.event.code}/{path.format(player=made.players[0].pk, match=match.pk, role=role.pk)}"


@pytest.mark.parametrize("role", ROLES)
def test_a_role_reads_and_commands_what_it_is_for_and_nothing_else(played: Made, program: Programs, role: str) -> None:
    caller = program(staffed(played, role))
    version = played.refresh().version

    reads = {path: caller.get(filled(played, path)).status_code == 200 for path in READS}
    refused = {}
    for path in COMMANDS:
        answer = caller.send("PATCH" if path in PATCHED else "POST", filled(played, path), {})
        refused[path] = answer.status_code in (403, 404)

    assert reads == {path: roles[role] for path, roles in READS.items()}
    assert refused == {path: not roles[role] for path, roles in COMMANDS.items()}
    if role not in ("organiser", "scorekeeper"):
        assert played.refresh().version == version


@pytest.mark.parametrize("role", ["head_judge", "judge", "deck_checker"])
def test_who_judges_and_plays_has_a_players_rights(played: Made, program: Programs, role: str) -> None:
    ada, bela = user_of(played.players[0]), played.players[1]
    setup.add_staff(event_id=played.event.pk, actor=played.by_organiser, email=ada.email, role=role)
    caller, plain = program(ada), program(played.players[2])
    others = [path for path in COMMANDS if "{player}" not in path and path != "matches/{match}/reports"]

    for path in (*READS, f"players/{bela.pk}/decklist"):
        assert caller.get(filled(played, path)).status_code == plain.get(filled(played, path)).status_code, path
    for path in (*others, f"players/{bela.pk}/drop", f"players/{bela.pk}/decklist", f"players/{bela.pk}/deck-check"):
        statuses = [person.post(filled(played, path), {}).status_code for person in (caller, plain)]
        assert statuses[0] == statuses[1], path


def test_an_organiser_invites_a_program_accepts_and_is_checked(played: Made, program: Programs) -> None:
    organiser, helper = program(played.organiser), program(make_user("Helen Per"))
    base = f"events/{played.event.code}"

    made = organiser.post(f"{base}/invites", {"role": "deck_checker"}, key="invite-1", version=played.refresh().version)
    again = organiser.post(f"{base}/invites", {"role": "deck_checker"}, key="invite-1", version=played.event.version)
    path = made.json()["link"].partition(f"/e/{played.event.code}/")[2].strip("/")
    held = helper.get(f"{base}/{path}")
    accepted = helper.post(f"{base}/{path}")
    listed = organiser.get(f"{base}/invites").json()

    assert (made.status_code, made.json(), made["Cache-Control"]) == (201, again.json(), "no-store")
    assert held.json() == {
        "event": "Open of Hollowmere",
        "role": "deck_checker",
        "inviter": "Odile Marchetti",
        "state": "open",
        "expires_at": listed[0]["expires_at"],
        "role_expires_at": listed[0]["role_expires_at"],
    }
    assert (accepted.status_code, accepted.json()["role"]) == (200, "deck_checker")
    assert [(row["state"], row["uses"], row["email"]) for row in listed] == [("used", 1, "")]
    assert path.partition("/")[2] not in str(listed)
    assert helper.get(f"{base}/deck-checks").status_code == 200
    assert helper.post(f"{base}/{path}").status_code == 410


def test_what_is_wrong_with_an_invite_is_said_field_by_field(played: Made, program: Programs) -> None:
    organiser, base = program(played.organiser), f"events/{played.event.code}/invites"
    version = played.refresh().version

    wrong = organiser.post(base, {"role": "king", "most_uses": "3", "days": 0, "extra": 1}, version=version)
    missing = organiser.post(base, {"role": "judge"})

    assert (wrong.status_code, sorted(wrong.json()["fields"])) == (400, ["extra"])
    assert (missing.status_code, missing.json()["code"]) == (428, "request.no_version")


def test_a_deck_check_over_the_api(played: Made, program: Programs) -> None:
    judge, base = program(played.judge), f"events/{played.event.code}"
    ada = played.players[0]
    row = next(row for row in judge.get(f"{base}/deck-checks").json() if row["player"] == ada.pk)

    sent = judge.post(f"{base}/players/{ada.pk}/deck-check", {"decklist": row["decklist"], "found": "in_order"})
    other = judge.post(f"{base}/players/{ada.pk}/deck-check", {"decklist": row["decklist"] + 999, "found": "in_order"})
    after = next(row for row in judge.get(f"{base}/deck-checks").json() if row["player"] == ada.pk)

    assert (sent.status_code, other.status_code, other.json()["code"]) == (201, 409, "deck_check.replaced")
    assert [(check["found"], check["round"], check["checker"]) for check in after["checks"]] == [
        ("in_order", 1, "Jun Tanaka")
    ]


@pytest.mark.parametrize("helpers", [1, 3])
def test_the_list_of_staff_costs_the_same_for_one_as_for_three(
    make_event: Callable[..., Made], program: Programs, helpers: int, django_assert_num_queries: Callable[[int], object]
) -> None:
    made = make_event(players=2)
    for number in range(helpers):
        person = make_user(f"Helper {number}")
        setup.add_staff(event_id=made.event.pk, actor=made.by_organiser, email=person.email, role="judge")
    caller = program(made.organiser)
    caller.get(f"events/{made.event.code}/staff")
    with django_assert_num_queries(6):  # type: ignore[attr-defined]
        assert len(caller.get(f"events/{made.event.code}/staff").json()) == helpers + 2
