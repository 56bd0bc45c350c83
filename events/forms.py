"""What organisers and staff type."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, date, datetime
from typing import Any, cast
from zoneinfo import ZoneInfo, available_timezones

from django import forms
from django.core.exceptions import ValidationError
from django.utils import timezone

from decks.forms import DecklistField, decklist_file
from events.models import Event
from rules.models import Policy

EARLIEST, LATEST = 2000, 2100
WALL_CLOCK = "%Y-%m-%dT%H:%M"


def zone_choices() -> list[tuple[str, list[tuple[str, str]]]]:
    """Time zones by continent, with UTC in front."""
    areas: dict[str, list[tuple[str, str]]] = {}
    for name in sorted(available_timezones()):
        area, _, city = name.partition("/")
        if city and area not in ("Etc", "SystemV", "US", "Canada", "Brazil", "Chile", "Mexico"):
            areas.setdefault(area, []).append((name, city.replace("_", " ")))
    return [("World", [("UTC", "UTC")]), *areas.items()]


class ZoneField(forms.ChoiceField):
    """Lists the zones that people look for; takes every zone there is."""

    def __init__(self, **options: Any) -> None:
        super().__init__(choices=zone_choices, widget=forms.Select(attrs={"data-local-zone": ""}), **options)

    def valid_value(self, value: Any) -> bool:
        return value in available_timezones()

    def get_bound_field(self, form: forms.BaseForm, field_name: str) -> forms.BoundField:
        bound = super().get_bound_field(form, field_name)
        chosen = bound.value()
        if self.valid_value(chosen) and not super().valid_value(chosen):
            self.choices = [*zone_choices(), ("Other", [(chosen, chosen)])]
        return bound


class WallClockField(forms.DateTimeField):
    """A date and a time of day as a clock on the wall shows them; which zone the wall is in comes from elsewhere."""

    def __init__(self, **options: Any) -> None:
        widget = forms.DateTimeInput(attrs={"type": "datetime-local"}, format=WALL_CLOCK)
        super().__init__(widget=widget, input_formats=[WALL_CLOCK, "%Y-%m-%dT%H:%M:%S", "%Y-%m-%d %H:%M"], **options)

    def prepare_value(self, value: Any) -> Any:
        return value.replace(tzinfo=None) if isinstance(value, datetime) else value

    def to_python(self, value: Any) -> datetime | None:
        with timezone.override(UTC):  # every wall clock time exists there
            found = super().to_python(value)
        if found is None:
            return None
        if not EARLIEST <= found.year <= LATEST:
            raise ValidationError(f"Choose a year from {EARLIEST} to {LATEST}.", code="year")
        return found.replace(tzinfo=None)


def in_zone(clock: datetime, zone: ZoneInfo) -> datetime:
    """Raises ValidationError for the hour that is skipped when clocks go forward."""
    there = clock.replace(tzinfo=zone)
    if there.astimezone(UTC).astimezone(zone).replace(tzinfo=None) != clock:
        raise ValidationError("The clocks go forward there at this time, so it never comes. Choose another.")
    return there


class EventForm(forms.Form):
    """What an event is announced with."""

    name = forms.CharField(max_length=120, widget=forms.TextInput(attrs={"autocomplete": "off"}))
    starts_at = WallClockField(label="Starts at", help_text="As the clock at the place shows it.")
    time_zone = ZoneField()
    place = forms.CharField(max_length=120, required=False, label="Where")
    capacity = forms.IntegerField(
        required=False, min_value=2, max_value=10_000, label="Room for", help_text="Players; empty for no limit."
    )
    decklist_deadline = WallClockField(
        required=False, label="Decklists are due", help_text="Empty: when the pairings of round 1 are posted."
    )
    decklist_publication = forms.ChoiceField(choices=Event.Publication.choices, label="Who may read decklists")
    clocks: tuple[str, ...] = ("starts_at", "decklist_deadline")

    def clean(self) -> dict[str, Any]:
        values: dict[str, Any] = super().clean() or {}
        if "time_zone" in values:
            zone = ZoneInfo(values["time_zone"])
            for field in self.clocks:
                if values.get(field) is not None:
                    try:
                        values[field] = in_zone(values[field], zone)
                    except ValidationError as error:
                        self.add_error(field, error)
        return values


class SettingsForm(EventForm):
    """What can be changed as long as the event is not over."""

    registration_opens_at = WallClockField(
        required=False, label="Registration opens", help_text="Empty: it is open from now on."
    )
    registration_closes_at = WallClockField(
        required=False, label="Registration closes", help_text="Empty: when the event starts."
    )
    waitlist = forms.BooleanField(
        required=False,
        label="Keep a waitlist",
        help_text="Who comes when it is full waits, and gets the next free place.",
    )
    late_until_round = forms.IntegerField(
        required=False,
        min_value=1,
        max_value=30,
        label="Returns until round",
        help_text="Up to this round players who left may come back; rounds missed are lost. Empty: not after a round.",
    )
    fee = forms.CharField(
        max_length=40, required=False, label="Fee", help_text="In words; nothing is charged here, staff note who paid."
    )
    only_staff_report = forms.BooleanField(
        required=False,
        label="Only staff enter results",
        help_text="From slips, say; players’ pages have no buttons for it then.",
    )
    agreed_draws = forms.BooleanField(
        required=False,
        label="Players may agree to draw",
        help_text="Where the policy names no rule for it, this is your own; in a bracket never.",
    )
    clocks = (*EventForm.clocks, "registration_opens_at", "registration_closes_at")

    def clean(self) -> dict[str, Any]:
        values = super().clean()
        values["players_report"] = not values.pop("only_staff_report", False)
        return values

    @staticmethod
    def stored(event: Event) -> dict[str, Any]:
        """The event's settings as the form shows them."""
        zone = ZoneInfo(event.time_zone)
        clocks = {field: getattr(event, field) for field in SettingsForm.clocks}
        return {
            "name": event.name,
            "time_zone": event.time_zone,
            "place": event.place,
            "capacity": event.capacity,
            "decklist_publication": event.decklist_publication,
            "waitlist": event.waitlist,
            "late_until_round": event.late_until_round,
            "fee": event.fee,
            "only_staff_report": not event.players_report,
            "agreed_draws": event.agreed_draws,
            **{field: at.astimezone(zone) if at is not None else None for field, at in clocks.items()},
        }


