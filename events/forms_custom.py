"""The form of an event with rules of its own, and how it becomes parts of a policy."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from typing import Any

from django import forms

from cards.models import Product
from events.engine.custom_rules import RANKED
from events.engine.decklist_rules import WITHOUT, decklist_rules
from events.engine.metrics import METRICS
from events.engine.standings_presets import STANDINGS_PRESETS
from events.forms import DatedEventForm
from rules.engine.tiebreaks import PRESET_KEYS
from rules.models import Policy

OPENINGS = (("none", "No packs are opened"), ("draft", "Draft"), ("sealed", "Sealed packs"))
PASSING = (("alternate", "left, right, left …"), ("left", "always left"), ("right", "always right"))
ROUNDS = (
    ("swiss", "Swiss rounds"),
    ("round_robin", "A round robin: everybody meets everybody"),
    ("tables", "Tables of several players"),
    ("teams", "Team games"),
    ("none", "None: elimination from the start"),
)
CUTS = (
    ("none", "No elimination"),
    ("rank", "The best by rank"),
    ("points", "Everybody with enough points"),
    ("clean_break", "A power of two, where points fall"),
    ("full_bracket", "As many as fill a bracket"),
)
PASSES = {"alternate": "alternate", "left": ("left",), "right": ("right",)}
LISTS = (("required", "Everybody hands one in"), ("welcome", "Welcome, not needed"), ("none", "Not asked for"))
TIES = 6
FIELD_OF = {
    "directions": "passing",
    "minutes": "building_minutes",
    "cut_by": "cut_kind",
    "metrics": "tie_1",
    "preset": "order",
    "required": "lists",
    "mode": "lists",
}
KIND_FIELD = {"draft": "opening", "sealed": "opening", "deck_building": "builds", "single_elimination": "cut_kind"}


def _whole(label: str, least: int, most: int, *, required: bool = False, hint: str = "") -> forms.IntegerField:
    return forms.IntegerField(label=label, min_value=least, max_value=most, required=required, help_text=hint)


class CustomForm(DatedEventForm):
    """What an event is announced with, and every rule that an organiser may set. ``policy`` is where it starts from:
    what the form does not ask for stays as it has it."""

    opening = forms.ChoiceField(label="Packs", choices=OPENINGS)
    packs = _whole("Packs each", 1, 20)
    product = forms.ChoiceField(label="What is opened", required=False)
    pod_size = _whole("Players in a pod", 2, 64, hint="For a draft.")
    passing = forms.ChoiceField(label="Packs are passed", choices=PASSING, required=False)
    builds = forms.BooleanField(label="Decks are built after it", required=False)
    building_minutes = _whole("Minutes for it", 0, 600)
    rounds_kind = forms.ChoiceField(label="Rounds", choices=ROUNDS)
    rounds = _whole("How many", 1, 30, hint="Empty: by the number of players.")
    within_pods = forms.BooleanField(label="Only inside each pod of the draft", required=False)
    min_players = _whole("Smallest table", 3, 7)
    max_players = _whole("Largest table", 3, 7)
    sides = forms.CharField(label="The two sides", max_length=100, required=False, help_text="Such as: Light, Dark.")
    per_side = forms.CharField(
        label="Players on a side", max_length=30, required=False, help_text="Every size allowed, such as: 1, 2, 3."
    )
    cut_kind = forms.ChoiceField(label="Then", choices=CUTS)
    cut = _whole("Players in it", 2, 64, hint="By points: at most as many.")
    cut_points = _whole("Points for it", 0, 1000)
    reseed = forms.BooleanField(label="Seed anew after each round", required=False)
    third_place = forms.BooleanField(label="A match for third place", required=False)
    best_of = forms.TypedChoiceField(label="Match", coerce=int)
    minutes = _whole("Minutes for a round", 0, 600, required=True, hint="0: no clock.")
    extra_turns = _whole("Extra turns at time", 0, 20, required=True)
    draws = forms.BooleanField(label="Matches can be drawn", required=False)
    win = _whole("Win", 0, 1000, required=True)
    draw = _whole("Draw", 0, 1000, required=True)
    loss = _whole("Loss", 0, 1000, required=True)
    bye = _whole("Bye", 0, 1000, required=True)
    order = forms.ChoiceField(label="Standings are ordered")
    lists = forms.ChoiceField(label="Decklists", choices=LISTS)
    without = forms.ChoiceField(label="Who has none in time", choices=list(WITHOUT.items()))

    def __init__(self, *args: Any, policy: Policy, products: Iterable[Product], **options: Any) -> None:
        super().__init__(*args, **options)
        self.policy = policy
        named = {product.slug: product.name for product in products}
        lengths = {1: "One game", 3: "Best of three", 5: "Best of five"}
        own = policy.definition["match"]["best_of"]
        orders = [("template", f"As {policy.name} has it"), ("own", "In an order of our own, below")]
        orders += [(key, f"As in {STANDINGS_PRESETS[key].name}") for key in PRESET_KEYS]
        self._offer("product", list(named.items()))
        self._offer("best_of", list({**lengths, own: lengths.get(own, f"Best of {own}")}.items()))
        self._offer("order", orders)
        metrics = [("", "—"), *((key, metric.name) for key, metric in METRICS.items() if key != "lot")]
        for number in range(1, TIES + 1):
            self.fields[f"tie_{number}"] = forms.ChoiceField(
                label="First by" if number == 1 else "then by", choices=metrics, required=False
            )

    def _offer(self, field: str, choices: Sequence[tuple[Any, str]]) -> None:
        self.fields[field].choices = choices  # type: ignore[attr-defined]

    @property
    def ties(self) -> list[forms.BoundField]:
        return [self[f"tie_{number}"] for number in range(1, TIES + 1)]

    def clean(self) -> dict[str, Any]:
        """What a choice makes necessary, in words of this form; everything else the policy's own shape checks."""
        said = super().clean()
        least, most = said.get("min_players"), said.get("max_players")
        if said.get("rounds_kind") == "tables" and least is not None and most is not None and least > most:
            self.add_error("max_players", f"The largest table has fewer players than the smallest, {least}.")
        if said.get("cut_kind") == "points" and said.get("cut_points") is None and "cut_points" not in self.errors:
            self.add_error("cut_points", "Say how many points are enough.")
        if said.get("order") == "own" and not any(said.get(f"tie_{number}") for number in range(1, TIES + 1)):
            self.add_error("tie_1", "Choose what the standings are ordered by.")
        if said.get("rounds_kind") == said.get("cut_kind") == "none":
            self.add_error("rounds_kind", "Nothing is played: choose rounds, or an elimination.")
        return said

    def _decklists(self, mode: str, without: str) -> dict[str, Any]:
        """``required`` says it all but where lists are welcome, or the template speaks of modes itself; what becomes of
        who has none is said where it differs."""
        template = self.policy.definition
        said: dict[str, Any] = {"required": mode == "required"}
        if mode == "welcome" or "mode" in template["decklist"]:
            said["mode"] = mode
        if without != decklist_rules(template).without:
            said["without"] = without
        return said

    def own_rules(self) -> dict[str, Any]:
        """The parts that the form sets. Only of a form that is valid."""
        said = self.cleaned_data
        parts: dict[str, Any] = {
            "match": {key: said[key] for key in ("best_of", "minutes", "extra_turns", "draws")},
            "points": {key: said[key] for key in ("win", "draw", "loss", "bye")},
            "decklist": self._decklists(said["lists"], said["without"]),
            "stages": list(_stages(said)),
        }
        if said["order"] == "own":
            metrics = [said[f"tie_{number}"] for number in range(1, TIES + 1) if said[f"tie_{number}"]]
            parts["standings"] = {"metrics": metrics, "floor": self.policy.definition["standings"]["floor"]}
        elif said["order"] != "template":
            parts["standings"] = {"preset": said["order"]}
        return parts

    def event_values(self) -> dict[str, Any]:
        """What the event is announced with, for ``create_event``."""
        return {name: self.cleaned_data[name] for name in DatedEventForm.base_fields}

    @property
    def day(self) -> date:
        """Whose cards and lists hold. Only of a form that is valid."""
        day: date = self.cleaned_data["legality_date"] or self.cleaned_data["starts_at"].date()
        return day

    def show_problems(self, problems: Sequence[Mapping[str, str]]) -> None:
        """Put what the rules were refused for beside the fields that said it."""
        kinds = [stage["kind"] for stage in _stages(self.cleaned_data)]
        for problem in problems:
            self.add_error(self._field_of(problem["field"].split("."), kinds), problem["message"])

    def _field_of(self, path: Sequence[str], kinds: Sequence[str]) -> str | None:
        match path:
            case ["stages", number, "kind"]:
                return KIND_FIELD.get(kinds[int(number)], "rounds_kind")
            case ["stages", number, "cut_by"] if kinds[int(number)] == "single_elimination":
                return "cut_kind"
            case ["stages", _, "players_per_side", *_]:
                return "per_side"
            case ["stages", _, name, *_]:
                found = FIELD_OF.get(name, name)
            case ["stages", *_]:
                return "rounds_kind"
            case ["standings", "metrics", *_]:
                return "tie_1"
            case ["standings", *_]:
                return "order"
            case [_, name, *_]:
                found = name if name not in ("required", "mode") else "lists"
            case _:
                return None
        return found if found in self.fields else None


