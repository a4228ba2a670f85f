"""What a client knows of its table: a state machine without sockets or clock.

It takes the host's messages in and keeps what the face shows: who sits where, the own view,
the events, what was refused. It trusts a host no further than the notation goes: a message
that contradicts itself or what came before raises ProtocolError.
"""

from typing import assert_never

from engine.actions import Action
from engine.events import Event
from engine.notation import parse_view
from engine.view import View
from netcode.messages import (
    PROGRAM,
    PROTOCOL,
    Act,
    Admitted,
    Clock,
    Club,
    Goodbye,
    Hello,
    HostMessage,
    Knocked,
    Line,
    Lobby,
    Refused,
    State,
    Talk,
    Welcome,
)
from netcode.refusals import UNKNOWN_KEY
from netcode.wire_events import fits_view


class ProtocolError(ValueError):
    """The host sent something that makes no sense; the text says what, for a log."""


class Session:
    """One person's or spectator's side of a table, from the first Hello to the Goodbye."""

    def __init__(self, owner_key: bytes | None = None) -> None:
        """Begin before the first Hello; `owner_key` is for the one who opened the table."""
        self.owner_key = owner_key
        """Makes its holder the host; None for everybody else."""
        self.key: bytes | None = owner_key
        """Goes with the next Hello: resumes the seat once there has been a Welcome."""
        self.name: str | None = None
        """As last said hello with; None before."""
        self.spectator = False
        """Whether the last Hello asked to watch."""
        self.family: str | None = None
        """None for a spectator and before the first Welcome."""
        self.is_host = False
        self.lobby: Lobby | None = None
        """The last one received."""
        self.view: View | None = None
        """The running or just finished game; None in the lobby."""
        self.revision = 0
        """Of the view."""
        self.events: list[Event] = []
        """All of the running game."""
        self.fresh = 0
        """The index of the first event that the latest State brought and was not known."""
        self.pending: Act | None = None
        """The act that the host has not answered yet; to be sent again after a reconnect."""
        self.refusal: Refused | None = None
        """The last one; cleared by the next act, and when the table has changed since."""
        self.talk: list[Line] = []
        """What has been said at the table, as far as it is known here."""
        self.clock: Clock | None = None
        """For the question being asked, if the table has a clock."""
        self.goodbye: Goodbye | None = None
        """Why the host ended the connection."""
        self._acted = 0
        self._said = 0

    def hello(self, name: str, spectator: bool = False) -> Hello:
        """Return what to say first on every connection; raises pydantic's ValidationError.

        `refusals.name_problem` says beforehand whether a name will do.
        """
        hello = Hello(
            protocol=PROTOCOL, program=PROGRAM, name=name, spectator=spectator, key=self.key
        )
        self.name, self.spectator = name, spectator
        return hello

    def act(self, action: Action) -> Act:
        """Return the answer to the question being asked, to be sent now."""
        self._acted += 1
        self.refusal = None
        self.pending = Act(number=self._acted, revision=self.revision, action=action.token)
        return self.pending

    def receive(self, message: HostMessage) -> None:
        """Take in what the host says; raises ProtocolError and then changes nothing."""
        match message:
            case Welcome():
                self._welcome(message)
            case Lobby():
                self._see_lobby(message)
            case State():
                self._see_state(message)
            case Refused():
                self._see_refusal(message)
            case Goodbye():
                self.goodbye = message
            case Clock():
                self.clock = message
            case Talk():
                self._hear(message)
            case Knocked() | Admitted() | Club():
                raise ProtocolError("that is not for somebody at a table")
            case _:
                assert_never(message)

    def _hear(self, message: Talk) -> None:
        known = max(0, self._said - message.first)
        self.talk += message.lines[known:]
        self._said = max(self._said, message.first + len(message.lines))

    def _welcome(self, message: Welcome) -> None:
        if message.protocol != PROTOCOL:
            raise ProtocolError("the host welcomes to another protocol")
        self.key = message.key
        self.family = message.family
        self.is_host = message.host
        self.goodbye = None
        # The host may have begun anew since the last connection.
        self.revision = 0
        self._acted = max(self._acted, message.acted)

    def _see_lobby(self, message: Lobby) -> None:
        families = [seat.family for seat in message.seats]
        if len(set(families)) < len(families):
            raise ProtocolError("two seats have one family")
        if message.you is not None and message.you not in families:
            raise ProtocolError("no seat has the receiver's family")
        self.lobby = message
        self.refusal = None
        self.family = message.you
        self.is_host = message.host
        if message.phase == "lobby":
            self.view = None
            self.events = []
            self.fresh = 0
            self.pending = None

    def _see_state(self, message: State) -> None:
        if message.revision < self.revision:
            raise ProtocolError("the table went back")
        if message.first_event > len(self.events):
            raise ProtocolError("events are missing")
        view = _read_view(message)
        if not all(fits_view(event, view) for event in message.events):
            raise ProtocolError("an event is of another game")
        self.view = view
        known, first = self.events, message.first_event
        self.events = known[:first] + list(message.events)
        # After a reconnect the whole game comes again, of which only the end is news.
        again = first < len(known) and self.events[: len(known)] == known
        self.fresh = len(known) if again else first
        self.family = message.you
        self.revision = message.revision
        if self.pending is not None and self.pending.revision < message.revision:
            self.pending = None

    def _see_refusal(self, message: Refused) -> None:
        self.refusal = message
        if message.code == UNKNOWN_KEY:
            # The seat is gone; the next Hello is a newcomer's.
            self.key = None if self.key == self.owner_key else self.owner_key
        if self.pending is not None and message.number == self.pending.number:
            self.pending = None


def _read_view(message: State) -> View:
    try:
        view = parse_view(message.view, None)
        if message.you is None:
            return view
        return parse_view(message.view, view.seat_of(message.you))
    except ValueError as error:  # a NotationError, or no seat has the family
        raise ProtocolError("the view is none") from error
