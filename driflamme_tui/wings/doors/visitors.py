"""Runs the visitors of a door: each has a terminal here, with an app for them alone.

Input and output are not stored. If a visitor reads slowly, only their app waits, and the table
waits for them as for any player. A visitor who types faster than the app reads waits too. Keys,
pastes and changes of the window's size cost the app time, and share one budget.
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

from driflamme_tui.wings.doors import visitor_spawner
from driflamme_tui.wings.doors.strangers import environment_for_strangers
from driflamme_tui.wings.doors.visitor_spawner import DUMB, END_S, LARGEST, AppEnd, Terminal, Visit
from engine.texts import ExplainedError, Text
from netcode.child_process import program_command
from netcode.limits import Rate, TokenBucket

READ_BYTES: Final = 1 << 16
"""Maximum bytes of output that one read takes."""

LEAVE_S: Final = 1.0
"""Seconds for visitors to read that the host has closed the table, before they are disconnected."""

KEY_RATE: Final = Rate(90.0, burst=600.0)
"""Keys per second of a visitor, including cells that the mouse crosses. Nobody presses keys at this
rate for a long time.
"""

CELLS_OF_A_KEY: Final = 200
"""Number of cells of a resized window that cost as much as one key."""

PIECE_BYTES: Final = 256
"""Number of bytes of typed text that are charged to the budget and forwarded together."""

BYTES_OF_A_KEY: Final = 64
"""Number of bytes of a paste that cost as much as one key."""

LONGEST_PASTE: Final = 1 << 14
"""Maximum bytes of a paste without the mark of its end. The app stores a paste until that mark."""

MOST_DEBT_S: Final = 10.0
"""Maximum seconds by which changes of a window's size may exceed a visitor's budget. A visitor with
more debt is disconnected, because these changes have no other limit.
"""

PASTE, PASTED = b"\x1b[200~", b"\x1b[201~"

_KEYS: Final = re.compile(rb"\x1b\[200~[^\x1b]*|\x1b\[[\d;<?]*[ -~]|.", re.DOTALL)
"""Matches one key, one move of the mouse, or the part of a paste that has come."""

_WORD: Final = re.compile(r"[\w.+@-]{1,40}", re.ASCII)
"""Matches a valid value of a visitor's variable."""

_IDENTITY: Final = re.compile(r"[a-z0-9-]{8,80}")

TOO_MANY_VISITORS: Final[Text] = "There are too many visitors already: try again later."

Size = tuple[int, int]
"""The columns and rows of a window."""


class Guest(Struct, frozen=True):
    """A guest whom a door has admitted."""

    identity: str
    """The name of the guest's folder. No other visitor can claim it."""
    name: str
    """The guest's name at the table."""
    secret: bytes
    """The secret that admits the guest to the table."""
    network: str = ""
    """The guest's network, as `address.network_of` returns it; "" if it is unknown."""

    @property
    def seat(self) -> tuple[str, str]:
        """The identity and name of a guest.

        A new visit with the same identity and name replaces the earlier one.
        """
        return self.identity, self.name


class VisitorLimits(Struct, frozen=True):
    """Maximum numbers of visitors. A visitor takes some 20 MB."""

    visitors: int
    from_one_network: int


TABLE_VISITORS: Final = VisitorLimits(visitors=24, from_one_network=16)
"""Limits for a door to one table: five players, and spectators."""

CLUB_VISITORS: Final = VisitorLimits(visitors=250, from_one_network=100)
"""Limits for a door to a club, whose members may meet in one house."""


class RefusedError(ExplainedError):
    """Raised if a visitor is refused. The error's sentence has the reason."""


