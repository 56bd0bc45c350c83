"""Violations as plain English, made at the edge: the number, the limit, where, since when, and what would mend it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import date
from typing import Any

_ZONES = {"main": "main deck", "side": "sideboard", "realm": "Realm"}
_SINGULAR = {"cards": "card", "copies": "copy", "packs": "pack", "points": "point", "sets": "set"}

Json = Mapping[str, Any]


def sentence(violation: Json, zones: Mapping[str, str] | None = None) -> str:
    """What is wrong and the nearest mend, for ``Violation.as_json()``. ``zones`` gives the game's labels by key."""
    said = _SAID.get(violation["code"])
    if said is None:
        raise ValueError(f"no sentence for {violation['code']!r}")
    text = said(violation, _where(violation["zones"], zones or {}))
    if violation.get("depends_on"):
        text += f" This counts only if the rule {violation['depends_on']} applies, which can't be told."
    if violation["curable_by_sideboarding"]:
        text += " The sideboard holds what would mend it."
    return text


def _where(zones: Sequence[str], labels: Mapping[str, str]) -> str:
    names = [labels.get(zone, _ZONES.get(zone, zone)) for zone in zones]
    names = [
        name if name[:1].isupper() and name not in labels.values() else name[:1].lower() + name[1:] for name in names
    ]
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def counted(count: int, noun: str) -> str:
    """ "1 free card", "3 free cards": the noun is given in the plural."""
    if count == 1:
        words = noun.split()
        at = next((place for place, word in enumerate(words) if word.casefold() in _SINGULAR), None)
        if at is not None:
            words[at] = _SINGULAR[words[at].casefold()]
        noun = " ".join(words)
    return f"{count} {noun}"


def _card(violation: Json) -> str:
    return _listed([card["name"] for card in violation["cards"]])


def _day(iso: str) -> str:
    day = date.fromisoformat(iso)
    return f"{day.day} {day:%B %Y}"


def _since(violation: Json) -> str:
    return f" since {_day(violation['since'])}" if violation["since"] else ""


def _facts(violation: Json) -> str:
    if not violation["facts"]:
        return "lines that are no known card"
    by_fact: dict[str, list[str]] = {}
    for fact in violation["facts"]:
        by_fact.setdefault(fact["fact"].replace("_", " "), []).append(fact["card"])
    return "; ".join(f"{fact} of {_listed(cards)}" for fact, cards in by_fact.items())


def _listed(names: Sequence[str]) -> str:
    shown = list(dict.fromkeys(names))
    if len(shown) > 4:
        return f"{', '.join(shown[:3])} and {len(shown) - 3} others"
    return " and ".join([", ".join(shown[:-1]), shown[-1]] if len(shown) > 1 else shown)


def _too_few(v: Json, where: str) -> str:
    return f"The {where} has {counted(v['actual'], 'cards')}; at least {v['limit']} are needed. Add {-v['excess']}."


def _too_many(v: Json, where: str) -> str:
    return f"The {where} has {counted(v['actual'], 'cards')}; at most {v['limit']} are allowed. Remove {v['excess']}."


def _not_one_of(v: Json, where: str) -> str:
    sizes = " or ".join("none" if size == 0 else str(size) for size in v["limit"])
    mend = f"Remove {v['excess']}" if v["excess"] > 0 else f"Add {-v['excess']}"
    return f"The {where} has {counted(v['actual'], 'cards')}; it must have {sizes}. {mend}."


def _sum_many(v: Json, where: str) -> str:
    return (
        f"{counted(v['actual'], v['subject'])} in {where}; at most {v['limit']} are allowed. "
        f"Remove {counted(v['excess'], v['subject'])}."
    )


def _sum_few(v: Json, where: str) -> str:
    return (
        f"{counted(v['actual'], v['subject'])} in {where}; at least {v['limit']} must be there. "
        f"Add {counted(-v['excess'], v['subject'])}."
    )


def _sum_unknown(v: Json, where: str) -> str:
    more = "and perhaps more" if v["possible"] is None else f"up to {v['possible']} in all"
    limit = "" if v["limit"] is None else f"; the limit is {v['limit']}"
    return (
        f"{counted(v['actual'], v['subject'])} in {where} for sure, {more}{limit}. "
        f"It depends on what is not known: {_facts(v)}. Ask a judge, or leave those cards out."
    )


def _bound_many(v: Json, where: str) -> str:
    return (
        f"{counted(v['actual'], v['subject'])} in {where}; a deck like this one may have at most {v['limit']}. "
        f"Remove {counted(v['excess'], v['subject'])}."
    )


