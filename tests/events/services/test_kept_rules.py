"""From its start on an event is judged by the rules of that moment, whatever is published, loaded or imported later."""

from __future__ import annotations

import threading
from collections.abc import Callable
from datetime import date, datetime, time, timedelta
from importlib import import_module
from typing import Any

import pytest
from django.apps import apps
from django.db import connection
from django.utils import timezone

from cards.models import Card, CardSet, CardTag, Erratum, Printing
from cards.models import CardName as Name
from config.errors import Conflict
from decks.models import Decklist, LaterVerdict
from decks.queries import replay_verdict
from events.models import DecklistSubmission, Event, LogEntry
from events.queries.kept import digest_of_kept
from events.queries.publishing import reach_of, scopes_of
from events.queries.verification import verify_event
from events.sentences import log_sentence
from events.services import keeping, publishing, setup, submission
from rules.engine.publication import publication_of
from rules.engine.selectors import CardFacts
from rules.models import KeptRules, Publication, StatusEntry
from rules.services import keeping as kept_by_rules
from rules.services.publishing import add_game_organiser
from rules.services.publishing import publish as publish_lists
from tests.events import factories
from tests.events.factories import Made
from tests.threads import at_once, of_type

TODAY = timezone.localdate()
D = TODAY + timedelta(days=7)
"""The legality date of most events here; they begin earlier than that."""


def event_on(make: Callable[..., Made], day: Any = D, **options: Any) -> Made:
    starts = datetime.combine(day, time(9), tzinfo=timezone.get_current_timezone())
    return make(**{"players": 2, "starts_at": starts, **options})


def decklist_of(made: Made, player: int = 0) -> Decklist:
    found = DecklistSubmission.objects.select_related(
        "decklist__verdict", "decklist__later_verdict", "decklist__format_version__format__game"
    )
    return found.get(player=made.players[player], replaced_at=None).decklist


def card_in(made: Made) -> Card:
    return Card.objects.get(pk=decklist_of(made).card_ids[0])


def publish(made: Made, day: Any = D, *, follow: bool = True, **said: Any) -> Publication:
    """A ban of a card that every decklist has, or what is ``said``."""
    add_game_organiser(game=made.event.game, user=made.organiser)
    ban = {"format": made.event.format.slug, "card": card_in(made).name, "status": "banned", "section": "EPIC 12.6"}
    said = said or {"changes": [ban]}
    file = publication_of({"title": "Winter list", "source": "Letter", "effective_on": day.isoformat(), **said})
    publication = publish_lists(game=made.event.game, user=made.organiser, file=file).publication
    if follow:
        assert publishing.follow(publication_id=publication.pk)
    return publication


def hand_in_late(made: Made, text: str = "") -> str:
    change = submission.submit_decklist(
        event_id=made.event.pk,
        actor=made.by_organiser,
        player_id=made.players[1].pk,
        text=text or decklist_of(made).text,
        by_staff=True,
        reason="The list was lost.",
    )
    return str(change.facts["outcome"])


def test_a_late_decklist_is_judged_as_the_others_were_whatever_was_published_meanwhile(make_event):
    made, waiting = event_on(make_event, started=True), event_on(make_event, decklists=True)
    made.post_round()
    publish(made)
    assert (hand_in_late(made), hand_in_late(waiting)) == ("legal", "illegal")
    first, late = decklist_of(made, 0), decklist_of(made, 1)
    assert first.verdict.digests == late.verdict.digests
    assert not verify_event(made.refresh()).faults


@pytest.mark.parametrize("begins", [D - timedelta(days=3), D, D + timedelta(days=2)])
def test_it_is_the_start_that_counts_and_not_the_day_of_the_event(make_event, begins):
    made = event_on(make_event, begins, legality_date=D, started=True)
    publish(made)
    assert hand_in_late(made) == "legal"


def test_an_event_begun_after_the_publication_follows_it(make_event):
    made = event_on(make_event, decklists=True)
    card = card_in(made)
    publish(made)
    spare = Card.objects.filter(game=made.event.game, facts__cost="action").exclude(pk__in=decklist_of(made).card_ids)
    old = decklist_of(made).text
    for player in made.players:
        made.submit(player, old.replace(card.name, spare[0].name))
    check_in_and_start(made)
    assert hand_in_late(made, old) == "illegal"


def check_in_and_start(made: Made) -> None:
    for player in made.players:
        made.event.players.filter(pk=player.pk).update(state="checked_in")
    setup.start_event(event_id=made.event.pk, actor=made.by_organiser)
    made.refresh()


