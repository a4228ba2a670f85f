"""The visitors of a door: each has a terminal here, behind which the app runs for them alone.

Nothing is kept of what goes in and out. Who reads slowly has the app wait, and the table with it
for them alone; who types faster than the app reads waits too. What costs the app time is paid of
one budget: keys, pastes, and windows that change their size.
"""

import asyncio
import os
import re
import socket
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from driflamme_tui.wings.doors import spawner
from driflamme_tui.wings.doors.spawner import END_S, LARGEST, Ended, Terminal, Visit
from engine.words import ExplainedError, Text
from netcode.limits import Rate, TokenBucket
from netcode.own_process import environment_for_strangers, own_command

READ_BYTES: Final = 1 << 16
"""Most bytes of a picture that are read at once."""

LEAVE_S: Final = 1.0
"""How long visitors may take to read that the host has closed the table, and go."""

KEY_RATE: Final = Rate(90.0, burst=600.0)
"""How many keys a visitor may press, or cells the mouse may cross: more than hands do for long."""

CELLS_OF_A_KEY: Final = 200
"""How many cells are drawn in the time of a key, where a window has changed its size."""

PIECE_BYTES: Final = 256
"""How much of what is typed is passed on at once, and paid for."""

BYTES_OF_A_KEY: Final = 64
"""How much of a paste costs what a key does."""

LONGEST_PASTE: Final = 1 << 14
"""Bytes after which a paste is ended that does not end: the app collects it before it looks."""

MOST_DEBT_S: Final = 10.0
"""Seconds that a budget may be overdrawn by sizes, which no line holds back; then that is that."""

PASTE, PASTED = b"\x1b[200~", b"\x1b[201~"

_KEYS: Final = re.compile(rb"\x1b\[200~[^\x1b]*|\x1b\[[\d;<?]*[ -~]|.", re.DOTALL)
"""What is one key, move of the mouse, or paste as far as it goes."""

_WORD: Final = re.compile(r"[\w.+@-]{1,40}", re.ASCII)
"""What the environment of a visitor may be made of."""

_IDENTITY: Final = re.compile(r"[a-z0-9-]{8,80}")

NO_ROOM: Final[Text] = "There are too many visitors already: try again later."

Size = tuple[int, int]
"""Columns and rows."""


class Guest(Struct, frozen=True):
    """Somebody who was let in by a door."""

    identity: str
    """Names the folder that is theirs: what nobody else can claim to be."""
    name: str
    """What they are called at the table."""
    secret: bytes
    """What lets them in there."""
    network: str = ""
    """Where they come from, as `address.network_of` names it; empty if that means nothing."""

    @property
    def seat(self) -> tuple[str, str]:
        """By what one visit of theirs is another's successor."""
        return self.identity, self.name


class VisitorLimits(Struct, frozen=True):
    """How many visitors there may be: each takes some 20 MB."""

    visitors: int
    from_one_network: int


TABLE_VISITORS: Final = VisitorLimits(visitors=24, from_one_network=16)
"""VisitorLimits of a door to one table: five players, and who watches."""

CLUB_VISITORS: Final = VisitorLimits(visitors=250, from_one_network=100)
"""VisitorLimits of a door to a club, which may meet in one house."""


class RefusedError(ExplainedError):
    """Why somebody is not let in, as a sentence."""


