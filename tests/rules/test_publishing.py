"""Publishing lists and format versions for a game: from a day on, one at a time, and again after a reload."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.test import Client
from django.utils import timezone

from accounts.models import User
from accounts.services import create_user, set_access
from cards.models import Card, CardTag, Game
from config.errors import Conflict, DomainError, NotAllowed
from rules.engine.legality import DeckFacts, DeckLine, check
from rules.engine.publication import publication_of
from rules.models import FormatVersion, GameOrganiser, Publication, StatusEntry
from rules.packreader import read_pack
from rules.queries import card_facts_for, compiled_format, format_by_slug, format_version_on
from rules.services import publishing
from rules.services.amendments import Amendments
from rules.services.loading import load_pack
from rules.services.publishing import Published, add_game_organiser, publish
from tests.rules.packs import FILES, edited, write_pack
from tests.threads import at_once, meeting, of_type

TODAY = timezone.localdate()
SOON, LATER, LATEST = (TODAY + timedelta(days=days) for days in (10, 20, 30))
DAY = timedelta(days=1)

POINTED = {
    "formats/open.1.toml": FILES["formats/open.1.toml"]
    + '[[constraint]]\nid = "points"\nkind = "points"\nzones = ["main"]\nbudget = 10\ncite = "JOUST 2.1"\n'
}
TOURNEY = {
    **POINTED,
    "formats/tourney.1.toml": FILES["formats/open.1.toml"]
    .replace('"open"', '"tourney"')
    .replace('name = "Open"', 'name = "Tourney"'),
}

pytestmark = pytest.mark.django_db


@pytest.fixture
def game(tmp_path: Path) -> Game:
    game = load_pack(pack=read_pack(write_pack(tmp_path, POINTED))).game
    add_game_organiser(game=game, user=create_user(email="odile@demo.example", display_name="Odile"))
    return game


def organiser() -> User:
    return User.objects.get(email="odile@demo.example")


def change(card: str, status: str, **more: Any) -> dict[str, Any]:
    return {"format": "open", "card": card, "status": status, "section": "JOUST 2.1", **more}


def send(*changes: dict[str, Any], day: date = SOON, title: str = "A list", **more: Any) -> Published:
    body = {"title": title, "source": "Heralds", "effective_on": day.isoformat(), "changes": list(changes), **more}
    return publish(game=Game.objects.get(slug="joust"), user=organiser(), file=publication_of(body))


def refused(kind: type[DomainError], *changes: dict[str, Any], **more: Any) -> DomainError:
    """The refusal, and nothing was changed."""
    before = everything()
    with pytest.raises(kind) as raised:
        send(*changes, **more)
    assert everything() == before
    return raised.value


def everything() -> list[Any]:
    models = (StatusEntry, CardTag, FormatVersion, Publication)
    return [sorted(model.objects.values_list(), key=str) for model in models]


def entries(card: str = "Shield") -> list[tuple[str, int | None, date | None, date | None]]:
    found = StatusEntry.objects.filter(card__name=card).order_by("during")
    return [(entry.status, entry.max_copies, entry.during.lower, entry.during.upper) for entry in found]


def outcome(text: list[tuple[str, int]], day: date) -> tuple[str, list[str]]:
    """What the engine says of a main deck on a day: the outcome and the codes of its violations."""
    found = format_by_slug(game="joust", slug="open")
    ids = dict(Card.objects.values_list("name", "pk"))
    facts = card_facts_for(ids.values(), day=day)
    deck = DeckFacts(tuple(DeckLine("main", count, facts[ids[name]], ()) for name, count in text))
    verdict = check(deck, compiled_format(format_version=format_version_on(format=found, day=day), day=day))
    return verdict.outcome, [violation.code for violation in verdict.violations]


def reload(folder: Path, changes: Mapping[str, str | None] | None = None) -> None:
    load_pack(
        pack=read_pack(
            write_pack(folder, {**POINTED, **edited("game.toml", "Second list", "Third list"), **(changes or {})})
        )
    )


def listed(status: str, copies: int, day: date) -> str:
    """What a pack's lists.toml says of Shield."""
    said = f'format = "open"\ncard = "Shield"\nstatus = "{status}"\nmax_copies = {copies}\nfrom = {day}\n'
    return f'[[status]]\n{said}source = "The pack"\nsection = "JOUST 2.1"\n'


# what is legal on a day


def test_the_day_before_has_the_old_list_and_the_day_itself_the_new_one(game: Game):
    deck = [("Shield", 1), ("Herald, Sworn", 3)]
    send(change("Herald, Sworn", "restricted"), day=SOON)
    assert [outcome(deck, day)[1] for day in (TODAY, SOON - DAY, SOON, LATER)] == [
        [],
        [],
        ["status.restricted"],
        ["status.restricted"],
    ]