def _stages(said: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """What is empty is left out: the policy's own shape says whether it may be."""
    opened = said["opening"] != "none"
    if said["opening"] == "draft":
        directions: Any = PASSES[said["passing"] or "alternate"]
        if directions != "alternate":
            directions = [*directions] * (said["packs"] or 1)
        yield _filled("draft", said, "packs", "product", "pod_size") | {"directions": directions}
    elif opened:
        yield _filled("sealed", said, "packs", "product")
    if said["builds"]:
        stage = {"kind": "deck_building"}
        yield stage if said["building_minutes"] is None else {**stage, "minutes": said["building_minutes"]}
    match said["rounds_kind"]:
        case "swiss":
            yield {**_filled("swiss", said, "rounds"), "within_pods": said["within_pods"]}
        case "round_robin":
            yield {"kind": "round_robin"}
        case "tables":
            yield _filled("tables", said, "rounds", "min_players", "max_players")
        case "teams":
            sides = [side.strip() for side in said["sides"].split(",") if side.strip()]
            sizes = [int(size) if size.strip().isdecimal() else size for size in said["per_side"].split(",")]
            yield {**_filled("teams", said, "rounds"), "sides": sides, "players_per_side": sizes}
    if said["cut_kind"] != "none":
        wanted = _filled("single_elimination", said, "cut", "reseed", "third_place")
        by_points = said["cut_kind"] == "points" and said["cut_points"] is not None
        yield wanted | {"cut_by": said["cut_kind"]} | ({"cut_points": said["cut_points"]} if by_points else {})


def _filled(kind: str, said: Mapping[str, Any], *fields: str) -> dict[str, Any]:
    return {"kind": kind, **{field: said[field] for field in fields if said[field] not in (None, "")}}


def shown(policy: Policy) -> dict[str, Any]:
    """A policy as the form shows it."""
    rules = policy.definition
    by_kind = {stage["kind"]: stage for stage in rules["stages"]}
    opened = by_kind.get("draft") or by_kind.get("sealed") or {}
    rounds_kind = next((kind for kind in RANKED if kind in by_kind), "none")
    rounds, cut = by_kind.get(rounds_kind, {}), by_kind.get("single_elimination", {})
    metrics = rules["standings"]["metrics"]
    return {
        "opening": opened.get("kind", "none"),
        "packs": opened.get("packs"),
        "product": opened.get("product"),
        "pod_size": opened.get("pod_size"),
        "passing": _passing(opened.get("directions", ())),
        "builds": "deck_building" in by_kind,
        "building_minutes": by_kind.get("deck_building", {}).get("minutes"),
        "rounds_kind": rounds_kind,
        "rounds": rounds.get("rounds") or None,
        "within_pods": rounds.get("within_pods", False),
        "min_players": rounds.get("min_players"),
        "max_players": rounds.get("max_players"),
        "sides": ", ".join(rounds.get("sides", ())),
        "per_side": ", ".join(str(size) for size in rounds.get("players_per_side", ())),
        "cut_kind": cut.get("cut_by", "rank") if cut else "none",
        "cut": cut.get("cut"),
        "cut_points": cut.get("cut_points"),
        "reseed": cut.get("reseed", False),
        "third_place": cut.get("third_place", False),
        **{key: rules["match"][key] for key in ("best_of", "minutes", "extra_turns", "draws")},
        **{key: rules["points"][key] for key in ("win", "draw", "loss", "bye")},
        "order": "template",
        "lists": decklist_rules(rules).mode,
        "without": decklist_rules(rules).without,
        **{f"tie_{number}": metric for number, metric in enumerate(metrics[:TIES], 1)},
    }


def _passing(directions: Sequence[str]) -> str:
    return directions[0] if len(directions) > 1 and len(set(directions)) == 1 else "alternate"
