"""What may change between the games of a match."""

from __future__ import annotations

from rules.engine.counting import Counted
from rules.engine.formatschema import Transition
from rules.engine.verdict import CardCount, DeckFacts, Violation


def check_swap(before: DeckFacts, after: DeckFacts, constraint: Transition | None) -> tuple[Violation, ...]:
    """What is wrong with going from one configuration to another; nothing if it's allowed. Without a constraint
    nothing may change.

    The cards of the constraint's zones together stay the same; one for one, each zone also keeps its size; every other
    zone stays as it is. In ``cards``, a count is by how many copies the second configuration has more.
    """
    old, new = Counted(before), Counted(after)
    if constraint is None:
        zones = sorted({line.zone for line in (*before.lines, *after.lines)})
        changed_zones = tuple(zone for zone in zones if old.by_card((zone,)) != new.by_card((zone,)))
        return (Violation("transition.none", "", "", zones=changed_zones),) if changed_zones else ()
    violations = []
    had, has = old.by_card(constraint.zones), new.by_card(constraint.zones)
    cards = {card.id: card for card in (*old.cards(), *new.cards())}
    changed = tuple(
        CardCount(id_, card.name, has[id_] - had[id_])
        for id_, card in sorted(cards.items(), key=lambda item: (item[1].name, item[0]))
        if has[id_] != had[id_]
    )
    if changed:
        violations.append(_violation(constraint, "transition.cards_changed", constraint.zones, cards=changed))
    for zone in constraint.zones if constraint.one_for_one else ():
        if (actual := new.total((zone,))) != (limit := old.total((zone,))):
            violations.append(_violation(constraint, "transition.size_changed", (zone,), limit=limit, actual=actual))
    for zone in sorted({line.zone for line in (*before.lines, *after.lines)} - set(constraint.zones)):
        if old.by_card((zone,)) != new.by_card((zone,)):
            violations.append(_violation(constraint, "transition.fixed_zone_changed", (zone,)))
    return tuple(violations)


def _violation(
    constraint: Transition,
    code: str,
    zones: tuple[str, ...],
    *,
    cards: tuple[CardCount, ...] = (),
    limit: int | None = None,
    actual: int | None = None,
) -> Violation:
    return Violation(
        code,
        constraint=constraint.id,
        cite=constraint.cite,
        reading=constraint.reading,
        zones=zones,
        cards=cards,
        limit=limit,
        actual=actual,
        excess=None if actual is None or limit is None else actual - limit,
    )
