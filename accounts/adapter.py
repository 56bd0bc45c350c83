"""Where allauth would write a user itself, our service does."""

from __future__ import annotations

from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from django.http import HttpRequest

from accounts import services
from accounts.models import User


class AccountAdapter(DefaultAccountAdapter):
    def save_user(self, request: HttpRequest, user: User, form: Any, commit: bool = True) -> User:
        """One insert with everything in it. Raises Conflict when the same address signed up a moment before."""
        data = form.cleaned_data
        return services.create_user(
            email=data["email"], display_name=data["display_name"], password=data.get("password1")
        )

    def format_email_subject(self, subject: str) -> str:
        """The name of the site, not its host: sender and subject are all that a phone shows of a letter."""
        return f"Tiltyard: {subject}"
