"""manage.py pair --input history.json --json"""

from __future__ import annotations

from typing import Any

from django.core.management.base import CommandParser

from events.engine.history_answers import PairingAnswer, pair_next_round
from events.engine.history_file import HistoryFile, Id
from events.management.history_command import HistoryCommand


class Command(HistoryCommand):
    help = "Pair the next round of a stage whose results are in a file. Needs no database."

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--seed", metavar="TEXT", help="draw with this instead of the file's seed")

    def answer(self, file: HistoryFile, options: dict[str, Any]) -> PairingAnswer:
        if options["seed"] is not None:
            drawn = file.pairing.model_copy(update={"seed": options["seed"]})
            file = file.model_copy(update={"pairing": drawn})
        return pair_next_round(file)

    def tell(self, file: HistoryFile, answer: PairingAnswer) -> None:
        names = {player.id: player.name or str(player.id) for player in file.players}
        self.stdout.write(f"Round {answer.round}")
        width = len(str(len(answer.pairs)))
        for pair in answer.pairs:
            self.stdout.write(f"  {pair.table:>{width}}  {names[pair.players[0]]} - {names[pair.players[1]]}")
        if answer.bye is not None:
            self.stdout.write(f"  {'':>{width}}  {names[answer.bye.player]} has the bye")
        self.stdout.write(_proof(answer, names))


def _proof(answer: PairingAnswer, names: dict[Id, str]) -> str:
    costs = ", ".join(f"{level.replace('_', ' ')} {number}" for level, number in answer.cost.items() if number)
    best = "Proved to be the best" if answer.proof.certified else "Not proved to be the best"
    return f"{best}: {costs or 'no rematch, nobody floats'}."
