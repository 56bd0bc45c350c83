from __future__ import annotations

import re
from urllib.parse import quote

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from cards.models import Card, Game
from decks.models import Deck, Decklist
from rules.models import Format

DAY = "2026-11-30"


def post(client: Client, text: str, *, htmx: bool = False, **fields: str):
    data = {"format": "engarde/standard", "on": DAY, "text": text, **fields}
    headers = {"HX-Request": "true"} if htmx else {}
    return client.post("/check/", data, headers=headers)


def typed(response) -> str:
    return response.context["form"]["text"].value()


@pytest.mark.usefixtures("engarde")
def test_anyone_can_open_the_checker_and_it_knows_every_format(client: Client) -> None:
    response = client.get("/check/")
    assert response.status_code == 200
    assert 'value="engarde/standard"' in response.text


@pytest.mark.usefixtures("engarde")
def test_a_link_can_choose_format_and_day(client: Client) -> None:
    form = client.get("/check/?format=engarde/eternal&on=2025-06-01").context["form"]
    assert (form["format"].value(), str(form["on"].value())) == ("engarde/eternal", "2025-06-01")


def test_a_legal_deck_is_called_legal(client: Client, legal_text: str) -> None:
    response = post(client, legal_text)
    assert response.status_code == 200
    assert response.context["panel"].outcome == "legal"
    assert "verdict-legal" in response.text
    assert Decklist.objects.count() == 0


def test_a_deck_of_sample_cards_is_said_to_be_one(client: Client, legal_text: str) -> None:
    said = "These are sample cards"
    assert said in post(client, legal_text).text
    assert said not in post(client, "1 Nobody at all").text


def test_an_illegal_deck_shows_sentence_citation_rule_lines_and_mend(
    client: Client, legal_text: str, fifty: list[str]
) -> None:
    response = post(client, legal_text.replace(f"3 {fifty[0]}", f"4 {fifty[0]}"))
    assert "Illegal: 2 things" in response.text
    size, copies = response.context["panel"].violations
    assert copies["sentence"] in response.text.replace("&#x27;", "'")
    assert 'href="/rules/engarde/rulebook@2025/2.2"' in response.text
    assert copies["section"].heading in response.text
    assert "line 1<" in response.text
    assert f"Remove 1 × {fifty[0]}" in response.text.replace("&#x27;", "'")
    assert size["mends"] == []
    assert "51/50" in response.text


def test_the_button_that_mends_a_violation_takes_the_copies_out(
    client: Client, legal_text: str, fifty: list[str]
) -> None:
    text = legal_text.replace(f"3 {fifty[0]}", f"4 {fifty[0]}")
    mend = post(client, text).context["panel"].violations[1]["mends"][0]["value"]
    response = post(client, text, mend=mend)
    assert typed(response).split("\n")[0] == f"3x {fifty[0]}"
    assert response.context["panel"].outcome == "legal"


def test_the_button_beside_a_problem_puts_the_meant_card_in_place(
    client: Client, legal_text: str, fifty: list[str]
) -> None:
    text = legal_text.replace(fifty[3], fifty[3] + "zz")
    panel = post(client, text).context["panel"]
    assert (panel.outcome, panel.problems[0]["number"]) == ("undetermined", 4)
    response = post(client, text, mend=panel.problems[0]["mends"][0]["value"])
    assert typed(response).split("\n")[3] == f"3x {fifty[3]}"
    assert response.context["panel"].outcome == "legal"


def test_a_deck_and_its_sideboard_in_one_block_are_asked_about_and_a_button_parts_them(
    client: Client, legal_text: str, engarde: Game, fifty: list[str]
) -> None:
    others = Card.objects.filter(game=engarde, printings__card_set__code="EF", facts__rarity="common")
    names = others.exclude(name__in=fifty).exclude(facts__type="realm").order_by("name").values_list("name", flat=True)
    text = "\n".join([legal_text, *(f"{count} {name}" for count, name in zip((3, 3, 3, 1), names, strict=False))])
    panel = post(client, text).context["panel"]
    assert (panel.outcome, [problem["code"] for problem in panel.problems]) == (
        "undetermined",
        ["decks.zones_unclear"],
    )
    mend = next(mend for mend in panel.problems[0]["mends"] if mend["label"] == "It is Sideboard")
    response = post(client, text, mend=mend["value"])
    assert typed(response).split("\n")[18] == "Sideboard"
    assert (response.context["panel"].outcome, response.context["panel"].problems) == ("legal", [])


