from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand

from events.channels.push import new_key


class Command(BaseCommand):
    help = "Draw a key for push notices and print it as a line for the environment. Keep it: subscriptions hang on it."

    def handle(self, *args: Any, **options: Any) -> None:
        self.stdout.write(f"VAPID_PRIVATE_KEY={new_key()}")
