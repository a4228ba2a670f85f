"""The way for friends in other homes to what is open on this machine: its table, and each door.

Each is opened only when it was asked for. What the player has agreed to is remembered, and so is
what a router has granted, until that has ended.
"""

import asyncio
from collections.abc import Callable, Coroutine, Iterable
from typing import Final, Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from driflamme_tui.hosting.open_doors import OpenDoors
from driflamme_tui.hosting.open_server import Listening, Notify
from driflamme_tui.preferences.remembered import Kept
from driflamme_tui.text.i18n import _
from netcode.transport.address import Address
from netcode.wings.router.port_leases import Leases, WayIn, end_left
from netcode.wings.router.routers import Lease, OutsideError

What: TypeAlias = Literal["table", "ssh", "web"]
"""What others come in by."""


CLOSE_S: Final = 2.0
"""Seconds to wait for a router that is being asked, before all is closed."""

WAYS: Final[tuple[What, ...]] = ("table", "ssh", "web")
"""All of that."""


class Remembered(Struct, frozen=True):
    """What is remembered of ways from outside."""

    agreed: bool = False
    """Whether the player knows what opening the table means, and wants it."""
    leases: tuple[Lease, ...] = ()
    """What routers have granted, and has not been ended."""


class Outside:
    """The ways from other homes to one server of this machine."""

    def __init__(
        self,
        listening: Listening,
        port: int,
        *,
        wanted: Iterable[str],
        changed: Callable[[], object],
    ) -> None:
        """Open none yet.

        Args:
            listening: Learns the addresses outside.
            port: The server's.
            wanted: What the player has asked for, of `WAYS`.
            changed: Is called when the addresses are others than before.
        """
        self.port: Final = port
        self.wanted: frozenset[str] = frozenset(wanted)
        """What is to be open."""
        self.is_asking = False
        """Whether a router is being asked."""
        self.on_change: Callable[[], object] = lambda: None
        """Is called when there is something else to tell of it."""
        self.listening: Final = listening
        self.doors: OpenDoors | None = None
        """The doors, if there are some."""
        self._changed = changed
        self._ways: dict[What, WayIn] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    @property
    def error(self) -> OutsideError | None:
        """Why nobody comes in to the table by IPv4, as far as that was asked."""
        return None if "table" not in self._ways else self._ways["table"].error

    def addresses(self, what: What) -> tuple[Address, ...]:
        """Return where others come in from other homes."""
        return () if what not in self._ways else self._ways[what].addresses

    async def start(self, notify: Notify, *, owned: bool) -> None:
        """Open what is wanted, and end what an earlier program has left open.

        The player has agreed by the option that they typed. A server without an owner waits for it.
        """
        if recall().leases:
            # To what listens here now a former program's lease leads unasked.
            unasked = [port for what, port in self._ports.items() if what not in self.wanted]
            self._spawn(end_left(kept_leases, unasked))
        if not self.wanted:
            return
        if not owned:
            notify(_("Your router is asked to let friends in other homes in."))
            await self._open_wanted()
        else:
            self._spawn(self._open_wanted())

    def begin(self, what: What) -> None:
        """Open a way too, without waiting for it; or try once more, if it could not be opened."""
        self.wanted |= {what}
        self._spawn(self._open_wanted())

    async def close(self) -> None:
        """Close all ways."""
        if self._tasks:
            # What a router is about to grant is to be known, so that it can be ended.
            _done, late = await asyncio.wait(self._tasks, timeout=CLOSE_S)
            for task in late:
                task.cancel()
        await asyncio.gather(*(way.close() for way in self._ways.values()))

    @property
    def _ports(self) -> dict[str, int]:
        """On which port each of what is open here listens."""
        doors = {} if self.doors is None else self.doors.ports
        return doors | {"table": self.port}

    async def _open_wanted(self) -> None:
        ports = self._ports
        for what in WAYS:
            if what in self.wanted and what in ports and not self.addresses(what):
                await self._open(what, ports[what])

    async def _open(self, what: What, port: int) -> None:
        """Open a way; where it was refused since it would be for good, it is for good now."""
        if self.is_asking:
            return
        way = self._ways.setdefault(what, WayIn(port, kept_leases, self._tell))
        self.is_asking = True
        self.on_change()
        try:
            await way.open()
        finally:
            self.is_asking = False
        self._tell()

    def _spawn(self, work: Coroutine[None, None, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _tell(self) -> None:
        addresses = self.addresses("table")
        if addresses != self.listening.outside:
            self.listening.outside = addresses
            self._changed()
        if self.doors is not None:
            self.doors.reach(self.addresses("ssh"), self.addresses("web"))
        self.on_change()


_REMEMBERED: Final = Kept("outside.json", Remembered, Remembered())

recall: Final = _REMEMBERED.recall


def agree() -> None:
    """Remember that the player knows what opening the table means, and wants it."""
    _REMEMBERED.change(lambda was: replace(was, agreed=True))


def kept_leases(change: Callable[[Leases], Leases]) -> Leases:
    """Change what is remembered of leases, and return it."""
    _REMEMBERED.change(lambda was: replace(was, leases=change(was.leases)))
    return recall().leases
