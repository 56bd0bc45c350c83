"""A list that another program wrote, as a file or pasted, becomes a plain list in the box, and nothing is fetched."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from cards.models import Card, CardName
from decks.engine.containers.opening import open_decklist
from decks.models import Deck
from decks.panels import mended

FILES = sorted((Path(__file__).parents[1] / "data" / "decklists").iterdir())
XML = """<?xml version="1.0"?><cockatrice_deck version="1"><zone name="main">
<card number="3" name="{0}"/>
<card number="2" name="{1}"/>
</zone><zone name="side">
<card number="1" name="{0}"/>
</zone></cockatrice_deck>"""


def send(client: Client, address: str = "/check/", file: bytes | None = None, **fields: str):
    data: dict[str, object] = {"format": "engarde/standard", "on": "2026-11-30", "text": "", **fields}
    if file is not None:
        data["file"] = SimpleUploadedFile("deck", file)
    return client.post(address, data)


def typed(response) -> str:
    return response.context["form"]["text"].value()


def names_of(response) -> list[tuple[str, int, str]]:
    columns = response.context["details"].columns
    return [(column.label, row.entry.count, row.entry.name) for column in columns for row in column.rows]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_the_plain_list_of_a_file_is_plain_for_good(path: Path) -> None:
    plain = open_decklist(path.read_bytes())[0].as_text
    assert open_decklist(plain)[0].as_text == plain


def test_a_cell_of_two_lines_is_one_line_of_the_plain_list() -> None:
    plain = open_decklist('Count,Name\n3,"Two\nlines"\n1,"More",cells,"than\nheads"')[0].as_text
    assert plain.splitlines() == [
        "// Count,Name",
        "3x Two lines",
        '// lines"',
        '1,"More",cells,"than heads"',
        '// heads"',
    ]


def test_an_uploaded_file_becomes_the_list_in_the_box(client: Client, fifty: list[str]) -> None:
    response = send(client, file=XML.format(*fifty).encode(), text="3 What stood there")
    cards = [line for line in typed(response).splitlines() if not line.startswith("//")]
    assert cards == [f"3x {fifty[0]}", f"2x {fifty[1]}", f"Sideboard: 1x {fifty[0]}"]
    assert "Read as Cockatrice .cod." in response.text
    assert names_of(response) == [
        ("Main deck", *row) for row in sorted([(3, fifty[0]), (2, fifty[1])], key=lambda row: row[1])
    ] + [("Sideboard", 1, fifty[0])]


def test_a_pasted_file_is_the_same_list(client: Client, fifty: list[str]) -> None:
    xml = XML.format(*fifty)
    pasted, uploaded = send(client, text=xml), send(client, file=xml.encode())
    assert typed(pasted) == typed(uploaded)
    assert "Read as Cockatrice .cod." in pasted.text


def test_a_mend_of_a_pasted_file_mends_the_plain_list(client: Client, fifty: list[str]) -> None:
    xml = XML.format(fifty[0] + "zz", fifty[1])
    problem = send(client, text=xml).context["panel"].problems[0]
    after = send(client, text=xml, mend=problem["mends"][0]["value"])
    assert f"3x {fifty[0]}" in typed(after).splitlines()
    assert "<card" not in "".join(line for line in typed(after).splitlines() if not line.startswith("//"))


def test_a_mend_by_the_numbers_of_a_file_is_made_in_the_list_that_the_file_comes_to(engarde, fifty: list[str]) -> None:
    xml = XML.format(fifty[0] + "zz", fifty[1])
    lines = mended(text=xml, mend=f"line 2 3x {fifty[0]}", game=engarde).splitlines()
    assert f"3x {fifty[0]}" in lines
    assert f"2x {fifty[1]}" in lines
    one_line = '[{"name": "Nobody"}, {"name": "Nothing"}]'
    assert mended(text=one_line, mend="line 1 3x Somebody", game=engarde) == open_decklist(one_line)[0].as_text


def test_while_a_list_is_written_the_box_is_left_alone_and_the_file_named(client: Client, fifty: list[str]) -> None:
    data = {"format": "engarde/standard", "on": "2026-11-30", "text": XML.format(*fifty)}
    response = client.post("/check/", data, headers={"HX-Request": "true"})
    assert "Turn it into a plain list" in response.text
    assert "<textarea" not in response.text
    assert 'id="details" hx-swap-oob="true"' in response.text


def test_a_plain_list_stays_as_it_was_written(client: Client, legal_text: str) -> None:
    text = f"\n  // Mine\n{legal_text}\n\n"
    response = send(client, text=text)
    assert typed(response) == text
    assert "Read as" not in response.text


def test_a_file_in_another_charset_is_read_and_that_is_said(client: Client, fifty: list[str]) -> None:
    response = send(client, file=f"3 {fifty[0]}\n// Café".encode("cp1252"))
    assert "It was read as windows-1252" in response.text
    assert typed(response) == f"3 {fifty[0]}\n// Café"


def numbered(engarde, names: list[str]) -> bytes:
    """A .ydk of two cards that the game knows by number, one with two numbers, and of one that it does not know."""
    for number, name in (("41901", names[0]), ("41902", names[1]), ("41903", names[0])):
        card = Card.objects.get(game=engarde, name=name)
        CardName.objects.create(game=engarde, card=card, key=number, kind=CardName.Kind.ALIAS)
    return b"#created by nobody\n#main\n0041901\n41901\n41903\n41902\n99999\n99999\n!side\n41901\n"


def test_numbers_become_the_names_of_their_cards_and_unknown_ones_are_told(
    client: Client, engarde, fifty: list[str]
) -> None:
    file = numbered(engarde, fifty)
    response = send(client, file=file)
    plain = ["// #created by nobody", "Main", f"3x {fifty[0]}", f"1x {fifty[1]}", "99999", "99999", "Sideboard"]
    assert typed(response).splitlines() == [*plain, f"1x {fifty[0]}"]
    assert "Read as .ydk." in response.text
    told = [(line["number"], line["raw"], line["message"]) for line in response.context["panel"].problems]
    said = "No card of this game has the number 99999. Write the card's name in its place."
    assert told == [(5, "99999", said), (6, "99999", said)]
    pasted = send(client, text=file.decode())
    assert typed(pasted) == typed(response)
    mended_line = send(client, text=file.decode(), mend=f"line 5 1x {fifty[1]}")
    assert typed(mended_line).splitlines()[4:6] == [f"1x {fifty[1]}", "99999"]


def test_a_file_of_numbers_is_saved_with_names(client: Client, player, engarde, fifty: list[str]) -> None:
    client.force_login(player)
    send(client, "/decks/new", file=numbered(engarde, fifty), name="Numbers", save="1")
    assert f"3x {fifty[0]}" in Deck.objects.get().text.splitlines()


@pytest.mark.usefixtures("engarde")
@pytest.mark.parametrize(
    ("file", "said"),
    [
        (b"x" * 256_001, "at most 2,000 lines and 256 kB"),
        (b"\n" * 2_001, "at most 2,000 lines and 256 kB"),
        (b"PK\x03\x04\x00\x00\xff", "is no text"),
        (b"<?xml version='1.0'?><cockatrice_deck>" + b"<zone>" * 9, "XML"),
    ],
)
def test_a_file_that_is_no_list_is_refused_and_what_was_typed_stays(client: Client, file: bytes, said: str) -> None:
    response = send(client, file=file, text="3 Typed")
    assert (response.status_code, typed(response)) == (400, "3 Typed")
    assert said in response.context["form"].errors["file"][0]


@pytest.mark.usefixtures("engarde")
def test_hostile_xml_is_refused_at_once(client: Client) -> None:
    deep = "<cockatrice_deck>" + "<zone>" * 30_000
    laughs = '<?xml version="1.0"?><!DOCTYPE d [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]><cockatrice_deck>&b;'
    for text in (deep, laughs):
        start = time.perf_counter()
        response = send(client, text=text)
        assert (response.status_code, typed(response)) == (400, text)
        assert time.perf_counter() - start < 2


@pytest.mark.usefixtures("engarde")
@pytest.mark.parametrize("address", ["https://decks.example/1", " HTTP://127.0.0.1:6379/\n", "www.decks.example/a?b=c"])
def test_an_address_is_never_fetched_but_the_list_itself_asked_for(client: Client, address: str) -> None:
    response = send(client, text=address)
    assert (response.status_code, typed(response)) == (400, address)
    assert "paste that here" in response.context["form"].errors["text"][0]


def test_a_file_is_saved_as_the_plain_list(client: Client, player, fifty: list[str]) -> None:
    client.force_login(player)
    send(client, "/decks/new", file=XML.format(*fifty).encode(), name="Bells", save="1")
    assert f"Sideboard: 1x {fifty[0]}" in Deck.objects.get().text


@pytest.mark.usefixtures("engarde")
def test_what_is_not_saved_can_not_be_opened_later_as_a_broken_page(client: Client, player) -> None:
    client.force_login(player)
    assert send(client, "/decks/new", text="<cockatrice_deck>", name="Broken", save="1").status_code == 400
    body = {"name": "Broken", "game": "engarde", "format": "standard", "text": "<cockatrice_deck>"}
    assert client.post("/api/v1/decks", body, content_type="application/json").json()["code"] == "decks.unreadable"
    assert Deck.objects.count() == 0


def test_opening_a_file_asks_no_more_of_the_database_than_a_plain_list(
    client: Client, fifty: list[str], legal_text: str
) -> None:
    counts = []
    for text in (XML.format(*fifty), open_decklist(XML.format(*fifty))[0].as_text):
        with CaptureQueriesContext(connection) as captured:
            assert send(client, text=text).status_code == 200
        counts.append(len(captured))
    assert counts[0] == counts[1]
