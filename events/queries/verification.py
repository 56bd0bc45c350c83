"""Prove an event afterwards: read its log's chain, draw its pairings again, count its standings again."""

from __future__ import annotations

from dataclasses import dataclass, field

from cards.engine.boosters import ProductDefinition, open_pack
from cards.engine.streams import Stream
from config.errors import DomainError
from events.engine.chain import GENESIS, ChainEntry, verify_chain
from events.engine.drafting import DraftState
from events.engine.fairness import (
    auto_pick_label,
    keeps_promise,
    late_lot_label,
    lots_label,
    pack_label,
    pods_label,
    seats_label,
)
from events.engine.paired_again import drawn_again, hand_faults
from events.engine.pods import draw_pods, draw_seats, pod_sizes
from events.engine.seatings_log import KINDS, seating_faults
from events.engine.standings import draw_late_lot, draw_lots
from events.models import Event, LogEntry, Pack, Pod, Round, Stage
from events.queries.drafting import draft_of
from events.queries.kept import verdicts_replayed
from events.queries.made_again import made_again, plan_of
from events.queries.scoring import current_standings, started_players


@dataclass
class Verification:
    """What was checked, by name, and every fault found."""

    checked: dict[str, int] = field(default_factory=dict)
    faults: list[str] = field(default_factory=list)

    def count(self, what: str, number: int = 1) -> None:
        self.checked[what] = self.checked.get(what, 0) + number


def verify_event(event: Event) -> Verification:
    """Everything about an event that can be recomputed, recomputed. Read-only; queries grow with its rounds."""
    found = Verification()
    _check_log(event, found)
    if not keeps_promise(bytes(event.secret), event.commitment):
        found.faults.append("The secret does not match the hash that was published before the event.")
    found.count("commitment")
    _check_lots(event, found)
    replayed = verdicts_replayed(event)
    found.count("verdicts", replayed.verdicts)
    found.faults.extend(replayed.faults)
    for stage in event.stages.exclude(state=Stage.State.WAITING).order_by("number"):
        if stage.kind in (Stage.Kind.DRAFT, Stage.Kind.SEALED):
            _check_packs(event, stage, found)
        if stage.kind == Stage.Kind.DRAFT:
            _check_seating(event, stage, found)
        if stage.seeds:
            _check_seeds(event, stage, found)
    for round_ in event.rounds.select_related("stage", "plan").order_by("sequence"):
        _check_pairing(event, round_, found)
        if round_.state == Round.State.COMPLETE:
            _check_standings(event, round_, found)
    return found


def _check_log(event: Event, found: Verification) -> None:
    rows = list(LogEntry.objects.filter(event=event).order_by("seq"))
    broken = verify_chain(
        ChainEntry(row.seq, row.kind, row.payload, row.actor_name, row.at, row.prev_hash, row.hash) for row in rows
    )
    found.count("log entries", len(rows))
    if broken is not None:
        found.faults.append(f"The log does not hold from entry {broken} on: it was changed after it was written.")
    elif (rows[-1].hash if rows else GENESIS) != (event.log_head or GENESIS):
        found.faults.append("The log's last entry is not the one that the event remembers: entries are missing.")


def _check_lots(event: Event, found: Verification) -> None:
    players = started_players(event)
    if not players:
        return
    secret = bytes(event.secret)
    latecomers = [player for player in players if player.drew_lot_late]
    starters = [player.pk for player in players if not player.drew_lot_late]
    lots = draw_lots(starters, Stream(secret, lots_label(0)))
    lots |= {
        player.pk: draw_late_lot(len(starters), Stream(secret, late_lot_label(player.pk))) for player in latecomers
    }
    wrong = [player.name for player in players if player.lot != lots[player.pk]]
    found.count("lots", len(players))
    if wrong:
        found.faults.append(f"The lots of {', '.join(wrong)} are not the ones that were drawn.")


def _check_packs(event: Event, stage: Stage, found: Verification) -> None:
    secret = bytes(event.secret)
    packs = Pack.objects.filter(stage=stage).select_related("product", "pod").prefetch_related("cards")
    order = _pack_order(stage)
    for pack in packs:
        definition = ProductDefinition.model_validate(pack.product.definition)
        label = pack_label(stage.number, pack.pod.number if pack.pod else 0, pack.number - 1, order[pack.opened_by_id])
        stored = tuple(card.card_id for card in sorted(pack.cards.all(), key=lambda card: card.position))
        found.count("packs")
        if open_pack(definition, Stream(secret, label)) != stored:
            found.faults.append(f"{pack} does not hold the cards that its seed gives.")


