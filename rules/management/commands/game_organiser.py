from __future__ import annotations

import argparse
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from accounts.models import User
from cards.queries import game_by_slug
from config.errors import DomainError
from rules.services.publishing import add_game_organiser, remove_game_organiser


class Command(BaseCommand):
    help = "Says who may publish lists, formats and cards for a game."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("action", choices=["add", "remove"])
        parser.add_argument("game", metavar="GAME", help="as in addresses: engarde")
        parser.add_argument("email", metavar="EMAIL", help="of somebody with an account")

    def handle(self, *, action: str, game: str, email: str, **options: Any) -> None:
        try:
            found = game_by_slug(slug=game)
        except DomainError as error:
            raise CommandError(error.message) from error
        user = User.objects.filter(email__iexact=email.strip()).first()
        if user is None:
            raise CommandError(f"Nobody has signed up with {email}.")
        if action == "add":
            _, new = add_game_organiser(game=found, user=user)
            self.stdout.write(f"{user.display_name} publishes for {found.name} {'now' if new else 'already'}.")
        elif remove_game_organiser(game=found, user=user):
            self.stdout.write(f"{user.display_name} doesn't publish for {found.name} any more.")
        else:
            raise CommandError(f"{user.display_name} doesn't publish for {found.name}.")
