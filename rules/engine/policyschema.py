"""The shape of a policy: how an event is run, as its file has it and Policy rows store it."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, BeforeValidator, Field, ValidationInfo, field_validator, model_validator

from rules.engine.schema import Count, Dated, Slug, Strict, Text, Version
from rules.engine.tiebreaks import PRESET_KEYS, PRESETS, MetricKey, PresetKey

Cites = dict[str, Text]


class MatchPolicy(Strict):
    best_of: Annotated[int, Field(ge=1, le=9)] = 3
    minutes: Annotated[int, Field(ge=0, le=600)] = 50
    extra_turns: Annotated[int, Field(ge=0, le=20)] = 0
    draws: bool = True
    cite: Cites = {}

    @field_validator("best_of")
    @classmethod
    def _odd(cls, best_of: int) -> int:
        if best_of % 2 == 0:
            raise ValueError(f"best of {best_of} has no middle: give an odd number")
        return best_of


class PlayPolicy(Strict):
    """How a match goes from game to game. What is left out the policy does not say, and nothing stands in for it.

    ``first_turn`` of a first game: the lot names who takes it, or who chooses. ``next_first_turn``: of the games after
    it. ``after_drawn_game``: whoever chose before it chooses again, and where the lot decided it decides anew.
    ``unfinished_game``: what becomes of one that the extra turns leave open; in elimination, whoever has more of what
    keeps a player in the game wins it. A ``concession`` ends the match or the game; one for prizes is allowed until
    pairings are posted. ``agreed_draws``: whether two players may agree to draw. ``players_report``: whether players
    enter their results themselves.
    """

    first_turn: Literal["lot", "lot_chooses"] | None = None
    next_first_turn: Literal["loser_chooses"] | None = None
    after_drawn_game: Literal["same_chooser"] | None = None
    unfinished_game: Literal["drawn", "not_counted"] | None = None
    unfinished_in_elimination: Literal["life"] | None = None
    concession: Literal["match", "game"] | None = None
    prize_concession: Literal["until_posted"] | None = None
    agreed_draws: bool | None = None
    players_report: bool = True
    cite: Cites = {}


class PointsPolicy(Strict):
    win: Count = 3
    draw: Count = 1
    loss: Count = 0
    bye: Count = 3
    cite: Cites = {}


class DecklistPolicy(Strict):
    """``mode`` says more than ``required``, which goes before where it isn't given; ``without`` is what becomes of
    players who have no legal decklist when round 1 is made: the event waits, they are dropped, or lose the round."""

    required: bool = True
    mode: Literal["none", "welcome", "required"] | None = None
    without: Literal["wait", "drop", "loss"] | None = None
    deadline: Literal["round-1"] = "round-1"
    cite: Cites = {}

    @model_validator(mode="after")
    def _one_meaning(self) -> Self:
        if self.mode is not None and self.required != (self.mode == "required"):
            raise ValueError(f"required = {str(self.required).lower()} and mode = {self.mode!r} contradict each other")
        return self


def _share(text: str) -> str:
    try:
        share = Fraction(text)
    except ZeroDivisionError:
        raise ValueError(f"{text} divides by 0") from None
    if not 0 <= share <= 1:
        raise ValueError(f"{text} is not between 0 and 1")
    if share.denominator > 10**9:
        raise ValueError(f"{text} has more than nine decimals")
    return text


Share = Annotated[str, AfterValidator(_share), Field(max_length=40)]
"""A part of a whole, "1/3" or "0.33"."""


class StandingsPolicy(Strict):
    """What orders the standings, the most important first. A preset gives what isn't said beside it.

    What is in no file is as it is in Magic's rules: byes count in a player's own percentages, a drawn match as many
    points as it gives, a missed round as one played and lost, an opponent who didn't come as an opponent.
    """

    preset: PresetKey | None = None
    metrics: Annotated[tuple[MetricKey, ...], Field(default_factory=tuple)]
    floor: Share = "1/3"
    byes_in_percentages: bool | None = None
    dropped_cap: Share | None = None
    game_win: Count | None = None
    game_draw: Count | None = None
    draw_share: Annotated[Share, Field(description="of a win, in percentages")] | None = None
    missed_rounds_count: bool | None = None
    bye_opponents: Annotated[int, Field(ge=0, le=20)] | None = None
    bye_opponent_value: Share | None = None
    unplayed_rounds: Literal["nothing", "own_points"] | None = None
    forfeits_make_opponents: bool | None = None
    cite: Cites = {}

    @model_validator(mode="before")
    @classmethod
    def _as_the_preset_has_it(cls, said: Any) -> Any:
        if not isinstance(said, Mapping) or said.get("preset") not in PRESET_KEYS:
            return said
        return {**PRESETS[said["preset"]], **said}

    @field_validator("metrics")
    @classmethod
    def _each_once(cls, metrics: tuple[MetricKey, ...]) -> tuple[MetricKey, ...]:
        twice = sorted({metric for metric in metrics if metrics.count(metric) > 1})
        if twice:
            raise ValueError(f"{', '.join(twice)} can decide only once")
        return metrics

    @field_validator("draw_share")
    @classmethod
    def _simple(cls, share: str | None) -> str | None:
        if share is not None and Fraction(share).denominator > 1000:
            raise ValueError(f"{share} has more than three decimals")
        return share

    @model_validator(mode="after")
    def _ordered_by_something(self) -> Self:
        if not self.metrics:
            raise ValueError("metrics must name one at least, or preset must say which")
        return self


class SwissStage(Strict):
    kind: Literal["swiss"]
    rounds: Annotated[int, Field(ge=0, le=30, description="0 = by the number of players")] = 0
    within_pods: bool = False
    cite: Cites = {}


CutSize = Annotated[int, Field(ge=2, le=64)]


class SingleEliminationStage(Strict):
    """``cut_by`` says who goes on: the first ``cut`` by rank; of those everybody with ``cut_points``; as many as the
    largest power of two up to ``cut`` after which the points fall; or as many as fill a bracket from ``cut`` on."""

    kind: Literal["single_elimination"]
    cut: CutSize
    cut_by: Literal["rank", "points", "clean_break", "full_bracket"] = "rank"
    cut_points: Count | None = None
    reseed: bool = False
    third_place: bool = False
    cite: Cites = {}

    @model_validator(mode="after")
    def _points_where_they_cut(self) -> Self:
        if (self.cut_by == "points") != (self.cut_points is not None):
            raise ValueError('cut_points belongs to cut_by = "points", and that needs it')
        return self


class DoubleEliminationStage(Strict):
    """The second loss puts a player out."""

    kind: Literal["double_elimination"]
    cut: CutSize
    cite: Cites = {}


class RoundRobinStage(Strict):
    """Everybody against everybody."""

    kind: Literal["round_robin"]
    cite: Cites = {}


class PoolsStage(Strict):
    """Groups that are dealt by seed, each a round robin; the first ``advance`` of each go on, and the best
    ``wildcards`` of all others."""

    kind: Literal["pools"]
    pool_size: Annotated[int, Field(ge=2, le=32)]
    advance: Annotated[int, Field(ge=1, le=31)]
    wildcards: Annotated[int, Field(ge=0, le=32)] = 0
    cite: Cites = {}

    @model_validator(mode="after")
    def _somebody_stays(self) -> Self:
        if self.advance >= self.pool_size:
            raise ValueError(f"of pools of {self.pool_size} fewer than all go on, not {self.advance}")
        return self


Direction = Literal["left", "right"]


def _each_direction(directions: Any, info: ValidationInfo) -> Any:
    """ "alternate" as left, right, left and so on, one for each pack."""
    if directions != "alternate" or "packs" not in info.data:
        return directions
    return tuple(("left", "right")[pack % 2] for pack in range(info.data["packs"]))


Directions = Annotated[
    tuple[Direction, ...],
    Field(min_length=1),
    BeforeValidator(_each_direction, json_schema_input_type=tuple[Direction, ...] | Literal["alternate"]),
]


class DraftStage(Strict):
    kind: Literal["draft"]
    packs: Annotated[int, Field(ge=1, le=20)]
    product: Slug
    pod_size: Annotated[int, Field(ge=2, le=64)] = 8
    directions: Directions
    cite: Cites = {}

    @model_validator(mode="after")
    def _a_direction_per_pack(self) -> Self:
        if len(self.directions) != self.packs:
            raise ValueError(f"{self.packs} packs need {self.packs} directions, not {len(self.directions)}")
        return self


class SealedStage(Strict):
    kind: Literal["sealed"]
    packs: Annotated[int, Field(ge=1, le=20)]
    product: Slug
    cite: Cites = {}


class DeckBuildingStage(Strict):
    kind: Literal["deck_building"]
    minutes: Annotated[int, Field(ge=0, le=600)] | None = None
    cite: Cites = {}


class TablesStage(Strict):
    """Games of several players at one table, each for themselves."""

    kind: Literal["tables"]
    min_players: Annotated[int, Field(ge=2, le=20)]
    max_players: Annotated[int, Field(ge=2, le=20)]
    rounds: Annotated[int, Field(ge=0, le=30, description="0 = by the number of players")] = 0
    cite: Cites = {}

    @model_validator(mode="after")
    def _reachable(self) -> Self:
        if self.min_players > self.max_players:
            raise ValueError(f"min_players {self.min_players} is above max_players {self.max_players}")
        return self


class TeamsStage(Strict):
    """Games of one side against another, each side of one of the sizes."""

    kind: Literal["teams"]
    sides: Annotated[tuple[Text, ...], Field(min_length=2)]
    players_per_side: Annotated[tuple[Annotated[int, Field(ge=1, le=10)], ...], Field(min_length=1)]
    rounds: Annotated[int, Field(ge=0, le=30, description="0 = by the number of players")] = 0
    cite: Cites = {}


Stage = Annotated[
    SwissStage
    | SingleEliminationStage
    | DoubleEliminationStage
    | RoundRobinStage
    | PoolsStage
    | DraftStage
    | SealedStage
    | DeckBuildingStage
    | TablesStage
    | TeamsStage,
    Field(discriminator="kind"),
]


class PolicyDefinition(Dated):
    """How an event of some kind is run; also the template that an organiser starts from."""

    slug: Slug
    name: Annotated[str, Field(min_length=1, max_length=120)]
    version: Version
    format: Slug
    match: MatchPolicy
    play: PlayPolicy | None = None
    points: PointsPolicy
    decklist: DecklistPolicy
    standings: StandingsPolicy
    stages: Annotated[tuple[Stage, ...], Field(min_length=1)]
