"""The import of cards: what a file says is held against what is stored, told, and then written whole or not at all."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from typing import Any

from django.db import transaction
from django.utils.text import slugify

from cards.engine.changes import CardImport, Change, Clash, FieldChange
from cards.engine.files import SetRow
from cards.engine.names import name_key
from cards.engine.rows import CardDraft, CardRow, merge
from cards.models import Card, CardName, CardSet, Game, Printing
from config.errors import Conflict, DomainError

_BATCH = 1000
_TAKEN = {"import"}
"""What stands in the place of a card's slug in other addresses."""
_NAMES_LABEL = {"alias": "Aliases", "face": "Faces", "former": "Former names"}
_SET_LABELS = {"name": "Name", "released_on": "Released on", "legal_on": "Legal on", "is_sample": "Sample"}


def import_cards(
    *,
    game: Game,
    rows: Sequence[CardRow],
    sets: Sequence[SetRow] = (),
    dry_run: bool = False,
    expected: str | None = None,
) -> CardImport:
    """Adds and renews the sets, then cards, their names and printings; removes nothing: decklists name cards by id.

    A row whose ``former`` names hold the printed name of a card renames that card; its address stays.

    All or nothing: with a clash (a name that already means another card, a printing number taken by another card)
    Conflict ``cards.clash`` lists them all. DomainError ``cards.invalid``: rows that contradict each other, or a set
    that the game doesn't have. ``dry_run`` reports, clashes included, and writes nothing. ``expected`` is the digest of
    such a report: Conflict ``cards.changed_since`` if the import would no longer do exactly that. One import of a game
    at a time. Five queries, and one for each thousand rows written.
    """
    drafts, faults = merge(rows)
    messages = [f"line {fault.line}: {fault.message}" for fault in faults]
    with transaction.atomic():
        Game.objects.select_for_update(no_key=True).get(pk=game.pk)
        known, set_changes, old_sets = _save_sets(game, sets)
        unknown: dict[str, int] = {}
        for row in rows:
            if row.set_code not in known:
                unknown.setdefault(row.set_code, row.line)
        messages += [
            f"line {line}: {game.name} has no set {code}: add the set first" for code, line in sorted(unknown.items())
        ]
        if messages:
            shown = "; ".join(messages[:20]) + (f"; and {len(messages) - 20} more" if len(messages) > 20 else "")
            raise DomainError("cards.invalid", f"The cards can't be imported: {shown}", {"faults": messages[:200]})
        plan = _Plan(game, known)
        plan.make(drafts)
        done = CardImport(
            cards=tuple(plan.changes),
            sets=tuple(set_changes),
            same=plan.same,
            clashes=tuple(plan.clashes),
            undo={"sets": old_sets, "cards": plan.undo},
        )
        if expected is not None and expected != done.digest:
            raise Conflict(
                "cards.changed_since",
                "The cards have changed since you looked at the preview, so nothing was imported. Look at it again.",
                {"digest": done.digest},
            )
        if dry_run:
            transaction.set_rollback(True)
        elif done.clashes:
            raise Conflict(
                "cards.clash",
                "Nothing was imported, since these cards clash with others: " + "; ".join(done.clashing[:20]),
                {"clashing": done.clashing[:200]},
            )
        else:
            plan.write()
    return done


def _save_sets(game: Game, sets: Sequence[SetRow]) -> tuple[dict[str, CardSet], list[Change], list[dict[str, Any]]]:
    """Every set of the game by code, what changed, and the old values. One query and one for each that differs."""
    known = {card_set.code: card_set for card_set in CardSet.objects.filter(game=game)}
    changes: list[Change] = []
    old: list[dict[str, Any]] = []
    for row in sets:
        card_set = known.get(row.code)
        is_new = card_set is None
        if card_set is None:
            card_set = known[row.code] = CardSet(game=game, code=row.code)
        values = {
            "name": row.name,
            "released_on": row.released_on,
            "legal_on": row.legal_on,
            "is_sample": row.sample,
        }
        before = {key: getattr(card_set, key) for key in values}
        fields = tuple(
            FieldChange(key, _SET_LABELS[key], None if is_new else _plain(before[key]), _plain(value))
            for key, value in values.items()
            if before[key] != value
        )
        if not is_new and fields:
            is_sample = before.pop("is_sample")
            old.append({"code": row.code, **{k: _plain(v) for k, v in before.items()}, "sample": is_sample})
        if is_new or fields:
            changes.append(Change(row.code, 0, is_new, fields))
            for key, value in values.items():
                setattr(card_set, key, value)
            card_set.save()
    return known, changes, old


