"""What a publication does to events: shown before it is made, carried out after it. Running events are not touched."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from django.db import transaction

from accounts.models import User
from cards.models import Game
from decks.models import Revalidation
from decks.queries.judging import changed_outcomes
from decks.services.revalidation import run_revalidation, start_revalidation
from events.models import Event, LogEntry
from events.queries.publishing import (
    JUDGED_AGAIN,
    Met,
    Reach,
    Scope,
    begun,
    current_decklists,
    events_to_renew,
    events_waiting,
    reach_of,
    scopes_of,
)
from events.services.keeping import version_in_force
from events.services.transaction import SYSTEM, EventTransaction, event_transaction, hold_events
from rules.engine.publication import PublicationFile
from rules.models import Publication
from rules.services.publishing import publish

MOST_JUDGED = 5_000
"""Decklists that somebody may wait for. Of more, only their number is told before they are judged."""

Outcomes = Mapping[tuple[str, str], int]
"""Decklists by the outcome that stands and the one that they would get."""


@dataclass(frozen=True)
class Preview:
    """What a publication would do. ``publication`` has its summary, and is stored only if it was published before.

    ``verdicts`` has, for each open event by id, how many decklists change theirs; None where they are too many to
    judge while somebody waits.
    """

    publication: Publication
    is_published: bool
    reach: Reach
    verdicts: Mapping[int, Outcomes] | None

    @property
    def changing(self) -> int | None:
        return None if self.verdicts is None else sum(sum(outcomes.values()) for outcomes in self.verdicts.values())

    @property
    def events(self) -> list[tuple[Met, Outcomes]]:
        """The open events, each with the verdicts that change in it."""
        return [(met, (self.verdicts or {}).get(met.event.pk, {})) for met in self.reach.open]


def preview(*, game: Game, user: User, file: PublicationFile, text: str = "") -> Preview:
    """Publishes, looks at what that did, and takes it back. Raises what ``rules.services.publishing.publish`` does."""
    with transaction.atomic():
        published = publish(game=game, user=user, file=file, text=text)
        reach = reach_of(scopes=scopes_of(published.publication.summary))
        decklists = reach.decklist_ids
        verdicts = _verdicts(reach) if len(decklists) <= MOST_JUDGED else None
        transaction.set_rollback(True)
    return Preview(published.publication, not published.created, reach, verdicts)


def _verdicts(reach: Reach) -> dict[int, Outcomes]:
    event_of = {decklist: met.event.pk for met in reach.open for decklist in met.decklist_ids}
    found: dict[int, Counter[tuple[str, str]]] = {met.event.pk: Counter() for met in reach.open}
    for decklist, before, after in changed_outcomes(decklist_ids=sorted(event_of)):
        found[event_of[decklist]][before, after] += 1
    return {event: dict(outcomes) for event, outcomes in found.items()}


def follow(*, publication_id: int, seconds: float | None = None) -> bool:
    """Carry a publication into the events that have not begun, and judge their decklists again; True once all is done.

    Any number of calls come to the same: what was done is not done again. False: ``seconds`` are over, or another
    process is at it. Unavailable: an event is busy.
    """
    revalidation = Revalidation.objects.filter(publication=publication_id).first()
    if revalidation is None:
        publication = Publication.objects.get(pk=publication_id)
        scopes = scopes_of(publication.summary)
        met: set[int] = set()
        # Each event is locked once: whoever is handing in a decklist now is let finish, and whoever comes later is
        # judged by the new lists.
        for event_id in events_to_renew(scopes=scopes):
            met |= renew_event(event_id=event_id, publication=publication, scopes=scopes)
        revalidation = start_revalidation(publication_id=publication_id, decklist_ids=met)
    return run_revalidation(revalidation_id=revalidation.pk, seconds=seconds, settled=settled)


def settled(decklist_ids: Collection[int]) -> set[int]:
    """Those that keep their verdicts. None of the other decklists' events begins before the caller's transaction ends.

    Else an event that took its decklists for legal could find them illegal once it has begun.
    """
    hold_events(events_waiting(decklist_ids))
    return begun(decklist_ids)


def renew_event(*, event_id: int, publication: Publication, scopes: list[Scope]) -> set[int]:
    """Give an event that has not begun the format version of its day, and log which verdicts change in it.

    The decklists that the publication meets, to be judged again. Nothing is logged where no verdict changes.
    """
    with event_transaction(event_id, actor=SYSTEM) as tx:
        event = tx.event
        decklists: dict[int, int] = {}
        if event.state == Event.State.REGISTRATION:
            version = version_in_force(event)
            is_new = version.pk != event.format_version_id
            if is_new:
                event.format_version = version
                event.save(update_fields=["format_version"])
            decklists = current_decklists(event=event, scopes=scopes)
            _log(tx, publication, decklists, version.version if is_new else None)
        tx.done(decklists=len(decklists))
    return set(decklists)


def _log(tx: EventTransaction, publication: Publication, decklists: Mapping[int, int], version: str | None) -> None:
    """For staff only: which decklists have a card on a list is their players' secret."""
    if LogEntry.objects.filter(event=tx.event, kind=JUDGED_AGAIN, payload__publication=publication.pk).exists():
        return
    changed = changed_outcomes(decklist_ids=sorted(decklists))
    if changed or version is not None:
        said = {
            "publication": publication.pk,
            "title": publication.title,
            "effective_on": publication.effective_on.isoformat(),
            "format_version": version,
            "judged": len(decklists),
            "changed": [
                {"player": decklists[decklist], "from": before, "to": after} for decklist, before, after in changed
            ],
        }
        tx.log(JUDGED_AGAIN, said, public=False)