class Visitor:
    """The terminal of a visitor, from the door's side."""

    def __init__(self, terminal: int, guest: Guest) -> None:
        self.guest = guest
        self.ended: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        """Receives the exit status of the app at its end; 0 after a goodbye."""
        self._terminal: int | None = terminal
        self._waiting: set[asyncio.Future[None]] = set()
        self._budget = TokenBucket(KEY_RATE)
        self._pasted = 0
        """Number of bytes of the paste whose end has not come."""
        self._before = b""
        """The last typed bytes. They may contain the beginning of a paste's mark."""
        self._size: Size | None = None
        """The next size of the window; None if the app has the present one."""
        self._sizing: asyncio.Handle | None = None
        self._reads = False

    @property
    def is_hung_up(self) -> bool:
        """True once `hang_up` has closed the terminal: a running app can no longer restore it."""
        return self._terminal is None

    async def read(self) -> bytes:
        """Return the next output of the app; empty after the app's end or a hang-up."""
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
                    # Reading a terminal raises this if no process is at its other end.
                    break
        finally:
            self._reads = False
        return b""

    async def write(self, keys: bytes) -> None:
        """Send typed bytes to the app as fast as the budget allows, until the app has ended."""
        for at in range(0, max(1, len(keys)), PIECE_BYTES):
            piece = keys[at : at + PIECE_BYTES]
            pressed = _KEYS.findall(PASTE * bool(self._pasted) + piece)
            cost = max(1, len(pressed)) + len(piece) / BYTES_OF_A_KEY
            await asyncio.sleep(self._budget.take(time.monotonic(), cost))
            await self._write_all(self._ended(piece))

    def _ended(self, piece: bytes) -> bytes:
        """Return typed bytes. If a paste has become too long, append the mark of its end."""
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

    async def _write_all(self, keys: bytes) -> None:
        while keys and self._terminal is not None:
            try:
                keys = keys[os.write(self._terminal, keys) :]
            except BlockingIOError:
                loop = asyncio.get_running_loop()
                await self._ready(self._terminal, loop.add_writer, loop.remove_writer)
            except OSError:
                break

    def resize(self, size: Size) -> None:
        """Send a new size to the app once its output was read and the budget allows it.

        Of several sizes only the last is sent. The same size makes the app draw everything again. A
        visitor with more than `MOST_DEBT_S` of debt is disconnected.
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
        """Close the terminal.

        The app then ends, and the seat is kept as after a lost connection.
        """
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
        """Start the process that starts the apps.

        The process is ready in a second; earlier visits wait for it.

        Args:
            folder: The folder of all visitors' folders.
            table: The path of the host's socket.
            limits: Maximum numbers of visitors.
            on_loss: Called if the process ends by itself. No visitor can be admitted afterwards.

        Raises:
            OSError: The process cannot be started.
        """
        self.folder, self.table = folder, table
        self._limits = limits
        self._on_loss = on_loss
        self._numbers = count(1)
        self._present: dict[int, Visitor] = {}
        # One packet is one request. On systems without such packets, use datagrams.
        kind = socket.SOCK_SEQPACKET if sys.platform == "linux" else socket.SOCK_DGRAM
        self._socket, theirs = socket.socketpair(socket.AF_UNIX, kind)
        self._socket.setblocking(False)
        with theirs:
            self._process = subprocess.Popen(
                program_command(
                    visitor_spawner.__name__,
                    *([] if visitor_spawner.FORKS else [visitor_spawner.ANEW]),
                ),
                stdin=theirs.fileno(),
                stdout=subprocess.DEVNULL,
                # Discard the error output of apps: it might contain a visitor's screen.
                stderr=subprocess.DEVNULL,
                env=environment_for_strangers(),
            )
        asyncio.get_running_loop().add_reader(self._socket, self._receive_end)

    def __len__(self) -> int:
        return len(self._present)

    async def admit(self, guest: Guest, terminal: Terminal, size: Size) -> Visitor:
        """Start the app for an admitted guest, with a terminal of this size.

        An earlier visitor in the same seat is disconnected first: their connection is probably
        lost. If the app cannot start, the visit ends at once.

        Raises:
            RefusedError: There are too many visitors, or the request cannot be sent.
        """
        assert _IDENTITY.fullmatch(guest.identity), "a folder's name would be made of it"
        present = self._present.values()
        # While this method waits, another visitor may take the same seat, so check again.
        while before := next((each for each in present if each.guest.seat == guest.seat), None):
            before.hang_up()
            await before.ended
        by_network = Counter(each.guest.network for each in self._present.values())
        if len(self) >= self._limits.visitors or (
            guest.network and by_network[guest.network] >= self._limits.from_one_network
        ):
            raise RefusedError(TOO_MANY_VISITORS)
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
            if visit.terminal.term == DUMB:
                _stop_echo(theirs)
            socket.send_fds(self._socket, [msgspec.json.encode(visit)], [theirs])
        except OSError:
            os.close(ours)
            raise RefusedError(TOO_MANY_VISITORS) from None
        finally:
            os.close(theirs)
        visitor = self._present[visit.number] = Visitor(ours, guest)
        return visitor

    async def close(self) -> None:
        """Disconnect all visitors who do not leave; end the process that starts the apps."""
        for patience_s in (LEAVE_S, 2.0 * END_S):
            if self._present:
                ends = [each.ended for each in self._present.values()]
                await asyncio.wait(ends, timeout=patience_s)
            for each in list(self._present.values()):
                each.hang_up()
        asyncio.get_running_loop().remove_reader(self._socket)
        self._socket.close()
        await asyncio.to_thread(self._process.wait)

    def _receive_end(self) -> None:
        packet = b""
        with suppress(OSError):
            packet = self._socket.recv(visitor_spawner.PACKET_BYTES)
        if not packet:
            # The process has gone, so it reports no more ends of apps.
            asyncio.get_running_loop().remove_reader(self._socket)
            for number, visitor in list(self._present.items()):
                visitor.hang_up()
                self._end(AppEnd(number, 1))
            self._on_loss()
            return
        self._end(msgspec.json.decode(packet, type=AppEnd))

    def _end(self, ended: AppEnd) -> None:
        self._present.pop(ended.number).ended.set_result(ended.status)


def _sensible(terminal: Terminal) -> Terminal:
    """Return a terminal with defaults instead of invalid values."""
    usual = Terminal()
    words = {
        name: value if _WORD.fullmatch(value := getattr(terminal, name)) else getattr(usual, name)
        for name in ("term", "lang", "colorterm")
    }
    return replace(terminal, **words)


def _stop_echo(terminal: int) -> None:
    """Let a terminal echo no typed text, since the visitor's own terminal shows it already.

    The app would be too late: a visitor may type before it starts.
    """
    import termios

    settings = termios.tcgetattr(terminal)
    settings[3] &= ~termios.ECHO
    termios.tcsetattr(terminal, termios.TCSANOW, settings)


def _within(size: Size) -> Size:
    columns, rows = (min(max(1, each), most) for each, most in zip(size, LARGEST, strict=True))
    return columns, rows


def _resize(terminal: int, size: Size) -> None:
    import termios

    columns, rows = size
    if termios.tcgetwinsize(terminal) == (rows, columns):
        # The kernel sends no signal for an unchanged size, so set another one first.
        termios.tcsetwinsize(terminal, (rows + 1, columns))
    termios.tcsetwinsize(terminal, (rows, columns))
