"""Players at the desk: added, checked in, dropped, taken back, their decklists handed in for them."""

from __future__ import annotations

import pytest

from events.models import LogEntry, Player
from tests.events.factories import legal_text, make_user, too_many_copies

from .conftest import key, said, version_of

pytestmark = pytest.mark.django_db


def players(made, path: str = "") -> str:
    return f"/e/{made.event.code}/desk/players/{path}"


def test_a_player_without_an_account_gets_a_link_that_stays_until_it_is_used(make_event, send, as_user):
    made = make_event(players=1)

    answer = send(made.organiser, players(made, "add"), {"name": "  Guest   Player "})
    guest = Player.objects.get(event=made.event, user=None)
    page = as_user(made.organiser).get(players(made)).content.decode()

    assert answer.url == players(made) + f"#player-{guest.pk}"
    assert guest.name == "Guest Player"
    assert f"http://testserver/e/{made.event.code}/claim/{guest.claim_token}/" in page
    Player.objects.filter(pk=guest.pk).update(claim_token=None, user=make_user("Gus Player"))
    assert "claim link" not in as_user(made.organiser).get(players(made)).content.decode()


@pytest.mark.parametrize(
    ("name", "status", "words"),
    [
        ("", 400, "This field is required."),
        ("   ", 400, "This field is required."),
        ("x" * 61, 400, "at most 60 characters"),
        ("Ada\u202eBrook", 400, "U+202E"),
        ("ada  BROOK", 409, "already a player called"),
        ("Gu\x00est", 400, "NUL"),
    ],
)
def test_a_name_that_cannot_be_is_refused_and_kept_in_the_box(make_event, send, name, status, words):
    made = make_event(players=1)

    answer = send(made.organiser, players(made, "add"), {"name": name})

    assert answer.status_code == status
    assert words.casefold() in said(answer).casefold()
    assert Player.objects.filter(event=made.event).count() == 1


def test_a_full_event_takes_nobody(make_event, send):
    made = make_event(players=2, capacity=2)

    answer = send(made.organiser, players(made, "add"), {"name": "Guest"})

    assert answer.status_code == 409
    assert "All 2 places are taken." in said(answer)
    assert 'value="Guest"' in answer.content.decode()


def test_a_started_event_takes_nobody(make_event, send, as_user):
    made = make_event(players=2, started=True)

    assert send(made.organiser, players(made, "add"), {"name": "Guest"}).status_code == 409
    assert "Add player" not in said(as_user(made.organiser).get(players(made)))


def test_a_player_is_checked_in_and_out_dropped_and_taken_back(make_event, send):
    made = make_event(players=1)
    player, seen = made.players[0], []

    for action in ("check-in", "undo-check-in", "drop", "reinstate"):
        answer = send(made.organiser, players(made, f"{player.pk}/{action}"))
        assert (answer.status_code, answer.url) == (302, players(made) + f"#player-{player.pk}")
        player.refresh_from_db()
        seen.append(player.state)

    assert seen == ["checked_in", "registered", "dropped", "registered"]


@pytest.mark.parametrize(
    ("before", "action", "words"),
    [
        ("drop", "check-in", "has dropped"),
        ("drop", "drop", "already dropped"),
        ("check-in", "reinstate", "has not dropped"),
    ],
)
def test_an_action_that_does_not_fit_is_refused_with_the_list_of_now(make_event, send, before, action, words):
    made = make_event(players=1)
    player = made.players[0]
    send(made.organiser, players(made, f"{player.pk}/{before}"))

    answer = send(made.organiser, players(made, f"{player.pk}/{action}"))

    assert answer.status_code == 409
    assert words in said(answer)
    assert "Nothing was changed." in said(answer)


def test_checking_in_is_over_once_the_event_runs(make_event, send):
    made = make_event(players=2, started=True)

    assert send(made.organiser, players(made, f"{made.players[0].pk}/check-in")).status_code == 409


def test_an_action_that_is_sent_twice_counts_once(make_event, send):
    made = make_event(players=1)
    data, address = {"idempotency_key": key()}, players(made, f"{made.players[0].pk}/drop")

    answers = [send(made.organiser, address, data) for _ in range(2)]

    assert [answer.status_code for answer in answers] == [302, 302]
    assert LogEntry.objects.filter(event=made.event, kind="player.dropped").count() == 1


