"""Servers that live as long as the test run. Loaded by ``-p``, so that they are up before the settings are read."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Generator
from types import FrameType

import pytest

from config.embedded.layout import EmbeddedError
from config.embedded.servers import Services, named


@pytest.hookimpl(wrapper=True)
def pytest_load_initial_conftests(early_config: pytest.Config) -> Generator[None, object, object]:
    """Start them unless the environment names some; xdist's workers find their controller's named there."""
    os.environ.setdefault("TILTYARD_EMBEDDED", "1")  # tests are never production, whoever's servers they use
    try:
        if not named(os.environ):
            services = Services(ephemeral=True).start()
            early_config.add_cleanup(services.stop)
            _stop_on_sigterm(services)
            os.environ.update(services.environ)
    except EmbeddedError as error:
        print(f"error: {error}", file=sys.stderr)
        sys.exit(2)
    return (yield)


def _stop_on_sigterm(services: Services) -> None:
    """pytest records a SystemExit as a failed test and goes on; so stop the servers, then end by the signal itself."""

    def end(signum: int, frame: FrameType | None) -> None:
        services.stop()
        signal.signal(signum, signal.SIG_DFL)
        signal.raise_signal(signum)

    signal.signal(signal.SIGTERM, end)
