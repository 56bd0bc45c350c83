"""An event's own rules, made from a template's: what changes, whether it can be played, what it can't promise."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from config.errors import DomainError
from events.engine.listing import listed
from events.engine.metrics import METRICS
from events.engine.multiplayer_sizes import SizeRules, table_sizes
from events.engine.outlook import Outlook, outlook, warning_sentence
from events.engine.pods import pod_sizes
from events.engine.standings_model import policy_of
from events.engine.swiss import check_rounds
from rules.engine.policyschema import PolicyDefinition

CUSTOM = "custom"
"""The slug of rules that an organiser made."""

PARTS = ("match", "play", "points", "decklist", "standings", "stages")
MERGED = ("match", "play", "points", "decklist")
OPENED = ("draft", "sealed")
RANKED = ("swiss", "round_robin", "tables", "teams")
ORDER = {
    **dict.fromkeys(OPENED, 0),
    "deck_building": 1,
    **dict.fromkeys(RANKED, 2),
    "single_elimination": 3,
}
AT_TABLES = ("victory_points", "tournament_points")
OF_GAMES = ("gw", "ogw", "game_points")
IN_WORDS = {
    "missing": "This is needed.",
    "too_short": "At least one is needed.",
    "extra_forbidden": "There is no such setting here.",
    "union_tag_invalid": "There is no such kind of stage.",
}


@dataclass(frozen=True, slots=True)
class Problem:
    """``field`` is a path into the rules, "stages.1.cut"."""

    field: str
    message: str

    def as_json(self) -> dict[str, str]:
        return {"field": self.field, "message": self.message}


def custom_rules(
    template: Mapping[str, Any], own: Mapping[str, Any], *, unplayable: Mapping[str, str], pool_is_opened: bool
) -> dict[str, Any]:
    """``template``, a policy's definition, with the parts of ``own`` in place of its; the result is a policy's
    definition again. Of match, play, points and decklists what ``own`` does not say stays; standings and stages are
    replaced whole. A section of the rules is cited only for what is still as the template has it.

    ``unplayable`` names kinds of stages that no event can play; ``pool_is_opened`` says whether decks of the format are
    built from packs opened in the event. Raises DomainError "event.rules" with every problem found.
    """
    if strange := sorted(set(own) - set(PARTS)):
        raise _refusal([Problem(part, f"Rules have no part called {part!r}.") for part in strange])
    before = {part: template.get(part, {}) for part in PARTS if part in template or part in own}
    said = {part: _with_own(rules, own[part], part) if part in own else rules for part, rules in before.items()}
    whole = {
        "slug": CUSTOM,
        "name": f"Custom rules, made from {template['name']}"[:120],
        "version": template["version"],
        "format": template["format"],
        **said,
    }
    try:
        definition = PolicyDefinition.model_validate(whole)
    except ValidationError as error:
        raise _refusal(_said_by_the_schema(error)) from None
    made = definition.model_dump(mode="json", by_alias=True, exclude_none=True)
    if problems := list(_taken_for_another(whole, made)):
        raise _refusal(problems)
    if problems := [*_unplayable(made, unplayable, pool_is_opened=pool_is_opened), *_senseless(made)]:
        raise _refusal(problems)
    try:
        policy_of(made)
    except DomainError as refusal:
        raise _refusal([Problem("standings", refusal.message)]) from None
    return {**made, **{part: _cited(rules, made[part]) for part, rules in before.items()}}


def rules_outlook(rules: Mapping[str, Any], players: int | None) -> Outlook:
    """What the stages lead to, and what these rules can't promise: of the stages, the sizes of tables and of what
    orders the standings."""
    found = outlook(rules["stages"], players)
    warnings = list(found.warnings)
    metrics = rules["standings"]["metrics"]
    if len(metrics) == 1:
        warnings.append("Nothing breaks ties but lots: who has as many points is placed by the draw.")
    if rules["match"]["best_of"] == 1 and (
        games := [_uncapped(METRICS[key].name) for key in metrics if key in OF_GAMES]
    ):
        warnings.append(f"A match is one game here, so {listed(games)} says little that points don't.")
    if "seed" in metrics:
        warnings.append("Nobody has a seed here, so that tie-breaker is level for all.")
    if rules["points"]["draw"] == rules["points"]["win"]:
        warnings.append("A draw is worth as much as a win.")
    kinds = [stage["kind"] for stage in rules["stages"]]
    if not set(kinds) & set(RANKED):
        warnings.append("Nothing is played before the elimination, so its seeds are drawn by lot.")
    for stage in rules["stages"]:
        if stage["kind"] == "tables" and players is not None:
            warnings += _tables(stage, players)
        if stage["kind"] == "swiss" and stage["within_pods"]:
            warnings += _inside_pods(stage, rules["stages"], players)
    return Outlook(found.lines, tuple(warnings))


def _with_own(template: Any, own: Any, part: str) -> Any:
    if part in MERGED and isinstance(own, Mapping):
        return {**template, **own}
    return own


def _refusal(problems: Sequence[Problem]) -> DomainError:
    first = problems[0]
    more = f" And {len(problems) - 1} more." if len(problems) > 1 else ""
    return DomainError(
        "event.rules",
        f"These rules can't be used: {first.message}{more}",
        {"problems": [problem.as_json() for problem in problems]},
    )


def _said_by_the_schema(error: ValidationError) -> list[Problem]:
    kinds = set(ORDER) | {"double_elimination", "pools"}
    found = {}
    for one in error.errors(include_url=False, include_input=False):
        # The path into a union names the member that was tried, which no sender has written.
        path = ".".join(str(step) for step in one["loc"] if step not in kinds)
        message = IN_WORDS.get(one["type"]) or one["msg"].removeprefix("Value error, ")
        found[path] = f"{message[:1].upper()}{message[1:]}{'' if message[-1] == '.' else '.'}"
    # A list is told to be too short, too, for what is wrong with its members.
    inner = {path for path in found if any(other.startswith(f"{path}.") for other in found)}
    return [Problem(path, message) for path, message in found.items() if path not in inner]


def _taken_for_another(said: Any, made: Any, path: str = "") -> Iterator[Problem]:
    """What the policy's shape would take for something else: "3" and true are no numbers, 1 is no yes."""
    if isinstance(said, Mapping) and isinstance(made, Mapping):
        for key in (key for key in said if key in made):
            yield from _taken_for_another(said[key], made[key], f"{path}.{key}" if path else key)
    elif isinstance(said, list | tuple) and isinstance(made, list):
        for number, (one, other) in enumerate(zip(said, made, strict=False)):
            yield from _taken_for_another(one, other, f"{path}.{number}")
    elif isinstance(made, bool | int) and type(said) is not type(made):
        yield Problem(path, "Input should be true or false." if isinstance(made, bool) else "Input should be a number.")