def test_htmx_gets_the_very_verdict_of_the_page_and_nothing_else(
    client: Client, legal_text: str, fifty: list[str]
) -> None:
    text = legal_text.replace(fifty[3], fifty[3] + "zz")
    page, fragment = post(client, text).text, post(client, text, htmx=True).text
    section = re.compile(r'<section class="verdict.*?</section>', re.S)
    assert section.findall(page) == section.findall(fragment) != []
    assert 'name="mend"' in fragment
    assert 'form="deck-form"' in fragment
    assert "<html" not in fragment


@pytest.mark.parametrize(
    "mend", ["", "line", "line x y", "line 9999999999 A", "remove", "remove 1 2", "remove a b c", "?"]
)
def test_a_mend_that_means_nothing_changes_nothing(client: Client, legal_text: str, mend: str) -> None:
    response = post(client, legal_text, mend=mend)
    assert (response.status_code, typed(response)) == (200, legal_text)


@pytest.mark.usefixtures("engarde")
@pytest.mark.parametrize(
    "fields",
    [
        {"format": "engarde/nothing"},
        {"format": "nothing"},
        {"format": ""},
        {"on": "yesterday"},
        {"on": "2025-02-30"},
        {"on": ""},
        {"text": "3 Nobody\x00"},
        {"text": "\n" * 2_001},
    ],
)
@pytest.mark.parametrize("htmx", [False, True])
def test_bad_input_is_answered_with_400(client: Client, fields: dict[str, str], htmx: bool) -> None:
    assert post(client, **{"text": "3 Nobody", **fields}, htmx=htmx).status_code == 400


@pytest.mark.usefixtures("engarde")
@pytest.mark.parametrize("htmx", [False, True])
def test_on_a_day_before_every_version_the_list_is_kept_and_the_day_told(client: Client, htmx: bool) -> None:
    response = post(client, "3 Nobody", on="1999-01-01", htmx=htmx)
    assert (response.status_code, typed(response)) == (404, "3 Nobody")
    assert "No version of Standard is in force on 1999-01-01" in response.text


def test_a_verdict_may_be_asked_for_as_json(client: Client, legal_text: str) -> None:
    body = {"game": "engarde", "format": "standard", "on": DAY, "text": legal_text}
    response = post(client, legal_text, **{"as": "json"})
    assert response["Content-Type"] == "application/json"
    assert response.json() == client.post("/api/v1/check", body, content_type="application/json").json()
    assert post(client, legal_text, on="1999-01-01", **{"as": "json"}).status_code == 404
    assert post(client, "", **{"as": "json"}).text.startswith("<!DOCTYPE html>")


@pytest.mark.usefixtures("engarde")
def test_what_can_not_be_decided_is_not_counted_among_what_is_broken(client: Client) -> None:
    # Too few cards, too many copies, too many gifts; whether they are free nobody has written down.
    response = post(client, "20 At Any Price", format="epic/designed-deck")
    assert [violation["code"] for violation in response.context["panel"].violations if violation["undetermined"]] == [
        "sum.unknown"
    ]
    assert "Illegal: 3 things" in response.text
    assert "And 1 thing that can’t be decided" in response.text


def test_what_keeps_a_deck_from_being_legal_is_told_apart_from_what_is_wrong(
    client: Client, legal_text: str, fifty: list[str]
) -> None:
    text = legal_text.replace(fifty[3], fifty[3] + "zz")
    assert "can’t be called legal: 1 line is not understood" in post(client, text).text
    assert "can’t be called legal" not in post(client, legal_text).text


@pytest.mark.usefixtures("engarde")
@pytest.mark.parametrize(
    ("query", "status"),
    [("format=engarde/nothing", 404), ("format=", 404), ("on=never", 400), ("format=%00", 400), ("on=2025-13-01", 400)],
)
def test_a_link_that_chooses_what_does_not_exist_is_refused(client: Client, query: str, status: int) -> None:
    assert client.get(f"/check/?{query}").status_code == status


