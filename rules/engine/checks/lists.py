"""Rules that the lists of a format fill: banned, restricted, limited, and worth points."""

from __future__ import annotations

from collections.abc import Iterator

from rules.engine.checks.cards import own_limit
from rules.engine.checks.deck import DeckCheck, broken
from rules.engine.counting import Tally
from rules.engine.formatschema import Points, Status
from rules.engine.verdict import StatusFact, Violation


def status(check: DeckCheck, rule: Status) -> Iterator[Violation]:
    if not check.compiled.statuses:
        return
    restricted: list[Tally] = []
    for tally in check.deck.tallies():
        for entry in check.compiled.statuses.get(tally.card.id, ()):
            if entry.status == "points" or (entry.zone and check.compiled.listed_in[entry.zone] != rule.id):
                continue
            zones = (entry.zone,) if entry.zone else rule.zones
            held = next((one for one in check.deck.tallies(zones) if one.card.id == tally.card.id), None)
            if held is None:
                continue
            if entry.status == "restricted" and held.card.id not in {one.card.id for one in restricted}:
                restricted.append(held)
            if entry.status == "limit" and _is_limit_of_copies(check, entry, zones, held):
                continue
            yield from _held(check, rule, entry, zones, held)
    most = rule.restricted_in_all
    if most is not None and len(restricted) > most:
        excess = len(restricted) - most
        fewest = sum(sorted(tally.count for tally in restricted)[:excess])
        yield broken(
            rule,
            "status.too_many_restricted",
            limit=most,
            actual=len(restricted),
            excess=excess,
            tallies=restricted,
            curable=_unlisted_reserve(check, rule.zones) >= fewest,
            subject="restricted cards",
        )


def _held(
    check: DeckCheck, rule: Status, entry: StatusFact, zones: tuple[str, ...], tally: Tally
) -> Iterator[Violation]:
    limit = entry.max_copies or 0
    excess = tally.count - limit
    if excess > 0:
        yield broken(
            rule,
            f"status.{entry.status}",
            cite=entry.section,
            zones=zones,
            limit=limit,
            actual=tally.count,
            excess=excess,
            tallies=[tally],
            since=entry.since,
            source=entry.source,
            curable=_unlisted_reserve(check, zones) >= excess,
        )


def _unlisted_reserve(check: DeckCheck, zones: tuple[str, ...]) -> int:
    statuses = check.compiled.statuses
    return check.in_reserve(zones, lambda card: all(one.status == "points" for one in statuses.get(card.id, ())))


def _is_limit_of_copies(check: DeckCheck, entry: StatusFact, zones: tuple[str, ...], tally: Tally) -> bool:
    """Whether a rule about copies says it already, with the limit of the entry in place of its own."""
    return any(
        set(zones) <= set(rule.zones)
        and own_limit(check, rule, tally.card) == entry
        and check.truth(rule.select, tally.card) is not False
        for rule in check.compiled.lasting_copies
    )


def points(check: DeckCheck, rule: Points) -> Iterator[Violation]:
    listed = _listed(check, rule)
    actual = sum(total for _, _, total in listed)
    if actual <= rule.budget:
        return
    excess, spare = actual - rule.budget, 0
    for tally in check.reserve(rule.zones):
        spare += 0 if _entry(check, tally.card.id, "") else tally.count
    left = excess
    for tally, each, total in sorted(listed, key=lambda one: -one[1]):
        if rule.each == "copy":
            out = min(tally.count, spare, -(-max(left, 0) // each))
            left, spare = left - out * each, spare - out
        elif left > 0 and tally.count <= spare:
            left, spare = left - total, spare - tally.count
    yield broken(
        rule,
        "points.too_many",
        limit=rule.budget,
        actual=actual,
        excess=excess,
        tallies=[tally for tally, _, _ in listed],
        curable=left <= 0,
        subject=rule.label or "points",
    )


def points_of(check: DeckCheck, rule: Points) -> int:
    """What the deck costs."""
    return sum(total for _, _, total in _listed(check, rule))


def _listed(check: DeckCheck, rule: Points) -> list[tuple[Tally, int, int]]:
    """The cards that cost points, with what one copy costs and what all of them do."""
    worth = [(tally, *_worth(check, rule, tally)) for tally in check.deck.tallies(rule.zones)]
    return [(tally, each, total) for tally, each, total in worth if total]


def _worth(check: DeckCheck, rule: Points, tally: Tally) -> tuple[int, int]:
    """Of one copy at its dearest, and of all: an entry for one zone goes there before the one for all zones."""
    if not (held := check.compiled.statuses.get(tally.card.id)) or all(one.status != "points" for one in held):
        return 0, 0
    by_zone: dict[str, int] = {}
    for line in check.deck.deck.lines:
        if line.card.id == tally.card.id and line.zone in rule.zones:
            by_zone[line.zone] = by_zone.get(line.zone, 0) + line.count
    worth = {zone: _entry(check, tally.card.id, zone) for zone in by_zone}
    dearest = max(worth.values())
    if rule.each == "card":
        return dearest, dearest
    return dearest, sum(worth[zone] * count for zone, count in by_zone.items())


def _entry(check: DeckCheck, card: int, zone: str) -> int:
    held = [one for one in check.compiled.statuses.get(card, ()) if one.status == "points"]
    return next((one.points for one in held if zone and one.zone == zone), 0) or next(
        (one.points for one in held if not one.zone), 0
    )
