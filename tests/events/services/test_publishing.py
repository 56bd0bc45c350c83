"""What a publication does to events: shown first, carried into those that have not begun, and never into others."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, time, timedelta
from typing import Any

import pytest
from django.utils import timezone

from cards.models import Card
from config.errors import Conflict, NotAllowed
from decks.models import Decklist, LaterVerdict, Revalidation
from events.models import DecklistSubmission, LogEntry
from events.queries.publishing import scopes_of
from events.sentences import log_sentence
from events.services import publishing, setup
from rules.engine.publication import PublicationFile, publication_of
from rules.models import FormatVersion, Publication, StatusEntry
from rules.services.publishing import add_game_organiser
from rules.services.publishing import publish as publish_lists
from tests.events.factories import Made, make_user

TODAY = timezone.localdate()
DAY = timedelta(days=1)
D = TODAY + timedelta(days=7)


def event_on(make_event: Callable[..., Made], days: int, **options: Any) -> Made:
    """An event that many days after the publication's day, each player with the same legal decklist."""
    day = D + timedelta(days=days)
    starts = datetime.combine(day, time(9), tzinfo=timezone.get_current_timezone())
    return make_event(**{"players": 2, "decklists": True, "name": f"Day {days}", "starts_at": starts, **options})


def a_card(made: Made) -> str:
    """One that every decklist of the event has."""
    decklist = DecklistSubmission.objects.filter(event=made.event).order_by("pk")[0].decklist
    return Card.objects.get(pk=decklist.card_ids[0]).name


def file_of(made: Made, card: str, status: str = "banned", **more: Any) -> PublicationFile:
    change = {"format": "designed-deck", "card": card, "status": status, "section": "EPIC 12.6"}
    body = {"title": "Winter list", "source": "Letter", "effective_on": D.isoformat(), "changes": [change]}
    return publication_of({**body, **more})


def publish(made: Made, file: PublicationFile) -> Publication:
    """Published by an organiser of the game, and carried out."""
    add_game_organiser(game=made.event.game, user=made.organiser)
    publication = publish_lists(game=made.event.game, user=made.organiser, file=file).publication
    assert publishing.follow(publication_id=publication.pk)
    return publication


def preview(made: Made, file: PublicationFile) -> publishing.Preview:
    add_game_organiser(game=made.event.game, user=made.organiser)
    return publishing.preview(game=made.event.game, user=made.organiser, file=file)


def text_of(made: Made) -> str:
    return str(DecklistSubmission.objects.filter(event=made.event).order_by("pk")[0].decklist.text)


def later(made: Made) -> list[str]:
    found = LaterVerdict.objects.filter(decklist__submissions__event=made.event).order_by("pk")
    return [verdict.outcome for verdict in found]


def judged_again(made: Made) -> list[LogEntry]:
    return list(LogEntry.objects.filter(event=made.event, kind="decklists.judged_again"))


def test_a_preview_counts_decklists_and_verdicts_and_stores_nothing(make_event):
    before, on_day, after = (event_on(make_event, days) for days in (-1, 0, 3))
    running = event_on(make_event, -6, started=True, decklists=None, name="Under way")
    found = preview(after, file_of(after, a_card(after)))
    assert [(met.event, len(met.decklist_ids), outcomes) for met, outcomes in found.events] == [
        (on_day.event, 2, {("legal", "illegal"): 2}),
        (after.event, 2, {("legal", "illegal"): 2}),
    ]
    assert (found.changing, found.is_published) == (4, False)
    assert [(met.event, len(met.decklist_ids)) for met in found.reach.running] == [(running.event, 2)]
    assert found.reach.finished == 0
    assert before.event not in [met.event for met in found.reach.open]
    assert not Publication.objects.exists()
    assert not StatusEntry.objects.filter(format=after.event.format).exists()
    assert not LaterVerdict.objects.exists()


def test_a_preview_of_a_card_in_no_decklist_meets_nobody(make_event):
    made = event_on(make_event, 0)
    unused = Card.objects.filter(game=made.event.game).exclude(
        pk__in=[card for ids in Decklist.objects.values_list("card_ids", flat=True) for card in ids]
    )
    found = preview(made, file_of(made, unused[0].name))
    assert (found.reach.open, found.reach.running, found.changing) == ((), (), 0)


def test_more_decklists_than_can_be_judged_meanwhile_are_only_counted(make_event, monkeypatch):
    made = event_on(make_event, 0)
    monkeypatch.setattr(publishing, "MOST_JUDGED", 1)
    found = preview(made, file_of(made, a_card(made)))
    assert (len(found.reach.decklist_ids), found.verdicts, found.changing) == (2, None, None)