def test_a_card_that_moves_from_restricted_to_banned_is_banned_on_the_day_itself(game: Game):
    deck = [("Shield", 1), ("Herald, Sworn", 1)]
    send(change("Herald, Sworn", "restricted"), day=SOON)
    send(change("Herald, Sworn", "banned"), day=LATER)
    assert entries("Herald, Sworn") == [("restricted", 1, SOON, LATER), ("banned", 0, LATER, None)]
    assert [outcome(deck, day)[1] for day in (LATER - DAY, LATER)] == [[], ["status.banned"]]


def test_one_announcement_may_take_effect_on_a_day_of_each_format(tmp_path: Path, game: Game):
    reload(tmp_path, TOURNEY)
    both = [change("Shield", "banned"), change("Shield", "banned", format="tourney", effective_on=LATER.isoformat())]
    summary = send(*both, announced_on=TODAY.isoformat()).publication.summary
    found = StatusEntry.objects.filter(card__name="Shield").order_by("during")
    assert [(e.format.slug, e.during.lower, e.announced_on) for e in found] == [
        ("open", SOON, TODAY),
        ("tourney", LATER, TODAY),
    ]
    assert [(row["format"], row["from"]) for row in summary["changes"]] == [
        ("open", SOON.isoformat()),
        ("tourney", LATER.isoformat()),
    ]


def test_each_format_has_its_own_list_whichever_is_newest(tmp_path: Path, game: Game):
    reload(tmp_path, TOURNEY)
    send(change("Shield", "banned"), day=SOON)
    send(change("Herald, Sworn", "banned", format="tourney"), day=LATER)
    assert outcome([("Shield", 1), ("Herald, Sworn", 1)], LATEST) == ("illegal", ["status.banned"])
    other = StatusEntry.objects.filter(format__slug="tourney", during__contains=LATEST)
    assert [entry.card.name for entry in other] == ["Herald, Sworn"]


def test_legal_takes_a_card_off_the_list(game: Game):
    send(change("Spear", "legal"))
    assert entries("Lance") == [("banned", 0, date(2026, 2, 1), SOON)]
    assert [outcome([("Lance", 2)], day)[0] for day in (SOON - DAY, SOON)] == ["illegal", "legal"]


def test_legal_takes_points_away_too_unless_the_publication_gives_some(game: Game):
    send(change("Shield", "banned"), change("Shield", "points", points=2))
    both = send(change("Shield", "legal"), change("Shield", "points", points=3), day=LATER)
    send(change("Shield", "legal"), day=LATEST)
    said = [(row["before"]["status"], row["after"]) for row in both.publication.summary["changes"]]
    assert said == [("banned", None), ("points", {"status": "points", "max_copies": None, "points": 3})]
    found = StatusEntry.objects.filter(card__name="Shield").order_by("during", "status")
    assert [(e.status, e.points, e.during.lower, e.during.upper) for e in found] == [
        ("banned", None, SOON, LATER),
        ("points", 2, SOON, LATER),
        ("points", 3, LATER, LATEST),
    ]


def test_a_tag_is_given_and_taken(game: Game):
    send(tags=[{"tag": "gift", "add": ["Herald, Sworn"], "remove": ["Shield"]}])
    found = CardTag.objects.order_by("card__name").values_list("card__name", "during")
    assert [(name, during.lower, during.upper) for name, during in found] == [
        ("Herald, Sworn", SOON, None),
        ("Shield", None, SOON),
    ]
    gifts = [("Shield", 1), ("Herald, Sworn", 2)]
    assert [outcome(gifts, day)[1] for day in (SOON - DAY, SOON)] == [[], ["sum.too_many"]]


def version(number: str, day: date, least: int = 3) -> dict[str, Any]:
    return {
        "slug": "open",
        "name": "Open",
        "version": number,
        "from": day.isoformat(),
        "document": {"slug": "rulebook", "version": "1"},
        "pool": {"kind": "all"},
        "constraint": [{"id": "size", "kind": "zone_count", "zones": ["main"], "min": least, "cite": "JOUST 2.1"}],
    }


def versions() -> list[tuple[str, date | None, date | None]]:
    return [(v.version, v.during.lower, v.during.upper) for v in FormatVersion.objects.order_by("during")]


