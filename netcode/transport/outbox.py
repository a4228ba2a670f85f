"""What waits for a peer that reads too slowly: never more than the latest, without gaps.

A newer message takes the place of an older one which it makes pointless, so what waits is bounded
by what there is to know, not by how long the peer has been slow.
"""

from msgspec.structs import replace

from netcode.limits import OUTBOX_MESSAGES
from netcode.protocol.fields import MAXIMUM_EVENTS, MAXIMUM_LINES
from netcode.protocol.messages import Clock, GameRecord, HostMessage, Lobby, State, Talk


class OutboxFullError(Exception):
    """Too much waits for a peer that does not read."""


class Outbox:
    """Messages in the order in which they are to be sent."""

    __slots__ = ("_waiting",)

    def __init__(self) -> None:
        self._waiting: list[HostMessage] = []

    def __bool__(self) -> bool:
        return bool(self._waiting)

    def put(self, message: HostMessage) -> None:
        """Add a message, and remove older ones that it makes pointless; raises OutboxFullError."""
        waiting = self._waiting
        if isinstance(message, State) and any(isinstance(older, State) for older in waiting):
            # A record makes sense after the State that ended its game alone, which this one takes
            # the place of. If it is that State once more, the record comes once more, too.
            waiting[:] = [older for older in waiting if not isinstance(older, GameRecord)]
        if isinstance(message, State | GameRecord | Lobby | Clock | Talk):
            kind = type(message)
            for index, older in enumerate(waiting):
                if isinstance(older, kind):
                    message = _merged(older, message)
                    del waiting[index]
                    break
        if len(waiting) >= OUTBOX_MESSAGES:
            raise OutboxFullError
        waiting.append(message)

    def take(self) -> HostMessage:
        """Remove and return the message that is to be sent next."""
        return self._waiting.pop(0)


def _merged(older: HostMessage, newer: HostMessage) -> HostMessage:
    """Return one message for two of a kind, with all that is still of use."""
    if isinstance(older, State) and isinstance(newer, State):
        count = len(older.events)
        follows = newer.first_event == older.first_event + count
        if follows and count + len(newer.events) <= MAXIMUM_EVENTS:
            return replace(newer, first_event=older.first_event, events=older.events + newer.events)
    if isinstance(older, Talk) and isinstance(newer, Talk):
        lines = (older.lines + newer.lines)[-MAXIMUM_LINES:]
        first = newer.first + len(newer.lines) - len(lines)
        return Talk(first=first, lines=lines)
    return newer
