"""A deck is read by its owner and by whoever has its link, and by nobody else, anywhere."""

from __future__ import annotations

import json

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from cards.models import Card, CardSet, Game, Printing
from decks.engine.exports import FILE_FORMATS
from decks.models import Deck
from decks.services.decks import create_deck, save_deck
from decks.services.sharing import share_deck
from rules.models import Format
from tests.threads import at_once

CANARY = "Xylographic Canary"


@pytest.fixture
def deck(player: User, standard: Format, legal_text: str) -> Deck:
    """With an older version, a card of which nobody else may hear, and a link."""
    made = create_deck(owner=player, format=standard, name="Bells", text=f"1 {CANARY}")
    save_deck(owner=player, deck_id=made.pk, text=f"{legal_text}\n// {CANARY}")
    return Deck.objects.get(pk=made.pk)


@pytest.fixture
def link(deck: Deck, player: User) -> str:
    return f"/decks/shared/{share_deck(owner=player, deck_id=deck.pk)}/"


def test_a_link_holds_256_bits_stays_the_same_and_is_another_after_it_was_taken_back(
    client: Client, deck: Deck, player: User
) -> None:
    client.force_login(player)
    assert client.post(f"/decks/{deck.pk}/share").url == f"/decks/{deck.pk}/"
    first = Deck.objects.get().share_token
    assert len(first) == 43
    client.post(f"/decks/{deck.pk}/share")
    assert Deck.objects.get().share_token == first
    assert f"http://testserver/decks/shared/{first}/" in client.get(f"/decks/{deck.pk}/").text
    client.post(f"/decks/{deck.pk}/unshare")
    assert Deck.objects.get().share_token is None
    client.post(f"/decks/{deck.pk}/share")
    assert Deck.objects.get().share_token not in (first, None)
    assert Deck.objects.get().updated_at == deck.updated_at


def test_whoever_has_the_link_reads_the_deck_and_its_verdict_and_nothing_of_its_owner_but_a_name(
    client: Client, link: str, deck: Deck, fifty: list[str], player: User
) -> None:
    response = client.get(link)
    assert response.status_code == 200
    assert "verdict-legal" in response.text
    assert fifty[0] in response.text.replace("&#x27;", "'")
    assert "A deck of Player" in response.text
    assert player.email not in response.text
    assert 'name="mend"' not in response.text
    assert f"/decks/{deck.pk}/" not in response.text
    assert "/history" not in response.text


def test_who_reads_an_illegal_deck_by_its_link_is_told_why_and_offered_nothing_to_press(
    client: Client, link: str, deck: Deck, player: User, fifty: list[str]
) -> None:
    save_deck(owner=player, deck_id=deck.pk, text=f"4 {fifty[0]}\n1 {fifty[1]}zz")
    response = client.get(link)
    assert "verdict-illegal" in response.text
    assert [line.number for line in response.context["details"].columns[0].problems] == [2]
    assert 'name="mend"' not in response.text


def test_the_page_of_a_link_is_kept_out_of_search_engines_and_caches(client: Client, link: str) -> None:
    for address in (link, f"{link}export/text"):
        response = client.get(address)
        assert (response["X-Robots-Tag"], response["Cache-Control"], response["Referrer-Policy"]) == (
            "noindex, nofollow",
            "no-store",
            "no-referrer",
        )
    assert '<meta name="robots" content="noindex, nofollow">' in client.get(link).text


def test_the_verdict_of_a_link_is_that_of_the_day_asked(client: Client, link: str) -> None:
    assert client.get(f"{link}?on=2026-05-31").context["panel"].outcome == "illegal"
    assert client.get(f"{link}?on=2026-11-30").context["panel"].outcome == "legal"
    before = client.get(f"{link}?on=1999-01-01")
    assert before.status_code == 200
    assert "No version of Standard is in force on 1999-01-01" in before.text
    assert "panel" not in before.context
    assert client.get(f"{link}?on=never").status_code == 400


@pytest.mark.usefixtures("deck")
def test_a_link_that_was_taken_back_or_never_was_is_not_found(client: Client, link: str, player: User) -> None:
    client.force_login(player)
    client.post(f"/decks/{Deck.objects.get().pk}/unshare")
    program = link.replace("/decks/shared", "/api/v1/decks/shared").rstrip("/")
    never = "/decks/shared/" + "A" * 43 + "/"
    answers = [client.get(address) for address in (link, f"{link}export/text", never, "/decks/shared/None/")]
    answers += [client.get(address) for address in (program, f"{program}/export/text")]
    assert [answer.status_code for answer in answers] == [404] * 6
    assert not any(CANARY in answer.text or "Bells" in answer.text for answer in answers)