def _plain(value: date | bool | str | None) -> bool | str | None:
    return value.isoformat() if isinstance(value, date) else value


class _Plan:
    """What drafts mean beside the game's stored cards. ``make`` only looks, ``write`` writes what it found."""

    def __init__(self, game: Game, sets: Mapping[str, CardSet]) -> None:
        self.game, self.sets = game, sets
        self.cards = {card.pk: card for card in Card.objects.select_for_update().filter(game=game)}
        self.names = {name.key: name for name in CardName.objects.filter(game=game)}
        self.slugs = {card.slug for card in self.cards.values()} | _TAKEN
        self.printings = {
            (code, number): card_id
            for code, number, card_id in Printing.objects.filter(card_set__game=game).values_list(
                "card_set__code", "number", "card_id"
            )
        }
        self.printed_as: dict[int, list[tuple[str, str]]] = defaultdict(list)
        for printing, card_id in self.printings.items():
            self.printed_as[card_id].append(printing)
        self.named: dict[int, list[CardName]] = defaultdict(list)
        for name in self.names.values():
            self.named[name.card_id].append(name)
        self.changes: list[Change] = []
        self.clashes: list[Clash] = []
        self.undo: list[dict[str, Any]] = []
        self.same = 0
        self._accepted: list[tuple[CardDraft, Card]] = []
        self._new: list[Card] = []
        self._changed: list[Card] = []

    def make(self, drafts: Iterable[CardDraft]) -> None:
        for draft in drafts:
            card = self._meant(draft)
            if reason := self._clash(draft, card):
                self.clashes.append(Clash(draft.line, reason))
                continue
            printed = {code for code, _ in draft.printings}
            if card is not None:
                printed |= {code for code, _ in self.printed_as[card.pk]}
            is_sample = all(self.sets[code].is_sample for code in printed)
            fields = self._scalars(draft, card, is_sample)
            more = self._more(draft)
            if card is None:
                card = Card(game=self.game, slug=self._slug(draft.name))
                self._new.append(card)
                self.changes.append(Change(draft.name, draft.line, True, (*fields, *more)))
            elif fields or more:
                if fields:
                    self.undo += self._as_it_was(card, draft)
                    self._changed.append(card)
                self.changes.append(Change(draft.name, draft.line, False, (*fields, *more)))
            else:
                self.same += 1
            card.name, card.text, card.facts, card.is_sample = draft.name, draft.text, dict(draft.facts), is_sample
            self._accepted.append((draft, card))

    def _meant(self, draft: CardDraft) -> Card | None:
        """The stored card that the draft speaks of: by its name, else the one whose printed name is a former one."""
        if (named := self.names.get(draft.key)) is not None:
            return self.cards[named.card_id]
        former = {name_key(text) for text in draft.former}
        holders = {self.names[key].card_id for key in former if key in self.names}
        renamed = [self.cards[pk] for pk in holders if name_key(self.cards[pk].name) in former]
        return renamed[0] if len(renamed) == 1 else None

    def _clash(self, draft: CardDraft, card: Card | None) -> str | None:
        former = {name_key(text) for text in draft.former}
        if card is not None and name_key(card.name) not in {draft.key, *former}:
            return f"{draft.name} (line {draft.line}) is already another name of {card.name}"
        for _, text in draft.other_names:
            other = self.names.get(name_key(text))
            if other is not None and (card is None or other.card_id != card.pk):
                return f"{text} of {draft.name} (line {draft.line}) already means {self.cards[other.card_id].name}"
        for code, number in draft.printings:
            holder = self.printings.get((code, number))
            if holder is not None and (card is None or holder != card.pk):
                return f"{code} {number} of {draft.name} (line {draft.line}) is already {self.cards[holder].name}"
        return None

    def _scalars(self, draft: CardDraft, card: Card | None, is_sample: bool) -> list[FieldChange]:
        found: list[FieldChange] = []
        if card is not None and card.name != draft.name:
            found.append(FieldChange("name", "Name", card.name, draft.name))
        old_text, old_facts = ("", {}) if card is None else (card.text, card.facts)
        if old_text != draft.text:
            found.append(FieldChange("text", "Text", old_text, draft.text))
        for key in dict.fromkeys([*self.game.facts, *old_facts, *draft.facts]):
            old, new = old_facts.get(key), draft.facts.get(key)
            if (type(old), old) != (type(new), new):
                label = self.game.facts.get(key, {}).get("label", key)
                found.append(FieldChange(f"facts.{key}", label, old, new))
        if (card is not None or is_sample) and is_sample != (card is not None and card.is_sample):
            found.append(FieldChange("is_sample", "Sample", None if card is None else card.is_sample, is_sample))
        return found

    def _more(self, draft: CardDraft) -> list[FieldChange]:
        """Printings and other names that the card doesn't have yet, or has spelt otherwise."""
        printings = [f"{code} {number}" for code, number in draft.printings if (code, number) not in self.printings]
        found = [FieldChange("printings", "Printings", None, printings)] if printings else []
        added: dict[str, list[str]] = {}
        for kind, text in draft.other_names:
            known = self.names.get(name_key(text))
            if known is None or known.kind != kind:
                added.setdefault(kind, []).append(text)
            elif known.text != text:
                found.append(FieldChange("spelling", "Spelling", known.text, text))
        return found + [FieldChange(f"names.{kind}", _NAMES_LABEL[kind], None, texts) for kind, texts in added.items()]

    def _as_it_was(self, card: Card, draft: CardDraft) -> list[dict[str, Any]]:
        """Rows of a file that gives the card what it has now. Undoing a new name, that one is the former."""
        names = {
            k: [n.text for n in self.named[card.pk] if n.kind == k and n.key != draft.key] for k in CardName.Kind.values
        }
        if name_key(card.name) != draft.key:
            names["former"].append(draft.name)
        row = {
            "name": card.name,
            "aliases": names["alias"],
            "faces": names["face"],
            "former": names["former"],
            "text": card.text,
            "facts": dict(card.facts),
        }
        return [{"set": code, "number": number, **row} for code, number in self.printed_as[card.pk]]

    def _slug(self, name: str) -> str:
        base = slugify(name_key(name))[:130] or "card"
        slug, number = base, 1
        while slug in self.slugs:
            number += 1
            slug = f"{base}-{number}"
        self.slugs.add(slug)
        return slug

    def write(self) -> None:
        Card.objects.bulk_create(self._new, batch_size=_BATCH)
        Card.objects.bulk_update(self._changed, ["name", "text", "facts", "is_sample"], batch_size=_BATCH)
        self._write_names()
        Printing.objects.bulk_create(
            [
                Printing(card=card, card_set=self.sets[code], number=number)
                for draft, card in self._accepted
                for code, number in draft.printings
                if (code, number) not in self.printings
            ],
            batch_size=_BATCH,
        )

    def _write_names(self) -> None:
        new: list[CardName] = []
        differing: list[CardName] = []
        for draft, card in self._accepted:
            wanted: dict[str, tuple[str, str]] = {draft.key: (CardName.Kind.CANONICAL, draft.name)}
            for other_kind, text in draft.other_names:
                wanted.setdefault(name_key(text), (other_kind, text))
            for key, (kind, text) in wanted.items():
                known = self.names.get(key)
                if known is None:
                    new.append(CardName(game=self.game, card=card, text=text, key=key, kind=kind))
                elif (known.kind, known.text) != (kind, text):
                    known.kind, known.text = kind, text
                    differing.append(known)
        CardName.objects.bulk_create(new, batch_size=_BATCH)
        CardName.objects.bulk_update(differing, ["text", "kind"], batch_size=_BATCH)
