"""Papers made in the background: asked for, made once, kept for a day, by those who may read decklists."""

from __future__ import annotations

import io
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.db.models.functions import Now
from django.test import Client
from django.utils import timezone
from pypdf import PdfReader

from accounts.models import User
from config.errors import DomainError
from events.engine.names import filing_name
from events.models import Event, Player, PrintJob
from events.queries.sheets import blank_sheet, filled_sheets
from events.services import housekeeping
from events.services.printing import request_sheets, run_print_job
from tests.events.factories import Made, make_user

pytestmark = pytest.mark.django_db
Events = Callable[..., Made]
FILLED = {"which": "filled", "paper": "A4", "order": "name", "copies": 1, "origin": "https://tiltyard.example"}
NAMES = ["Zoe Abel", "Ana de la Cruz", "Odo", "Bea Abel"]


@pytest.mark.parametrize(
    ("name", "filed"),
    [
        ("Ana Lima", ("Lima", "Ana")),
        ("Ana de la Cruz", ("de la Cruz", "Ana")),
        ("Lima, Ana Maria", ("Lima", "Ana Maria")),
        ("Odo", ("Odo", "")),
        ("J. R. Vane", ("Vane", "J. R.")),
        ("van der Meer", ("der Meer", "van")),
    ],
)
def test_names_are_filed_by_family(name: str, filed: tuple[str, str]) -> None:
    assert filing_name(name) == filed


@pytest.fixture
def made(make_event: Events) -> Made:
    made = make_event(players=4)
    for player, name in zip(made.players, NAMES, strict=True):
        Player.objects.filter(pk=player.pk).update(name=name)
        made.submit(player)
    return made


def ask(made: Made, **options: object) -> PrintJob:
    return request_sheets(event=made.event, user_id=made.organiser.pk, options={**FILLED, **options})


def test_sheets_go_by_family_name_and_hold_what_was_handed_in(made: Made) -> None:
    sheets = list(filled_sheets(made.event, origin="https://tiltyard.example"))
    assert [(sheet.family_name, sheet.given_name) for sheet in sheets] == [
        ("Abel", "Bea"),
        ("Abel", "Zoe"),
        ("de la Cruz", "Ana"),
        ("Odo", ""),
    ]
    submission = made.players[0].submissions.get()
    mine = next(sheet for sheet in sheets if sheet.given_name == "Zoe")
    entries = submission.decklist.entries
    assert [row for block in mine.blocks for row in block.rows] == [(e["count"], e["name"]) for e in entries]
    assert mine.fingerprint == submission.decklist.fingerprint
    assert mine.link == f"https://tiltyard.example/e/{made.event.code}/decklists/{made.players[0].pk}/"
    assert mine.verdict.startswith("Legal as of ")


def test_cards_may_stand_in_order_of_a_fact(made: Made) -> None:
    by_type = list(filled_sheets(made.event, origin="", order="type"))[0]
    by_name = list(filled_sheets(made.event, origin=""))[0]
    assert sorted(by_type.blocks[0].rows) == sorted(by_name.blocks[0].rows)
    assert by_type.blocks[0].rows != by_name.blocks[0].rows


@pytest.mark.parametrize("players", [1, 3])
def test_the_queries_do_not_grow_with_the_players(
    players: int, make_event: Events, django_assert_num_queries: Callable[..., object]
) -> None:
    made = make_event(players=players)
    for player in made.players:
        made.submit(player)
    event = Event.objects.select_related("game", "format", "format_version").get(pk=made.event.pk)
    with django_assert_num_queries(3):  # type: ignore[attr-defined]
        assert len(list(filled_sheets(event, origin="", order="type"))) == players


def test_a_blank_has_the_rows_of_its_format(make_event: Events) -> None:
    blocks = blank_sheet(make_event(players=0).event).blocks
    assert [(block.label, block.rule, block.blank_rows) for block in blocks] == [
        ("Main deck", "At least 60 cards.", 20),
        ("Sideboard", "No cards or 15 cards.", 15),
    ]


def test_a_job_is_made_once_and_kept_for_a_day(made: Made) -> None:
    job = ask(made)
    assert ask(made).pk == job.pk
    assert [run_print_job(job_id=job.pk), run_print_job(job_id=job.pk)] == [True, False]
    job.refresh_from_db()
    assert (job.state, job.done, job.total) == ("done", 4, 4)
    assert len(PdfReader(io.BytesIO(bytes(job.content or b""))).pages) == 4
    assert ask(made).pk != job.pk
    PrintJob.objects.filter(pk=job.pk).update(expires_at=Now() - timedelta(seconds=1))
    assert housekeeping.forget_old()["papers"] == 1


