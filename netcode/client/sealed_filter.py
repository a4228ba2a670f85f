"""Runs a player's own program at sealed tables: its clock, its bots and its files.

The program itself is `sealed_play.py`, which is not loaded before a table is a sealed one.
"""

import asyncio
from collections import deque
from collections.abc import AsyncGenerator, Callable, Coroutine
from typing import TYPE_CHECKING, Any, Final, Protocol, TypeAlias

from engine.actions import Action
from netcode.client.sealed_news import Asked, Told
from netcode.protocol.messages import ClientMessage, HostMessage, Lobby, SetReady, Start
from netcode.table.effects import Think
from netcode.transport.running_clock import RunningClock, ScheduledCall

if TYPE_CHECKING:
    from netcode.client.sealed_play import Said


class OwnProgram(Protocol):
    """A player's own program between host and session: a `SealedPlay`, or what is around one."""

    poke: Callable[[], None] | None
    """Has `tick` called at once; None while there is no connection."""

    @property
    def think(self) -> Think | None:
        """What a bot is to be asked; None for nothing."""

    @property
    def wake_at(self) -> float | None:
        """When to call `tick`."""

    def from_host(self, message: HostMessage, now: float) -> "Said":
        """Take in what the host says."""

    def from_player(self, message: Asked, now: float) -> "Said":
        """Take in what the player says."""

    def from_bot(self, think: Think, action: Action, now: float) -> "Said":
        """Take in what a bot has chosen."""

    def tick(self, now: float) -> "Said":
        """Do what is due by now."""

    def close(self) -> None:
        """Let go of the files."""


Ask: TypeAlias = Callable[[int, Think, Callable[[], bool], Callable[[Action], None]], None]
"""Asks a bot, as `BotRunner.think` of a server does."""


class SealedFilter:
    """What stands between a client's connections, one after the other, and its session."""

    def __init__(
        self, make_play: Callable[[], OwnProgram], make_ask: Callable[[RunningClock], Ask]
    ) -> None:
        """Know what makes the player's program, and what asks the bots of their machine."""
        self._make_play: Final = make_play
        self._make_ask: Final = make_ask
        self._clock: Final = RunningClock()
        self._play: OwnProgram | None = None
        self._knows_table = self._is_sealed = False
        self._early: list[SetReady | Start] = []
        """What was said before anything was known of the table."""
        self._ask: Ask | None = None
        self._asked: Think | None = None
        self._timer: ScheduledCall | None = None
        self._inbox: deque[Callable[[OwnProgram, float], Said]] = deque()
        """What has come from elsewhere than the host."""
        self._woken: Final = asyncio.Event()

    def say(self, message: Asked) -> bool:
        """Take what the player says; False if that is for the host as it is."""
        if self._is_sealed:
            self._put(lambda play, now: play.from_player(message, now))
        elif not self._knows_table and isinstance(message, SetReady | Start):
            # Whether it needs a key is not known yet.
            self._early.append(message)
        else:
            return False
        return True

    async def between(
        self,
        receive: Callable[[], Coroutine[Any, Any, HostMessage]],
        send: Callable[[ClientMessage], None],
    ) -> AsyncGenerator[Told, None]:
        """Yield what the session is told over one connection, until `receive` raises.

        Raises OSError if what must be on disk before it is sent cannot be.
        """
        reading: asyncio.Task[HostMessage] | None = None
        try:
            while True:
                if self._play is None or not self._is_sealed:
                    message, early = await receive(), list[SetReady | Start]()
                    if isinstance(message, Lobby):
                        self._choose(message)
                        early, self._early = self._early, []
                    if not self._is_sealed:
                        for wish in early:
                            send(wish)
                        yield message
                        continue
                    play = self._play = self._play or self._make_play()
                    for wish in early:
                        self.say(wish)
                    said = play.from_host(message, self._clock.now())
                else:
                    play = self._play
                    reading = reading or asyncio.create_task(receive())
                    woken = asyncio.create_task(self._woken.wait())
                    await asyncio.wait((reading, woken), return_when=asyncio.FIRST_COMPLETED)
                    woken.cancel()
                    await self._clock.tick(0)
                    if reading.done():
                        message, reading = reading.result(), None
                        said = play.from_host(message, self._clock.now())
                        if isinstance(message, Lobby):
                            self._choose(message)
                    elif self._inbox:
                        said = self._inbox.popleft()(play, self._clock.now())
                    else:
                        self._woken.clear()
                        continue
                    if not self._inbox:
                        self._woken.clear()
                for asked in said.sent:
                    send(asked)
                self._schedule(play)
                for each in said.told:
                    yield each
        finally:
            if reading is not None and not reading.cancel():
                # That the connection has ended is no news to who hangs up.
                reading.exception()
            self._rest()

    def close(self) -> None:
        """Let go of the files."""
        if self._play is not None:
            self._play.close()

    def _choose(self, lobby: Lobby) -> None:
        """Have the own program tell of the games, or the host where the table is not sealed."""
        self._knows_table, self._is_sealed = True, lobby.settings.sealed

    def _tick(self) -> None:
        self._put(lambda play, now: play.tick(now))

    def _put(self, call: "Callable[[OwnProgram, float], Said]") -> None:
        self._inbox.append(call)
        self._woken.set()

    def _schedule(self, play: OwnProgram) -> None:
        """See to it that what is due later is done, and that a bot thinks that is asked."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if play.wake_at is not None and self._is_sealed:
            self._timer = self._clock.call_at(play.wake_at, self._tick)
        think = play.think
        if think is not None and think is not self._asked:
            self._ask = self._ask or self._make_ask(self._clock)
            self._ask(
                0,
                think,
                lambda: self._asked is not think,
                lambda action: self._put(lambda play, now: play.from_bot(think, action, now)),
            )
        self._asked = think
        play.poke = self._tick

    def _rest(self) -> None:
        """Do nothing by oneself while there is no connection."""
        self._asked = None
        self._inbox.clear()
        self._woken.clear()
        if self._play is not None:
            self._play.poke = None
        if self._timer is not None:
            self._timer.cancel()
