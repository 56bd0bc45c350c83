"""Making an event, its settings, its staff, its first and its last step."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest
from django.utils import timezone

from events.models import Event, LogEntry, StaffRole
from rules.models import Policy
from tests.events.factories import load_packs, make_user, policy_of

from .conftest import key, said, version_of

pytestmark = pytest.mark.django_db


def form(**fields: object) -> dict[str, object]:
    return {
        "policy": policy_of("designed-deck").pk,
        "name": "Winter open",
        "starts_at": "2027-03-05T10:30",
        "time_zone": "Europe/Vienna",
        "place": "Town hall",
        "capacity": "32",
        "decklist_publication": "after",
        **fields,
    }


def settings_form(**fields: object) -> dict[str, object]:
    return {name: value for name, value in form(**fields).items() if name != "policy"}


def desk(made, path: str = "") -> str:
    return f"/e/{made.event.code}/desk/{path}"


# -- a new event ------------------------------------------------------------------------------------------------------


def test_anybody_with_an_account_makes_an_event_and_becomes_its_organiser(packs, send, as_user):
    person = make_user("Ora Niser")

    answer = send(person, "/e/new", form(decklist_deadline="2027-03-05T10:00"))

    event = Event.objects.get()
    assert answer.url == f"/e/{event.code}/desk/"
    assert (event.name, event.place, event.capacity, event.decklist_publication) == (
        "Winter open",
        "Town hall",
        32,
        "after",
    )
    assert event.starts_at == datetime(2027, 3, 5, 9, 30, tzinfo=UTC)
    assert event.decklist_deadline == datetime(2027, 3, 5, 9, 0, tzinfo=UTC)
    assert (event.legality_date, event.policy.slug) == (date(2027, 3, 5), "designed-deck")
    assert [(row.user, row.role) for row in event.staff.all()] == [(person, "organiser")]
    assert "Start the event" in said(as_user(person).get(answer.url))


def test_the_day_that_decides_what_is_legal_can_be_another(packs, send):
    send(make_user("Ora Niser"), "/e/new", form(legality_date="2026-06-01"))

    assert Event.objects.get().legality_date == date(2026, 6, 1)


def test_who_is_not_logged_in_makes_no_event(packs, client):
    assert client.get("/e/new").url.startswith("/account/login/")
    assert client.post("/e/new", form()).status_code == 302
    assert not Event.objects.exists()


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"name": ""}, "This field is required."),
        ({"name": "x" * 121}, "at most 120 characters"),
        ({"name": "a\x00b"}, "NUL"),
        ({"policy": ""}, "This field is required."),
        ({"policy": "0"}, "Select a valid choice"),
        ({"policy": "x"}, "Select a valid choice"),
        ({"policy": "9" * 30}, "Select a valid choice"),
        ({"starts_at": ""}, "This field is required."),
        ({"starts_at": "tomorrow"}, "Enter a valid date/time"),
        ({"starts_at": "2026-13-40T10:00"}, "Enter a valid date/time"),
        ({"starts_at": "0001-01-01T00:00"}, "Choose a year from 2000 to 2100."),
        ({"starts_at": "9999-12-31T23:59"}, "Choose a year from 2000 to 2100."),
        ({"starts_at": "2026-03-29T02:30"}, "The clocks go forward"),
        ({"time_zone": "Atlantis/Capital"}, "Select a valid choice"),
        ({"time_zone": "../../etc/passwd"}, "Select a valid choice"),
        ({"capacity": "1"}, "greater than or equal to 2"),
        ({"capacity": "10001"}, "less than or equal to 10000"),
        ({"capacity": "x"}, "Enter a whole number"),
        ({"capacity": "9" * 400}, ""),
        ({"legality_date": "x"}, "Enter a valid date"),
        ({"legality_date": "1066-10-14"}, "Choose a year from 2000 to 2100."),
        ({"decklist_publication": "loudly"}, "Select a valid choice"),
        ({"decklist_deadline": "x"}, "Enter a valid date/time"),
        ({"idempotency_key": None}, "incomplete"),
        ({"version": "x"}, "damaged"),
    ],
)
def test_what_cannot_be_an_event_is_refused_beside_its_field(packs, send, fields, words):
    answer = send(make_user("Ora Niser"), "/e/new", form(**fields))

    assert answer.status_code == 400
    assert words in said(answer)
    assert not Event.objects.exists()


def test_a_day_before_the_format_began_is_refused_with_what_was_typed(packs, send):
    fields = form(policy=policy_of("standard").pk, legality_date="2001-01-01")

    answer = send(make_user("Ora Niser"), "/e/new", fields)

    assert answer.status_code == 404
    assert 'value="Winter open"' in answer.content.decode()
    assert not Event.objects.exists()


def test_an_event_whose_form_is_sent_twice_is_made_once(packs, send):
    person, fields = make_user("Ora Niser"), form(idempotency_key=key())

    first, second = send(person, "/e/new", fields), send(person, "/e/new", fields)

    assert first.url == second.url
    assert Event.objects.count() == 1


def test_the_form_says_what_the_template_leads_to_before_anything_is_made(packs, send, as_user):
    person = make_user("Ora Niser")

    look = said(send(person, "/e/new", form(look="1", capacity="5", name="")))
    part = send(person, "/e/new", form(capacity="12", policy=policy_of("draft-2").pk), headers={"HX-Request": "true"})

    assert "3 Swiss rounds" in look
    assert "A cut to 8 needs as many players" in look
    assert "12 players make no full pods of 8" in said(part)
    assert "<html" not in part.content.decode()
    assert not Event.objects.exists()
    opened = as_user(person).get("/e/new", {"policy": policy_of("draft-2").pk})
    assert "a draft of 2 packs in pods of 8" in said(opened).casefold()


def test_only_templates_in_force_are_offered(packs, as_user):
    page = as_user(make_user("Ora Niser")).get("/e/new")

    offered = {int(pk) for _, group in page.context["form"].fields["policy"].choices for pk, _ in group}
    assert offered == set(Policy.objects.filter(during__contains=timezone.localdate()).values_list("pk", flat=True))
    assert len(offered) < Policy.objects.count()


@pytest.mark.parametrize(("game", "policy"), [("epic-melee", "melee"), ("epic-duels", "light-and-dark")])
def test_tables_and_team_games_are_offered(packs, as_user, game, policy):
    load_packs(game)

    page = as_user(make_user("Ora Niser")).get("/e/new")

    offered = {int(pk) for _, group in page.context["form"].fields["policy"].choices for pk, _ in group}
    assert policy_of(policy).pk in offered


# -- settings ---------------------------------------------------------------------------------------------------------


def test_settings_are_changed_and_logged(make_event, send):
    made = make_event(players=2)

    answer = send(made.organiser, desk(made, "settings/"), settings_form(), event=made.event)

    event = made.refresh()
    assert answer.url == desk(made, "settings/")
    assert (event.name, event.capacity, event.time_zone) == ("Winter open", 32, "Europe/Vienna")
    assert event.starts_at == datetime(2027, 3, 5, 9, 30, tzinfo=UTC)
    changed = LogEntry.objects.get(event=event, kind="event.changed").payload
    assert set(changed) == {"name", "starts_at", "time_zone", "capacity", "place", "decklist_publication"} - {"place"}


def test_the_form_shows_the_settings_as_they_are_and_saving_them_changes_nothing(make_event, send, as_user):
    made = make_event(time_zone="America/New_York", decklist_deadline=datetime(2027, 3, 5, 8, 0, tzinfo=UTC))
    shown = as_user(made.organiser).get(desk(made, "settings/")).context["form"]
    fields = {name: shown[name].value() for name in shown.fields}
    before = version_of(made.event)

    assert (fields["starts_at"], fields["decklist_deadline"]) == (datetime(2027, 3, 5, 4), datetime(2027, 3, 5, 3))
    typed = {
        name: f"{value:%Y-%m-%dT%H:%M}" if isinstance(value, datetime) else value
        for name, value in fields.items()
        if value not in (None, False)  # as a browser sends what is empty or not ticked
    }
    assert send(made.organiser, desk(made, "settings/"), typed, event=made.event).status_code == 302
    assert version_of(made.event) == before


def test_how_people_register_is_set_and_kept(make_event, send, as_user):
    made = make_event(players=2)
    doors = {
        "registration_opens_at": "2026-11-20T10:00",
        "registration_closes_at": "2027-03-04T20:00",
        "waitlist": "on",
        "late_until_round": "3",
        "fee": "8 euros",
    }

    assert send(made.organiser, desk(made, "settings/"), settings_form(**doors), event=made.event).status_code == 302

    event = made.refresh()
    assert (event.waitlist, event.late_until_round, event.fee) == (True, 3, "8 euros")
    assert event.registration_opens_at == datetime(2026, 11, 20, 9, tzinfo=UTC)  # Vienna's clock
    assert event.registration_closes_at == datetime(2027, 3, 4, 19, tzinfo=UTC)
    page = as_user(made.organiser).get(desk(made, "settings/"))
    assert page.context["form"]["registration_opens_at"].value() == datetime(2026, 11, 20, 10)


@pytest.mark.parametrize("zone", ["US/Eastern", "Etc/GMT+5", "EST5EDT"])
def test_an_unusual_zone_stays_as_it_is(make_event, as_user, zone):
    made = make_event(time_zone=zone)

    page = as_user(made.organiser).get(desk(made, "settings/")).content.decode()

    assert f'<option value="{zone}" selected>' in page


@pytest.mark.parametrize(
    ("fields", "status"),
    [
        ({"name": ""}, 400),
        ({"capacity": "2"}, 409),
        ({"starts_at": "2026-03-29T02:30"}, 400),
        ({"time_zone": "x"}, 400),
        ({"registration_opens_at": "2027-03-02T10:00", "registration_closes_at": "2027-03-02T10:00"}, 400),
        ({"late_until_round": "0"}, 400),
        ({"fee": "x" * 41}, 400),
        ({"name": "\ud800"}, 400),
        ({"version": 1}, 409),
        ({"idempotency_key": None}, 400),
    ],
)
def test_settings_that_cannot_be_are_refused_and_kept_in_the_form(make_event, send, fields, status):
    made = make_event(players=3)
    if fields.get("name") == "\ud800":
        fields = {"name": "a\x00"}
    before = version_of(made.event)

    answer = send(made.organiser, desk(made, "settings/"), settings_form(**fields), event=made.event)

    assert (answer.status_code, version_of(made.event)) == (status, before)


def test_an_event_is_called_off_with_a_reason_for_good(make_event, send, as_user):
    made = make_event(players=2)

    without = send(made.organiser, desk(made, "cancel"), {"reason": " "}, event=made.event)
    answer = send(made.organiser, desk(made, "cancel"), {"reason": "The hall is flooded."}, event=made.event)
    again = send(made.organiser, desk(made, "cancel"), {"reason": "Once more."}, event=made.event)

    assert [without.status_code, answer.status_code, again.status_code] == [400, 302, 409]
    assert made.refresh().state == "cancelled"
    assert LogEntry.objects.get(event=made.event, kind="event.cancelled").payload == {"reason": "The hall is flooded."}
    assert "The event was cancelled." in said(as_user(made.organiser).get(desk(made)))
    assert send(made.organiser, desk(made, "settings/"), settings_form(), event=made.event).status_code == 409


# -- staff ------------------------------------------------------------------------------------------------------------


def test_staff_are_added_by_address_and_taken_off(make_event, send, as_user):
    made = make_event(players=0)
    helper = make_user("Hel Per")

    added = send(made.organiser, desk(made, "staff/add"), {"email": "HEL-per@example.org", "role": "scorekeeper"})
    role = StaffRole.objects.get(event=made.event, user=helper)
    page = said(as_user(made.organiser).get(desk(made, "staff/")))
    removed = send(made.organiser, desk(made, f"staff/{role.pk}/remove"))

    assert (added.url, role.role) == (desk(made, "staff/"), "scorekeeper")
    assert "Hel Per Scorekeeper" in page
    assert "example.org" not in page
    assert removed.status_code == 302
    assert not StaffRole.objects.filter(pk=role.pk).exists()
    assert as_user(helper).get(desk(made)).status_code == 404


@pytest.mark.parametrize(
    ("data", "words"),
    [
        ({"email": "", "role": "judge"}, "This field is required."),
        ({"email": "x", "role": "judge"}, "Enter a valid email address."),
        ({"email": "nobody@example.org", "role": "judge"}, "Nobody has signed up"),
        ({"email": "jun-tanaka@example.org", "role": "judge"}, "already has this role"),
        ({"email": "jun-tanaka@example.org", "role": "emperor"}, "Select a valid choice"),
        ({"email": "jun-tanaka@example.org"}, "This field is required."),
        ({"email": "a\x00@example.org", "role": "judge"}, "NUL"),
        ({"email": "odile-marchetti@example.org", "role": "judge", "idempotency_key": None}, "incomplete"),
    ],
)
def test_who_cannot_be_staff_is_refused(make_event, send, data, words):
    made = make_event(players=0)

    answer = send(made.organiser, desk(made, "staff/add"), data)

    assert answer.status_code == 400
    assert words in said(answer)
    assert StaffRole.objects.filter(event=made.event).count() == 2


def test_the_last_organiser_stays(make_event, send):
    made = make_event(players=0)
    role = StaffRole.objects.get(event=made.event, role="organiser")

    answer = send(made.organiser, desk(made, f"staff/{role.pk}/remove"))

    assert answer.status_code == 409
    assert "is the only organiser" in said(answer)
    assert StaffRole.objects.filter(pk=role.pk).exists()


# -- from start to finish ---------------------------------------------------------------------------------------------


def test_the_desk_names_what_stops_the_start(make_event, send, as_user):
    made = make_event(players=3, checked_in=True)
    made.submit(made.players[0])

    page = as_user(made.organiser).get(desk(made))
    answer = send(made.organiser, desk(made, "do/start-event"), event=made.event)

    assert "2 without a decklist: Bela Quist, Cleo Marsh" in said(page)
    assert "disabled" in page.content.decode()
    assert answer.status_code == 409
    assert "no decklist from Bela Quist, Cleo Marsh" in said(answer)
    assert made.refresh().state == "registration"


def test_an_event_goes_from_start_to_finish_by_the_one_big_button(make_event, send, as_user):
    made = make_event(players=4, checked_in=True, decklists=True)
    client, labels = as_user(made.organiser), []
    for _ in range(30):
        page = client.get(desk(made))
        step = page.context["step"]
        labels.append(step.label)
        if step.code is None:
            break
        if page.context["round"] is not None and step.code == "start_clock":
            assert send(made.organiser, page.context["step_url"], event=made.event).status_code == 302
            for table in page.context["round"].matches.exclude(table=None).values_list("table", flat=True):
                number = page.context["round"].sequence
                entry = {"entry": f"{table} 20"}
                assert send(made.organiser, desk(made, f"round/{number}/enter"), entry).status_code == 302
            continue
        assert send(made.organiser, page.context["step_url"], event=made.event).status_code == 302

    assert labels == [
        "Start the event with 4 players",
        *("Draft round 1", "Post round 1", "Start the clock of round 1", "Complete round 1"),
        *("Draft round 2", "Post round 2", "Start the clock of round 2", "Complete round 2"),
        "Cut to the top 8",
        *("Draft round 3", "Post round 3", "Start the clock of round 3", "Complete round 3"),
        *("Draft round 4", "Post round 4", "Start the clock of round 4", "Complete round 4"),
        "Finish the event",
        "The event is over.",
    ]
    assert made.refresh().state == "finished"


def test_a_limited_event_names_the_pods_that_draft_and_goes_on_to_deck_building(make_event, send, as_user):
    made = make_event(policy="draft-2", players=4, started=True)
    client = as_user(made.organiser)

    page = said(client.get(desk(made)))
    early = send(made.organiser, desk(made, "do/begin-stage"), event=made.event)
    made.draft_to_the_end()
    late = send(made.organiser, desk(made, "do/begin-stage"), event=made.event)

    assert "A pod is still drafting" in page
    assert (early.status_code, late.status_code) == (409, 302)
    assert "4 without a decklist" in said(client.get(desk(made)))


def test_what_the_rounds_cannot_promise_is_said_before_the_first(make_event, as_user):
    made = make_event(policy="sealed-3", players=3, checked_in=True)

    page = said(as_user(made.organiser).get(desk(made)))

    assert "What this set-up can’t promise" in page
    assert "3 rounds with 3 players" in page


def test_the_clock_runs_out_and_the_desk_says_to_call_time(make_event, as_user):
    made = make_event(started=True)
    round_ = made.post_round()
    round_.intervals.update(started_at=timezone.now() - timedelta(hours=2))

    page = said(as_user(made.organiser).get(desk(made)))

    assert "Call time in round 1" in page
    assert "The time is over." in page


def test_scorekeepers_are_told_that_the_organiser_starts(make_event, as_user, scorekeeper):
    made = make_event(players=2, checked_in=True, decklists=True)

    page = said(as_user(scorekeeper(made)).get(desk(made)))

    assert "The organiser does this." in page


def test_an_organiser_who_leaves_is_led_to_the_public_page(make_event, send):
    made = make_event(players=0)
    send(made.organiser, desk(made, "staff/add"), {"email": made.judge.email, "role": "organiser"})
    own = StaffRole.objects.get(event=made.event, user=made.organiser)

    answer = send(made.organiser, desk(made, f"staff/{own.pk}/remove"))

    assert answer.url == f"/e/{made.event.code}/"
