"""What standings can be ordered by, and the tie-breaks that publishers have published, as a policy's file has them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, get_args

MetricKey = Literal[
    "match_points",
    "omw",
    "gw",
    "ogw",
    "mw",
    "oomw",
    "match_wins",
    "game_points",
    "victory_points",
    "tournament_points",
    "opponents_points",
    "buchholz",
    "buchholz_cut_1",
    "buchholz_cut_2",
    "buchholz_median",
    "sos",
    "esos",
    "head_to_head",
    "seed",
    "lot",
]
METRIC_NAMES: dict[MetricKey, str] = {
    "match_points": "match points",
    "omw": "opponents' match-win percentage",
    "gw": "game-win percentage",
    "ogw": "opponents' game-win percentage",
    "mw": "match-win percentage",
    "oomw": "opponents' opponents' match-win percentage",
    "match_wins": "matches won",
    "game_points": "game points",
    "victory_points": "victory points",
    "tournament_points": "tournament points",
    "opponents_points": "opponents' match points",
    "buchholz": "Buchholz score",
    "buchholz_cut_1": "Buchholz score, cut 1",
    "buchholz_cut_2": "Buchholz score, cut 2",
    "buchholz_median": "median Buchholz score",
    "sos": "strength of schedule",
    "esos": "extended strength of schedule",
    "head_to_head": "head to head",
    "seed": "seed",
    "lot": "drawing of lots",
}

PresetKey = Literal["magic", "pokemon", "netrunner", "yugioh", "vekn", "fide", "topdeck-commander"]
PRESETS: Mapping[PresetKey, Mapping[str, Any]] = {
    "magic": {"metrics": ("match_points", "omw", "gw", "ogw"), "floor": "0.33"},
    "pokemon": {
        "metrics": ("match_points", "omw", "oomw", "head_to_head"),
        "floor": "0.25",
        "byes_in_percentages": False,
        "dropped_cap": "0.75",
        "draw_share": "0.5",
    },
    "netrunner": {"metrics": ("match_points", "seed", "sos", "esos"), "floor": "0"},
    "yugioh": {"metrics": ("match_points", "omw", "oomw"), "floor": "0", "byes_in_percentages": False},
    "vekn": {"metrics": ("match_wins", "victory_points", "tournament_points"), "floor": "0"},
    "fide": {
        "metrics": ("match_points", "buchholz"),
        "floor": "0",
        "unplayed_rounds": "own_points",
        "forfeits_make_opponents": False,
    },
    "topdeck-commander": {
        "metrics": ("match_points", "omw"),
        "floor": "0",
        "bye_opponents": 3,
        "bye_opponent_value": "0.2",
    },
}
"""Of the table ``standings`` of a policy: what it has when it names the preset and says nothing else."""

METRIC_KEYS: tuple[MetricKey, ...] = get_args(MetricKey)
PRESET_KEYS: tuple[PresetKey, ...] = get_args(PresetKey)
