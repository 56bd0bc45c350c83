"""Loaded by ``-p`` before pytest-django reads the settings: starts servers that live as long as the test run."""

import atexit
import os

from config.embedded.servers import Services

if not (os.environ.get("DATABASE_URL") and os.environ.get("REDIS_URL")):
    _services = Services(ephemeral=True).start()
    atexit.register(_services.stop)
    os.environ.update(_services.environ)
