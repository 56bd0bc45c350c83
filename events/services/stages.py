"""From one stage to the next: what has to be true before, and what each kind of stage does when it begins."""

from __future__ import annotations

from cards.engine.boosters import ProductDefinition, open_pack
from cards.engine.streams import Stream
from cards.models import Product
from config.errors import Conflict, DomainError
from events.engine.brackets import rounds_of
from events.engine.fairness import pack_label, pods_label, seats_label
from events.engine.multiplayer_sizes import rounds_of_tables
from events.engine.pods import draw_pods, draw_seats, pod_sizes
from events.engine.swiss import number_of_rounds
from events.models import (
    Event,
    Pack,
    PackCard,
    Player,
    Pod,
    PodSeat,
    PoolCard,
    Round,
    Stage,
)
from events.queries.drafting import draft_of
from events.queries.multiplayer import tables_options
from events.queries.sides import team_of_player
from events.services.brackets_stage import seeds_of
from events.services.missing_lists import settle_gaps
from events.services.robin_stage import robin_order, rounds_of_robin
from events.services.teams_stage import check_sides
from events.services.transaction import (
    Actor,
    Change,
    Command,
    EventTransaction,
    event_transaction,
    refuse_not_running,
)


def begin_next_stage(*, event_id: int, actor: Actor, command: Command | None = None) -> Change:
    """Close the active stage and begin the next.

    Raises Conflict "event.not_running", "stage.none_left", and what stands in the way: "stage.draft_unfinished",
    "event.decklists_missing", "stage.rounds_left", "event.round_open"; DomainError "cut.too_few_players",
    "pods.too_few_players", "stage.no_product".
    """
    with event_transaction(event_id, actor=actor, command=command) as tx:
        refuse_not_running(tx)
        finish_stage(tx)
        stage = tx.event.stages.filter(state=Stage.State.WAITING).order_by("number").first()
        if stage is None:
            raise Conflict("stage.none_left", "That was the last stage. Finish the event.")
        begin_stage(tx, stage)
        return tx.done(stage=stage.pk, kind=stage.kind)


def begin_stage(tx: EventTransaction, stage: Stage) -> None:
    """Make ``stage`` the active one and do what its kind begins with: deal packs, count rounds, or seed a cut."""
    players = _playing(tx.event)
    match stage.kind:
        case Stage.Kind.DRAFT:
            _deal_draft(tx, stage, players)
        case Stage.Kind.SEALED:
            _deal_sealed(tx, stage, players)
        case Stage.Kind.SWISS:
            stage.rounds_planned = stage.config["rounds"] or number_of_rounds(len(players))
        case Stage.Kind.TABLES:
            size = tables_options(stage).sizes.preferred
            stage.rounds_planned = stage.config.get("rounds") or rounds_of_tables(len(players), size)
        case Stage.Kind.TEAMS:
            check_sides(stage)
            teams = set(team_of_player(tx.event).values())
            stage.rounds_planned = stage.config.get("rounds") or number_of_rounds(len(teams))
        case Stage.Kind.ROUND_ROBIN:
            stage.seeds = robin_order(tx.event)
            stage.rounds_planned = rounds_of_robin(stage.seeds)
        case Stage.Kind.SINGLE_ELIMINATION:
            stage.seeds = seeds_of(tx.event, stage.config)
            stage.rounds_planned = rounds_of(len(stage.seeds))
    stage.state = Stage.State.ACTIVE
    stage.save(update_fields=["state", "rounds_planned", "seeds"])
    tx.log(
        "stage.begun",
        {"stage": stage.number, "kind": stage.kind, "rounds": stage.rounds_planned, "seeds": stage.seeds},
    )


def finish_stage(tx: EventTransaction) -> None:
    """Close the active stage, if there is one and nothing stands in the way. Raises as ``begin_next_stage`` does."""
    stage = tx.event.stages.filter(state=Stage.State.ACTIVE).first()
    if stage is None:
        return
    if tx.event.rounds.exclude(state=Round.State.COMPLETE).exists():
        raise Conflict("event.round_open", "A round is still open. Complete it first.")
    match stage.kind:
        case Stage.Kind.DRAFT:
            _keep_pools(tx, stage)
        case Stage.Kind.DECK_BUILDING:
            settle_gaps(tx)
        case kind if kind in Stage.PLAYED:
            played = stage.rounds.count()
            least = stage.config["min_players"] if kind == Stage.Kind.TABLES else 2
            ends_early = kind in Stage.RANKED and len(_playing(tx.event)) < least  # nobody is left to pair
            if played < (stage.rounds_planned or 0) and not ends_early:
                raise Conflict(
                    "stage.rounds_left",
                    f"{stage.rounds_planned} rounds are planned and {played} are complete.",
                    {"planned": stage.rounds_planned, "complete": played},
                )
    stage.state = Stage.State.COMPLETE
    stage.save(update_fields=["state"])
    tx.log("stage.complete", {"stage": stage.number, "kind": stage.kind})


