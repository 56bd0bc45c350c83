"""Whether every verdict of an event comes from the rules that it kept when it began."""

from __future__ import annotations

from dataclasses import dataclass

from decks.queries import PARSER
from decks.queries.judging import Judge, Judgement, judgements
from events.models import DecklistSubmission, Event, LogEntry
from rules.engine.digests import ENGINE, digest_of
from rules.models import FormatVersion, KeptRules


@dataclass(frozen=True)
class Replayed:
    """``verdicts`` is the number of decklists judged again; what an older engine or parser judged isn't."""

    verdicts: int
    faults: tuple[str, ...]


def verdicts_replayed(event: Event) -> Replayed:
    """Judge the decklists that count by the rules that the event's log names. Eight queries at most.

    An event that began before rules were kept names none, and neither does one that has not begun.
    """
    began = LogEntry.objects.filter(event=event, kind="event.started").first()
    named = None if began is None else began.payload.get("rules")
    if named is None:
        return Replayed(0, ())
    kept = KeptRules.objects.filter(pk=event.kept_rules_id or 0).first()
    if kept is None or named != kept.digest or named != digest_of_kept(kept):
        return Replayed(0, ("The rules that decklists are judged by are not those that the event began with.",))
    version = FormatVersion.objects.select_related("format__game").get(pk=event.format_version_id)
    submissions = DecklistSubmission.objects.filter(event=event, replaced_at=None)
    names = dict(submissions.values_list("decklist", "player__name"))
    judged = [
        found for found in judgements(decklist_ids=sorted(names), judge=Judge((version, kept.pk))) if _replays(found)
    ]
    wrong = sorted(names[found.decklist] for found in judged if found.now != found.before)
    faults = (f"Not judged by the rules that the event began with: {', '.join(wrong)}.",) if wrong else ()
    return Replayed(len(judged), faults)


def digest_of_kept(kept: KeptRules) -> str:
    """Worked out of what is stored. No query."""
    return digest_of([kept.format_id, kept.pack, kept.statuses, kept.cards])


def _replays(found: Judgement) -> bool:
    digests = found.before.digests
    return (digests.get("engine"), digests.get("parser")) == (ENGINE, PARSER)
