"""What may be stored between here and the reader: pages for everybody, and nothing that is meant for one person."""

from __future__ import annotations

import pytest
from django.test import Client

from accounts.services import create_user

PUBLIC = ["/", "/e/", "/rules/", "/check/"]
pytestmark = pytest.mark.django_db


@pytest.fixture
def member() -> Client:
    client = Client()
    user = create_user(email="ada@example.org", display_name="Ada Brook", password="long-enough-1")
    client.force_login(user, backend="accounts.backends.AccountBackend")
    return client


@pytest.mark.parametrize("path", PUBLIC)
def test_a_page_is_stored_for_nobody_who_is_logged_in_and_stays_as_it_is_for_guests(member: Client, path: str) -> None:
    answers = member.get(path), Client().get(path)
    assert [(answer.status_code, answer.get("Cache-Control")) for answer in answers] == [(200, "no-store"), (200, None)]


def test_pages_of_one_person_and_refusals_to_them_are_not_stored_either(member: Client) -> None:
    answers = member.get("/decks/"), member.get("/decks/999/"), member.get("/e/never/")
    assert [(answer.status_code, answer["Cache-Control"]) for answer in answers] == [
        (200, "no-store"),
        (404, "no-store"),
        (404, "no-store"),
    ]


@pytest.mark.parametrize("path", ["/api/v1/events", "/api/v1/decks", "/api/v1/nothing", "/api/v1/events?q=%00"])
def test_no_answer_for_programs_is_stored(member: Client, path: str) -> None:
    assert {client.get(path)["Cache-Control"] for client in (member, Client())} == {"no-store"}


def test_what_a_view_says_itself_stays(member: Client) -> None:
    assert member.get("/admin/login/")["Cache-Control"] == "max-age=0, no-cache, no-store, must-revalidate, private"


def test_whether_all_is_well_is_asked_anew_each_time() -> None:
    assert Client().get("/healthz")["Cache-Control"] == "no-store"


def test_static_files_are_not_touched(member: Client) -> None:
    assert member.get("/static/js/app.js")["Cache-Control"] == "max-age=60, public"
