"""A match game by game: what is sent, and what is answered."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from decks.serializers import Text
from events.api.serializers.fields import Whole, YesOrNo
from events.api.serializers.requests import MAX_NUMBER, PlainCommand
from events.engine.games import Ending
from events.engine.outcomes import GameScore
from events.queries.games import Play

ENDINGS = [(ending.value, ending.value) for ending in Ending]


class RecordGame(PlainCommand):
    number = Whole(min_value=1, max_value=99, help_text="The next one.")
    ending = serializers.ChoiceField(ENDINGS)
    winner = Whole(required=False, min_value=1, max_value=MAX_NUMBER, help_text="A player; of won and conceded games.")


class ChooseFirst(PlainCommand):
    first = Whole(min_value=1, max_value=MAX_NUMBER, help_text="The player who begins.")


class CountTurn(PlainCommand):
    number = Whole(min_value=0, max_value=99)
    finished_by = Whole(
        required=False, min_value=1, max_value=MAX_NUMBER, help_text="With 0: the player whose turn it was."
    )


class Concede(PlainCommand):
    player = Whole(required=False, min_value=1, max_value=MAX_NUMBER, help_text="Who concedes; staff say it.")
    for_prizes = YesOrNo(default=False, help_text="In exchange for prizes.")
    permitted = YesOrNo(default=False, help_text="The head judge permits it; with a reason.")
    reason = Text(allow_blank=True, default="", max_length=300)


class AgreedDraw(PlainCommand):
    reason = Text(allow_blank=True, default="", max_length=300)


class PlayedGameAnswer(serializers.Serializer):
    number = serializers.IntegerField()
    ending = serializers.ChoiceField(ENDINGS)
    winner = serializers.IntegerField(source="winner_id", allow_null=True)
    first = serializers.IntegerField(source="first_id", allow_null=True, help_text="Who began, where it is known.")


class ScoreAnswer(serializers.Serializer):
    """From the side of the first seat."""

    wins = serializers.IntegerField()
    losses = serializers.IntegerField()
    draws = serializers.IntegerField()


class NextGameAnswer(serializers.Serializer):
    number = serializers.IntegerField(allow_null=True, help_text="Null once the match is won.")
    first = serializers.IntegerField(allow_null=True, help_text="Who begins: by lot, or as it was chosen.")
    chooser = serializers.IntegerField(allow_null=True, help_text="Who chooses. Null, too: the policy names no rule.")
    reason = serializers.CharField(allow_null=True)
    cite = serializers.CharField(help_text="The section that says so.")


class TurnsAnswer(serializers.Serializer):
    taken = serializers.IntegerField(allow_null=True, help_text="Null while the turn of time is being finished.")
    most = serializers.IntegerField()
    player = serializers.IntegerField(allow_null=True, help_text="Whose turn it is, where it is known.")


class ProposalAnswer(serializers.Serializer):
    score = ScoreAnswer(allow_null=True, help_text="Null where the games alone make no result.")
    why = serializers.CharField()
    cite = serializers.CharField()


class PlayAnswer(serializers.Serializer):
    games = PlayedGameAnswer(many=True)
    score = ScoreAnswer()
    next = serializers.SerializerMethodField()
    extra_turns = serializers.SerializerMethodField(help_text="Null before time.")
    proposal = serializers.SerializerMethodField(help_text="The result that the games come to, once they do.")

    @extend_schema_field(NextGameAnswer)
    def get_next(self, play: Play) -> dict[str, Any]:
        turn = play.first
        return {
            "number": play.next_number,
            "first": turn.first if turn.first is not None else play.chosen_first,
            "chooser": turn.chooser,
            "reason": turn.reason.code if turn.reason is not None else None,
            "cite": play.rules.cite.get(turn.rule, ""),
        }

    @extend_schema_field(TurnsAnswer(allow_null=True))
    def get_extra_turns(self, play: Play) -> dict[str, Any] | None:
        if not play.at_time:
            return None
        return {"taken": play.turns_taken, "most": play.most_turns, "player": play.turn_of}

    @extend_schema_field(ProposalAnswer(allow_null=True))
    def get_proposal(self, play: Play) -> dict[str, Any] | None:
        found = play.proposal
        if found is None:
            return None
        return {
            "score": None if found.score is None else _score(found.score),
            "why": found.why.value,
            "cite": play.rules.cite.get(found.rule, ""),
        }


def _score(score: GameScore) -> dict[str, int]:
    return {"wins": score.wins, "losses": score.losses, "draws": score.draws}
