"""Stores the player's own wishes at a table, as the host has confirmed them."""

from collections.abc import Sequence
from typing import Final
from weakref import WeakKeyDictionary

from engine.texts import ExplainedError
from netcode.client.session import Session
from netcode.wings.days.messages import ADDRESS_LENGTH, FIRST_SIGNS, Condition, is_address


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
    """Return the confirmed wishes of a session's player; empty ones until the host confirms any."""
    return _WISHES.setdefault(session, Wishes())


def parse_address(typed: str) -> str:
    """Return the typed address for calls, without surplus spaces; it may be "".

    Raises:
        ExplainedError: The address is too long, or has a sign that is not allowed.
    """
    address = " ".join(typed.split())
    if len(address) > ADDRESS_LENGTH or not is_address(address):
        raise ExplainedError(
            "Type an address of at most {n} letters, digits and signs, which begins with a letter,"
            " a digit or one of {signs}.",
            n=ADDRESS_LENGTH,
            signs=" ".join(FIRST_SIGNS),
        )
    return address
