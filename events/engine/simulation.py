"""Whole events played by chance, with everything checked that must hold after every step."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from cards.engine.streams import Stream
from events.engine.brackets import BracketMatch, champion, final_placing, first_round, next_round
from events.engine.cuts import make_cut
from events.engine.double_elimination import replay
from events.engine.elimination import DecidedBy, Decision
from events.engine.melee import BATTLE_ROUNDS, Loot, Sheet, place_melee
from events.engine.multiplayer import plan_tables
from events.engine.multiplayer_check import verify_tables
from events.engine.multiplayer_model import TableEntrant, TablesOptions
from events.engine.multiplayer_sizes import SizeRules
from events.engine.pairing import Entrant, PairingOptions
from events.engine.placings import Exit, places_by_exits, placing_points, winner_takes
from events.engine.plan_check import verify_plan
from events.engine.round_robin import PoolRow, berger, cut_pools, pool_rounds, snake_pools
from events.engine.simulation_model import Chances, Course, StageSpec, structure
from events.engine.simulation_swiss import SwissStage
from events.engine.team_rounds import PastMatch, Team, pair_teams

__all__ = ["Chances", "Course", "StageSpec", "play_event"]
LEAST_STRENGTH, MORE_STRENGTH = 500, 1000


def play_event(name: str, players: int, seed: str, chances: Chances = Chances()) -> Course:  # noqa: B008 - frozen
    """One event of a structure (``mixed`` draws one), from the first stage to the last.

    The same name, number, seed and chances give the same course with the same digest, in every process. Raises
    DomainError ``simulation.structure``; whatever does not hold is in ``broken``.
    """
    chosen, stages = structure(name, Stream(seed.encode(), "simulated|structure"))
    course = Course(chosen, players, seed)
    drawn = course.stream("strength")
    strength = {player: LEAST_STRENGTH + drawn.below(MORE_STRENGTH) for player in range(1, players + 1)}
    ranking, gone = sorted(strength, key=lambda player: -strength[player]), set[int]()
    for number, spec in enumerate(stages):
        following = stages[number + 1].cut if number + 1 < len(stages) else 0
        match spec.kind:
            case "swiss" | "pods":
                swiss = SwissStage(course, spec, chances, strength, cut=following)
                ranking = [row.player for row in swiss.play()]
                gone = set(ranking) - swiss.active
            case "single_elimination":
                ranking = single_elimination(course, spec, ranking, gone, strength)
            case "double_elimination":
                double_elimination_stage(course, spec, ranking, gone, strength)
            case "round_robin":
                round_robin(course, ranking[:12], strength)
            case "pools":
                ranking = pools(course, spec, ranking, strength)
            case "tables" | "melee":
                tables(course, spec, ranking, strength)
            case "teams":
                teams(course, spec, ranking, strength)
    return course


def _winner(a: int, b: int, strength: Mapping[int, int], chance: Stream) -> int:
    return a if chance.below(strength[a] + strength[b]) < strength[a] else b


def single_elimination(
    course: Course, spec: StageSpec, ranking: Sequence[int], gone: set[int], strength: Mapping[int, int]
) -> list[int]:
    """The bracket of a cut to its champion. The final placing."""
    seeds = make_cut(ranking, spec.cut, gone).seeds
    course.check(not gone & set(seeds), "who_left_is_not_in_the_cut", "cut", seeds=seeds)
    lost_in: dict[int, int] = {}
    third = None
    matches: tuple[BracketMatch, ...] = first_round(seeds)
    number, last, winners = 0, matches, dict[int, int]()
    while matches:
        number += 1
        chance = course.stream("bracket", number)
        in_it = Counter(player for match in matches for player in match.players)
        course.check(max(in_it.values()) == 1, "once_in_a_bracket_round", f"bracket {number}")
        course.check(
            not lost_in.keys() & {p for m in matches if not m.for_third for p in m.players},
            "who_lost_is_out",
            f"bracket {number}",
        )
        winners = {m.slot: m.a if m.b is None else _winner(m.a, m.b, strength, chance) for m in matches}
        for match in matches:
            if match.for_third:
                third = winners[match.slot]
            elif match.b is not None:
                lost_in[match.b if winners[match.slot] == match.a else match.a] = number
        course.step("bracket", matches=[m.players for m in matches], winners=sorted(winners.items()))
        course.counts["matches"] += len(matches)
        last, matches = matches, next_round(matches, winners, reseed=spec.reseed, third_place=spec.third_place)
    best = champion(last, winners)
    course.check(best is not None and len(lost_in) == len(seeds) - 1, "one_champion", "final", lost=len(lost_in))
    if best is None:
        return list(ranking)
    placing = final_placing(ranking, best, lost_in, third=third)
    course.check(
        sorted(place.player for place in placing) == sorted(ranking) and placing[0].player == best,
        "everybody_is_placed",
        "final",
    )
    return [place.player for place in placing]


def double_elimination_stage(
    course: Course, spec: StageSpec, ranking: Sequence[int], gone: set[int], strength: Mapping[int, int]
) -> None:
    """Everybody loses twice but the winner."""
    seeds = make_cut(ranking, spec.cut, gone).seeds
    decisions: dict[int, Decision] = {}
    losses: Counter[int] = Counter()
    chance = course.stream("double")
    state = replay(seeds, decisions)
    while state.ready:
        for match in state.ready:
            winner = _winner(match.a, match.b, strength, chance)
            loser = match.b if winner == match.a else match.a
            course.check(losses[winner] < 2 and losses[loser] < 2, "who_lost_twice_is_out", match.fixture.label)
            losses[loser] += 1
            decisions[match.fixture.number] = Decision(winner, DecidedBy.GAMES)
            course.step("double", fixture=match.fixture.number, winner=winner)
        state = replay(seeds, decisions)
    course.counts["matches"] += len(decisions)
    twice = sorted(player for player in seeds if losses[player] == 2)
    course.check(len(twice) == len(seeds) - 1, "everybody_but_one_loses_twice", "grand final", twice=len(twice))
    course.check(len(decisions) in (2 * len(seeds) - 2, 2 * len(seeds) - 1), "as_many_matches", "grand final")


def round_robin(course: Course, players: Sequence[int], strength: Mapping[int, int]) -> None:
    """Every two meet once."""
    met: Counter[frozenset[int]] = Counter()
    for round_ in berger(players):
        course.step("round_robin", pairs=round_.pairs, bye=round_.bye)
        here = [player for pair in round_.pairs for player in pair] + ([] if round_.bye is None else [round_.bye])
        course.check(sorted(here) == sorted(players), "everybody_once", f"robin {round_.number}")
        met.update(frozenset(pair) for pair in round_.pairs)
        course.counts["matches"] += len(round_.pairs)
    count = len(players)
    course.check(len(met) == count * (count - 1) // 2 and max(met.values()) == 1, "every_two_meet_once", "round robin")


def pools(course: Course, spec: StageSpec, ranking: Sequence[int], strength: Mapping[int, int]) -> list[int]:
    """Pools by seed, each a round robin. Who goes on, and then the others."""
    dealt = snake_pools(ranking, max(2, len(ranking) // 5))
    wins: Counter[int] = Counter()
    played: Counter[int] = Counter()
    chance = course.stream("pools")
    for rounds in pool_rounds(dealt):
        for round_ in rounds:
            for a, b in round_.pairs if round_ else ():
                wins[_winner(a, b, strength, chance)] += 1
                played.update((a, b))
    sizes = [len(pool) for pool in dealt]
    course.check(max(sizes) - min(sizes) <= 1, "pools_are_even", "pools", sizes=sizes)
    course.check(all(played[p] == len(pool) - 1 for pool in dealt for p in pool), "every_two_meet_once", "pools")
    course.step("pools", wins=sorted(wins.items()))
    course.counts["matches"] += sum(played.values()) // 2
    rows = [[PoolRow(p, 3 * wins[p], played[p]) for p in sorted(pool, key=lambda p: (-wins[p], p))] for pool in dealt]
    each = max(1, spec.cut // len(dealt))
    seeds = cut_pools(rows, each, wildcards=max(0, min(spec.cut, len(ranking)) - each * len(dealt))).seeds
    course.check(len(set(seeds)) == len(seeds), "seeds_differ", "pools")
    return [*seeds, *(player for player in ranking if player not in seeds)]


def tables(course: Course, spec: StageSpec, ranking: Sequence[int], strength: Mapping[int, int]) -> None:
    """Tables of three to five, scored by place or by Epic Melee's sheets."""
    options = TablesOptions(SizeRules.between(3, 5), kicks=20)
    scored = winner_takes(4, 2, 0, (3, 4, 5))
    points: Counter[int] = Counter()
    byes: Counter[int] = Counter()
    history: list[tuple[int, ...]] = []
    for number in range(1, spec.rounds + 1):
        where = f"tables {number}"
        entrants = [TableEntrant(player, points[player], byes[player]) for player in ranking]
        plan = plan_tables(entrants, history, options, course.stream("tables", number))
        faults = verify_tables(entrants, history, options, plan)
        course.check(not faults, "the_plan_holds", where, faults=[fault.as_json() for fault in faults])
        byes.update(plan.left_over)
        chance = course.stream("table results", number)
        for table in plan.tables:
            history.append(table.players)
            if spec.kind == "melee":
                places = {p.player: p.place for p in place_melee(_sheets(table.players, chance))}
            else:
                out = chance.shuffled(table.players)[: len(table.players) - 1]
                places = places_by_exits(table.players, [Exit(frozenset({player})) for player in out])
            course.check(places.keys() == set(table.players) and min(places.values()) == 1, "a_table_is_placed", where)
            given = placing_points(places, scored)
            course.check(
                sum(given.values()) >= 4 or len([p for p in places.values() if p == 1]) > 1,
                "a_table_gives_its_points",
                where,
                given=str(given),
            )
            points.update({player: int(value) for player, value in given.items()})
        course.step("tables", tables=[table.players for table in plan.tables], points=sorted(points.items()))
        course.counts["matches"] += len(plan.tables)


