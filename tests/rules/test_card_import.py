from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from django.core.cache import cache
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.test import Client

from accounts.models import User
from cards.engine.files import MAX_BYTES
from cards.models import Card, CardName, CardSet, Game, Printing
from rules.models import GameOrganiser
from rules.packreader import read_pack
from rules.services.loading import load_pack
from tests.rules.packs import write_pack

pytestmark = pytest.mark.django_db
PAGE = "/games/joust/cards/import"
API = "/api/v1/games/joust/cards/import"
CSV = "set,number,name,former,cost,power\nJ1,1,Great Lance,Lance,free,4\nJ2,9,Crest,,action,\n"


@pytest.fixture
def game(db: None, tmp_path: Path) -> Game:
    cache.clear()
    return load_pack(pack=read_pack(write_pack(tmp_path))).game


def person(name: str, *, organises: Game | None = None) -> Client:
    user = User.objects.create_user(f"{name}@example.org", "x" * 12, display_name=name.title())
    if organises is not None:
        GameOrganiser.objects.create(game=organises, user=user)
    client = Client()
    client.force_login(user)
    return client


@pytest.fixture
def organiser(game: Game) -> Client:
    return person("organiser", organises=game)


def everything() -> list[list[tuple[Any, ...]]]:
    return [sorted(model.objects.values_list(), key=str) for model in (Card, CardName, CardSet, Printing)]


def upload(text: str | bytes, name: str = "cards.csv") -> SimpleUploadedFile:
    return SimpleUploadedFile(name, text.encode() if isinstance(text, str) else text)


def plain(page: bytes) -> str:
    """Without the line breaks that templates leave between a value and its end tag."""
    return re.sub(r"\n\s*</", "</", page.decode())


def token_in(page: str) -> str:
    return page.partition('name="token" value="')[2].partition('"')[0]


@pytest.mark.parametrize("path", [PAGE, f"{PAGE}/{'t' * 24}", f"{PAGE}/{'t' * 24}/undo.json"])
def test_only_organisers_of_the_game_see_the_pages(game: Game, path: str):
    other = Game.objects.create(slug="chess", name="Chess", digest="0")
    for client, status in (
        (Client(), 302),
        (person("player"), 403),
        (person("elsewhere", organises=other), 403),
        (person("organiser", organises=game), 200 if path == PAGE else 404),
    ):
        assert client.get(path).status_code == status


def test_the_list_of_cards_leads_organisers_to_the_import(game: Game, organiser: Client):
    link = f'href="{PAGE}"'
    assert link in organiser.get("/cards/joust/").content.decode()
    for client in (Client(), person("player")):
        assert link not in client.get("/cards/joust/").content.decode()


def test_nobody_else_imports_anything(game: Game):
    before = everything()
    body = {"cards": [{"set": "J2", "number": "9", "name": "Crest"}]}
    for client, page, api in ((Client(), 302, 401), (person("player"), 403, 403)):
        assert client.post(PAGE, {"text": CSV}).status_code == page
        assert client.post(PAGE, {"token": "t" * 24}).status_code == page
        assert client.post(API, body, content_type="application/json").status_code == api
    assert everything() == before


def test_a_file_is_previewed_confirmed_and_undone(game: Game, organiser: Client):
    before = everything()
    shown = organiser.post(PAGE, {"file": upload(CSV)})
    page = plain(shown.content)
    assert shown.status_code == 200
    assert everything() == before
    for words in ("Great Lance", "+ Lance", "Crest", '<span class="was">3</span>', '<span class="became">4</span>'):
        assert words in page

    done = organiser.post(PAGE, {"token": token_in(page)}, follow=True)
    assert done.status_code == 200
    assert "The cards are imported" in done.content.decode()
    lance = Card.objects.get(slug="lance")
    assert (lance.name, lance.facts) == ("Great Lance", {"cost": "free", "power": 4})
    assert Card.objects.filter(name="Crest").exists()

    undo = organiser.get(f"{PAGE}/{token_in(page)}/undo.json")
    assert undo["Content-Disposition"] == 'attachment; filename="joust-undo.json"'
    again = organiser.post(PAGE, {"file": upload(undo.content, "undo.json")})
    organiser.post(PAGE, {"token": token_in(again.content.decode())})
    lance.refresh_from_db()
    assert (lance.name, lance.facts) == ("Lance", {"cost": "free", "power": 3})


def test_pasted_text_does_as_well_and_a_second_press_does_nothing_more(game: Game, organiser: Client):
    token = token_in(organiser.post(PAGE, {"text": CSV}).content.decode())
    first = organiser.post(PAGE, {"token": token})
    after = everything()
    second = organiser.post(PAGE, {"token": token})
    assert (first.status_code, first["Location"]) == (302, f"{PAGE}/{token}")
    assert (second.status_code, second["Location"]) == (302, f"{PAGE}/{token}")
    assert everything() == after


