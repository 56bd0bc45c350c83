"""The file of an event, proved: its log's chain read, its chance drawn again, its results and standings counted again.

Nothing but the file is needed. What the file withholds is named in ``unchecked``, never taken for granted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from cards.engine.boosters import ProductDefinition, open_pack
from cards.engine.streams import Stream
from config.errors import DomainError
from events.engine.brackets import BracketMatch
from events.engine.chain import GENESIS, entry_hash
from events.engine.event_file import EventFile, FileEntry, FileMatch, FileRound, FileStage
from events.engine.fairness import keeps_promise, late_lot_label, lots_label, pack_label, pods_label, seats_label
from events.engine.latecomers import with_missed_rounds
from events.engine.made_again import bracket_again, robin_again, tables_again, teams_again
from events.engine.outcomes import Outcome
from events.engine.paired_again import KeptPlan, drawn_again, hand_faults
from events.engine.pods import draw_pods, draw_seats, pod_sizes
from events.engine.replay import EventState, replay
from events.engine.seatings_log import KINDS, seating_faults
from events.engine.standings import draw_late_lot, draw_lots, rank_table
from events.engine.standings_model import policy_of
from events.engine.stored_results import table_of_seats

RANKED = frozenset({"swiss", "round_robin", "pools", "tables", "teams"})


@dataclass
class Proof:
    """What was checked, by name; every fault; and what could not be checked, with why."""

    checked: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)
    unchecked: list[str] = field(default_factory=list)


def prove(file: EventFile) -> Proof:
    """Everything in the file that can be worked out anew. The first entry of the log that does not hold is named."""
    proof = Proof()
    _chain(file, proof)
    _robins(file, proof)
    secret = _secret(file, proof)
    stages = {stage.number: stage for stage in file.stages}
    if secret is not None:
        _lots(file, secret, proof)
        _pods(file, secret, proof)
        _packs(file, secret, proof)
    told = [(kind, said) for kind, said in _told(file) if kind in KINDS]
    if secret is not None:
        for round_ in file.rounds:
            _pairing(file, round_, stages, secret, told, proof)
    _results(file, proof)
    for round_ in file.rounds:
        _standings(file, round_, stages, proof)
    return proof


def _chain(file: EventFile, proof: Proof) -> None:
    previous, withheld = GENESIS, 0
    for place, entry in enumerate(file.log, 1):
        proof.checked["log entries"] += 1
        if entry.seq != place or entry.prev_hash != previous or not _holds(entry):
            proof.faults.append(f"The log does not hold from entry {place} on: it was changed after it was written.")
            return
        withheld += not entry.is_whole
        previous = entry.hash
    if previous != (file.event.log_head or GENESIS):
        proof.faults.append("The log's last entry is not the one that the event remembers: entries are missing.")
    if withheld:
        proof.unchecked.append(f"{withheld} entries of the log are withheld: of them only the chain around holds.")


def _holds(entry: FileEntry) -> bool:
    if entry.kind is None or entry.payload is None or entry.actor is None:
        return True
    try:
        made = entry_hash(entry.prev_hash, entry.seq, entry.kind, entry.payload, entry.actor, entry.at)
    except TypeError:  # a number with a point, which no entry has
        return False
    return made == entry.hash


def _secret(file: EventFile, proof: Proof) -> bytes | None:
    created = next((entry.payload for entry in file.log if entry.kind == "event.created" and entry.payload), None)
    if created is not None and created["commitment"] != file.event.commitment:
        proof.faults.append("The hash of the secret is not the one that the log says was published at first.")
    if file.event.secret is None:
        proof.unchecked.append("Nothing that was drawn is drawn again: the secret is shown when the event is finished.")
        return None
    proof.checked["commitment"] += 1
    try:
        secret = bytes.fromhex(file.event.secret)
    except ValueError:
        secret = b""
    if not keeps_promise(secret, file.event.commitment):
        proof.faults.append("The secret does not match the hash that was published before the event.")
        return None
    return secret


def _lots(file: EventFile, secret: bytes, proof: Proof) -> None:
    started = [player for player in file.players if player.lot]
    if not started:
        return
    late = [player.id for player in started if any(entry.new for entry in player.late_entries)]
    starters = [player.id for player in started if player.id not in late]
    lots = draw_lots(starters, Stream(secret, lots_label(0)))
    lots |= {player: draw_late_lot(len(starters), Stream(secret, late_lot_label(player))) for player in late}
    proof.checked["lots"] += len(started)
    wrong = [player.name for player in started if player.lot != lots[player.id]]
    if wrong:
        proof.faults.append(f"The lots of {', '.join(wrong)} are not the ones that were drawn.")


def _robins(file: EventFile, proof: Proof) -> None:
    lot_of = {player.id: player.lot for player in file.players}
    for stage in file.stages:
        if stage.kind == "round_robin" and stage.seeds != sorted(stage.seeds, key=lambda player: lot_of.get(player, 0)):
            proof.faults.append("The order of the round robin is not the one of the lots.")


def _pods(file: EventFile, secret: bytes, proof: Proof) -> None:
    for stage in file.stages:
        if stage.kind != "draft" or not stage.pods:
            continue
        sizes = pod_sizes(sum(map(len, stage.pods)), target=stage.config["pod_size"]).sizes
        players = sorted(player for pod in stage.pods for player in pod)
        drawn = draw_pods(players, sizes, Stream(secret, pods_label(stage.number)))
        seated = [
            list(draw_seats(pod, Stream(secret, seats_label(stage.number, number))))
            for number, pod in enumerate(drawn, 1)
        ]
        proof.checked["pods"] += len(stage.pods)
        if seated != stage.pods:
            proof.faults.append("Pods or seats are not the ones that were drawn.")


def _packs(file: EventFile, secret: bytes, proof: Proof) -> None:
    products = {name: ProductDefinition.model_validate(definition) for name, definition in file.products.items()}
    for pack in file.packs:
        label = pack_label(pack.stage, pack.pod, pack.number - 1, pack.place)
        proof.checked["packs"] += 1
        if list(open_pack(products[pack.product], Stream(secret, label))) != pack.cards:
            proof.faults.append(f"Pack {pack.number} of place {pack.place + 1} does not hold what its seed gives.")
    limited = any(stage.kind in ("draft", "sealed") and stage.state != "waiting" for stage in file.stages)
    if limited and not file.packs:
        proof.unchecked.append("Packs are not drawn again: they are in the file of staff only.")


def _pairing(
    file: EventFile,
    round_: FileRound,
    stages: Mapping[int, FileStage],
    secret: bytes,
    told: Sequence[tuple[str, Mapping[str, Any]]],
    proof: Proof,
) -> None:
    stage = stages[round_.stage]
    stored = sorted(tuple(seat.player for seat in match.seats) for match in round_.matches)
    proof.checked["pairings"] += len(stored)
    if round_.plan is None:
        proof.faults.append(f"The plan of round {round_.sequence} is missing.")
        return
    kept = KeptPlan(round_.sequence, round_.plan.content, round_.plan.history)
    drawn: list[tuple[int, ...]] = []
    if kept.content.get("by_hand"):
        fault = f"Round {round_.sequence} is not paired as the log says that staff paired it."
        proof.faults.extend(hand_faults(secret, kept))
    elif kept.content["kind"] == "swiss":
        fault = f"Round {round_.sequence} is not paired as its seed and the standings give."
        drawn = drawn_again(secret, kept)
    else:
        fault = f"Round {round_.sequence} is not made as its seed and the results before it give."
        drawn = _made(file, round_, stage, secret, kept)
    proof.faults.extend(seating_faults(round_.sequence, told, drawn, stored, fault))


def _made(file: EventFile, round_: FileRound, stage: FileStage, secret: bytes, kept: KeptPlan) -> list[tuple[int, ...]]:
    if stage.kind == "round_robin":
        return robin_again(kept, round_.number)
    if stage.kind == "tables":
        return tables_again(secret, kept, stage.config)
    if stage.kind == "teams":
        return teams_again(secret, kept)
    before = [other for other in file.rounds if other.stage == stage.number and other.number == round_.number - 1]
    seed_of = {player: seed for seed, player in enumerate(stage.seeds, 1)}
    previous = [_bracket_match(match, seed_of) for match in before[0].matches] if before else None
    winners = {
        match.slot or 0: seat.player
        for match in (before[0].matches if before else ())
        for seat in match.seats
        if seat.outcome is not None and Outcome(seat.outcome).is_win
    }
    try:
        return bracket_again(stage.seeds, stage.config, previous, winners)
    except DomainError:  # a bracket that could not have gone on
        return []


def _bracket_match(match: FileMatch, seed_of: Mapping[int, int]) -> BracketMatch:
    first, *others = [seat.player for seat in match.seats]
    other = others[0] if others else None
    return BracketMatch(match.slot or 0, first, other, seed_of[first], None if other is None else seed_of[other])


def _results(file: EventFile, proof: Proof) -> None:
    """What counts in the file, against what the log says was decided."""
    state: EventState = replay(_told(file))
    for round_ in file.rounds:
        logged = state.rounds.get(round_.sequence)
        if logged is None or logged.matches is None:
            continue
        for match in round_.matches:
            if len(match.seats) == 1 or match.state != "confirmed":
                continue
            said = logged.of_players(seat.player for seat in match.seats)
            proof.checked["results"] += 1
            if said is None or not _same(match, said.scores):
                proof.faults.append(
                    f"The result of table {match.table} in round {round_.sequence} is not the one that the log tells."
                )


def _told(file: EventFile) -> Iterator[tuple[str, Mapping[str, Any]]]:
    for entry in file.log:
        if entry.kind is not None and entry.payload is not None:
            yield entry.kind, entry.payload


def _same(match: FileMatch, scores: Sequence[Mapping[str, Any]]) -> bool:
    by_player = {score["player"]: score for score in scores}
    for seat in match.seats:
        score = by_player.get(seat.player)
        if score is None or score.get("outcome") != seat.outcome or score.get("place", seat.place) != seat.place:
            return False
        if "wins" in score and (score["wins"], score["losses"], score["draws"]) != seat.games:
            return False
    return True


def _standings(file: EventFile, round_: FileRound, stages: Mapping[int, FileStage], proof: Proof) -> None:
    if round_.standings is None:
        return
    seats = [
        (seat, match, other)
        for other in file.rounds
        if other.sequence <= round_.sequence and stages[other.stage].kind in RANKED
        for match in other.matches
        if match.state == "confirmed"
        for seat in match.seats
    ]
    games = [seat.games or (0, 0, 0) for seat, _, _ in seats]
    columns: dict[str, list[Any]] = {
        "player": [seat.player for seat, _, _ in seats],
        "match": [match.id for _, match, _ in seats],
        "round": [other.sequence for _, _, other in seats],
        "outcome": [seat.outcome for seat, _, _ in seats],
        "side": [seat.side for seat, _, _ in seats],
        "game_wins": [won for won, _, _ in games],
        "game_losses": [lost for _, lost, _ in games],
        "game_draws": [drawn for _, _, drawn in games],
    }
    late = {
        player.id: [asdict(entry) for entry in player.late_entries]
        for player in file.players
        if player.lot and player.late_entries
    }
    out = with_missed_rounds(late, columns, up_to=round_.sequence, entered_by=round_.sequence) if late else set()
    started = sorted(
        (player for player in file.players if player.lot and player.id not in out), key=lambda player: player.id
    )
    table = table_of_seats(
        ids=[player.id for player in started],
        lots=[player.lot for player in started],
        dropped=[player.state == "dropped" for player in started],
        seats=columns,
    )
    rows = rank_table(table, policy_of(file.rules)).rows()
    counted = [(row.player, row.rank, {key: str(value) for key, value in row.values.items()}) for row in rows]
    proof.checked["standings"] += len(round_.standings)
    if counted != list(round_.standings):
        proof.faults.append(f"The standings after round {round_.sequence} are not what the results come to.")
