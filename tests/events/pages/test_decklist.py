from __future__ import annotations

import re
import uuid
from datetime import timedelta
from pathlib import Path
from xml.sax.saxutils import quoteattr

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import timezone

from cards.engine.streams import Stream
from config.demo.deckbuilding import deck_text, designed_deck
from decks.engine.containers.opening import open_decklist
from decks.engine.exports import write_deck
from decks.queries import parse_text
from events.models import DecklistSubmission
from events.services import stages
from tests.events.factories import SECRET, legal_text, too_many_copies
from tests.events.pages.test_public import words


def hand_in(client: Client, made, text: str, **fields: object):
    data = {"idempotency_key": str(uuid.uuid4()), "hand_in": "1", "text": text, **fields}
    return client.post(f"/e/{made.event.code}/me/decklist", data)


def test_an_illegal_list_is_kept_with_its_reasons_and_replaced_by_a_legal_one(make_event, as_user):
    made = make_event(players=1)
    client, address = as_user(made.players[0]), f"/e/{made.event.code}/me/decklist"
    legal = legal_text(made.event)

    first = hand_in(client, made, too_many_copies(legal) + "\n3 Thurst of Nothing\n")
    illegal = client.get(address)
    hand_in(client, made, legal)
    mended = client.get(address)

    assert (first.status_code, first["Location"]) == (302, address)
    number = len(too_many_copies(legal).splitlines()) + 1
    assert re.search(
        rf"line {number} <code>3 Thurst of Nothing</code>|line {number} 3 Thurst of Nothing", words(illegal)
    )
    assert "EPIC 12.2" in illegal.content.decode()
    assert "line 2" in words(illegal)
    assert "What the rule says" in words(illegal)
    assert "14 " in illegal.content.decode()[illegal.content.decode().index("<textarea") :]
    current = DecklistSubmission.objects.get(player=made.players[0], replaced_at=None)
    assert current.decklist.verdict.outcome == "legal"
    assert current.decklist.fingerprint in words(mended)
    assert "Versions" in words(mended)
    assert DecklistSubmission.objects.filter(player=made.players[0]).count() == 2


def test_a_check_stores_nothing_and_keeps_the_text(make_event, as_user):
    made = make_event(players=1)
    client = as_user(made.players[0])

    answer = client.post(f"/e/{made.event.code}/me/decklist", {"text": "3 Nobody At All"})

    assert answer.status_code == 200
    assert "3 Nobody At All</textarea>" in answer.content.decode()
    assert "No card of this game is called “Nobody At All”" in words(answer)
    assert DecklistSubmission.objects.count() == 0


def test_the_live_check_answers_with_the_verdict_alone(make_event, as_user):
    made = make_event(players=1)
    client, address = as_user(made.players[0]), f"/e/{made.event.code}/me/decklist/check"

    legal = client.post(address, {"text": legal_text(made.event)}, headers={"HX-Request": "true"})
    empty = client.post(address, {"text": ""}, headers={"HX-Request": "true"})

    assert "<html" not in legal.content.decode()
    assert "verdict-legal" in legal.content.decode()
    assert (legal.status_code, empty.status_code) == (200, 200)
    assert DecklistSubmission.objects.count() == 0


def test_a_mend_changes_the_text_and_hands_nothing_in(make_event, as_user):
    made = make_event(players=1)
    client, address = as_user(made.players[0]), f"/e/{made.event.code}/me/decklist"
    text = too_many_copies(legal_text(made.event))
    offered = re.findall(r'name="mend" value="(remove [^"]+)"', client.post(address, {"text": text}).content.decode())

    mended = client.post(address, {"text": text, "mend": offered[0]})

    assert "14 " not in re.search(r"<textarea.*?</textarea>", mended.content.decode(), re.DOTALL)[0]
    assert DecklistSubmission.objects.count() == 0


FILES = Path(__file__).parents[2] / "data" / "decklists"


def send_file(client: Client, made, content: bytes, *, text: str = "", **fields: object):
    data = {"text": text, "file": SimpleUploadedFile("deck", content), "idempotency_key": str(uuid.uuid4()), **fields}
    return client.post(f"/e/{made.event.code}/me/decklist", data)


def in_the_box(answer) -> list[str]:
    return answer.context["form"]["text"].value().splitlines()


def as_dek(text: str) -> bytes:
    rows = (line.partition(" ")[::2] for line in text.splitlines() if line and line[0].isdigit())
    card = '<Cards CatID="1" Quantity="{}" Sideboard="false" Name={}/>\n'
    cards = "".join(card.format(count, quoteattr(name)) for count, name in rows)
    return f'<?xml version="1.0"?>\n<Deck>\n{cards}</Deck>'.encode()


