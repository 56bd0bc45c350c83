"""Papers of an event: what stands on them, in what order, and what never does."""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from datetime import UTC, datetime

import pytest
from django.test import Client
from pypdf import PdfReader

from accounts.models import User
from config.errors import DomainError
from events.models import Player, Pod, PodSeat, PrintJob, Round, StaffRole, Stage
from events.papers.drawing import Heading
from events.papers.lists import Column, ListPaper, Section, render_list
from events.papers.slips import Slip, SlipPaper, SlipSeat, cut_and_stack, render_slips
from events.queries import papers
from events.services.printing import request_paper, run_print_job
from events.services.setup import add_staff
from tests.events.factories import Made, make_user
from tests.events.halls import hall

pytestmark = pytest.mark.django_db
Events = Callable[..., Made]
OPTIONS = {"paper": "A4", "round": None, "per_page": 6, "drafts": False, "origin": "https://tiltyard.example"}
NOW = datetime(2027, 3, 5, 10, 30, tzinfo=UTC)
LATIN = [
    "Łukasz Śmigły-Żółkiewski",
    "Đặng Thị Hương",
    "Þórdís Ægisdóttir",
    "Maximiliana Bartholomäa Freifrau von und zu Hohenstein-Xyz",
    "Ümit Çağlar İğdır",
]


def pages_of(content: bytes | memoryview | None) -> list[str]:
    return [page.extract_text() for page in PdfReader(io.BytesIO(bytes(content or b""))).pages]


def printed(made: Made, kind: str, **options: object) -> list[str]:
    """The pages of a paper, as text; asked for and made as the desk does."""
    job = request_paper(event=made.event, user_id=made.organiser.pk, kind=kind, options={**OPTIONS, **options})
    assert run_print_job(job_id=job.pk)
    job.refresh_from_db()
    assert (job.state, job.done) == ("done", job.total)
    return pages_of(job.content)


def lines(pages: Sequence[str]) -> list[str]:
    return [" ".join(line.split()) for page in pages for line in page.splitlines()]


# -- slips ------------------------------------------------------------------------------------------------------------


def stacked(pages: list[list[int | None]]) -> list[int]:
    """What is held after cutting through the pile, with the stack of each place under the one before."""
    places = range(len(pages[0]))
    return [slip for place in places for page in pages if (slip := page[place]) is not None]