def test_the_decklists_of_coming_events_are_judged_again_and_their_staff_is_told(make_event):
    made = event_on(make_event, 0)
    publication = publish(made, file_of(made, a_card(made)))
    assert later(made) == ["illegal", "illegal"]
    done = Revalidation.objects.get(publication=publication)
    assert (done.state, done.done, done.changed) == ("done", 2, 2)
    [entry] = judged_again(made)
    assert not entry.is_public
    names = {player.pk: player.name for player in made.players}
    assert log_sentence(entry.kind, entry.payload, names) == (
        "“Winter list” was published; of 2 decklists that it meets, Ada Brook's is illegal now and Bela Quist's is "
        "illegal now"
    )


def test_a_ban_between_two_days_of_an_event_leaves_it_alone_and_meets_a_new_event(make_event):
    first = event_on(make_event, -1, started=True, decklists=None)
    second = event_on(make_event, 0)
    publish(first, file_of(first, a_card(first)))
    assert (later(first), later(second)) == ([], ["illegal", "illegal"])
    assert [decklist.verdict.outcome for decklist in Decklist.objects.order_by("pk")] == ["legal"] * 4
    assert (judged_again(first), len(judged_again(second))) == ([], 1)
    assert first.submit(first.players[0], text_of(first)) == "legal"
    assert second.submit(second.players[0], text_of(first)) == "illegal"


def test_an_event_to_begin_before_its_decklists_are_judged_is_met_by_the_publication(make_event, monkeypatch):
    made = event_on(make_event, 0, checked_in=True)
    add_game_organiser(game=made.event.game, user=made.organiser)
    publication = publish_lists(game=made.event.game, user=made.organiser, file=file_of(made, a_card(made))).publication
    judge = publishing.run_revalidation

    def start_first(**arguments: Any) -> bool:
        with pytest.raises(Conflict):
            setup.start_event(event_id=made.event.pk, actor=made.by_organiser)
        return judge(**arguments)

    monkeypatch.setattr(publishing, "run_revalidation", start_first)
    assert publishing.follow(publication_id=publication.pk)
    assert (later(made), made.refresh().state) == (["illegal", "illegal"], "registration")


def test_following_twice_is_following_once(make_event):
    made = event_on(make_event, 0)
    add_game_organiser(game=made.event.game, user=made.organiser)
    file = file_of(made, a_card(made))
    publication = publish_lists(game=made.event.game, user=made.organiser, file=file).publication
    for _ in range(2):  # as if the worker had been stopped before it judged anything
        scopes = scopes_of(publication.summary)
        assert len(publishing.renew_event(event_id=made.event.pk, publication=publication, scopes=scopes)) == 2
    assert len(judged_again(made)) == 1
    assert publishing.follow(publication_id=publication.pk)
    Revalidation.objects.all().delete()
    assert publishing.follow(publication_id=publication.pk)
    assert publishing.follow(publication_id=publication.pk)
    assert len(judged_again(made)) == 1
    assert later(made) == ["illegal", "illegal"]


def test_a_new_version_is_that_of_the_events_of_its_days(make_event):
    before, made = event_on(make_event, -1), event_on(make_event, 0)
    running = event_on(make_event, 1, started=True, decklists=None)
    old = made.event.format_version
    definition = {**old.definition, "version": "99", "from": D.isoformat()}
    definition["constraint"] = [
        {**rule, "min": 200} if rule["kind"] == "zone_count" and rule.get("min") == 60 else rule
        for rule in definition["constraint"]
    ]
    file = file_of(made, "", changes=[], formats=[definition])
    found = preview(made, file)
    assert [(met.event, outcomes) for met, outcomes in found.events] == [(made.event, {("legal", "illegal"): 2})]
    publish(made, file)
    new = FormatVersion.objects.get(format=made.event.format, version="99")
    assert [one.refresh().format_version for one in (before, made, running)] == [old, new, old]
    assert (later(before), later(made), later(running)) == ([], ["illegal", "illegal"], [])
    assert [entry.payload["format_version"] for entry in judged_again(made)] == ["99"]


def test_a_decklist_that_is_handed_in_after_it_is_judged_by_the_new_list(make_event):
    made = event_on(make_event, 0, decklists=False)
    text_event = event_on(make_event, 0, name="Other")
    publish(made, file_of(made, a_card(text_event)))
    assert made.submit(made.players[0]) == "illegal"


def test_replaced_decklists_and_those_of_dropped_players_are_not_met(make_event):
    made = event_on(make_event, 0)
    card = a_card(made)
    made.submit(made.players[0], text_of(made).replace(card, "Nothing at all"))
    assert len(preview(made, file_of(made, card)).reach.decklist_ids) == 1
    made.players[1].state = "dropped"
    made.players[1].save()
    assert preview(made, file_of(made, card)).reach.decklist_ids == []


def test_a_preview_is_for_organisers_of_the_game(make_event):
    made = event_on(make_event, 0)
    with pytest.raises(NotAllowed):
        publishing.preview(game=made.event.game, user=make_user("Mira Okafor"), file=file_of(made, a_card(made)))
