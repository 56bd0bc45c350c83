"""Bodies and queries. They only check types and sizes: what is allowed and what makes sense, the services say."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from decks.engine.containers.opening import MAX_BYTES
from decks.serializers import Strict, Text
from events.api.serializers.fields import Day, Instant, Whole, YesOrNo
from events.engine.elimination import SAID_BY_STAFF
from events.models import Event, Player

MAX_PAGE = 100
MAX_NUMBER = 10**15
VERSION_HELP = "The version of the event that this was decided on. Needed when staff change an event: 428 without it."


class Page(serializers.Serializer):
    """What a list takes in its address. A limit above the most is taken as the most."""

    limit = serializers.IntegerField(default=50, min_value=1, max_value=10**9, help_text=f"At most {MAX_PAGE}.")
    offset = serializers.IntegerField(default=0, min_value=0, max_value=10**9)

    def validate_limit(self, value: int) -> int:
        return min(value, MAX_PAGE)


class TemplatesPage(Page):
    game = serializers.SlugField(required=False, max_length=40)


class LogQuery(Page):
    """What of a log is asked for. Without anything, all of it."""

    kind = serializers.CharField(required=False, max_length=40, help_text="A group of kinds, or one kind.")
    player = serializers.IntegerField(required=False, min_value=1, max_value=MAX_NUMBER, help_text="Whom it is about.")
    round = serializers.IntegerField(required=False, min_value=1, max_value=9999, help_text="Of or during it.")
    by = serializers.CharField(required=False, max_length=60, help_text="A part of the name of who acted.")
    q = serializers.CharField(required=False, max_length=60, help_text="A part of what it says, or of a name.")
    after = serializers.IntegerField(required=False, min_value=0, max_value=MAX_NUMBER, help_text="Behind this entry.")
    before = serializers.IntegerField(required=False, min_value=0, max_value=MAX_NUMBER)


class StateQuery(serializers.Serializer):
    round = serializers.IntegerField(required=False, min_value=1, max_value=9999, help_text="Without it, the newest.")


class PlainCommand(Strict):
    version = Whole(required=False, min_value=0, max_value=MAX_NUMBER, help_text=VERSION_HELP)


class CreateEvent(Strict):
    game = Text(max_length=40)
    template = Text(max_length=60, help_text="The slug of a template of this game.")
    name = Text(max_length=120)
    starts_at = Instant()
    time_zone = Text(max_length=60, default="UTC", help_text="Where the event is held, such as Europe/Vienna.")
    place = Text(max_length=120, allow_blank=True, default="")
    legality_date = Day(required=False, allow_null=True, help_text="The day it starts, without this.")
    capacity = Whole(required=False, allow_null=True, min_value=2, max_value=10_000)
    decklist_deadline = Instant(required=False, allow_null=True)
    decklist_publication = serializers.ChoiceField(Event.Publication.choices, default=Event.Publication.NEVER)
    rules = serializers.DictField(
        required=False,
        allow_empty=False,
        help_text="Your own parts of the template's rules, of match, points, decklist, standings and stages, in the "
        "template's own shape. Of the first three, what is not sent stays as the template has it.",
    )


class AddPlayer(PlainCommand):
    name = Text(max_length=200)


class Register(PlainCommand):
    hides_surname = YesOrNo(default=False, help_text="Others read first name and initial: right for minors.")


class PublicName(PlainCommand):
    style = serializers.ChoiceField(["full", "initial", "own"])  # type: ignore[assignment]  # a field has one too
    own = Text(allow_blank=True, default="", max_length=200, help_text="With the style `own`.")


class PlayerFacts(PlainCommand):
    """What is not sent stays as it is."""

    paid = YesOrNo(required=False)
    assigned_byes = Whole(required=False, min_value=0, max_value=9, help_text="Rounds from the first on.")
    fixed_table = Whole(required=False, min_value=0, max_value=9999, help_text="0 for none.")
    fixed_table_kind = serializers.ChoiceField(Player.FixedTable.choices, required=False)
    team = Text(required=False, allow_blank=True, max_length=60, help_text="Empty for none.")


class KeepApart(PlainCommand):
    one = Whole(min_value=1, max_value=MAX_NUMBER)
    other = Whole(min_value=1, max_value=MAX_NUMBER)
    is_strict = YesOrNo(default=False, help_text="Whether worse pairings are accepted for it.")
    reason = Text(allow_blank=True, default="", max_length=300)


class CheckInCode(Strict):
    code = Text(max_length=300, help_text="As it is read from the player's QR, or its last part.")


class Claim(Strict):
    token = Text(max_length=100, help_text="Of the link that the organiser gave out.")


class SubmitDecklist(PlainCommand):
    text = Text(trim_whitespace=False, allow_blank=True, max_length=MAX_BYTES)
    reason = Text(allow_blank=True, default="", max_length=300, help_text="Why staff hand it in after the deadline.")


class Consent(PlainCommand):
    shows = YesOrNo(help_text="Whether everybody may read your decklist from the cut on.")


class Report(Strict):
    """From the reporter's own side."""

    wins = Whole(min_value=0, max_value=99)
    losses = Whole(min_value=0, max_value=99)
    draws = Whole(min_value=0, max_value=99, default=0)
    match_version = Whole(required=False, min_value=0, max_value=MAX_NUMBER)