def test_a_correction_of_cards_or_tags_dated_earlier_leaves_a_running_event_alone(make_event):
    made = event_on(make_event, started=True)
    before = decklist_of(made).verdict
    ids = decklist_of(made).card_ids
    Card.objects.filter(pk__in=ids).update(facts={})
    Erratum.objects.create(card_id=ids[0], starts_on=D, facts={"cost": "seven"}, source="Letter")
    for card in ids:
        CardTag.objects.get_or_create(
            game=made.event.game, card_id=card, tag="gift", defaults={"during": (None, None), "source": "Letter"}
        )
    made.event.game.__class__.objects.filter(pk=made.event.game_id).update(digest="another pack")
    assert hand_in_late(made) == before.outcome
    late = decklist_of(made, 1).verdict
    assert (late.violations, late.digests) == (before.violations, before.digests)
    new = event_on(make_event)
    assert new.submit(new.players[0], decklist_of(made).text) != before.outcome


def test_a_card_that_was_entered_after_the_start_is_not_known_in_the_event(make_event):
    made = event_on(make_event, started=True)
    game = made.event.game
    card = Card.objects.create(game=game, slug="late-one", name="Late One", facts=card_in(made).facts)
    Name.objects.create(game=game, card=card, text=card.name, key="late one")
    Printing.objects.create(card=card, card_set=CardSet.objects.filter(game=game)[0], number="999")
    text = decklist_of(made).text.replace(card_in(made).name, card.name)
    assert hand_in_late(made, text) != "legal"
    assert [problem["raw"].endswith("Late One") for problem in decklist_of(made, 1).verdict.problems] == [True]
    new = event_on(make_event)
    new.submit(new.players[0], text)
    assert decklist_of(new).verdict.problems == []


def test_a_new_format_version_for_the_day_leaves_a_running_event_alone(make_event):
    made, waiting = event_on(make_event, started=True), event_on(make_event, decklists=True)
    old = made.event.format_version
    body = {**old.definition, "version": "next", "from": D.isoformat()}
    publish(made, formats=[body])
    assert (made.refresh().format_version, waiting.refresh().format_version.version) == (old, "next")
    hand_in_late(made)
    assert decklist_of(made, 1).format_version == old
    assert decklist_of(made, 1).verdict.digests == decklist_of(made, 0).verdict.digests


def test_a_preview_says_truly_that_a_running_event_is_not_touched(make_event):
    made = event_on(make_event, started=True)
    publication = publish(made)
    assert [met.event for met in reach_of(scopes=scopes_of(publication.summary)).running] == [made.event]
    assert (publication.revalidation.decklist_ids, LaterVerdict.objects.count()) == ([], 0)
    assert hand_in_late(made) == "legal"
    assert verify_event(made.refresh()).faults == []


def test_verdicts_are_replayed_by_the_kept_rules_after_the_lists_have_changed(make_event):
    made = event_on(make_event, started=True)
    publish(made)
    hand_in_late(made)
    kept = made.refresh().kept_rules_id
    for player in (0, 1):
        replay = replay_verdict(decklist=decklist_of(made, player), kept=kept)
        assert (replay.verdict.outcome, replay.is_same, replay.changed) == ("legal", True, ())
    assert replay_verdict(decklist=decklist_of(made)).changed == ("statuses",)


def test_a_proof_of_an_event_judges_its_decklists_again(make_event):
    made = event_on(make_event, started=True)
    publish(made)
    found = verify_event(made.refresh())
    assert (found.checked["verdicts"], found.faults) == (2, [])
    LaterVerdict.objects.create(
        decklist=decklist_of(made), outcome="illegal", digests=decklist_of(made).verdict.digests
    )
    name = made.players[0].name
    assert verify_event(made.event).faults == [f"Not judged by the rules that the event began with: {name}."]


def test_a_proof_of_an_event_finds_other_rules_than_it_began_with(make_event):
    made = event_on(make_event, started=True)
    [started] = LogEntry.objects.filter(event=made.event, kind="event.started")
    kept = made.refresh().kept_rules
    assert started.payload["rules"] == kept.digest == digest_of_kept(kept)
    KeptRules.objects.filter(pk=kept.pk).update(statuses=[])
    assert verify_event(made.event).faults == []  # there were none
    KeptRules.objects.filter(pk=kept.pk).update(cards={})
    assert verify_event(made.event).faults == [
        "The rules that decklists are judged by are not those that the event began with."
    ]


