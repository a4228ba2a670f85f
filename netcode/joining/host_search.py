"""Searches the local network for a table by its host's pin, whatever its addresses are now."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import partial
from typing import TYPE_CHECKING, Final

from netcode.joining.discovery import PREFIX, SERVICE_TYPE, details_of, is_neighbour, open_zeroconf
from netcode.joining.host_mark import addresses_of
from netcode.transport.address import Address, is_inside
from netcode.transport.machine_addresses import machine_interfaces

if TYPE_CHECKING:
    from zeroconf import ServiceInfo, ServiceStateChange, Zeroconf

MOST_PENDING: Final = 100
"""Maximum number of announcements whose details are awaited at once.

Details usually arrive with the name, so a further announcement replaces the one that has been
awaited longest.
"""


@asynccontextmanager
async def searching(
    pin: bytes, prefix: str, found: Callable[[tuple[Address, ...]], object]
) -> AsyncIterator[None]:
    """Search for a table while the context is open.

    Calls `found` in the event loop with the addresses of each announcement, perhaps repeatedly. It
    ignores addresses that are neither private nor in a network of this machine.

    Args:
        pin: The pin of the host. All tables of one account on a machine have the same.
        prefix: The prefix of the table's code; "" if unknown. Announcements with another prefix
            are ignored. Servers of several tables announce none.
        found: Receives the addresses of one announcement.

    Raises:
        DiscoveryError: This machine has no usable network.
    """
    zeroconf = await open_zeroconf(None)
    from zeroconf.asyncio import AsyncServiceBrowser

    own = machine_interfaces()
    pending: dict[str, asyncio.Task[None]] = {}

    def read(info: "ServiceInfo") -> tuple[Address, ...]:
        announced = (info.properties.get(PREFIX.encode()) or b"").decode(errors="replace")
        if prefix and announced and announced != prefix:
            return ()
        return addresses_of(pin, info.properties)

    async def ask(zeroconf: "Zeroconf", name: str) -> None:
        addresses = tuple(
            address
            for address in await details_of(zeroconf, name, read) or ()
            if is_inside(address.host) or is_neighbour(address.host, own)
        )
        if addresses:
            found(addresses)

    def forget(name: str, done: asyncio.Task[None]) -> None:
        if pending.get(name) is done:
            del pending[name]

    def on_announcement(
        zeroconf: "Zeroconf",
        service_type: str,
        name: str,
        state_change: "ServiceStateChange",
    ) -> None:
        former = pending.pop(name, None)
        if former is None and len(pending) >= MOST_PENDING:
            former = pending.pop(next(iter(pending)))
        if former is not None:
            former.cancel()
        if state_change.name != "Removed":
            pending[name] = asyncio.create_task(ask(zeroconf, name))
            pending[name].add_done_callback(partial(forget, name))

    browser = AsyncServiceBrowser(zeroconf.zeroconf, SERVICE_TYPE, handlers=[on_announcement])
    try:
        yield
    finally:
        await browser.async_cancel()
        waiting = list(pending.values())
        for task in waiting:
            task.cancel()
        await asyncio.gather(*waiting, return_exceptions=True)
        await zeroconf.async_close()
