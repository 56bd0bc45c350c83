"""What cards are looked for: words of names and texts, facts, a set, a tag."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from cards.engine.facts import FactSpec, FactValue
from config.errors import DomainError

LONGEST = 200


@dataclass(frozen=True)
class CardFilters:
    """Everything given must hold. Facts go by their key; ``one_of`` lists values of which a card has one."""

    name: str = ""
    text: str = ""
    one_of: Mapping[str, tuple[FactValue, ...]] = field(default_factory=dict)
    at_least: Mapping[str, int] = field(default_factory=dict)
    at_most: Mapping[str, int] = field(default_factory=dict)
    says: Mapping[str, str] = field(default_factory=dict)
    card_set: str = ""
    tag: str = ""

    @property
    def has_conditions(self) -> bool:
        """Whether anything but the name is asked for."""
        facts = (self.one_of, self.at_least, self.at_most, self.says)
        return bool(self.text or self.card_set or self.tag or any(facts))


def read_filters(
    pairs: Iterable[tuple[str, str]], specs: Mapping[str, FactSpec], sets: Iterable[str], tags: Iterable[str]
) -> CardFilters:
    """From the pairs of an address: ``q``, ``text``, ``set``, ``tag``, and for a fact ``f-KEY``, or ``f-KEY-min`` and
    ``f-KEY-max`` where it is a number. Empty values and other names are left alone; a choice may be given many times.

    DomainError ``cards.filter``: a fact, value, set or tag that the game doesn't have.
    """
    one_of: dict[str, tuple[FactValue, ...]] = {}
    at_least: dict[str, int] = {}
    at_most: dict[str, int] = {}
    says: dict[str, str] = {}
    plain = {"q": "", "text": "", "set": "", "tag": ""}
    for name, raw in pairs:
        value = raw.strip()[:LONGEST]
        if not value:
            continue
        if name in plain:
            plain[name] = value
            continue
        if not name.startswith("f-"):
            continue
        key, bound = _bound(name.removeprefix("f-"), specs)
        spec = specs[key]
        try:
            read = spec.read(value)
        except ValueError as error:
            raise _refusal(f"{error}.", name) from None
        if bound is not None and isinstance(read, int):
            (at_least if bound == "min" else at_most)[key] = read
        elif spec.type == "text":
            says[key] = value
        else:
            one_of[key] = (*one_of.get(key, ()), read)
    for name, known in (("set", sets), ("tag", tags)):
        if plain[name] and plain[name] not in known:
            raise _refusal(f"There is no {name} {plain[name]!r} here.", name)
    return CardFilters(plain["q"], plain["text"], one_of, at_least, at_most, says, plain["set"], plain["tag"])


def _bound(name: str, specs: Mapping[str, FactSpec]) -> tuple[str, str | None]:
    for bound in ("min", "max"):
        key = name.removesuffix(f"-{bound}")
        if key != name and key in specs and specs[key].type == "number":
            return key, bound
    if name not in specs:
        raise _refusal(
            f"Cards of this game have no {name!r}. They have: {', '.join(specs) or 'no facts'}.", f"f-{name}"
        )
    return name, None


def _refusal(message: str, name: str) -> DomainError:
    return DomainError("cards.filter", message, {"parameter": name})