def test_a_new_version_closes_the_one_before_it(game: Game):
    done = send(formats=[version("2", SOON)])
    assert versions() == [("1", None, SOON), ("2", SOON, None)]
    deck = [("Shield", 1), ("Herald, Sworn", 1)]
    assert [outcome(deck, day)[0] for day in (SOON - DAY, SOON)] == ["legal", "illegal"]
    [summary] = done.publication.summary["formats"]
    assert (summary["before"], summary["version"], summary["from"]) == ("1", "2", SOON.isoformat())
    assert "Main deck" in {row["label"] for row in summary["rows"]}


# what is refused


def test_nobody_else_publishes(game: Game):
    stranger = create_user(email="mira@demo.example", display_name="Mira")
    body = {"title": "x", "source": "y", "effective_on": SOON.isoformat(), "changes": [change("Shield", "banned")]}
    with pytest.raises(NotAllowed, match="Only organisers of Joust"):
        publish(game=game, user=stranger, file=publication_of(body))
    assert not Publication.objects.exists()


def test_the_past_is_not_rewritten(game: Game):
    error = refused(DomainError, change("Shield", "banned"), day=TODAY - DAY)
    assert (error.code, error.context["faults"][0]["where"]) == ("publication.past", "effective_on")
    error = refused(DomainError, change("Shield", "banned", effective_on="2026-01-01"))
    assert error.context["faults"][0]["where"] == "changes 1 effective_on"
    error = refused(DomainError, formats=[version("2", TODAY - DAY)])
    assert error.context["faults"][0]["where"] == "formats 1 from"
    send(change("Shield", "banned"), day=TODAY)


def test_a_change_that_is_none_is_refused(game: Game):
    assert refused(Conflict, change("Spear", "banned")).code == "publication.redundant"
    assert refused(Conflict, change("Shield", "legal")).code == "publication.redundant"
    assert refused(Conflict, tags=[{"tag": "gift", "add": ["Shield"]}]).code == "publication.redundant"
    assert refused(Conflict, tags=[{"tag": "gift", "remove": ["Lance"]}]).code == "publication.redundant"


def test_what_is_scheduled_for_later_stands(game: Game):
    send(change("Shield", "banned"), day=LATER)
    error = refused(Conflict, change("Shield", "restricted"), day=SOON)
    assert (error.code, error.context["faults"]) == (
        "publication.scheduled",
        [
            {
                "line": None,
                "where": "changes 1",
                "message": f"Shield in Open changes on {LATER} already, so nothing can be said of it from {SOON} on "
                "that would end then",
            }
        ],
    )
    assert refused(Conflict, change("Shield", "restricted"), day=LATER).code == "publication.scheduled"
    send(formats=[version("2", LATER)])
    assert refused(Conflict, formats=[version("3", SOON)]).code == "publication.scheduled"
    assert refused(Conflict, formats=[version("2", LATEST)]).code == "publication.version_exists"


def test_text_that_no_column_holds_is_refused(game: Game):
    assert refused(DomainError, change("Shield", "banned"), title="a\0b").code == "publication.invalid"


def test_the_same_twice_is_published_once(game: Game):
    first = send(change("Shield", "banned"))
    before = everything()
    again = send(change("Shield", "banned"))
    assert (first.created, again.created, again.publication) == (True, False, first.publication)
    assert everything() == before


# two at once


@pytest.fixture
def real_game(transactional_db: None, tmp_path: Path) -> Game:
    game = load_pack(pack=read_pack(write_pack(tmp_path, POINTED))).game
    add_game_organiser(game=game, user=create_user(email="odile@demo.example", display_name="Odile"))
    return game


def two_at_once() -> list[Any]:
    return at_once(
        lambda: send(change("Shield", "banned"), title="One"),
        lambda: send(change("Shield", "restricted"), title="Other"),
    )


def test_of_two_publications_of_one_card_at_once_one_is_told_of_the_other(real_game: Game):
    results = two_at_once()
    assert len(of_type(results, Published)) == 1
    assert [error.code for error in of_type(results, Conflict)] == ["publication.scheduled"]
    assert len(entries()) == 1