class Visitor:
    """A visitor's terminal, from the side of whoever looks at it."""

    def __init__(self, terminal: int, guest: Guest) -> None:
        self.guest = guest
        self.ended: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        """The exit status of the app, once it has ended: 0 after a goodbye."""
        self._terminal: int | None = terminal
        self._waiting: set[asyncio.Future[None]] = set()
        self._budget = TokenBucket(KEY_RATE)
        self._pasted = 0
        """Bytes of a paste that has not ended yet."""
        self._before = b""
        """The end of what was typed last, in which a sign may have begun."""
        self._size: Size | None = None
        """The size that the window is to have."""
        self._sizing: asyncio.Handle | None = None
        self._reads = False

    @property
    def is_hung_up(self) -> bool:
        """Whether the terminal was taken from the app, which has then not given it back."""
        return self._terminal is None

    async def read(self) -> bytes:
        """Return what the app has drawn next; nothing once it has ended."""
        self._reads = True
        try:
            self._fit()
            while self._terminal is not None:
                try:
                    return os.read(self._terminal, READ_BYTES)
                except BlockingIOError:
                    loop = asyncio.get_running_loop()
                    await self._ready(self._terminal, loop.add_reader, loop.remove_reader)
                except OSError:
                    # How a terminal says that nobody is at its other end.
                    break
        finally:
            self._reads = False
        return b""

    async def write(self, keys: bytes) -> None:
        """Have the app read what was typed, within the budget; after its end that is lost."""
        for at in range(0, max(1, len(keys)), PIECE_BYTES):
            piece = keys[at : at + PIECE_BYTES]
            pressed = _KEYS.findall(PASTE * bool(self._pasted) + piece)
            cost = max(1, len(pressed)) + len(piece) / BYTES_OF_A_KEY
            await asyncio.sleep(self._budget.take(time.monotonic(), cost))
            await self._pass_on(self._ended(piece))

    def _ended(self, piece: bytes) -> bytes:
        """Return what is typed, with the end of a paste that has become too long."""
        seen = self._before + piece
        self._before = seen[1 - len(PASTE) :]
        ended = seen.rfind(PASTED)
        begun = seen.find(PASTE, ended + 1)
        if ended >= 0:
            self._pasted = 0
        if self._pasted:
            self._pasted += len(piece)
        elif begun >= 0:
            self._pasted = len(seen) - begun
        if self._pasted <= LONGEST_PASTE:
            return piece
        self._pasted = 0
        return piece + PASTED

    async def _pass_on(self, keys: bytes) -> None:
        while keys and self._terminal is not None:
            try:
                keys = keys[os.write(self._terminal, keys) :]
            except BlockingIOError:
                loop = asyncio.get_running_loop()
                await self._ready(self._terminal, loop.add_writer, loop.remove_writer)
            except OSError:
                break

    def resize(self, size: Size) -> None:
        """Tell the app the size of its window, once its screen is read and the budget has it.

        Of sizes that come faster it learns the last. At the size that it has it draws all anew.
        """
        self._size = size
        if self._budget.take(time.monotonic(), 1) > MOST_DEBT_S:
            self.hang_up()
        self._fit()

    def _fit(self) -> None:
        if self._size is None or self._terminal is None or self._sizing or not self._reads:
            return
        columns, rows = _within(self._size)
        now, cost = time.monotonic(), columns * rows / CELLS_OF_A_KEY
        wait = self._budget.wait(now, cost)
        if wait > 0:
            self._sizing = asyncio.get_running_loop().call_later(wait, self._fit_now)
            return
        self._budget.take(now, cost)
        _resize(self._terminal, (columns, rows))
        self._size = None

    def _fit_now(self) -> None:
        self._sizing = None
        self._fit()

    def hang_up(self) -> None:
        """Take the terminal away; the app ends, and the seat is kept as after a lost line."""
        terminal, self._terminal = self._terminal, None
        if terminal is None:
            return
        for waiting in self._waiting:
            if not waiting.done():
                waiting.set_result(None)
        self._waiting.clear()
        if self._sizing is not None:
            self._sizing.cancel()
        loop = asyncio.get_running_loop()
        loop.remove_reader(terminal)
        loop.remove_writer(terminal)
        os.close(terminal)

    async def _ready(
        self,
        terminal: int,
        add: Callable[[int, Callable[[], None]], None],
        remove: Callable[[int], bool],
    ) -> None:
        waiting = asyncio.get_running_loop().create_future()
        self._waiting.add(waiting)

        def ready() -> None:
            remove(terminal)
            self._waiting.discard(waiting)
            if not waiting.done():
                waiting.set_result(None)

        add(terminal, ready)
        try:
            await waiting
        finally:
            if waiting in self._waiting:
                ready()


