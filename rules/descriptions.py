"""What a format and a policy ask for, in plain English: one line for each rule, and the number that it turns on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from rules.engine.checks.measures import named
from rules.engine.formatschema import (
    AllPool,
    AnyConstraint,
    Bound,
    Bounded,
    Copies,
    Eligible,
    Fixed,
    Group,
    Linear,
    Points,
    Pool,
    Require,
    SetsPool,
    Status,
    Sum,
    Transition,
    UnknownPool,
    When,
    WindowPool,
    ZoneCount,
)
from rules.engine.policyschema import (
    DeckBuildingStage,
    DoubleEliminationStage,
    DraftStage,
    PlayPolicy,
    PolicyDefinition,
    PoolsStage,
    RoundRobinStage,
    SealedStage,
    SingleEliminationStage,
    Stage,
    SwissStage,
    TablesStage,
    TeamsStage,
)
from rules.engine.selectors import describe
from rules.engine.tiebreaks import METRIC_NAMES
from rules.sentences import counted


@dataclass(frozen=True)
class RuleText:
    """A rule: what it is about ("Main deck"), what it asks for ("exactly 50 cards"), and its number for the eye."""

    subject: str
    asks: str
    figure: str

    @property
    def sentence(self) -> str:
        return f"{self.subject}: {self.asks}."


def rule_text(constraint: AnyConstraint, zones: Mapping[str, str]) -> RuleText:
    """A rule of a format; ``zones`` gives the game's labels by key."""
    where = _joined([zones.get(zone, zone) for zone in constraint.zones])
    match constraint:
        case ZoneCount(one_of=tuple(sizes)):
            said = " or ".join("no cards" if size == 0 else counted(size, "cards") for size in sorted(sizes))
            return RuleText(where, said, " or ".join(map(str, sorted(sizes))))
        case ZoneCount():
            return RuleText(where, _bounds(constraint, "cards"), _figure(constraint))
        case Copies():
            what = constraint.label or describe(constraint.select)
            each = "each card" if constraint.select is None else f"each of the {what}"
            per = "" if constraint.per is None else f", cards of one {_words(constraint.per)} counted together"
            own = "" if constraint.max_from is None else f", or as many as its {_words(constraint.max_from)} says"
            said = f"at most {counted(constraint.max, 'copies')} of {each}{per}{own}"
            return RuleText(where, said, f"≤ {constraint.max}")
        case Sum() | Require():
            return RuleText(where, _bounds(constraint, _summed(constraint)), _figure(constraint))
        case Eligible():
            return RuleText(where, f"only {constraint.label or describe(constraint.select)}", "only")
        case Status(restricted_in_all=int(most)):
            said = f"no banned cards, and at most {counted(most, 'different restricted cards')}, each within its limit"
            return RuleText(where, said, "lists")
        case Status():
            return RuleText(where, "no banned cards, restricted cards within their limit", "lists")
        case Points():
            once = "" if constraint.each == "copy" else ", each card counted once"
            said = f"at most {constraint.budget} {constraint.label or 'points'} of the points list{once}"
            return RuleText(where, said, f"≤ {constraint.budget}")
        case Group():
            what = constraint.label or describe(constraint.select)
            cards = "none" if constraint.max == 0 else f"at most {counted(constraint.max, 'different cards')}"
            given = "" if constraint.trigger is None else f", if the deck has any of the {describe(constraint.trigger)}"
            return RuleText(where, f"{cards} of the {what}{given}", f"≤ {constraint.max}")
        case Fixed():
            names = [deck.name for deck in constraint.decks]
            unknown = "a deck as it is sold, of cards that are not known"
            said = f"exactly the deck {' or '.join(names)}" if names else unknown
            return RuleText(where, said, "fixed")
        case Bound():
            what = named(constraint.label, constraint.select, constraint.of)
            bounds = (("at least", constraint.min), ("at most", constraint.max))
            said = " and ".join(f"{word} {_linear(bound, zones)}" for word, bound in bounds if bound is not None)
            return RuleText(where, f"{what}: {said}", "by deck")
        case When():
            return RuleText(where, _conditional(constraint, zones), "if")
        case Transition():
            how = "one for one" if constraint.one_for_one else "in any number"
            then = ", and are restored before the next match" if constraint.restore == "match" else ""
            return RuleText("Between games", f"cards of {where} may change places {how}{then}", "swap")
        case _:
            raise ValueError(f"no words for the kind {constraint.kind}")


def _words(fact: str) -> str:
    return fact.replace("_", " ")


