"""The manifest, the worker and what tells a device whose pages it keeps."""

from __future__ import annotations

import json
import re
import struct
from collections.abc import Callable
from pathlib import Path

import pytest
from django.conf import settings
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from config import installed
from config.management.commands.draw_icons import ICONS as DRAWN
from config.management.commands.draw_icons import draw
from events.services import rounds
from tests.events.factories import Made, user_of

pytestmark = pytest.mark.django_db
AsUser = Callable[[User], Client]
ICONS = Path(settings.BASE_DIR) / "static" / "icons"


@pytest.fixture
def made(make_event: Callable[..., Made]) -> Made:
    return make_event(players=2, started=True)


def test_the_manifest_names_icons_that_are_there_in_the_size_that_it_says() -> None:
    answer = Client().get("/manifest.webmanifest")
    facts = json.loads(answer.content)

    assert answer["Content-Type"] == "application/manifest+json"
    assert [facts[key] for key in ("name", "start_url", "scope", "display")] == ["Tiltyard", "/", "/", "standalone"]
    assert [icon["purpose"] for icon in facts["icons"]] == ["any", "any", "any", "maskable"]
    for icon in facts["icons"][1:]:
        data = (ICONS / Path(icon["src"]).name).read_bytes()
        assert "{}x{}".format(*struct.unpack(">II", data[16:24])) == icon["sizes"]
    for icon in facts["icons"]:
        assert Client().get(icon["src"]).status_code == 200


def test_every_page_leads_to_the_manifest_and_registers_the_worker() -> None:
    page = Client().get("/").content.decode()

    assert '<link rel="manifest" href="/manifest.webmanifest">' in page
    assert "js/offline.js" in page


def test_the_worker_is_served_at_the_root_is_asked_for_each_time_and_stays_within_the_policy() -> None:
    answer = Client().get("/sw.js")
    policy = {part.split()[0]: part.split()[1:] for part in answer["Content-Security-Policy"].split("; ")}

    assert answer["Content-Type"] == "text/javascript; charset=utf-8"
    assert answer["Cache-Control"] == "no-cache"
    assert [policy[name] for name in ("worker-src", "script-src", "manifest-src")] == [["'self'"]] * 3
    assert "Vary" not in answer
    assert Client().get("/sw.js", headers={"If-None-Match": answer["ETag"]}).status_code == 304


def test_the_worker_asks_the_database_nothing() -> None:
    with CaptureQueriesContext(connection) as captured:
        Client().get("/sw.js")
        Client().get("/offline/")
    assert len(captured) == 0


def test_what_the_worker_keeps_is_there() -> None:
    facts = json.loads(re.match(r"self\.tiltyard = (.*);\n", Client().get("/sw.js").content.decode())[1])
    kept = [*facts["shell"], facts["offline"]]

    assert {address: Client().get(address).status_code for address in kept} == dict.fromkeys(kept, 200)
    assert len(facts["shell"]) == len(installed.SHELL)


def test_another_byte_in_a_file_makes_another_worker(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    before = Client().get("/sw.js")
    sheet = tmp_path / "offline.css"
    sheet.write_bytes((Path(settings.BASE_DIR) / "static/css/offline.css").read_bytes() + b"\n")
    found = installed._file
    monkeypatch.setattr(installed, "_file", lambda name: sheet if name == "css/offline.css" else found(name))
    after = Client().get("/sw.js")

    assert before["ETag"] != after["ETag"]
    assert before.content != after.content


def test_the_offline_page_is_the_same_for_everybody(as_user: AsUser, made: Made) -> None:
    guest, member = Client().get("/offline/"), as_user(made.organiser).get("/offline/")

    assert "Odile" not in member.content.decode()
    assert re.sub(rb'CSRFToken": "[^"]*', b"", guest.content) == re.sub(rb'CSRFToken": "[^"]*', b"", member.content)
    assert "Tiltyard-Person" not in member


def test_a_page_says_for_whom_it_is_and_to_guests_nothing(as_user: AsUser, made: Made) -> None:
    ada, bela = (as_user(user_of(player)) for player in made.players[:2])
    pages = [client.get("/e/").headers.get("Tiltyard-Person") for client in (ada, ada, bela, Client())]

    assert pages[0] == pages[1] == json.loads(ada.get("/offline/sender").content)["person"]
    assert len({*pages}) == 3
    assert pages[3] is None
    assert json.loads(Client().get("/offline/sender").content)["person"] is None


def test_only_own_pages_the_pairings_and_the_entry_of_results_may_be_kept(as_user: AsUser, made: Made) -> None:
    made.draft_round()
    organiser, ada = as_user(made.organiser), as_user(user_of(made.players[0]))
    code = made.event.code
    kept = {}
    for who, client in (("organiser", organiser), ("ada", ada), ("guest", Client())):
        for path in (
            *("", "me/", "me/decklist", "pairings/", "standings/", "players/", "info/", "log/", "desk/", "floor/"),
            *("desk/round/1/", "desk/players/", f"decklists/{made.players[1].pk}/", "wall/"),
        ):
            answer = client.get(f"/e/{code}/{path}")
            if "Tiltyard-Keep" in answer:
                kept[who, path] = answer["Tiltyard-Keep"]
    public = {(who, "pairings/"): "pairings" for who in ("organiser", "ada", "guest")}
    assert kept == public | {("ada", "me/"): "me", ("ada", "me/decklist"): "decklist"}

    rounds.post_round(event_id=made.event.pk, actor=made.by_organiser, round_number=1)
    assert organiser.get(f"/e/{code}/desk/round/1/")["Tiltyard-Keep"] == "desk"
    assert ada.get(f"/e/{code}/me/")["Tiltyard-Keep-With"] == f"/e/{code}/pairings/ /e/{code}/me/decklist"


def test_the_icons_are_what_the_command_draws() -> None:
    size, share = DRAWN["tiltyard-180"]
    assert draw(size, share)[:24] == (ICONS / "tiltyard-180.png").read_bytes()[:24]