def test_sets_may_come_in_a_file_of_their_own(game: Game, organiser: Client):
    sets = "code,name,released_on,legal_on\nJ3,Third list,2026-05-08,2026-05-01\n"
    cards = "set,number,name\nJ3,1,Crown\n"
    page = organiser.post(PAGE, {"file": upload(cards), "sets": upload(sets, "sets.csv")}).content.decode()
    organiser.post(PAGE, {"token": token_in(page)})
    found = CardSet.objects.get(code="J3")
    assert (str(found.released_on), str(found.legal_on)) == ("2026-05-08", "2026-05-01")


def test_cards_that_changed_since_are_shown_anew(game: Game, organiser: Client):
    token = token_in(organiser.post(PAGE, {"text": CSV}).content.decode())
    Card.objects.filter(slug="lance").update(text="Charge.")
    before = everything()
    refused = organiser.post(PAGE, {"token": token})
    page = plain(refused.content)
    assert refused.status_code == 409
    assert "have changed since you looked" in page
    assert '<span class="was">Charge.</span>' in page
    assert everything() == before

    organiser.post(PAGE, {"token": token_in(page)})
    assert Card.objects.get(slug="lance").text == ""


def test_a_preview_belongs_to_whoever_asked_for_it(game: Game, organiser: Client):
    token = token_in(organiser.post(PAGE, {"text": CSV}).content.decode())
    before = everything()
    assert person("colleague", organises=game).post(PAGE, {"token": token}).status_code == 404
    assert organiser.post(PAGE, {"token": "made-up"}).status_code == 404
    assert organiser.get(f"{PAGE}/{token}").status_code == 404
    assert everything() == before


def test_a_clash_is_shown_with_its_line_and_cannot_be_confirmed(game: Game, organiser: Client):
    before = everything()
    shown = organiser.post(PAGE, {"text": "set,number,name,aliases\nJ2,8,Crest,\nJ2,9,Pike,Spear\n"})
    page = shown.content.decode()
    assert shown.status_code == 200
    assert '<span class="problem-line">line 3</span>' in page
    assert "Spear of Pike (line 3) already means Lance" in page
    assert token_in(page) == ""
    assert everything() == before


@pytest.mark.parametrize(
    ("sent", "says"),
    [
        ({}, "Choose a file, or paste its text"),
        ({"text": CSV, "file": upload(CSV)}, "Send a file or paste its text, not both"),
        ({"text": "hello"}, "Line 1: the header lacks set, number, name"),
        ({"text": "{"}, "Line 1: not JSON"),
        ({"text": "set,number,name\nJ9,1,Crest\n"}, "Line 2: Joust has no set J9: add the set first"),
        ({"file": upload(b"\xff\xfe\x00")}, "Line 1: not UTF-8 text"),
        ({"file": upload("set,number,name\nJ1,1,La\0nce\n")}, "Line 2: a NUL character"),
        ({"file": upload(b"x" * (MAX_BYTES + 1))}, "has more than 5 MB"),
        ({"text": CSV, "sets": upload("code\nJ3\n")}, "Sets, line 1: the header lacks name"),
    ],
)
def test_a_faulty_file_changes_nothing_and_is_told(game: Game, organiser: Client, sent: dict[str, Any], says: str):
    before = everything()
    for part in sent.values():
        if isinstance(part, SimpleUploadedFile):
            part.seek(0)
    refused = organiser.post(PAGE, sent)
    assert refused.status_code == 400
    assert says in refused.content.decode()
    assert everything() == before


def test_text_that_is_too_large_to_be_pasted_is_refused(game: Game, organiser: Client):
    assert organiser.post(PAGE, {"text": "x" * 300_000}).status_code == 413


def test_the_preview_of_many_cards_stays_short(game: Game, organiser: Client):
    rows = "".join(f"J2,n{number},Card {number}\n" for number in range(1500))
    page = organiser.post(PAGE, {"file": upload(f"set,number,name\n{rows}")}).content.decode()
    assert "And 1400 more." in page
    assert len(page) < 60_000


@pytest.mark.parametrize("count", [1, 3])
def test_a_preview_costs_the_same_for_one_card_and_three(
    game: Game, organiser: Client, django_assert_num_queries, count
):
    rows = "".join(f"J2,n{number},Card {number}\n" for number in range(count))
    # session, user, game, organiser twice, five reads, a savepoint and the way back, the sets of the page
    with django_assert_num_queries(14):
        organiser.post(PAGE, {"text": f"set,number,name\n{rows}"})


# -- API ------------------------------------------------------------------------------------------------------------


