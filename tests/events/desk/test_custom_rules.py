"""Events by rules that their organiser sets: through the form, through the API, and what is refused where."""

from __future__ import annotations

import pytest

from config.errors import DomainError
from events.engine.custom_rules import custom_rules, rules_outlook
from events.forms_custom import CustomForm, shown
from events.models import Event, LogEntry
from events.queries.templates import UNPLAYABLE, products_of
from events.sentences import log_sentence
from tests.events.api.conftest import Program
from tests.events.factories import load_packs, make_user, policy_of

from .conftest import key, said

pytestmark = pytest.mark.django_db
SWISS = {"kind": "swiss", "rounds": 7}
CUT = {"kind": "single_elimination", "cut": 4}
API = {"game": "epic", "template": "designed-deck", "name": "Ours", "starts_at": "2027-03-05T10:00:00Z"}


def typed(policy, **fields):
    """The form as a browser sends it when only ``fields`` were touched."""
    form = CustomForm(policy=policy, products=products_of(policy), initial=shown(policy))
    sent = {
        **{bound.name: bound.value() for bound in form},
        "name": "Ours",
        "starts_at": "2027-03-05T10:30",
        "time_zone": "UTC",
        "decklist_publication": "never",
        "idempotency_key": key(),
        **fields,
    }
    return {name: value for name, value in sent.items() if value is not None and value is not False and value != ""}


@pytest.fixture
def person():
    return make_user("Ora Niser")


def post(as_user, person, policy, fields):
    return as_user(person).post(f"/e/new/custom?policy={policy.pk}", fields)


def test_an_event_is_made_by_rules_of_its_own(packs, as_user, person):
    policy = policy_of("designed-deck")
    changed = {
        "rounds": "7",
        "cut_kind": "clean_break",
        "cut": "16",
        "third_place": "on",
        "best_of": "5",
        "minutes": "70",
        "extra_turns": "0",
        "draws": None,
        "bye": "2",
        "order": "own",
        "tie_1": "match_points",
        "tie_2": "buchholz",
        "tie_3": "gw",
        "tie_4": "",
        "lists": "none",
    }

    answer = post(as_user, person, policy, typed(policy, **changed))

    event = Event.objects.get()
    assert answer.url == f"/e/{event.code}/desk/"
    kept = policy.definition
    assert event.rules == {
        "slug": "custom",
        "name": "Custom rules, made from Epic Designed Deck",
        "version": "1",
        "format": "designed-deck",
        "play": kept["play"],
        "match": {"best_of": 5, "minutes": 70, "extra_turns": 0, "draws": False, "cite": {}},
        "points": {
            "win": 3,
            "draw": 1,
            "loss": 0,
            "bye": 2,
            "cite": {key: cite for key, cite in kept["points"]["cite"].items() if key != "bye"},
        },
        "decklist": {
            "required": False,
            "deadline": "round-1",
            "cite": {"deadline": kept["decklist"]["cite"]["deadline"]},
        },
        "standings": {
            "metrics": ["match_points", "buchholz", "gw"],
            "floor": "1/3",
            "cite": {"floor": kept["standings"]["cite"]["floor"]},
        },
        "stages": [
            {"kind": "swiss", "rounds": 7, "within_pods": False, "cite": {}},
            {
                "kind": "single_elimination",
                "cut": 16,
                "cut_by": "clean_break",
                "reseed": False,
                "third_place": True,
                "cite": {},
            },
        ],
    }
    assert [stage.config for stage in event.stages.all()] == event.rules["stages"]
    created = LogEntry.objects.get(event=event, kind="event.created").payload
    assert log_sentence("event.created", created, {}) == (
        "The event was made: Ours, rules of 2027-03-05, with rules of its own"
    )


def test_untouched_the_form_gives_the_rules_of_the_template(packs, as_user, person):
    load_packs("epic-melee", "epic-duels")
    for slug in ("designed-deck", "draft-3", "sealed-2", "pack-war", "standard", "melee", "light-and-dark"):
        policy = policy_of(slug)

        assert post(as_user, person, policy, typed(policy)).status_code == 302

        made = Event.objects.order_by("-pk")[0].rules
        for part in ("match", "points", "decklist", "standings", "stages"):
            assert (slug, made[part]) == (slug, policy.definition[part])


def test_looking_shows_what_the_rules_lead_to_and_cannot_promise(packs, as_user, person):
    policy = policy_of("designed-deck")

    page = post(as_user, person, policy, typed(policy, rounds="7", capacity="8", look="1"))

    assert "7 rounds with 8 players: no rematch can be promised only for the first" in said(page)
    assert 'value="Ours"' in page.content.decode()
    assert not Event.objects.exists()


