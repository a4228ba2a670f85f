"""What passes between a session and an interpreter, besides the messages of a host.

An interpreter stands between host and session where a host's messages are not yet what a session
takes in (`interpreter.py`). Nothing here goes over the wire.
"""

from engine.notation import format_position
from engine.views import View
from netcode.protocol.fields import Message
from netcode.protocol.messages import State


class SeenState(State, frozen=True, kw_only=True):
    """The game as an interpreter has it: in the place of the notation, what it says."""

    view: str = ""
    seen: View

    def sent(self) -> State:
        """Return what a host would have sent."""
        sent = {name: getattr(self, name) for name in State.__struct_fields__}
        return State(**sent | {"view": format_position(self.seen)})


class MadeRecord(Message, frozen=True):
    """The record of a game that is over, as an interpreter has made it."""

    revision: int
    """Of the State that ended the game."""
    line: str
    """As `Record.from_json` reads it."""


class Extra(Message, frozen=True):
    """Base of what an interpreter knows of a game besides the game."""


class Request(Message, frozen=True):
    """Base of what a person may ask of their interpreter."""
