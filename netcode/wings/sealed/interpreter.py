"""Puts a player's own program between host and session at sealed tables, with a clock and bots.

The program is in `sealed_play.py`, which is loaded only at a sealed table.
"""

from collections import deque
from collections.abc import Callable
from typing import TYPE_CHECKING, Final, TypeAlias

from engine.actions import Action
from engine.texts import Text
from netcode.client.connection import ConnectError, Connection
from netcode.client.interpreted import Request
from netcode.isolation import explained_error
from netcode.protocol.fields import ForInterpreter, Message
from netcode.protocol.messages import (
    Lobby,
    SetReady,
    Start,
)
from netcode.table.effects import Think
from netcode.table.errors import StoreError
from netcode.transport.running_clock import RunningClock, ScheduledCall

if TYPE_CHECKING:
    from netcode.wings.sealed.sealed_play import SealedPlay


Ask: TypeAlias = Callable[[int, Think, Callable[[], bool], Callable[[Action], None]], None]
"""A function that asks a bot, like `BotRunner.think` at a server."""


class SealedInterpreter:
    """Passes messages through the player's own program while the table is sealed.

    It outlives each connection. Host, player, timers and bots call the program directly, and its
    messages are sent and delivered at once.
    """

    def __init__(
        self, make_play: "Callable[[], SealedPlay]", make_ask: Callable[[RunningClock], Ask]
    ) -> None:
        """Begin before the first Lobby, without the player's program.

        Args:
            make_play: Makes the player's program.
            make_ask: Makes the function that asks bots, from the clock of the program's timers.
        """
        self._make_play: Final = make_play
        self._make_ask: Final = make_ask
        self._clock: Final = RunningClock()
        self._play: SealedPlay | None = None
        self._is_sealed: bool | None = None
        """True if the table is sealed; None before the first Lobby."""
        self._early: list[SetReady | Start] = []
        """The player's messages that wait for the first Lobby."""
        self._ask: Ask | None = None
        self._thinking: Think | None = None
        self._timer: ScheduledCall | None = None
        self._connection: Connection | None = None
        self._take: Callable[[Message], None] = lambda _message: None
        self._queued: Final[deque[Message]] = deque()
        self._is_delivering = False

    async def begin(self, connection: Connection, take: Callable[[Message], None]) -> None:
        """Send on this connection from now on, and pass messages to `take`."""
        self._connection, self._take = connection, take
        await self._clock.tick(0)

    def end(self) -> None:
        """Forget the connection: clear the queued messages and cancel the timer."""
        self._connection = None
        self._queued.clear()
        self._schedule(None, None)

    def receive(self, message: Message) -> None:
        """Pass a host's message to the player's program, or at other tables to the session."""
        was_sealed = self._is_sealed
        if isinstance(message, Lobby):
            self._is_sealed = message.settings.sealed
        if was_sealed or self._is_sealed:
            self._call(lambda play, now: play.from_host(message, now))
        elif not isinstance(message, ForInterpreter):
            # At this table no program reads the messages for the interpreter, so drop them.
            self._take(message)
        while self._early and self._is_sealed is not None:
            self.send(self._early.pop(0))

    def send(self, message: Message) -> None:
        """Pass a message to the player's program or to the host. Without a connection, drop it."""
        if self._is_sealed:
            self._call(lambda play, now: play.from_player(message))
        elif self._is_sealed is None and isinstance(message, SetReady | Start):
            # Before the first Lobby it is unknown whether the message needs a key, so store it.
            self._early.append(message)
        elif self._connection is not None and not isinstance(message, Request):
            self._connection.send(message)

    def close(self) -> None:
        """Close the logs."""
        if self._play is not None:
            self._play.close()

    def _call(self, do: "Callable[[SealedPlay, float], None]") -> None:
        """Call the program, then send and deliver its messages. Without a connection, do nothing.

        An error ends the connection, for example if a record cannot be stored before it is sent.
        `Connection.listen` then raises the error, and this method does not.
        """
        connection, now = self._connection, self._clock.now()
        if connection is None:
            return
        try:
            if self._play is None:
                self._play = self._make_play()
                self._play.on_change = self._tick
            play = self._play
            try:
                do(play, now)
                body = play.tick(now)
            except StoreError as error:
                why: Text = (
                    "A sealed table must save each signed message first, and could not: {why}"
                )
                raise ConnectError(why, why=error) from error
            except ValueError:
                # The host contradicts itself, or the program refuses the host's message.
                raise
            except Exception as error:
                failed = explained_error(error, self)
                raise ConnectError(failed.template, **failed.values) from None
            for each in body.sent:
                connection.send(each)
            self._schedule(play.wake_at if self._is_sealed else None, play.think)
            self._deliver(body.messages)
        except Exception as error:
            connection.set_exception(error)

    def _tick(self) -> None:
        self._call(lambda play, now: None)

    def _wake(self) -> None:
        self._timer = None
        self._tick()

    def _deliver(self, messages: list[Message]) -> None:
        """Deliver messages in order, after all earlier messages."""
        self._queued.extend(messages)
        if self._is_delivering:
            # The receiver may answer by another message, which ends up here: the outer call
            # delivers it.
            return
        self._is_delivering = True
        try:
            while self._queued:
                self._take(self._queued.popleft())
        finally:
            self._is_delivering = False

    def _schedule(self, wake_at: float | None, think: Think | None) -> None:
        """Set the timer for the next work, and ask the bot that has to think."""
        if self._timer is not None and (wake_at is None or wake_at < self._timer.at):
            self._timer.cancel()
            self._timer = None
        if self._timer is None and wake_at is not None:
            # Keep a timer that ends too early, since an early tick does no harm.
            self._timer = self._clock.call_at(wake_at, self._wake)
        before, self._thinking = self._thinking, think
        if think is not None and think is not before:
            self._ask = self._ask or self._make_ask(self._clock)
            self._ask(
                0,
                think,
                lambda: self._thinking is not think,
                lambda action: self._call(lambda play, now: play.from_bot(think, action)),
            )
