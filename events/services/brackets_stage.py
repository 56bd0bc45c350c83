"""Elimination: who goes on from the rounds before, and what each of its rounds is made of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from events.engine.brackets import bracket_reason
from events.engine.cuts import Cut, cut_at_clean_break, cut_by_points, cut_to_full_bracket, make_cut
from events.models import Event, Player, Round, RoundPlan, Stage
from events.queries.brackets import matches_to_play
from events.services.pairing import Seating, store_seatings
from events.services.transaction import EventTransaction


def seeds_of(event: Event, config: Mapping[str, Any]) -> list[int]:
    """Seeds of a cut as the stage's ``config`` has it, by the standings after the last round, or by lot where none was
    played. Nobody who has dropped is among them. Raises as the cuts do."""
    last = event.rounds.order_by("-sequence").first()
    if last is None:
        present = event.players.filter(state=Player.State.CHECKED_IN).order_by("lot")
        ranking = list(present.values_list("pk", flat=True))
        return list(_cut(config, ranking, dict.fromkeys(ranking, 0), set()).seeds)
    rows = list(last.standings.order_by("rank").select_related("player"))
    points = {row.player_id: int(row.values["match_points"]) for row in rows}
    dropped = {row.player_id for row in rows if row.player.state == Player.State.DROPPED}
    return list(_cut(config, [row.player_id for row in rows], points, dropped).seeds)


def _cut(config: Mapping[str, Any], ranking: Sequence[int], points: Mapping[int, int], dropped: set[int]) -> Cut:
    match config.get("cut_by", "rank"):
        case "points":
            return cut_by_points(ranking, points, config["cut_points"], dropped)
        case "clean_break":
            return cut_at_clean_break(ranking, points, config["cut"], dropped)
        case "full_bracket":
            return cut_to_full_bracket(ranking, config["cut"], dropped)
    return make_cut(ranking, config["cut"], dropped)


def pair_bracket(tx: EventTransaction, stage: Stage, round_: Round) -> None:
    """Store the next round of single elimination, by seeds or by who won. Raises as the bracket does."""
    matches = matches_to_play(stage, round_.number)
    pairs = [list(match.players) for match in matches]
    RoundPlan.objects.create(round=round_, content={"kind": stage.kind, "seeds": stage.seeds, "pairs": pairs})
    reseeded = bool(stage.config.get("reseed")) and round_.number > 1
    store_seatings(
        tx,
        round_,
        [
            Seating(
                match.players,
                table if match.b is not None else None,
                [bracket_reason(match, len(stage.seeds), reseeded=reseeded).as_json()],
                slot=match.slot,
            )
            for table, match in enumerate(matches, 1)
        ],
    )
