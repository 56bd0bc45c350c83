"""Rounds of any size, put straight into the database where playing up to them would take minutes."""

from __future__ import annotations

from events.models import Match, Player, Round, Seat
from tests.events.factories import Made


def hall(made: Made, players: int, *, seats: int = 2, number: int = 1) -> Round:
    """A posted round of ``players`` more, with ``seats`` at a table."""
    stage = made.event.stages.get(number=1)
    round_ = Round.objects.create(
        event=made.event, stage=stage, number=number, sequence=number, state=Round.State.POSTED, seconds=3000
    )
    people = Player.objects.bulk_create(
        Player(event=made.event, name=f"Given{n} Family{n:04d}", name_key=f"key{number}-{n}", state="checked_in")
        for n in range(players)
    )
    matches = Match.objects.bulk_create(
        Match(event=made.event, round=round_, table=n + 1) for n in range(-(-players // seats))
    )
    Seat.objects.bulk_create(
        Seat(event=made.event, round=round_, match=matches[n // seats], player=person, index=n % seats)
        for n, person in enumerate(people)
    )
    return round_
