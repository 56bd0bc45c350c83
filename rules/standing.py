"""How a card stands in a format, in plain English."""

from __future__ import annotations

from datetime import date

from cards.models import Game
from rules.engine.verdict import Violation
from rules.queries.standing import CardStanding
from rules.sentences import counted


def standing_text(standing: CardStanding, game: Game) -> str:
    """Why, or how many and where: "Up to 3 copies, in the main deck or the sideboard."."""
    return " ".join([_told(standing, game), *_besides(standing, game)])


def _told(standing: CardStanding, game: Game) -> str:
    if standing.violation is not None and standing.standing != "own pool":
        return _against(standing.violation)
    labels = {zone["key"]: zone["label"] for zone in game.zones}
    names = [labels.get(zone, zone) for zone in standing.zones]
    where = f"{' or '.join(names)}"
    if standing.standing == "own pool":
        return f"{where}: as many as you opened or drafted in the event."
    if standing.copies is None:
        return f"{where}."
    return f"{where}: at most {counted(standing.copies, 'copies')}."


def _besides(standing: CardStanding, game: Game) -> list[str]:
    labels = {zone["key"]: zone["label"] for zone in game.zones}
    said = []
    if standing.banned_from:
        said.append(f"Banned from: {' and '.join(labels.get(zone, zone) for zone in standing.banned_from)}.")
    if standing.points:
        said.append(f"It costs {counted(standing.points, 'points')}.")
    return said


def _against(violation: Violation) -> str:
    since = "" if violation.since is None else _day(violation.since)
    match violation.code:
        case "status.banned":
            return f"Banned since {since}." if since else "Banned."
        case "status.too_many_restricted":
            return "Restricted, and this format takes no restricted card."
        case "pool.rotated_out":
            return f"Its newest printing became legal on {since}, too long ago for this format."
        case "pool.not_out_yet":
            return f"It comes out on {since}."
        case "pool.unknown" if not violation.cards:
            return "Which cards are legal is not known for this format."
        case "pool.unknown" if any(fact.fact == "set" for fact in violation.facts):
            return "No set of it is stored, so this can't be told."
        case "pool.not_in_sets":
            return "It is in none of the sets of this format."
        case "pool.excluded":
            return "This format leaves it out."
        case "fixed.not_in_deck":
            return "It is in none of the decks of this format."
        case "fixed.unknown":
            return "Which cards the decks of this format hold is not fully known."
        case "pool.unknown":
            return "No day from which it is legal is stored, so this can't be told."
        case "eligible.not_eligible":
            return f"Only {violation.subject} may be in a deck."
        case _:
            unknown = ", ".join(sorted({fact.fact.replace("_", " ") for fact in violation.facts}))
            return f"This depends on what is not stored: {unknown}. Ask a judge."


def _day(day: date) -> str:
    return f"{day.day} {day:%B %Y}"
