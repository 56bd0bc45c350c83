"""The results of a stage as one file, whoever wrote it: what a round is paired from and standings are counted from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from functools import cached_property
from typing import Annotated, Literal, Self

import numpy as np
from pydantic import Field, StrictInt, StrictStr, ValidationError, model_validator

from config.errors import Unprocessable
from events.engine.outcomes import GameScore, Outcome
from events.engine.pairing import AvoidMode, Entrants, History, PairingOptions
from events.engine.standings_model import PlayerEntry, Result, StandingsPolicy, policy_of
from events.engine.standings_table import Ints, ResultTable
from events.engine.swiss_state import swiss_state
from rules.engine.policyschema import MatchPolicy, PointsPolicy
from rules.engine.policyschema import StandingsPolicy as StandingsRules
from rules.engine.schema import Strict

MOST_PLAYERS = 30_000
MOST_ROUNDS = 100
Id = StrictInt | Annotated[StrictStr, Field(min_length=1, max_length=100)]
Games = Annotated[int, Field(ge=0, le=99)]
ALONE = tuple(outcome for outcome in Outcome if outcome.is_alone)


class FilePlayer(Strict):
    """``dropped`` players are paired no more; their results count. ``seed`` 1 is the best."""

    id: Id
    name: Annotated[str, Field(max_length=100)] = ""
    dropped: bool = False
    seed: Annotated[int, Field(ge=1, le=1_000_000)] | None = None


class FileResult(Strict):
    """A match. ``outcome`` and ``games`` (won, lost, drawn) are the first player's; one player alone had a bye or was
    absent."""

    round: Annotated[int, Field(ge=1, le=MOST_ROUNDS)]
    players: Annotated[tuple[Id, ...], Field(min_length=1, max_length=2)]
    outcome: Outcome
    games: Annotated[tuple[Games, Games, Games], Field(description="won, lost, drawn")] = (0, 0, 0)

    @model_validator(mode="after")
    def _as_many_as_the_outcome_has(self) -> Self:
        if (len(self.players) == 1) != (self.outcome in ALONE):
            words = ", ".join(ALONE)
            raise ValueError(f"a match of one player ends in {words}, every other has two")
        if len(set(self.players)) != len(self.players):
            raise ValueError("nobody plays against themselves")
        return self


class PairingRules(Strict):
    """What a pairing is to be like. ``seed`` is any text: the same gives the same pairing."""

    seed: Annotated[str, Field(max_length=200)] = ""
    avoid_mode: Literal["soft", "strict"] = "soft"
    bye_before_rematch: bool = False
    avoid: Annotated[tuple[tuple[Id, Id], ...], Field(description="players to be kept apart")] = ()


class HistoryFile(Strict):
    """Players and results of one stage, with its scoring; ``pairing`` is only for pairing."""

    players: Annotated[tuple[FilePlayer, ...], Field(min_length=1, max_length=MOST_PLAYERS)]
    results: tuple[FileResult, ...] = ()
    points: PointsPolicy = PointsPolicy()
    match: MatchPolicy = MatchPolicy()
    standings: StandingsRules = StandingsRules(metrics=("match_points", "omw", "gw", "ogw"))
    pairing: PairingRules = PairingRules()

    @model_validator(mode="after")
    def _of_one_piece(self) -> Self:
        twice = [str(key) for key, times in Counter(player.id for player in self.players).items() if times > 1]
        if twice:
            raise ValueError(f"a player twice: {', '.join(twice)}")
        known = set(self.index)
        seen: set[tuple[int, Id]] = set()
        for result in self.results:
            for player in result.players:
                if player not in known:
                    raise ValueError(f"round {result.round} has a result of {player!r}, who is not a player")
                if (result.round, player) in seen:
                    raise ValueError(f"{player!r} has two results in round {result.round}")
                seen.add((result.round, player))
        for pair in self.pairing.avoid:
            if strangers := [str(player) for player in pair if player not in known]:
                raise ValueError(f"{', '.join(strangers)} of avoid is not a player")
            if pair[0] == pair[1]:
                raise ValueError(f"{pair[0]!r} cannot be kept apart from themselves")
        return self

    @cached_property
    def index(self) -> dict[Id, int]:
        """Each player's number inside: by id, numbers before words, so that the order in the file is of no account."""
        ordered = sorted((player.id for player in self.players), key=lambda key: (isinstance(key, str), key))
        return {key: number for number, key in enumerate(ordered)}

    @property
    def ids(self) -> list[Id]:
        """The players' own ids by their number inside."""
        return list(self.index)

    @property
    def rounds(self) -> int:
        """Rounds that have a result."""
        return max((result.round for result in self.results), default=0)

    def policy(self) -> StandingsPolicy:
        rules: Mapping[str, Mapping[str, object]] = {
            "points": self.points.model_dump(),
            "match": self.match.model_dump(),
            "standings": self.standings.model_dump(),
        }
        return policy_of(rules)

    def table(self) -> ResultTable:
        """The results in columns; players by their number inside, lots in the order of ids."""
        by_id = {player.id: player for player in self.players}
        entries = [
            PlayerEntry(number, by_id[key].dropped, by_id[key].seed, number + 1) for key, number in self.index.items()
        ]
        return ResultTable.of(entries, [self._result(result) for result in self.results])

    def state(self) -> tuple[Entrants, History]:
        """Who is to be paired in the next round, and whom each has met."""
        table = self.table()
        avoid: Ints = np.array(
            [(self.index[one], self.index[other]) for one, other in self.pairing.avoid], np.int64
        ).reshape(-1, 2)
        return swiss_state(table, self.policy(), ~table.dropped, avoid)

    def options(self) -> PairingOptions:
        return PairingOptions(AvoidMode(self.pairing.avoid_mode), self.pairing.bye_before_rematch)

    def _result(self, result: FileResult) -> Result:
        first, *others = (self.index[player] for player in result.players)
        score = GameScore(*result.games)
        if not others:
            return Result(result.round, first, None, result.outcome, None, score)
        return Result(result.round, first, others[0], result.outcome, result.outcome.opposite, score)


def read_history(text: str | bytes) -> HistoryFile:
    """Raises Unprocessable ``history.unreadable`` with every fault and where it is."""
    try:
        return HistoryFile.model_validate_json(text)
    except ValidationError as error:
        faults = [
            {"where": "/".join(map(str, fault["loc"])) or "the file", "what": fault["msg"]}
            for fault in error.errors(include_url=False, include_input=False, include_context=False)
        ]
        first = faults[0]
        more = f" and {len(faults) - 1} more" if len(faults) > 1 else ""
        raise Unprocessable(
            "history.unreadable",
            f"{first['where']}: {first['what']}{more}. docs/schemas/history.json says what a history looks like.",
            {"faults": faults[:20]},
        ) from None
