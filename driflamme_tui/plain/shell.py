"""Sitting at a table without a screen: lines come in, lines go out."""

import asyncio
import sys
import threading
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import aclosing
from io import TextIOWrapper
from typing import Protocol

from driflamme_tui.hosting import open_alone
from driflamme_tui.i18n import _
from driflamme_tui.plain.player import Reply
from driflamme_tui.plans import Alone, Join
from driflamme_tui.seat_keys import OwnSeat
from driflamme_tui.ways import find_way
from netcode.client import Connect, Connected, ConnectError, Connection, Lost, stay_connected
from netcode.messages import (
    Act,
    AddBot,
    Admitted,
    ClientMessage,
    Club,
    Goodbye,
    HostMessage,
    Leave,
    Refused,
    Start,
    Welcome,
)
from netcode.refusals import refusal_sentence
from netcode.session import ProtocolError, Session


class LinePlayer(Protocol):
    """Whoever plays line by line."""

    session: Session

    def news(self, news: HostMessage | Connected | Lost) -> Sequence[str]:
        """Return what there is to tell, once the session has taken a message in."""

    def line(self, text: str) -> Reply:
        """Return what a line means."""

    def trouble(self, sentence: str) -> str:
        """Return how to tell that something went wrong."""


async def play_lines(
    plan: Join | Alone,
    name: str,
    player_of: Callable[[Session], LinePlayer],
    typed: AsyncIterator[str],
    write: Callable[[str], None],
) -> str:
    """Play at a table until one of both sides leaves.

    Returns why it ended, if that is not as the player wanted: a sentence, or "".

    Args:
        plan: Which table, and whether to watch only; or bots to play against.
        name: The player's.
        player_of: Makes who tells and understands, of a session.
        typed: The lines that are typed; when they end, so does the evening.
        write: Is given each line to show.
    """
    if isinstance(plan, Alone):
        table = await open_alone(plan)
        session = Session(table.owner_key, table.place.secret)
        opening: list[ClientMessage] = [*(AddBot(bot=bot) for bot in plan.bots), Start()]
        evening = _Evening(player_of(session), write, None, opening)
        try:
            return await _pass(evening, typed, table.connect, name)
        finally:
            await table.close()
    try:
        way = await find_way(plan.target)
    except ConnectError as error:
        return error.sentence(_)
    session = Session(secret=way.secret)
    seat = None if plan.watch else OwnSeat(way.seat_at(way.secret), name)
    session.key = None if seat is None else seat.recall()
    try:
        evening = _Evening(player_of(session), write, seat)
        return await _pass(evening, typed, way.connect, name, watch=plan.watch)
    finally:
        if seat is not None:
            seat.release()


async def _pass(
    evening: "_Evening",
    typed: AsyncIterator[str],
    connect: Connect,
    name: str,
    *,
    watch: bool = False,
) -> str:
    """Let an evening pass, until the host or whoever types has had enough."""
    listening = asyncio.create_task(evening.listen(connect, name, watch=watch))
    reading = asyncio.create_task(evening.read(typed))
    try:
        done, _pending = await asyncio.wait(
            (listening, reading), return_when=asyncio.FIRST_COMPLETED
        )
        if listening in done:
            return listening.result()
        await evening.part(leaves=reading.result())
        return ""
    finally:
        for task in (listening, reading):
            task.cancel()
        await asyncio.gather(listening, reading, return_exceptions=True)


class _Evening:
    """The two sides of a table: what the host says, and what is typed."""

    def __init__(
        self,
        player: LinePlayer,
        write: Callable[[str], None],
        seat: OwnSeat | None,
        opening: Sequence[ClientMessage] = (),
    ) -> None:
        self._player = player
        self._write = write
        self._seat = seat
        self._opening = opening
        """What is said as soon as one is welcome."""
        self._connection: Connection | None = None
        self._heard = asyncio.Event()
        """That there is news, since somebody last waited for any."""

    async def listen(self, connect: Connect, name: str, *, watch: bool) -> str:
        """Tell what the host says, and return why it stopped."""
        session = self._player.session
        stay = stay_connected(connect, session, name, spectator=watch)
        try:
            async with aclosing(stay) as all_news:
                async for news in all_news:
                    if isinstance(news, Connected):
                        self._connection = news.connection
                    elif isinstance(news, Lost):
                        self._connection = None
                    elif isinstance(news, Welcome):
                        await self._sit_down(session)
                    elif isinstance(news, Club | Admitted):
                        return _("That leads to a club: join one of its tables by its own link.")
                    for line in self._player.news(news):
                        self._write(line)
                    self._heard.set()
                    if isinstance(news, Refused) and session.lobby is None:
                        return refusal_sentence(news.code, news.values, _)
                    if isinstance(news, Goodbye):
                        return ""
        except ConnectError as error:
            return error.sentence(_)
        except ProtocolError:
            return _("What the table says makes no sense to this program: are both new?")
        return ""

    async def _sit_down(self, session: Session) -> None:
        if self._seat is not None:
            self._seat.remember(session.key)
        opening, self._opening = self._opening, ()
        for message in opening:
            if self._connection is not None:
                await self._connection.send(message)

    async def read(self, typed: AsyncIterator[str]) -> bool:
        """Do what is typed; return whether the player leaves, rather than that lines ended."""
        async for text in typed:
            await self._answered()
            reply = self._player.line(text)
            for line in reply.lines:
                self._write(line)
            for message in reply.messages:
                if self._connection is not None:
                    await self._connection.send(message)
                elif not isinstance(message, Act):  # that is sent again once the line is back
                    lost = _("The line is lost: nothing can be answered until it is back.")
                    self._write(self._player.trouble(lost))
            if reply.leaves:
                return True
        return False

    async def _answered(self) -> None:
        """Wait for what the host says to the last answer: lines may come faster than it plays.

        While the line is lost there is no waiting: somebody may want to leave.
        """
        while self._player.session.pending is not None and self._connection is not None:
            self._heard.clear()
            await self._heard.wait()

    async def part(self, *, leaves: bool) -> None:
        """End the connection; who leaves gives the seat up, others find it again."""
        if self._connection is not None:
            if leaves:
                await self._connection.send(Leave())
            await self._connection.close()


async def typed_lines() -> AsyncIterator[str]:
    """Yield the lines of standard input, whatever kind of file that is, until it ends."""
    if isinstance(sys.stdin, TextIOWrapper):
        # A line that is no text in the terminal's encoding is one that makes no sense, and no more.
        sys.stdin.reconfigure(errors="replace")
    loop = asyncio.get_running_loop()
    lines: asyncio.Queue[str | None] = asyncio.Queue()

    def read() -> None:
        for line in sys.stdin:
            loop.call_soon_threadsafe(lines.put_nowait, line)
        loop.call_soon_threadsafe(lines.put_nowait, None)

    # A daemon: a program that ends waits for nobody to type something.
    threading.Thread(target=read, daemon=True).start()
    while (line := await lines.get()) is not None:
        yield line
