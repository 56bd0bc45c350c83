"""The writers of games, cards and products."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from django.db import transaction
from django.utils.text import slugify

from cards.engine.names import name_key
from cards.engine.rows import CardDraft, CardRow, merge
from cards.models import Card, CardName, CardSet, CardTag, Game, Printing, Product
from config.errors import Conflict, DomainError


@dataclass(frozen=True)
class SetRow:
    code: str
    name: str
    released_on: date | None
    legal_on: date | None
    sample: bool = False


@dataclass(frozen=True)
class TagRow:
    """A card's membership from one day up to, and without, another. None is no bound."""

    tag: str
    card: str
    during: tuple[date | None, date | None]
    source: str
    announced_on: date | None = None


@dataclass
class CardImport:
    """Names of the cards that an import added, changed, and left alone because they clash, with the reason."""

    added: list[str] = field(default_factory=list)
    changed: list[str] = field(default_factory=list)
    same: int = 0
    clashing: list[str] = field(default_factory=list)


@transaction.atomic
def save_game(*, slug: str, name: str, values: Mapping[str, Any]) -> Game:
    """Creates or renews the game. ``values``: facts, zones, glossary, synonyms, digest."""
    game, _ = Game.objects.update_or_create(slug=slug, defaults={"name": name, **values})
    return game


@transaction.atomic
def save_sets(*, game: Game, sets: Sequence[SetRow]) -> dict[str, CardSet]:
    """Creates or renews the sets; others stay. Two queries and one for each set that is new or differs."""
    known = {card_set.code: card_set for card_set in CardSet.objects.filter(game=game)}
    for row in sets:
        values = {
            "name": row.name,
            "released_on": row.released_on,
            "legal_on": row.legal_on,
            "is_sample": row.sample,
        }
        card_set = known.get(row.code)
        if card_set is None:
            known[row.code] = CardSet.objects.create(game=game, code=row.code, **values)
        elif any(getattr(card_set, key) != value for key, value in values.items()):
            for key, value in values.items():
                setattr(card_set, key, value)
            card_set.save()
    return known


def import_cards(
    *, game: Game, rows: Sequence[CardRow], sets: Sequence[SetRow] = (), dry_run: bool = False
) -> CardImport:
    """Adds and renews the sets, then cards, their names and printings; removes nothing: decklists name cards by id.

    All or nothing: with a clash (a name that already means another card, a printing number taken by another card)
    Conflict ``cards.clash`` lists them all. DomainError ``cards.invalid``: rows that contradict each other, or a set
    that the game doesn't have. ``dry_run`` reports, clashes included, and writes nothing. A constant number of queries.
    """
    drafts, faults = merge(rows)
    messages = [f"line {fault.line}: {fault.message}" for fault in faults]
    with transaction.atomic():
        known = save_sets(game=game, sets=sets)
        for code in sorted({row.set_code for row in rows} - set(known)):
            messages.append(f"{game.name} has no set {code}: add the set first")
        if messages:
            sentence = "The cards can't be imported: " + "; ".join(messages)
            raise DomainError("cards.invalid", sentence, {"faults": messages})
        done = _Import(game, known).run(drafts)
        if dry_run:
            transaction.set_rollback(True)
        elif done.clashing:
            raise Conflict(
                "cards.clash",
                "Nothing was imported, since these cards clash with others: " + "; ".join(done.clashing),
                {"clashing": done.clashing},
            )
    return done


