"""From its start on an event is judged by the rules as they are then: whatever is published later leaves it alone."""

from __future__ import annotations

from decks.services.revalidation import settle_verdicts
from events.models import DecklistSubmission, Event
from events.services.transaction import SYSTEM, EventTransaction, event_transaction
from rules.models import FormatVersion, KeptRules
from rules.services.keeping import hold_game, keep_rules

SETTLED = "decklists.settled"
"""The kind of log entry for verdicts that changed when an event began, or was to begin."""


def keep_rules_of(tx: EventTransaction) -> KeptRules:
    """Fix what every decklist of the event is judged by, and judge those that count by just that.

    Without the second, two players could be judged by different lists: one was published a moment ago and not carried
    into the event yet, or a card's facts were corrected since. A publication that is under way is waited for.
    """
    kept = _settle(tx)
    tx.event.kept_rules = kept
    tx.event.save(update_fields=["format_version", "kept_rules"])
    return kept


def settle_event(*, event_id: int) -> None:
    """Judge the decklists of an event that was not let begin, so that its staff sees why. Unavailable: it is busy."""
    with event_transaction(event_id, actor=SYSTEM) as tx:
        if tx.event.state == Event.State.REGISTRATION:
            _settle(tx)
            tx.event.save(update_fields=["format_version"])
        tx.done()


def version_in_force(event: Event) -> FormatVersion:
    """The one of the event's day; where that day has none any more, the event keeps its own. One query."""
    for version in FormatVersion.objects.filter(format=event.format_id).select_related("format__game"):
        if event.legality_date in version.during:
            return version
    return event.format_version


def _settle(tx: EventTransaction) -> KeptRules:
    event = tx.event
    hold_game(event.game)
    event.format_version = version_in_force(event)
    kept = keep_rules(format=event.format, day=event.legality_date)
    submissions = DecklistSubmission.objects.filter(event=event, replaced_at=None)
    players = dict(submissions.values_list("decklist", "player"))
    changed = settle_verdicts(decklist_ids=players, format_version=event.format_version, kept=kept.pk)
    if changed:
        said = [{"player": players[decklist], "from": before, "to": after} for decklist, before, after in changed]
        tx.log(SETTLED, {"changed": said}, public=False)
    return kept
