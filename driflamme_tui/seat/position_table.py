"""A table that shows one reader a position, and takes answers: a puzzle's, or the analysis board.

To a session it is a table like any other, so whatever plays at one plays here too. Nobody else is
there, and no game behind it is kept.
"""

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Callable
from contextlib import suppress

from netcode.protocol.codec import decode_client, encode
from netcode.protocol.fields import KEY_BYTES
from netcode.protocol.messages import (
    PROGRAM,
    PROTOCOL,
    ClientMessage,
    Hello,
    HostMessage,
    Lobby,
    State,
    TableSettings,
    Welcome,
)
from netcode.transport.channel import Channel, ChannelClosedError, memory_channel
from netcode.workers.worker_pool import WorkerPool


class PositionTable(ABC):
    """Tells whoever has said hello what stands on the table, anew after each answer."""

    def __init__(self) -> None:
        self.revision = 0
        """Of what was told last."""
        self.settings = TableSettings()
        self.send: Callable[[HostMessage], object] = lambda _message: None
        """Takes what there is to tell; `connect` sends it through a channel."""
        self.workers = WorkerPool(1)
        """Where bots think, if any are asked."""
        self._listening: asyncio.Task[None] | None = None

    @abstractmethod
    def take(self, message: ClientMessage) -> bool:
        """Take in what the reader wants; return whether the table is to be told anew."""

    @abstractmethod
    def state(self) -> State:
        """Return what the reader sees."""

    async def connect(self) -> Channel:
        """Return a connection for a client in this program."""
        near, far = memory_channel()
        self.send = lambda message: far.send(encode(message))
        self._listening = asyncio.create_task(self._listen(far))
        return near

    async def _listen(self, channel: Channel) -> None:
        with suppress(ChannelClosedError):
            while True:
                self.receive(decode_client(await channel.receive()))

    def receive(self, message: ClientMessage) -> None:
        """Do what the reader wants, and tell what comes of it."""
        if isinstance(message, Hello):
            self.send(
                Welcome(
                    protocol=PROTOCOL,
                    program=PROGRAM,
                    family=None,
                    key=bytes(KEY_BYTES),
                    host=False,
                )
            )
            self.tell()
        elif self.take(message):
            self.tell()

    def tell(self) -> None:
        """Tell what stands on the table."""
        self.revision += 1
        # Nobody has a seat, as nobody but the reader is there: families are all that is known.
        self.send(
            Lobby(
                phase="playing",
                seats=(),
                spectators=(),
                settings=self.settings,
                missing=None,
                invitation="",
                you=None,
                host=False,
            )
        )
        self.send(self.state())
