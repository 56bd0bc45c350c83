"""What becomes of players without a decklist, as the event has it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from config.errors import Conflict, DomainError
from events.engine.decklist_rules import DecklistRules, decklist_rules
from events.engine.desk_steps import next_step
from events.models import Match, OutboxMessage, Player, Result, Seat
from events.queries.desk import desk_state
from events.queries.verification import verify_event
from events.services import missing_lists, registration, results, rounds, setup, submission, undoing
from tests.events.factories import Made, actor_of, make_user, user_of

from .watching import last_entry, nothing_new, one_change, refused

pytestmark = pytest.mark.django_db
Make = Callable[..., Made]
ILLEGAL = "Main deck\n1 Thrust\n"


def have(made: Made, mode: str, without: str = "wait") -> None:
    missing_lists.change_decklist_rules(event_id=made.event.pk, actor=made.by_organiser, mode=mode, without=without)
    made.refresh()


def start(made: Made) -> dict[str, object]:
    change = setup.start_event(event_id=made.event.pk, actor=made.by_organiser)
    made.refresh()
    return dict(change.facts)


def withdraw(made: Made, player: Player) -> None:
    submission.withdraw_decklist(event_id=made.event.pk, actor=actor_of(user_of(player)), player_id=player.pk)


def states(made: Made) -> dict[str, str]:
    return dict(made.event.players.order_by("pk").values_list("name", "state"))


def blockers(made: Made) -> list[tuple[str, str, bool]]:
    return [(found.code, found.text, found.stops) for found in next_step(desk_state(made.event).facts).blockers]


@pytest.fixture
def hall(make_event: Make) -> Made:
    """Five who are here: Ada has no list, Bela an illegal one, the others legal ones."""
    made = make_event(players=5, checked_in=True, decklists=False)
    made.submit(made.players[1], ILLEGAL)
    for player in made.players[2:]:
        made.submit(player)
    return made


# -- what is asked ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("said", "rules"),
    [
        ({"required": True}, DecklistRules("required", "wait")),
        ({"required": False}, DecklistRules("none", "wait")),
        ({"required": False, "mode": "welcome"}, DecklistRules("welcome", "wait")),
        ({"required": True, "mode": "required", "without": "drop"}, DecklistRules("required", "drop")),
    ],
)
def test_a_template_says_what_is_asked(said, rules):
    assert decklist_rules({"decklist": said}) == rules


def test_the_organiser_changes_what_is_asked_until_the_start(make_event: Make):
    made = make_event(players=2, checked_in=True)

    with one_change(made.event, "decklists.rules"):
        have(made, "required", "drop")
    assert last_entry(made.event).payload == {"mode": "required", "without": "drop"}
    with one_change(made.event, "decklists.rules"):
        have(made, "welcome")
    assert made.event.rules["decklist"]["required"] is False
    assert decklist_rules(made.event.rules) == DecklistRules("welcome")
    version = made.event.version
    have(made, "welcome")
    assert made.event.version == version
    start(made)
    assert states(made) == {"Ada Brook": "checked_in", "Bela Quist": "checked_in"}
    with refused(Conflict, "event.started", 409, {"state": "running"}):
        have(made, "none")


@pytest.mark.parametrize(
    ("mode", "without", "code"),
    [("perhaps", "wait", "decklist.mode"), ("required", "shame", "decklist.without")],
)
def test_what_can_not_be_asked_is_refused(make_event: Make, mode, without, code):
    made = make_event(players=0)
    with refused(DomainError, code, 400):
        have(made, mode, without)


def test_where_nothing_is_asked_nothing_is_taken(make_event: Make):
    made = make_event(players=1)
    have(made, "none")

    with refused(Conflict, "decklist.not_asked", 409):
        made.submit(made.players[0])


# -- wait -------------------------------------------------------------------------------------------------------------


def test_an_event_that_waits_does_not_start(hall: Made):
    assert blockers(hall) == [
        ("decklists_illegal", "1 decklist illegal: Bela Quist", True),
        ("decklists_missing", "1 without a decklist: Ada Brook", True),
    ]
    with refused(Conflict, "event.decklists_missing", 409, {"missing": ["Ada Brook"], "illegal": ["Bela Quist"]}):
        start(hall)


# -- drop -------------------------------------------------------------------------------------------------------------


def test_the_start_drops_who_has_no_legal_list_says_so_before_and_it_can_be_taken_back(hall: Made):
    have(hall, "required", "drop")
    ada, bela = hall.players[:2]
    assert blockers(hall) == [
        ("decklists_illegal", "1 decklist illegal: Bela Quist; they will be dropped when you start", False),
        ("decklists_missing", "1 without a decklist: Ada Brook; they will be dropped when you start", False),
    ]

    with one_change(hall.event, "decklists.dropped", "event.started", "stage.begun"):
        facts = start(hall)

    assert facts["without_decklist"] == ["Ada Brook", "Bela Quist"]
    told = OutboxMessage.objects.filter(event=hall.event, topic="player_dropped").values_list("payload", flat=True)
    assert list(told) == [{"players": [ada.pk, bela.pk], "why": "decklist"}]
    assert [(p.state, p.dropped_after_round) for p in hall.event.players.order_by("pk")] == [
        ("dropped", 0),
        ("dropped", 0),
        *[("checked_in", None)] * 3,
    ]
    registration.reinstate_player(event_id=hall.event.pk, actor=hall.by_organiser, player_id=ada.pk)
    hall.submit(ada)
    hall.play_round()
    assert Seat.objects.filter(player=ada).exists()
    assert not Seat.objects.filter(player=bela).exists()
    assert verify_event(hall.refresh()).faults == []


def test_who_is_back_without_a_list_is_dropped_again_before_round_1_is_paired(hall: Made):
    have(hall, "required", "drop")
    start(hall)
    ada = hall.players[0]
    registration.reinstate_player(event_id=hall.event.pk, actor=hall.by_organiser, player_id=ada.pk)
    assert blockers(hall) == [
        ("decklists_missing", "1 without a decklist: Ada Brook; they will be dropped when you draft it", False)
    ]

    with one_change(hall.event, "decklists.dropped", "round.drafted"):
        hall.draft_round()

    assert last_entry(hall.event).kind == "round.drafted"
    assert states(hall)["Ada Brook"] == "dropped"


def test_a_list_that_is_withdrawn_after_the_pairing_holds_the_posting_up_until_it_is_paired_anew(hall: Made):
    have(hall, "required", "drop")
    start(hall)
    round_ = hall.draft_round()
    cleo = hall.players[2]
    withdraw(hall, cleo)
    assert blockers(hall) == [("decklists_missing", "1 without a decklist: Cleo Marsh", True)]

    with refused(Conflict, "event.decklists_missing", 409, {"missing": ["Cleo Marsh"], "illegal": []}):
        rounds.post_round(event_id=hall.event.pk, actor=hall.by_organiser, round_number=1)
    rounds.discard_draft(event_id=hall.event.pk, actor=hall.by_organiser, round_number=round_.sequence)
    hall.post_round()

    assert states(hall)["Cleo Marsh"] == "dropped"
    assert verify_event(hall.refresh()).faults == []


def test_who_waits_for_a_place_and_has_a_list_gets_that_of_somebody_who_has_none(make_event: Make):
    made = make_event(players=3, capacity=3, checked_in=True, decklists=False)
    made.event.waitlist = True
    made.event.save(update_fields=["waitlist"])
    for player in made.players[:2]:
        made.submit(player)
    for name in ("Without List", "With List"):
        person = make_user(name)
        registration.register(event_id=made.event.pk, actor=actor_of(person), user_id=person.pk)
        waiting = Player.objects.select_related("user").get(event=made.event, name=name)
        registration.check_in(event_id=made.event.pk, actor=made.by_organiser, player_id=waiting.pk)
    made.submit(waiting)
    have(made, "required", "drop")

    start(made)

    assert states(made) == {
        "Ada Brook": "checked_in",
        "Bela Quist": "checked_in",
        "Cleo Marsh": "dropped",
        "Without List": "dropped",
        "With List": "checked_in",
    }
    assert verify_event(made.refresh()).faults == []


def test_an_event_of_which_one_would_be_left_does_not_start(make_event: Make):
    made = make_event(players=3, checked_in=True, decklists=False)
    made.submit(made.players[0])
    have(made, "required", "drop")

    assert blockers(made)[0] == (
        "too_few_players",
        "1 checked in with a decklist, and an event needs at least two",
        True,
    )
    with refused(Conflict, "event.too_few_players", 409, {"checked_in": 1}):
        start(made)


def test_deck_building_ends_without_those_who_built_nothing(make_event: Make):
    made = make_event(policy="sealed-3", players=3)
    have(made, "required", "drop")
    for player in made.players:
        registration.check_in(event_id=made.event.pk, actor=made.by_organiser, player_id=player.pk)
    start(made)
    made.next_stage()
    for player in made.players[:2]:
        made.submit(player)

    made.next_stage()

    assert states(made) == {"Ada Brook": "checked_in", "Bela Quist": "checked_in", "Cleo Marsh": "dropped"}


# -- loss -------------------------------------------------------------------------------------------------------------


def test_who_has_no_list_loses_round_1_and_it_is_taken_back_with_the_posting(make_event: Make):
    made = make_event(players=4, checked_in=True, decklists=True)
    have(made, "required", "loss")
    start(made)
    round_ = made.draft_round()
    culprit = made.players[0]
    match = made.match_of(culprit, round_)
    withdraw(made, culprit)
    assert blockers(made) == [
        ("decklists_missing", "1 without a decklist: Ada Brook; they will lose round 1 when you post it", False)
    ]

    with one_change(made.event, "round.posted", "result.confirmed"):
        rounds.post_round(event_id=made.event.pk, actor=made.by_organiser, round_number=1)

    result = Result.objects.get(match=match, superseded_at=None)
    assert {score["player"]: (score["wins"], score["losses"], score["outcome"]) for score in result.scores} == {
        culprit.pk: (0, 2, "loss"),
        made.opponent_of(culprit, round_).pk: (2, 0, "win"),
    }
    assert (result.source, result.reason) == ("staff", missing_lists.LOST)
    assert list(round_.matches.order_by("state").values_list("state", flat=True)) == ["confirmed", "open"]

    undoing.unpost_round(event_id=made.event.pk, actor=made.by_organiser, round_number=1)
    match.refresh_from_db()
    assert (match.state, match.results.filter(superseded_at=None).count()) == ("open", 0)
    assert set(match.seats.values_list("outcome", "game_wins")) == {(None, None)}
    assert made.submit(culprit) == "legal"
    rounds.post_round(event_id=made.event.pk, actor=made.by_organiser, round_number=1)
    assert set(round_.matches.values_list("state", flat=True)) == {"open"}
    assert verify_event(made.refresh()).faults == []


def test_two_without_a_list_both_lose_and_the_event_goes_on_and_verifies(make_event: Make):
    made = make_event(players=2, checked_in=True, decklists=True)
    have(made, "required", "loss")
    start(made)
    for player in made.players:
        withdraw(made, player)

    round_ = made.post_round()
    match = Match.objects.get(round=round_)
    rounds.complete_round(event_id=made.event.pk, actor=made.by_organiser, round_number=1)

    assert set(match.seats.values_list("outcome", "game_wins", "game_losses")) == {("double_loss", 0, 0)}
    assert [row.values["match_points"] for row in round_.standings.all()] == ["0", "0"]
    assert verify_event(made.refresh()).faults == []


def test_staff_may_decide_a_lost_match_otherwise_and_then_the_posting_stands(make_event: Make):
    made = make_event(players=2, checked_in=True, decklists=True)
    have(made, "required", "loss")
    start(made)
    withdraw(made, made.players[0])
    match = Match.objects.get(round=made.post_round(clock=False))
    results.decide_result(
        event_id=made.event.pk,
        actor=made.by_organiser,
        match_id=match.pk,
        wins_a=2,
        wins_b=1,
        reason="On paper.",
    )

    with refused(Conflict, "undo.built_upon", 409):
        undoing.unpost_round(event_id=made.event.pk, actor=made.by_organiser, round_number=1)


def test_a_round_that_is_no_duel_can_not_be_lost_for_it(make_event: Make):
    made = make_event(players=0)
    made.event.stages.filter(kind="swiss").update(kind="tables")
    with refused(DomainError, "decklist.no_round_to_lose", 400), nothing_new():
        have(made, "required", "loss")