def test_no_other_user_and_no_guest_gets_anywhere_near_a_deck(
    client: Client, deck: Deck, link: str, outsider: User
) -> None:
    token = link.split("/")[3]
    pages = ["", "history", "history/1", "history/2", "export/text"]
    presses = ["delete", "share", "unshare", "history/1/restore"]
    asked = ["", "/history", "/history/1", "/share", "/statistics", "/export/text"]
    for user, page_status, program_status in ((outsider, 404, 404), (None, 302, 401)):
        client.logout()
        if user:
            client.force_login(user)
        answers = [client.get(f"/decks/{deck.pk}/{page}") for page in pages]
        answers += [client.post(f"/decks/{deck.pk}/{press}") for press in presses]
        answers.append(client.get(f"/decks/compare?first={deck.pk}&second={deck.pk}.1"))
        assert [answer.status_code for answer in answers] == [page_status] * len(answers)
        programs = [client.get(f"/api/v1/decks/{deck.pk}{what}") for what in asked]
        programs += [
            client.post(f"/api/v1/decks/{deck.pk}{what}", content_type="application/json")
            for what in ("/share", "/history/1/restore")
        ]
        programs.append(client.delete(f"/api/v1/decks/{deck.pk}/share"))
        assert [answer.status_code for answer in programs] == [program_status] * len(programs)
        open_pages = [client.get(page) for page in ("/decks/", "/decks/compare", "/api/v1/decks", "/", "/check/")]
        for answer in (*answers, *programs, *open_pages):
            assert CANARY not in answer.text
            assert token not in answer.text
    assert Deck.objects.get().share_token == token


def test_the_link_is_told_to_the_owner_and_to_no_list(client: Client, deck: Deck, link: str, player: User) -> None:
    client.force_login(player)
    token = link.split("/")[3]
    assert client.get(f"/api/v1/decks/{deck.pk}/share").json() == {"token": token, "path": link}
    for address in ("/api/v1/decks", f"/api/v1/decks/{deck.pk}", "/decks/", f"/decks/{deck.pk}/history"):
        assert token not in client.get(address).text
    assert [row["is_shared"] for row in client.get("/api/v1/decks").json()] == [True]


def test_programs_make_read_and_take_back_a_link(client: Client, deck: Deck, player: User, legal_text: str) -> None:
    client.force_login(player)
    share = f"/api/v1/decks/{deck.pk}/share"
    assert client.get(share).json() == {"token": None, "path": None}
    token = client.post(share, content_type="application/json").json()["token"]
    client.logout()
    answer = client.get(f"/api/v1/decks/shared/{token}").json()
    assert set(answer) == {"name", "owner", "game", "format", "text", "updated_at"}
    assert (answer["owner"], answer["text"]) == ("Player", deck.text)
    assert client.get(f"/api/v1/decks/shared/{token}/export/csv").json()["media_type"] == "text/csv"
    client.force_login(player)
    assert client.delete(share).status_code == 204
    assert client.get(f"/api/v1/decks/shared/{token}").json()["code"] == "decks.not_shared"


def test_the_page_of_a_link_asks_as_much_of_one_card_as_of_many(
    client: Client, deck: Deck, link: str, player: User, fifty: list[str]
) -> None:
    counts = []
    for names in (fifty[:1], fifty[:3], fifty):
        save_deck(owner=player, deck_id=deck.pk, text="\n".join(f"9 {name}" for name in names))
        with CaptureQueriesContext(connection) as captured:
            assert client.get(link).status_code == 200
        counts.append(len(captured))
    assert counts == [10, 10, 10]