def test_a_file_goes_into_the_box_is_judged_and_nothing_is_handed_in(make_event, as_user):
    made = make_event(players=1)
    legal = legal_text(made.event)

    answer = send_file(as_user(made.players[0]), made, as_dek(legal), text="3 What stood there")

    assert (answer.status_code, answer.context["sent"].kind) == (200, "MTGO .dek")
    assert "Read as MTGO .dek." in words(answer)
    assert answer.context["panel"].outcome == "legal"
    assert "3 What stood there" not in in_the_box(answer)
    assert DecklistSubmission.objects.count() == 0


def test_a_file_is_handed_in_as_the_list_that_it_comes_to(make_event, as_user):
    made = make_event(players=1)
    legal = legal_text(made.event)

    answer = send_file(as_user(made.players[0]), made, as_dek(legal), hand_in="1")

    kept = DecklistSubmission.objects.get().decklist
    assert (answer.status_code, kept.verdict.outcome) == (302, "legal")
    assert "<Cards" not in "".join(line for line in kept.text.splitlines() if not line.startswith("//"))


def test_a_sideboard_reaches_the_decklist_whichever_way_it_is_handed_in(make_event, as_user):
    made = make_event(players=3)
    text = deck_text(designed_deck(Stream(SECRET, "deck"), made.event.game, sideboard=True))
    parsed = parse_text(text=text, game=made.event.game)
    file = write_deck("cod", parsed.entries, parsed.zones)
    typed, pasted, sent = (as_user(player) for player in made.players)

    hand_in(typed, made, text)
    hand_in(pasted, made, file)
    send_file(sent, made, file.encode(), hand_in="1")

    kept = [player.submissions.get(replaced_at=None).decklist for player in made.players]
    assert {decklist.verdict.outcome for decklist in kept} == {"legal"}
    assert len({decklist.fingerprint for decklist in kept}) == 1
    assert sum(entry["count"] for entry in kept[2].entries if entry["zone"] == "side") == 15


@pytest.mark.parametrize("name", sorted(path.name for path in FILES.iterdir()))
def test_a_file_of_every_program_is_taken(make_event, as_user, name):
    made = make_event(players=1)
    answer = send_file(as_user(made.players[0]), made, (FILES / name).read_bytes())
    plain = open_decklist((FILES / name).read_bytes())[0]
    assert (answer.status_code, answer.context["sent"].kind) == (200, plain.kind)
    assert "\n".join(in_the_box(answer)) == plain.as_text


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"x" * 256_001, "at most 2,000 lines and 256 kB"),
        (b"1 a\n" * 2_001, "at most 2,000 lines and 256 kB"),
        (b"PK\x03\x04\x00\x00\xff", "is no text"),
        (b"<?xml version='1.0'?><cockatrice_deck>" + b"<zone>" * 9, "can\u2019t be read"),
    ],
)
def test_a_file_that_is_no_list_is_refused_at_its_field_and_what_was_typed_stays(make_event, as_user, content, said):
    made = make_event(players=1)
    for fields in ({}, {"hand_in": "1"}):
        answer = send_file(as_user(made.players[0]), made, content, text="3 Typed", **fields)
        assert (answer.status_code, in_the_box(answer)) == (400, ["3 Typed"])
        assert said.replace("\u2019", "'") in answer.context["form"].errors["file"][0]
    assert DecklistSubmission.objects.count() == 0


def test_a_file_in_another_charset_is_read_and_that_is_said(make_event, as_user):
    made = make_event(players=1)
    answer = send_file(as_user(made.players[0]), made, "3 Caf\u00e9".encode("cp1252"))
    assert "It was read as windows-1252" in words(answer)
    assert in_the_box(answer) == ["3 Caf\u00e9"]


def test_a_pasted_file_is_named_while_it_is_looked_at(make_event, as_user):
    made = make_event(players=1)
    address = f"/e/{made.event.code}/me/decklist/check"
    answer = as_user(made.players[0]).post(address, {"text": as_dek(legal_text(made.event)).decode()})
    assert "Turn it into a plain list" in words(answer)
    assert "verdict-legal" in answer.content.decode()