def _pack_order(stage: Stage) -> dict[int, int]:
    """Place of each player among those who opened packs: the seat in a pod, the order of entry in sealed."""
    if stage.kind == Stage.Kind.DRAFT:
        return {seat.player_id: seat.index for pod in stage.pods.all() for seat in pod.seats.all()}
    openers = sorted(set(Pack.objects.filter(stage=stage).values_list("opened_by_id", flat=True)))
    return {player: place for place, player in enumerate(openers)}


def _check_seating(event: Event, stage: Stage, found: Verification) -> None:
    secret = bytes(event.secret)
    stored = [[seat.player_id for seat in pod.seats.order_by("index")] for pod in stage.pods.order_by("number")]
    players = sorted(player for pod in stored for player in pod)
    sizes = pod_sizes(len(players), target=stage.config["pod_size"]).sizes
    drawn = draw_pods(players, sizes, Stream(secret, pods_label(stage.number)))
    seated = [
        list(draw_seats(pod, Stream(secret, seats_label(stage.number, number)))) for number, pod in enumerate(drawn, 1)
    ]
    found.count("pods", len(stored))
    if seated != stored:
        found.faults.append("Pods or seats are not the ones that were drawn.")
    for pod in stage.pods.select_related("stage", "event"):
        _check_picks(event, pod, found)


def _check_seeds(event: Event, stage: Stage, found: Verification) -> None:
    begun = event.log.filter(kind="stage.begun", payload__stage=stage.number).order_by("-seq").first()
    found.count("cuts")
    if begun is not None and begun.payload["seeds"] != stage.seeds:
        found.faults.append(f"The seeds of stage {stage.number} are not the ones it began with.")
    if stage.kind == Stage.Kind.ROUND_ROBIN:
        drawn = event.players.filter(pk__in=stage.seeds).order_by("lot").values_list("pk", flat=True)
        if list(drawn) != stage.seeds:
            found.faults.append("The order of the round robin is not the one of the lots.")


def _check_picks(event: Event, pod: Pod, found: Verification) -> None:
    try:
        draft = draft_of(pod)
    except DomainError as fault:
        found.faults.append(f"A pick of {pod} could not have been made: {fault.message}")
        return
    picks = draft.state.picks
    found.count("picks", len(picks))
    for pick in (pick for pick in picks if pick.automatic):
        before = [other for other in picks if (other.round, other.k) < (pick.round, pick.k)]
        state = DraftState(draft.state.seats, draft.state.directions, draft.contents, before)
        label = auto_pick_label(pod.stage.number, pod.number, pick.round, pick.seat, pick.k)
        if state.automatic_pick(pick.seat, Stream(bytes(event.secret), label)) != pick:
            found.faults.append(f"An automatic pick of seat {pick.seat + 1} of {pod} is not the one that was drawn.")


def _check_pairing(event: Event, round_: Round, found: Verification) -> None:
    """What the seed gives, with every change that the log tells of, against what was posted and what was played."""
    stored = sorted(
        tuple(seat.player_id for seat in sorted(match.seats.all(), key=lambda seat: seat.index))
        for match in round_.matches.prefetch_related("seats")
    )
    found.count("pairings", len(stored))
    if round_.plan.content.get("by_hand"):
        fault = f"Round {round_.sequence} is not paired as the log says that staff paired it."
        drawn: list[tuple[int, ...]] = []
        found.faults.extend(hand_faults(bytes(event.secret), plan_of(round_)))
    elif round_.plan.content["kind"] == Stage.Kind.SWISS:
        fault = f"Round {round_.sequence} is not paired as its seed and the standings give."
        drawn = drawn_again(bytes(event.secret), plan_of(round_))
    else:
        fault = f"Round {round_.sequence} is not made as its seed and the results before it give."
        drawn = made_again(event, round_)
    told = LogEntry.objects.filter(event=event, kind__in=KINDS).order_by("seq").values_list("kind", "payload")
    found.faults.extend(seating_faults(round_.sequence, told, drawn, stored, fault))


def _check_standings(event: Event, round_: Round, found: Verification) -> None:
    rows = current_standings(event, up_to=round_.sequence)
    counted = [[row.player, row.rank, {key: str(value) for key, value in row.values.items()}] for row in rows]
    stored = [[row.player_id, row.rank, row.values] for row in round_.standings.order_by("rank")]
    found.count("standings", len(stored))
    if counted != stored:
        found.faults.append(f"The standings after round {round_.sequence} are not what the results come to.")
