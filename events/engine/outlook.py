"""What a set-up leads to with a number of players, and what it cannot promise; before anything is played."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from events.engine.pods import pod_sizes
from events.engine.swiss import SwissWarning, check_rounds, number_of_rounds, rounds_without_rematch


@dataclass(frozen=True, slots=True)
class Outlook:
    """``lines`` say what will happen in order, ``warnings`` what cannot be promised. Sentences."""

    lines: tuple[str, ...]
    warnings: tuple[str, ...]


def outlook(stages: Sequence[Mapping[str, Any]], players: int | None) -> Outlook:
    """``stages`` as the policy has them; ``players`` None when nobody knows yet, and then nothing is warned about."""
    lines: list[str] = []
    warnings: list[str] = []
    for stage in stages:
        match stage["kind"]:
            case "swiss":
                _swiss(stage, players, lines, warnings)
            case "single_elimination":
                reseed = ", seeded anew after each round" if stage.get("reseed") else ""
                third = ", with a match for third place" if stage.get("third_place") else ""
                lines.append(f"{_cut(stage)}, single elimination{reseed}{third}")
                _small_cut(stage["cut"], players, warnings)
            case "double_elimination":
                lines.append(f"a cut to the top {stage['cut']}, double elimination")
                _small_cut(stage["cut"], players, warnings)
            case "round_robin":
                lines.append(f"a round robin{_rounds_for(players)}")
            case "pools":
                wildcards = f", and the best {stage['wildcards']} of the others" if stage.get("wildcards") else ""
                lines.append(
                    f"pools of {stage['pool_size']}, each a round robin{_rounds_for(stage['pool_size'])}; "
                    f"the first {stage['advance']} of each go on{wildcards}"
                )
            case "draft":
                lines.append(f"a draft of {stage['packs']} packs in pods of {stage['pod_size']}")
                if players is not None and players >= 2:
                    _pods(players, stage["pod_size"], warnings)
            case "sealed":
                lines.append(f"{stage['packs']} sealed pack{'' if stage['packs'] == 1 else 's'} each")
            case "tables":
                lines.append(f"{_some_rounds(stage)} at tables of {stage['min_players']} to {stage['max_players']}")
            case "teams":
                lines.append(f"{_some_rounds(stage)} of team games, {' against '.join(stage['sides'])}")
            case _:
                lines.append("deck building")
    return Outlook(tuple(lines), tuple(warnings))


def warning_sentence(warning: SwissWarning) -> str:
    """One of ``check_rounds`` in words."""
    played = f"{warning.rounds} rounds with {warning.players} players"
    match warning.code:
        case "swiss.rematches_certain":
            return f"{played}: some must meet twice, because everybody has met everybody after {warning.limit}."
        case "swiss.rematches_possible":
            return f"{played}: no rematch can be promised only for the first {warning.limit}."
        case "swiss.too_few_rounds":
            return f"{played} can leave several players without a loss: {warning.limit} rounds would not."
        case code:
            raise ValueError(f"nobody knows the warning {code!r}")


def _swiss(stage: Mapping[str, Any], players: int | None, lines: list[str], warnings: list[str]) -> None:
    fixed: int = stage["rounds"]
    within_pods = bool(stage.get("within_pods"))
    where = " inside each pod" if within_pods else ""
    if fixed:
        lines.append(f"{fixed} Swiss rounds{where}")
    elif players is None:
        lines.append("Swiss rounds by the number of players")
    else:
        lines.append(f"{number_of_rounds(players)} Swiss rounds{where}")
    if players is not None and players >= 2 and not within_pods:
        found = check_rounds(players, fixed or number_of_rounds(players))
        warnings += [warning_sentence(warning) for warning in found]


def _cut(stage: Mapping[str, Any]) -> str:
    match stage.get("cut_by", "rank"):
        case "points":
            return f"a cut to all with {stage['cut_points']} points or more, {stage['cut']} at most"
        case "clean_break":
            return f"a cut to the top {stage['cut']} at most, where points fall"
        case "full_bracket":
            return f"a cut to the top {stage['cut']} or as many as fill the bracket"
        case _:
            return f"a cut to the top {stage['cut']}"


def _small_cut(cut: int, players: int | None, warnings: list[str]) -> None:
    if players is not None and cut > players:
        warnings.append(f"A cut to {cut} needs as many players: with {players} all would be in it.")


def _some_rounds(stage: Mapping[str, Any]) -> str:
    rounds = stage.get("rounds")
    return f"{rounds} round{'' if rounds == 1 else 's'}" if rounds else "rounds by the number of players"


def _rounds_for(players: int | None) -> str:
    rounds = rounds_without_rematch(players) if players is not None else 0
    return f" of {rounds} rounds" if rounds > 1 else ""


def _pods(players: int, target: int, warnings: list[str]) -> None:
    plan = pod_sizes(players, target=target)
    if plan.sizes != (target,) * len(plan.sizes):
        sizes = ", ".join(str(size) for size in plan.sizes)
        warnings.append(f"{players} players make no full pods of {target}: they would be {sizes}.")
    if plan.odd:
        warnings.append("An odd pod has a bye in every round.")