def _unplayable(rules: Mapping[str, Any], unplayable: Mapping[str, str], *, pool_is_opened: bool) -> Iterator[Problem]:
    stages = rules["stages"]
    kinds = [stage["kind"] for stage in stages]
    for number, kind in enumerate(kinds):
        if kind in unplayable:
            yield Problem(f"stages.{number}.kind", f"Tiltyard can't run {unplayable[kind]} yet.")
            return
    for number, (before, after) in enumerate(zip(kinds, kinds[1:], strict=False), 1):
        if ORDER[before] >= ORDER[after]:
            yield Problem(
                f"stages.{number}.kind",
                "Stages follow in this order, each once at most: packs, deck building, rounds, elimination.",
            )
            return
    opens = any(kind in OPENED for kind in kinds)
    if not any(ORDER[kind] > 1 for kind in kinds):
        yield Problem("stages", "Nothing is played: add rounds or an elimination.")
    if pool_is_opened and not opens:
        yield Problem("stages", "Decks of this format are built from opened packs: add a draft or sealed packs.")
    if opens and not pool_is_opened:
        yield Problem("stages.0.kind", "Decks of this format are not built from opened packs: leave the packs out.")
    if "deck_building" in kinds and not opens:
        yield Problem(f"stages.{kinds.index('deck_building')}.kind", "Deck building comes after packs are opened.")
    for number, stage in enumerate(stages):
        yield from _of_stage(f"stages.{number}", stage, kinds)


