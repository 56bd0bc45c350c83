"""What an organiser types about staff, and who checks decks about a deck."""

from __future__ import annotations

from django import forms
from django.core.exceptions import ValidationError

from events.models import DeckCheck, StaffInvite, StaffRole


class EndField(forms.DateTimeField):
    """Until when, in the event's zone."""

    def __init__(self) -> None:
        super().__init__(
            required=False,
            label="Role ends",
            widget=forms.DateTimeInput(attrs={"type": "datetime-local"}, format="%Y-%m-%dT%H:%M"),
        )


class AddStaffForm(forms.Form):
    email = forms.EmailField(max_length=254, label="E-mail address", help_text="The one that they signed up with.")
    role = forms.ChoiceField(choices=StaffRole.Role.choices, initial=StaffRole.Role.JUDGE)
    expires_at = EndField()


class InviteForm(forms.Form):
    role = forms.ChoiceField(choices=StaffRole.Role.choices, initial=StaffRole.Role.JUDGE)
    email = forms.EmailField(
        max_length=254, required=False, label="E-mail address", help_text="Empty: you get a link to hand on."
    )
    most_uses = forms.IntegerField(
        label="People who may use the link", min_value=1, max_value=StaffInvite.MOST_USES, initial=1
    )
    days = forms.IntegerField(
        label="Days that the invite is open", min_value=1, max_value=StaffInvite.MOST_DAYS, initial=7
    )
    role_expires_at = EndField()


class RoleEndForm(forms.Form):
    expires_at = EndField()
    never = forms.BooleanField(required=False)

    def clean(self) -> dict[str, object]:
        values = super().clean() or {}
        if "expires_at" in values and (values["expires_at"] is None) != values["never"]:
            raise ValidationError("Choose when the role ends, or that it does not.", code="end")
        return values


class DeckCheckForm(forms.Form):
    decklist = forms.IntegerField(min_value=1, max_value=2**63 - 1)
    found = forms.ChoiceField(choices=DeckCheck.Found.choices)
    note = forms.CharField(max_length=300, required=False, strip=True)