def _summed(rule: Sum | Require) -> str:
    """What a sum bounds, in the plural."""
    if isinstance(rule, Require):
        return rule.label or describe(rule.select)
    what = named(rule.label, rule.select, rule.of)
    if rule.of is not None and rule.select is not None:
        what += f" of {describe(rule.select)}"
    if rule.distinct:
        what += ", each counted once"
    return what if rule.per is None else f"{what} of each {_words(rule.per)}"


def _linear(bound: Linear, zones: Mapping[str, str]) -> str:
    """ "2 for every 5 cards in the main deck"."""
    measured = named(None, bound.measure.select, bound.measure.of)
    where = _joined([zones.get(zone, zone) for zone in bound.measure.zones])
    every = "each of the" if bound.over == 1 else f"every {bound.over}"
    said = f"{abs(bound.times)} for {every} {measured} in {where}"
    if bound.times < 0:
        return f"{bound.base} less {said}"
    return f"{bound.base} and {said}" if bound.base else said


def _conditional(rule: When, zones: Mapping[str, str]) -> str:
    given = f"with {counted(rule.min, rule.label or describe(rule.select))}"
    then = [one.sentence[:-1] for one in (rule_text(inner, zones) for inner in rule.then)]
    without = f"the rule {_joined(rule.instead_of)} doesn't hold" if rule.instead_of else ""
    return f"{given}, " + "; ".join([*([without] if without else []), *then])


def pool_text(pool: Pool) -> RuleText:
    """Which cards a format takes in, with those that it names besides."""
    text = _pool_text(pool)
    added = [
        f"{word} {_joined(names)}"
        for word, names in (("with", getattr(pool, "include", ())), ("without", getattr(pool, "exclude", ())))
        if names
    ]
    return replace(text, asks=", ".join([text.asks, *added]))


def _pool_text(pool: Pool) -> RuleText:
    match pool:
        case AllPool():
            return RuleText("Card pool", "every card that has come out", "all")
        case SetsPool():
            count = counted(len(pool.sets), "sets")
            return RuleText("Card pool", f"cards with a printing in {_joined(pool.sets)}", count)
        case UnknownPool():
            return RuleText("Card pool", "not known: the source doesn't say which cards are legal", "unknown")
        case WindowPool():
            edge = "" if pool.inclusive else ", that first day left out"
            said = f"cards with a printing that became legal in the {pool.months} months before the day{edge}"
            return RuleText("Card pool", said, f"{pool.months} months")
        case _:
            return RuleText("Card pool", "the cards that the player opened or drafted in the event", "own pool")


PLAY_WORDS: dict[str, tuple[str, dict[Any, str]]] = {
    "first_turn": ("First turn of game 1", {"lot": "drawn by lot", "lot_chooses": "chosen by who is drawn by lot"}),
    "next_first_turn": ("First turn of later games", {"loser_chooses": "the loser of the game before chooses"}),
    "after_drawn_game": (
        "First turn after a drawn game",
        {"same_chooser": "who chose before chooses again; after lots, lots are drawn anew"},
    ),
    "unfinished_game": (
        "A game that time leaves open",
        {"drawn": "is drawn", "not_counted": "does not count"},
    ),
    "unfinished_in_elimination": (
        "In elimination",
        {"life": "whoever has more left to lose with wins the open game, and if that is level the next loss decides"},
    ),
    "concession": ("Conceding", {"match": "ends the match", "game": "ends the game"}),
    "prize_concession": ("Conceding for prizes", {"until_posted": "only before pairings are posted"}),
    "agreed_draws": ("Draws by agreement", {True: "allowed", False: "not allowed"}),
    "players_report": ("Results", {False: "entered by staff only"}),
}
"""Label and values in words of what a policy says about the games of a match, by its keys."""


@dataclass(frozen=True)
class PolicyFact:
    """One thing that a policy settles, in the words of a table. ``key`` is the same in every version."""

    key: str
    label: str
    value: str
    cite: str | None


