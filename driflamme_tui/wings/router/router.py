"""The way for friends in other homes to what is open on this machine: its table, and each door.

Each is opened only when it was asked for. What the player has agreed to is remembered, and so is
what a router has granted, until that has ended.
"""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Final, Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from driflamme_tui.hosting.open_server import Listening
from driflamme_tui.hosting.parts import OpenPlace, Part
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


class Router(Part):
    """The ways from other homes to one place; its record names what others come in by."""

    def __init__(self, record: str = "") -> None:
        """Open none yet: the record has some of `WAYS`, with commas between them."""
        self.wanted: frozenset[str] = frozenset(record.split(",")) & {*WAYS}
        """What is to be open."""
        self.is_asking = False
        """Whether a router is being asked."""
        self.on_change: Callable[[], object] = lambda: None
        """Is called when there is something else to tell of it."""
        self._ways: dict[What, WayIn] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    def saved_record(self) -> str:
        """Return what is to be open."""
        return ",".join(what for what in WAYS if what in self.wanted)

    def start(self, listening: Listening) -> None:
        """Take note of where it learns the addresses outside."""
        self.listening = listening

    @property
    def error(self) -> OutsideError | None:
        """Why nobody comes in to the table by IPv4, as far as that was asked."""
        return None if "table" not in self._ways else self._ways["table"].error

    @property
    def has_agreed(self) -> bool:
        """Whether the player knows what opening the table means, and wants it."""
        return recall().agreed

    @property
    def port(self) -> int:
        """The port of the table."""
        return self._place.port

    @property
    def open_ports(self) -> dict[str, int]:
        """The ports that may be opened, by the names of what listens there."""
        return self._place.ports

    def addresses(self, what: What) -> tuple[Address, ...]:
        """Return where others come in from other homes."""
        return () if what not in self._ways else self._ways[what].addresses

    async def open(self, place: OpenPlace) -> None:
        """Open what is wanted, and end what an earlier program has left open.

        The player has agreed by the option that they typed. A server without an owner waits for it.
        """
        self._place = place
        if recall().leases:
            # To what listens here now a former program's lease leads unasked.
            unasked = [port for what, port in self.open_ports.items() if what not in self.wanted]
            self._spawn(end_left(kept_leases, unasked))
        if not self.wanted:
            return
        if not place.is_owned:
            place.notify(_("Your router is asked to let friends in other homes in."))
            await self._open_wanted()
        else:
            self._spawn(self._open_wanted())

    def begin(self, what: What) -> None:
        """Open a way too, without waiting for it; or try once more, if it could not be opened."""
        agree()
        self.wanted |= {what}
        self._place.save_records()
        self._spawn(self._open_wanted())

    async def close(self) -> None:
        """Close all ways."""
        if self._tasks:
            # What a router is about to grant is to be known, so that it can be ended.
            _done, late = await asyncio.wait(self._tasks, timeout=CLOSE_S)
            for task in late:
                task.cancel()
        await asyncio.gather(*(way.close() for way in self._ways.values()))

    async def _open_wanted(self) -> None:
        ports = self.open_ports
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
        found: dict[str, tuple[Address, ...]] = {
            what: way.addresses for what, way in self._ways.items() if way.addresses
        }
        if found != self.listening.port_forwards:
            self.listening.port_forwards = found
            self.listening.notify_subscribers()
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