class DatedEventForm(EventForm):
    """A new event, with the day whose rules hold."""

    legality_date = forms.DateField(
        required=False,
        label="Cards are legal as of",
        widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
        input_formats=["%Y-%m-%d"],
        help_text="Empty: the day of the event.",
    )

    def clean_legality_date(self) -> date | None:
        day: date | None = self.cleaned_data["legality_date"]
        if day is not None and not EARLIEST <= day.year <= LATEST:
            raise ValidationError(f"Choose a year from {EARLIEST} to {LATEST}.", code="year")
        return day


class NewEventForm(DatedEventForm):
    policy = forms.ChoiceField(label="Template", help_text="Format, rounds, cut, clock and points come with it.")
    field_order = ["policy", "name", "starts_at", "time_zone", "place", "capacity"]

    def __init__(self, *args: Any, policies: Iterable[Policy], **options: Any) -> None:
        super().__init__(*args, **options)
        self.policies = {str(policy.pk): policy for policy in policies}
        games: dict[str, list[tuple[str, str]]] = {}
        for key, policy in self.policies.items():
            games.setdefault(policy.game.name, []).append((key, policy.name))
        self.fields["policy"].choices = list(games.items())  # type: ignore[attr-defined]

    @property
    def chosen(self) -> Policy | None:
        """The template that is chosen in the form, valid or not yet."""
        return self.policies.get(str(self["policy"].value() or ""))


