from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from django.core import mail
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from accounts.models import User

from .conftest import PASSWORD

pytestmark = pytest.mark.django_db

NEW = {"email": "lin@example.org", "display_name": "Lin Wei", "password1": "green knight on a hill"}


def logged_in_as(client) -> str | None:
    """The display name in the banner of the profile page."""
    response = client.get(reverse("account_profile"))
    return response.context["user"].display_name if response.status_code == 200 else None


def without_tokens(response) -> str:
    return re.sub(r"[A-Za-z0-9]{64}", "TOKEN", response.content.decode())


def test_signing_up_asks_for_address_name_and_password_and_logs_in(client):
    form = client.get(reverse("account_signup")).context["form"]
    assert list(form.fields) == ["email", "display_name", "password1"]

    response = client.post(reverse("account_signup"), NEW)

    assert (response.status_code, response["Location"]) == (302, reverse("home"))
    assert list(User.objects.values_list("email", "display_name")) == [("lin@example.org", "Lin Wei")]
    assert logged_in_as(client) == "Lin Wei"


def test_signing_up_cleans_the_name(client):
    client.post(reverse("account_signup"), {**NEW, "display_name": "  Lin   Wei "})

    assert User.objects.get().display_name == "Lin Wei"


@pytest.mark.parametrize(
    ("field", "value", "reason"),
    [
        ("display_name", "", "Write the name that other players know you by."),
        ("display_name", "   ", "Write the name that other players know you by."),
        ("display_name", "Lin\u202eWei", "U+202E"),
        ("display_name", "Lin\u200bWei", "U+200B"),
        ("display_name", "x" * 61, "Shorten it by 1."),
        ("email", "lin", "email address"),
        ("email", "", "required"),
        ("password1", "short", "at least 10 characters"),
        ("password1", "1234567890", "too common"),
        ("password1", "", "required"),
    ],
)
def test_a_sign_up_that_cannot_be_says_why_beside_the_field(client, field, value, reason):
    response = client.post(reverse("account_signup"), {**NEW, field: value})

    errors = response.context["form"].errors
    assert (response.status_code, list(errors)) == (200, [field])
    assert reason in " ".join(errors[field])
    page = response.content.decode()
    assert f'id="id_{field}_error"' in page
    assert re.search(rf'<input[^>]*name="{field}"[^>]*aria-invalid="true"', page)
    assert User.objects.count() == 0


@pytest.mark.parametrize("address", ["mira@example.org", "MIRA@Example.Org"])
def test_a_second_sign_up_with_an_address_makes_no_account(client, mira, address):
    response = client.post(reverse("account_signup"), {**NEW, "email": address})

    assert list(response.context["form"].errors) == ["email"]
    assert list(User.objects.values_list("email", "display_name")) == [("mira@example.org", "Mira Okafor")]
    assert logged_in_as(client) is None


@pytest.mark.parametrize("address", ["mira@example.org", "MIRA@EXAMPLE.ORG", " Mira@Example.org "])
def test_the_address_logs_in_in_any_case(client, mira, address):
    client.post(reverse("account_login"), {"login": address, "password": PASSWORD})

    assert logged_in_as(client) == "Mira Okafor"


def test_a_wrong_password_and_an_unknown_address_get_the_same_answer(client, mira):
    wrong = client.post(reverse("account_login"), {"login": "mira@example.org", "password": "not this one"})
    unknown = client.post(reverse("account_login"), {"login": "nobody@example.org", "password": "not this one"})

    assert (wrong.status_code, unknown.status_code) == (200, 200)
    assert wrong.context["form"].errors == unknown.context["form"].errors != {}
    assert logged_in_as(client) is None


def test_a_closed_account_cannot_log_in(client, mira):
    User.objects.update(is_active=False)

    client.post(reverse("account_login"), {"login": "mira@example.org", "password": PASSWORD})

    assert logged_in_as(client) is None


def test_logging_out_needs_a_press_of_the_button(client, mira):
    client.force_login(mira, backend="accounts.backends.AccountBackend")

    assert client.get(reverse("account_logout")).status_code == 200
    assert logged_in_as(client) == "Mira Okafor"

    client.post(reverse("account_logout"))
    assert logged_in_as(client) is None


