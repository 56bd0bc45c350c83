"""What a page says about a deck: sentences, rules and mends made of a verdict, stored or just reached."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import date
from typing import Any

from django.urls import reverse

from cards.models import Game
from cards.queries import any_sample
from decks.engine.containers.opening import open_decklist
from decks.engine.mending import remove_copies, replace_lines
from decks.engine.meters import Meter
from decks.models import Decklist
from decks.queries import CheckedDeck, check_text, parse_text, sections_cited, verdict_digests, zone_specs
from rules.markdown import to_html
from rules.models import FormatVersion, Section
from rules.queries import format_by_slug, format_version_on
from rules.sentences import sentence

_REMOVABLE = (
    "copies.too_many",
    "status.",
    "pool.too_many",
    "pool.not",
    "pool.rotated",
    "pool.excluded",
    "eligible.not_eligible",
    "fixed.",
)


@dataclass(frozen=True)
class Panel:
    """The context of ``decks/_verdict.html``.

    ``violations`` have sentence, cite, cite_url, reading, section, rule_text, lines and mends; ``problems`` have
    number, raw, message and mends. A mend is {"value", "label"}: what a button named "mend" sends. Without
    ``mendable`` there are none, for a decklist that is frozen.
    """

    outcome: str
    violations: Sequence[Mapping[str, Any]]
    problems: Sequence[Mapping[str, Any]]
    notices: Sequence[Mapping[str, Any]] = ()
    meters: Sequence[Meter] = ()
    subject: str = ""
    has_samples: bool = False

    @property
    def broken(self) -> int:
        """How many rules are broken for sure."""
        return sum(not violation["undetermined"] for violation in self.violations)

    @property
    def open(self) -> int:
        """How many rules may be broken: it depends on what isn't known."""
        return len(self.violations) - self.broken


def panel_of_check(*, checked: CheckedDeck, format_version: FormatVersion, day: date, mendable: bool = True) -> Panel:
    """For a deck that is being written, with mends, or one that is only read. Those of ``sections_cited`` and 1."""
    return Panel(
        outcome=checked.verdict.outcome,
        violations=_violations(checked.violations, format_version, day, mendable=mendable),
        problems=_problems([problem.as_json() for problem in checked.parsed.problems], mendable=mendable),
        notices=[asdict(notice) for notice in checked.parsed.notices],
        meters=checked.meters,
        subject=_subject(format_version, day),
        has_samples=any_sample(card_ids=[entry.card for entry in checked.entries]),
    )


def panel_of_decklist(*, decklist: Decklist) -> Panel:
    """For a frozen decklist: the verdict that counts, nothing judged anew. The queries of ``sections_cited`` and 1.

    Select ``verdict``, ``later_verdict`` and ``format_version__format__game`` with the decklist.
    """
    version, day, stored = decklist.format_version, decklist.legality_date, decklist.standing
    told = [violation for violation in stored.violations if violation["code"] != "line.unresolved"]
    return Panel(
        outcome=stored.outcome,
        violations=_violations(told, version, day, mendable=False),
        problems=_problems(decklist.verdict.problems, mendable=False),
        subject=_subject(version, day),
        has_samples=any_sample(card_ids=[entry["card"] for entry in decklist.entries]),
    )


def _subject(version: FormatVersion, day: date) -> str:
    return f"{version.format.game.name}: {version.format.name} on {day.day} {day:%B %Y}"


def _violations(
    violations: Iterable[Mapping[str, Any]], version: FormatVersion, day: date, *, mendable: bool
) -> list[dict[str, Any]]:
    violations = list(violations)
    cites = {cite for found in violations for cite in (found["cite"], found.get("reading")) if cite}
    sections = sections_cited(citations=cites, format_version=version, day=day)
    labels = {zone.key: zone.label for zone in zone_specs(version.format.game)}
    told = []
    for violation in violations:
        section = sections.get(violation["cite"])
        reading = sections.get(violation.get("reading") or "")
        told.append(
            {
                **violation,
                "sentence": sentence(violation, labels),
                "section": section,
                "cite_url": _address(section),
                "rule_text": to_html(section.body) if section else "",
                "reading_section": reading,
                "reading_text": to_html(reading.body) if reading else "",
                "reading_url": _address(reading),
                "mends": _mends(violation) if mendable else [],
            }
        )
    return told


