"""Choices made in secret and revealed at once, as characters are in Epic Duels (DUELS 2.6).

Two ways that share one state. A service may keep the choices itself and show them by ``visible_to``; or players keep
them to themselves until the end and only commit to a digest, so that nobody has to be trusted.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from config.errors import Conflict, DomainError

SALT_BYTES = 16


def commitment(player: int, choice: str, salt: bytes) -> str:
    """What a player hands in instead of the choice: SHA-256 in hex over the salt, the player's number and the choice.

    The number keeps one player from handing in another's digest as their own. Raises ``ValueError`` for a salt of fewer
    than 16 bytes: the few characters there are could be tried one by one.
    """
    if len(salt) < SALT_BYTES:
        raise ValueError(f"a salt has at least {SALT_BYTES} bytes, not {len(salt)}")
    return hashlib.sha256(b"%d:%s|%d|%s" % (len(salt), salt, player, choice.encode())).hexdigest()


@dataclass(frozen=True, slots=True)
class SecretChoices:
    """Who has to choose, by team, and what is known: ``sealed`` holds digests, ``opened`` choices.

    ``choices`` says for each side what may be chosen; without an entry the pack knows no list and anything goes.
    """

    teams: Mapping[str, tuple[int, ...]]
    sealed: Mapping[int, str] = field(default_factory=dict)
    opened: Mapping[int, str] = field(default_factory=dict)
    choices: Mapping[str, frozenset[str]] = field(default_factory=dict)

    @property
    def waiting(self) -> tuple[int, ...]:
        """Players who have not chosen yet."""
        return tuple(sorted(set(self._side_of()) - set(self.sealed)))

    @property
    def all_chose(self) -> bool:
        return not self.waiting

    @property
    def revealed(self) -> Mapping[int, str] | None:
        """Everybody's choice, or None while a single one is closed: one at a time would tell the others too much."""
        return dict(self.opened) if set(self.opened) == set(self._side_of()) else None

    def seal(self, player: int, digest: str) -> SecretChoices:
        """With a player's commitment. Until all have chosen it may be replaced, then it is final.

        Raises DomainError ``choices.not_in_game``, Conflict ``choices.closed``.
        """
        self._known(player)
        if self.all_chose:
            raise Conflict(
                "choices.closed",
                "Everybody has chosen, so that nothing can be changed any more.",
                {"player": player, "cite": "DUELS 2.6"},
            )
        return replace(self, sealed={**self.sealed, player: digest})

    def open(self, player: int, choice: str, salt: bytes) -> SecretChoices:
        """With a player's choice laid open, once all have chosen.

        Raises Conflict ``choices.not_all_chose`` (its context names no choice), DomainError ``choices.broken_seal``
        when it isn't what was committed to, ``choices.not_on_side`` for a choice of another side.
        """
        side = self._known(player)
        if not self.all_chose:
            raise Conflict(
                "choices.not_all_chose",
                f"{len(self.waiting)} of {len(self._side_of())} players have not chosen yet. Wait for them.",
                {"waiting": list(self.waiting), "cite": "DUELS 2.6"},
            )
        if not hmac.compare_digest(commitment(player, choice, salt), self.sealed[player]):
            raise DomainError(
                "choices.broken_seal",
                f"That is not what player {player} chose. Give the choice and the salt as they were.",
                {"player": player, "cite": "DUELS 2.6"},
            )
        allowed = self.choices.get(side)
        if allowed is not None and choice not in allowed:
            raise DomainError(
                "choices.not_on_side",
                f"{choice} does not fight for {side}. {' or '.join(sorted(allowed))} would. Let all choose again.",
                {"player": player, "side": side, "allowed": sorted(allowed), "cite": "DUELS 2.1"},
            )
        return replace(self, opened={**self.opened, player: choice})

    def again(self) -> SecretChoices:
        """From the start, with nothing chosen: after a choice that cannot stand, or a salt that was lost."""
        return SecretChoices(self.teams, choices=self.choices)

    def _side_of(self) -> dict[int, str]:
        return {player: side for side, members in self.teams.items() for player in members}

    def _known(self, player: int) -> str:
        side = self._side_of().get(player)
        if side is None:
            raise DomainError("choices.not_in_game", f"Player {player} is not in this game.", {"player": player})
        return side


def visible_to(
    viewer: int | None, teams: Mapping[str, tuple[int, ...]], chosen: Mapping[int, str]
) -> dict[int, str | None]:
    """What one player (or None: everybody else) may see of choices that a service keeps.

    For each player who has to choose: the choice, or None. Until all have chosen a player sees their own and those of
    team-mates, who may talk it over (DUELS 2.6); nobody else sees anything, not even who has chosen already.
    """
    players = [player for members in teams.values() for player in members]
    if set(players) <= set(chosen):
        return {player: chosen[player] for player in players}
    friends = {player for members in teams.values() if viewer in members for player in members}
    return {player: chosen.get(player) if player in friends else None for player in players}
