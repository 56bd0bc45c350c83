"""manage.py standings --input history.json --json"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from events.engine.history_answers import StandingsAnswer, rank_players
from events.engine.history_file import HistoryFile
from events.engine.metrics import METRICS
from events.management.history_command import HistoryCommand


class Command(HistoryCommand):
    help = "Count the standings of a stage whose results are in a file. Needs no database."

    def answer(self, file: HistoryFile, options: dict[str, Any]) -> StandingsAnswer:
        return rank_players(file)

    def tell(self, file: HistoryFile, answer: StandingsAnswer) -> None:
        width = max(len(place.name or str(place.player)) for place in answer.places)
        shown = "".join(f"{metric.abbreviation:>9}" for metric in answer.metrics)
        self.stdout.write(f"{'':>4}  {'':<{width}}{shown}")
        for place in answer.places:
            values = "".join(f"{_shown(key, value):>9}" for key, value in place.values.items())
            left = "  (left)" if place.dropped else ""
            self.stdout.write(f"{place.rank:>4}  {place.name or place.player:<{width}}{values}{left}")


def _shown(key: str, value: str) -> str:
    number = Fraction(value)
    if METRICS[key].percentage:
        return f"{float(100 * number):.2f} %"
    return str(number) if number.denominator == 1 else f"{float(number):.4f}"
