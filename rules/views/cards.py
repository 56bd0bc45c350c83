"""The page of one card: what it says and may do on a day, and everything that names it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from itertools import groupby

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from cards.engine.facts import FactValue
from cards.models import Card, CardTag, Erratum, Game, Printing
from cards.queries import card_by_slug, card_text_on, errata_of, game_by_slug
from rules import queries
from rules.engine.selectors import CardFacts
from rules.lists import entry_text
from rules.markdown import to_html
from rules.models import Format
from rules.queries.rulings import rulings_of_card, sections_named
from rules.standing import standing_text
from rules.views.days import day_asked

NAMES = {"alias": "also called", "face": "faces", "former": "formerly"}


@dataclass(frozen=True)
class Legality:
    """A format with the card's standing on the day and today, each with the reason. None: no version is in force."""

    format: Format
    standing: queries.CardStanding | None
    why: str
    now: queries.CardStanding | None
    why_now: str

    @property
    def is_pooled(self) -> bool:
        """Whether it is played with what one opened or drafted, so that the card itself decides nothing."""
        return all(one is not None and one.standing == "own pool" for one in (self.standing, self.now))


@dataclass(frozen=True)
class Change:
    """An erratum with its facts in words, and whether it holds on the day."""

    erratum: Erratum
    facts: list[tuple[str, FactValue]]
    in_force: bool


@require_safe
def card(request: HttpRequest, game: str, card: str) -> HttpResponse:
    day, today = day_asked(request), timezone.localdate()
    found_game = game_by_slug(slug=game)
    found = card_by_slug(game=found_game, slug=card)
    labels = {key: spec["label"] for key, spec in found_game.facts.items()}
    zones = {zone["key"]: zone["label"] for zone in found_game.zones}
    facts = queries.card_facts_for([found.pk], day=day)[found.pk]
    statuses = queries.statuses_of(card=found, day=day)
    legality = _legality(found, found_game, facts, day, today)
    cited = sections_named(citations=(status.entry.section for status in statuses), game=found_game, day=day)
    text = card_text_on(card=found, day=day)
    context = {
        "game": found_game,
        "card": found,
        "day": day,
        "today": today,
        "text": text,
        "printed_text": found.text if text != found.text else "",
        "facts": [(label, facts.facts[key], key) for key, label in labels.items() if facts.facts.get(key) is not None],
        "changed_facts": {key for key in facts.facts if facts.facts[key] != found.facts.get(key)},
        "unknown": [label for key, label in labels.items() if facts.facts.get(key) is None],
        "names": _names(found),
        "printings": sorted(found.printings.all(), key=_place),
        "tags": _tags(found, day),
        "errata": _errata(errata_of(card=found), labels, day),
        "legality": [one for one in legality if not one.is_pooled],
        "pooled": [one for one in legality if one.is_pooled],
        "statuses": [
            (status, entry_text(status.entry, zones), cited.get(status.entry.section))
            for status in sorted(statuses, key=_since, reverse=True)
        ],
        "sections": list(queries.sections_about(card=found, day=day)),
        "rulings": [(ruling, to_html(ruling.answer)) for ruling in rulings_of_card(card=found, day=day)],
    }
    return render(request, "rules/card.html", context)


def _names(card: Card) -> list[tuple[str, str]]:
    """What the card is called beside its printed name, by kind: ("also called", "Spear, Pike")."""
    found = sorted((name.kind, name.text) for name in card.names.all() if name.kind in NAMES)
    return [
        (NAMES[kind], ", ".join(text for _, text in names)) for kind, names in groupby(found, key=lambda one: one[0])
    ]


def _place(printing: Printing) -> tuple[date, str, int, str]:
    card_set, number = printing.card_set, printing.number
    known = card_set.released_on or card_set.legal_on or date.max
    return known, card_set.code, int(number) if number.isdecimal() else 0, number


def _tags(card: Card, day: date) -> list[tuple[CardTag, bool]]:
    """Every tag that the card ever has, and whether on the day; those of the day first."""
    found = [(tag, day in tag.during) for tag in card.tags.all()]
    return sorted(found, key=lambda one: (not one[1], one[0].tag, one[0].during.lower or date.min))


def _errata(errata: Iterable[Erratum], labels: Mapping[str, str], day: date) -> list[Change]:
    return [
        Change(one, [(labels.get(key, key), value) for key, value in one.facts.items()], one.starts_on <= day)
        for one in errata
    ]


def _since(status: queries.CardStatus) -> date:
    since: date | None = status.entry.during.lower
    return since or date.min


def _legality(card: Card, game: Game, facts: CardFacts, day: date, today: date) -> list[Legality]:
    then = {one.format.pk: one for one in queries.standings_of_card(card=card, facts=facts, day=day)}
    now = then
    if day != today:
        facts_now = queries.card_facts_for([card.pk], day=today)[card.pk]
        now = {one.format.pk: one for one in queries.standings_of_card(card=card, facts=facts_now, day=today)}
    found = []
    for format in queries.formats(game=game):
        on, at_present = then.get(format.pk), now.get(format.pk)
        why = standing_text(on, game) if on else ""
        found.append(Legality(format, on, why, at_present, standing_text(at_present, game) if at_present else ""))
    return found
