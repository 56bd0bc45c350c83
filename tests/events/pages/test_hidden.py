"""What nobody but staff may come upon: a drafted round, others' decklists, others' packs."""

from __future__ import annotations

import itertools
import re

import pytest
from django.test import Client

from events.models import Match
from events.services import registration
from tests.events.factories import actor_of, user_of

PAGES = (
    "",
    "pairings/",
    "pairings/?by=name",
    "pairings/?round=2",
    "standings/",
    "standings/?round=2",
    "bracket/",
    "players/",
    "info/",
    "log/",
    "wall/",
    "version",
    "ticket",
    "me/",
)


def test_a_drafted_round_is_nowhere(make_event, as_user):
    """Nobody who looks can tell from any page who meets whom, at which table, or that there is a draft."""
    made = make_event(players=6, started=True)
    made.play_round()
    clients = [Client(), *(as_user(player) for player in made.players)]
    before = [[_stable(client, made, page) for page in PAGES] for client in clients]

    round_ = made.draft_round()
    after = [[_stable(client, made, page) for page in PAGES] for client in clients]

    assert after == before
    match = round_.matches.exclude(table=None).first()
    assert {answer for answer in itertools.chain(*after) if f'match" value="{match.pk}"' in answer} == set()


def _stable(client: Client, made, page: str) -> str:
    """A page without what differs every time: keys, tickets, seconds and the version number itself."""
    answer = client.get(f"/e/{made.event.code}/{page}")
    text = answer.content.decode()
    text = re.sub(r'(csrfmiddlewaretoken" value=|idempotency_key" value=|"X-CSRFToken": )"[^"]*"', r"\1", text)
    text = re.sub(
        r'data-(live-)?version="\d+"|"version": \d+|"ticket": "[^"]*"|ticket=[^"]*|data-server-now="[^"]*"', "", text
    )
    return f"{answer.status_code} {text}"


def test_the_comparison_would_notice_a_posted_round(make_event):
    made = make_event(players=4, started=True)
    made.play_round()
    before = _stable(Client(), made, "pairings/?by=name")

    made.post_round()

    assert _stable(Client(), made, "pairings/?by=name") != before


def test_a_match_of_a_drafted_round_can_be_neither_reported_nor_withdrawn(make_event, as_user):
    made = make_event(players=2, started=True)
    round_ = made.draft_round()
    match = Match.objects.get(round=round_)
    client = as_user(made.players[0])

    for act in ("report", "withdraw"):
        answer = client.post(
            f"/e/{made.event.code}/me/{act}",
            {"match": match.pk, "score": "2-0", "idempotency_key": "a-key-of-its-own-" + act},
        )
        assert answer.status_code == 404

    assert (match.reports.count(), Match.objects.get(pk=match.pk).version) == (0, 0)


@pytest.mark.parametrize("publication", ["never", "after", "open"])
@pytest.mark.parametrize("finished", [False, True])
def test_decklists_are_read_by_owner_judge_and_by_the_rule_of_publication(make_event, as_user, publication, finished):
    made = make_event(players=2, started=True, decklist_publication=publication)
    if finished:
        made.play_round()
        made.next_stage()
        made.play_round()
        made.finish()
    owner, other = made.players
    address = f"/e/{made.event.code}/decklists/{owner.pk}/"
    public = publication == "open" or (publication == "after" and finished)

    seen = {
        "owner": as_user(owner).get(address).status_code,
        "judge": as_user(made.judge).get(address).status_code,
        "other": as_user(other).get(address).status_code,
        "guest": Client().get(address).status_code,
    }

    assert seen == {"owner": 200, "judge": 200, "other": 200 if public else 404, "guest": 200 if public else 404}


def test_a_judge_who_plays_reads_no_decklist_but_their_own(make_event, as_user):
    made = make_event(players=1)
    registration.register(event_id=made.event.pk, actor=actor_of(made.judge), user_id=made.judge.pk)
    made.submit(made.players[0])

    answer = as_user(made.judge).get(f"/e/{made.event.code}/decklists/{made.players[0].pk}/")

    assert answer.status_code == 404


def test_a_player_of_another_event_is_not_found_here(make_event, as_user):
    made, other = make_event(players=2, decklist_publication="open"), make_event(players=2, name="Other")
    other.submit(other.players[0])

    assert Client().get(f"/e/{made.event.code}/decklists/{other.players[0].pk}/").status_code == 404
    for number in (10**17, 10**40):
        assert Client().get(f"/e/{made.event.code}/decklists/{number}/").status_code == 404


def test_my_page_of_another_event_sends_me_to_the_front(make_event, as_user):
    made, other = make_event(players=2), make_event(players=2, names=["Xavi Moor", "Yun Teal"], name="Other")

    answer = as_user(user_of(made.players[0])).get(f"/e/{other.event.code}/me/")

    assert (answer.status_code, answer["Location"]) == (302, f"/e/{other.event.code}/")
