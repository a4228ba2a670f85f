"""A web door on loopback with pretended visitors: their input is recorded, and no app runs."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

from aiohttp import ClientSession, CookieJar, TCPConnector
from msgspec.structs import replace

from driflamme_tui.wings.doors.door_codes import DoorCodes
from driflamme_tui.wings.doors.open_doors import Doors, Order
from driflamme_tui.wings.doors.visitor_spawner import Terminal
from driflamme_tui.wings.doors.visitors import Guest, RefusedError, Size, Visitor, Visitors
from driflamme_tui.wings.doors.web_door import WebDoor
from netcode.joining.invitation import Invitation
from netcode.transport.address import Address
from netcode.transport.certificate import load_identity
from netcode.transport.sockets import open_tcp

CODE = "K7Q-F2MXR"

INVITATION = Invitation((Address("127.0.0.1"),), b"p" * 16, b"s" * 12)

TOKEN = str(INVITATION).rpartition("/")[2]


class Watched:
    """Lets a test wait for changes of an object."""

    def __init__(self) -> None:
        self._condition = asyncio.Condition()

    async def until(self, true: Callable[[], bool]) -> None:
        async with asyncio.timeout(60), self._condition:
            await self._condition.wait_for(true)

    async def changed(self) -> None:
        async with self._condition:
            self._condition.notify_all()


class PretendedVisitor(Visitor, Watched):
    """Records its input, and writes what a test wants."""

    def __init__(self, terminal: Terminal, size: Size) -> None:
        Watched.__init__(self)
        self.lang, self.lines = terminal.lang, terminal.lines
        self.typed = ""
        self.is_gone = False
        self.sizes = [size]
        self.written: asyncio.Queue[bytes] = asyncio.Queue()
        self._tasks: set[asyncio.Task[None]] = set()

    async def read(self) -> bytes:
        return await self.written.get()

    async def write(self, keys: bytes) -> None:
        self.typed += keys.decode()
        await self.changed()

    def resize(self, size: Size) -> None:
        self.sizes.append(size)
        self._tasks.add(asyncio.create_task(self.changed()))

    def hang_up(self) -> None:
        self.written.put_nowait(b"")
        self.is_gone = True
        self._tasks.add(asyncio.create_task(self.changed()))

    async def answer_to(self, keys: str) -> None:
        """Wait until this text has been typed."""
        await self.until(lambda: keys in self.typed)


class PretendedVisitors(Visitors, Watched):
    def __init__(self) -> None:
        Watched.__init__(self)
        self.there: list[PretendedVisitor] = []
        self.guests: list[Guest] = []
        self.has_place = True

    async def admit(self, guest: Guest, terminal: Terminal, size: Size) -> Visitor:
        if not self.has_place:
            raise RefusedError("There are too many visitors already: try again later.")
        self.guests.append(guest)
        self.there.append(PretendedVisitor(terminal, size))
        await self.changed()
        return self.there[-1]


class PretendedDoor:
    """The door, its visitors, and its address."""

    def __init__(self, folder: Path, origin: str, *, proxied: bool) -> None:
        self.origin = origin
        self.visitors = PretendedVisitors()
        self.order = Order(
            "",
            INVITATION.secret,
            CODE.replace("-", ""),
            None,
            Doors(),
            str(folder),
            "en",
            (),
        )
        self.codes = DoorCodes(self.order)
        origins = [self.origin, "https://table.example"]
        self.door = WebDoor(self.codes, self.visitors, origins, proxied=proxied)

    def renew(self, secret: bytes, code: str = CODE) -> None:
        """Replace the invitation that admits visitors."""
        self.codes.renew(replace(self.order, secret=secret, code=code.replace("-", "")))

    async def visitor(self, number: int = 0) -> PretendedVisitor:
        """Return the visitor with a number, once they are there."""
        await self.visitors.until(lambda: len(self.visitors.there) > number)
        return self.visitors.there[number]


@asynccontextmanager
async def pretended_door(
    folder: Path, *, proxied: bool = False, encrypted: bool = False
) -> AsyncIterator[PretendedDoor]:
    """Yield an open door on loopback, with pretended visitors."""
    [listening] = await open_tcp("127.0.0.1", 0)
    origin = f"http{'s' * encrypted}://127.0.0.1:{listening.getsockname()[1]}"
    pretended = PretendedDoor(folder, origin, proxied=proxied)
    context = load_identity(folder).context if encrypted else None
    await pretended.door.open([listening], context)
    try:
        yield pretended
    finally:
        await pretended.door.close()


def browser(door: PretendedDoor) -> ClientSession:
    """Return a client that sends requests like a browser with the page."""
    return ClientSession(
        door.origin,
        headers={"Origin": door.origin},
        cookie_jar=CookieJar(unsafe=True),
        connector=TCPConnector(ssl=False),
    )
