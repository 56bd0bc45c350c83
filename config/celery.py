import contextlib
import os
from pathlib import Path
from typing import Any

from billiard import current_process
from celery import Celery
from celery.signals import worker_process_init

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
app = Celery("tiltyard")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
POLITE = 19


@worker_process_init.connect
def make_way(**_: Any) -> None:
    """Nobody waits for a worker: the processes that answer people go first, and take a core on which nothing but it
    runs for a free one. Linux weighs the sessions of processes before it weighs those in one. A worker inside another
    process, as in a test, leaves that one alone."""
    if current_process().name == "MainProcess":
        return
    with contextlib.suppress(OSError):
        os.setpriority(os.PRIO_PROCESS, 0, POLITE)
    with contextlib.suppress(OSError, AttributeError):  # not every system has it
        os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
    with contextlib.suppress(OSError):
        Path("/proc/self/autogroup").write_text(str(POLITE))
