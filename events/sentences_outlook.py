"""The way to the cut as plain English: only what is proved, and that something is not known where it is not."""

from __future__ import annotations

from collections.abc import Mapping

from events.engine.whatif_model import Chance, PlayerOutlook
from events.sentences_reasons import reason_sentence

CHIPS: Mapping[Chance, tuple[str, str]] = {
    Chance.CLINCHED: ("in", "chip-good"),
    Chance.ALIVE: ("can make it", "chip-info"),
    Chance.ELIMINATED: ("out of reach", ""),
    Chance.UNKNOWN: ("not known yet", ""),
}
"""Word and class of each chance, for a table."""


def own_outlook(outlook: PlayerOutlook, after_draw: Chance | None, cut: int) -> str:
    """What a player reads about themselves. ``after_draw`` is their chance if their open match is drawn."""
    if outlook.chance is Chance.CLINCHED:
        return f"You are in the top {cut}, however the rest goes."
    if outlook.chance is Chance.ELIMINATED:
        return f"The top {cut} is out of reach, unless others leave."
    if after_draw is Chance.CLINCHED:
        return f"A draw keeps you in the top {cut}."
    draw = " A draw is not enough, unless others leave." if after_draw is Chance.ELIMINATED else ""
    if outlook.chance is Chance.ALIVE:
        return f"You can still make the top {cut}.{draw}"
    return f"Whether you can make the top {cut} is not known yet.{draw}"


def why(outlook: PlayerOutlook) -> str:
    """What makes it so."""
    return reason_sentence(outlook.reason.as_json(), {})