def test_events_of_a_format_that_begin_with_the_same_rules_keep_one_row(make_event):
    first, second = (event_on(make_event, D + timedelta(days=days), started=True) for days in (0, 1))
    assert first.refresh().kept_rules == second.refresh().kept_rules
    assert event_on(make_event, decklists=True).event.kept_rules is None
    assert KeptRules.objects.count() == 1


def test_a_publication_that_was_not_carried_into_the_event_yet_is_met_at_the_start(make_event):
    made = event_on(make_event, checked_in=True, decklists=True)
    publish(made, follow=False)
    with pytest.raises(Conflict) as refused:
        setup.start_event(event_id=made.event.pk, actor=made.by_organiser)
    names = [player.name for player in made.players]
    assert refused.value.context == {"missing": [], "illegal": names}
    assert made.refresh().kept_rules is None
    assert [later.publication for later in LaterVerdict.objects.all()] == [None, None]
    [entry] = LogEntry.objects.filter(event=made.event, kind="decklists.settled")
    assert log_sentence(entry.kind, entry.payload, {p.pk: p.name for p in made.players}) == (
        "Decklists were judged by the rules that hold from the start on; "
        f"{names[0]}'s is illegal now and {names[1]}'s is illegal now"
    )
    assert not entry.is_public


def test_events_that_run_when_rules_begin_to_be_kept_keep_those_of_that_moment(make_event):
    made, waiting = event_on(make_event, started=True), event_on(make_event, decklists=True)
    Erratum.objects.create(card_id=decklist_of(made).card_ids[0], starts_on=TODAY, facts={"power": 1}, source="x")
    StatusEntry.objects.create(
        format=made.event.format,
        card_id=decklist_of(made).card_ids[1],
        status="restricted",
        max_copies=1,
        during=(TODAY, None),
        source="Letter",
        section="12.6",
    )
    wanted = kept_by_rules.keep_rules(format=made.event.format, day=D)
    Event.objects.update(kept_rules=None)
    import_module("events.migrations.0005_rules_of_running_events").keep(apps, connection.schema_editor())
    assert (made.refresh().kept_rules, waiting.refresh().kept_rules) == (wanted, None)
    assert hand_in_late(made) == "illegal"


# -- a list is published at the moment when an event begins -----------------------------------------------------------


def begun_while_publishing(monkeypatch: pytest.MonkeyPatch) -> tuple[Made, tuple[bool, bool]]:
    """Whether the event keeps the one half of a publication, and the other: the start has read the lists, and not the
    tags, when it is published.
    """
    made = event_on(factories.make_event, checked_in=True, decklists=True)
    card = card_in(made)
    read, published = threading.Event(), threading.Event()
    facts_for = kept_by_rules.card_facts_for

    def facts_later(ids: list[int], *, day: date) -> dict[int, CardFacts]:
        read.set()
        published.wait(1)  # in vain, where publishing waits for the start
        return facts_for(ids, day=day)

    def publish_meanwhile() -> None:
        assert read.wait(10)
        ban = {"format": made.event.format.slug, "card": card.name, "status": "restricted", "section": "EPIC 12.6"}
        tag = {"tag": "gift", "remove": [card.name]}
        try:
            publish(made, follow=False, changes=[{**ban, "max_copies": 3}], tags=[tag])
        finally:
            published.set()

    monkeypatch.setattr(kept_by_rules, "card_facts_for", facts_later)
    results = at_once(
        lambda: setup.start_event(event_id=made.event.pk, actor=made.by_organiser),
        publish_meanwhile,
    )
    assert of_type(results, Exception) == []
    kept = made.refresh().kept_rules
    assert kept is not None
    return made, (bool(kept.statuses), "gift" not in kept.cards[str(card.pk)]["tags"])


@pytest.mark.race
@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("packs")
def test_an_event_begins_with_all_of_a_publication_or_with_nothing_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    made, halves = begun_while_publishing(monkeypatch)
    assert halves == (False, False)
    assert Publication.objects.count() == 1
    assert hand_in_late(made) == "legal"
    assert verify_event(made.refresh()).faults == []


@pytest.mark.race
@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("packs")
def test_control_without_holding_the_game_an_event_begins_with_half_a_publication(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(keeping, "hold_game", lambda game: None)
    assert begun_while_publishing(monkeypatch)[1] == (False, True)
