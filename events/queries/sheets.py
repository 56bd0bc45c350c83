"""What stands on registration sheets: the decklists that count, or the empty rows of a format."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from zoneinfo import ZoneInfo

from django.db.models import QuerySet
from django.db.models.functions import Now
from django.urls import reverse

from cards.engine.names import name_key
from cards.models import Card
from config.errors import NotFound
from decks.models import Verdict
from decks.sheets import Block, Sheet
from events.engine.names import filing_name
from events.models import DecklistSubmission, Event, PrintJob
from events.queries.visibility import WITH_VERDICTS
from rules.descriptions import rule_text
from rules.engine.formatschema import EventPool, FormatDefinition, ZoneCount

MOST_EMPTY = 20  # rows of a zone that may hold any number of cards; the first zone has what the page holds anyway
BATCH = 50


def sheet_orders(event: Event) -> list[tuple[str, str]]:
    """(key, words) of the orders in which cards may stand: by name, or first by a fact of the game. No query."""
    return [("name", "Name"), *((key, f"{spec['label']}, then name") for key, spec in event.game.facts.items())]


def filled_sheets(
    event: Event, *, origin: str, order: str = "name", player_id: int | None = None, public: bool = False
) -> Iterator[Sheet]:
    """The decklists that count, by family name; of one player only with ``player_id``. ``public``: by the name that
    everybody reads.

    One query for the list, then two for each BATCH of decklists, however large.
    """
    current = DecklistSubmission.objects.filter(event=event, replaced_at=None)
    if player_id is not None:
        current = current.filter(player=player_id)
    named = sorted(
        current.values_list("pk", "player__name"),
        key=lambda pair: ([name_key(part) for part in filing_name(pair[1])], pair[0]),
    )
    ids = [pk for pk, _ in named]
    for start in range(0, len(ids), BATCH):
        batch = ids[start : start + BATCH]
        found = DecklistSubmission.objects.filter(pk__in=batch).select_related("player", *WITH_VERDICTS).in_bulk()
        facts = _facts([found[pk] for pk in batch], order)
        for pk in batch:
            yield _sheet(event, found[pk], origin, facts, public=public)


def number_of_sheets(event: Event) -> int:
    """How many decklists count. One query."""
    return DecklistSubmission.objects.filter(event=event, replaced_at=None).count()


def blank_sheet(event: Event) -> Sheet:
    """A sheet to fill in by hand, with the rows that the event's format asks for. No query."""
    definition = FormatDefinition.model_validate(event.format_version.definition)
    pool = isinstance(definition.pool, EventPool)
    return Sheet("", "", event.name, _details(event), tuple(_blocks(event, {}, blank=True, pool=pool)))


def _facts(submissions: Sequence[DecklistSubmission], order: str) -> dict[int, str]:
    """What cards are sorted by before their names; nothing for an order by name alone. One query at most."""
    if order == "name":
        return {}
    ids = {card for submission in submissions for card in submission.decklist.card_ids}
    values = Card.objects.filter(pk__in=ids).values_list("pk", f"facts__{order}")
    return {pk: f"{value:09d}" if isinstance(value, int) else str(value or "~") for pk, value in values}


def _sheet(event: Event, submission: DecklistSubmission, origin: str, facts: dict[int, str], *, public: bool) -> Sheet:
    decklist = submission.decklist
    rows: dict[str, list[tuple[int, str]]] = {}
    entries = sorted(decklist.entries, key=lambda e: (facts.get(e["card"], ""), name_key(e["name"]), e["card"]))
    for entry in entries:
        rows.setdefault(entry["zone"], []).append((entry["count"], entry["name"]))
    family, given = filing_name(submission.player.shown_name if public else submission.player.name)
    return Sheet(
        family_name=family,
        given_name=given,
        title=event.name,
        details=_details(event, submission.submitted_at),
        blocks=tuple(_blocks(event, rows)),
        verdict=_verdict(event, submission),
        fingerprint=decklist.fingerprint,
        link=origin + reverse("events:decklist_of", args=[event.code, submission.player_id]),
        notes=tuple(f"Line {line['number']} is no card: {line['raw']}"[:90] for line in decklist.verdict.problems[:3]),
    )


def _details(event: Event, submitted_at: datetime | None = None) -> tuple[tuple[str, str], ...]:
    zone = ZoneInfo(event.time_zone)
    starts = event.starts_at.astimezone(zone)
    handed_in = "" if submitted_at is None else f"{submitted_at.astimezone(zone):%-d %b %Y %H:%M %Z}"
    return (
        ("Date", f"{starts:%-d %B %Y}"),
        ("Place", event.place),
        ("Format", f"{event.format.name} {event.format_version.version}"),
        ("Lists as of", f"{event.legality_date:%-d %B %Y}"),
        ("Handed in", handed_in),
        ("Table", ""),
    )


def _blocks(
    event: Event, rows: dict[str, list[tuple[int, str]]], *, blank: bool = False, pool: bool = False
) -> Iterator[Block]:
    definition = FormatDefinition.model_validate(event.format_version.definition)
    labels = {zone["key"]: zone["label"] for zone in event.game.zones}
    rules = {
        rule.zones[0]: rule for rule in definition.constraints if isinstance(rule, ZoneCount) and not rule.zones[1:]
    }
    for place, (key, label) in enumerate(labels.items()):
        rule = rules.get(key)
        asks = "" if rule is None else rule_text(rule, labels).asks
        most = None if rule is None else max(rule.one_of) if rule.one_of else rule.max
        if most == 0 and key not in rows:
            continue
        counts = ("played", "pool") if blank and pool and place == 0 else ("#",)
        empty = 0 if not blank else min(most or MOST_EMPTY, MOST_EMPTY)
        said = f"{asks[:1].upper()}{asks[1:]}." if asks else ""
        yield Block(label, tuple(rows.get(key, ())), said, empty, counts)


def _verdict(event: Event, submission: DecklistSubmission) -> str:
    """What the newest verdict says, and by what."""
    decklist = submission.decklist
    later = getattr(decklist, "later_verdict", None)
    outcome = Verdict.Outcome((later or decklist.verdict).outcome).label
    version = decklist.format_version
    since = ""
    if later is not None:
        cause = f"for “{later.publication}”" if later.publication else "when the event was to begin"
        since = f", judged again {cause}"
    return (
        f"{outcome} as of {decklist.legality_date:%-d %B %Y} under {version.format.name} {version.version}, "
        f"by the lists of that day{since}."
    )


def print_jobs(event: Event, *, user_id: int) -> QuerySet[PrintJob]:
    """The person's own jobs that are not forgotten yet, the newest first, without their content. One query."""
    return PrintJob.objects.filter(event=event, requested_by=user_id, expires_at__gt=Now()).defer("content")


def print_job(event: Event, *, user_id: int, job_id: int) -> PrintJob:
    """One query. NotFound "print.unknown": no such job of this person."""
    job = PrintJob.objects.filter(event=event, requested_by=user_id, expires_at__gt=Now(), pk=job_id).first()
    if job is None:
        raise NotFound("print.unknown", "There is no such paper any more. Have it made again.", {"job": job_id})
    return job


def waiting_print_jobs() -> list[int]:
    """Jobs that nobody has begun. One query."""
    return list(PrintJob.objects.filter(state=PrintJob.State.WAITING).values_list("pk", flat=True))