@pytest.mark.parametrize(
    "options",
    [{"paper": "A3"}, {"order": "owner"}, {"which": "blank", "copies": 0}, {"which": "blank", "copies": 201}],
)
def test_what_can_not_be_printed_is_refused(options: dict[str, object], made: Made) -> None:
    with pytest.raises(DomainError) as refused:
        ask(made, **options)
    assert (refused.value.code, PrintJob.objects.count()) == ("print.options", 0)


def test_without_decklists_there_is_nothing_to_print(make_event: Events) -> None:
    made = make_event(players=1)
    with pytest.raises(DomainError) as refused:
        ask(made)
    assert refused.value.code == "print.nothing"
    assert ask(made, which="blank", copies=3).total == 3


def test_a_job_that_fails_says_so(made: Made) -> None:
    job = ask(made)
    PrintJob.objects.filter(pk=job.pk).update(options={**job.options, "paper": "A3"})
    with pytest.raises(KeyError):
        run_print_job(job_id=job.pk)
    job.refresh_from_db()
    assert (job.state, job.content) == ("failed", None)


def test_the_desk_asks_waits_and_reads(made: Made, as_user: Callable[[User], Client]) -> None:
    client = as_user(made.organiser)
    here = f"/e/{made.event.code}/desk/papers/"
    page = client.get(here).content.decode()
    assert ("4 decklists handed in" in page, "Nothing yet" in page) == (True, True)
    assert client.post(f"{here}sheets", {"which": "filled", "paper": "Letter", "order": "name"}).status_code == 302
    job = PrintJob.objects.get()
    waiting = client.get(here, headers={"HX-Request": "true"}).content.decode()
    assert ("0 of 4 sheets" in waiting, 'hx-trigger="every 2s"' in waiting, "<html" in waiting) == (True, True, False)
    assert client.get(f"{here}{job.pk}.pdf").status_code == 404
    run_print_job(job_id=job.pk)
    done = client.get(here, headers={"HX-Request": "true"}).content.decode()
    assert (f"{here}{job.pk}.pdf" in done, "hx-trigger" in done) == (True, False)
    answer = client.get(f"{here}{job.pk}.pdf")
    assert (answer.status_code, answer["Content-Type"], answer.content[:5]) == (200, "application/pdf", b"%PDF-")
    bad = client.post(f"{here}sheets", {"which": "filled", "paper": "A3", "order": "name"})
    assert (bad.status_code, "A3 is not one of" in bad.content.decode()) == (400, True)


def test_only_whoever_asked_reads_the_paper_and_nobody_who_plays(made: Made, as_user: Callable[..., Client]) -> None:
    job = ask(made)
    run_print_job(job_id=job.pk)
    address = f"/e/{made.event.code}/desk/papers/{job.pk}.pdf"
    stranger = make_user("Sam Stranger")
    assert [as_user(who).get(address).status_code for who in (made.judge, stranger, made.players[0])] == [404, 404, 404]
    assert Client().get(address).status_code == 302


def test_a_player_prints_the_own_sheet_and_no_other(made: Made, as_user: Callable[..., Client]) -> None:
    mine, other = (f"/e/{made.event.code}/decklists/{player.pk}/sheet.pdf" for player in made.players[:2])
    client = as_user(made.players[0])
    assert [client.get(address).status_code for address in (mine, other)] == [200, 404]
    assert as_user(made.judge).get(other).status_code == 200
    assert client.get(f"{mine}?paper=A3").status_code == 400
    [page] = PdfReader(io.BytesIO(client.get(f"{mine}?paper=Letter").content)).pages
    assert ("Abel" in page.extract_text(), float(page.mediabox.width)) == (True, 612.0)


def test_time_on_a_sheet_is_that_of_the_event(made: Made) -> None:
    made.event.time_zone = "Asia/Tokyo"
    submitted = timezone.now()
    made.players[0].submissions.update(submitted_at=submitted)
    found = dict(list(filled_sheets(made.event, origin=""))[1].details)
    assert found["Handed in"].endswith("JST")