def _of_stage(path: str, stage: Mapping[str, Any], kinds: Sequence[str]) -> Iterator[Problem]:
    match stage["kind"]:
        case "swiss" if stage["within_pods"] and "draft" not in kinds:
            yield Problem(f"{path}.within_pods", "There are no pods without a draft.")
        case "tables":
            try:
                SizeRules.between(stage["min_players"], stage["max_players"])
            except DomainError as refusal:
                yield Problem(f"{path}.min_players", refusal.message)
        case "teams" if len(set(stage["sides"])) != 2 or len(stage["sides"]) != 2:
            yield Problem(f"{path}.sides", "Team games are paired for two sides with different names.")
        case "single_elimination":
            if "teams" in kinds:
                yield Problem(f"{path}.kind", "After team games there is no elimination of single players.")
            if stage["cut_by"] in ("points", "clean_break") and not set(kinds) & set(RANKED):
                yield Problem(f"{path}.cut_by", "Nobody has points before the elimination: cut by rank.")


def _senseless(rules: Mapping[str, Any]) -> Iterator[Problem]:
    points = rules["points"]
    if points["win"] <= points["loss"]:
        yield Problem("points.win", "A win has to be worth more than a loss.")
    if not points["loss"] <= points["draw"] <= points["win"]:
        yield Problem("points.draw", "A draw is worth no less than a loss and no more than a win.")
    first = next((stage["kind"] for stage in rules["stages"] if ORDER.get(stage["kind"], 2) > 1), None)
    if rules["decklist"].get("without") == "loss" and first != "swiss":
        yield Problem(
            "decklist.without", "Only a Swiss round of two players can be lost for want of a decklist: wait, or drop."
        )
    for metric in rules["standings"]["metrics"]:
        if metric in AT_TABLES:
            yield Problem(
                "standings.metrics", f"Events don't count {_uncapped(METRICS[metric].name)} yet: leave them out."
            )


def _cited(template: Any, made: Any) -> Any:
    if isinstance(made, list):
        of_kind = {stage["kind"]: stage for stage in template}
        return [_cited(of_kind.get(stage["kind"], {}), stage) for stage in made]
    kept = {
        field: cite
        for field, cite in template.get("cite", {}).items()
        if field in made and made[field] == template.get(field)
    }
    return {**made, "cite": kept}


def _tables(stage: Mapping[str, Any], players: int) -> Iterator[str]:
    try:
        plan = table_sizes(players, SizeRules.between(stage["min_players"], stage["max_players"]))
    except DomainError as refusal:
        yield refusal.message
        return
    if plan.left_over:
        yield f"With {players} players {plan.left_over} would have no table in a round."


def _inside_pods(stage: Mapping[str, Any], stages: Sequence[Mapping[str, Any]], players: int | None) -> Iterator[str]:
    target = next((other["pod_size"] for other in stages if other["kind"] == "draft"), None)
    if target is None or not stage["rounds"]:
        return
    smallest = min(pod_sizes(players, target=target).sizes) if players is not None and players >= 2 else target
    for warning in check_rounds(smallest, stage["rounds"]):
        if warning.code != "swiss.too_few_rounds":
            yield f"In a pod of {smallest}, {_uncapped(warning_sentence(warning))}"


def _uncapped(word: str) -> str:
    return word if word.isupper() else word[:1].lower() + word[1:]
