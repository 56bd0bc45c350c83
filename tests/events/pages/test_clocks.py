"""The clocks of several events on one screen."""

from __future__ import annotations

import pytest
from django.test import Client

from events.services import clocks, rounds
from tests.events.clocking import clocked, minutes
from tests.events.pages.test_public import words

pytestmark = pytest.mark.django_db


def test_every_event_has_its_clock_and_the_tables_that_end_otherwise(make_event) -> None:
    spring = make_event(name="Spring Cup", code="spring", players=4, started=True)
    autumn = make_event(name="Autumn Cup", code="autumn", players=2, started=True)
    winter = make_event(name="Winter Cup", code="winter", players=2, started=True)
    first = spring.post_round()
    start = clocked(first, since=minutes(10), runs=[(minutes(0), None)])
    match = first.matches.get(table=2)
    clocks.extend_table(
        event_id=spring.event.pk, actor=spring.by_organiser, match_id=match.pk, minutes=3, reason="Unwell"
    )
    autumn.post_round()
    rounds.call_time(event_id=autumn.event.pk, actor=autumn.by_organiser, round_number=1)
    winter.draft_round()

    answer = Client().get("/e/clocks")

    page, source = words(answer), answer.content.decode()
    assert page.index("Autumn Cup Round 1 Time") < page.index("Spring Cup Round 1")
    assert (start + minutes(50)).isoformat() in source
    assert (start + minutes(53)).isoformat() in source
    assert "Winter Cup" not in page
    assert "Unwell" not in source
    only = words(Client().get("/e/clocks?of=autumn,nowhere"))
    assert ("Autumn Cup" in only, "Spring Cup" in only) == (True, False)


@pytest.mark.parametrize("events", [1, 3])
def test_its_queries_do_not_grow_with_the_events(make_event, events, django_assert_num_queries) -> None:
    for number in range(events):
        clocked(
            make_event(code=f"cup{number}", players=2, started=True).post_round(),
            since=minutes(60),
            runs=[(minutes(0), None)],
        )

    with django_assert_num_queries(6):
        assert words(Client().get("/e/clocks")).count("Round 1") == events


def test_without_a_round_it_says_so() -> None:
    assert "No round is being played" in words(Client().get("/e/clocks"))
