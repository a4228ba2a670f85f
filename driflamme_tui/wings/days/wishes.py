"""Stores the player's own wishes at a table, as the host has confirmed them."""

from collections.abc import Sequence
from typing import Final
from weakref import WeakKeyDictionary

from netcode.client.session import Session
from netcode.wings.days.messages import Condition


class Wishes:
    """The player's address for calls, and their answers for later questions."""

    def __init__(self) -> None:
        """Begin before the host has sent anything."""
        self.address = ""
        """The address for calls; "" for no calls."""
        self.conditions: Sequence[Condition] = ()
        """The answers for later questions."""


_WISHES: Final[WeakKeyDictionary[Session, Wishes]] = WeakKeyDictionary()


def known_of(session: Session) -> Wishes:
    """Return the confirmed wishes of a session's player."""
    return _WISHES.setdefault(session, Wishes())
