"""Persons who play whole games over real connections, at random."""

import asyncio
from contextlib import aclosing
from dataclasses import dataclass, field
from random import Random
from typing import Any

from netcode.client.connection import Connect, Connection
from netcode.client.connectors import connector
from netcode.client.reconnection import Connected, News
from netcode.client.session import Session
from netcode.joining.invitation import parse_invitation
from netcode.protocol.fields import Message
from netcode.protocol.messages import (
    AddBot,
    ChangeSettings,
    Lobby,
    SetReady,
    Start,
    State,
    Welcome,
)
from netcode.protocol.table_settings import TableSettings
from tests.support.following import followed
from tests.support.pretend import assert_keeps_secrets


@dataclass
class Person:
    """A person who plays random legal answers of their own view."""

    way: Connect
    name: str
    players: int
    """Number of seats before the host starts."""
    bots: int = 0
    games: int = 1
    session: Session = field(default_factory=Session)
    states: list[State] = field(default_factory=list)
    connections: int = 0
    moves: int = 0
    until: int = 10_000
    """Number of moves after which the person answers no question."""
    seated: asyncio.Event = field(default_factory=asyncio.Event)
    connection: Connection | None = None

    def __post_init__(self) -> None:
        self.rng = Random(self.name)
        self._starting = False
        self._seen_over: int | None = None
        """The revision at the end of the latest handled game."""

    async def play(self, *, waits: bool = False) -> None:
        """Play to the result of the last game, or to a Goodbye.

        With `waits`, connect again after the Goodbye of a table that is only closed for now.
        """
        following = followed(self.way, self.session, self.name, waits=waits)
        async with aclosing(following) as messages:
            async for message in messages:
                self._receive(message)
                if self.is_over():
                    self.games -= 1
                    if not self.games:
                        return
                    self._seen_over = self.session.revision
                    self.send(SetReady(ready=True))

    def send(self, message: Message) -> None:
        assert self.connection is not None
        self.connection.send(message)

    def is_over(self) -> bool:
        """Return True if a game has just ended, and its last State has been handled.

        Return False for a game whose end `play` has seen already.
        """
        session = self.session
        return (
            session.lobby is not None
            and session.lobby.phase == "result"
            and session.view is not None
            and session.view.over
            and session.revision != self._seen_over
            and bool(self.states)
            # The session may be ahead of the handled messages.
            and self.states[-1].revision == session.revision
        )

    def answer(self) -> None:
        """Answer a due question, unless the person has made enough moves."""
        view = self.session.view
        is_due = view is not None and view.legal and self.session.pending is None
        if view is not None and is_due and self.moves < self.until:
            self.moves += 1
            self.send(self.session.act(self.rng.choice(view.legal)))

    def _receive(self, message: News) -> None:
        session = self.session
        if isinstance(message, Connected):
            self.connections += 1
            self.connection = message.connection
        elif isinstance(message, Welcome) and not self.seated.is_set():
            self.seated.set()
            self.send(SetReady(ready=True))
            if session.is_host:
                self.send(ChangeSettings(settings=TableSettings(first="r", pace_ms=0)))
                for _ in range(self.bots):
                    self.send(AddBot(bot="random"))
        elif isinstance(message, Lobby):
            ready = message.missing is None and len(message.seats) == self.players
            if message.phase == "lobby" and message.host and ready and not self._starting:
                self._starting = True
                self.send(Start())
        elif isinstance(message, State):
            self.states.append(message)
            assert session.view is not None
            assert_keeps_secrets(message, session.view)
            self.answer()


def invited(link: str, name: str, **options: Any) -> Person:
    """Return a person who joins by an invitation."""
    invitation = parse_invitation(link)
    session = Session(secret=invitation.secret)
    return Person(connector(invitation), name, session=session, **options)