def policy_facts(definition: PolicyDefinition) -> list[PolicyFact]:
    """What an event under the policy is like, in the order in which a player meets it."""
    facts = []
    for place, stage in enumerate(definition.stages, 1):
        for name, label, value in _stage_facts(stage):
            facts.append(PolicyFact(f"stage {place} {name}", label, value, stage.cite.get(name)))
    match, points, lists, standings = definition.match, definition.points, definition.decklist, definition.standings
    clock = "no clock" if match.minutes == 0 else f"{match.minutes} minutes"
    floor = "" if standings.floor == "0" else f", each percentage at least {standings.floor}"
    facts += [
        PolicyFact("match best_of", "Match", f"best of {match.best_of}", match.cite.get("best_of")),
        PolicyFact("match minutes", "Round clock", clock, match.cite.get("minutes")),
        PolicyFact("match extra_turns", "Extra turns", str(match.extra_turns), match.cite.get("extra_turns")),
        PolicyFact("match draws", "Drawn matches", "yes" if match.draws else "no", match.cite.get("draws")),
        PolicyFact(
            "points",
            "Match points",
            f"win {points.win}, draw {points.draw}, loss {points.loss}, bye {points.bye}",
            points.cite.get("win"),
        ),
        PolicyFact(
            "decklist",
            "Decklists",
            "handed in" if lists.required else "welcome" if lists.mode == "welcome" else "not needed",
            lists.cite.get("required"),
        ),
        PolicyFact(
            "standings",
            "Standings by",
            f"{', then '.join(METRIC_NAMES[metric] for metric in standings.metrics)}{floor}",
            standings.cite.get("metrics"),
        ),
    ]
    return [*facts, *_play_facts(definition.play)]


def _play_facts(play: PlayPolicy | None) -> Iterator[PolicyFact]:
    """What the policy says about the games of a match; what it doesn't say has no line."""
    for name, (label, words) in PLAY_WORDS.items():
        value = getattr(play, name, None)
        if play is not None and value in words:
            yield PolicyFact(f"play {name}", label, words[value], play.cite.get(name))


def _stage_facts(stage: Stage) -> Iterator[tuple[str, str, str]]:
    """Field, label and value."""
    match stage:
        case SwissStage():
            inside = " within pods" if stage.within_pods else ""
            count = "as many as the number of players asks for" if stage.rounds == 0 else str(stage.rounds)
            yield "rounds", "Swiss rounds", f"{count}{inside}"
        case SingleEliminationStage():
            yield "cut", "Single elimination", f"{_cut(stage)}{', re-seeded after each round' * stage.reseed}"
            if stage.third_place:
                yield "third_place", "Third place", "played for"
        case DoubleEliminationStage():
            yield "cut", "Double elimination", f"top {stage.cut}"
        case RoundRobinStage():
            yield "kind", "Round robin", "everybody against everybody"
        case PoolsStage():
            wildcards = f", and the best {stage.wildcards} of the others" if stage.wildcards else ""
            yield "pool_size", "Players in a pool", f"{stage.pool_size}, everybody against everybody"
            yield "advance", "Go on from each pool", f"the first {stage.advance}{wildcards}"
        case DraftStage():
            passed = ", ".join(stage.directions)
            yield "packs", "Draft", f"{counted(stage.packs, 'packs')} a player, passed {passed}"
            yield "pod_size", "Drafters at a table", str(stage.pod_size)
        case SealedStage():
            yield "packs", "Sealed", f"{counted(stage.packs, 'packs')} a player"
        case TablesStage():
            least, most = stage.min_players, stage.max_players
            players = str(least) if least == most else f"{least} to {most}"
            yield "max_players", "Players at a table", f"{players}, each for themselves"
        case TeamsStage():
            yield "sides", "Sides", " against ".join(stage.sides)
            sizes = " or ".join(map(str, sorted(stage.players_per_side)))
            yield "players_per_side", "Players of each side", sizes
        case DeckBuildingStage() if stage.minutes is not None:
            yield "minutes", "Deck building", f"{stage.minutes} minutes"


def _cut(stage: SingleEliminationStage) -> str:
    match stage.cut_by:
        case "points":
            return f"all with {stage.cut_points} points or more, {stage.cut} at most"
        case "clean_break":
            return f"top {stage.cut} at most, where points fall"
        case "full_bracket":
            return f"top {stage.cut}, or as many as fill the bracket"
        case _:
            return f"top {stage.cut}"


def _bounds(rule: Bounded, noun: str) -> str:
    if rule.min is not None and rule.min == rule.max:
        return f"exactly {counted(rule.min, noun)}"
    if rule.min is not None and rule.max is not None:
        return f"at least {rule.min} and at most {counted(rule.max, noun)}"
    return f"at most {counted(rule.max, noun)}" if rule.max is not None else f"at least {counted(rule.min or 0, noun)}"


def _figure(rule: Bounded) -> str:
    if rule.min is not None and rule.max is not None:
        return str(rule.min) if rule.min == rule.max else f"{rule.min}–{rule.max}"
    return f"≥ {rule.min}" if rule.max is None else f"≤ {rule.max}"


def _joined(names: Sequence[str]) -> str:
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)