@pytest.mark.parametrize("bad", [None, "", "x"])
def test_an_action_without_a_key_is_refused(make_event, send, bad):
    made = make_event(players=1)
    before = version_of(made.event)

    for path in (f"{made.players[0].pk}/drop", "add"):
        answer = send(made.organiser, players(made, path), {"idempotency_key": bad, "name": "Guest"})
        assert (answer.status_code, version_of(made.event)) == (400, before)


def test_the_list_is_filtered_by_a_part_of_the_name_in_any_spelling(make_event, as_user, send):
    made = make_event(players=2)
    send(made.organiser, players(made, "add"), {"name": "Søren Ångström"})
    client = as_user(made.organiser)

    def found(query: str) -> list[str]:
        return [row.player.name for row in client.get(players(made), {"q": query}).context["rows"]]

    assert found("QUIST") == ["Bela Quist"]
    assert found("angstrom") == ["Søren Ångström"]
    assert found("a") == ["Ada Brook", "Bela Quist", "Søren Ångström"]
    assert found("nobody") == []
    back = send(made.organiser, players(made, f"{made.players[0].pk}/check-in"), {"q": "ada b"})
    assert back.url == players(made) + f"?q=ada+b#player-{made.players[0].pk}"


def test_the_list_shows_the_verdict_and_puts_who_left_last(make_event, as_user, send):
    made = make_event(players=3)
    made.submit(made.players[1])
    made.submit(made.players[2], too_many_copies(legal_text(made.event)))
    send(made.organiser, players(made, f"{made.players[0].pk}/drop"))

    rows = as_user(made.organiser).get(players(made)).context["rows"]

    assert [(row.player.name, row.outcome) for row in rows] == [
        ("Bela Quist", "legal"),
        ("Cleo Marsh", "illegal"),
        ("Ada Brook", ""),
    ]


def test_staff_hand_a_decklist_in_and_after_the_deadline_with_a_reason(make_event, send, as_user):
    made = make_event(players=2, started=True)
    made.post_round()
    player = made.players[0]
    address = players(made, f"{player.pk}/decklist")
    text = legal_text(made.event)

    without = send(made.organiser, address, {"text": text})
    handed_in = send(made.organiser, address, {"text": text, "reason": "Wrong list copied."})

    assert (without.status_code, handed_in.status_code) == (400, 302)
    assert "Say why this one is changed" in said(without)
    assert text.splitlines()[1] in without.content.decode()
    assert player.submissions.count() == 2
    assert "by staff: Wrong list copied." in said(as_user(made.organiser).get(address))


def test_an_illegal_decklist_is_kept_and_its_faults_are_named(make_event, send, as_user):
    made = make_event(players=1)
    address = players(made, f"{made.players[0].pk}/decklist")

    send(made.organiser, address, {"text": too_many_copies(legal_text(made.event)) + "\n1 Quill of Nobody"})

    page = said(as_user(made.organiser).get(address))
    assert "Illegal" in page
    assert "Quill of Nobody" in page


@pytest.mark.parametrize("text", ["", "1 A\x00", "x" * 300_000])
def test_a_text_that_is_no_decklist_is_refused(make_event, send, text):
    made = make_event(players=1)

    answer = send(made.organiser, players(made, f"{made.players[0].pk}/decklist"), {"text": text})

    assert answer.status_code in (400, 413)
    assert not made.players[0].submissions.exists()


def test_a_long_reason_is_refused_and_a_dropped_player_hands_nothing_in(make_event, send):
    made = make_event(players=1)
    address, text = players(made, f"{made.players[0].pk}/decklist"), legal_text(made.event)

    assert send(made.organiser, address, {"text": text, "reason": "r" * 301}).status_code == 400
    send(made.organiser, players(made, f"{made.players[0].pk}/drop"))
    assert send(made.organiser, address, {"text": text}).status_code == 409


def test_a_name_is_shown_and_never_run(make_event, as_user, send):
    made = make_event(players=0)
    send(made.organiser, players(made, "add"), {"name": "<script>x</script>"})

    page = as_user(made.organiser).get(players(made)).content.decode()

    assert "<script>x" not in page
    assert "&lt;script&gt;x&lt;/script&gt;" in page
