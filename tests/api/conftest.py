"""The packs and the events of tests.events, for tests that look at all addresses."""

from __future__ import annotations

from tests.events.api.conftest import nobody, program
from tests.events.conftest import as_user, make_event, packs, packs_once

__all__ = ["as_user", "make_event", "nobody", "packs", "packs_once", "program"]