def _playing(event: Event) -> list[Player]:
    return list(event.players.filter(state=Player.State.CHECKED_IN).order_by("pk"))


def _product(event: Event, stage: Stage) -> tuple[Product, ProductDefinition]:
    product = Product.objects.filter(game=event.game, slug=stage.config["product"]).order_by("-version").first()
    if product is None:
        raise DomainError(
            "stage.no_product", f"There is no product called {stage.config['product']} to open. Load the game's pack."
        )
    return product, ProductDefinition.model_validate(product.definition)


def _open(
    event: Event, stage: Stage, seated: list[tuple[Pod | None, list[Player]]]
) -> list[tuple[Pack, tuple[int, ...]]]:
    """Every pack of a stage, each from its own labelled stream: another pod or player changes none of the others."""
    product, definition = _product(event, stage)
    secret = bytes(event.secret)
    opened = []
    for pod, players in seated:
        for place, player in enumerate(players):
            for number in range(1, stage.config["packs"] + 1):
                label = pack_label(stage.number, pod.number if pod else 0, number - 1, place)
                pack = Pack(event=event, stage=stage, pod=pod, opened_by=player, number=number, product=product)
                opened.append((pack, open_pack(definition, Stream(secret, label))))
    Pack.objects.bulk_create([pack for pack, _ in opened])
    PackCard.objects.bulk_create(
        PackCard(pack=pack, position=position, card_id=card)
        for pack, cards in opened
        for position, card in enumerate(cards)
    )
    return opened


def _deal_draft(tx: EventTransaction, stage: Stage, players: list[Player]) -> None:
    secret = bytes(tx.event.secret)
    by_id = {player.pk: player for player in players}
    sizes = pod_sizes(len(players), target=stage.config["pod_size"]).sizes
    drawn = draw_pods(list(by_id), sizes, Stream(secret, pods_label(stage.number)))
    pods = Pod.objects.bulk_create(Pod(event=tx.event, stage=stage, number=number) for number, _ in enumerate(drawn, 1))
    seated: list[tuple[Pod | None, list[Player]]] = []
    for pod, members in zip(pods, drawn, strict=True):
        order = draw_seats(members, Stream(secret, seats_label(stage.number, pod.number)))
        seated.append((pod, [by_id[player] for player in order]))
    PodSeat.objects.bulk_create(
        PodSeat(pod=pod, index=index, player=player)
        for pod, order in seated
        if pod is not None
        for index, player in enumerate(order)
    )
    _open(tx.event, stage, seated)
    tx.log("draft.seated", {"pods": [[player.pk for player in order] for _, order in seated]})


def _deal_sealed(tx: EventTransaction, stage: Stage, players: list[Player]) -> None:
    opened = _open(tx.event, stage, [(None, players)])
    _store_pools(tx.event, [(pack.opened_by_id, card) for pack, cards in opened for card in cards])
    tx.log("sealed.opened", {"players": len(players), "packs": stage.config["packs"]})


def _keep_pools(tx: EventTransaction, stage: Stage) -> None:
    """The cards that each seat drafted become its player's pool. Raises Conflict "stage.draft_unfinished"."""
    owned = []
    for pod in stage.pods.order_by("number"):
        draft = draft_of(pod)
        if not draft.state.finished:
            waiting = [draft.seats[index].player.name for index in draft.state.pending]
            raise Conflict(
                "stage.draft_unfinished",
                f"{pod} is still drafting: waiting for {', '.join(waiting)}.",
                {"pod": pod.number, "waiting": waiting},
            )
        for index, picked in draft.state.pools().items():
            owned += [(draft.seats[index].player_id, draft.card_of[instance]) for instance in picked]
    _store_pools(tx.event, owned)


def _store_pools(event: Event, owned: list[tuple[int, int]]) -> None:
    counts: dict[tuple[int, int], int] = {}
    for player_and_card in owned:
        counts[player_and_card] = counts.get(player_and_card, 0) + 1
    PoolCard.objects.bulk_create(
        PoolCard(event=event, player_id=player, card_id=card, count=count) for (player, card), count in counts.items()
    )
