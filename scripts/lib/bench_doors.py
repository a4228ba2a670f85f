"""What visitors by the doors cost: memory, their first picture, a key to the screen.

A club in a process of its own, a door with its visitors' processes, and here the visitors' ends of
the line, on the same cores. They come one after the other, four to a table, and play: each answer
takes somebody some seconds, as it takes people, and is a few keys. Those of one more table come by
the web door, as a page does, but without a browser that draws. A key is on the screen when the
first that it changes has come; what comes at that moment of itself counts too, which is little.
`tables` are moves at further tables of the club, which know nothing of visitors, without them and
while they play.
"""

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, aclosing, asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Final

import asyncssh
from aiohttp import ClientSession, CookieJar

from netcode.client.connectors import Unix, connector
from netcode.client.reconnection import stay_connected
from netcode.client.session import Session
from scripts.lib.figures import Figure, percentile
from scripts.lib.processes import Process, journals


@dataclass(frozen=True, slots=True)
class Extent:
    """How much is measured."""

    tables: int
    """At which visitors by SSH play."""
    seats: int
    """Of each of them."""
    others: int
    """Tables without visitors."""
    acts: int
    """At each of these, before and while visitors play."""
    pause_s: float
    """Between two of them."""
    think_s: float
    """For how long a visitor thinks about an answer, on average."""
    play_s: float
    """How long they play."""


FULL: Final = Extent(50, seats=4, others=20, acts=30, pause_s=2.0, think_s=8.0, play_s=60.0)
SHORT: Final = Extent(1, seats=3, others=1, acts=3, pause_s=0.0, think_s=0.1, play_s=2.0)

SIZE: Final = (80, 24)
RIGHT: Final = b"\x1b[C"
ENTER: Final = b"\r"
LOBBY: Final = b"Lobby"
"""Stands on the first picture."""

PATIENCE_S: Final = 60.0
"""How long something awaited may not come before the measurement is given up."""

DRAWN_S: Final = 2.0
"""After so long nothing was drawn because there was nothing to draw."""

BETWEEN_KEYS_S: Final = 0.5
"""Between two keys of an answer; for a little less, a question takes none."""


class Visitor:
    """Somebody's `ssh`, or page.

    Args:
        read: Returns what is drawn next, nothing at the end.
        write: Sends what is typed.
    """

    def __init__(
        self, read: Callable[[], Awaitable[bytes]], write: Callable[[bytes], Awaitable[None]]
    ) -> None:
        self._read = read
        self._write = write
        self.drawn = b""
        """The beginning of what was drawn."""
        self._came = asyncio.Event()
        self.task = asyncio.create_task(self._look())

    async def _look(self) -> None:
        while drawn := await self._read():
            if len(self.drawn) < 65_536:
                self.drawn += drawn
            self._came.set()

    async def first_picture(self) -> None:
        """Wait for the lobby."""
        async with asyncio.timeout(PATIENCE_S):
            while LOBBY not in self.drawn:
                self._came.clear()
                await self._came.wait()

    async def press(self, keys: bytes) -> float | None:
        """Type, and return in how many ms something was drawn; None if nothing was."""
        self._came.clear()
        begun = time.perf_counter()
        await self._write(keys)
        with suppress(TimeoutError):
            async with asyncio.timeout(DRAWN_S):
                await self._came.wait()
                return 1000 * (time.perf_counter() - begun)
        return None


class Table:
    """A table of visitors, and somebody who watches it."""

    def __init__(self, number: int, visitors: list[Visitor], path: Path, secret: bytes) -> None:
        self._visitors = visitors
        self._session = Session(secret=secret)
        self._way = connector(Unix(path, secret))
        self._random = Random(number)
        self.keys_ms: list[float] = []

    async def watch(self) -> None:
        """Take in what the table tells everybody, until cancelled."""
        news = stay_connected(self._way, self._session, "watcher", spectator=True)
        async with aclosing(news) as all_news:
            async for _ in all_news:
                continue

    async def begin(self) -> None:
        """Have the visitors say that they are ready, and the first of them start."""
        async with asyncio.timeout(PATIENCE_S):
            while self._session.view is None:
                for each in self._visitors[1:]:
                    lobby = self._session.lobby
                    if lobby is not None and lobby.missing is not None:
                        await each.press(ENTER)
                lobby = self._session.lobby
                if lobby is not None and lobby.missing is None and lobby.count_s is None:
                    await self._visitors[0].press(b"s")
                await asyncio.sleep(BETWEEN_KEYS_S)

    async def play(self, think_s: float, until: float) -> None:
        """Have whoever is asked answer, after a while."""
        while time.perf_counter() < until:
            await asyncio.sleep(think_s * (0.5 + self._random.random()))
            view, lobby = self._session.view, self._session.lobby
            if view is None or view.over or lobby is None:
                continue
            visitor = self._visitors[view.turn]
            taken = await visitor.press(RIGHT)
            if taken is not None:
                self.keys_ms.append(taken)
            for _ in range(2):
                await asyncio.sleep(BETWEEN_KEYS_S)
                await visitor.press(ENTER)


