"""The registry of tie-breakers: what each is called, what it means, where the definition comes from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from config.errors import DomainError


@dataclass(frozen=True, slots=True)
class Metric:
    """A column of the standings. ``percentage`` says how to show the exact fraction."""

    key: str
    name: str
    abbreviation: str
    definition: str
    source: str
    descending: bool = True
    percentage: bool = False


_MTR = "Magic Tournament Rules, appendix C"
_FIDE = "FIDE Handbook C.07"
_NETRUNNER = "Null Signal Games organized play policies, as the program Cobra counts them"
_VEKN = "V:EKN tournament rules, section 3"

_METRICS = (
    Metric(
        "match_points",
        "Match points",
        "MP",
        "Points for won, drawn and lost matches and for byes, by the event's scoring.",
        "house setting: 3 for a win or a bye, 1 for a draw, 0 for a loss",
    ),
    Metric(
        "omw",
        "Opponents' match-win percentage",
        "OMW%",
        "The mean, over the opponents met, of each one's match-win percentage: match points divided by the points of "
        "a win in every round played, and never less than the floor. A bye is no opponent.",
        _MTR,
        percentage=True,
    ),
    Metric(
        "gw",
        "Game-win percentage",
        "GW%",
        "Three points for a won game and one for a drawn game, divided by three points for every game played; never "
        "less than the floor.",
        _MTR,
        percentage=True,
    ),
    Metric(
        "ogw",
        "Opponents' game-win percentage",
        "OGW%",
        "The mean, over the opponents met, of each one's game-win percentage with the floor.",
        _MTR,
        percentage=True,
    ),
    Metric(
        "mw",
        "Match-win percentage",
        "MW%",
        "Match points divided by the points of a win in every round played, and never less than the floor.",
        _MTR,
        percentage=True,
    ),
    Metric(
        "oomw",
        "Opponents' opponents' match-win percentage",
        "OOMW%",
        "The mean, over the opponents met, of each one's opponents' match-win percentage.",
        "Play! Pokémon tournament rules; Yu-Gi-Oh! tournament software",
        percentage=True,
    ),
    Metric(
        "match_wins",
        "Matches won",
        "W",
        "Number of matches won, byes included; at tables of several players, the number of games won.",
        f"house setting; game wins of the {_VEKN}",
    ),
    Metric(
        "game_points",
        "Game points",
        "GP",
        "The sum over all games: three points for a won game and one for a drawn game, or as the event scores them. "
        "A bye counts as a match won without losing a game.",
        "house setting",
    ),
    Metric(
        "victory_points",
        "Victory points",
        "VP",
        "The sum of the victory points from all tables.",
        _VEKN,
    ),
    Metric(
        "tournament_points",
        "Tournament points",
        "TP",
        "The sum of the points given for the place taken at each table.",
        _VEKN,
    ),
    Metric(
        "opponents_points",
        "Opponents' match points",
        "OMP",
        "The sum of the match points of all opponents met (Buchholz without virtual opponents).",
        "house setting",
    ),
    Metric(
        "buchholz",
        "Buchholz score",
        "BH",
        "The sum of the match points of all opponents met. A round without an opponent counts nothing, or the player's "
        "own points, as the event has it.",
        _FIDE,
    ),
    Metric(
        "buchholz_cut_1",
        "Buchholz score, cut 1",
        "BH-1",
        "The Buchholz score without its lowest part.",
        _FIDE,
    ),
    Metric(
        "buchholz_cut_2",
        "Buchholz score, cut 2",
        "BH-2",
        "The Buchholz score without its two lowest parts.",
        _FIDE,
    ),
    Metric(
        "buchholz_median",
        "Median Buchholz score",
        "MBH",
        "The Buchholz score without its lowest and its highest part.",
        _FIDE,
    ),
    Metric(
        "sos",
        "Strength of schedule",
        "SoS",
        "The mean, over the opponents met, of each one's match points per round; rounds with a bye are among an "
        "opponent's rounds, but a bye is no opponent.",
        _NETRUNNER,
    ),
    Metric(
        "esos",
        "Extended strength of schedule",
        "eSoS",
        "The mean, over the opponents met, of each one's strength of schedule.",
        _NETRUNNER,
    ),
    Metric(
        "head_to_head",
        "Head to head",
        "H2H",
        "Among players who are level in everything before this: the match points from the matches against each other. "
        "It counts only if each of them has met all the others; otherwise it is 0 for all of them.",
        "Play! Pokémon tournament rules; the condition is a house setting",
    ),
    Metric(
        "seed",
        "Seed",
        "Seed",
        "The number given to the player before the event; the lower comes first, and no number comes last.",
        "house setting",
        descending=False,
    ),
    Metric(
        "lot",
        "Drawing of lots",
        "Lot",
        "The place drawn from the event's published random stream; it decides only what everything else leaves equal.",
        "house setting",
        descending=False,
    ),
)

METRICS: dict[str, Metric] = {metric.key: metric for metric in _METRICS}


def metric(key: str) -> Metric:
    """Raises DomainError ``standings.unknown_metric``, naming the known ones."""
    try:
        return METRICS[key]
    except KeyError:
        known = ", ".join(sorted(METRICS))
        raise DomainError(
            "standings.unknown_metric",
            f"There is no tie-breaker {key!r}. Choose from: {known}.",
            {"metric": key, "known": sorted(METRICS)},
        ) from None


def check_metrics(keys: Sequence[str]) -> None:
    """Whether an event can order its standings by these. Raises DomainError ``standings.unknown_metric``,
    ``standings.duplicate_metric`` naming those that come twice."""
    for key in keys:
        metric(key)
    twice = [key for key, count in Counter(keys).items() if count > 1]
    if twice:
        raise DomainError(
            "standings.duplicate_metric",
            f"{', '.join(METRICS[key].name for key in twice)} can decide only once: leave out all but the first.",
            {"metrics": twice},
        )