@pytest.mark.usefixtures("engarde")
def test_half_a_character_is_a_problem_and_ten_megabytes_are_refused(client: Client) -> None:
    form = "format=engarde/standard&on=2026-11-30&text="
    kind = "application/x-www-form-urlencoded"
    half = client.post("/check/", form + quote(b"3 \xed\xa0\x80"), content_type=kind)
    assert (half.status_code, half.context["panel"].problems[0]["number"]) == (200, 1)
    assert client.post("/check/", form + "x" * 10_000_000, content_type=kind).status_code == 413
    assert Deck.objects.count() == 0


def test_a_check_takes_the_same_number_of_queries_for_one_fault_and_for_many(
    client: Client, legal_text: str, fifty: list[str]
) -> None:
    def count(text: str) -> int:
        with CaptureQueriesContext(connection) as captured:
            assert post(client, text).status_code == 200
        return len(captured)

    few = count(legal_text.replace(f"3 {fifty[0]}", f"4 {fifty[0]}"))
    many = count("\n".join(f"9 {name}" for name in fifty))
    assert few == many == 11


@pytest.mark.parametrize("address", ["/decks/", "/decks/new", "/decks/1/"])
@pytest.mark.django_db
def test_decks_of_ones_own_ask_for_a_login(client: Client, address: str) -> None:
    response = client.get(address)
    assert response.status_code == 302
    assert "next=" in response.url


def test_a_deck_is_written_saved_opened_and_deleted(
    client: Client, player, standard: Format, legal_text: str, fifty: list[str]
) -> None:
    client.force_login(player)
    assert "No decks yet" in client.get("/decks/").text
    fields = {"name": "Bells", "format": "engarde/standard", "text": legal_text, "save": "1"}
    response = client.post("/decks/new", fields)
    deck = Deck.objects.get()
    assert (response.status_code, response.url) == (302, f"/decks/{deck.pk}/")
    assert (deck.owner, deck.name, deck.format, deck.text) == (player, "Bells", standard, legal_text)
    page = client.get(response.url)
    assert fifty[0] in typed(page)
    assert page.context["panel"] is not None
    client.post(response.url, {**fields, "name": "Bells, mended"})
    assert "Bells, mended" in client.get("/decks/").text
    assert client.post(f"/decks/{deck.pk}/delete").status_code == 302
    assert Deck.objects.count() == 0


def test_checking_in_the_editor_saves_nothing(client: Client, player, standard: Format, legal_text: str) -> None:
    client.force_login(player)
    fields = {"name": "Bells", "format": "engarde/standard", "text": legal_text}
    response = client.post("/decks/new", fields, headers={"HX-Request": "true"})
    assert "verdict-" in response.text
    assert "<html" not in response.text
    assert client.post("/decks/new", fields).status_code == 200
    assert Deck.objects.count() == 0


def test_a_deck_without_a_name_is_not_saved(client: Client, player, standard: Format) -> None:
    client.force_login(player)
    response = client.post("/decks/new", {"name": " ", "format": "engarde/standard", "text": "", "save": "1"})
    assert response.status_code == 400
    assert Deck.objects.count() == 0


def test_an_outsider_can_neither_see_nor_change_nor_delete_a_deck(
    client: Client, player, outsider, standard: Format
) -> None:
    deck = Deck.objects.create(owner=player, game=standard.game, format=standard, name="Mine", text="3 Nobody")
    client.force_login(outsider)
    fields = {"name": "Yours", "format": "engarde/standard", "text": "", "save": "1"}
    assert client.get(f"/decks/{deck.pk}/").status_code == 404
    assert client.post(f"/decks/{deck.pk}/", fields).status_code == 404
    assert client.post(f"/decks/{deck.pk}/delete").status_code == 404
    assert client.get("/decks/99999999999999999999/").status_code == 404
    assert "Mine" not in client.get("/decks/").text
    assert Deck.objects.get().name == "Mine"
