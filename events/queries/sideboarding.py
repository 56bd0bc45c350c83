"""What a player brings to the later games of a match. For the player, and for staff who do not play."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from config.errors import DomainError, NotFound
from decks.engine.sideboarding import Move, apply_moves, check_configuration
from decks.queries import judged
from events.models import DecklistSubmission, Event, GameConfiguration, Match, Player, Round
from events.queries.access import Viewer
from events.queries.visibility import WITH_VERDICTS, seats_by_index
from rules.engine.formatschema import FormatDefinition, Transition
from rules.sentences import sentence

DRAWN_GAMES = 2  # that are played again before time ends a match


@dataclass(frozen=True)
class Swap:
    """``count`` copies of a card that changed places, in words."""

    count: int
    name: str
    source: str
    target: str


@dataclass(frozen=True)
class Configuration:
    """A recorded deck of one game; no swaps are the deck as registered."""

    stored: GameConfiguration
    swaps: Sequence[Swap]


def last_game(event: Event) -> int:
    """The highest number that a game of a match can have; 1 where nobody sideboards. No query."""
    best_of: int = event.rules["match"]["best_of"]
    return best_of + DRAWN_GAMES if best_of > 1 else 1


def transition_of(event: Event) -> Transition | None:
    """The format's rule for changes between games. No query, given the event's format version."""
    definition = FormatDefinition.model_validate(event.format_version.definition)
    return next((rule for rule in definition.constraints if isinstance(rule, Transition)), None)


def can_sideboard(event: Event, submission: DecklistSubmission | None) -> bool:
    """Whether there is anything to exchange: a rule for it and cards in two of its zones. No query."""
    if submission is None or last_game(event) == 1:
        return False
    rule = transition_of(event)
    return rule is not None and len({entry["zone"] for entry in submission.decklist.entries} & set(rule.zones)) > 1


def violations_of(event: Event, submission: DecklistSubmission, moves: Iterable[Move]) -> list[dict[str, Any]]:
    """What is wrong with these moves, as JSON with sentences. The queries of ``judged``.

    Raises DomainError "sideboarding.zone", and as ``apply_moves``. Select WITH_VERDICTS with the submission.
    """
    moves, labels, decklist = list(moves), labels_of(event), submission.decklist
    for zone in (zone for move in moves for zone in (move.source, move.target)):
        if zone and zone not in labels:
            raise DomainError("sideboarding.zone", "This game has no such zone.", {"zone": zone, "zones": list(labels)})
    version, day = event.format_version, event.legality_date
    found = judged(decklist=decklist, format_version=version, day=day, kept=event.kept_rules_id)
    pool = None if decklist.pool is None else {int(card): count for card, count in decklist.pool.items()}
    after = apply_moves(found.deck, moves)
    violations = [one.as_json() for one in check_configuration(found.deck, after, found.compiled, pool)]
    return [{**violation, "sentence": sentence(violation, labels)} for violation in violations]


def labels_of(event: Event) -> dict[str, str]:
    """Zones by key. No query, given the event's game."""
    return {zone["key"]: zone["label"] for zone in event.game.zones}


def submission_to_sideboard(event: Event, player_id: int) -> DecklistSubmission:
    """The decklist that counts, with its verdicts. 1 query.

    Raises NotFound "sideboarding.none" where there is nothing to exchange.
    """
    current = DecklistSubmission.objects.filter(event=event, player=player_id, replaced_at=None)
    submission = current.select_related("player", *WITH_VERDICTS).first()
    if submission is None or not can_sideboard(event, submission):
        raise NotFound("sideboarding.none", "There is nothing to sideboard with here.", {"player": player_id})
    return submission


def who_can_sideboard(event: Event, players: Iterable[int]) -> set[int]:
    """Of these players, those whose decklist has something to exchange. 1 query."""
    current = DecklistSubmission.objects.filter(event=event, player__in=list(players), replaced_at=None)
    return {found.player_id for found in current.select_related("decklist") if can_sideboard(event, found)}


def match_of(event: Event, *, match_id: int, player_id: int) -> Match:
    """A posted match with this player, with its round, stage and seats. 2 queries. Raises NotFound "match.unknown"."""
    match = (
        Match.objects.filter(event=event, pk=match_id, seats__player=player_id)
        .exclude(round__state=Round.State.DRAFT)
        .select_related("round__stage")
        .prefetch_related(seats_by_index())
        .first()
    )
    if match is None:
        raise NotFound("match.unknown", "There is no such match of this player.", {"match": match_id})
    return match


def configurations_for(event: Event, viewer: Viewer, *, match_id: int) -> list[Configuration]:
    """What was recorded in a match, as far as the viewer may know it: their own, or all for staff who do not play.

    2 queries. Raises NotFound "match.unknown" for a match that they neither play nor check.
    """
    own = viewer.player
    matches = Match.objects.filter(event=event, pk=match_id).exclude(round__state=Round.State.DRAFT)
    if not viewer.sees_decklists:
        matches = matches.filter(seats__player=own) if own is not None else matches.none()
    match = matches.first()
    if match is None:
        raise NotFound("match.unknown", "There is no such match of yours.", {"match": match_id})
    return recorded(event, match, player=None if viewer.sees_decklists else own)


def recorded(event: Event, match: Match, *, player: Player | None) -> list[Configuration]:
    """By player and game; of all players with None. 1 query."""
    found = GameConfiguration.objects.filter(match=match).select_related("player", "submission__decklist")
    if player is not None:
        found = found.filter(player=player)
    labels = labels_of(event)
    return [Configuration(one, _swaps(one, labels)) for one in found.order_by("player__name", "player", "game")]


def game_to_go_on_from(
    found: Sequence[Configuration], *, game: int, submission: DecklistSubmission
) -> GameConfiguration | None:
    """What is recorded of this game of one player, else of the last game before it: the cards lie as they were played.

    None is the deck as registered. An earlier game with a decklist that was replaced since says nothing. No query.
    """
    earlier = [one.stored for one in found if one.stored.game <= game]
    newest = max(earlier, key=lambda stored: stored.game, default=None)
    if newest is not None and newest.game < game and newest.submission_id != submission.pk:
        return None
    return newest


def _swaps(stored: GameConfiguration, labels: Mapping[str, str]) -> list[Swap]:
    names = {entry["card"]: entry["name"] for entry in stored.submission.decklist.entries}
    swaps = [
        Swap(move["count"], names[move["card"]], labels[move["from"]], labels[move["to"]]) for move in stored.moves
    ]
    return sorted(swaps, key=lambda swap: (swap.source, swap.name))