class AddPlayerForm(forms.Form):
    name = forms.CharField(
        max_length=60, label="Name of the player", widget=forms.TextInput(attrs={"autocomplete": "off"})
    )


class StaffDecklistForm(forms.Form):
    text = DecklistField(label="Decklist")
    file = decklist_file()
    reason = forms.CharField(
        max_length=300, required=False, label="Why", help_text="Needed once decklists are closed; the player reads it."
    )


class CancelForm(forms.Form):
    reason = forms.CharField(max_length=300, label="Why", help_text="Every player reads it.")


class EntryForm(forms.Form):
    """The typed line. What had waited on a device says which match it saw at the table, and may correct it."""

    entry = forms.CharField(max_length=40, label="Table and games", strip=True)
    match = forms.IntegerField(required=False, min_value=0, max_value=2**63 - 1)
    match_version = forms.IntegerField(required=False, min_value=0, max_value=2**31 - 1)
    reason = forms.CharField(max_length=300, required=False)


class DecideForm(forms.Form):
    """A result from the first player's side: a pressed button sends ``score`` ("2-1"), the numbers send themselves."""

    score = forms.RegexField(r"^\d-\d(-\d)?$", required=False)
    wins_a = forms.IntegerField(required=False, min_value=0, max_value=9, label="Games of the first")
    wins_b = forms.IntegerField(required=False, min_value=0, max_value=9, label="Games of the second")
    draws = forms.IntegerField(required=False, min_value=0, max_value=9, label="Drawn games")
    reason = forms.CharField(max_length=300, required=False, label="Why")
    match_version = forms.IntegerField(min_value=0, max_value=2**31 - 1, widget=forms.HiddenInput)

    def clean(self) -> dict[str, Any]:
        values: dict[str, Any] = super().clean() or {}
        if values.get("score"):
            games = [int(part) for part in values["score"].split("-")]
            values["wins_a"], values["wins_b"], values["draws"] = (*games, 0)[:3]
        elif "score" in values and (values.get("wins_a") is None or values.get("wins_b") is None):
            raise ValidationError("Press a result, or write the games of both players.", code="score")
        values["draws"] = values.get("draws") or 0
        return values


class TurnsForm(forms.Form):
    turns = forms.IntegerField(min_value=0, max_value=99, label="Extra turns taken")


class SheetsForm(forms.Form):
    which = forms.ChoiceField(
        label="What",
        choices=[("filled", "Every decklist that counts"), ("blank", "Blank sheets to fill in by hand")],
        widget=forms.RadioSelect,
        initial="filled",
    )
    paper = forms.ChoiceField(choices=[("A4", "A4"), ("Letter", "Letter")], initial="A4")
    order = forms.ChoiceField(label="Cards in order of", choices=[], initial="name")
    copies = forms.IntegerField(label="Blank sheets", min_value=1, max_value=200, initial=16, required=False)

    def __init__(self, *args: Any, orders: list[tuple[str, str]], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        cast(forms.ChoiceField, self.fields["order"]).choices = orders

    def clean_copies(self) -> int:
        return int(self.cleaned_data["copies"] or 1)


class PaperForm(forms.Form):
    """Which paper, on which page; the round only of those that the person may print."""

    kind = forms.ChoiceField(label="What", choices=[])
    round = forms.TypedChoiceField(label="Round", choices=[], coerce=int, required=False, empty_value=None)
    paper = forms.ChoiceField(choices=[("A4", "A4"), ("Letter", "Letter")], initial="A4")
    per_page = forms.ChoiceField(label="Slips on a page", choices=[("6", "6"), ("4", "4")], required=False)

    def __init__(self, *args: Any, kinds: list[tuple[str, str]], rounds: list[tuple[int, str]], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        cast(forms.ChoiceField, self.fields["kind"]).choices = kinds
        cast(forms.ChoiceField, self.fields["round"]).choices = [("", "The newest"), *rounds]

    def clean_per_page(self) -> int:
        return int(self.cleaned_data["per_page"] or 6)
