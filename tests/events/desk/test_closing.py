"""The end of an event: prizes, places, what was handed over, the archive; and another event like it."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from config.errors import Conflict, DomainError
from events.engine.prizes import Award, Prize, awards_of, read_prizes
from events.models import Event, LogEntry, PrizeHandover, StaffRole
from events.queries.closing import final_places
from events.queries.verification import verify_event
from events.services import (
    administration,
    archive,
    cloning,
    missing_lists,
    placed_results,
    player_facts,
    prizes,
    registration,
    rounds,
    setup,
)
from events.services.transaction import SYSTEM
from tests.events.api.conftest import Program
from tests.events.factories import Made, load_packs, make_user, policy_of

from .conftest import said, version_of

pytestmark = pytest.mark.django_db
TABLE = (Prize(1, 1, "a trophy"), Prize(1, 2, "a playmat"), Prize(3, 4, "2 packs"))
TEXT = "1st: a trophy\n1-2: a playmat\n\n3–4 :  2  packs\n"
SWISS = {"kind": "swiss", "rounds": 2}


def played_by(make_event, *stages, **options) -> Made:
    """An event under way with these stages and without decklists."""
    rules = {"stages": list(stages), "decklist": {"required": False}}
    return make_event(started=True, decklists=False, own_rules=rules, **options)


def desk(made, path: str = "") -> str:
    return f"/e/{made.event.code}/desk/closing/{path}"


@pytest.fixture
def finished(make_event):
    """Four players, two Swiss rounds, no cut; the third has dropped at the end. Prizes for four."""
    made = played_by(make_event, SWISS)
    prizes.set_prizes(event_id=made.event.pk, actor=made.by_organiser, prizes=TABLE)
    made.play_round()
    made.play_round()
    third = final_places(made.event)[2].player
    registration.drop_player(event_id=made.event.pk, actor=made.by_organiser, player_id=third.pk)
    made.finish()
    return made


def names_by_place(made) -> list[str]:
    return [row.player.name for row in final_places(made.event)]


# -- the table --------------------------------------------------------------------------------------------------------


def test_a_table_is_read_from_lines():
    assert read_prizes(TEXT) == TABLE
    assert [prize.line for prize in TABLE] == ["1: a trophy", "1-2: a playmat", "3-4: 2 packs"]
    assert read_prizes("  \n") == ()


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("a trophy for the winner", "prizes.line"),
        ("1 a trophy", "prizes.line"),
        ("1:", "prizes.words"),
        ("0: a spoon", "prizes.places"),
        ("8-5: 2 packs", "prizes.places"),
        ("10001: a spoon", "prizes.places"),
        ("9999999: a spoon", "prizes.line"),
        ("1: " + "x" * 121, "prizes.words"),
        ("1: a spoon\n1: a spoon", "prizes.twice"),
        ("\n".join(f"{place}: x" for place in range(1, 102)), "prizes.too_many"),
    ],
)
def test_lines_that_are_no_prizes_are_refused(text, code):
    with pytest.raises(DomainError) as refusal:
        read_prizes(text)
    assert refusal.value.code == code


def test_a_place_gets_all_that_names_it_and_equals_share_the_places_they_fill():
    assert awards_of([(1, 7), (2, 8), (3, 9), (5, 10)], TABLE) == {
        7: Award(("a trophy", "a playmat")),
        8: Award(("a playmat",)),
        9: Award(("2 packs",)),
    }
    assert awards_of([(1, 7), (2, 8), (2, 9), (4, 10)], TABLE) == {
        7: Award(("a trophy", "a playmat")),
        8: Award(("a playmat", "2 packs"), 2),
        9: Award(("a playmat", "2 packs"), 2),
        10: Award(("2 packs",)),
    }
    assert Award(("a playmat", "2 packs"), 2).told == "shared by 2: a playmat and 2 packs"


def test_an_organiser_sets_prizes_and_everybody_reads_them(make_event, send, as_user, client):
    made = make_event(players=2)

    answer = send(made.organiser, desk(made, "prizes"), {"prizes": TEXT}, event=made.event)
    again = send(made.organiser, desk(made, "prizes"), {"prizes": TEXT}, event=made.event)

    assert (answer.url, again.status_code) == (desk(made), 302)
    assert "Place Prize 1 a trophy 1-2 a playmat 3-4 2 packs" in said(client.get(f"/e/{made.event.code}/info/"))
    assert "1: a trophy\n1-2: a playmat\n3-4: 2 packs" in as_user(made.organiser).get(desk(made)).content.decode()
    entry = LogEntry.objects.get(event=made.event, kind="prizes.set")  # once: the second changed nothing
    assert entry.payload == {"prizes": [[1, 1, "a trophy"], [1, 2, "a playmat"], [3, 4, "2 packs"]]}


@pytest.mark.parametrize(("fields", "status"), [({"prizes": "nonsense"}, 400), ({"prizes": "1: x", "version": 0}, 409)])
def test_prizes_that_cannot_be_saved_stay_in_the_form(make_event, send, fields, status):
    made = make_event(players=2)

    answer = send(made.organiser, desk(made, "prizes"), fields, event=made.event)

    assert answer.status_code == status
    assert fields["prizes"] in answer.content.decode()
    assert not made.event.prizes.exists()


def test_after_the_end_the_table_stays_as_it_is(finished):
    with pytest.raises(Conflict, match="stay as they are"):
        prizes.set_prizes(event_id=finished.event.pk, actor=finished.by_organiser, prizes=())


# -- places and what was handed over ----------------------------------------------------------------------------------


def test_prizes_stand_beside_the_final_places_and_a_drop_keeps_the_place(finished, client, as_user):
    first, second, third, fourth = names_by_place(finished)

    page = said(client.get(f"/e/{finished.event.code}/standings/"))
    staff = said(as_user(finished.organiser).get(desk(finished)))

    assert "a trophy and a playmat" in page
    assert page.count("2 packs") == 2
    assert f"{third} dropped" in page
    assert "0 handed over, 4 still to hand over." in staff
    assert staff.index(first) < staff.index(second) < staff.index(third) < staff.index(fourth)


def test_after_a_cut_prizes_go_by_the_bracket_first(make_event, client):
    made = played_by(make_event, SWISS, {"kind": "single_elimination", "cut": 2})
    prizes.set_prizes(event_id=made.event.pk, actor=made.by_organiser, prizes=TABLE)
    made.play_round()
    made.play_round()
    made.next_stage()
    made.play_round()
    made.finish()

    places = Program(client).get(f"events/{made.event.code}/places").json()

    assert [(row["place"], row["rank"], row["lost_in"], row["prize"]) for row in places] == [
        (1, 1, None, "a trophy and a playmat"),
        (2, 2, 1, "a playmat"),
        (3, 3, None, "2 packs"),
        (4, 4, None, "2 packs"),
    ]
    assert "winner a trophy and a playmat" in said(client.get(f"/e/{made.event.code}/standings/"))


def test_players_of_one_team_share_a_place_and_what_it_gets(packs, make_event, client):
    load_packs("epic-duels")
    made = make_event(policy="light-and-dark", players=4, checked_in=True, decklists=False)
    for number, player in enumerate(made.players):
        team = ("Foxes", "Owls")[number % 2]
        player_facts.change_facts(event_id=made.event.pk, actor=made.by_organiser, player_id=player.pk, team=team)
    prizes.set_prizes(event_id=made.event.pk, actor=made.by_organiser, prizes=TABLE)
    setup.start_event(event_id=made.event.pk, actor=made.by_organiser)
    for _ in range(made.event.stages.get().rounds_planned or 0):
        round_ = made.post_round()
        for match in round_.matches.filter(state="open"):
            placed_results.decide_sides(
                event_id=made.event.pk, actor=made.by_organiser, match_id=match.pk, winner="Light"
            )
        rounds.complete_round(event_id=made.event.pk, actor=made.by_organiser, round_number=round_.sequence)
    made.finish()

    found = final_places(made.event)
    told = Program(client).get(f"events/{made.event.code}/places").json()

    assert [row.place for row in found] == [1, 1, 3, 3]
    assert [len({row.player.team_id for row in found[pair : pair + 2]}) for pair in (0, 2)] == [1, 1]
    assert [row["prize"] for row in told] == [
        *["shared by 2: a trophy, a playmat and a playmat"] * 2,
        *["shared by 2: 2 packs and 2 packs"] * 2,
    ]
    assert "shared by 2: 2 packs and 2 packs" in said(client.get(f"/e/{made.event.code}/standings/"))


def test_elimination_alone_has_places_too(make_event, client, as_user):
    made = played_by(make_event, {"kind": "single_elimination", "cut": 4})
    made.play_round()
    made.play_round()
    made.finish()

    places = Program(client).get(f"events/{made.event.code}/places").json()

    assert [(row["place"], row["rank"], row["match_points"], row["lost_in"]) for row in places] == [
        (1, None, None, None),
        (2, None, None, 2),
        (3, None, None, 1),
        (4, None, None, 1),
    ]
    for path in ("", "standings/", "bracket/", "players/", "info/", "wall/", "report.json"):
        assert (path, client.get(f"/e/{made.event.code}/{path}").status_code) == (path, 200)
    for player in made.players:
        assert as_user(player).get(f"/e/{made.event.code}/me/").status_code == 200
    assert verify_event(made.refresh()).faults == []


def test_staff_tick_off_what_they_hand_over(finished, send, scorekeeper):
    keeper, player = scorekeeper(finished), final_places(finished.event)[0].player

    answer = send(keeper, desk(finished, f"{player.pk}/hand-over"), {"note": "Split with the second."})
    again = send(keeper, desk(finished, f"{player.pk}/hand-over"))
    row = PrizeHandover.objects.get(player=player)
    back = send(keeper, desk(finished, f"{player.pk}/take-back"))
    twice = send(keeper, desk(finished, f"{player.pk}/take-back"))

    assert answer.url == f"{desk(finished)}#player-{player.pk}"
    assert (row.by, row.by_name, row.note) == (keeper, "The scorekeeper", "Split with the second.")
    assert (again.status_code, back.status_code, twice.status_code) == (409, 302, 409)
    assert f"{player.name} has got it already, from The scorekeeper." in said(again)
    assert not PrizeHandover.objects.exists()
    kinds = LogEntry.objects.filter(event=finished.event, kind__startswith="prize.").values_list("kind", "is_public")
    assert list(kinds) == [("prize.handed_over", False), ("prize.taken_back", False)]
    assert verify_event(finished.refresh()).faults == []


def test_who_gets_nothing_is_handed_nothing(make_event, send):
    made = played_by(make_event, {**SWISS, "rounds": 1})
    prizes.set_prizes(event_id=made.event.pk, actor=made.by_organiser, prizes=TABLE[:1])
    early = send(made.organiser, desk(made, f"{made.players[0].pk}/hand-over"))
    made.play_round()
    made.finish()
    last = final_places(made.event)[3].player

    answer = send(made.organiser, desk(made, f"{last.pk}/hand-over"))
    long = send(made.organiser, desk(made, f"{last.pk}/hand-over"), {"note": "x" * 201})
    stranger = send(made.organiser, desk(made, "0/hand-over"))

    assert [page.status_code for page in (early, answer, long, stranger)] == [409, 400, 400, 404]
    assert "place gets no prize" in said(answer)


def test_only_staff_learn_full_names_and_handovers(finished, as_user, client):
    player = final_places(finished.event)[0].player
    type(player).objects.filter(pk=player.pk).update(public_name="Canary C.", name="Canary Hidden")
    prizes.hand_over(event_id=finished.event.pk, actor=finished.by_organiser, player_id=player.pk)

    for_staff = Program(as_user(finished.judge)).get(f"events/{finished.event.code}/places").json()[0]
    for_all = Program(client).get(f"events/{finished.event.code}/places")

    assert (for_staff["full_name"], for_staff["handed_over"]["by"]) == ("Canary Hidden", "Odile Marchetti")
    assert set(for_all.json()[0]) == {"place", "player", "name", "rank", "match_points", "lost_in", "prize"}
    assert "Hidden" not in for_all.content.decode()
    assert "Hidden" not in client.get(f"/e/{finished.event.code}/standings/").content.decode()


@pytest.mark.parametrize("players", [2, 6])
def test_the_page_asks_as_often_for_many_players_as_for_few(make_event, as_user, players):
    made = played_by(make_event, {**SWISS, "rounds": 1}, players=players)
    prizes.set_prizes(event_id=made.event.pk, actor=made.by_organiser, prizes=(Prize(1, 6, "a pack"),))
    made.play_round()
    made.finish()
    for row in final_places(made.event)[:players]:
        prizes.hand_over(event_id=made.event.pk, actor=made.by_organiser, player_id=row.player.pk)
    client = as_user(made.organiser)

    with CaptureQueriesContext(connection) as captured:
        assert client.get(desk(made)).status_code == 200

    assert (
        len(captured) == 2 + 3 + 6
    )  # session and user; event and viewer; prizes, stage, places, handovers, stage, bar


# -- the archive ------------------------------------------------------------------------------------------------------


def test_an_archived_event_is_in_no_list_and_nothing_in_it_changes(finished, send, as_user, client):
    code = finished.event.code
    player = final_places(finished.event)[0].player

    answer = send(finished.organiser, desk(finished, "archive"), event=finished.event)

    assert answer.url == desk(finished)
    assert code not in client.get("/e/").content.decode()
    assert code not in client.get("/").content.decode()
    assert Program(client).get("events").json()["results"] == []
    assert "Finished, in the archive" in said(client.get(f"/e/{code}/standings/"))
    assert code in as_user(finished.organiser).get("/e/archived").content.decode()
    assert code not in as_user(finished.judge).get("/e/archived").content.decode()
    refused = send(finished.organiser, desk(finished, f"{player.pk}/hand-over"))
    twice = send(finished.organiser, desk(finished, "archive"), event=finished.event)
    assert [page.status_code for page in (refused, twice)] == [409, 409]
    assert "in the archive, where nothing changes" in said(refused)
    assert verify_event(finished.refresh()).faults == []


def test_an_archived_event_is_taken_out_again(finished, send, client):
    archive.archive_event(event_id=finished.event.pk, actor=finished.by_organiser)

    answer = send(finished.organiser, desk(finished, "restore"), event=finished.event)
    again = send(finished.organiser, desk(finished, "restore"), event=finished.event)

    assert (answer.status_code, again.status_code) == (302, 409)
    assert finished.refresh().archived_at is None
    assert finished.event.code in client.get("/e/").content.decode()


def test_only_an_event_that_is_over_goes_into_the_archive(make_event, send):
    made = make_event(players=2)

    early = send(made.organiser, desk(made, "archive"), event=made.event)
    administration.cancel_event(event_id=made.event.pk, actor=made.by_organiser, reason="No hall.")
    late = send(made.organiser, desk(made, "archive"), event=made.event)

    assert (early.status_code, late.status_code) == (409, 302)


def test_a_program_archives_and_restores(finished, as_user):
    program, path = Program(as_user(finished.organiser)), f"events/{finished.event.code}/archived"
    version = version_of(finished.event)

    without = program.post(path, {"archived": True})
    put = program.post(path, {"archived": True}, version=version)
    out = program.post(path, {"archived": False}, version=version + 1)

    assert [answer.status_code for answer in (without, put, out)] == [428, 200, 200]
    assert (put.json()["archived"], out.json()["archived"]) == (True, False)


# -- another like it --------------------------------------------------------------------------------------------------


def weekly(make_event, **options) -> Made:
    made = make_event(
        players=3,
        time_zone="Europe/Vienna",
        starts_at=datetime(2026, 10, 20, 16, 0, tzinfo=UTC),  # 18:00 there, in summer
        capacity=32,
        decklist_deadline=datetime(2026, 10, 20, 15, 30, tzinfo=UTC),
        decklist_publication="after",
        **options,
    )
    event = made.refresh()
    administration.change_event(
        event_id=event.pk,
        actor=made.by_organiser,
        **{
            field: getattr(event, field)
            for field in ("name", "starts_at", "time_zone", "place", "capacity", "decklist_deadline")
        },
        decklist_publication="after",
        registration_opens_at=datetime(2026, 10, 13, 16, 0, tzinfo=UTC),
        waitlist=True,
        late_until_round=2,
        fee="8 euros",
    )
    prizes.set_prizes(event_id=event.pk, actor=made.by_organiser, prizes=TABLE)
    made.refresh()
    return made


def test_a_clone_has_the_settings_and_nobody_in_it(make_event, send):
    made = weekly(make_event, own_rules={"match": {"best_of": 1}})
    fields = {"name": "Winter open, second", "starts_at": "2026-10-27T18:00", "with_staff": "on"}

    answer = send(made.organiser, f"/e/{made.event.code}/desk/clone/", fields)

    new = Event.objects.exclude(pk=made.event.pk).get()
    assert answer.url == f"/e/{new.code}/desk/"
    assert new.starts_at == datetime(2026, 10, 27, 17, 0, tzinfo=UTC)  # 18:00 there, in winter
    assert new.decklist_deadline == datetime(2026, 10, 27, 16, 30, tzinfo=UTC)  # half an hour before, as it was
    assert new.registration_opens_at == datetime(2026, 10, 20, 16, 0, tzinfo=UTC)
    assert (new.legality_date, new.rules) == (date(2026, 10, 27), made.event.rules)
    assert (new.waitlist, new.late_until_round, new.fee, new.capacity) == (True, 2, "8 euros", 32)
    assert [prize.words for prize in new.prizes.all()] == ["a trophy", "a playmat", "2 packs"]
    assert sorted(new.staff.values_list("user", "role")) == sorted(made.event.staff.values_list("user", "role"))
    assert (new.players.count(), new.state) == (0, "registration")
    assert bytes(new.secret) != bytes(made.event.secret)
    assert LogEntry.objects.get(event=new, kind="event.created").payload["cloned_from"] == made.event.code


def test_without_the_staff_only_the_organiser_has_a_role(make_event, as_user):
    made = weekly(make_event)
    program = Program(as_user(made.organiser))

    answer = program.post(f"events/{made.event.code}/clone", {"name": "Second", "starts_at": "2027-03-12T10:00:00Z"})

    new = Event.objects.get(code=answer.json()["code"])
    assert (answer.status_code, answer.json()["staff"]) == (201, 0)
    assert list(new.staff.values_list("user", "role")) == [(made.organiser.pk, "organiser")]


def test_a_template_is_taken_in_the_version_of_the_new_day(make_event):
    made = make_event(policy="standard", players=0, starts_at=datetime(2024, 6, 1, 9, tzinfo=UTC))
    old = policy_of("standard")._meta.model.objects.get(slug="standard", version="2024")
    Event.objects.filter(pk=made.event.pk).update(policy=old, rules=old.definition)

    change = cloning.clone_event(
        event_id=made.event.pk, actor=made.by_organiser, name="Now", starts_at=datetime(2026, 6, 1, 9, tzinfo=UTC)
    )

    new = Event.objects.select_related("policy").get(pk=change.facts["event"])
    assert (new.policy.version, new.rules["match"]["minutes"]) == ("2025", 50)


def test_what_the_organiser_changed_in_a_template_is_changed_in_the_clone(make_event):
    made = make_event(players=0)
    missing_lists.change_decklist_rules(
        event_id=made.event.pk, actor=made.by_organiser, mode="required", without="drop"
    )

    change = cloning.clone_event(
        event_id=made.event.pk, actor=made.by_organiser, name="Again", starts_at=made.event.starts_at
    )

    rules = Event.objects.get(pk=change.facts["event"]).rules
    assert rules == made.refresh().rules
    assert (rules["slug"], rules["decklist"]["without"]) == ("designed-deck", "drop")


def test_a_clone_on_a_day_without_the_format_is_refused_and_kept_in_the_form(make_event, send):
    made = make_event(policy="standard", players=0)
    fields = {"name": "Too early", "starts_at": "2001-01-01T10:00"}

    answer = send(made.organiser, f"/e/{made.event.code}/desk/clone/", fields)
    nameless = send(made.organiser, f"/e/{made.event.code}/desk/clone/", {**fields, "name": " "})

    assert (answer.status_code, nameless.status_code) == (404, 400)
    assert 'value="Too early"' in answer.content.decode()
    assert Event.objects.count() == 1


def test_every_setting_of_an_event_is_kept_moved_or_made_anew():
    """Whoever gives events a new column says here what a clone does with it."""
    anew = {
        *("id", "code", "name", "starts_at", "game", "format", "legality_date", "format_version", "kept_rules"),
        *("policy", "rules", "state", "version", "wide_version", "log_head", "secret", "commitment", "created_at"),
        *("archived_at", "series"),
    }

    assert {field.name for field in Event._meta.concrete_fields} == anew | set(cloning.KEPT) | set(cloning.MOVED)


def test_the_system_clones_for_nobody(make_event):
    made = make_event(players=0)

    change = cloning.clone_event(
        event_id=made.event.pk, actor=SYSTEM, name="Again", starts_at=made.event.starts_at + timedelta(days=7)
    )

    assert not StaffRole.objects.filter(event=change.facts["event"]).exists()


def test_who_runs_another_event_clones_nothing_here(make_event, as_user):
    made, other = make_event(players=0), make_user("Boss Elsewhere")
    body = {"name": "Mine", "starts_at": "2027-03-12T10:00:00Z"}

    stranger = Program(as_user(other)).post(f"events/{made.event.code}/clone", body)
    setup.add_staff(event_id=made.event.pk, actor=made.by_organiser, email=other.email, role="scorekeeper")
    keeper = Program(as_user(other)).post(f"events/{made.event.code}/clone", body)

    assert (stranger.status_code, keeper.status_code, Event.objects.count()) == (403, 403, 1)
