"""How publishers have their standings ordered, as whole scorings, and what each of our games has."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from events.engine.standings_model import StandingsPolicy, policy_of
from rules.engine.tiebreaks import PRESETS, PresetKey


@dataclass(frozen=True, slots=True)
class StandingsPreset:
    """``says`` is what is special about it, in our words; ``source`` where the facts are from."""

    key: str
    name: str
    says: str
    source: str
    policy: StandingsPolicy


def _published(key: PresetKey, name: str, says: str, source: str, **points: int) -> StandingsPreset:
    standings: Mapping[str, Any] = {"floor": "1/3", **PRESETS[key]}
    rules = {
        "points": {"win": 3, "draw": 1, "loss": 0, "bye": 3, **points},
        "standings": standings,
        "match": {"best_of": 1 if key in ("vekn", "fide", "topdeck-commander", "netrunner") else 3},
    }
    return StandingsPreset(key, name, says, source, policy_of(rules))


def _of_pack(key: str, name: str, says: str, *metrics: str, best_of: int = 1) -> StandingsPreset:
    policy = StandingsPolicy(metrics=metrics, floor=Fraction(1, 3), bye_games=best_of // 2 + 1)
    return StandingsPreset(key, name, says, "house setting", policy)


_MAGIC_ORDER = ("match_points", "omw", "gw", "ogw")
_PRESETS = (
    _published(
        "magic",
        "Magic",
        "Percentages have a floor of 0.33, which isn't a third. A bye is a match won 2-0 in the player's own "
        "percentages and no opponent.",
        "Magic Tournament Rules, appendix C",
    ),
    _published(
        "pokemon",
        "Pokémon",
        "A draw is half a win in percentages, byes are in none, each is at least 25 % and, of those who dropped, at "
        "most 75 %. Then the opponents' opponents, then the match against each other. The penalty for coming late is "
        "not modelled.",
        "Play! Pokémon tournament operation procedures",
    ),
    _published(
        "netrunner",
        "Netrunner",
        "Points per round of the opponents, without a floor; a seed given by hand goes before. One game a round: where "
        "both sides are played, a bye is worth 6.",
        "Null Signal Games organized play policies 1.6.2, and the program Cobra",
    ),
    _published(
        "yugioh",
        "Yu-Gi-Oh!",
        "Points, opponents' match-win percentage, opponents' opponents', all without a floor; byes are in no "
        "percentage.",
        "the published reading of the number that Konami's tournament software prints",
    ),
    _published(
        "vekn",
        "Vampire: The Eternal Struggle",
        "Games won, victory points, then the points for places at the tables. There are no byes; who sits out has "
        "another round.",
        "V:EKN tournament rules, section 3",
        win=1,
        draw=0,
        bye=0,
    ),
    _published(
        "fide",
        "Chess",
        "Points in halves: a win is 2. Then the sum of the opponents' points, where a round without an opponent or one "
        "decided by forfeit counts the player's own. What opponents didn't play isn't adjusted.",
        "FIDE Handbook C.07",
        win=2,
        draw=1,
        bye=2,
    ),
    _published(
        "topdeck-commander",
        "Commander at TopDeck",
        "Tables of several players, five points for a win. A bye adds three opponents who won a fifth of their games. "
        "What comes after the opponents' percentage isn't published in the addendum.",
        "TopDeck.gg addendum 3.1 for Commander, and its help page on Commander tournaments",
        win=5,
        bye=5,
    ),
    _of_pack("epic", "Epic", "As Magic, with a floor of exactly a third.", *_MAGIC_ORDER, best_of=3),
    _of_pack("engarde", "EnGarde", "As Magic, with a floor of exactly a third.", *_MAGIC_ORDER, best_of=3),
    _of_pack("epic-melee", "Epic Melee", "Match points, then lots.", "match_points"),
    _of_pack("epic-duels", "Epic Duels", "Match points, then lots.", "match_points"),
)

STANDINGS_PRESETS: Mapping[str, StandingsPreset] = {preset.key: preset for preset in _PRESETS}
