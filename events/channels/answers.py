"""How sending can fail, for whoever decides what follows."""

from __future__ import annotations


class Undelivered(Exception):  # noqa: N818 - an outcome that is decided on, not a fault of ours
    """It did not arrive and may on another try. The message is for the organiser."""


class Unreachable(Undelivered):
    """The receiver's server did not take part at all: others at the same server need not be tried just now."""


class Refused(Undelivered):
    """The receiver will never take it."""


class Gone(Refused):
    """The receiver does not exist any more."""
