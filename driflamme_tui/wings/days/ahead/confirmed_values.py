"""Stores the player's address for calls and conditional answers, as the host has confirmed them."""

from collections.abc import Sequence
from typing import Final
from weakref import WeakKeyDictionary

from engine.texts import ExplainedError
from netcode.client.session import Session
from netcode.wings.days.messages import ADDRESS_LENGTH, FIRST_SIGNS, Condition, is_address


class ConfirmedValues:
    """The player's address for calls and conditional answers; empty until the host confirms any."""

    def __init__(self) -> None:
        self.address = ""
        """The address that the program calls on the player's turn; "" for no calls."""
        self.conditions: Sequence[Condition] = ()


_VALUES: Final[WeakKeyDictionary[Session, ConfirmedValues]] = WeakKeyDictionary()


def confirmed_values(session: Session) -> ConfirmedValues:
    """Return the values that the host has confirmed to a session's player."""
    return _VALUES.setdefault(session, ConfirmedValues())


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