@pytest.mark.parametrize("per_page", [4, 6])
def test_cut_stacks_follow_one_another_whatever_the_number_of_tables(per_page: int) -> None:
    for count in range(1, 51):
        pages = cut_and_stack(count, per_page)
        assert stacked(pages) == list(range(count))
        assert len(pages) == -(-count // per_page)


@pytest.mark.parametrize(("per_page", "size"), [(4, "A4"), (6, "A4"), (4, "Letter"), (6, "Letter")])
def test_slips_lie_on_the_page_as_the_order_says(per_page: int, size: str) -> None:
    slips = tuple(Slip(str(n), (SlipSeat(f"A{n}"), SlipSeat(f"B{n}")), f"https://t.example/{n}") for n in range(1, 14))
    paper = SlipPaper(Heading("Open", "Round 1", "Printed"), slips)
    found = [
        [int(line.removeprefix("Table ")) - 1 for line in page.splitlines() if line.startswith("Table ")]
        for page in pages_of(render_slips(paper, per_page=per_page, size=size))  # type: ignore[arg-type]
    ]
    assert found == [[slip for slip in page if slip is not None] for page in cut_and_stack(13, per_page)]


def test_a_slip_has_its_table_both_players_and_what_they_fill_in(make_event: Events) -> None:
    made = make_event(players=5, started=True)
    made.play_round()
    round_ = made.post_round()
    paper = papers.result_slips(made.event, round_, NOW, "https://tiltyard.example")
    tables = list(round_.matches.exclude(table=None).order_by("table"))
    assert [slip.table for slip in paper.slips] == [str(match.table) for match in tables] == ["1", "2"]
    first = tables[0]
    assert paper.slips[0].link == f"https://tiltyard.example/e/{made.event.code}/match/{first.pk}/"
    assert [seat.name for seat in paper.slips[0].seats] == [seat.player.name for seat in first.seats.order_by("index")]
    assert {seat.note for seat in paper.slips[0].seats} == {"3 points"}
    [page] = printed(made, "slips")
    best = f"best of {made.event.rules['match']['best_of']}"
    assert [page.count(w) for w in ("Games won", "Signature", "Drop", f"Round 2 · {best}", "bye")] == [4, 4, 4, 2, 0]


def test_seven_at_a_table_stand_on_one_slip_with_their_places(make_event: Events) -> None:
    made = make_event(players=0)
    hall(made, 15, seats=7)
    [page] = printed(made, "slips")
    found = lines([page])
    assert [f"Given{n} Family{n:04d}" in found for n in range(15)] == [True] * 15
    assert [page.count(words) for words in ("Table ", "Place 1 for", "Games won")] == [3, 2, 1]


# -- pairings ---------------------------------------------------------------------------------------------------------


def test_pairings_by_name_list_everybody_by_family_name_with_table_and_opponent(make_event: Events) -> None:
    made = make_event(players=5, started=True)
    round_ = made.post_round()
    rows = papers.pairings_by_name(made.event, round_, NOW).sections[0].rows
    assert [row[0] for row in rows] == ["Brook, Ada", "Hale, Dov", "Lund, Ema", "Marsh, Cleo", "Quist, Bela"]
    for player, row in zip(sorted(made.players, key=lambda p: p.name.split()[1]), rows, strict=True):
        match = made.match_of(player, round_)
        alone = match.table is None
        assert row[1:] == ("bye" if alone else str(match.table), "" if alone else made.opponent_of(player, round_).name)
    [page] = printed(made, "by-name")
    for words in ("Open of Hollowmere", "Round 1: by name", "Page 1 of 1", "Printed ", "Bro – Qui", "Marsh, Cleo"):
        assert words in page


def test_pairings_by_table_have_points_and_end_with_the_bye(make_event: Events) -> None:
    made = make_event(players=5, started=True)
    made.play_round()
    round_ = made.post_round()
    rows = papers.pairings_by_table(made.event, round_, NOW).sections[0].rows
    assert [row[0] for row in rows] == ["1", "2", "bye"]
    assert sorted(name for _, cell in rows for name in cell.split("\n")) == sorted(
        f"{row.player.name} ({row.values['match_points']})"
        for row in Round.objects.get(event=made.event, sequence=1).standings.select_related("player")
    )


def test_two_thousand_players_are_all_listed_on_numbered_pages_in_a_few_queries(
    make_event: Events, django_assert_num_queries: Callable[..., object]
) -> None:
    made = make_event(players=0)
    hall(made, 2000)
    pages = printed(made, "by-name")
    found = set(lines(pages))
    assert [n for n in range(2000) if f"Family{n:04d}, Given{n}" not in found] == []
    assert [f"Page {n} of {len(pages)}" in page for n, page in enumerate(pages, 1)] == [True] * len(pages)
    assert len(pages) < 80
    for count in (2, 2000):
        round_ = Round.objects.select_related("stage").get(event=made.event)
        if count == 2:
            round_.matches.filter(table__gt=1).delete()
        with django_assert_num_queries(2):  # type: ignore[attr-defined]
            papers.pairings_by_name(made.event, round_, NOW)
        with django_assert_num_queries(3):  # type: ignore[attr-defined]
            papers.pairings_by_table(made.event, round_, NOW)
        with django_assert_num_queries(3):  # type: ignore[attr-defined]
            papers.result_slips(made.event, round_, NOW, "")


def test_names_are_whole_however_long_and_in_whatever_latin(make_event: Events) -> None:
    made = make_event(players=0)
    round_ = hall(made, len(LATIN) + 1)
    for seat, name in zip(round_.seats.order_by("pk"), LATIN, strict=False):
        Player.objects.filter(pk=seat.player_id).update(name=name)
    for kind in ("by-table", "by-name", "slips", "badges", "meeting"):
        text = " ".join(" ".join(lines(printed(made, kind))).replace(",", " ").split())
        for name in LATIN:
            assert [word for word in name.split() if word not in text] == []


def test_who_goes_by_another_name_hangs_on_no_wall_by_the_own(make_event: Events) -> None:
    made = make_event(players=4, started=True)
    Player.objects.filter(pk=made.players[0].pk).update(public_name="Grey Heron")
    made.play_round()
    made.post_round()
    for kind in ("by-name", "by-table", "slips", "standings", "meeting", "badges"):
        text = " ".join(lines(printed(made, kind)))
        assert ("Heron" in text, "Brook" in text) == (True, False), kind


# -- standings, seats, badges -----------------------------------------------------------------------------------------


def test_standings_are_those_that_are_stored(make_event: Events) -> None:
    made = make_event(players=5, started=True)
    round_ = made.play_round()
    rows = papers.standings_list(made.event, NOW).sections[0].rows
    stored = list(round_.standings.select_related("player").order_by("rank"))
    assert [row[:2] for row in rows] == [(str(row.rank), row.player.name) for row in stored]
    assert [row[3] for row in rows] == [str(row.values["match_points"]) for row in stored]
    [page] = printed(made, "standings")
    assert ("Standings after round 1" in page, "W-L-D" in page, "OMW%" in page) == (True, True, True)


def test_a_draft_is_seated_by_name_and_by_pod(make_event: Events) -> None:
    made = make_event(players=16)
    stage = Stage.objects.create(event=made.event, number=9, kind=Stage.Kind.DRAFT)
    for number in (1, 2):
        pod = Pod.objects.create(event=made.event, stage=stage, number=number)
        PodSeat.objects.bulk_create(
            PodSeat(pod=pod, index=index, player=player) for index, player in enumerate(made.players[number - 1 :: 2])
        )
    by_name, *pods = papers.draft_seats(made.event, NOW).sections
    assert by_name.rows[0] == ("Berg, Nils", "2", "7")
    assert [(pod.title, len(pod.rows), pod.rows[0]) for pod in pods] == [
        ("Pod 1", 8, ("Ada Brook", "1", "1")),
        ("Pod 2", 8, ("Bela Quist", "2", "1")),
    ]
    text = "\n".join(printed(made, "pods"))
    assert ("Pod 1" in text, "Pod 2" in text) == (True, True)


def test_the_player_meeting_is_seated_by_family_name_without_who_left_or_waits(make_event: Events) -> None:
    made = make_event(players=6)
    for player, state in zip(made.players, ("dropped", "waitlisted"), strict=False):
        Player.objects.filter(pk=player.pk).update(state=state)
    assert papers.meeting_seats(made.event, NOW).sections[0].rows == (
        ("Hale, Dov", "1"),
        ("Lund, Ema", "1"),
        ("Marsh, Cleo", "2"),
        ("Oduya, Finn", "2"),
    )


def test_a_badge_has_the_code_for_the_door_or_else_the_events_address(make_event: Events) -> None:
    made = make_event(players=2)
    for player, code in zip(made.players, ("k7tq2mxhd", None), strict=True):
        Player.objects.filter(pk=player.pk).update(check_in_code=code)
    found = {badge.name: badge.code for badge in papers.badges_of(made.event, NOW, "https://tiltyard.example").badges}
    here = f"https://tiltyard.example/e/{made.event.code}/"
    assert found == {"Ada Brook": f"{here}desk/check-in/k7tq2mxhd/", "Bela Quist": here}
    [page] = printed(made, "badges", paper="Letter")
    assert ("Ada Brook" in page, "Town hall" in page) == (True, True)


@pytest.mark.parametrize("kind", list(papers.KINDS))
def test_an_empty_event_has_nothing_to_print_and_says_why(kind: str, make_event: Events) -> None:
    made = make_event(players=0)
    with pytest.raises(DomainError) as refused:
        printed(made, kind)
    assert (refused.value.code, PrintJob.objects.count()) == ("print.nothing", 0)


def test_lists_without_rows_and_rounds_without_tables_are_a_page_that_says_so() -> None:
    heading = Heading("Open", "Standings", "Printed")
    assert "There is nothing" in pages_of(render_list(ListPaper(heading, (Column("Name", 1),), (Section(()),))))[0]
    assert "no table" in pages_of(render_slips(SlipPaper(heading, ()), per_page=6))[0]


def test_no_title_of_a_pod_stands_alone_at_the_foot_of_a_page() -> None:
    sections = tuple(Section(tuple((f"p{pod} {n}",) for n in range(pod % 9 + 1)), f"Pod {pod}") for pod in range(1, 60))
    paper = ListPaper(Heading("Open", "Seats", "Printed"), (Column("Name", 1, 17),), sections)
    for page in pages_of(render_list(paper)):
        rows = [line for line in page.splitlines() if line.startswith(("Pod ", "p"))]
        assert not rows[-1].startswith("Pod ")


# -- what is on no paper ----------------------------------------------------------------------------------------------


def test_a_round_that_was_not_posted_is_printed_for_those_who_pair_and_says_so(make_event: Events) -> None:
    made = make_event(players=4, started=True)
    round_ = made.draft_round()
    for kind in ("by-name", "by-table", "slips"):
        with pytest.raises(DomainError) as refused:
            printed(made, kind)
        assert refused.value.code == "print.nothing"
        with pytest.raises(DomainError) as refused:
            printed(made, kind, round=round_.sequence)
        assert refused.value.code == "round.unknown"
        assert "DRAFT, not posted" in printed(made, kind, drafts=True)[0]


def test_a_round_that_is_gone_when_the_worker_comes_makes_no_paper(make_event: Events) -> None:
    made = make_event(players=4, started=True)
    made.draft_round()
    options = {**OPTIONS, "drafts": True}
    job = request_paper(event=made.event, user_id=made.organiser.pk, kind="slips", options=options)
    Round.objects.filter(event=made.event).delete()
    assert run_print_job(job_id=job.pk)
    job.refresh_from_db()
    assert (job.state, job.content) == ("failed", None)


def test_no_decklist_is_on_a_paper(make_event: Events) -> None:
    made = make_event(players=4, started=True)
    made.play_round()
    made.post_round()
    decklist = made.players[0].submissions.get().decklist
    secrets = [decklist.fingerprint, *(entry["name"] for entry in decklist.entries)]
    for kind in papers.KINDS:
        if kind != "pods":
            text = " ".join(lines(printed(made, kind)))
            assert [secret for secret in secrets if secret in text] == []


# -- the desk ---------------------------------------------------------------------------------------------------------


def staffed(made: Made, role: str) -> User:
    person = make_user(f"The {role}")
    add_staff(event_id=made.event.pk, actor=made.by_organiser, email=person.email, role=role)
    return person


def test_the_desk_asks_for_a_paper_waits_and_reads_it(make_event: Events, as_user: Callable[..., Client]) -> None:
    made = make_event(players=4, started=True)
    made.post_round()
    client = as_user(made.organiser)
    here = f"/e/{made.event.code}/desk/papers/"
    assert client.post(f"{here}print", {"kind": "by-name", "paper": "A4", "round": "1"}).status_code == 302
    job = PrintJob.objects.get()
    waiting = client.get(here).content.decode()
    assert "Pairings by name, round 1, A4: 0 of 4 lines" in waiting
    run_print_job(job_id=job.pk)
    assert f"{here}{job.pk}.pdf" in client.get(here).content.decode()
    assert client.get(f"{here}{job.pk}.pdf").content[:5] == b"%PDF-"
    for bad in ({"kind": "decks", "paper": "A4"}, {"kind": "slips", "paper": "A3"}, {"kind": "slips", "round": "7"}):
        assert client.post(f"{here}print", {"paper": "A4", **bad}).status_code == 400
    assert client.post(f"{here}print", {"kind": "pods", "paper": "A4"}).status_code == 400
    assert PrintJob.objects.count() == 1


def test_each_role_prints_what_it_may(make_event: Events, as_user: Callable[..., Client]) -> None:
    made = make_event(players=4, started=True)
    made.draft_round()
    here = f"/e/{made.event.code}/desk/papers/"
    found = {}
    for role in StaffRole.Role.values:
        client = as_user(staffed(made, role))
        page = client.get(here).content.decode()
        sent = [
            client.post(f"{here}print", {"kind": kind, "paper": "A4"}).status_code
            for kind in ("by-name", "meeting", "badges")
        ]
        found[role] = ("Registration sheets" in page, "(draft)" in page, *sent)
    runs, judges = (True, True, 302, 302, 302), (True, False, 400, 302, 400)
    assert found == {
        "organiser": runs,
        "scorekeeper": runs,
        "head_judge": judges,
        "judge": judges,
        "deck_checker": (False, False, 403, 403, 403),
        "coverage": (False, False, 403, 403, 403),
    }
    player = as_user(made.players[0])
    assert [player.get(here).status_code, player.post(f"{here}print", {}).status_code] == [404, 404]


def test_who_lost_the_right_reads_the_paper_no_more(make_event: Events, as_user: Callable[..., Client]) -> None:
    made = make_event(players=2)
    keeper = staffed(made, "scorekeeper")
    job = request_paper(event=made.event, user_id=keeper.pk, kind="badges", options=OPTIONS)
    run_print_job(job_id=job.pk)
    address = f"/e/{made.event.code}/desk/papers/{job.pk}.pdf"
    assert as_user(keeper).get(address).status_code == 200
    StaffRole.objects.filter(user=keeper).update(role="judge")
    assert as_user(keeper).get(address).status_code == 403


@pytest.mark.parametrize("rounds", [1, 3])
def test_the_queries_of_the_page_do_not_grow(
    rounds: int, make_event: Events, as_user: Callable[..., Client], django_assert_num_queries: Callable[..., object]
) -> None:
    made = make_event(players=4)
    stage = made.event.stages.get(number=1)
    Round.objects.bulk_create(
        Round(event=made.event, stage=stage, number=n, sequence=n, state="complete", seconds=1)
        for n in range(1, rounds + 1)
    )
    for n in range(rounds):
        options = {**OPTIONS, "per_page": (4, 6)[n % 2], "paper": ("A4", "Letter")[n // 2]}
        request_paper(event=made.event, user_id=made.organiser.pk, kind="meeting", options=options)
    client = as_user(made.organiser)
    with django_assert_num_queries(9):  # type: ignore[attr-defined]
        client.get(f"/e/{made.event.code}/desk/papers/")
