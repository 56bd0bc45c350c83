"""The demo: played twice in one database, the same both times, with everything that a first visitor should see."""

from __future__ import annotations

import io
from collections.abc import Iterator
from dataclasses import dataclass

import pytest
from django.contrib.auth.hashers import check_password
from django.db import connection
from django.test import override_settings
from pytest_django.plugin import DjangoDbBlocker

from accounts.models import User
from cards.models import Game
from config.demo.cast import LOGINS, PASSWORD, Story
from config.demo.program import CODES, play, was_played
from decks.models import Verdict
from events.models import DecklistSubmission, Event, LogEntry, Match, Pick, Player, PoolCard, Result, Round, Stage
from events.queries.verification import verify_event
from rules.models import GameOrganiser
from tests.events.factories import load_packs


@dataclass
class Played:
    accounts: list[str]
    fingerprints: list[str]
    before: bool


@pytest.fixture(scope="module")
def played(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[Played]:
    """Twice from one seed, outside the tests' transactions; taken out again afterwards."""
    hashers = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    with django_db_blocker.unblock(), override_settings(PASSWORD_HASHERS=hashers):
        load_packs()
        before = was_played()
        stories = [Story(seed="a test", out=io.StringIO()) for _ in range(2)]
        for story in stories:
            play(story)
        texts = [story.out.getvalue() for story in stories if isinstance(story.out, io.StringIO)]
        yield Played(texts, [story.fingerprint for story in stories], before)
        with connection.cursor() as cursor:
            cursor.execute("TRUNCATE cards_game, accounts_user CASCADE")


pytestmark = pytest.mark.django_db
KINDS = sorted(CODES)


def event(kind: str, run: int = 1) -> Event:
    return Event.objects.get(code=CODES[kind] + ("" if run == 1 else f"-{run}"))


def test_one_seed_gives_one_fingerprint(played: Played) -> None:
    assert played.fingerprints[0] == played.fingerprints[1]
    assert (played.before, was_played()) == (False, True)


def test_the_second_account_differs_from_the_first_in_codes_only(played: Played) -> None:
    first, second = played.accounts
    for code in CODES.values():
        second = second.replace(f"{code}-2", code)

    def told(text: str) -> list[str]:
        return [line for line in text.splitlines() if "at version" not in line and set(line) != {"="}]

    assert told(second) == told(first)


@pytest.mark.parametrize("run", [1, 2])
@pytest.mark.parametrize("kind", KINDS)
def test_every_event_is_finished_and_can_be_proved(played: Played, kind: str, run: int) -> None:
    found = event(kind, run)
    assert found.state == "finished"
    assert verify_event(found).faults == []
    assert not Match.objects.filter(event=found).exclude(state="confirmed").exists()


def test_the_organiser_may_publish_for_every_game(played: Played) -> None:
    games = GameOrganiser.objects.filter(user__email=LOGINS["organiser"][0]).values_list("game__slug", flat=True)
    assert sorted(games) == sorted(Game.objects.values_list("slug", flat=True))


def test_the_four_events_are_the_ones_that_were_asked_for(played: Played) -> None:
    shape = {
        kind: (
            event(kind).game.slug,
            event(kind).players.count(),
            [(stage.kind, stage.rounds.count()) for stage in event(kind).stages.order_by("number")],
        )
        for kind in KINDS
    }
    assert shape == {
        "designed": ("epic", 16, [("swiss", 4), ("single_elimination", 3)]),
        "standard": ("engarde", 24, [("swiss", 5), ("single_elimination", 2)]),
        "draft": ("epic", 8, [("draft", 0), ("deck_building", 0), ("swiss", 3)]),
        "sealed": ("epic", 8, [("sealed", 0), ("deck_building", 0), ("swiss", 3)]),
    }
    assert Pick.objects.filter(pod__event=event("draft")).count() == 8 * 30
    pools = PoolCard.objects.filter(event=event("sealed"))
    assert sum(row.count for row in pools) == 8 * 45


@pytest.mark.parametrize("kind", ["designed", "standard"])
def test_illegal_lists_are_cited_and_corrected(played: Played, kind: str) -> None:
    replaced = DecklistSubmission.objects.filter(event=event(kind)).exclude(replaced_at=None)
    verdicts = Verdict.objects.filter(decklist__submissions__in=replaced)
    assert {verdict.outcome for verdict in verdicts} <= {"illegal", "undetermined"}
    assert sum(verdict.outcome == "illegal" for verdict in verdicts) >= 2
    for verdict in verdicts:
        for violation in [v for v in verdict.violations if v["code"] != "line.unresolved"][:4]:
            assert f"[{violation['cite']}]" in played.accounts[0]
    current = DecklistSubmission.objects.filter(event=event(kind), replaced_at=None)
    assert set(current.values_list("decklist__verdict__outcome", flat=True)) == {"legal"}
    assert "corrects it and submits again: legal." in played.accounts[0]


@pytest.mark.parametrize("kind", ["designed", "standard"])
def test_the_incidents_happen(played: Played, kind: str) -> None:
    found = event(kind)
    kinds = set(LogEntry.objects.filter(event=found).values_list("kind", flat=True))
    assert {"result.disputed", "player.dropped", "round.time_called", "match.extra_turns"} <= kinds
    decision = Result.objects.filter(match__event=found, source="staff")
    assert [(row.reason != "", row.decided_by is not None) for row in decision] == [(True, True)]
    assert Match.objects.filter(event=found, table=None).exists()  # the bye after the drop
    assert Match.objects.filter(event=found).exclude(extra_turns=None).count() == 1
    assert Player.objects.filter(event=found, state="dropped").count() == 1
    late = DecklistSubmission.objects.filter(event=found, submitted_at__gt=found.rounds.get(sequence=1).posted_at)
    assert not late.exists()


def test_guests_claimed_their_entries(played: Played) -> None:
    assert LogEntry.objects.filter(event=event("designed"), kind="player.claimed").count() == 2
    assert not Player.objects.filter(event=event("designed"), user=None).exists()


@pytest.mark.parametrize(("kind", "size"), [("designed", 8), ("standard", 4)])
def test_the_cut_has_a_winner_that_the_account_names(played: Played, kind: str, size: int) -> None:
    cut = Stage.objects.get(event=event(kind), kind="single_elimination")
    assert len(cut.seeds) == size
    final = Round.objects.filter(event=event(kind)).order_by("-sequence")[0].matches.get()
    winner = next(seat.player for seat in final.seats.all() if seat.outcome == "win")
    assert f"Winner: {winner.name}." in played.accounts[0]


@pytest.mark.parametrize(
    "words",
    [
        "Epic Designed Deck Open: 16 players",
        "EnGarde Standard Championship: 24 players",
        "Epic Draft 2 Pod: 8 players",
        "Epic Sealed Pack 3: 8 players",
        "Refused (decklist.closed)",
        "Dispute at table",
        "Jun Tanaka decides",
        "drops after round 2",
        "Bye for",
        "extra turns and ends",
        "Cut to the top 8",
        "Cut to the top 4",
        "passed to the left",
        "passed to the right",
        "Every pool holds 30 cards.",
        "Every pool holds 45 cards.",
        "by number: “ENGARDE 10.2”",
        "[ENGARDE 10.2]",
        "by a card's name: “Hollowing — Greater”",
        "by a question:",
    ],
)
def test_the_account_tells_it(played: Played, words: str) -> None:
    assert words in played.accounts[0]


def test_every_look_up_is_answered_with_a_citation(played: Played) -> None:
    lines = played.accounts[0].split("A judge looks things up", 1)[1].splitlines()
    asked = [place for place, line in enumerate(lines) if line.startswith("  by ")]
    assert len(asked) == 3
    assert [lines[place + 1].strip().startswith(("[EPIC ", "[ENGARDE ")) for place in asked] == [True] * 3
    assert [len(lines[place + 2].strip()) > 20 for place in asked] == [True] * 3


def test_the_logins_work(played: Played) -> None:
    for email, name in LOGINS.values():
        user = User.objects.get(email=email)
        assert user.display_name == name
        assert check_password(PASSWORD, user.password)


def test_the_story_goes_to_the_given_stream_only(played: Played, capsys: pytest.CaptureFixture[str]) -> None:
    story = Story(seed="a test", out=io.StringIO())
    story.say("Hello.")
    assert capsys.readouterr().out == ""
