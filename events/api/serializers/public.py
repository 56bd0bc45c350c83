"""What anybody may see."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from events.models import Event, LogEntry, Match, Player, Round, Stage
from events.queries.registration import waitlist_place


class EventFormatAnswer(serializers.Serializer):
    game = serializers.CharField(source="format.game.slug")
    format = serializers.CharField(source="format.slug")
    version = serializers.CharField()


class TemplateAnswer(serializers.Serializer):
    game = serializers.CharField(source="game.slug")
    template = serializers.CharField(source="slug")
    version = serializers.CharField()
    name = serializers.CharField()
    format = serializers.CharField(source="format.slug")
    definition = serializers.DictField(help_text="Clock, points, tie-breakers and stages, with the sections they cite.")


class EventRow(serializers.Serializer):
    code = serializers.CharField()
    name = serializers.CharField()
    place = serializers.CharField()
    starts_at = serializers.DateTimeField()
    time_zone = serializers.CharField()
    game = serializers.CharField(source="game.slug")
    format = serializers.CharField(source="format.slug")
    state = serializers.ChoiceField(Event.State.choices)
    players = serializers.IntegerField(source="player_count", help_text="Who have a place.")


class StageAnswer(serializers.Serializer):
    number = serializers.IntegerField()
    kind = serializers.ChoiceField(Stage.Kind.choices)
    state = serializers.ChoiceField(Stage.State.choices)
    rounds_planned = serializers.IntegerField(allow_null=True)
    seeds = serializers.ListField(child=serializers.IntegerField(), help_text="Players, once a cut was made.")


class EventAnswer(serializers.Serializer):
    code = serializers.CharField()
    version = serializers.IntegerField(help_text="Grows by one with each change.")
    name = serializers.CharField()
    place = serializers.CharField()
    starts_at = serializers.DateTimeField()
    time_zone = serializers.CharField()
    state = serializers.ChoiceField(Event.State.choices)
    template = serializers.CharField(source="policy.slug")
    format = EventFormatAnswer(source="format_version")
    legality_date = serializers.DateField()
    capacity = serializers.IntegerField(allow_null=True)
    decklist_deadline = serializers.DateTimeField(allow_null=True)
    decklist_publication = serializers.ChoiceField(Event.Publication.choices)
    rules = serializers.DictField(help_text="The template as it was when the event was made.")
    stages = StageAnswer(many=True)
    commitment = serializers.CharField(help_text="SHA-256 of the secret that seeds every draw.")
    secret = serializers.SerializerMethodField(help_text="In hexadecimal, once the event is finished.")

    def get_secret(self, event: Event) -> str | None:
        return bytes(event.secret).hex() if event.state == Event.State.FINISHED else None


class PlayerAnswer(serializers.Serializer):
    id = serializers.IntegerField()
    name = serializers.CharField(source="shown_name", help_text="As the player chose to be read.")
    state = serializers.ChoiceField(Player.State.choices)
    waitlist_place = serializers.SerializerMethodField(help_text="1 for who gets the next free place.")
    dropped_after_round = serializers.IntegerField(allow_null=True)

    def get_waitlist_place(self, player: Player) -> int | None:
        """Lists come with it: see ``with_waitlist_places``."""
        known: int | None = player.waitlist_place if hasattr(player, "waitlist_place") else waitlist_place(player)
        return known


class RoundRow(serializers.Serializer):
    round = serializers.IntegerField(source="sequence", help_text="Counted through the whole event.")
    number = serializers.IntegerField(help_text="Counted within its stage.")
    stage = serializers.IntegerField(source="stage.number")
    kind = serializers.ChoiceField(Stage.Kind.choices, source="stage.kind")
    state = serializers.ChoiceField(Round.State.choices)
    posted_at = serializers.DateTimeField(allow_null=True)
    time_called_at = serializers.DateTimeField(allow_null=True)
    completed_at = serializers.DateTimeField(allow_null=True)


class ClockAnswer(serializers.Serializer):
    """Count down from ``deadline`` minus ``now`` by a clock of your own; nothing has to be asked again."""

    phase = serializers.ChoiceField(["not_started", "running", "paused", "time"])
    now = serializers.DateTimeField()
    deadline = serializers.DateTimeField(help_text="While the clock stands: when time would be if it went on now.")
    remaining = serializers.IntegerField(help_text="Seconds.")


class RoundAnswer(RoundRow):
    seconds = serializers.IntegerField(help_text="Length of the round clock.")
    clock = serializers.SerializerMethodField()

    @extend_schema_field(ClockAnswer)
    def get_clock(self, round_: Round) -> dict[str, Any]:
        return dict(ClockAnswer(self.context["clock"]).data)


class SeatAnswer(serializers.Serializer):
    player = serializers.IntegerField(source="player_id")
    name = serializers.CharField(source="player.shown_name")
    outcome = serializers.CharField(allow_null=True, help_text="Once the result is confirmed; so are the games.")
    wins = serializers.IntegerField(source="game_wins", allow_null=True)
    losses = serializers.IntegerField(source="game_losses", allow_null=True)
    draws = serializers.IntegerField(source="game_draws", allow_null=True)
    side = serializers.CharField(help_text="Of a team game.")
    place = serializers.IntegerField(allow_null=True, help_text="At a table of several; shared by equals.")
    sheet = serializers.DictField(allow_null=True, help_text="What a table's score was counted from.")


class MatchAnswer(serializers.Serializer):
    id = serializers.IntegerField()
    table = serializers.IntegerField(allow_null=True, help_text="None for a bye.")
    pod = serializers.IntegerField(source="pod.number", allow_null=True, default=None)
    bracket_slot = serializers.IntegerField(allow_null=True)
    state = serializers.ChoiceField(Match.State.choices)
    version = serializers.IntegerField()
    extra_turns = serializers.IntegerField(allow_null=True)
    seats = SeatAnswer(many=True)
    reasons = serializers.ListField(child=serializers.DictField(), help_text="Why these players meet.")


class StandingAnswer(serializers.Serializer):
    rank = serializers.IntegerField()
    player = serializers.IntegerField(source="player_id")
    name = serializers.CharField(source="player.shown_name")
    values = serializers.DictField(child=serializers.CharField(), help_text='Exact fractions as text, such as "7/12".')
    record = serializers.DictField(child=serializers.IntegerField())


class NeighbourAnswer(serializers.Serializer):
    """``above`` stands over ``below``: level in ``equal``, parted by ``decided_by``. Values are exact fractions."""

    above = serializers.IntegerField()
    below = serializers.IntegerField()
    equal = serializers.ListField(child=serializers.CharField())
    decided_by = serializers.CharField(help_text="A tie-breaker; `lot` where everything is level.")
    above_value = serializers.CharField()
    below_value = serializers.CharField()
    ranks = serializers.ListField(child=serializers.IntegerField())


class PartAnswer(serializers.Serializer):
    value = serializers.CharField(help_text='An exact fraction as text, such as "7/12".')
    round = serializers.IntegerField(allow_null=True)
    opponent = serializers.IntegerField(allow_null=True, help_text="Null for a bye or a missed round.")
    outcome = serializers.CharField(allow_null=True)
    counts = serializers.BooleanField(help_text="False for what was cut off.")


class FigureAnswer(serializers.Serializer):
    key = serializers.CharField()
    value = serializers.CharField()
    made = serializers.ChoiceField(["sum", "mean", "given"], help_text="How the parts make the value.")
    parts = PartAnswer(many=True)


class PolicyAnswer(serializers.Serializer):
    template = serializers.CharField(source="slug")
    name = serializers.CharField()
    version = serializers.CharField()


class PlaceAnswer(serializers.Serializer):
    """Why a player has a place: compared with the one above and the one below, and every figure by its parts."""

    round = serializers.IntegerField()
    player = serializers.IntegerField()
    rank = serializers.IntegerField()
    above = NeighbourAnswer(allow_null=True)
    below = NeighbourAnswer(allow_null=True)
    figures = FigureAnswer(many=True)
    names = serializers.DictField(child=serializers.CharField(), help_text="Of everybody in it, by id.")
    policy = PolicyAnswer()
    own_order = serializers.BooleanField(help_text="Whether the organiser chose another order of tie-breakers.")


class EntryAnswer(serializers.Serializer):
    zone = serializers.CharField()
    count = serializers.IntegerField()
    card = serializers.IntegerField()
    name = serializers.CharField()


class DecklistAnswer(serializers.Serializer):
    player = serializers.IntegerField(source="player_id")
    name = serializers.CharField(source="player.shown_name")
    fingerprint = serializers.CharField(source="decklist.fingerprint")
    entries = EntryAnswer(many=True, source="decklist.entries")


class LogEntryAnswer(serializers.Serializer):
    """Hashes come with the end of the event. Before, the hash of an entry that is not public, which is also part of
    the next one, would tell whoever tries out what it may say which of the tries is right."""

    seq = serializers.IntegerField()
    kind = serializers.CharField()
    payload = serializers.DictField()
    actor = serializers.SerializerMethodField(
        help_text="Who hid the name later on is told by the name that others read; the hash is of the one before."
    )
    at = serializers.DateTimeField()
    prev_hash = serializers.SerializerMethodField(help_text="Once the event is finished.")
    hash = serializers.SerializerMethodField(help_text="Once the event is finished.")

    def get_actor(self, entry: LogEntry) -> str:
        hidden: dict[int | None, str] = self.context["hidden"]
        return hidden.get(entry.actor_id, entry.actor_name)

    def get_prev_hash(self, entry: LogEntry) -> str | None:
        return entry.prev_hash if self._finished else None

    def get_hash(self, entry: LogEntry) -> str | None:
        return entry.hash if self._finished else None

    @property
    def _finished(self) -> bool:
        event: Event = self.context["event"]
        return event.state == Event.State.FINISHED
