"""The rules of a format counted once more, in the plainest way, from the numbers as they stand in its file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from typing import Any

from rules.engine.legality import CardFacts
from rules.engine.screening import Row

Breach = tuple[str, str, Any, int | None, int | None, tuple[int, ...]]
"""Code, constraint, limit, actual, excess, ids of the cards."""
Listed = Sequence[Mapping[str, Any]]


def breaches(
    raw: Mapping[str, Any],
    listed: Listed,
    day: date,
    window_start: date,
    rows: Sequence[Row],
    cards: Mapping[int, CardFacts],
    opened: Mapping[int, int] | None = None,
) -> list[Breach]:
    """All that the deck breaks for sure. ``listed`` has card (its id), status, max_copies and points, for all zones.

    ``window_start`` is the first day of a window pool.
    """
    found: list[Breach] = list(_pool(raw["pool"], day, window_start, rows, cards, opened))
    for rule in raw["constraint"]:
        held: dict[int, int] = {}
        for zone, card, copies in rows:
            if zone in rule.get("zones", ()):
                held[card] = held.get(card, 0) + copies
        for code, limit, actual, nearest, ids in _breaches_of(rule, held, cards, listed):
            found.append((f"{rule['kind']}.{code}", rule["id"], limit, actual, actual - nearest, tuple(sorted(ids))))
    return sorted(found, key=repr)


def matches(select: Mapping[str, Any] | None, card: CardFacts) -> bool | None:
    if select is None:
        return True
    if "tag" in select:
        return select["tag"] in card.tags
    if "names" in select:
        return card.name in select["names"]
    if "all" in select:
        parts = [matches(part, card) for part in select["all"]]
        return False if False in parts else None if None in parts else True
    if "any" in select:
        parts = [matches(part, card) for part in select["any"]]
        return True if True in parts else None if None in parts else False
    if "not" in select:
        inner = matches(select["not"], card)
        return None if inner is None else not inner
    if select["fact"] not in card.facts:
        return None
    value: Any = card.facts[select["fact"]]
    tests = {
        "eq": lambda wanted: value == wanted,
        "ne": lambda wanted: value != wanted,
        "in": lambda wanted: value in wanted,
        "gte": lambda wanted: value >= wanted,
        "lte": lambda wanted: value <= wanted,
    }
    return all(tests[word](wanted) for word, wanted in select.items() if word != "fact")


def _breaches_of(
    rule: Mapping[str, Any],
    held: Mapping[int, int],
    cards: Mapping[int, CardFacts],
    listed: Listed,
) -> Iterator[tuple[str, Any, int, int, list[int]]]:
    """Code, limit, actual, the nearest number that would do, cards."""
    truths = {card: matches(rule.get("select"), cards[card]) for card in held}
    least, most = rule.get("min"), rule.get("max")
    if rule["kind"] == "zone_count":
        size = sum(held.values())
        if "one_of" in rule:
            if size not in rule["one_of"]:
                gap = min(abs(one - size) for one in rule["one_of"])
                nearest = min(one for one in rule["one_of"] if abs(one - size) == gap)
                yield "not_one_of", tuple(sorted(rule["one_of"])), size, nearest, []
        elif most is not None and size > most:
            yield "too_many", most, size, most, []
        elif least is not None and size < least:
            yield "too_few", least, size, least, []
    elif rule["kind"] == "copies":
        for card, copies in held.items():
            if truths[card] is True and copies > most:
                yield "too_many", most, copies, most, [card]
    elif rule["kind"] in ("sum", "require"):

        def worth(card: int) -> int:
            one: Any = cards[card].facts[rule["of"]] if "of" in rule else 1
            return one if rule.get("distinct") else one * held[card]

        sure = [card for card in held if truths[card] is True]
        maybe = [card for card in held if truths[card] is None]
        total = sum(map(worth, sure))
        counted = [card for card in sure if worth(card)]
        if most is not None and total > most:
            yield "too_many", most, total, most, counted
        elif least is not None and total + sum(map(worth, maybe)) < least:
            yield "too_few", least, total, least, counted
    elif rule["kind"] == "eligible":
        for card, copies in held.items():
            if truths[card] is False:
                yield "not_eligible", 0, copies, 0, [card]
    elif rule["kind"] == "status":
        restricted = [one["card"] for one in listed if one["status"] == "restricted" and one["card"] in held]
        for one in listed:
            if one["status"] != "points" and held.get(one["card"], 0) > one["max_copies"]:
                yield one["status"], one["max_copies"], held[one["card"]], one["max_copies"], [one["card"]]
        if "restricted_in_all" in rule and len(restricted) > rule["restricted_in_all"]:
            yield (
                "too_many_restricted",
                rule["restricted_in_all"],
                len(restricted),
                rule["restricted_in_all"],
                restricted,
            )
    elif rule["kind"] == "points":
        worths = {one["card"]: one["points"] for one in listed if one["status"] == "points" and one["card"] in held}
        total = sum(each * (held[card] if rule.get("each", "copy") == "copy" else 1) for card, each in worths.items())
        if total > rule["budget"]:
            yield "too_many", rule["budget"], total, rule["budget"], list(worths)


def _pool(
    pool: Mapping[str, Any],
    day: date,
    window_start: date,
    rows: Sequence[Row],
    cards: Mapping[int, CardFacts],
    opened: Mapping[int, int] | None,
) -> Iterator[Breach]:
    for id_ in sorted({card for _, card, _ in rows}):
        card, copies = cards[id_], sum(copies for _, other, copies in rows if other == id_)
        limit = 0
        if pool["kind"] == "event_pool":
            limit = copies if opened is None else opened.get(id_, 0)
            code = "" if copies <= limit else "too_many" if limit else "not_in_pool"
        elif card.name in pool.get("exclude", ()):
            code = "excluded"
        elif card.name in pool.get("include", ()):
            code = ""
        elif pool["kind"] == "sets" and card.sets and not set(card.sets) & set(pool["sets"]):
            code = "not_in_sets"
        else:
            pairs = zip(card.sets, card.legal_dates, strict=True)
            days = [on for code_, on in pairs if pool["kind"] != "sets" or code_ in pool["sets"]]
            out = [on for on in days if on is not None and on <= day]
            if None in days or not days or [on for on in out if pool["kind"] != "window" or on >= window_start]:
                code = ""
            else:
                code = "rotated_out" if out else "not_out_yet"
        if code:
            yield f"pool.{code}", "pool", limit, copies, copies - limit, (id_,)
