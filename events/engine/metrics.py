"""The registry of tie-breakers: what each is called, what it means, where the definition comes from."""

from __future__ import annotations

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
        "Magic Tournament Rules, appendix C",
        percentage=True,
    ),
    Metric(
        "gw",
        "Game-win percentage",
        "GW%",
        "Three points for a won game and one for a drawn game, divided by three points for every game played; never "
        "less than the floor.",
        "Magic Tournament Rules, appendix C",
        percentage=True,
    ),
    Metric(
        "ogw",
        "Opponents' game-win percentage",
        "OGW%",
        "The mean, over the opponents met, of each one's game-win percentage with the floor.",
        "Magic Tournament Rules, appendix C",
        percentage=True,
    ),
    Metric(
        "mw",
        "Match-win percentage",
        "MW%",
        "Match points divided by the points of a win in every round played, and never less than the floor.",
        "Magic Tournament Rules, appendix C",
        percentage=True,
    ),
    Metric(
        "match_wins",
        "Matches won",
        "W",
        "Number of matches won, byes included.",
        "house setting",
    ),
    Metric(
        "opponents_points",
        "Opponents' match points",
        "OMP",
        "The sum of the match points of all opponents met (Buchholz without virtual opponents).",
        "house setting",
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
