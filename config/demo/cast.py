"""The people of the demo, and the story they tell while they play."""

from __future__ import annotations

import hashlib
import sys
from dataclasses import dataclass, field
from typing import TextIO

from accounts.models import User
from accounts.services import create_user
from cards.engine.streams import Stream
from events.services.transaction import Actor

PASSWORD = "lists-and-lances"  # noqa: S105 - printed on purpose: these accounts live in a demo on loopback
LOGINS = {
    "organiser": ("organiser@demo.example", "Odile Marchetti"),
    "judge": ("judge@demo.example", "Jun Tanaka"),
    "player one": ("one@demo.example", "Ada Lindqvist"),
    "player two": ("two@demo.example", "Bram Okafor"),
}
FIRST = [
    "Mira",
    "Tomas",
    "Leila",
    "Pavel",
    "Ines",
    "Oskar",
    "Yara",
    "Felix",
    "Nadia",
    "Hugo",
    "Sofia",
    "Emil",
    "Tara",
    "Jonas",
    "Amina",
    "Lukas",
    "Freya",
    "Marek",
    "Zora",
    "Niklas",
    "Elif",
    "Anton",
    "Priya",
    "Viktor",
    "Selma",
    "Dario",
    "Hana",
    "Casper",
    "Ruta",
    "Milan",
    "Alba",
    "Soren",
]
LAST = [
    "Okonkwo",
    "Bergman",
    "Haddad",
    "Novak",
    "Ferreira",
    "Lindholm",
    "Castellan",
    "Weiss",
    "Petrova",
    "Duval",
    "Moreau",
    "Stern",
    "Nilsen",
    "Kaplan",
    "Rossi",
    "Vega",
    "Aalto",
    "Horvat",
    "Zielinski",
    "Brandt",
    "Yilmaz",
    "Keller",
    "Rao",
    "Sokolov",
    "Hansen",
    "Conti",
    "Mori",
    "Vink",
    "Balode",
    "Kovac",
    "Serrano",
    "Dahl",
]


@dataclass
class Story:
    """Prints what happens, and keeps a digest of what came out, so that two runs of one seed can be compared."""

    seed: str
    out: TextIO = field(default_factory=lambda: sys.stdout)
    _digest: hashlib._Hash = field(default_factory=hashlib.sha256)

    def stream(self, label: str) -> Stream:
        return Stream(self.secret(label), "demo")

    def secret(self, label: str) -> bytes:
        """32 bytes that follow from the seed: the secret of an event that can be played again."""
        return hashlib.sha256(f"tiltyard demo|{self.seed}|{label}".encode()).digest()

    def chapter(self, title: str) -> None:
        self._print(f"\n{title}\n{'=' * len(title)}")

    def say(self, text: str) -> None:
        self._print(f"  {text}")

    def detail(self, text: str) -> None:
        self._print(f"      {text}")

    def outcome(self, text: str) -> None:
        """Something that has to be the same whenever this seed is played."""
        self._digest.update(text.encode() + b"\n")

    @property
    def fingerprint(self) -> str:
        return self._digest.hexdigest()[:16]

    def _print(self, text: str) -> None:
        print(text, file=self.out, flush=True)  # noqa: T201 - the story is what the command is for


def actor_of(user: User) -> Actor:
    return Actor(user_id=user.pk, name=user.display_name)


def staff_and_logins() -> dict[str, User]:
    """The four people whose logins the demo prints; made once and kept."""
    return {
        role: User.objects.filter(email=email).first() or create_user(email=email, display_name=name, password=PASSWORD)
        for role, (email, name) in LOGINS.items()
    }


def players(count: int, logins: dict[str, User]) -> list[User]:
    """Accounts for ``count`` players, the two logins first. Nobody logs in as the others: they have no password."""
    people = [logins["player one"], logins["player two"]]
    for number in range(count - len(people)):
        name = f"{FIRST[number % len(FIRST)]} {LAST[(number * 7 + number // len(FIRST)) % len(LAST)]}"
        email = f"player{number + 3}@demo.example"
        people.append(User.objects.filter(email=email).first() or create_user(email=email, display_name=name))
    return people[:count]
