"""A pack is loaded again while an event stands on its policy."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from cards.models import Game
from config.errors import Conflict
from rules.models import Policy
from tests.events.factories import Made, load_packs

pytestmark = pytest.mark.django_db


def as_if_it_had_been(policy: Policy, **match: Any) -> None:
    """The policy as an earlier pack would have had it, and that pack as the one loaded last."""
    policy.definition["match"] |= match
    policy.save()
    Game.objects.filter(pk=policy.game_id).update(digest="of another pack")


def test_what_a_policy_cites_may_be_mended_under_an_event(make_event: Callable[..., Made]) -> None:
    policy = make_event(players=0).event.policy
    cite = dict(policy.definition["match"]["cite"])
    as_if_it_had_been(policy, cite={**cite, "best_of": "EPIC 1.1"})
    load_packs()
    policy.refresh_from_db()
    assert policy.definition["match"]["cite"] == cite


def test_what_a_policy_says_may_not(make_event: Callable[..., Made]) -> None:
    policy = make_event(players=0).event.policy
    as_if_it_had_been(policy, best_of=5)
    with pytest.raises(Conflict) as refused:
        load_packs()
    assert (refused.value.code, refused.value.context["used_by"]) == ("pack.version_in_use", ["1 event"])
