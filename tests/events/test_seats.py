"""Results are told from seat A's side, so every page and every answer has to begin with that seat."""

from __future__ import annotations

from events.queries.desk import table_rows
from events.queries.own_match import my_match, my_seats
from events.queries.public_pages import pairings
from events.queries.visibility import matches_of


def test_seat_a_comes_first_for_the_desk_for_players_for_everybody_and_for_programs(make_event) -> None:
    made = make_event(players=4, started=True)
    round_ = made.post_round()
    wanted = [[seat.pk for seat in match.seats.order_by("index")] for match in round_.matches.order_by("table")]
    mine = my_match(my_seats(made.players[0])[0])

    found = [matches_of(round_), pairings(round_), [row.match for row in table_rows(round_)]]

    assert [[[seat.pk for seat in match.seats.all()] for match in matches] for matches in found] == [wanted] * 3
    assert [seat.pk for seat in mine.match.seats.all()] in wanted