def test_a_forgotten_password_is_replaced_by_the_link_in_the_mail_once(client, mira):
    response = client.post(reverse("account_reset_password"), {"email": "MIRA@example.org"})

    assert (response.status_code, response["Location"]) == (302, reverse("account_reset_password_done"))
    assert [letter.to for letter in mail.outbox] == [["mira@example.org"]]
    link = re.search(r"http://testserver(/account/password/reset/key/\S+)", mail.outbox[0].body)[1]

    form = client.get(link, follow=True)
    assert list(form.context["form"].fields) == ["password1", "password2"]
    new = {"password1": "an oak shield, dented", "password2": "an oak shield, dented"}
    client.post(form.redirect_chain[-1][0], new)

    mira.refresh_from_db()
    assert mira.check_password(new["password1"])
    client.logout()
    assert client.get(link, follow=True).context["token_fail"] is True


def test_asking_for_a_new_password_does_not_tell_who_has_an_account(client, mira):
    known = client.post(reverse("account_reset_password"), {"email": "mira@example.org"}, follow=True)
    unknown = client.post(reverse("account_reset_password"), {"email": "nobody@example.org"}, follow=True)

    assert known.redirect_chain == unknown.redirect_chain
    assert without_tokens(known) == without_tokens(unknown)
    bodies = {letter.to[0]: "/password/reset/key/" in letter.body for letter in mail.outbox}
    assert bodies == {"mira@example.org": True, "nobody@example.org": False}


def test_the_name_others_see_can_be_changed(client, mira):
    client.force_login(mira, backend="accounts.backends.AccountBackend")

    response = client.post(reverse("account_profile"), {"display_name": " Mira O. "}, follow=True)

    assert User.objects.get().display_name == "Mira O."
    assert "From now on you appear as Mira O." in response.content.decode()


def test_a_refused_name_is_shown_beside_the_field_and_changes_nothing(client, mira):
    client.force_login(mira, backend="accounts.backends.AccountBackend")

    response = client.post(reverse("account_profile"), {})
    assert list(response.context["form"].errors) == ["display_name"]

    response = client.post(reverse("account_profile"), {"display_name": "\u200b"})
    assert "U+200B" in response.content.decode()
    assert User.objects.get().display_name == "Mira Okafor"


def test_a_name_is_text_and_never_markup(client, mira):
    client.force_login(mira, backend="accounts.backends.AccountBackend")
    client.post(reverse("account_profile"), {"display_name": "<b>Mira</b>"})

    page = client.get(reverse("account_profile")).content.decode()

    assert "&lt;b&gt;Mira&lt;/b&gt;" in page
    assert "<b>Mira" not in page


def test_the_profile_sends_a_stranger_to_log_in(client):
    response = client.get(reverse("account_profile"))

    assert (response.status_code, response["Location"]) == (302, "/account/login/?next=/account/profile")


FORMS = [
    ("account_signup", NEW),
    ("account_login", {"login": "mira@example.org", "password": PASSWORD}),
    ("account_reset_password", {"email": "mira@example.org"}),
    ("account_profile", {"display_name": "Mira"}),
    ("account_email", {"email": "other@example.org", "action_add": ""}),
    ("account_change_password", {"oldpassword": PASSWORD, "password1": "q" * 12, "password2": "q" * 12}),
]


@pytest.mark.parametrize(
    ("name", "data", "field"), [(name, data, field) for name, data in FORMS for field in data if field != "action_add"]
)
@pytest.mark.parametrize("bad", ["\x00", "a\x00b", "\u202e", "x" * 100_000])
def test_no_form_field_breaks_on_bad_text(client, mira, name, data, field, bad):
    if name in ("account_profile", "account_email", "account_change_password"):
        client.force_login(mira, backend="accounts.backends.AccountBackend")

    response = client.post(reverse(name), {**data, field: bad})

    assert response.status_code in ({400} if "\x00" in bad else {200, 302})
    mira.refresh_from_db()
    assert list(User.objects.values_list("email", "display_name")) in (
        [("mira@example.org", "Mira Okafor")],
        [("mira@example.org", "Mira Okafor"), ("lin@example.org", "Lin Wei")] if field == "password1" else [],
    )