def teams(course: Course, spec: StageSpec, ranking: Sequence[int], strength: Mapping[int, int]) -> None:
    """Fixed teams of two, each on both sides about as often."""
    members = [tuple(ranking[start : start + 2]) for start in range(0, len(ranking) - 1, 2)]
    points: Counter[int] = Counter()
    byes: Counter[int] = Counter()
    history: list[PastMatch] = []
    for number in range(1, spec.rounds + 1):
        chance = course.stream("team results", number)
        entered = [Team(n, team, byes[n]) for n, team in enumerate(members, 1)]
        found = pair_teams(entered, points, history, PairingOptions(), course.stream("teams", number))
        sides = [match.sides for match in found.matches]
        here = [team for pair in sides for team in pair] + ([] if found.bye is None else [found.bye])
        course.check(sorted(here) == [team.id for team in entered], "everybody_once", f"teams {number}")
        entrants = [Entrant(team.id, sum(points[p] for p in team.members), team.byes) for team in entered]
        pairs = [(pair.a, pair.b) for pair in found.pairing.pairs]
        met = [(past.first, past.second) for past in history]
        held = verify_plan(entrants, met, PairingOptions(), found.pairing, pairs)
        course.check(held.holds, "the_plan_holds", f"teams {number}", faults=[f.as_json() for f in held.faults])
        for light, dark in sides:
            winner = light if chance.below(2) else dark
            points.update(dict.fromkeys(members[winner - 1], 3))
            history.append(PastMatch(light, dark))
        if found.bye is not None:
            byes[found.bye] += 1
        course.step("teams", sides=sides, bye=found.bye)
        course.counts["matches"] += len(sides)


def _sheets(players: Sequence[int], chance: Stream) -> list[Sheet]:
    """Loot as a game could give it: in each battle round one player wins Gold and another Silver, if anybody does."""
    won: dict[tuple[int, str], list[int]] = {(player, kind): [] for player in players for kind in ("gold", "silver")}
    for _ in range(BATTLE_ROUNDS):
        first, second = chance.shuffled(players)[:2]
        if chance.below(4):
            won[first, "gold"].append(1 + chance.below(3))
            won[second, "silver"].append(1 + chance.below(3))
    sheets = []
    for player in players:
        gold, silver = won[player, "gold"], won[player, "silver"]
        symbols = Counter(chance.choice("abcd") for _ in range(len(gold) + len(silver)))
        sheets.append(Sheet(player, Loot.of(gold), Loot.of(silver), Loot(), symbols))
    return sheets
