"""Pages of events that are played to the end, and of those that were called off."""

from __future__ import annotations

import pytest
from django.contrib.humanize.templatetags.humanize import ordinal
from django.test import Client

from events.models import Round, Seat
from events.services import administration
from tests.events.pages.test_public import words

REASON = "The hall is flooded, see you in May."


def test_after_the_final_the_places_are_those_of_the_cut_and_the_standings_can_still_be_read(make_event, as_user):
    made = make_event(players=5, started=True)
    for _ in range(3):
        made.play_round()
    made.next_stage()
    client, here = Client(), f"/e/{made.event.code}/"
    made.play_round()
    made.play_round()
    before = [words(client.get(here + tab)) for tab in ("", "standings/", "wall/")]
    made.play_round()
    after = [words(client.get(here + tab)) for tab in ("", "standings/", "wall/")]
    mine = [words(as_user(player).get(f"{here}me/")) for player in made.players]

    rank = {row.player.name: row.rank for row in Round.objects.get(event=made.event, sequence=3).standings.all()}
    lost = {
        seat.player.name: round_.number
        for round_ in Round.objects.filter(event=made.event, stage__kind="single_elimination")
        for seat in Seat.objects.filter(round=round_, outcome="loss").select_related("player")
    }
    order = sorted(rank, key=lambda name: (-lost.get(name, 9), rank[name]))
    reached = {1: "lost in the quarter-finals", 2: "lost in the semi-finals", 3: "lost in the final"}
    told = [
        f"{place} {name} {reached[lost[name]] if name in lost else 'winner'}" for place, name in enumerate(order, 1)
    ]
    ranked = [f"{line} {rank[name]}" for line, name in zip(told, order, strict=True)]
    assert " ".join(ranked) in after[0]
    assert " ".join(ranked) in after[1]
    assert " ".join(told) in after[2]
    for player, page in zip(made.players, mine, strict=True):
        place, swiss = (ordinal(number) for number in (order.index(player.name) + 1, rank[player.name]))
        assert f"{place} of 5 in the final placing, {swiss} after round 3, with " in page
    assert not any("lost in" in page for page in before)
    assert "Final placing" not in words(client.get(f"{here}standings/?round=3"))


@pytest.mark.parametrize("started", [False, True])
def test_everybody_reads_why_an_event_was_called_off_and_nothing_is_played_in_it(make_event, as_user, started):
    made = make_event(players=2, started=started)
    if started:
        made.post_round()
    administration.cancel_event(event_id=made.event.pk, actor=made.by_organiser, reason=REASON)

    here = f"/e/{made.event.code}/"
    pages = [Client().get(here), Client().get(f"{here}wall/"), as_user(made.players[0]).get(f"{here}me/")]

    for page in pages:
        assert f"The organiser called it off: {REASON}" in words(page)
        assert "Table 1" not in words(page)
    assert 'class="button' not in pages[2].content.decode().partition("<main")[2].partition("</main>")[0]


def test_what_was_called_off_is_on_no_list(make_event):
    gone, kept = make_event(players=2, name="Gone"), make_event(players=2, name="Kept")
    administration.cancel_event(event_id=gone.event.pk, actor=gone.by_organiser, reason=REASON)

    lists = [Client().get(address).content.decode() for address in ("/", "/e/", "/api/v1/events")]

    assert [(gone.event.code in text, kept.event.code in text) for text in lists] == [(False, True)] * 3
