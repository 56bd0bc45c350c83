"""The packs and the events of tests.events, for tests that look at all addresses."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import pytest
from django.conf import LazySettings
from django.db.backends.postgresql.psycopg_any import DateRange
from django.test import Client

from accounts.models import User
from cards.models import Card
from decks.models import Deck, DeckRevision
from events.models import Player, PrintJob, Series, StaffRole
from rules.models import Format, Publication, Ruling, Section
from tests.events.api.conftest import nobody, program
from tests.events.conftest import as_user, make_event, packs, packs_once
from tests.events.factories import Made, user_of

AsUser = Callable[[User | Player], Client]

__all__ = ["as_user", "make_event", "nobody", "packs", "packs_once", "program"]


@dataclass
class Site:
    """An event with round 1 posted and the table of values for every parameter of an address."""

    made: Made
    values: dict[str, object]
    clients: dict[str, Client]


@pytest.fixture(autouse=True)
def _cheap_passwords(settings: LazySettings) -> None:
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]


@pytest.fixture
def site(make_event: Callable[..., Made], as_user: AsUser) -> Site:
    made = make_event(players=4, started=True)
    round_ = made.post_round()
    player = made.players[0]
    format_ = Format.objects.get(game__slug="epic", slug="designed-deck")
    card = Card.objects.filter(game__slug="epic").order_by("name")[0]
    deck = Deck.objects.create(
        owner=user_of(player),
        game=format_.game,
        format=format_,
        name="Mine",
        text=f"3x {card.name}",
        share_token="t" * 32,
    )
    DeckRevision.objects.create(deck=deck, number=1, name="Mine", text="3 Thrust", saved_at="2026-11-01T10:00Z")
    section = Section.objects.select_related("document").filter(document__game__slug="epic").order_by("pk")[0]
    ruling = Ruling.objects.create(game=format_.game, number="T-1", question="Why?", answer="So.", during=DateRange())
    publication = Publication.objects.create(
        game=format_.game, title="List", effective_on="2027-01-01", payload={"source": "Letter"}, digest="d"
    )
    job = PrintJob.objects.create(
        event=made.event,
        requested_by=made.organiser,
        kind="sheets",
        content=b"%PDF-1.7",
        expires_at="2100-01-01T00:00Z",
    )
    Series.objects.create(
        slug="designed-deck",  # as a format is called: one name for all addresses that take a slug
        name="League",
        owner=made.organiser,
        rules={"places": [[1, 1, 10]], "per_match_point": 0, "taking_part": 0, "best": 0},
    )
    values = {
        "code": made.event.code,
        "table": "players",
        "job_id": job.pk,
        "publication": publication.pk,
        "player_id": player.pk,
        "match_id": made.match_of(player, round_).pk,
        "number": round_.sequence,
        "game_number": 2,
        "role_id": StaffRole.objects.filter(event=made.event).order_by("pk")[0].pk,
        "deck_id": deck.pk,
        "token": "t" * 32,
        "step": "post",
        "action": "check-in",
        "fact": "paid",
        "avoidance_id": 1,
        "webhook_id": 1,
        "invite_id": 1,
        "seq": 1,
        "game": "epic",
        "format": "designed-deck",
        "slug": "designed-deck",
        "document": section.document.slug,
        "version": section.document.version,
        "ruling": ruling.number,
        "card": card.slug,
        "kind": "text",
        "key": "k",
        "name": "verdict",
        "uidb36": "1",
        "content_type_id": 1,
        "object_id": 1,
        "url": "nothing",
        "app_label": "cards",
    }
    clients = {"nobody": Client(), "player": as_user(player), "organiser": as_user(made.organiser)}
    for client in clients.values():
        client.raise_request_exception = False
    return Site(made, values, clients)