def _address(section: Section | None) -> str:
    if section is None:
        return ""
    document = section.document
    return reverse("rules:section", args=[document.game.slug, document.slug, document.version, section.number])


def _mends(violation: Mapping[str, Any]) -> list[dict[str, str]]:
    excess, cards = violation.get("excess") or 0, violation["cards"]
    if excess <= 0 or len(cards) != 1 or not violation["code"].startswith(_REMOVABLE):
        return []
    zones = ",".join(violation["zones"])
    return [{"value": f"remove {cards[0]['id']} {excess} {zones}", "label": f"Remove {excess} × {cards[0]['name']}"}]


def _problems(problems: Iterable[Mapping[str, Any]], *, mendable: bool) -> list[dict[str, Any]]:
    told = []
    for problem in problems:
        if problem["code"] == "decks.zone_awaited":  # the question above stands for all of them
            continue
        pairs = zip(problem["suggestions"], problem["replacements"], strict=True) if mendable else ()
        mends = [{"value": f"line {problem['number']} {line}", "label": f"It is {name}"} for name, line in pairs]
        told.append({**problem, "mends": mends})
    return told


def mended(*, text: str, mend: str, game: Game) -> str:
    """``text`` after the mend of a pressed button. What no button says changes nothing.

    "line 7 3x Name" puts a line in place of line 7; "remove 17 1 main,side" takes a copy of card 17 out. The queries
    of ``parse_text`` for the second.
    """
    words = mend.split(" ", 3)
    opened, _ = open_decklist(text)
    if words[0] == "line" and len(words) >= 3 and words[1].isdecimal() and len(words[1]) < 6:
        number, line = int(words[1]), " ".join(words[2:])
        if opened.kind == "text":
            return replace_lines(text, {number: line})
        # Another program's file is mended as the plain list that it comes to; its lines have the numbers of the file.
        places = [place for place, row in enumerate(opened.rows, 1) if row.number == number]
        return replace_lines(opened.as_text, {places[0]: line}) if len(places) == 1 else opened.as_text
    if words[0] == "remove" and len(words) == 4 and all(word.isdecimal() and len(word) < 18 for word in words[1:3]):
        text = text if opened.kind == "text" else opened.as_text
        parsed = parse_text(text=text, game=game)
        return remove_copies(text, parsed, card=int(words[1]), zones=words[3].split(","), count=int(words[2]))
    return text


def verdict_json(*, game: str, format: str, day: date, text: str) -> dict[str, Any]:
    """The answer of ``POST /check`` and of ``check_deck --json``: JSON types only."""
    found = format_by_slug(game=game, slug=format)
    version = format_version_on(format=found, day=day)
    checked = check_text(text=text, game=found.game, format_version=version, day=day)
    labels = {zone.key: zone.label for zone in checked.parsed.zones}
    return {
        "outcome": checked.verdict.outcome,
        "game": game,
        "format": format,
        "format_version": version.version,
        "on": day.isoformat(),
        "fingerprint": checked.fingerprint,
        "violations": [{**violation, "sentence": sentence(violation, labels)} for violation in checked.violations],
        "problems": [problem.as_json() for problem in checked.parsed.problems],
        "notices": [asdict(notice) for notice in checked.parsed.notices],
        "counts": [{**asdict(meter), "one_of": list(meter.one_of), "is_met": meter.is_met} for meter in checked.meters],
        "zones": [
            {
                "zone": zone.key,
                "name": zone.label,
                "count": count,
                "cards": [
                    {"count": row.count, "card": row.card, "name": row.name, "lines": list(row.lines)} for row in rows
                ],
            }
            for zone, count, rows in checked.zones
        ],
        "digests": verdict_digests(game=found.game, compiled=checked.compiled, deck=checked.deck),
    }
