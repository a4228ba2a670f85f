"""The connections of a table: who is at the other end, and what they have been told."""

from msgspec import Struct

from engine.views import Viewer
from netcode.protocol.fields import Message, Values
from netcode.protocol.messages import Goodbye, Lobby
from netcode.table.effects import Close, Effect, Send, Strike
from netcode.table.people.seats import Participant


class ConnectionState(Struct, eq=False):
    """What is at the other end of a connection, and what has been told there."""

    network: str = ""
    """Where it comes from, as the shell names it; empty if that means nothing."""
    port: int = 0
    """The port at the other end, as the shell sees it; 0 if that means nothing."""
    participant: Participant | None = None
    """None before the Hello and after the Goodbye."""
    dismissed: bool = False
    """Whether it has been told goodbye, so that nothing more from it counts."""
    key: bytes | None = None
    """The key to the place of the participant, until they have been told it in a Welcome."""
    lobby: Lobby | None = None
    """The last Lobby told, but for whom it was."""
    told_as: tuple[str | None, bool] = (None, False)
    """The family of that Lobby's receiver, and whether they were the host."""
    wrong_guesses: int = 0
    """The number of wrong guesses at the code that was told last."""
    lines: int = 0
    """How many lines of the chat have been told, or were said before anybody came."""
    game: int = 0
    """The number of the game whose State was told last; 0 if none was."""
    revision: int = 0
    """The revision of that State; -1 if it is to be told once more."""
    events: int = 0
    """How many events of that game have been told."""
    viewer: Viewer = None
    """Whose eyes see that game here."""

    def seat(self, participant: Participant, key: bytes) -> None:
        """Give the connection to a participant, who has not been told anything yet."""
        self.participant, self.key = participant, key
        self.lobby = None
        self.wrong_guesses = 0
        self.lines = self.game = self.revision = self.events = 0


class Connections:
    """All connections by their numbers, and the effects that wait to be carried out."""

    def __init__(self) -> None:
        self.states: dict[int, ConnectionState] = {}
        """By the number, in the order in which they came."""
        self.effects: list[Effect] = []
        """What is to be done about the present input, in order."""

    def state_of(self, connection: int, network: str = "", port: int = 0) -> ConnectionState:
        """Return what is at the other end; an unknown connection is a new one from a network."""
        state = self.states.get(connection)
        if state is None:
            state = self.states[connection] = ConnectionState(network, port)
        return state

    def forget(self, connection: int) -> Participant | None:
        """Return who was at the other end of a connection that has ended."""
        state = self.states.pop(connection, None)
        return None if state is None else state.participant

    def send(self, connection: int, message: Message) -> None:
        """Send a message."""
        self.effects.append(Send(connection, message))

    def dismiss(
        self, connection: int, code: str, values: Values | None = None
    ) -> Participant | None:
        """Say goodbye; return who was there, and is there no more."""
        self.send(connection, Goodbye(code=code, values=values or {}))
        self.effects.append(Close(connection))
        state = self.state_of(connection)
        participant = state.participant
        state.participant = None
        state.dismissed = True
        return participant

    def strike(self, connection: int) -> None:
        """Have something without sense counted that came from there."""
        self.effects.append(Strike(connection))
