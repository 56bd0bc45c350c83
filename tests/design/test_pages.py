from __future__ import annotations

import re

import pytest
from django.db import connection
from django.template.loader import render_to_string
from django.urls import reverse

from accounts.services import create_user, set_access

pytestmark = pytest.mark.django_db


def test_the_component_page_is_for_staff(client):
    user = create_user(email="jo@example.org", display_name="Jo Marsh")
    assert client.get(reverse("design")).status_code == 302

    client.force_login(user, backend="accounts.backends.AccountBackend")
    assert client.get(reverse("design")).status_code == 302

    set_access(user=user, is_active=True, is_staff=True)
    assert client.get(reverse("design")).status_code == 200


def test_a_page_carries_scripts_by_address_only_and_says_so_in_its_policy(client):
    response = client.get(reverse("account_login"))

    scripts = re.findall(r"<script[^>]*>", response.content.decode())
    assert len(scripts) >= 3
    assert [tag for tag in scripts if " src=" not in tag] == []
    policy = response["Content-Security-Policy"]
    assert "script-src 'self'" in policy
    assert "unsafe" not in policy


def test_the_page_for_a_broken_server_asks_the_database_nothing(client, rf, django_assert_num_queries):
    with django_assert_num_queries(0, connection=connection):
        page = render_to_string("500.html", request=rf.get("/"))

    assert "Something is broken on our side" in page
    assert render_to_string("500.html").count("<h1>") == 1


@pytest.mark.parametrize("name", ["400", "403", "403_csrf", "404", "409", "429", "refusal"])
def test_every_error_page_has_a_heading_and_a_way_on(name, rf):
    page = render_to_string(f"errors/{name}.html", request=rf.get("/e/nowhere/"))

    main = page[page.index("<main") : page.index("</main>")]
    assert main.count("<h1>") == 1
    assert "<a " in main


def test_a_form_from_a_stale_page_is_answered_by_our_own_page(client):
    client.handler.enforce_csrf_checks = True

    response = client.post(reverse("account_login"), {"login": "mira@example.org", "password": "x"})

    assert response.status_code == 403
    assert "This form has gone stale" in response.content.decode()
