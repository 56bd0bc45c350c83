"""What a change answers: the event's version afterwards and what the sender may want to look at next."""

from __future__ import annotations

from rest_framework import serializers

from decks.models import Verdict
from events.models import Match, Player, Stage


class Changed(serializers.Serializer):
    version = serializers.IntegerField(help_text="Of the event, after the change.")


class EventCreated(Changed):
    event = serializers.IntegerField()
    code = serializers.CharField(help_text="The event's address.")


class EventStarted(Changed):
    event = serializers.IntegerField()
    stage = serializers.IntegerField()
    no_shows = serializers.ListField(child=serializers.CharField())
    without_decklist = serializers.ListField(
        child=serializers.CharField(), help_text="Dropped for want of a legal one, where the event has it so."
    )


class EventFinished(Changed):
    event = serializers.IntegerField()


class StageBegun(Changed):
    stage = serializers.IntegerField()
    kind = serializers.ChoiceField(Stage.Kind.choices)


class PlayerRegistered(Changed):
    player = serializers.IntegerField()
    name = serializers.CharField()
    state = serializers.ChoiceField(Player.State.choices, help_text="On the waitlist where all places were taken.")


class PlayerAdded(PlayerRegistered):
    claim_token = serializers.CharField(help_text="Of the link by which the person takes the entry over. Shown once.")


class EntryClaimed(Changed):
    event = serializers.IntegerField()
    code = serializers.CharField()
    player = serializers.IntegerField()


class PlayerChanged(Changed):
    player = serializers.IntegerField()
    state = serializers.ChoiceField(Player.State.choices)


class PublicNameChosen(Changed):
    player = serializers.IntegerField()
    public_name = serializers.CharField(help_text="What others read now.")


class FactsChanged(Changed):
    player = serializers.IntegerField()


class KeptApart(Changed):
    avoidance = serializers.IntegerField()


class CheckedInByCode(PlayerChanged):
    name = serializers.CharField()
    already = serializers.BooleanField(help_text="Whether the player was checked in before.")


class PlayerDropped(Changed):
    player = serializers.IntegerField()
    after_round = serializers.IntegerField()


class DecklistSubmitted(Changed):
    player = serializers.IntegerField()
    decklist = serializers.IntegerField()
    fingerprint = serializers.CharField()
    outcome = serializers.ChoiceField(Verdict.Outcome.choices, help_text="An illegal decklist is stored too.")


class DecklistWithdrawn(Changed):
    player = serializers.IntegerField()


class ConsentGiven(Changed):
    player = serializers.IntegerField()
    shows = serializers.BooleanField()


class RoundChanged(Changed):
    round = serializers.IntegerField()


class MatchChanged(Changed):
    match = serializers.IntegerField()
    state = serializers.ChoiceField(Match.State.choices)
    match_version = serializers.IntegerField()


class GameKept(serializers.Serializer):
    game = serializers.IntegerField()
    ending = serializers.CharField()
    winner = serializers.IntegerField(allow_null=True)


class GamesChanged(Changed):
    match = serializers.IntegerField()
    games = GameKept(many=True, help_text="As they are now.")


class FirstChosen(Changed):
    match = serializers.IntegerField()
    game = serializers.IntegerField()
    first = serializers.IntegerField(help_text="The player who begins.")


class ExtraTurnsNoted(Changed):
    match = serializers.IntegerField()
    extra_turns = serializers.IntegerField(allow_null=True, help_text="Null: the turn of time is being finished.")
    match_version = serializers.IntegerField()


class ConfigurationRecorded(Changed):
    match = serializers.IntegerField()
    player = serializers.IntegerField()
    game = serializers.IntegerField()


class PickMade(Changed):
    pack = serializers.IntegerField()
    pick = serializers.IntegerField()
    pack_card = serializers.IntegerField()
