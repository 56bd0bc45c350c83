"""Stored decklists are judged again by changed lists: what is stored, what stays, and where a broken run goes on."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import date, timedelta

import pytest
from django.db import OperationalError, connection
from django.test.utils import CaptureQueriesContext

from cards.models import Card, Game
from decks.models import Decklist, LaterVerdict, Revalidation, Verdict
from decks.queries.affected import affected_decklists
from decks.queries.judging import Judge, changed_outcomes, judgements
from decks.queries.standing import Today, judged_today, standing_outcome
from decks.services.freezing import freeze_decklist
from decks.services.revalidation import run_revalidation, start_revalidation
from rules.models import FormatVersion, Publication, StatusEntry
from tests.decks.conftest import DAY


def freeze(text: str, version: FormatVersion, day: date = DAY, pool: dict[int, int] | None = None) -> Decklist:
    return freeze_decklist(text=text, format_version=version, legality_date=day, pool=pool)


def published(game: Game, title: str = "Winter list") -> Publication:
    return Publication.objects.create(game=game, title=title, effective_on=DAY, payload={}, digest=title)


def restrict(version: FormatVersion, name: str, since: date = DAY, **values: object) -> StatusEntry:
    return StatusEntry.objects.create(
        **{
            "format": version.format,
            "card": Card.objects.get(name=name),
            "status": "banned",
            "max_copies": 0,
            "during": (since, None),
            "source": "Letter",
            "section": "2.6",
            **values,
        }
    )


def judge_again(publication: Publication, *decklists: Decklist, **options: object) -> Revalidation:
    found = start_revalidation(publication_id=publication.pk, decklist_ids=[decklist.pk for decklist in decklists])
    assert run_revalidation(revalidation_id=found.pk, **options)
    found.refresh_from_db()
    return found


def progress(revalidation: Revalidation) -> tuple[str, int, int]:
    revalidation.refresh_from_db()
    return revalidation.state, revalidation.done, revalidation.changed


def stored() -> list[tuple[int, str, list[str]]]:
    found = LaterVerdict.objects.order_by("decklist")
    return [(later.decklist_id, later.outcome, [v["code"] for v in later.violations]) for later in found]


@pytest.fixture
def engarde_lists(legal_text: str, version: FormatVersion, fifty: list[str]) -> list[Decklist]:
    """A legal decklist, one with a card of which it has too many, and one with a line that is not understood."""
    texts = (legal_text, legal_text.replace(f"3 {fifty[0]}", f"4 {fifty[0]}"), legal_text + "\n1 Nobody")
    return [freeze(text, version) for text in texts]


def test_judging_by_the_same_lists_comes_to_the_same_verdicts_violations_and_digests(
    engarde_lists: list[Decklist], engarde: Game
) -> None:
    sealed = FormatVersion.objects.select_related("format__game").get(format__slug="sealed-3")
    cards = list(Card.objects.filter(game__slug="epic", facts__cost="action").order_by("pk")[:31])
    text = "\n".join(card.name for card in cards[:30])
    pools = [{card.pk: 1 for card in cards[:30]}, {card.pk: 1 for card in cards[1:]}, None]
    frozen = [*engarde_lists, *(freeze(text, sealed, pool=pool) for pool in pools)]
    found = judgements(decklist_ids=[decklist.pk for decklist in frozen], judge=Judge())
    assert [one.first.outcome for one in found] == [
        *("legal", "illegal", "undetermined"),
        *("legal", "illegal", "undetermined"),
    ]
    assert [one.now for one in found] == [one.first for one in found]
    assert [one.later for one in found] == [None] * 6
    done = judge_again(published(engarde), *frozen)
    assert (progress(done), stored()) == (("done", 6, 0), [])


def test_a_ban_gives_a_later_verdict_and_leaves_the_first_as_it_was(
    engarde_lists: list[Decklist], version: FormatVersion, fifty: list[str], engarde: Game
) -> None:
    legal, illegal, unclear = engarde_lists
    first = list(Verdict.objects.order_by("pk").values())
    restrict(version, fifty[1])
    done = judge_again(published(engarde), *engarde_lists)
    assert stored() == [
        (legal.pk, "illegal", ["status.banned"]),
        (illegal.pk, "illegal", ["zone_count.too_many", "status.banned", "copies.too_many"]),
        (unclear.pk, "illegal", ["line.unresolved", "status.banned"]),
    ]
    assert progress(done) == ("done", 3, 2)
    assert (done.started_at is not None, done.finished_at is not None) == (True, True)
    assert list(Verdict.objects.order_by("pk").values()) == first
    again = Decklist.objects.select_related("verdict", "later_verdict").get(pk=legal.pk)
    assert (again.standing, again.overturned) == (again.later_verdict, again.later_verdict)


def test_a_ban_that_is_taken_back_gives_the_first_verdict_back(
    engarde_lists: list[Decklist], version: FormatVersion, fifty: list[str], engarde: Game
) -> None:
    entry = restrict(version, fifty[1])
    judge_again(published(engarde), *engarde_lists)
    entry.delete()
    done = judge_again(published(engarde, "Spring list"), *engarde_lists)
    assert (progress(done), stored()) == (("done", 3, 2), [])
    legal = Decklist.objects.select_related("verdict", "later_verdict").get(pk=engarde_lists[0].pk)
    assert (legal.standing, legal.overturned) == (legal.verdict, None)


def test_an_illegal_decklist_becomes_legal_when_its_card_is_allowed(
    legal_text: str, version: FormatVersion, fifty: list[str], engarde: Game
) -> None:
    entry = restrict(version, fifty[1])
    decklist = freeze(legal_text, version)
    entry.delete()
    judge_again(published(engarde), decklist)
    assert (decklist.verdict.outcome, stored()) == ("illegal", [(decklist.pk, "legal", [])])


def test_a_change_that_changes_only_digests_keeps_the_publication_that_changed_the_verdict(
    legal_text: str, version: FormatVersion, fifty: list[str], engarde: Game
) -> None:
    decklist = freeze(legal_text, version)
    winter, spring = published(engarde), published(engarde, "Spring list")
    restrict(version, fifty[1])
    judge_again(winter, decklist)
    before = LaterVerdict.objects.get()
    restrict(version, fifty[2], status="limit", max_copies=3)
    done = judge_again(spring, decklist)
    after = LaterVerdict.objects.get()
    assert (done.changed, after.publication, after.violations) == (0, winter, before.violations)
    assert before.digests["statuses"] != after.digests["statuses"]
    assert {key for key in after.digests if after.digests[key] != before.digests[key]} == {"statuses"}


def test_other_digests_alone_are_stored_and_overturn_nothing(
    legal_text: str, version: FormatVersion, fifty: list[str], engarde: Game
) -> None:
    decklist = freeze(legal_text, version)
    restrict(version, fifty[1], status="limit", max_copies=3)
    assert judge_again(published(engarde), decklist).changed == 0
    assert stored() == [(decklist.pk, "legal", [])]
    assert Decklist.objects.select_related("verdict", "later_verdict").get().overturned is None


def test_a_broken_run_keeps_what_it_has_done_and_a_further_one_goes_on_from_there(
    legal_text: str, version: FormatVersion, fifty: list[str], engarde: Game, caplog: pytest.LogCaptureFixture
) -> None:
    decklists = [freeze(legal_text, version) for _ in range(5)]
    restrict(version, fifty[1])
    started = start_revalidation(publication_id=published(engarde).pk, decklist_ids=[d.pk for d in decklists])
    asked: list[list[int]] = []

    def breaks(ids: Sequence[int]) -> Collection[int]:
        asked.append(list(ids))
        if len(asked) == 2:
            raise RuntimeError("the power went")
        return ()

    with pytest.raises(RuntimeError):
        run_revalidation(revalidation_id=started.pk, batch=2, settled=breaks)
    assert progress(started) == ("failed", 2, 2)
    assert len(stored()) == 2
    assert "the power went" in caplog.text
    assert run_revalidation(revalidation_id=started.pk, batch=2, settled=breaks)
    assert progress(started) == ("done", 5, 5)
    keys = [decklist.pk for decklist in decklists]
    assert asked == [keys[:2], keys[2:4], keys[2:4], keys[4:]]
    assert run_revalidation(revalidation_id=started.pk, batch=2, settled=breaks)
    assert len(asked) == 4


def test_a_busy_database_is_no_failure(
    legal_text: str, version: FormatVersion, fifty: list[str], engarde: Game
) -> None:
    decklist = freeze(legal_text, version)
    restrict(version, fifty[1])
    started = start_revalidation(publication_id=published(engarde).pk, decklist_ids=[decklist.pk])

    def busy(ids: Sequence[int]) -> Collection[int]:
        raise OperationalError("deadlock detected")

    with pytest.raises(OperationalError):
        run_revalidation(revalidation_id=started.pk, settled=busy)
    assert progress(started) == ("waiting", 0, 0)


def test_a_run_stops_when_its_time_is_over_and_says_that_more_is_left(
    legal_text: str, version: FormatVersion, fifty: list[str], engarde: Game
) -> None:
    decklists = [freeze(legal_text, version) for _ in range(3)]
    restrict(version, fifty[1])
    started = start_revalidation(publication_id=published(engarde).pk, decklist_ids=[d.pk for d in decklists])
    assert [run_revalidation(revalidation_id=started.pk, batch=2, seconds=0) for _ in range(3)] == [False, True, True]
    assert progress(started) == ("done", 3, 3)


def test_what_is_settled_is_neither_changed_nor_counted(
    legal_text: str, version: FormatVersion, fifty: list[str], engarde: Game
) -> None:
    settled, open_ = freeze(legal_text, version), freeze(legal_text, version)
    restrict(version, fifty[1])
    done = judge_again(published(engarde), settled, open_, settled=lambda ids: {settled.pk})
    assert (progress(done), stored()) == (("done", 2, 1), [(open_.pk, "illegal", ["status.banned"])])


def test_a_publication_has_one_revalidation_and_one_without_decklists_is_done(
    legal_text: str, version: FormatVersion, engarde: Game
) -> None:
    one, other = freeze(legal_text, version), freeze(legal_text, version)
    winter, spring = published(engarde), published(engarde, "Spring list")
    started = start_revalidation(publication_id=winter.pk, decklist_ids=[other.pk, one.pk, other.pk])
    assert start_revalidation(publication_id=winter.pk, decklist_ids=[one.pk]) == started
    assert Revalidation.objects.get(pk=started.pk).decklist_ids == [one.pk, other.pk]
    assert progress(start_revalidation(publication_id=spring.pk, decklist_ids=[])) == ("done", 0, 0)


def test_a_decklist_that_is_gone_by_then_is_passed_over(legal_text: str, version: FormatVersion, engarde: Game) -> None:
    decklist, gone = freeze(legal_text, version), freeze(legal_text, version)
    started = start_revalidation(publication_id=published(engarde).pk, decklist_ids=[decklist.pk, gone.pk])
    gone.delete()
    assert run_revalidation(revalidation_id=started.pk)
    assert progress(started) == ("done", 2, 0)


def test_a_new_version_judges_the_decklists_of_its_days_and_the_old_one_those_before(
    legal_text: str, version: FormatVersion
) -> None:
    decklist, earlier = freeze(legal_text, version), freeze(legal_text, version, day=DAY - timedelta(days=1))
    definition = {**version.definition, "version": "99"}
    definition["constraint"] = [
        {**rule, "min": 60, "max": 60} if rule["id"] == "deck-size" else rule for rule in definition["constraint"]
    ]
    assert definition["constraint"] != version.definition["constraint"]
    FormatVersion.objects.filter(pk=version.pk).update(during=(version.during.lower, DAY))
    FormatVersion.objects.create(
        format=version.format,
        version="99",
        during=(DAY, DAY + timedelta(days=30)),
        document=version.document,
        definition=definition,
        digest="x",
    )
    assert changed_outcomes(decklist_ids=[earlier.pk, decklist.pk]) == [(decklist.pk, "legal", "illegal")]
    FormatVersion.objects.filter(version="99").delete()
    assert changed_outcomes(decklist_ids=[earlier.pk, decklist.pk]) == []
    assert not LaterVerdict.objects.exists()


def test_only_decklists_with_a_changed_card_on_its_days_are_affected(
    legal_text: str, version: FormatVersion, fifty: list[str], engarde: Game
) -> None:
    spare = Card.objects.filter(game=engarde, printings__card_set__code="EF").exclude(name__in=fifty).first()
    assert spare is not None
    decklist, early = freeze(legal_text, version), freeze(legal_text, version, day=DAY - timedelta(days=1))
    other = freeze(legal_text.replace(fifty[0], spare.name), version)
    card = Card.objects.get(name=fifty[0]).pk
    scope = {"format_id": version.format_id, "since": DAY}
    assert list(affected_decklists(**scope, cards=[card])) == [decklist]
    assert list(affected_decklists(**scope, cards=[card, spare.pk]).order_by("pk")) == [decklist, other]
    assert list(affected_decklists(**scope).order_by("pk")) == [decklist, other]
    assert early not in affected_decklists(**scope)
    assert not affected_decklists(format_id=0, since=DAY).exists()


def test_a_batch_takes_as_many_queries_whatever_its_size(
    legal_text: str, version: FormatVersion, fifty: list[str], engarde: Game
) -> None:
    restrict(version, fifty[1])

    def count(decklists: int, title: str) -> int:
        entries = StatusEntry.objects.filter(card__name=fifty[1])
        entry = entries.get()
        entries.delete()
        frozen = [freeze(legal_text, version) for _ in range(decklists)]
        StatusEntry.objects.bulk_create([entry])
        started = start_revalidation(publication_id=published(engarde, title).pk, decklist_ids=[d.pk for d in frozen])
        with CaptureQueriesContext(connection) as captured:
            assert run_revalidation(revalidation_id=started.pk)
        assert progress(started) == ("done", decklists, decklists)
        return len(captured)

    assert count(1, "one") == count(6, "six")


def test_legal_at_its_event_and_legal_today_are_two_answers(
    legal_text: str, version: FormatVersion, fifty: list[str]
) -> None:
    decklist = freeze(legal_text, version)
    later = DAY + timedelta(days=5)
    restrict(version, fifty[1], since=later)
    found = Decklist.objects.select_related("verdict", "format_version__format__game").get(pk=decklist.pk)
    assert found.verdict.outcome == "legal"
    assert judged_today(decklist=found, day=DAY) == Today(DAY, "legal", 0)
    assert judged_today(decklist=found, day=later) == Today(later, "illegal", 1)
    assert judged_today(decklist=found, day=date(1990, 1, 1)) == Today(date(1990, 1, 1), "", 0)


def test_the_standing_outcome_is_one_column_of_a_query(
    legal_text: str, version: FormatVersion, fifty: list[str], engarde: Game
) -> None:
    decklist = freeze(legal_text, version)
    verdicts = Verdict.objects.values_list(standing_outcome("decklist"), flat=True)
    assert verdicts.get() == "legal"
    restrict(version, fifty[1])
    judge_again(published(engarde), decklist)
    assert verdicts.get() == "illegal"


def test_lists_that_are_published_during_a_run_count_from_the_next_batch_on(
    legal_text: str, version: FormatVersion, fifty: list[str], engarde: Game
) -> None:
    decklists = [freeze(legal_text, version) for _ in range(2)]
    entry = restrict(version, fifty[1])

    def publishes(ids: Sequence[int]) -> Collection[int]:
        if ids[0] == decklists[0].pk:
            entry.delete()
            published(engarde, "Spring list")
        return ()

    done = judge_again(published(engarde), *decklists, batch=1, settled=publishes)
    assert (progress(done), stored()) == (("done", 2, 1), [(decklists[0].pk, "illegal", ["status.banned"])])
