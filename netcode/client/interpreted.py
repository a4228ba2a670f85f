"""Defines values that a session and an interpreter exchange, besides messages of a host.

If a session cannot handle the host's messages directly, an interpreter stands between them
(`interpreter.py`). Nothing here is sent over the wire.
"""

from engine.views import View
from netcode.protocol.fields import Message
from netcode.protocol.messages import State


class SeenState(State, frozen=True, kw_only=True):
    """A State from an interpreter, which the session does not check again."""

    seen: View

    def sent(self) -> State:
        """Return the State that a host would send for this position."""
        return State(**{name: getattr(self, name) for name in State.__struct_fields__})


class MadeRecord(Message, frozen=True):
    """The record of a finished game, made by an interpreter."""

    revision: int
    """The revision of the State that ended the game."""
    line: str
    """The record in the format of `Record.from_json`."""


class Extra(Message, frozen=True):
    """The base class for an interpreter's additional knowledge about a game."""


class Request(Message, frozen=True):
    """The base class for requests of a player to their interpreter."""