@pytest.mark.parametrize(
    ("fields", "field", "words"),
    [
        ({"rounds": "31"}, "rounds", "less than or equal to 30"),
        ({"win": "0", "draw": "0"}, "win", "A win has to be worth more than a loss."),
        ({"cut": ""}, "cut", "This is needed."),
        ({"cut_kind": "points"}, "cut_points", "Say how many points are enough."),
        ({"order": "own", "tie_2": "match_points"}, "tie_1", "can decide only once"),
        ({"order": "vekn"}, "tie_1", "Events don't count victory points yet: leave them out."),
        ({"opening": "sealed", "packs": "3", "product": "booster"}, "opening", "not built from opened packs"),
        ({"within_pods": "on"}, "within_pods", "There are no pods without a draft."),
        ({"rounds_kind": "none", "cut_kind": "none"}, "rounds_kind", "Nothing is played: choose rounds"),
        ({"rounds_kind": "none", "cut_kind": "clean_break"}, "cut_kind", "Nobody has points before"),
        ({"rounds_kind": "tables", "min_players": "5", "max_players": "4"}, "max_players", "fewer players"),
        ({"rounds_kind": "none", "without": "loss"}, "without", "Only a Swiss round of two players can be lost"),
        ({"rounds_kind": "teams", "sides": "A, A", "per_side": "1", "cut_kind": "none"}, "sides", "two sides"),
        ({"rounds_kind": "teams", "sides": "A, B", "per_side": "x", "cut_kind": "none"}, "per_side", ""),
    ],
)
def test_what_cannot_be_played_is_refused_beside_its_field(packs, as_user, person, fields, field, words):
    policy = policy_of("designed-deck")

    answer = post(as_user, person, policy, typed(policy, **fields))

    assert answer.status_code == 400
    marked = answer.context["form"].errors
    assert list(marked) == [field]
    assert words in " ".join(marked[field])
    assert not Event.objects.exists()


def test_what_becomes_of_who_has_no_decklist_is_among_the_rules(packs, as_user, person):
    policy = policy_of("designed-deck")

    post(as_user, person, policy, typed(policy, lists="required", without="drop"))

    assert Event.objects.get().rules["decklist"] == {**policy.definition["decklist"], "without": "drop"}


def test_a_format_of_opened_packs_needs_packs(packs, as_user, person):
    policy = policy_of("draft-3")

    answer = post(as_user, person, policy, typed(policy, opening="none", builds=None, within_pods=None))

    assert answer.context["form"].errors == {
        "rounds_kind": ["Decks of this format are built from opened packs: add a draft or sealed packs."]
    }


def test_a_template_that_is_not_there_is_not_found(packs, as_user, person):
    client = as_user(person)

    assert [client.get("/e/new/custom", {"policy": wanted}).status_code for wanted in ("0", "x", "9" * 40)] == [404] * 3
    assert client.get("/e/new/custom").status_code == 200


def test_a_program_sends_only_the_parts_that_differ(packs, as_user, person):
    program = Program(as_user(person))

    answer = program.post("events", {**API, "rules": {"match": {"best_of": 1}, "stages": [SWISS, CUT]}})

    rules = program.get(f"events/{answer.json()['code']}").json()["rules"]
    template = policy_of("designed-deck").definition
    assert answer.status_code == 201
    assert rules["match"] == {
        **template["match"],
        "best_of": 1,
        "cite": {key: cite for key, cite in template["match"]["cite"].items() if key != "best_of"},
    }
    assert [stage["kind"] for stage in rules["stages"]] == ["swiss", "single_elimination"]
    assert (rules["points"], rules["standings"]) == (template["points"], template["standings"])


@pytest.mark.parametrize(
    ("rules", "problems"),
    [
        ({"penalties": {}}, [("penalties", "Rules have no part called 'penalties'.")]),
        ({"match": {"best_of": 2}}, [("match.best_of", "Best of 2 has no middle: give an odd number.")]),
        ({"match": {"best_of": True}}, [("match.best_of", "Input should be a number.")]),
        ({"match": 3}, [("match", None)]),
        ({"stages": []}, [("stages", None)]),
        (
            {"stages": [{"kind": "pools", "pool_size": 4, "advance": 2}]},
            [("stages.0.kind", "Tiltyard can't run pools yet.")],
        ),
        ({"stages": [CUT, SWISS]}, [("stages.1.kind", None)]),
        ({"stages": [SWISS, SWISS]}, [("stages.1.kind", None)]),
        ({"stages": [{"kind": "joust"}]}, [("stages.0", None)]),
        ({"stages": [{"kind": "swiss", "rounds": 99}]}, [("stages.0.rounds", None)]),
        ({"stages": [{"kind": "swiss", "rounds": 3, "jokers": 1}]}, [("stages.0.jokers", None)]),
        ({"standings": {"metrics": ["luck"]}}, [("standings.metrics.0", None)]),
        ({"standings": {"metrics": ["match_points"], "floor": "3/0"}}, [("standings.floor", "3/0 divides by 0.")]),
    ],
)
def test_a_program_learns_every_problem_with_its_path(packs, as_user, person, rules, problems):
    answer = Program(as_user(person)).post("events", {**API, "rules": rules})

    assert (answer.status_code, answer.json()["code"]) == (400, "event.rules")
    found = [(one["field"], one["message"]) for one in answer.json()["context"]["problems"]]
    assert [field for field, _ in found] == [field for field, _ in problems]
    assert [said or message for (_, said), (_, message) in zip(problems, found, strict=True)] == [
        message for _, message in found
    ]
    assert not Event.objects.exists()


