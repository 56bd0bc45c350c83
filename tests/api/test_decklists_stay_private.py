"""A decklist that is not public is in no answer of any address, whatever is searched for, and public it is in some."""

from __future__ import annotations

import io
from collections.abc import Iterator
from dataclasses import dataclass

import pytest
from django.http import HttpResponseBase
from django.test import Client
from pypdf import PdfReader

from events.models import Event, Player
from events.services import submission
from tests.api.addresses import ADDRESSES, filled
from tests.api.conftest import AsUser, Site
from tests.events.factories import legal_text, make_user

REMARK = ("Wyvernmarrow", "Quillfeather")  # the first word is searched for, the second looked for
UNKNOWN = ("Ossuary", "Thimblewright")


@dataclass(frozen=True)
class Secret:
    """What stands in the decklist of one player and nowhere else."""

    owner: Player
    fingerprint: str

    @property
    def canaries(self) -> tuple[str, ...]:
        return (REMARK[1], UNKNOWN[1], self.fingerprint)

    @property
    def questions(self) -> tuple[str, ...]:
        return (REMARK[0], UNKNOWN[0], self.fingerprint.partition("-")[0])


@pytest.fixture
def secret(site: Site) -> Secret:
    """The decklist of a player who is none of the site's clients."""
    owner = site.made.players[1]
    cards = legal_text(site.made.event).replace("\n2 ", "\n3 ", 1)  # whose fingerprint is nobody else's
    text = f"{cards}\n# {' '.join(REMARK)}\n3 {' '.join(UNKNOWN)}\n"
    submission.submit_decklist(
        event_id=site.made.event.pk,
        actor=site.made.by_organiser,
        player_id=owner.pk,
        text=text,
        by_staff=True,
        reason="It was on paper.",
    )
    fingerprint = owner.submissions.get(replaced_at=None).decklist.fingerprint
    return Secret(owner, fingerprint)


def words_of(answer: HttpResponseBase) -> str:
    content = b"".join(answer) if answer.streaming else answer.content  # type: ignore[arg-type, attr-defined]
    if answer.headers.get("Content-Type") == "application/pdf" and len(content) > 100:
        content = "".join(page.extract_text() for page in PdfReader(io.BytesIO(content)).pages).encode()
    return content.decode(errors="replace")


def addresses(site: Site, secret: Secret, *, of_the_event: bool) -> Iterator[str]:
    """Every address, of the owner where it is one's of a player, and those that search with what to search for."""
    values = {**site.values, "player_id": secret.owner.pk, "kind": "text"}
    for route in ADDRESSES:
        if of_the_event and "<slug:code>" not in route:
            continue
        address = filled(route, values)
        yield address
        if route.endswith(("search", "cards", "cards/<slug:game>/", "players/", "/players", "e/", "events", "/log")):
            yield from (f"{address}?q={asked}" for asked in secret.questions)


def told(client: Client, site: Site, secret: Secret, *, of_the_event: bool = True) -> dict[str, set[str]]:
    """By address, the canaries that a GET of it tells."""
    found = {}
    for address in addresses(site, secret, of_the_event=of_the_event):
        read = words_of(client.get(address))
        if seen := {canary for canary in secret.canaries if canary in read}:
            found[address] = seen
    return found


def test_before_it_is_public_it_is_nowhere(site: Site, secret: Secret, as_user: AsUser) -> None:
    people = {
        "nobody": Client(),
        "another player": as_user(site.made.players[0]),
        "stranger": as_user(make_user("Some Stranger")),
    }
    read = {who: told(client, site, secret, of_the_event=False) for who, client in people.items()}
    assert read == dict.fromkeys(people, {})


@pytest.mark.parametrize("publication", ["after", "cut"])
def test_what_is_to_be_public_later_is_nowhere_yet(
    publication: str, site: Site, secret: Secret, as_user: AsUser
) -> None:
    Event.objects.filter(pk=site.made.event.pk).update(decklist_publication=publication)
    Player.objects.filter(pk=secret.owner.pk).update(shows_decklist=True)
    assert told(as_user(site.made.players[0]), site, secret) == {}


def test_the_same_walk_finds_it_where_it_may_be_read(site: Site, secret: Secret, as_user: AsUser) -> None:
    here, api = f"/e/{site.made.event.code}", f"/api/v1/events/{site.made.event.code}"
    staff = told(site.clients["organiser"], site, secret)
    own = f"{here}/decklists/{secret.owner.pk}/"
    assert set(staff[f"{here}/desk/players/{secret.owner.pk}/decklist"]) == set(secret.canaries)
    assert set(staff[f"{api}/players/{secret.owner.pk}/decklist"]) == set(secret.canaries)
    assert secret.fingerprint in staff[f"{own}sheet.pdf"]
    assert set(told(as_user(secret.owner), site, secret)[f"{here}/me/decklist"]) == set(secret.canaries)
    Event.objects.filter(pk=site.made.event.pk).update(decklist_publication="open")
    public = told(Client(), site, secret)
    assert {own, f"{own}sheet.pdf", f"{api}/players/{secret.owner.pk}/decklist"} <= set(public)
    # A remark is the player's own; cards and fingerprint are what becomes public.
    assert REMARK[1] not in public[f"{api}/players/{secret.owner.pk}/decklist"]
