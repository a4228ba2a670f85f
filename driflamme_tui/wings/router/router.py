"""Lets a router open ports for friends outside: the table's port, and each door's port.

Each port is opened only on request. The player's consent is stored. A router's leases are stored
until they have ended.
"""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Final, Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from driflamme_tui.hosting.open_server import Listening
from driflamme_tui.hosting.parts import OpenPlace, Part
from driflamme_tui.preferences.remembered import StoredValue
from driflamme_tui.text.i18n import _
from netcode.transport.address import Address
from netcode.wings.router.port_leases import Leases, WayIn, end_left
from netcode.wings.router.routers import Lease, OutsideError

What: TypeAlias = Literal["table", "ssh", "web"]
"""The name of a port that a router may open."""


CLOSE_S: Final = 2.0
"""Maximum seconds to wait for pending requests to routers before closing."""

WAYS: Final[tuple[What, ...]] = ("table", "ssh", "web")
"""The names of all ports that a router may open."""


class Remembered(Struct, frozen=True):
    """The player's consent and the leases, as this wing stores them."""

    agreed: bool = False
    """True if the player has agreed that a router opens the table's port."""
    leases: tuple[Lease, ...] = ()
    """The leases of routers that no program has ended yet."""


class Router(Part):
    """The ports that a router opens for one place. The record has the names of the wanted ports."""

    def __init__(self, record: str = "") -> None:
        """Begin without open ports. The record contains some of `WAYS`, separated by commas."""
        self.wanted: frozenset[str] = frozenset(record.split(",")) & {*WAYS}
        """The names of the wanted ports."""
        self.is_asking = False
        """True while a request to a router is pending."""
        self.on_change: Callable[[], object] = lambda: None
        """Called when the router's state has changed."""
        self._ways: dict[What, WayIn] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    def saved_record(self) -> str:
        """Return the names of the wanted ports."""
        return ",".join(what for what in WAYS if what in self.wanted)

    def start(self, listening: Listening) -> None:
        """Store `listening`, which gets the external addresses of open ports."""
        self.listening = listening

    @property
    def error(self) -> OutsideError | None:
        """The reason why the router opens no port for the table by IPv4.

        None if the port is open, or was not requested.
        """
        return None if "table" not in self._ways else self._ways["table"].error

    @property
    def has_agreed(self) -> bool:
        """True if the player has agreed that a router opens the table's port."""
        return recall().agreed

    @property
    def port(self) -> int:
        """The port of the table."""
        return self._place.port

    @property
    def open_ports(self) -> dict[str, int]:
        """The ports that a router may open, by name."""
        return self._place.ports

    def addresses(self, what: What) -> tuple[Address, ...]:
        """Return the external addresses of a port; () while the router has not opened it."""
        return () if what not in self._ways else self._ways[what].addresses

    async def open(self, place: OpenPlace) -> None:
        """Open the wanted ports, and end leases of an earlier program.

        The player has agreed before, by the option or in the lobby. In a program without a seat for
        its owner, wait until the router has answered.
        """
        self._place = place
        if recall().leases:
            # End leases of former programs for ports that listen now, but that nobody wants open.
            unasked = [port for what, port in self.open_ports.items() if what not in self.wanted]
            self._spawn(end_left(kept_leases, unasked))
        if not self.wanted:
            return
        if not place.is_owned:
            place.notify(_("Asking your router to let in friends from outside your home."))
            await self._open_wanted()
        else:
            self._spawn(self._open_wanted())

    def begin(self, what: What) -> None:
        """Store the player's consent, and begin to open a port.

        The port may be one that could not be opened before.
        """
        agree()
        self.wanted |= {what}
        self._place.save_records()
        self._spawn(self._open_wanted())

    async def close(self) -> None:
        """Close all ports. Wait up to `CLOSE_S` seconds for pending requests first."""
        if self._tasks:
            # Wait for a lease that a router is about to grant, so that it can be ended.
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
        """Open a port, unless another request is pending.

        At the second attempt, accept a lease without an end from a router that grants no other.
        """
        if self.is_asking:
            return
        way = self._ways.setdefault(what, WayIn(port, kept_leases, self._publish))
        self.is_asking = True
        self.on_change()
        try:
            await way.open()
        finally:
            self.is_asking = False
        self._publish()

    def _spawn(self, work: Coroutine[None, None, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _publish(self) -> None:
        found: dict[str, tuple[Address, ...]] = {
            what: way.addresses for what, way in self._ways.items() if way.addresses
        }
        if found != self.listening.port_forwards:
            self.listening.port_forwards = found
            self.listening.notify_subscribers()
        self.on_change()


_REMEMBERED: Final = StoredValue("outside.json", Remembered, Remembered())

recall: Final = _REMEMBERED.recall


def agree() -> None:
    """Store that the player has agreed that a router opens the table's port."""
    _REMEMBERED.change(lambda was: replace(was, agreed=True))


def kept_leases(change: Callable[[Leases], Leases]) -> Leases:
    """Replace the stored leases by the result of `change`, and return them."""
    _REMEMBERED.change(lambda was: replace(was, leases=change(was.leases)))
    return recall().leases
