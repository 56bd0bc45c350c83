"""The design's layers, on the whole source; and the checker itself, on planted breaches."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.architecture import ORDER, ROOT, Module, breaches, layer_of, project_modules, strangers

MODULES = project_modules()


def test_no_module_imports_or_writes_what_its_layer_may_not() -> None:
    assert [said for module in MODULES for said in breaches(module)] == []


def test_every_app_was_walked() -> None:
    assert {module.app for module in MODULES} == set(ORDER)
    assert {"engine", "models", "services", "edge", "leaf", "embedded"} <= {module.layer for module in MODULES}


def test_no_package_stands_beside_the_designs() -> None:
    assert strangers() == []


def test_a_package_that_stands_beside_is_found(tmp_path: Path) -> None:
    (tmp_path / "common").mkdir()
    (tmp_path / "common" / "__init__.py").touch()
    (tmp_path / "docs").mkdir()
    (tmp_path / "helpers.py").touch()
    (tmp_path / "manage.py").touch()
    assert strangers(tmp_path) == ["common", "helpers.py"]


def test_no_module_is_longer_than_four_hundred_lines() -> None:
    files = [path for app in ORDER for path in (ROOT / app).rglob("*.py") if "migrations" not in path.parts]
    lengths = {str(path.relative_to(ROOT)): len(path.read_text(encoding="utf-8").splitlines()) for path in files}
    assert {path: length for path, length in lengths.items() if length > 400} == {}


@pytest.mark.parametrize(
    ("name", "layer"),
    [
        ("config.errors.DomainError", "leaf"),
        ("config.prepared.hand_over", "database"),
        ("config.embedded.servers", "embedded"),
        ("config.bench.rounds", "bench"),
        ("config.settings", "edge"),
        ("events.engine.pairing", "engine"),
        ("events.models.Pick", "models"),
        ("events.queries.scoring", "queries"),
        ("events.services.rounds", "services"),
        ("decks.forms", "forms"),
        ("events.api.serializers.player", "forms"),
        ("events.api.views", "edge"),
        ("cards.management.commands.load_packs", "edge"),
        ("accounts.names", "plain"),
    ],
)
def test_a_module_is_put_in_its_layer(name: str, layer: str) -> None:
    assert layer_of(name) == layer


@pytest.mark.parametrize(
    ("name", "source"),
    [
        ("config.errors", "import django"),
        ("config.prepared", "from events.models import Match"),
        ("events.engine.swiss", "from config.prepared import prepared"),
        ("events.views.player", "from config.prepared import prepared"),
        ("config.errors", "from config.text import unstorable_character"),
        ("config.embedded.servers", "import environ"),
        ("config.embedded.servers", "from config import settings"),
        # engines
        ("events.engine.swiss", "from django.utils import timezone"),
        ("events.engine.swiss", "import networkx"),
        ("events.engine.swiss", "from events.models import Match"),
        ("events.engine.swiss", "from events.queries import standings"),
        ("events.engine.swiss", "from ..models import Match"),
        ("rules.engine.legality", "from decks.engine.parser import parse_decklist"),
        ("events.engine.swiss", "import random"),
        ("events.engine.swiss", "from random import shuffle"),
        ("events.engine.swiss", "def f():\n    from secrets import token_hex"),
        ("events.engine.swiss", "from datetime import datetime\nx = datetime.now()"),
        ("events.engine.swiss", "from datetime import date\nx = date.today()"),
        ("events.engine.swiss", "import time\nx = time.time()"),
        ("events.engine.swiss", "import numpy as np\nx = np.random.rand()"),
        ("events.engine.swiss", "import os\nx = os.urandom(8)"),
        ("events.engine.swiss", "x = open('f').read()"),
        ("events.engine.swiss", "match.save()"),
        # models
        ("events.models.rounds", "from events.services import rounds"),
        ("events.models.rounds", "from events import queries"),
        ("events.models.rounds", "from events.forms import Report"),
        ("events.models.rounds", "from django.forms import Form"),
        ("decks.models", "from events.models import Event"),
        ("cards.models", "from accounts.models import User"),
        ("decks.models", "apps.get_model('events', 'Event')"),
        ("decks.models", "import_module('events.models')"),
        # queries
        ("events.queries", "from events.services import rounds"),
        ("events.queries", "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from events.services import x"),
        ("events.queries", "match.save()"),
        ("events.queries", "match.delete()"),
        ("events.queries", "Match.objects.create(table=1)"),
        ("events.queries", "Match.objects.filter(pk=1).update(table=1)"),
        ("events.queries", "Match.objects.filter(pk=1).update(**values)"),
        ("events.queries", "Match.objects.bulk_create(matches)"),
        ("events.queries", "Match.objects.get_or_create(table=1)"),
        ("events.queries", "await Match.objects.aupdate_or_create(table=1)"),
        ("events.queries", "cursor.execute(' update events_match SET x = 1')"),
        # services
        ("events.services.rounds", "from events.forms import Report"),
        ("events.services.rounds", "from events.views import page"),
        ("events.services.rounds", "from events.api.serializers import Player"),
        ("events.services.rounds", "from django.http import HttpRequest"),
        ("events.services.rounds", "import rest_framework"),
        ("events.services.rounds", "def f(*, request): ..."),
        ("decks.services", "from events.services import rounds"),
        # forms and the edge
        ("events.forms", "from events.views import page"),
        ("events.forms", "form.save()"),
        ("events.views", "event.save(update_fields=['name'])"),
        ("events.views", "Event.objects.create(name='x')"),
        ("events.views", "event.delete()"),
        ("events.api.views", "Event.objects.filter(pk=1).update(name='x')"),
        ("events.tasks", "Event.objects.bulk_update(events, ['name'])"),
        ("events.admin", "obj.save()"),
        ("cards.management.commands.load_packs", "Card.objects.update_or_create(name='x')"),
        ("decks.views", "from events.queries import event_of"),
        ("decks.views", "from config.views import home"),
        ("accounts.names", "from accounts.services import create_user"),
        # signals
        ("events.apps", "from django.dispatch import receiver"),
        ("events.apps", "from django.db.models.signals import post_save"),
        ("events.apps", "from django.db.models import signals"),
        ("accounts.apps", "from allauth.account import signals"),
        ("events.views", "from tests.events import factories"),
    ],
)
def test_a_planted_breach_is_found(name: str, source: str) -> None:
    assert breaches(Module(name, source)) != []


@pytest.mark.parametrize(
    ("name", "source"),
    [
        ("config.errors", "from collections.abc import Mapping"),
        ("config.urls", "from events import views"),
        ("config.asgi", "from config.live import LiveFeed"),
        ("config.embedded.pytest_plugin", "import pytest\nfrom config.embedded.servers import Services"),
        ("events.engine.swiss", "import numpy as np\nimport rustworkx\nfrom cards.engine.streams import Stream"),
        ("events.engine.swiss", "from datetime import datetime\ndef f(now: datetime): return now.isoformat()"),
        ("events.engine.swiss", "x = rng.choice(seats)\nfacts.update(other)\nseen.update({1})"),
        ("events.models.rounds", "from events.engine.outcomes import Outcome\nfrom rules.models import FormatVersion"),
        ("events.queries", "from events.models import Match\nfrom decks.queries import decklist_of"),
        ("events.queries", "digest.update(data)\ncache.delete('key')\ncursor.execute('SELECT 1')"),
        ("events.services.rounds", "from events.queries import x\nfrom decks.services import y\nmatch.save()"),
        ("events.forms", "from events import services\nfrom events.queries import x\nfrom django import forms"),
        ("events.views", "from events import forms, services\nfrom accounts.models import User"),
        ("events.tasks", "from config.errors import DomainError"),
    ],
)
def test_what_the_design_allows_is_let_pass(name: str, source: str) -> None:
    assert breaches(Module(name, source)) == []
