"""A round that staff write down: what is wrong with a line, and how it compares with the engine's, as plain English."""

from __future__ import annotations

from events.engine.hand_pairing import Problem, Slip
from events.engine.pairing import PairingCost, PairingOptions

COST_WORDS = {
    "rematches": "rematches",
    "bye_earlier_byes": "byes had before the bye",
    "bye_points": "points at the bye",
    "avoided": "pairs not kept apart",
    "score_gap": "gaps in points, squared",
    "repeated_floats": "paired up or down again",
}


def problem_sentence(problem: Problem) -> str:
    """What is wrong with a line, and what would mend it."""
    match problem.slip:
        case Slip.UNKNOWN:
            meant = f" Is it {problem.nearest}?" if problem.nearest else ""
            return f"Nobody called “{problem.text}” is to be in this round.{meant}"
        case Slip.AMBIGUOUS:
            return f"More than one player is called “{problem.text}”: write the number too, as in {problem.nearest}."
        case Slip.TWICE:
            return f"{problem.text} is in the round already."
        case Slip.MISSING:
            return f"{problem.text} is neither paired nor given a bye."
    return "Write two names with “ - ” between them, or a name and “bye”."


def verdict(engine: PairingCost | None, yours: PairingCost, options: PairingOptions) -> str:
    """The first thing, by importance, in which a round by hand differs from the engine's."""
    if engine is None:
        return "There is no pairing of the engine’s to compare this with."
    own, other = yours.key(options), engine.key(options)
    if own == other:
        return "This costs the same as the engine’s pairing."
    mine, theirs = yours.as_json(), engine.as_json()
    key = next(key for key in _order(options) if mine[key] != theirs[key])
    worse = "worse" if own > other else "better"
    return f"This is {worse} than the engine’s pairing: {COST_WORDS[key]} {mine[key]} instead of {theirs[key]}."


def _order(options: PairingOptions) -> list[str]:
    """Names of the parts of a cost as ``PairingCost.key`` ranks them."""
    parts = list(PairingCost().as_json())
    marked = {name: PairingCost(**{name: 1}).key(options).index(1) for name in parts}
    return sorted(parts, key=marked.__getitem__)