class Visitors:
    """All visitors of a host's doors, and the process that starts their apps."""

    def __init__(
        self,
        folder: Path,
        table: Path,
        limits: VisitorLimits,
        on_loss: Callable[[], None] = lambda: None,
    ) -> None:
        """Start the process that starts the others: it is ready in a second, and may be asked now.

        Raises OSError. A visit that cannot begin has ended at once.

        Args:
            folder: Where the folders of all visitors are.
            table: The path of the host's socket.
            limits: How many visitors there may be.
            on_loss: Is called if that process ends by itself; nobody can come in any more then.
        """
        self.folder, self.table = folder, table
        self._limits = limits
        self._on_loss = on_loss
        self._numbers = count(1)
        self._present: dict[int, Visitor] = {}
        # Packets, one a request; the second is the like where there is no first.
        kind = socket.SOCK_SEQPACKET if sys.platform == "linux" else socket.SOCK_DGRAM
        self._line, theirs = socket.socketpair(socket.AF_UNIX, kind)
        self._line.setblocking(False)
        with theirs:
            self._process = subprocess.Popen(
                own_command(spawner.__name__, *([] if spawner.FORKS else [spawner.ANEW])),
                stdin=theirs.fileno(),
                stdout=subprocess.DEVNULL,
                # What goes wrong there might say what a visitor sees.
                stderr=subprocess.DEVNULL,
                env=environment_for_strangers(),
            )
        asyncio.get_running_loop().add_reader(self._line, self._hear)

    def __len__(self) -> int:
        return len(self._present)

    async def admit(self, guest: Guest, terminal: Terminal, size: Size) -> Visitor:
        """Start the app for somebody who was let in; raises RefusedError.

        Whoever is here in the same seat is hung up before: the line that they had is lost, even if
        nobody has noticed that yet.
        """
        assert _IDENTITY.fullmatch(guest.identity), "a folder's name would be made of it"
        present = self._present.values()
        # Meanwhile somebody else may have come in the same seat.
        while before := next((each for each in present if each.guest.seat == guest.seat), None):
            before.hang_up()
            await before.ended
        by_network = Counter(each.guest.network for each in self._present.values())
        if len(self) >= self._limits.visitors or (
            guest.network and by_network[guest.network] >= self._limits.from_one_network
        ):
            raise RefusedError(NO_ROOM)
        visit = Visit(
            next(self._numbers),
            guest.name,
            str(self.folder / guest.identity),
            str(self.table),
            guest.secret,
            _sensible(terminal),
        )
        ours, theirs = os.openpty()
        try:
            os.set_blocking(ours, False)
            _resize(ours, _within(size))
            socket.send_fds(self._line, [msgspec.json.encode(visit)], [theirs])
        except OSError:
            os.close(ours)
            raise RefusedError(NO_ROOM) from None
        finally:
            os.close(theirs)
        visitor = self._present[visit.number] = Visitor(ours, guest)
        return visitor

    async def close(self) -> None:
        """Hang up on all who do not take leave by themselves; end the process that starts them."""
        for patience_s in (LEAVE_S, 2.0 * END_S):
            if self._present:
                ends = [each.ended for each in self._present.values()]
                await asyncio.wait(ends, timeout=patience_s)
            for each in list(self._present.values()):
                each.hang_up()
        asyncio.get_running_loop().remove_reader(self._line)
        self._line.close()
        await asyncio.to_thread(self._process.wait)

    def _hear(self) -> None:
        packet = b""
        with suppress(OSError):
            packet = self._line.recv(spawner.PACKET_BYTES)
        if not packet:
            # The process is gone, and nobody tells of those that it started any more.
            asyncio.get_running_loop().remove_reader(self._line)
            for number, visitor in list(self._present.items()):
                visitor.hang_up()
                self._end(Ended(number, 1))
            self._on_loss()
            return
        self._end(msgspec.json.decode(packet, type=Ended))

    def _end(self, ended: Ended) -> None:
        self._present.pop(ended.number).ended.set_result(ended.status)


def _sensible(said: Terminal) -> Terminal:
    """Return what is said of a terminal, and the usual where that makes no sense."""
    usual = Terminal()
    words = {
        name: value if _WORD.fullmatch(value := getattr(said, name)) else getattr(usual, name)
        for name in ("term", "lang", "colorterm")
    }
    return replace(said, **words)


def _within(size: Size) -> Size:
    columns, rows = (min(max(1, each), most) for each, most in zip(size, LARGEST, strict=True))
    return columns, rows


def _resize(terminal: int, size: Size) -> None:
    import termios

    columns, rows = size
    if termios.tcgetwinsize(terminal) == (rows, columns):
        # The kernel tells nobody of a size that is the same.
        termios.tcsetwinsize(terminal, (rows + 1, columns))
    termios.tcsetwinsize(terminal, (rows, columns))