def test_the_form_sends_files_without_javascript(make_event, as_user):
    made = make_event(players=1)
    page = as_user(made.players[0]).get(f"/e/{made.event.code}/me/decklist").content.decode()
    form = page[page.index('id="deck-form"') :]
    assert 'enctype="multipart/form-data"' in form[: form.index(">")]
    assert 'type="file" name="file"' in form
    assert '<label for="id_file">' in form


def test_a_late_list_is_refused_and_the_typed_text_stays(make_event, as_user):
    made = make_event(players=2, started=True)
    made.post_round()
    text = legal_text(made.event) + "\n1 At Any Price\n"

    answer = hand_in(as_user(made.players[0]), made, text)

    assert answer.status_code == 409
    assert "Decklists were due before round 1. Only staff can change one now." in words(answer)
    assert "1 At Any Price" in answer.content.decode()
    assert DecklistSubmission.objects.filter(player=made.players[0]).count() == 1


def test_after_the_deadline_the_page_shows_the_list_without_a_form(make_event, as_user):
    made = make_event(players=1, decklist_deadline=timezone.now() + timedelta(seconds=600))
    made.submit(made.players[0])
    type(made.event).objects.filter(pk=made.event.pk).update(decklist_deadline=timezone.now() - timedelta(seconds=1))

    page = as_user(made.players[0]).get(f"/e/{made.event.code}/me/decklist")

    assert "The deadline has passed." in words(page)
    assert "<textarea" not in page.content.decode()
    assert "Main deck" in words(page)


def test_a_locked_list_says_which_names_were_meant_in_words_alone(make_event, as_user):
    made = make_event(players=2)
    made.submit(made.players[0], legal_text(made.event) + "\n1 At Any Prize")
    type(made.event).objects.filter(pk=made.event.pk).update(decklist_deadline=timezone.now() - timedelta(seconds=1))

    page = as_user(made.players[0]).get(f"/e/{made.event.code}/me/decklist")

    assert "No card of this game is called “At Any Prize”. Did you mean “At Any Price”" in words(page)
    assert 'name="mend"' not in page.content.decode()


@pytest.mark.parametrize("text", ["", "   \n ", "1 \x00", "x" * 300_000])
def test_text_that_cannot_be_a_list_is_refused(make_event, as_user, text):
    made = make_event(players=1)

    answer = hand_in(as_user(made.players[0]), made, text)

    assert 400 <= answer.status_code < 500
    assert DecklistSubmission.objects.count() == 0


def test_without_a_key_the_text_comes_back_and_nothing_is_stored(make_event, as_user):
    made = make_event(players=1)

    answer = hand_in(as_user(made.players[0]), made, "3 Nobody", idempotency_key="")

    assert answer.status_code == 400
    assert "3 Nobody</textarea>" in answer.content.decode()
    assert DecklistSubmission.objects.count() == 0


def test_handing_in_twice_with_one_key_stores_one(make_event, as_user):
    made = make_event(players=1)
    client, text = as_user(made.players[0]), legal_text(made.event)

    answers = [hand_in(client, made, text, idempotency_key="handed-in-once") for _ in range(2)]

    assert [answer.status_code for answer in answers] == [302, 302]
    assert DecklistSubmission.objects.count() == 1


def test_a_sealed_pool_is_shown_and_limits_the_list(make_event, as_user):
    made = make_event(policy="sealed-3", players=2, started=True)
    stages.begin_next_stage(event_id=made.event.pk, actor=made.by_organiser)
    player = made.players[0]
    client = as_user(player)
    pool = words(client.get(f"/e/{made.event.code}/pool/"))
    text = legal_text(made.event, player)
    foreign = made.event.game.cards.exclude(pk__in=player.pool.values("card")).order_by("name")[0].name

    fine = client.post(f"/e/{made.event.code}/me/decklist/check", {"text": text})
    smuggled = client.post(f"/e/{made.event.code}/me/decklist/check", {"text": text + f"\n1 {foreign}\n"})

    assert "My pool 45 cards" in pool
    assert "sample" in pool
    assert "verdict-legal" in fine.content.decode()
    assert "verdict-illegal" in smuggled.content.decode()
    assert foreign in words(smuggled)
    assert player.pool.first().card.name in pool


def test_before_the_packs_are_opened_there_is_nothing_to_build_from(make_event, as_user):
    made = make_event(policy="sealed-3", players=2)

    page = as_user(made.players[0]).get(f"/e/{made.event.code}/me/decklist")

    assert "You write the decklist once your pool is drafted or opened." in words(page)
    assert "<textarea" not in page.content.decode()
    assert hand_in(as_user(made.players[0]), made, "3 Nobody").status_code == 409