class _Import:
    def __init__(self, game: Game, sets: Mapping[str, CardSet]) -> None:
        self.game, self.sets = game, sets
        self.cards = {card.pk: card for card in Card.objects.select_for_update().filter(game=game)}
        self.names = {name.key: name for name in CardName.objects.filter(game=game)}
        self.slugs = {card.slug for card in self.cards.values()}
        self.printings = {
            (code, number): card_id
            for code, number, card_id in Printing.objects.filter(card_set__game=game).values_list(
                "card_set__code", "number", "card_id"
            )
        }
        self.printed_in: dict[int, set[str]] = defaultdict(set)
        for (code, _), card_id in self.printings.items():
            self.printed_in[card_id].add(code)
        self.result = CardImport()

    def run(self, drafts: Sequence[CardDraft]) -> CardImport:
        new: list[Card] = []
        changed: list[Card] = []
        accepted: list[tuple[CardDraft, Card]] = []
        for draft in drafts:
            named = self.names.get(draft.key)
            card = self.cards[named.card_id] if named else None
            if reason := self._clash(draft, card):
                self.result.clashing.append(reason)
                continue
            codes = {code for code, _ in draft.printings} | (self.printed_in[card.pk] if card else set())
            sample = all(self.sets[code].is_sample for code in codes)
            if card is None:
                card = Card(game=self.game, slug=self._slug(draft.name), name=draft.name)
                new.append(card)
                self.result.added.append(draft.name)
            values = {"name": draft.name, "text": draft.text, "facts": dict(draft.facts), "is_sample": sample}
            differs = any(getattr(card, key) != value for key, value in values.items())
            for key, value in values.items():
                setattr(card, key, value)
            if card.pk:
                if differs:
                    changed.append(card)
                if differs or self._has_more(draft):
                    self.result.changed.append(draft.name)
                else:
                    self.result.same += 1
            accepted.append((draft, card))
        Card.objects.bulk_create(new)
        Card.objects.bulk_update(changed, ["name", "text", "facts", "is_sample"], batch_size=500)
        self._write_names(accepted)
        self._write_printings(accepted)
        return self.result

    def _clash(self, draft: CardDraft, card: Card | None) -> str | None:
        if card is not None and name_key(card.name) != draft.key:
            return f"{draft.name} (line {draft.line}) is already another name of {card.name}"
        for text in (*draft.aliases, *draft.faces):
            other = self.names.get(name_key(text))
            if other is not None and (card is None or other.card_id != card.pk):
                return f"{text} of {draft.name} (line {draft.line}) already means {self.cards[other.card_id].name}"
        for code, number in draft.printings:
            holder = self.printings.get((code, number))
            if holder is not None and (card is None or holder != card.pk):
                return f"{code} {number} of {draft.name} (line {draft.line}) is already {self.cards[holder].name}"
        return None

    def _has_more(self, draft: CardDraft) -> bool:
        return any(printing not in self.printings for printing in draft.printings) or any(
            name_key(text) not in self.names for text in (*draft.aliases, *draft.faces)
        )

    def _slug(self, name: str) -> str:
        base = slugify(name_key(name))[:130] or "card"
        slug, number = base, 1
        while slug in self.slugs:
            number += 1
            slug = f"{base}-{number}"
        self.slugs.add(slug)
        return slug

    def _write_names(self, accepted: Iterable[tuple[CardDraft, Card]]) -> None:
        kinds = CardName.Kind
        wanted = [
            CardName(game=self.game, card=card, text=text, key=name_key(text), kind=kind)
            for draft, card in accepted
            for kind, texts in (
                (kinds.CANONICAL, [draft.name]),
                (kinds.ALIAS, draft.aliases),
                (kinds.FACE, draft.faces),
            )
            for text in texts
        ]
        CardName.objects.bulk_create(
            {name.key: name for name in reversed(wanted) if name.key not in self.names}.values(), batch_size=1000
        )
        respelt = [self.names[name.key] for name in wanted if name.key in self.names]
        texts = {name.key: name.text for name in wanted}
        respelt = [name for name in respelt if name.text != texts[name.key]]
        for name in respelt:
            name.text = texts[name.key]
        CardName.objects.bulk_update(respelt, ["text"], batch_size=500)

    def _write_printings(self, accepted: Iterable[tuple[CardDraft, Card]]) -> None:
        Printing.objects.bulk_create(
            [
                Printing(card=card, card_set=self.sets[code], number=number)
                for draft, card in accepted
                for code, number in draft.printings
                if (code, number) not in self.printings
            ],
            batch_size=1000,
        )


@transaction.atomic
def save_tags(*, game: Game, tags: Sequence[TagRow]) -> None:
    """The game's tags become these, whole: what isn't among them is removed. ``card`` is any name of the card.

    Three queries at most.
    """
    names = dict(CardName.objects.filter(game=game).values_list("key", "card_id"))
    wanted = {(names[name_key(row.card)], row.tag, row.during, row.source, row.announced_on): row for row in tags}
    stale = []
    for tag in CardTag.objects.filter(game=game):
        key = (tag.card_id, tag.tag, (tag.during.lower, tag.during.upper), tag.source, tag.announced_on)
        if key in wanted:
            del wanted[key]
        else:
            stale.append(tag.pk)
    CardTag.objects.filter(pk__in=stale).delete()
    CardTag.objects.bulk_create(
        CardTag(game=game, card_id=card, tag=tag, during=during, source=source, announced_on=announced)
        for card, tag, during, source, announced in wanted
    )


@transaction.atomic
def save_product(
    *, game: Game, slug: str, version: int, name: str, definition: Mapping[str, Any], digest: str, sample: bool
) -> Product:
    """Creates the version. A published version stays as it is: the caller has made sure that nothing refers to it."""
    product, _ = Product.objects.update_or_create(
        game=game,
        slug=slug,
        version=version,
        defaults={"name": name, "definition": dict(definition), "digest": digest, "is_sample": sample},
    )
    return product