@pytest.mark.parametrize(
    "name",
    [
        "account_login",
        "account_signup",
        "account_reset_password",
        "account_reset_password_done",
        "account_reset_password_from_key_done",
        "account_inactive",
        "account_email_verification_sent",
    ],
)
def test_a_stranger_sees_every_page_in_the_dress_of_the_site(client, name):
    response = client.get(reverse(name))

    assert response.status_code == 200
    assert "base.html" in [template.name for template in response.templates]
    assert response.content.count(b"<h1>") == 1


@pytest.mark.parametrize(
    "name", ["account_profile", "account_email", "account_change_password", "account_logout", "account_reauthenticate"]
)
def test_a_person_logged_in_sees_every_page_in_the_dress_of_the_site(client, mira, name):
    client.post(reverse("account_login"), {"login": "mira@example.org", "password": PASSWORD})

    response = client.get(reverse(name), follow=True)

    assert response.status_code == 200
    assert "base.html" in [template.name for template in response.templates]
    assert response.content.count(b"<h1>") == 1


def test_an_address_can_be_added_and_confirmed_by_mail(client, mira):
    client.post(reverse("account_login"), {"login": "mira@example.org", "password": PASSWORD})
    mail.outbox.clear()

    client.post(reverse("account_email"), {"email": "okafor@example.org", "action_add": ""})
    link = re.search(r"http://testserver(/account/confirm-email/\S+)", mail.outbox[0].body)[1]
    page = client.get(link)
    assert "okafor@example.org" in page.content.decode()
    client.post(link)

    assert mira.emailaddress_set.get(email="okafor@example.org").verified


def test_staff_may_look_at_people_and_only_a_superuser_may_close_accounts(client, mira, django_user_model):
    chief = django_user_model.objects.create_superuser("chief@example.org", PASSWORD, display_name="Chief")
    client.force_login(chief, backend="accounts.backends.AccountBackend")
    address = reverse("admin:accounts_user_change", args=[mira.pk])

    assert client.get(address).status_code == 200
    client.post(address, {"is_staff": "on"})
    mira.refresh_from_db()
    assert (mira.is_active, mira.is_staff, mira.display_name) == (False, True, "Mira Okafor")
    assert client.get(reverse("admin:accounts_user_add")).status_code == 403


def test_our_letters_name_the_site_and_carry_no_markup(client, mira, settings):
    settings.ACCOUNT_ADAPTER = "accounts.adapter.AccountAdapter"
    client.post(reverse("account_reset_password"), {"email": "mira@example.org"})

    assert mail.outbox[0].subject == "Tiltyard: Choose a new password"
    assert mail.outbox[0].alternatives == []
    assert "&" not in mail.outbox[0].body


def test_signing_up_writes_the_person_once_through_our_service(client, settings):
    settings.ACCOUNT_ADAPTER = "accounts.adapter.AccountAdapter"
    with CaptureQueriesContext(connection) as queries:
        client.post(reverse("account_signup"), NEW)

    writes = [q["sql"] for q in queries if re.match(r'(INSERT INTO|UPDATE) "accounts_user" ', q["sql"])]
    assert [sql.split()[0] for sql in writes] == ["INSERT", "UPDATE"]
    assert '"last_login"' in writes[1]
    assert User.objects.get().display_name == "Lin Wei"


@pytest.mark.race
@pytest.mark.django_db(transaction=True)
def test_two_sign_ups_at_once_from_two_phones_make_one_account_and_no_fault(settings):
    settings.ACCOUNT_ADAPTER = "accounts.adapter.AccountAdapter"
    phones = [Client(), Client(), Client(), Client()]
    together = Barrier(len(phones))

    def attempt(phone: Client) -> int:
        try:
            together.wait(timeout=10)
            return phone.post(reverse("account_signup"), NEW).status_code
        finally:
            connection.close()

    with ThreadPoolExecutor(len(phones)) as pool:
        answers = list(pool.map(attempt, phones))

    assert answers.count(302) == 1
    assert set(answers) <= {302, 200, 409}
    assert User.objects.count() == 1