class Decide(PlainCommand):
    """From the side of the first seat."""

    wins_a = Whole(min_value=0, max_value=99)
    wins_b = Whole(min_value=0, max_value=99)
    draws = Whole(min_value=0, max_value=99, default=0)
    reason = Text(allow_blank=True, default="", max_length=300)
    winner = Whole(
        required=False, min_value=1, max_value=MAX_NUMBER, help_text="Who goes on, where the games leave it open."
    )
    decided_by = serializers.ChoiceField(
        [(reason.value, reason.value) for reason in SAID_BY_STAFF], required=False, help_text="With `winner`: how."
    )
    match_version = Whole(required=False, min_value=0, max_value=MAX_NUMBER)


class SeatPlace(Strict):
    player = Whole(min_value=1, max_value=MAX_NUMBER)
    place = Whole(min_value=1, max_value=99)


class LootOfKind(Strict):
    tokens = Whole(min_value=0, max_value=99)
    value = Whole(min_value=0, max_value=999)


class SeatSheet(Strict):
    """What a player of Epic Melee holds at the end; kinds of Loot that are left out are none."""

    player = Whole(min_value=1, max_value=MAX_NUMBER)
    gold = LootOfKind(required=False)
    silver = LootOfKind(required=False)
    goblin = LootOfKind(required=False)
    symbols = serializers.DictField(child=Whole(min_value=0, max_value=99), default=dict)


class DecidePlaces(PlainCommand):
    """Who is level shares a place, and the next one is counted on."""

    places = SeatPlace(many=True)
    reason = Text(allow_blank=True, default="", max_length=300)
    match_version = Whole(required=False, min_value=0, max_value=MAX_NUMBER)


class DecideSheets(PlainCommand):
    sheets = SeatSheet(many=True)
    reason = Text(allow_blank=True, default="", max_length=300)
    match_version = Whole(required=False, min_value=0, max_value=MAX_NUMBER)


class DecideSides(PlainCommand):
    winner = Text(allow_blank=True, max_length=20, help_text="The side that won; empty for a tie.")
    reason = Text(allow_blank=True, default="", max_length=300)
    match_version = Whole(required=False, min_value=0, max_value=MAX_NUMBER)


class ExtraTurns(PlainCommand):
    turns = Whole(min_value=0, max_value=99)


class CardMove(Strict):
    card = Whole(min_value=1, max_value=MAX_NUMBER)
    count = Whole(min_value=1, max_value=999)

    def get_fields(self) -> dict[str, Any]:
        """With "from" and "to": the first is a word of Python's own."""
        zones = {name: Text(max_length=40, allow_blank=True) for name in ("from", "to")}
        return {**super().get_fields(), **zones}


class Configure(PlainCommand):
    game = Whole(min_value=2, max_value=99, help_text="The first is played with the decklist.")
    moves = serializers.ListField(
        child=CardMove(), max_length=200, help_text="Since the decklist; none is the deck as registered."
    )
    player = Whole(required=False, min_value=1, max_value=MAX_NUMBER, help_text="Whose, when staff record it.")
    reason = Text(allow_blank=True, default="", max_length=300, help_text="Why staff record it.")


class MakePick(Strict):
    """The window is named, so that a late request takes no card from the next pack."""

    pack = Whole(min_value=1, max_value=99, help_text="Which pack, from 1.")
    pick = Whole(min_value=0, max_value=999, help_text="Which pick from it, from 0.")
    card = Whole(min_value=1, max_value=MAX_NUMBER, help_text="The `id` of a card in the pack in front of you.")
