"""Forms about people. They check; services write."""

from __future__ import annotations

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.http import HttpRequest

from accounts import services
from accounts.models import User
from accounts.names import MAX_LENGTH, clean_display_name
from config.errors import DomainError


class DisplayNameField(forms.CharField):
    def __init__(self, **options: Any) -> None:
        options.setdefault("label", "Display name")
        options.setdefault("help_text", "What other people see: pairings, standings, decklists.")
        options.setdefault("error_messages", {"required": "Write the name that other players know you by."})
        options.setdefault("widget", forms.TextInput(attrs={"autocomplete": "nickname", "maxlength": 2 * MAX_LENGTH}))
        super().__init__(**options)

    def clean(self, value: Any) -> str:
        text = super().clean(value)
        try:
            return clean_display_name(text)
        except DomainError as error:
            raise ValidationError(error.message, code=error.code) from None


class SignupExtra(forms.Form):
    """What a person gives at sign-up beside address and password; allauth puts this form under its own."""

    display_name = DisplayNameField()
    field_order = ["email", "display_name", "password1"]

    def signup(self, request: HttpRequest, user: User) -> None:
        """Called by allauth with the new user. Does nothing when the user was created with the name already."""
        name = self.cleaned_data["display_name"]
        if user.display_name != name:
            services.rename_user(user=user, display_name=name)


class ProfileForm(forms.Form):
    display_name = DisplayNameField()
