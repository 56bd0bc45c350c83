"""The only code that writes users."""

from __future__ import annotations

from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db import IntegrityError, transaction

from accounts.models import User
from accounts.names import clean_display_name
from config.errors import Conflict, DomainError


def create_user(*, email: str, display_name: str, password: str | None = None) -> User:
    """A new person who can log in; without ``password`` only after a password reset.

    The address is stored in lower case. Raises DomainError for an address that isn't one ("account.email") or a name
    that can't be shown ("account.display_name…"), and Conflict ("account.email_taken") when the address is in use.
    The password is taken as it comes: its strength is the form's business.
    """
    address = email.strip().lower()
    try:
        validate_email(address)
    except ValidationError:
        raise DomainError(
            "account.email", "That is not a complete e-mail address. It looks like name@example.org.", {"email": email}
        ) from None
    name = clean_display_name(display_name)
    try:
        with transaction.atomic():
            return User.objects.create_user(address, password, display_name=name)
    except IntegrityError as error:
        if "one_user_per_email" not in str(error):
            raise
        raise Conflict(
            "account.email_taken", "That e-mail address already has an account. Log in, or ask for a new password."
        ) from None


def rename_user(*, user: User, display_name: str) -> User:
    """Changes what other people see. Raises DomainError ("account.display_name…") and leaves ``user`` as it was."""
    user.display_name = clean_display_name(display_name)
    user.save(update_fields=["display_name"])
    return user


def set_access(*, user: User, is_active: bool, is_staff: bool) -> User:
    """Opens or closes an account, and the admin pages to it."""
    user.is_active = is_active
    user.is_staff = is_staff
    user.save(update_fields=["is_active", "is_staff"])
    return user
