"""Stores the connections of a table: their participants, and the last values sent to each."""

from msgspec import Struct

from engine.views import Viewer
from netcode.protocol.fields import Message, Values
from netcode.protocol.messages import Goodbye, Lobby
from netcode.table.effects import Close, Effect, Send, Strike
from netcode.table.people.seats import Participant


class ConnectionState(Struct, eq=False):
    """The participant of a connection, and the last values that were sent to it."""

    network: str = ""
    """The network of the connection, as the server names it; "" if it has none."""
    port: int = 0
    """The port of the other end; 0 if it has none."""
    participant: Participant | None = None
    """The participant; None before the Hello and after the Goodbye."""
    dismissed: bool = False
    """True after a Goodbye. Later messages on the connection are ignored."""
    key: bytes | None = None
    """The participant's new key, until a Welcome has sent it; then None."""
    lobby: Lobby | None = None
    """The last lobby that was sent, before the fields about its receiver were set; None if a lobby
    must be sent.
    """
    sent_as: tuple[str | None, bool] = (None, False)
    """The values of `you` and `host` in the last lobby that was sent."""
    wrong_guesses: int = 0
    """The number of wrong guesses that was sent last."""
    lines: int = 0
    """The chat's `line_count` when lines were last sent to the participant; 0 before."""
    game: int = 0
    """The number of the last game whose news were sent; 0 before the first."""
    revision: int = 0
    """The revision of the last State; -1 if it must be sent again."""
    events: int = 0
    """Number of events that were sent from the game `game`."""
    viewer: Viewer = None
    """The viewer for whom States of the game `game` are made; None for a spectator."""

    def seat(self, participant: Participant, key: bytes) -> None:
        """Set the participant and their new key. The table then sends its whole state again."""
        self.participant, self.key = participant, key
        self.lobby = None
        self.wrong_guesses = 0
        self.lines = self.game = self.revision = self.events = 0


class Connections:
    """All connections by number, and the effects of the present input."""

    def __init__(self) -> None:
        self.states: dict[int, ConnectionState] = {}
        """The state of each connection, oldest first."""
        self.effects: list[Effect] = []
        """The effects of the present input, in order."""

    def state_of(self, connection: int, network: str = "", port: int = 0) -> ConnectionState:
        """Return the state of a connection; create it if the connection is new."""
        state = self.states.get(connection)
        if state is None:
            state = self.states[connection] = ConnectionState(network, port)
        return state

    def forget(self, connection: int) -> Participant | None:
        """Remove an ended connection; return its participant, or None if it had none."""
        state = self.states.pop(connection, None)
        return None if state is None else state.participant

    def send(self, connection: int, message: Message) -> None:
        """Request the sending of a message, after all earlier effects."""
        self.effects.append(Send(connection, message))

    def dismiss(
        self, connection: int, code: str, values: Values | None = None
    ) -> Participant | None:
        """Send a Goodbye, close the connection, and detach its participant.

        Returns the participant, or None if the connection had none.
        """
        self.send(connection, Goodbye(code=code, values=values or {}))
        self.effects.append(Close(connection))
        state = self.state_of(connection)
        participant = state.participant
        state.participant = None
        state.dismissed = True
        return participant

    def strike(self, connection: int) -> None:
        """Request a strike against a connection for an invalid message, name or key."""
        self.effects.append(Strike(connection))
