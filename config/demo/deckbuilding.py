"""Decklists for the demo, drawn from a stream: legal ones, and ones with a fault each."""

from __future__ import annotations

from collections import Counter
from datetime import date

from cards.engine.streams import Stream
from cards.models import Card, CardTag, Game
from events.models import PoolCard
from rules.engine.legality import months_before

Zone = Counter[str]


def deck_text(zones: dict[str, Zone]) -> str:
    """Zones in order, each under its heading."""
    parts = []
    for heading, cards in zones.items():
        lines = "\n".join(f"{count} {name}" for name, count in sorted(cards.items()) if count)
        parts.append(f"{heading}\n{lines}" if lines else "")
    return "\n\n".join(part for part in parts if part) + "\n"


def designed_deck(rng: Stream, game: Game, *, sideboard: bool) -> dict[str, Zone]:
    """60 cards: 17 free, 2 gift, the rest cost an action; at most 3 copies with the sideboard (Epic, Designed Deck)."""
    gifts = set(CardTag.objects.filter(game=game, tag="gift").values_list("card__name", flat=True))
    known = [card for card in Card.objects.filter(game=game).order_by("name") if card.name not in gifts]
    free = [card.name for card in known if card.facts.get("cost") == "free"]
    action = [card.name for card in known if card.facts.get("cost") == "action"]
    main = _draw(rng, free, 15) + _draw(rng, action, 43) + _draw(rng, sorted(gifts), 2)
    side: Zone = Counter()
    if sideboard:
        room = [name for name in action if name not in main]
        side = _draw(rng, room, 15)
    return {"Main deck": main, "Sideboard": side}


def engarde_deck(rng: Stream, game: Game, day: date) -> dict[str, Zone]:
    """A Realm, 50 cards and a sideboard of 10 from the last 18 months (EnGarde 2)."""
    realms, common, mythic = _engarde_pool(game, day)
    cards = _draw(rng, common, 58)
    cards.update(rng.shuffled(mythic)[:2])
    flat = rng.shuffled(sorted(cards.elements()))
    return {"Realm": Counter([rng.choice(realms)]), "Main deck": Counter(flat[:50]), "Sideboard": Counter(flat[50:])}


def rotated_card(game: Game, day: date) -> str:
    """A card that was legal once and whose every printing is older than 18 months on ``day``."""
    start = months_before(day, 18)
    for card in Card.objects.filter(game=game).prefetch_related("printings__card_set").order_by("name"):
        dates = [printing.card_set.legal_on for printing in card.printings.all() if printing.card_set.legal_on]
        if dates and max(dates) < start and card.facts.get("type") != "realm":
            return card.name
    raise LookupError("The sample has no card that rotated out.")


def limited_deck(rng: Stream, player_id: int, *, sideboard: int) -> dict[str, Zone]:
    """All of a player's pool but ``sideboard`` cards, which sit beside."""
    flat = [
        name
        for name, count in PoolCard.objects.filter(player_id=player_id)
        .order_by("card__name")
        .values_list("card__name", "count")
        for _ in range(count)
    ]
    mixed = rng.shuffled(flat)
    return {"Main deck": Counter(mixed[sideboard:]), "Sideboard": Counter(mixed[:sideboard])}


def _engarde_pool(game: Game, day: date) -> tuple[list[str], list[str], list[str]]:
    start = months_before(day, 18)
    realms, common, mythic = [], [], []
    listed = set(Card.objects.filter(game=game, status_entries__isnull=False).distinct().values_list("name", flat=True))
    for card in Card.objects.filter(game=game).prefetch_related("printings__card_set").order_by("name"):
        dates = [printing.card_set.legal_on for printing in card.printings.all()]
        if card.name in listed or not any(legal and start <= legal <= day for legal in dates):
            continue
        if card.facts.get("type") == "realm":
            realms.append(card.name)
        elif card.facts.get("rarity") == "mythic":
            mythic.append(card.name)
        else:
            common.append(card.name)
    return realms, common, mythic


def _draw(rng: Stream, names: list[str], count: int) -> Zone:
    """``count`` cards, up to 3 of each."""
    chosen: Zone = Counter()
    for name in rng.shuffled(names):
        chosen[name] = min(1 + rng.below(3), count - chosen.total())
        if chosen.total() == count:
            return +chosen
    raise LookupError(f"{len(names)} names are too few for {count} cards.")