def test_programs_preview_import_and_undo(game: Game, organiser: Client):
    before = everything()
    body = {"cards": [{"set": "J1", "number": "1", "name": "Lance", "aliases": ["Spear"], "facts": {"power": 5}}]}
    dry = organiser.post(f"{API}?dry_run=true", body, content_type="application/json")
    answer = dry.json()
    assert dry.status_code == 200
    assert everything() == before
    assert answer["counts"] == {"added": 0, "changed": 1, "same": 0, "clashing": 0, "sets": 0, "forgotten": 1}
    assert answer["cards"] == [
        {
            "name": "Lance",
            "line": 1,
            "is_new": False,
            "fields": [
                {"field": "facts.cost", "label": "Cost", "old": "free", "new": None},
                {"field": "facts.power", "label": "Power", "old": 3, "new": 5},
            ],
        }
    ]
    assert (answer["dry_run"], answer["undo"]) == (True, {})

    done = organiser.post(API, {**body, "digest": answer["digest"]}, content_type="application/json")
    assert (done.status_code, done.json()["digest"]) == (200, answer["digest"])
    assert Card.objects.get(slug="lance").facts == {"power": 5}
    late = organiser.post(API, {**body, "digest": answer["digest"]}, content_type="application/json")
    assert (late.status_code, late.json()["code"]) == (409, "cards.changed_since")
    organiser.post(API, done.json()["undo"], content_type="application/json")
    assert Card.objects.get(slug="lance").facts == {"cost": "free", "power": 3}


@pytest.mark.parametrize(
    ("path", "body", "status", "code"),
    [
        (API, {"cards": [{"set": "J1", "number": "1", "name": "Visor"}]}, 409, "cards.clash"),
        (API, {"cards": [{"set": "J9", "number": "1", "name": "Visor"}]}, 400, "cards.invalid"),
        (API, {"cards": [{"set": "J1", "number": "1"}]}, 400, "cards.unreadable"),
        (API, {"cards": [None]}, 400, "request.fields"),
        (API, {"cards": "x"}, 400, "request.fields"),
        (API, {"carts": []}, 400, "request.fields"),
        (API, {"sets": [{"code": "J1", "name": "x" * 200}]}, 400, "cards.unreadable"),
        (f"{API}?dry_run=perhaps", {"cards": []}, 400, "request.fields"),
        (f"{API}?dryrun=true", {"cards": []}, 400, "request.fields"),
        ("/api/v1/games/chess/cards/import", {"cards": []}, 404, "game.unknown"),
    ],
)
def test_programs_get_a_clear_refusal(game: Game, organiser: Client, path: str, body: Any, status: int, code: str):
    before = everything()
    refused = organiser.post(path, body, content_type="application/json")
    assert (refused.status_code, refused.json()["code"]) == (status, code)
    assert everything() == before


def test_a_body_that_is_too_large_is_refused(game: Game, organiser: Client):
    body = json.dumps({"cards": [{"set": "J1", "number": "1", "name": "Lance", "text": "x" * 300_000}]})
    assert organiser.post(API, body, content_type="application/json").status_code == 413


# -- command --------------------------------------------------------------------------------------------------------


def test_the_command_previews_as_text_and_as_json(game: Game, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    before = everything()
    file = tmp_path / "cards.csv"
    file.write_text(CSV)
    call_command("import_cards", "joust", file, "--dry-run")
    assert capsys.readouterr().out == (
        "1 added\n  Crest\n1 changed\n  Great Lance\n    Name: 'Lance' -> 'Great Lance'\n    Power: 3 -> 4\n"
        "    Former names: + Lance\n0 clashing\n0 as they were\nNothing was written.\n"
    )
    call_command("import_cards", "joust", file, "--dry-run", "--json")
    told = json.loads(capsys.readouterr().out)
    assert (told["dry_run"], told["counts"]["added"], told["cards"][0]["name"]) == (True, 1, "Great Lance")
    assert everything() == before


def test_the_command_tells_faults_by_file_and_line(game: Game, tmp_path: Path):
    cards, sets = tmp_path / "cards.csv", tmp_path / "sets.csv"
    cards.write_text("set,number,name\nJ1,1\n")
    sets.write_text("code,name,legal_on\nJ3,Third,soon\n")
    with pytest.raises(CommandError) as refused:
        call_command("import_cards", "joust", cards, "--sets-file", sets)
    assert str(refused.value).splitlines() == [
        f"{cards}:2: 2 cells under 3 columns",
        f"{sets}:2: legal_on is a day such as 2026-01-31, not 'soon'",
    ]
    with pytest.raises(CommandError, match="can't be read"):
        call_command("import_cards", "joust", tmp_path / "none.csv")
