"""Leases a router's port, so that people outside can reach a port of this machine.

Requests use PCP or NAT-PMP, or else UPnP. Leases are renewed while they are needed, and ended
afterwards.
"""

import asyncio
import logging
import secrets
from collections.abc import Awaitable, Callable, Collection
from contextlib import suppress
from typing import Final, TypeAlias

from msgspec.structs import replace

from netcode.tracebacks import error_line
from netcode.transport.address import Address
from netcode.wings.router.pcp import end_by_control, grant_by_control
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
"""Seconds to wait for a router to end a lease: a player who leaves should not wait longer."""

SOONEST_S: Final = 30.0
"""Minimum seconds between two renewals."""

_GRANT: Final = {"control": grant_by_control, "upnp": grant_by_upnp}
_END: Final = {"control": end_by_control, "upnp": end_by_upnp}

_log = logging.getLogger(__name__)


Leases: TypeAlias = tuple[Lease, ...]

LeaseStore: TypeAlias = Callable[[Callable[[Leases], Leases]], Leases]
"""A function that changes the stored leases and returns them. Leases are stored so that a later
program can end the leases of a crashed one.
"""


class WayIn:
    """Keeps a port open at the routers from `open` until `close`."""

    def __init__(
        self,
        port: int,
        kept: LeaseStore,
        changed: Callable[[], object] = lambda: None,
        *,
        find: Callable[[], tuple[Router | None, Router | None]] = find_routers,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        """Start without a request. Call `open` next.

        Args:
            port: The TCP port of this machine.
            kept: Stores the leases.
            changed: Called when a renewal changes the external addresses, or fails until the end of
                a lease is near.
            find: Returns the routers for IPv4 and IPv6. It is called in a thread.
            sleep: Waits for this many seconds.
        """
        self.error: OutsideError | None = None
        """The reason why nobody can reach the port by IPv4; None before `open`, and if the port is
        open.
        """
        self._wish = Wish(port, secrets.token_bytes(12))
        self._kept = kept
        self._changed = changed
        self._find = find
        self._sleep = sleep
        self._leases: dict[Router, Lease] = {}
        self._renewing: list[asyncio.Task[None]] = []

    @property
    def addresses(self) -> tuple[Address, ...]:
        """The addresses of the port for guests outside, IPv4 first."""
        found = (lease.outside for lease in self._leases.values())
        return tuple(sorted(found, key=lambda each: ":" in each.host))

    async def open(self) -> None:
        """Request the port from all routers. If none opens it for IPv4, `error` has the reason.

        After a `PermanentOnlyError`, a second call also accepts a lease without an end.
        """
        await self.close()
        if isinstance(self.error, PermanentOnlyError):
            self._wish = replace(self._wish, permanent=True)
        await end_left(self._kept, (self._wish.port,))
        first, *others = await asyncio.to_thread(self._find)
        self.error = SilenceError(NO_WAY) if first is None else None
        openings = [self._open(router) for router in (first, *others) if router is not None]
        await asyncio.gather(*openings)

    async def close(self) -> None:
        """End the leases at all routers, and stop renewing them."""
        renewing, self._renewing = self._renewing, []
        for task in renewing:
            task.cancel()
        await asyncio.gather(*renewing, return_exceptions=True)
        leases, self._leases = self._leases, {}
        await asyncio.gather(*(end(lease, self._kept) for lease in leases.values()))

    async def _open(self, router: Router) -> None:
        try:
            lease = await _granted(router, self._wish)
        except OutsideError as error:
            self._failed(router, error)
        else:
            self._hold(lease)
            self._renewing.append(asyncio.create_task(self._keep(lease)))

    def _hold(self, lease: Lease) -> bool:
        """Store a lease; return True if the addresses have changed."""
        former = self._leases.get(lease.router)
        self._leases[lease.router] = lease
        _note(self._kept, lease)
        if ":" not in lease.router.address:
            self.error = None
        if former is not None and former.outside != lease.outside:
            _note(self._kept, former, is_open=False)
        return former is None or former.outside != lease.outside

    def _failed(self, router: Router, error: OutsideError) -> None:
        """Forget the lease of a router. Store the error if it concerns IPv4."""
        self._leases.pop(router, None)
        if ":" not in router.address:
            self.error = error

    async def _keep(self, lease: Lease) -> None:
        """Renew a lease after half of its time. A lease without an end needs no renewal.

        After each failure, try again after half of the rest. When little time is left, forget the
        lease, but still try.
        """
        wait = lease.seconds / 2
        while lease.seconds:
            await self._sleep(max(SOONEST_S, wait))
            try:
                lease = await _granted(lease.router, self._wish, lease)
            except OutsideError as error:
                _log.info("a lease was not renewed: %s", error_line(error))
                wait /= 2
                if wait < SOONEST_S and lease.router in self._leases:
                    self._failed(lease.router, error)
                    self._changed()
            else:
                wait = lease.seconds / 2
                if self._hold(lease):
                    self._changed()


async def end_left(kept: LeaseStore, ports: Collection[int] = ()) -> None:
    """End leases of crashed programs: leases of these ports, and leases without a listener."""
    for lease in kept(lambda was: was):
        if lease.port in ports or not await _is_used(lease):
            await end(lease, kept)


async def end(lease: Lease, kept: LeaseStore) -> None:
    """End a lease and forget it, even if the router does not answer or refuses.

    In that case a lease without an end stays stored, so that a later program can end it.
    """
    try:
        async with asyncio.timeout(END_S):
            await _END[lease.way](lease)
    except (OutsideError, TimeoutError) as error:
        _log.info("a lease was not ended: %s", error_line(error))
        if not lease.seconds:
            return
    _note(kept, lease, is_open=False)


def _note(kept: LeaseStore, lease: Lease, *, is_open: bool = True) -> None:
    """Store an open lease, or remove a closed one.

    In both cases, remove older entries with the same external port.
    """
    mine = lease.way, lease.router.address, lease.outside

    def changed(was: Leases) -> Leases:
        others = [each for each in was if (each.way, each.router.address, each.outside) != mine]
        return (*others, lease) if is_open else tuple(others)

    kept(changed)


async def _granted(router: Router, wish: Wish, lease: Lease | None = None) -> Lease:
    """Get or renew a lease, by a protocol that the router supports.

    Raises OutsideError if no protocol works, with the better of the reasons.
    """
    if lease is not None:
        with suppress(OutsideError):
            return await _GRANT[lease.way](router, wish, lease)
        # The router may have restarted and forgotten the lease. Then request a new one.
    try:
        return await grant_by_control(router, wish, None)
    except OutsideError as refusal:
        if ":" in router.address:
            raise
        try:
            return await grant_by_upnp(router, wish, None)
        except SilenceError as silence:
            # A refusal explains more than missing UPnP, so prefer it.
            raise (silence if isinstance(refusal, SilenceError) else refusal) from None


async def _is_used(lease: Lease) -> bool:
    """Return True if a program on this machine listens at the port of a lease."""
    try:
        async with asyncio.timeout(END_S):
            _reader, writer = await asyncio.open_connection(lease.router.own, lease.port)
    except (OSError, TimeoutError):
        return False
    writer.close()
    return True
