from __future__ import annotations

import time
from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandParser

from config.demo.cast import LOGINS, PASSWORD, Story
from config.demo.program import play

SEED = "tiltyard"


class Command(BaseCommand):
    help = "Migrate, load the game packs and play four whole events. The same seed gives the same results."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--seed", default=SEED, help=f"any text (default: {SEED})")

    def handle(self, *args: Any, **options: Any) -> None:
        began = time.monotonic()
        story = Story(seed=options["seed"])
        call_command("migrate", verbosity=0)
        call_command("load_packs")
        story.say(f"Ready after {time.monotonic() - began:.1f} s. Seed: {story.seed}")
        play(story)
        story.chapter("Done")
        story.say(f"Four events played in {time.monotonic() - began:.1f} s. The data stays; `make serve` shows it.")
        for role, (email, name) in LOGINS.items():
            story.say(f"{role:<11} {email:<24} {PASSWORD}   ({name})")
        story.say(f"Seed {story.seed!r} came out as {story.fingerprint}: the same seed gives the same fingerprint.")
