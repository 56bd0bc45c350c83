"""What became different from one version of a format to the next: rules and policies, compared field by field."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, timedelta

from rules.descriptions import policy_facts, pool_text, rule_text
from rules.engine.formatschema import FormatDefinition
from rules.engine.policyschema import PolicyDefinition
from rules.models import Format, FormatVersion, Policy, RulesDocument, Section


@dataclass(frozen=True)
class Change:
    """``before`` or ``after`` is empty where that version says nothing of it. ``section`` is where the new one does."""

    label: str
    before: str
    after: str
    cite: str
    section: Section | None = None


@dataclass(frozen=True)
class Changes:
    before: FormatVersion
    after: FormatVersion
    rows: tuple[Change, ...]


@dataclass(frozen=True)
class _Said:
    label: str
    value: str
    cite: str


def changes_of_format(*, version: FormatVersion) -> Changes | None:
    """How ``version`` and the policies of its first day differ from what was in force before; None for a first version.

    At most four queries; select ``format__game`` and ``document`` with the version.
    """
    start = version.during.lower
    if start is None:
        return None
    earlier = FormatVersion.objects.filter(format=version.format, during__endswith__lte=start)
    before = earlier.order_by("-during").first()
    if before is None:
        return None
    was, now = _policies(version.format, start - timedelta(days=1)), _policies(version.format, start)
    kept = {key.partition(" ")[0] for key in was} & {key.partition(" ")[0] for key in now}
    rows = [
        *_compared(_rules(before, version.format), _rules(version, version.format)),
        *_compared(_only(was, kept), _only(now, kept)),
    ]
    return Changes(before, version, _with_sections(rows, version.document))


def _rules(version: FormatVersion, format: Format) -> dict[str, _Said]:
    definition = FormatDefinition.model_validate(version.definition)
    zones = {zone["key"]: zone["label"] for zone in format.game.zones}
    pool = pool_text(definition.pool)
    said = {"pool": _Said(pool.subject, pool.asks, definition.pool.cite or "")}
    for rule in definition.constraints:
        text = rule_text(rule, zones)
        said[f"rule {rule.id}"] = _Said(text.subject, text.asks, rule.cite)
    return said


def _policies(format: Format, day: date) -> dict[str, _Said]:
    return {
        f"{policy.slug} {fact.key}": _Said(fact.label, fact.value, fact.cite or "")
        for policy in Policy.objects.filter(format=format, during__contains=day)
        for fact in policy_facts(PolicyDefinition.model_validate(policy.definition))
    }


def _only(said: Mapping[str, _Said], slugs: set[str]) -> dict[str, _Said]:
    """A policy that came or went altogether is no change of one."""
    return {key: one for key, one in said.items() if key.partition(" ")[0] in slugs}


def _compared(before: Mapping[str, _Said], after: Mapping[str, _Said]) -> Iterator[Change]:
    nothing = _Said("", "", "")
    for key in [*after, *(key for key in before if key not in after)]:
        was, now = before.get(key, nothing), after.get(key, nothing)
        if was.value != now.value:
            yield Change(now.label or was.label, was.value, now.value, now.cite or was.cite)


def _with_sections(rows: Iterable[Change], document: RulesDocument) -> tuple[Change, ...]:
    rows = tuple(rows)
    numbers = {row.cite.partition(" ")[2] for row in rows}
    found = Section.objects.filter(document=document, number__in=numbers).select_related("document__game")
    sections = {f"{section.document.prefix} {section.number}": section for section in found}
    return tuple(Change(row.label, row.before, row.after, row.cite, sections.get(row.cite)) for row in rows)