@pytest.mark.parametrize("kind", FILE_FORMATS)
def test_a_deck_is_taken_away_as_every_kind_of_file_and_reads_back_as_itself(
    client: Client, deck: Deck, link: str, player: User, kind: str, fifty: list[str]
) -> None:
    save_deck(owner=player, deck_id=deck.pk, text=f"3 {fifty[0]}\n2 {fifty[1]}\nSideboard\n1 {fifty[2]}")
    client.force_login(player)
    own, shared = client.get(f"/decks/{deck.pk}/export/{kind}"), client.get(f"{link}export/{kind}")
    assert (own.status_code, own.content) == (
        shared.status_code,
        shared.content if own.status_code == 200 else own.content,
    )
    program = client.get(f"/api/v1/decks/{deck.pk}/export/{kind}")
    if kind in ("ydk", "vtes"):  # a game without numbers and without crypts
        assert (own.status_code, program.json()["code"]) == (400, "decks.format_too_small")
        assert "Choose another kind of file" in own.text
        return
    found = FILE_FORMATS[kind]
    assert own["Content-Type"] == f"{found.media_type}; charset=utf-8"
    assert own["Content-Disposition"] == f'attachment; filename="Bells.{found.ending}"'
    assert (program.json()["text"], program.json()["name"]) == (own.text, f"Bells.{found.ending}")
    body = {"game": "engarde", "first": deck.text, "second": own.text}
    body["first"] = Deck.objects.get().text
    compared = client.post("/api/v1/decks/compare", json.dumps(body), content_type="application/json").json()
    assert compared["is_same"], own.text


def test_a_file_names_the_newest_set_of_each_card(client: Client, deck: Deck, player: User, fifty: list[str]) -> None:
    card = Card.objects.get(name=fifty[0], game=deck.game)
    for code, day in (("OLD", "2020-01-01"), ("NEW", "2026-10-01"), ("MID", "2026-07-01"), ("SOON", None)):
        card_set = CardSet.objects.create(game=deck.game, code=code, name=code, released_on=day)
        Printing.objects.create(card=card, card_set=card_set, number="7")
    save_deck(owner=player, deck_id=deck.pk, text=f"3 {fifty[0]}\n1 {fifty[1]}")
    client.force_login(player)
    lines = client.get(f"/decks/{deck.pk}/export/arena").text.splitlines()
    assert f"3 {fifty[0]} (NEW) 7" in lines
    assert any(line.startswith(f"1 {fifty[1]} (EF) ") for line in lines)


def test_the_printing_that_a_list_names_goes_into_the_file(
    client: Client, deck: Deck, player: User, fifty: list[str]
) -> None:
    save_deck(owner=player, deck_id=deck.pk, text=f"3 {fifty[0]} (OLD) 12a *F*\n1 [EF:9] {fifty[1]}")
    client.force_login(player)
    lines = client.get(f"/decks/{deck.pk}/export/arena").text.splitlines()
    assert {f"3 {fifty[0]} (OLD) 12a", f"1 {fifty[1]} (EF) 9"} <= set(lines)


def test_a_file_that_would_lack_a_line_is_refused(client: Client, deck: Deck, player: User) -> None:
    save_deck(owner=player, deck_id=deck.pk, text="3 Nobody\n1 Nothing")
    client.force_login(player)
    response = client.get(f"/decks/{deck.pk}/export/text", headers={"referer": f"http://testserver/decks/{deck.pk}/"})
    assert response.status_code == 400
    assert "line 1, “3 Nobody”; line 2, “1 Nothing”" in response.text
    assert client.get(f"/decks/{deck.pk}/export/exe").status_code == 400


@pytest.mark.parametrize(
    ("name", "file"),
    [("../../etc/passwd", "etc passwd.txt"), ("Nørd: a/b\r\n", None), ("///", "deck.txt"), ('"; x="', "x.txt")],
)
def test_a_file_is_named_by_the_deck_but_is_no_path(
    client: Client, deck: Deck, player: User, name: str, file: str | None
) -> None:
    save_deck(owner=player, deck_id=deck.pk, name=name)
    Deck.objects.update(text="")
    client.force_login(player)
    header = client.get(f"/decks/{deck.pk}/export/text")["Content-Disposition"]
    assert header == (
        f'attachment; filename="{file}"' if file else "attachment; filename*=utf-8''N%C3%B8rd%20a%20b.txt"
    )


@pytest.mark.race
@pytest.mark.django_db(transaction=True)
def test_two_who_share_at_once_get_one_link() -> None:
    owner = User.objects.create_user("racer@example.org", display_name="Racer")
    game = Game.objects.create(slug="tilt", name="Tilt", zones=[{"key": "main", "label": "Main deck"}])
    format_ = Format.objects.create(game=game, slug="open", name="Open")
    deck = create_deck(owner=owner, format=format_, name="Bells")
    tokens = at_once(*[lambda: share_deck(owner=owner, deck_id=deck.pk)] * 4)
    assert set(tokens) == {Deck.objects.get().share_token}
