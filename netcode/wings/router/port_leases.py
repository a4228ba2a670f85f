"""A port of this machine that others in other homes can call, as long as it is wanted.

The router is asked by PCP or NAT-PMP, or else by UPnP; what it grants is renewed, and ended when it
is wanted no more.
"""

import asyncio
import logging
import secrets
from collections.abc import Awaitable, Callable, Collection
from contextlib import suppress
from typing import Final, TypeAlias

from msgspec.structs import replace

from netcode.tracebacks import described
from netcode.transport.address import Address
from netcode.wings.router.port_control import end_by_control, grant_by_control
from netcode.wings.router.routers import (
    NO_WAY,
    Lease,
    OutsideError,
    PermanentOnlyError,
    Router,
    SilenceError,
    Wish,
    find_routers,
)
from netcode.wings.router.upnp import end_by_upnp, grant_by_upnp

END_S: Final = 1.5
"""Seconds for a router to end a lease: whoever leaves does not wait longer."""

SOONEST_S: Final = 30.0
"""Fewest seconds between two renewals."""

_GRANT: Final = {"control": grant_by_control, "upnp": grant_by_upnp}
_END: Final = {"control": end_by_control, "upnp": end_by_upnp}

_log = logging.getLogger(__name__)


Leases: TypeAlias = tuple[Lease, ...]

Kept: TypeAlias = Callable[[Callable[[Leases], Leases]], Leases]
"""Changes what is kept of leases, for after a program that could not end them, and returns it."""


class WayIn:
    """Has the routers let a port in from `open` until `close`."""

    def __init__(
        self,
        port: int,
        kept: Kept,
        changed: Callable[[], object] = lambda: None,
        *,
        find: Callable[[], tuple[Router | None, Router | None]] = find_routers,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        """Ask nobody yet.

        Args:
            port: Of this machine, for TCP.
            kept: Keeps what is granted.
            changed: Is called when the addresses outside have changed since `open`.
            find: Returns the routers for IPv4 and IPv6; is called in a thread.
            sleep: Waits so many seconds.
        """
        self.error: OutsideError | None = None
        """Why nobody comes in by IPv4; None if they do, and before it was asked."""
        self._wish = Wish(port, secrets.token_bytes(12))
        self._kept = kept
        self._changed = changed
        self._find = find
        self._sleep = sleep
        self._held: dict[Router, Lease] = {}
        self._renewing: list[asyncio.Task[None]] = []

    @property
    def addresses(self) -> tuple[Address, ...]:
        """Where others reach the port from other homes, by IPv4 first."""
        found = (lease.outside for lease in self._held.values())
        return tuple(sorted(found, key=lambda each: ":" in each.host))

    async def open(self) -> None:
        """Ask the routers; `error` says why they let nobody in, if they do not.

        Whoever asks again where a router knows no leases wants it until it is ended.
        """
        await self.close()
        if isinstance(self.error, PermanentOnlyError):
            self._wish = replace(self._wish, permanent=True)
        await end_left(self._kept, (self._wish.port,))
        first, *others = await asyncio.to_thread(self._find)
        self.error = SilenceError(NO_WAY) if first is None else None
        asked = [self._open(router) for router in (first, *others) if router is not None]
        await asyncio.gather(*asked)

    async def close(self) -> None:
        """Have the routers let nobody in any more."""
        renewing, self._renewing = self._renewing, []
        for task in renewing:
            task.cancel()
        await asyncio.gather(*renewing, return_exceptions=True)
        held, self._held = self._held, {}
        await asyncio.gather(*(end(lease, self._kept) for lease in held.values()))

    async def _open(self, router: Router) -> None:
        try:
            lease = await _granted(router, self._wish)
        except OutsideError as error:
            self._failed(router, error)
        else:
            self._hold(lease)
            self._renewing.append(asyncio.create_task(self._keep(lease)))

    def _hold(self, lease: Lease) -> bool:
        """Have a lease; return whether others are to be told of it."""
        former = self._held.get(lease.router)
        self._held[lease.router] = lease
        _note(self._kept, lease)
        if ":" not in lease.router.address:
            self.error = None
        if former is not None and former.outside != lease.outside:
            _note(self._kept, former, is_held=False)
        return former is None or former.outside != lease.outside

    def _failed(self, router: Router, error: OutsideError) -> None:
        """Have no lease of a router, and note why if it is for IPv4."""
        self._held.pop(router, None)
        if ":" not in router.address:
            self.error = error

    async def _keep(self, lease: Lease) -> None:
        """Renew a lease at half of its time, and if that fails at half of what is left."""
        wait = lease.seconds / 2
        while lease.seconds:
            await self._sleep(max(SOONEST_S, wait))
            try:
                lease = await _granted(lease.router, self._wish, lease)
            except OutsideError as error:
                _log.info("a lease was not renewed: %s", described(error))
                wait /= 2
                if wait < SOONEST_S and lease.router in self._held:
                    self._failed(lease.router, error)
                    self._changed()
            else:
                wait = lease.seconds / 2
                if self._hold(lease):
                    self._changed()


async def end_left(kept: Kept, ports: Collection[int] = ()) -> None:
    """End what a program has left that could not: of one's ports, and where nobody listens."""
    for lease in kept(lambda was: was):
        if lease.port in ports or not await _is_used(lease):
            await end(lease, kept)


async def end(lease: Lease, kept: Kept) -> None:
    """End a lease, as far as its router can be asked; most end by themselves."""
    try:
        async with asyncio.timeout(END_S):
            await _END[lease.way](lease)
    except (OutsideError, TimeoutError) as error:
        _log.info("a lease was not ended: %s", described(error))
        if not lease.seconds:
            # It is tried again at the next start.
            return
    _note(kept, lease, is_held=False)


def _note(kept: Kept, lease: Lease, *, is_held: bool = True) -> None:
    """Keep a lease that is held, or forget one that is not.

    Either way nothing else stays of the same router's port.
    """
    mine = lease.way, lease.router.address, lease.outside

    def changed(was: Leases) -> Leases:
        others = [each for each in was if (each.way, each.router.address, each.outside) != mine]
        return (*others, lease) if is_held else tuple(others)

    kept(changed)


async def _granted(router: Router, wish: Wish, lease: Lease | None = None) -> Lease:
    """Have a router let a port in by the way it knows, or a lease renewed; raises OutsideError."""
    if lease is not None:
        with suppress(OutsideError):
            return await _GRANT[lease.way](router, wish, lease)
        # It may have begun anew.
    try:
        return await grant_by_control(router, wish, None)
    except OutsideError as refusal:
        if ":" in router.address:
            raise
        try:
            return await grant_by_upnp(router, wish, None)
        except SilenceError as silence:
            # A refusal says more than that the router does not know UPnP.
            raise (silence if isinstance(refusal, SilenceError) else refusal) from None


async def _is_used(lease: Lease) -> bool:
    """Return whether a program of this machine listens where a lease leads."""
    try:
        async with asyncio.timeout(END_S):
            _reader, writer = await asyncio.open_connection(lease.router.own, lease.port)
    except (OSError, TimeoutError):
        return False
    writer.close()
    return True