@pytest.fixture
def unlocked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the lock, and each waits until the other has looked at the lists as well."""
    meet, looked = meeting(2), Amendments._statuses

    def look_and_wait(amendments: Amendments) -> Any:
        found = looked(amendments)
        meet()
        return found

    monkeypatch.setattr(publishing, "lock_game", lambda game: None)
    monkeypatch.setattr(Amendments, "_statuses", look_and_wait)


def test_without_the_lock_the_constraint_is_the_last_wall(real_game: Game, unlocked: None):
    results = two_at_once()
    assert len(of_type(results, Published)) == 1
    assert [error.code for error in of_type(results, Conflict)] == ["publication.overlap"]
    assert len(entries()) == 1
    assert Publication.objects.count() == 1


def test_without_lock_and_constraint_a_card_would_be_banned_and_restricted(real_game: Game, unlocked: None):
    [constraint] = [c for c in StatusEntry._meta.constraints if c.name == "one_status_at_a_time"]
    with connection.schema_editor() as editor:
        editor.remove_constraint(StatusEntry, constraint)
    try:
        assert len(of_type(two_at_once(), Published)) == 2
        assert len(entries()) == 2
    finally:
        StatusEntry.objects.all().delete()
        with connection.schema_editor() as editor:
            editor.add_constraint(StatusEntry, constraint)


def test_the_same_publication_at_once_is_published_once(real_game: Game):
    results = at_once(*[lambda: send(change("Shield", "banned"))] * 4)
    assert sorted(result.created for result in results) == [False, False, False, True]
    assert Publication.objects.count() == 1


# a reload of the pack


def test_a_reload_keeps_what_was_published(tmp_path: Path, game: Game):
    send(change("Shield", "restricted"), change("Lance", "legal"), tags=[{"tag": "gift", "remove": ["Shield"]}])
    send(change("Shield", "banned"), day=LATER, formats=[version("2", LATER)])
    send(formats=[version("3", LATEST)], day=LATEST)

    def said() -> list[Any]:
        lists = StatusEntry.objects.values_list("card__name", "status", "during", "source", "section")
        return [sorted(lists, key=str), list(CardTag.objects.values_list("card__name", "during")), versions()]

    before = said()
    reload(tmp_path)
    assert said() == before
    assert versions() == [("1", None, LATER), ("2", LATER, LATEST), ("3", LATEST, None)]


def test_what_the_pack_says_by_now_is_passed_over(tmp_path: Path, game: Game):
    send(change("Shield", "banned"))
    send(change("Shield", "legal"), day=LATER)
    line = listed("banned", 0, SOON)
    for until in ("", f"until = {LATER}\n"):
        reload(tmp_path, {"lists.toml": FILES["lists.toml"].replace("[[tag]]", f"{line}{until}[[tag]]")})
        assert entries() == [("banned", 0, SOON, LATER)]
        assert StatusEntry.objects.get(card__name="Shield").source == "The pack"


def test_a_pack_at_odds_with_a_publication_is_refused_whole(tmp_path: Path, game: Game):
    send(change("Shield", "banned"))
    line = listed("restricted", 1, LATER)
    before = everything()
    with pytest.raises(Conflict) as raised:
        reload(tmp_path, {"lists.toml": FILES["lists.toml"].replace("[[tag]]", f"{line}[[tag]]")})
    assert raised.value.code == "publication.contradicts_pack"
    assert everything() == before


# who may


def test_somebody_is_made_an_organiser_of_a_game_by_command(game: Game, capsys: pytest.CaptureFixture[str]):
    user = create_user(email="mira@demo.example", display_name="Mira")
    call_command("game_organiser", "add", "joust", "Mira@demo.example")
    call_command("game_organiser", "add", "joust", "mira@demo.example")
    assert GameOrganiser.objects.filter(user=user).count() == 1
    call_command("game_organiser", "remove", "joust", "mira@demo.example")
    assert not GameOrganiser.objects.filter(user=user).exists()
    assert capsys.readouterr().out.splitlines() == [
        "Mira publishes for Joust now.",
        "Mira publishes for Joust already.",
        "Mira doesn't publish for Joust any more.",
    ]


@pytest.mark.parametrize(("game_slug", "email"), [("chess", "odile@demo.example"), ("joust", "nobody@demo.example")])
def test_the_command_refuses_whom_and_what_it_does_not_know(game: Game, game_slug: str, email: str):
    with pytest.raises(CommandError):
        call_command("game_organiser", "add", game_slug, email)


def test_a_superuser_gives_and_takes_the_role_in_the_admin(game: Game, client: Client):
    boss = User.objects.create_superuser(email="boss@demo.example", display_name="Boss", password="x")
    user = create_user(email="mira@demo.example", display_name="Mira")
    address = "/admin/rules/gameorganiser/"
    set_access(user=user, is_active=True, is_staff=True)
    client.force_login(user, backend="accounts.backends.AccountBackend")
    assert client.post(f"{address}add/", {"game": game.pk, "user": user.pk}).status_code == 403
    client.force_login(boss, backend="accounts.backends.AccountBackend")
    assert client.post(f"{address}add/", {"game": game.pk, "user": user.pk}).status_code == 302
    role = GameOrganiser.objects.get(user=user)
    assert client.get(f"{address}{role.pk}/change/").status_code == 200
    assert client.post(f"{address}{role.pk}/delete/", {"post": "yes"}).status_code == 302
    assert not GameOrganiser.objects.filter(user=user).exists()
