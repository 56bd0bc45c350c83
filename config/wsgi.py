"""The site by WSGI, as granian serves it: several processes of two threads each."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterable
from typing import Any

from django.core.wsgi import get_wsgi_application

PATIENCE_SECONDS = 0.25
Application = Callable[[dict[str, Any], Any], Iterable[bytes]]


class OneByOne:
    """Lets a process work on one request at a time. Threads of Python take turns, and who asks the database twenty
    times waits for a turn twenty times. A request that takes long keeps another waiting for ``PATIENCE_SECONDS``; from
    then on nobody waits for it."""

    def __init__(self, application: Application) -> None:
        self.application = application
        self.turn = threading.Lock()

    def __call__(self, environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        turn = self.turn
        while not turn.acquire(timeout=PATIENCE_SECONDS):
            if self.turn is turn:
                self.turn = threading.Lock()
            turn = self.turn
        try:
            return self.application(environ, start_response)
        finally:
            turn.release()


os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
application = OneByOne(get_wsgi_application())
