"""Events from their creation to their end, by requests alone."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from accounts.models import User
from events.models import Event, Player, Round
from tests.events.api.conftest import Program
from tests.events.factories import NAMES, Made, legal_text, make_user, too_many_copies

Programs = Callable[[User | Player], Program]
NEW = {
    "game": "epic",
    "template": "designed-deck",
    "name": "Open of Hollowmere",
    "starts_at": "2027-03-05T10:00:00+01:00",
    "time_zone": "Europe/Vienna",
}


@pytest.mark.usefixtures("packs", "db")
def test_a_constructed_event_is_played_from_its_template_to_its_end(program: Programs, nobody: Program) -> None:
    desk = program(make_user("Odile Marchetti"))
    made = desk.post("events", NEW)
    assert made.status_code == 201
    code = made.json()["code"]
    here = f"events/{code}"

    def version() -> int:
        return nobody.get(here).json()["version"]

    def staff(path: str, body: dict[str, object] | None = None, status: int = 200) -> dict[str, object]:
        answer = desk.post(f"{here}/{path}", body, version=version())
        assert answer.status_code == status, answer.content
        assert answer.json()["version"] == version()
        return answer.json()

    people = {}
    for name in NAMES[:3]:
        someone = program(make_user(name))
        entered = someone.post(f"{here}/players/register")
        assert entered.status_code == 201
        people[entered.json()["player"]] = someone
    text = legal_text(Event.objects.get(code=code))
    for player, someone in people.items():
        mine = f"{here}/players/{player}"
        illegal = someone.post(f"{mine}/decklist", {"text": too_many_copies(text)})
        assert (illegal.status_code, illegal.json()["outcome"]) == (201, "illegal")
        reasons = someone.get(f"{mine}/decklist").json()["violations"]
        assert all(reason["cite"] and reason["sentence"] for reason in reasons)
        assert reasons
        assert someone.post(f"{mine}/decklist", {"text": text}).json()["outcome"] == "legal"
        assert someone.post(f"{mine}/check-in").json()["state"] == "checked_in"
    guest = staff("players", {"name": "Guest One"}, 201)
    staff(f"players/{guest['player']}/check-in")
    staff(f"players/{guest['player']}/decklist", {"text": text}, 201)
    started = staff("start")
    assert started["no_shows"] == []

    assert staff("rounds", status=201)["round"] == 1
    staff("rounds/1/post")
    staff("rounds/1/start-clock")
    assert nobody.get(f"{here}/rounds/1").json()["clock"]["phase"] == "running"
    staff("rounds/1/pause-clock")
    staff("rounds/1/start-clock")
    pairings = nobody.get(f"{here}/rounds/1/matches").json()
    assert [match["table"] for match in pairings] == [1, 2]
    for match in pairings:
        first, second = (seat["player"] for seat in match["seats"])
        if guest["player"] in (first, second):
            staff(f"matches/{match['id']}/result", {"wins_a": 2, "wins_b": 1})
            continue
        reports = f"{here}/matches/{match['id']}/reports"
        assert people[first].post(reports, {"wins": 2, "losses": 0}).json()["state"] == "reported"
        assert people[first].send("DELETE", reports).json()["state"] == "open"
        assert people[first].post(reports, {"wins": 2, "losses": 1}).json()["state"] == "reported"
        assert people[second].post(reports, {"wins": 1, "losses": 2}).json()["state"] == "confirmed"
    staff("rounds/1/complete")
    standings = nobody.get(f"{here}/rounds/1/standings").json()["results"]
    assert [row["values"]["match_points"] for row in standings] == ["3", "3", "0", "0"]

    staff("rounds", status=201)
    staff("rounds/2/discard")
    staff("rounds", status=201)
    staff("rounds/2/post")
    staff("rounds/2/call-time")
    for match in nobody.get(f"{here}/rounds/2/matches").json():
        staff(f"matches/{match['id']}/extra-turns", {"turns": 5})
        staff(f"matches/{match['id']}/result", {"wins_a": 1, "wins_b": 0})
    staff("rounds/2/complete")
    staff("stages/next")
    number = 3
    while True:
        cut = desk.post(f"{here}/rounds", version=version())
        if cut.status_code == 409:
            assert cut.json()["code"] == "stage.rounds_played"
            break
        staff(f"rounds/{number}/post")
        for match in nobody.get(f"{here}/rounds/{number}/matches").json():
            staff(f"matches/{match['id']}/result", {"wins_a": 2, "wins_b": 0})
        staff(f"rounds/{number}/complete")
        number += 1
    assert nobody.get(here).json()["secret"] is None
    staff("finish")
    ended = nobody.get(here).json()
    assert (ended["state"], len(ended["secret"])) == ("finished", 64)
    entries = nobody.get(f"{here}/log?limit=100").json()["results"]
    assert all(entry["hash"] for entry in entries)


def test_a_draft_is_picked_to_the_end_seat_by_seat(make_event: Callable[..., Made], program: Programs) -> None:
    made = make_event(policy="draft-2", players=4, started=True)
    here = f"events/{made.event.code}"
    seats = {player.pk: program(player) for player in made.players}
    picked: dict[int, list[int]] = {player: [] for player in seats}
    for _ in range(30):
        for player, someone in seats.items():
            view = someone.get(f"{here}/draft/me").json()
            window = view["window"]
            choice = window["cards"][0]
            made_pick = someone.post(
                f"{here}/draft/picks", {"pack": window["pack"], "pick": window["pick"], "card": choice["id"]}
            )
            assert made_pick.status_code == 201, made_pick.content
            picked[player].append(choice["id"])
    for player, someone in seats.items():
        view = someone.get(f"{here}/draft/me").json()
        assert (view["is_finished"], view["window"], view["waiting_for"]) == (True, None, [])
        assert [pick["id"] for pick in view["picks"]] == picked[player]
    assert len({card for cards in picked.values() for card in cards}) == 4 * 30


def test_a_claimed_entry_belongs_to_the_account(make_event: Callable[..., Made], program: Programs) -> None:
    made = make_event(players=2)
    here = f"events/{made.event.code}"
    added = program(made.organiser).post(f"{here}/players", {"name": "Guest"}, version=made.refresh().version).json()
    guest = program(make_user("Gus Tave"))
    claimed = guest.post("claim", {"token": added["claim_token"]})
    assert claimed.status_code == 200
    assert (claimed.json()["code"], claimed.json()["player"]) == (made.event.code, added["player"])
    assert guest.get(here).json()["you"]["player"]["id"] == added["player"]
    again = guest.post("claim", {"token": added["claim_token"]})
    assert (again.status_code, again.json()["code"]) == (404, "claim.unknown")


def test_a_template_names_the_format_and_the_numbers(nobody: Program, packs: None, db: None) -> None:
    found = nobody.get("templates?game=epic").json()["results"]
    draft = next(template for template in found if template["template"] == "draft-2")
    assert (draft["format"], draft["definition"]["match"]["best_of"]) == ("draft-2", 3)
    assert {template["game"] for template in found} == {"epic"}


def test_a_list_is_cut_where_its_address_says(make_event: Callable[..., Made], nobody: Program) -> None:
    made = make_event(players=4)
    path = f"events/{made.event.code}/players"
    whole = nobody.get(path).json()
    assert (whole["count"], whole["limit"], whole["offset"], len(whole["results"])) == (4, 50, 0, 4)
    part = nobody.get(f"{path}?limit=2&offset=1").json()
    assert (part["count"], part["results"]) == (4, whole["results"][1:3])
    assert nobody.get(f"{path}?limit=1000000000").json()["limit"] == 100
    assert nobody.get(f"{path}?offset=1000000000").json()["results"] == []
    for wrong in ("limit=abc", "limit=-1", "limit=0", "offset=-1", "limit=1.5", "offset=99999999999999999999"):
        assert nobody.get(f"{path}?{wrong}").json()["code"] == "request.fields", wrong


def test_rounds_count_through_the_event(make_event: Callable[..., Made], nobody: Program) -> None:
    made = make_event(players=4, started=True)
    made.play_round()
    made.play_round()
    rounds = nobody.get(f"events/{made.event.code}/rounds").json()["results"]
    assert [(row["round"], row["number"], row["state"]) for row in rounds] == [
        (1, 1, Round.State.COMPLETE),
        (2, 2, Round.State.COMPLETE),
    ]