def _bound_few(v: Json, where: str) -> str:
    return (
        f"{counted(v['actual'], v['subject'])} in {where}; a deck like this one needs at least {v['limit']}. "
        f"Add {counted(-v['excess'], v['subject'])}."
    )


def _ineligible(v: Json, where: str) -> str:
    return f"{_card(v)} may not be in the {where}: only {v['subject']} may. Remove {counted(v['excess'], 'copies')}."


def _eligible_unknown(v: Json, where: str) -> str:
    return f"Whether {_card(v)} may be in the {where} depends on what is not known: {_facts(v)}. Ask a judge."


def _copies_many(v: Json, where: str) -> str:
    return (
        f"{counted(v['actual'], 'copies')} of {_card(v)} in {where}; at most {v['limit']} "
        f"{'is' if v['limit'] == 1 else 'are'} allowed{_since(v)}. Remove {v['excess']}."
    )


def _copies_unknown(v: Json, where: str) -> str:
    return (
        f"{counted(v['actual'], 'copies')} of {_card(v)} in {where}: whether more than {v['limit']} are allowed "
        f"depends on what is not known: {_facts(v)}. With {v['limit']} it would not matter."
    )


def _banned(v: Json, where: str) -> str:
    return f"{_card(v)} is banned{_since(v)}; {where} may not hold it. Remove {counted(v['excess'], 'copies')}."


def _restricted(v: Json, where: str) -> str:
    return (
        f"{_card(v)} is restricted to {counted(v['limit'], 'copies')}{_since(v)}; there are {v['actual']} in {where}. "
        f"Remove {v['excess']}."
    )


def _own_limit(v: Json, where: str) -> str:
    return (
        f"{counted(v['actual'], 'copies')} of {_card(v)} in {where}; its own limit{_since(v)} is {v['limit']}. "
        f"Remove {v['excess']}."
    )


def _many_restricted(v: Json, where: str) -> str:
    return (
        f"{counted(v['actual'], 'different restricted cards')} in {where} ({_card(v)}); a deck may have {v['limit']}. "
        f"Leave out {v['excess']} of them."
    )


def _points(v: Json, where: str) -> str:
    return (
        f"{counted(v['actual'], v['subject'])} in {where}; at most {v['limit']} are allowed. "
        f"Leave out cards worth {v['excess']}: {_card(v)}."
    )


def _group_many(v: Json, where: str) -> str:
    return (
        f"{_card(v)} are together in {where}; of {v['subject']} a deck may have at most "
        f"{counted(v['limit'], 'different cards')}. Leave out {v['excess']} of them."
    )


def _group_unknown(v: Json, where: str) -> str:
    return (
        f"{_card(v)}: whether they may be together in {where} depends on what is not known: {_facts(v)}. "
        f"Of {v['subject']} a deck may have at most {counted(v['limit'], 'different cards')}. Ask a judge."
    )


def _fixed_unknown(v: Json, where: str) -> str:
    return (
        f"The {where} has {counted(v['actual'], 'cards')} and must be a deck as it is sold ({v['subject']}), but which "
        "cards that holds is not fully known. Compare it with the real deck, or ask a judge."
    )


def _not_in_deck(v: Json, where: str) -> str:
    return f"{_card(v)} is not in the deck {v['subject']}. Remove {counted(v['excess'], 'copies')}."


def _wrong_count(v: Json, where: str) -> str:
    mend = f"Remove {v['excess']}" if v["excess"] > 0 else f"Add {-v['excess']}"
    has = counted(v["actual"], "copies")
    return f"{has} of {_card(v)} in {where}; the deck {v['subject']} has {v['limit']}. {mend}."


def _missing(v: Json, where: str) -> str:
    return f"{_card(v)} is missing; the deck {v['subject']} has {counted(v['limit'], 'copies')}. Add {-v['excess']}."


def _fixed_size(v: Json, where: str) -> str:
    mend = f"Remove {v['excess']}" if v["excess"] > 0 else f"Add {-v['excess']}"
    has = counted(v["actual"], "cards")
    return f"The {where} has {has}; the deck {v['subject']} has {v['limit']}. {mend}."


def _either_way(v: Json, where: str) -> str:
    return (
        f"Whether {v['subject']} applies depends on what is not known: {_facts(v)}. The deck breaks a rule whether it "
        "does or not. Mend what is said of both cases."
    )


def _excluded(v: Json, where: str) -> str:
    return f"{_card(v)} is left out of this format. Remove {counted(v['excess'], 'copies')}."