def test_a_product_that_the_game_does_not_have_is_refused(packs, as_user, person):
    stages = [{"kind": "sealed", "packs": 3, "product": "crate"}, SWISS]

    answer = Program(as_user(person)).post("events", {**API, "template": "sealed-3", "rules": {"stages": stages}})

    assert answer.json()["context"]["problems"] == [
        {
            "field": "stages.0.product",
            "message": "Epic Trading Card Game has no product called crate. Choose from: booster.",
        }
    ]


def test_warnings_say_what_the_rules_cannot_promise(packs):
    template = policy_of("designed-deck").definition
    own = {
        "match": {"best_of": 1},
        "points": {"draw": 3},
        "standings": {"metrics": ["match_points", "gw", "ogw", "seed"]},
        "stages": [CUT],
    }
    rules = custom_rules(template, own, unplayable=UNPLAYABLE, pool_is_opened=False)

    assert rules_outlook(rules, None).warnings == (
        "A match is one game here, so game-win percentage and opponents' game-win percentage says little that points "
        "don't.",
        "Nobody has a seed here, so that tie-breaker is level for all.",
        "A draw is worth as much as a win.",
        "Nothing is played before the elimination, so its seeds are drawn by lot.",
    )


@pytest.mark.parametrize(
    ("players", "warnings"),
    [
        (7, ("Nothing breaks ties but lots: who has as many points is placed by the draw.",)),
        (2, None),
    ],
)
def test_tables_that_the_number_of_players_does_not_fill_are_said(packs, players, warnings):
    load_packs("epic-melee")
    rules = policy_of("melee").definition

    found = rules_outlook(rules, players).warnings

    assert found == warnings if warnings else "A table needs at least 3 players." in " ".join(found)


def test_pods_in_which_everybody_has_met_are_said(packs):
    stages = [
        {"kind": "draft", "packs": 3, "product": "booster", "pod_size": 4, "directions": "alternate"},
        {"kind": "swiss", "rounds": 5, "within_pods": True},
    ]
    template = policy_of("draft-3").definition
    rules = custom_rules(template, {"stages": stages}, unplayable=UNPLAYABLE, pool_is_opened=True)

    assert rules_outlook(rules, None).warnings == (
        "In a pod of 4, 5 rounds with 4 players: some must meet twice, because everybody has met everybody after 3.",
    )


def test_a_section_is_cited_only_for_what_is_as_the_template_has_it(packs):
    template = policy_of("designed-deck").definition

    with pytest.raises(DomainError) as refusal:
        custom_rules(template, {"match": {"best_of": 4}}, unplayable=UNPLAYABLE, pool_is_opened=False)
    rules = custom_rules(template, {"stages": [CUT]}, unplayable=UNPLAYABLE, pool_is_opened=False)

    assert refusal.value.code == "event.rules"
    assert rules["stages"][0]["cite"] == {}
    assert rules["match"] == template["match"]


def test_a_round_robin_is_played_alone_or_before_a_cut(packs):
    template = policy_of("designed-deck").definition
    made = [
        custom_rules(template, {"stages": stages}, unplayable=UNPLAYABLE, pool_is_opened=False)["stages"]
        for stages in ([{"kind": "round_robin"}], [{"kind": "round_robin"}, CUT])
    ]

    assert [[stage["kind"] for stage in stages] for stages in made] == [
        ["round_robin"],
        ["round_robin", "single_elimination"],
    ]


def test_the_form_offers_a_round_robin(packs, as_user, person):
    policy = policy_of("designed-deck")

    post(as_user, person, policy, typed(policy, rounds_kind="round_robin", cut_kind="none", lists="none"))

    assert [stage["kind"] for stage in Event.objects.get().rules["stages"]] == ["round_robin"]