def measure(short: bool) -> list[Figure]:
    """Return what visitors cost, and what they and the tables feel."""
    return asyncio.run(_measure(SHORT if short else FULL))


async def _measure(extent: Extent) -> list[Figure]:
    with (
        journals() as folder,
        Process(
            "table_hosts.py", 0, "club", extent.others + extent.tables + 1, folder / "club"
        ) as host,
        Process("table_load.py", 1) as load,
        Process("door_host.py", 1) as door,
    ):
        club = host.hear()
        path = folder / "club" / "visitors"
        of_others, secrets = club["secrets"][: extent.others], club["secrets"][extent.others :]
        load.ask(do="sit", name="others", port=club["port"], secrets=of_others)

        load.ask(do="begin", name="others")
        quiet = _play(load, extent)
        opened = door.ask(socket=str(path), folder=str(folder), secrets=secrets)
        async with AsyncExitStack() as stack:
            pictures_ms: list[float] = []
            pages_ms: list[float] = []
            tables = []
            for number, secret in enumerate(secrets):
                visitors = []
                by_ssh = number < extent.tables
                for seat in range(extent.seats):
                    begun = time.perf_counter()
                    name = f"{'abcd'[seat]}{number}"
                    come = _visitor(opened["port"], name) if by_ssh else _page(opened["web"], name)
                    visitor = await stack.enter_async_context(come)
                    await visitor.first_picture()
                    taken_ms = 1000 * (time.perf_counter() - begun)
                    (pictures_ms if by_ssh else pages_ms).append(taken_ms)
                    visitors.append(visitor)
                    load.ask(do="wait", name="others")
                tables.append(Table(number, visitors, path, bytes.fromhex(secret)))
            watching = [asyncio.create_task(each.watch()) for each in tables]
            beginning = asyncio.gather(*(each.begin() for each in tables))
            while not beginning.done():
                load.ask(do="wait", name="others")
                await asyncio.sleep(BETWEEN_KEYS_S)
            await beginning
            until = time.perf_counter() + extent.play_s
            playing = asyncio.gather(*(each.play(extent.think_s, until) for each in tables))
            visited = await asyncio.to_thread(_play, load, extent)
            await playing
            taken = await asyncio.to_thread(door.ask)
            for each in watching:
                each.cancel()
        number = len(pictures_ms) + len(pages_ms)
        latencies = {
            "picture": pictures_ms,
            "key_ssh": [each for table in tables[:-1] for each in table.keys_ms],
            "picture_web": pages_ms,
            "key_web": tables[-1].keys_ms,
            "quiet": quiet,
            "visited": visited,
        }
        return [
            Figure("visitors", number, ""),
            Figure("memory_of_visitors", round(taken["memory_mb"], 1), "MB"),
            Figure("memory_each", round(taken["memory_mb"] / number, 1), "MB"),
            *(
                Figure(f"p{percent}_{name}", round(percentile(values, percent), 2), "ms")
                for name, values in latencies.items()
                for percent in (50, 99)
            ),
        ]


def _play(load: Process, extent: Extent) -> list[float]:
    played = load.ask(do="play", name="others", acts=extent.acts, pause_s=extent.pause_s)
    latencies: list[float] = played["latencies_ms"]
    return latencies


@asynccontextmanager
async def _visitor(port: int, name: str) -> AsyncIterator[Visitor]:
    connecting = asyncssh.connect(
        "127.0.0.1",
        port,
        username=name,
        password="any",
        known_hosts=None,
        config=[],
        client_keys=None,
        agent_path=None,
    )
    async with connecting as connection:
        process = await connection.create_process(
            term_type="xterm-256color",
            term_size=SIZE,
            encoding=None,
            request_pty="force",
            env={"LANG": "C.UTF-8"},
        )

        async def write(keys: bytes) -> None:
            process.stdin.write(keys)

        visitor = Visitor(lambda: process.stdout.read(65_536), write)
        try:
            yield visitor
        finally:
            visitor.task.cancel()


@asynccontextmanager
async def _page(origin: str, name: str) -> AsyncIterator[Visitor]:
    cookies = CookieJar(unsafe=True)
    async with ClientSession(origin, headers={"Origin": origin}, cookie_jar=cookies) as page:
        await page.post("/enter", json={"name": name, "code": "any"})
        async with page.ws_connect("/terminal") as line:
            await line.send_json(["resize", {"width": SIZE[0], "height": SIZE[1]}])
            visitor = Visitor(
                line.receive_bytes, lambda keys: line.send_json(["stdin", keys.decode()])
            )
            try:
                yield visitor
            finally:
                visitor.task.cancel()
