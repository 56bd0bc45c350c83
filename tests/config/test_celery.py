"""The worker's processes, and none of those that answer people, make way."""

from __future__ import annotations

import os
import subprocess
import sys

from config.celery import POLITE, make_way

SAID = """
import os
from billiard import get_context
import config.celery


def tell():
    config.celery.make_way()
    print(os.getpriority(os.PRIO_PROCESS, 0), os.sched_getscheduler(0) == os.SCHED_IDLE, flush=True)


child = get_context("fork").Process(target=tell, name="ForkPoolWorker-1")
child.start()
child.join()
"""


def test_a_process_of_the_worker_gives_its_turn_to_others() -> None:
    told = subprocess.run([sys.executable, "-c", SAID], capture_output=True, text=True, start_new_session=True)
    assert (told.stdout.strip(), told.returncode) == (f"{POLITE} True", 0), told.stderr


def test_a_worker_inside_another_process_does_not() -> None:
    before = (os.getpriority(os.PRIO_PROCESS, 0), os.sched_getscheduler(0))
    make_way()
    assert (os.getpriority(os.PRIO_PROCESS, 0), os.sched_getscheduler(0)) == before
