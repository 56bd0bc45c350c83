"""The pages on which a game's organisers publish, and what everybody reads of it."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Callable
from datetime import datetime, time, timedelta
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import timezone

from cards.models import Card
from decks.models import Decklist
from events import tasks
from events.models import Player
from events.services.publishing import follow
from rules.engine.publication import publication_of
from rules.models import Publication, StatusEntry
from rules.services.publishing import add_game_organiser
from rules.services.publishing import publish as publish_lists
from tests.events.factories import Made, make_user

D = timezone.localdate() + timedelta(days=7)
PUBLISH, LIST = "/games/epic/publish", "/games/epic/publications"


@pytest.fixture
def made(make_event: Callable[..., Made]) -> Made:
    """An event a day after the publication's, two players with legal decklists."""
    starts = datetime.combine(D + timedelta(days=1), time(9), tzinfo=timezone.get_current_timezone())
    found = make_event(players=2, decklists=True, starts_at=starts)
    add_game_organiser(game=found.event.game, user=found.organiser)
    return found


@pytest.fixture
def organiser(made: Made, as_user: Callable[..., Client]) -> Client:
    return as_user(made.organiser)


@pytest.fixture(autouse=True)
def started(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The publications that a worker would be given."""
    numbers: list[int] = []
    monkeypatch.setattr(tasks, "start_following", numbers.append)
    return numbers


def card() -> str:
    return Card.objects.get(pk=Decklist.objects.order_by("pk")[0].card_ids[0]).name


def sent(*rows: dict[str, str], **more: str) -> dict[str, str]:
    """What the form sends."""
    data = {"title": "Winter list", "source": "Letter", "announced_on": "", "effective_on": D.isoformat()}
    data |= {"rows": str(max(len(rows), 1)), "way": "form"}
    for place, row in enumerate(rows):
        filled = {"format": "designed-deck", "card": "", "status": "banned", "number": "", **row}
        data |= {f"row-{place}-{key}": value for key, value in filled.items()}
    return {**data, **more}


def text_of(response: Any) -> str:
    """The words of a page."""
    main = re.search(r"<main.*</main>", response.content.decode(), re.S)
    assert main is not None
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", main[0])).split())


def payload_of(response: Any) -> str:
    """What the page of a preview confirms."""
    found = re.search(r'name="payload" value="([^"]*)"', response.content.decode())
    assert found is not None
    return html.unescape(found[1])


def test_only_organisers_of_the_game_reach_the_form(made: Made, as_user: Callable[[Player | Any], Client]):
    assert Client().get(PUBLISH).status_code == 302
    for person in (made.judge, made.players[0], make_user("Mira Okafor")):
        assert as_user(person).get(PUBLISH).status_code == 403
        assert as_user(person).post(PUBLISH, sent({"card": card()})).status_code == 403
    assert as_user(made.organiser).get(PUBLISH).status_code == 200
    assert as_user(made.organiser).get("/games/engarde/publish").status_code == 403
    assert as_user(made.organiser).get("/games/chess/publish").status_code == 404


def test_from_the_form_to_the_published_list(made: Made, organiser: Client, started: list[int]):
    preview = organiser.post(PUBLISH, sent({"card": card()}, {}))
    words = text_of(preview)
    assert "2 registered decklists meet the changes , of which 2 change the verdict" in words
    assert "Open of Hollowmere" in words
    assert "2 × legal → illegal" in words
    assert not Publication.objects.exists()

    done = organiser.post(PUBLISH, {"confirm": "1", "payload": payload_of(preview)})
    publication = Publication.objects.get()
    assert (done.status_code, done["Location"]) == (302, f"{LIST}/{publication.pk}")
    assert started == [publication.pk]
    assert [
        (e.card.name, e.status, e.section, e.during.lower)
        for e in StatusEntry.objects.filter(format__game__slug="epic")
    ] == [(card(), "banned", "EPIC 12.6", D)]

    again = organiser.post(PUBLISH, {"confirm": "1", "payload": payload_of(preview)})
    assert again["Location"] == done["Location"]
    assert Publication.objects.count() == 1
    assert "published before" in text_of(organiser.post(PUBLISH, sent({"card": card()}, {})))


@pytest.mark.parametrize("rows", [1, 3])
def test_a_preview_asks_as_much_for_one_card_as_for_three(
    made: Made, organiser: Client, django_assert_num_queries, rows: int
):
    names = [card.name for card in Card.objects.filter(game=made.event.game).order_by("name")[:3]]
    listed = publish_lists(game=made.event.game, user=made.organiser, file=publication_of(body_of(names)))
    assert listed.created
    changes = [{"card": name, "status": "banned", "effective_on": ""} for name in names[:rows]]
    later = (D + timedelta(days=1)).isoformat()
    with django_assert_num_queries(32):
        assert organiser.post(PUBLISH, sent(*changes, effective_on=later)).status_code == 200


def body_of(names: list[str]) -> dict[str, Any]:
    """Each of the cards restricted."""
    changes = [
        {"format": "designed-deck", "card": name, "status": "restricted", "section": "EPIC 12.6"} for name in names
    ]
    return {"title": "Before", "source": "Letter", "effective_on": D.isoformat(), "changes": changes}


def test_a_preview_tells_nothing_of_whose_decklists_they_are(made: Made, organiser: Client):
    preview = organiser.post(PUBLISH, sent({"card": card()}))
    done = organiser.post(PUBLISH, {"confirm": "1", "payload": payload_of(preview)})
    follow(publication_id=Publication.objects.get().pk)
    for page in (preview.content.decode(), organiser.get(done["Location"]).content.decode()):
        assert made.event.name in page
        for player in made.players:
            assert player.name not in page
        others = [c.name for c in Card.objects.filter(pk__in=Decklist.objects.all()[0].card_ids) if c.name != card()]
        assert [name for name in others if name in html.unescape(page)] == []


def test_the_progress_is_the_organisers_and_polls_until_it_is_done(made: Made, organiser: Client):
    preview = organiser.post(PUBLISH, sent({"card": card()}))
    address = organiser.post(PUBLISH, {"confirm": "1", "payload": payload_of(preview)})["Location"]
    waiting = organiser.get(address)
    assert "are being collected" in text_of(waiting)
    assert 'hx-trigger="every 2s"' in waiting.content.decode()
    assert follow(publication_id=Publication.objects.get().pk)
    done = organiser.get(address)
    assert "2 of 2 judged, 2 with another verdict than before" in text_of(done)
    assert "2 of 2 verdicts changed" in text_of(done)
    assert "hx-trigger" not in done.content.decode()
    part = organiser.get(address, headers={"HX-Request": "true"}).content.decode()
    assert (part.strip().startswith("<section"), "<main" in part) == (True, False)
    stranger = text_of(Client().get(address))
    assert ("Winter list" in stranger, "judged" in stranger, made.event.name in stranger) == (True, False, False)


def test_everybody_reads_what_was_published(made: Made, organiser: Client, django_assert_num_queries):
    assert "Nothing was published here yet" in text_of(Client().get(LIST))
    for number, name in enumerate(Card.objects.filter(game=made.event.game).order_by("name")[:3]):
        preview = organiser.post(PUBLISH, sent({"card": name.name, "status": "restricted"}, title=f"List {number}"))
        organiser.post(PUBLISH, {"confirm": "1", "payload": payload_of(preview)})
        with django_assert_num_queries(2):
            page = text_of(Client().get(LIST))
        assert f"List {number} In force from {D:%-d %B %Y}. Source: Letter" in page
        assert f"{name.name} Designed Deck no list restricted to 1 {D:%-d %b %Y} EPIC 12.6" in page
    assert page.index("List 2") < page.index("List 1") < page.index("List 0")
    number = Publication.objects.all()[0].pk
    with django_assert_num_queries(2):
        assert Client().get(f"{LIST}/{number}").status_code == 200
    assert Client().get(f"{LIST}/999999").status_code == 404
    assert Client().get(f"/games/engarde/publications/{number}").status_code == 404


def test_more_rows_keep_what_was_typed_and_complain_of_nothing(organiser: Client):
    page = organiser.post(PUBLISH, sent({"card": "Half a na", "number": "x"}, title="", add="1"))
    body = page.content.decode()
    assert (page.status_code, body.count('class="change-row"'), 'value="Half a na"' in body) == (200, 4, True)
    assert 'class="errors"' not in body


def test_what_is_wrong_stands_beside_its_field(organiser: Client):
    page = organiser.post(PUBLISH, sent({"card": "No such thing"}, {}, {"card": card(), "status": "limit"}))
    body = page.content.decode()
    assert page.status_code == 400
    assert [html.unescape(found) for found in re.findall(r'id="id_(row-\d-\w+)_error"', body)] == ["row-2-card"]
    assert "a limit needs max_copies" in body
    page = organiser.post(PUBLISH, sent({"card": card()[:-1] + "x"}, {}, {"card": card()}))
    assert f"no such card: {card()[:-1]}x; did you mean {card()}" in text_of(page)
    assert re.findall(r'id="id_(row-\d-\w+)_error"', page.content.decode()) == ["row-0-card"]
    page = organiser.post(PUBLISH, sent({}))
    assert (page.status_code, "nothing changes" in text_of(page)) == (400, True)
    page = organiser.post(PUBLISH, sent({"card": card()}, effective_on=(D - timedelta(days=30)).isoformat()))
    assert re.findall(r'id="id_(\w+)_error"', page.content.decode()) == ["effective_on"]


def test_a_file_is_previewed_and_its_faults_have_lines(organiser: Client):
    toml = f'title = "From a file"\nsource = "Letter"\neffective_on = {D}\n'
    change = f'[[changes]]\nformat = "designed-deck"\ncard = "{card()}"\nstatus = "banned"\nsection = "EPIC 12.6"\n'
    upload = SimpleUploadedFile("list.toml", (toml + change).encode())
    assert "From a file" in text_of(organiser.post(PUBLISH, {"way": "file", "file": upload}))
    assert "From a file" in text_of(organiser.post(PUBLISH, {"way": "file", "text": toml + change}))
    wrong = organiser.post(PUBLISH, {"way": "file", "text": toml + change.replace("banned", "outlawed")})
    assert (wrong.status_code, "line 7" in text_of(wrong)) == (400, True)
    assert "outlawed" in wrong.content.decode()
    for bad in (b"\xff\xfe", b"x" * 300_000):
        answer = organiser.post(PUBLISH, {"way": "file", "file": SimpleUploadedFile("list.toml", bad)})
        assert answer.status_code == 400
    assert organiser.post(PUBLISH, {"way": "file"}).status_code == 400


def test_a_preview_can_be_changed_once_more(organiser: Client):
    preview = organiser.post(PUBLISH, sent({"card": card(), "status": "restricted", "number": "2", "zone": "main"}))
    page = organiser.post(PUBLISH, {"edit": "1", "payload": payload_of(preview)}).content.decode()
    assert 'value="Winter list"' in page
    assert 'name="row-0-number" value="2"' in page
    assert '<option value="main" selected>' in page
    tagged = {**json.loads(payload_of(preview)), "tags": [{"tag": "gift", "add": [card()]}]}
    page = organiser.post(PUBLISH, {"edit": "1", "payload": json.dumps(tagged)}).content.decode()
    assert "&quot;tags&quot;" in page


def test_what_came_in_between_is_told(organiser: Client):
    preview = organiser.post(PUBLISH, sent({"card": card()}))
    other = organiser.post(PUBLISH, sent({"card": card(), "status": "restricted"}))
    organiser.post(PUBLISH, {"confirm": "1", "payload": payload_of(other)})
    late = organiser.post(PUBLISH, {"confirm": "1", "payload": payload_of(preview)})
    assert (late.status_code, "changes on" in text_of(late)) == (409, True)
    assert Publication.objects.count() == 1


@pytest.mark.parametrize("payload", ["", "{", "[]", "{}", "1" * 5000, "[" * 100_000])
def test_a_damaged_preview_is_refused(organiser: Client, payload: str):
    assert organiser.post(PUBLISH, {"confirm": "1", "payload": payload}).status_code == 400
    assert organiser.post(PUBLISH, {"edit": "1", "payload": payload}).status_code == 400