def _not_in_sets(v: Json, where: str) -> str:
    return f"{_card(v)} is in none of the sets of this format. Remove {counted(v['excess'], 'copies')}."


def _rotated(v: Json, where: str) -> str:
    return (
        f"{_card(v)} is too old for this format: its newest printing became legal on {_day(v['since'])}. "
        f"Remove {counted(v['excess'], 'copies')}."
    )


def _not_out(v: Json, where: str) -> str:
    return (
        f"{_card(v)} is not out yet: it becomes legal on {_day(v['since'])}. Remove {counted(v['excess'], 'copies')}."
    )


def _pool_unknown(v: Json, where: str) -> str:
    if not v["cards"]:
        return "Which cards are legal is not known for this format, so no deck can be called legal. Ask a judge."
    if any(fact["fact"] == "set" for fact in v["facts"]):
        return f"No set of {_card(v)} is known, so it can't be told whether this format takes it in. Ask a judge."
    return f"No day from which {_card(v)} is legal is known, so it can't be told whether this format takes it in."


def _not_in_pool(v: Json, where: str) -> str:
    return f"{_card(v)} is not in the pool. Remove {counted(v['excess'], 'copies')}."


def _pool_many(v: Json, where: str) -> str:
    return f"{counted(v['actual'], 'copies')} of {_card(v)}, of which the pool has {v['limit']}. Remove {v['excess']}."


def _no_pool(v: Json, where: str) -> str:
    return "The cards must come from the player's pool, and no pool is given: check the deck within its event."


def _unresolved(v: Json, where: str) -> str:
    if not v["subject"].strip():
        return f"Line {v['lines'][0]} is blank, and nothing says which part of the deck the cards below it are."
    return f"Line {v['lines'][0]}, “{v['subject']}”, is no card that is known. Correct the name."


def _swapped(v: Json, where: str) -> str:
    changed = ", ".join(f"{card['count']:+d} {card['name']}" for card in v["cards"])
    return f"Not the cards that were registered ({changed}). Only cards of {where} may change places."


def _resized(v: Json, where: str) -> str:
    return (
        f"The {where} has {counted(v['actual'], 'cards')} where it had {v['limit']}. Cards are exchanged one for one: "
        + (f"take {v['excess']} out." if v["excess"] > 0 else f"put {-v['excess']} in.")
    )


def _kept(v: Json, where: str) -> str:
    return f"The {where} can't change between games. Restore it."


def _no_transition(v: Json, where: str) -> str:
    return "This format has no rule by which a deck may change between games. Play it as registered."


_SAID: dict[str, Callable[[Json, str], str]] = {
    "line.unresolved": _unresolved,
    "zone_count.too_few": _too_few,
    "zone_count.too_many": _too_many,
    "zone_count.not_one_of": _not_one_of,
    "sum.too_many": _sum_many,
    "sum.too_few": _sum_few,
    "sum.unknown": _sum_unknown,
    "require.too_many": _sum_many,
    "require.too_few": _sum_few,
    "require.unknown": _sum_unknown,
    "eligible.not_eligible": _ineligible,
    "eligible.unknown": _eligible_unknown,
    "copies.too_many": _copies_many,
    "copies.unknown": _copies_unknown,
    "status.banned": _banned,
    "status.restricted": _restricted,
    "status.limit": _own_limit,
    "status.too_many_restricted": _many_restricted,
    "points.too_many": _points,
    "group.too_many": _group_many,
    "group.unknown": _group_unknown,
    "bound.too_many": _bound_many,
    "bound.too_few": _bound_few,
    "bound.unknown": _sum_unknown,
    "fixed.unknown": _fixed_unknown,
    "fixed.not_in_deck": _not_in_deck,
    "fixed.wrong_count": _wrong_count,
    "fixed.missing": _missing,
    "fixed.too_many": _fixed_size,
    "fixed.too_few": _fixed_size,
    "when.either_way": _either_way,
    "pool.excluded": _excluded,
    "pool.not_in_sets": _not_in_sets,
    "pool.rotated_out": _rotated,
    "pool.not_out_yet": _not_out,
    "pool.unknown": _pool_unknown,
    "pool.not_in_pool": _not_in_pool,
    "pool.too_many": _pool_many,
    "pool.not_given": _no_pool,
    "transition.cards_changed": _swapped,
    "transition.size_changed": _resized,
    "transition.fixed_zone_changed": _kept,
    "transition.none": _no_transition,
}
