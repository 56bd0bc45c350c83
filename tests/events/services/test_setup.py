"""An event from a template, its staff, its start and its end."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from datetime import UTC, date, datetime
from typing import Any, get_args

import pytest

from config.errors import Conflict, DomainError, NotFound
from events.models import Event, LogEntry, Player, Stage
from events.queries.templates import PLAYABLE, UNPLAYABLE, templates_on
from events.services import registration, rounds, setup
from events.services.transaction import SYSTEM
from rules.engine import policyschema
from rules.models import FormatVersion
from tests.events.factories import SECRET, STARTS, Made, actor_of, make_user, policy_of
from tests.events.services.watching import last_entry, one_change, refused

Make = Callable[..., Made]
pytestmark = pytest.mark.django_db


def create(**options: Any) -> Event:
    arguments: dict[str, Any] = {
        "actor": actor_of(make_user("Odile Marchetti")),
        "policy_id": policy_of("designed-deck").pk,
        "name": "Open of Hollowmere",
        "starts_at": STARTS,
        **options,
    }
    return Event.objects.get(pk=setup.create_event(**arguments).facts["event"])


def test_an_event_copies_its_template_and_promises_its_secret(packs: None) -> None:
    event = create(name="  Open of \n Hollowmere ", secret=SECRET, place=" Town hall ")
    policy = policy_of("designed-deck")
    assert (event.name, event.place, event.state, event.version) == (
        "Open of Hollowmere",
        "Town hall",
        "registration",
        1,
    )
    assert event.rules == policy.definition
    assert event.commitment == hashlib.sha256(SECRET).hexdigest()
    assert [(stage.number, stage.kind, stage.state) for stage in event.stages.order_by("number")] == [
        (1, "swiss", "waiting"),
        (2, "single_elimination", "waiting"),
    ]
    assert [(role.user.display_name, role.role) for role in event.staff.all()] == [("Odile Marchetti", "organiser")]
    entry = last_entry(event)
    assert (entry.seq, entry.kind, entry.is_public) == (1, "event.created", True)
    assert entry.payload["commitment"] == event.commitment
    assert SECRET.hex() not in str(entry.payload)


def test_two_events_have_secrets_and_codes_of_their_own(packs: None) -> None:
    one, other = create(), create()
    assert bytes(one.secret) != bytes(other.secret)
    assert len(bytes(one.secret)) == 32
    assert one.code != other.code


def test_an_event_made_by_the_system_has_no_organiser(packs: None) -> None:
    assert create(actor=SYSTEM).staff.count() == 0


def test_the_day_of_the_rules_is_the_day_where_the_event_is_held(packs: None) -> None:
    late = datetime(2027, 3, 5, 23, 30, tzinfo=UTC)
    assert create(starts_at=late).legality_date == date(2027, 3, 5)
    assert create(starts_at=late, time_zone="Europe/Vienna").legality_date == date(2027, 3, 6)
    assert create(starts_at=late, legality_date=date(2026, 1, 31)).legality_date == date(2026, 1, 31)


@pytest.mark.parametrize(
    ("options", "code"),
    [
        ({"name": "   "}, "event.name"),
        ({"name": "x" * 121}, "event.name"),
        ({"place": "x" * 121}, "event.place"),
        ({"time_zone": "Vienna"}, "event.time_zone"),
        ({"time_zone": ""}, "event.time_zone"),
        ({"capacity": 1}, "event.capacity"),
        ({"capacity": 10_001}, "event.capacity"),
        ({"policy_id": 2**40}, "event.policy_unknown"),
        ({"decklist_publication": "sometimes"}, "event.publication"),
    ],
)
def test_what_an_event_can_not_be(packs: None, options: dict[str, Any], code: str) -> None:
    with refused(DomainError, code, 400):
        create(**options)


@pytest.mark.parametrize("capacity", [2, 10_000])
def test_the_smallest_and_the_largest_room(packs: None, capacity: int) -> None:
    assert create(capacity=capacity, name="x" * 120).capacity == capacity


def test_no_version_of_the_format_is_in_force_that_day(packs: None) -> None:
    first = FormatVersion.objects.filter(format=policy_of("standard").format).order_by("during")[0]
    day = date(first.during.lower.year - 1, 1, 1)
    with refused(NotFound, "format.not_in_force", 404):
        create(policy_id=policy_of("standard").pk, legality_date=day)


def test_no_event_is_made_of_stages_that_cannot_be_played_yet(packs: None) -> None:
    policy = policy_of("standard")
    policy.definition["stages"] = [{"kind": "double_elimination", "cut": 8}]
    policy.save()
    assert policy not in templates_on(day=date(2026, 1, 1))
    unplayable = {"template": "standard", "stages": ["double_elimination"]}
    with refused(DomainError, "event.stages_unplayable", 400, unplayable):
        create(policy_id=policy.pk)
    assert not Event.objects.exists()


def test_a_stage_of_a_policy_can_be_played_or_is_known_not_to_be() -> None:
    kinds = {
        literal
        for stage in get_args(get_args(policyschema.Stage)[0])
        for literal in get_args(stage.model_fields["kind"].annotation)
    }
    assert kinds == set(Stage.Kind.values)
    assert kinds == PLAYABLE | set(UNPLAYABLE)
    assert not PLAYABLE & set(UNPLAYABLE)


# -- staff ------------------------------------------------------------------------------------------------------------


def add_staff(made: Made, email: str, role: str = "scorekeeper") -> None:
    setup.add_staff(event_id=made.event.pk, actor=made.by_organiser, email=email, role=role)


def test_staff_are_found_by_their_address_in_any_spelling(make_event: Make) -> None:
    made, person = make_event(players=0), make_user("Kit Scribe")
    with one_change(made.event, "staff.added"):
        add_staff(made, f"  {person.email.upper()} ")
    assert made.event.staff.filter(user=person, role="scorekeeper").count() == 1
    assert last_entry(made.event).is_public is False


def test_one_person_may_have_two_roles_but_none_twice(make_event: Make) -> None:
    made = make_event(players=0)
    add_staff(made, made.judge.email)
    with refused(DomainError, "staff.already", 400):
        add_staff(made, made.judge.email)


def test_staff_who_can_not_be_added(make_event: Make) -> None:
    made = make_event(players=0)
    with refused(DomainError, "staff.role", 400):
        add_staff(made, made.judge.email, "king")
    with refused(DomainError, "staff.unknown", 400):
        add_staff(made, "nobody@example.org")


# -- start ------------------------------------------------------------------------------------------------------------


def start(made: Made) -> None:
    setup.start_event(event_id=made.event.pk, actor=made.by_organiser)


def test_the_start_draws_lots_drops_no_shows_and_begins_the_first_stage(make_event: Make) -> None:
    made = make_event(players=4, checked_in=True, decklists=True)
    absent = made.players[3]
    registration.undo_check_in(event_id=made.event.pk, actor=made.by_organiser, player_id=absent.pk)
    with one_change(made.event, "event.started", "stage.begun"):
        change = setup.start_event(event_id=made.event.pk, actor=made.by_organiser)
    assert change.facts["no_shows"] == [absent.name]
    players = list(Player.objects.filter(event=made.event).order_by("pk"))
    assert [(p.state, p.dropped_after_round) for p in players] == [("checked_in", None)] * 3 + [("dropped", 0)]
    assert sorted(p.lot for p in players) == [0, 1, 2, 3]
    assert players[3].lot == 0
    stage = Stage.objects.get(event=made.event, number=1)
    assert (made.refresh().state, stage.state, stage.rounds_planned) == ("running", "active", 2)


def test_nobody_starts_twice(make_event: Make) -> None:
    made = make_event(players=2, started=True)
    with refused(Conflict, "event.not_open", 409, {"state": "running"}):
        start(made)


def test_one_player_is_no_event(make_event: Make) -> None:
    made = make_event(players=3, decklists=True)
    registration.check_in(event_id=made.event.pk, actor=made.by_organiser, player_id=made.players[0].pk)
    with refused(Conflict, "event.too_few_players", 409, {"checked_in": 1}):
        start(made)


def test_who_has_no_decklist_and_who_an_illegal_one_is_named(make_event: Make) -> None:
    made = make_event(players=4, checked_in=True, decklists=False)
    missing, illegal, fine, absent = made.players
    assert made.submit(illegal, "Main deck\n1 Thrust\n") == "illegal"
    made.submit(fine)
    registration.undo_check_in(event_id=made.event.pk, actor=made.by_organiser, player_id=absent.pk)
    with refused(Conflict, "event.decklists_missing", 409, {"missing": [missing.name], "illegal": [illegal.name]}):
        start(made)
    registration.drop_player(event_id=made.event.pk, actor=made.by_organiser, player_id=missing.pk)
    assert made.submit(illegal) == "legal"
    start(made)


# -- the end ----------------------------------------------------------------------------------------------------------


def test_a_finished_event_shows_its_secret_and_not_before(make_event: Make) -> None:
    made = make_event(policy="sealed-3", players=2, started=True)
    made.next_stage()
    for player in made.players:
        made.submit(player)
    for _ in range(made.next_stage().rounds_planned or 0):
        made.play_round()
    said = str(list(LogEntry.objects.filter(event=made.event).values_list("payload", flat=True)))
    assert SECRET.hex() not in said
    with one_change(made.event, "stage.complete", "event.finished"):
        made.finish()
    assert made.event.state == "finished"
    assert last_entry(made.event).payload == {"secret": SECRET.hex()}


def test_an_event_is_not_finished_while_something_is_left(make_event: Make) -> None:
    made = make_event(players=2, checked_in=True, decklists=True)
    with refused(Conflict, "event.not_running", 409, {"state": "registration"}):
        made.finish()
    start(made)
    with refused(Conflict, "stage.rounds_left", 409, {"planned": 1, "complete": 0}):
        made.finish()
    round_ = made.post_round()
    with refused(Conflict, "event.round_open", 409):
        made.finish()
    match = round_.matches.get()
    made.report(match.seats.all()[0].player, round_, 2, 0)
    made.report(match.seats.all()[1].player, round_, 0, 2)
    rounds.complete_round(event_id=made.event.pk, actor=made.by_organiser, round_number=1)
    with refused(Conflict, "event.stages_left", 409, {"stages": ["single_elimination"]}):
        made.finish()
    made.next_stage()
    made.play_round()
    made.finish()
    with refused(Conflict, "event.not_running", 409, {"state": "finished"}):
        made.finish()
