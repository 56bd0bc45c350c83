from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from django.db import connection

from accounts.models import User
from accounts.services import create_user, rename_user, set_access
from config.errors import Conflict, DomainError

pytestmark = pytest.mark.django_db


def people() -> list[tuple[str, str]]:
    return list(User.objects.order_by("email").values_list("email", "display_name"))


def test_a_new_person_has_an_address_in_lower_case_and_a_clean_name():
    user = create_user(email=" Mira@Example.ORG ", display_name=" Mira  Okafor ", password="a lance of ash wood")

    assert people() == [("mira@example.org", "Mira Okafor")]
    assert user.check_password("a lance of ash wood")
    assert (user.is_active, user.is_staff, user.is_superuser) == (True, False, False)


def test_a_person_without_a_password_cannot_log_in_by_one():
    assert not create_user(email="mira@example.org", display_name="Mira").has_usable_password()


@pytest.mark.parametrize("address", ["mira@example.org", "MIRA@EXAMPLE.ORG", "Mira@example.org"])
def test_an_address_has_one_account_whatever_its_case(mira, address):
    with pytest.raises(Conflict) as refusal:
        create_user(email=address, display_name="Someone else")

    assert refusal.value.code == "account.email_taken"
    assert people() == [("mira@example.org", "Mira Okafor")]


@pytest.mark.parametrize("address", ["", "mira", "mira@", "@example.org", "mi ra@example.org", "mira@exa\x00mple.org"])
def test_what_is_not_an_address_is_refused(address):
    with pytest.raises(DomainError) as refusal:
        create_user(email=address, display_name="Mira")

    assert refusal.value.code == "account.email"
    assert people() == []


def test_renaming_changes_the_name_and_nothing_else(mira):
    rename_user(user=mira, display_name="Mira O.")

    assert people() == [("mira@example.org", "Mira O.")]


def test_a_refused_name_leaves_the_old_one(mira):
    with pytest.raises(DomainError):
        rename_user(user=mira, display_name="Mira\u202e")

    assert mira.display_name == "Mira Okafor"
    assert people() == [("mira@example.org", "Mira Okafor")]


def test_access_is_opened_and_closed(mira):
    set_access(user=mira, is_active=False, is_staff=True)

    mira.refresh_from_db()
    assert (mira.is_active, mira.is_staff, mira.is_superuser) == (False, True, False)


@pytest.mark.race
@pytest.mark.django_db(transaction=True)
def test_two_sign_ups_at_once_with_one_address_make_one_account():
    together = Barrier(2)

    def attempt(address: str) -> str:
        try:
            together.wait(timeout=10)
            create_user(email=address, display_name=address)
        except Conflict as refusal:
            return refusal.code
        else:
            return "made"
        finally:
            connection.close()

    with ThreadPoolExecutor(2) as pool:
        outcomes = sorted(pool.map(attempt, ["mira@example.org", "MIRA@example.org"]))

    assert outcomes == ["account.email_taken", "made"]
    assert User.objects.count() == 1
