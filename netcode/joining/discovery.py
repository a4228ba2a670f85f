"""Announces tables on the local network, and finds those of others.

By multicast DNS (zeroconf) everybody near may hear what is told, so there is no secret in it, and
may say anything, so nothing of what is found is to be believed. A table that was found is joined
with its spoken code, which shows who is the right one.
"""

import asyncio
import logging
import re
import secrets
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from importlib import import_module
from ipaddress import IPv4Address, IPv6Address, ip_address
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from msgspec import Struct

from engine.cards import MAXIMUM_PLAYERS
from engine.words import ExplainedError
from netcode.protocol.fields import Room, checked, is_name
from netcode.protocol.messages import PROTOCOL
from netcode.tracebacks import described
from netcode.transport.address import Address, AddressError, parse_address
from netcode.transport.own_addresses import Interface, own_interfaces, own_numbers

if TYPE_CHECKING:
    from zeroconf import ServiceInfo, ServiceStateChange, Zeroconf
    from zeroconf.asyncio import AsyncZeroconf

SERVICE_TYPE: Final = "_driflamme._tcp.local."
"""Name of the service in multicast DNS."""

SEARCH_S: Final = 2.0
"""How long somebody who wants a list once listens: tables answer within one second."""

MAXIMUM_FOUND: Final = 50
"""Maximum number of tables; `_surplus` says which goes for a new one.

More on one network were made up, or need another way to be chosen."""

MAXIMUM_AT_ONE_ADDRESS: Final = 5
"""Maximum number of tables at one address, of which anybody may make some up."""

FORGET_S: Final = 60
"""Seconds after which what a table told of itself must be confirmed: it may be gone unseen."""

CONFIRM_S: Final = 10.0
"""Seconds between two looks at whether what a table told still holds."""

FOLLOW_S: Final = 2.0
"""Seconds between two looks at whether a table has changed: it tells nothing more often."""

MAXIMUM_ADDRESSES: Final = 16
"""Most addresses that a table tells of: a machine has one or two in each of its networks."""

ANSWER_MS: Final = 3_000
"""Milliseconds to wait for the details of a table; they mostly come with its name."""

_PROTOCOL: Final = re.compile(r"[1-9][0-9]{0,4}", re.ASCII)

_SEATS: Final = re.compile(r"([0-9])/([1-9])", re.ASCII)

_log = logging.getLogger(__name__)

_BROADCAST: Final = IPv4Address("255.255.255.255")

_Number: TypeAlias = IPv4Address | IPv6Address


class DiscoveryError(ExplainedError):
    """Why nothing can be told or heard on the local network, as a sentence."""


class Announcement(Struct, frozen=True):
    """What a table announces."""

    name: str
    """The host player's, or the club's."""
    room: str
    port: int
    listens: tuple[str, ...]
    """The addresses that it listens on, by number; an unspecified one stands for all."""
    taken: int = 0
    """How many seats are taken, by persons or bots."""
    places: int = MAXIMUM_PLAYERS
    """How many there are."""
    playing: bool = False
    """Whether newcomers can only watch, since a game is under way or its result is shown."""

    @property
    def everywhere(self) -> bool:
        """Whether the table listens on all addresses of this machine."""
        numbers = map(_number, self.listens)
        return any(each is not None and each.is_unspecified for each in numbers)

    def properties(self) -> dict[str, str | bytes | None]:
        """Return what is announced besides the address."""
        seats = f"{self.taken}/{self.places}"
        phase = "game" if self.playing else "lobby"
        own = {"room": self.room, "host": self.name, "seats": seats, "phase": phase}
        return {"v": str(PROTOCOL), **own}

    def addresses(self) -> list[str]:
        """Return where others can reach the table; empty if they cannot."""
        listens: Sequence[str] = self.listens
        if self.everywhere:
            # Not only the best way out: that may be a tunnel, which leads past the neighbours.
            listens = own_numbers() + [str(each.ip) for each in own_interfaces()]
        found = dict.fromkeys(str(each) for each in map(_number, listens) if _is_reachable(each))
        return list(found)[:MAXIMUM_ADDRESSES]


class FoundTable(Struct, frozen=True):
    """An announced table: unproven, but fit to be shown."""

    name: str
    """The host player's, as `messages.Name` has it."""
    address: Address
    room: str
    protocol: int
    """May be another than ours, and the table then not be joined."""
    taken: int = 0
    """How many seats are taken."""
    places: int = 0
    """How many seats there are; 0 if that was not told."""
    playing: bool = False
    """Whether a game is under way or its result is shown, so that newcomers only watch."""

    @property
    def is_free(self) -> bool:
        """Whether one could sit down, as far as was told."""
        return not self.playing and (not self.places or self.taken < self.places)


def read_table(
    properties: Mapping[bytes, bytes | None],
    addresses: Iterable[str],
    port: int | None,
    own: Sequence[Interface] = (),
) -> FoundTable | None:
    """Return the table that an announcement tells of, or None if it makes no sense.

    Of several addresses it is the first that is a neighbour of one of our own; if none is, the
    first.
    """
    name, room, protocol = (_text(properties.get(each)) for each in (b"host", b"room", b"v"))
    reachable = [each for each in map(_number, addresses) if each and _is_reachable(each)]
    if not (
        reachable and is_name(name) and _PROTOCOL.fullmatch(protocol) and 1 <= (port or 0) <= 65_535
    ):
        return None
    try:
        checked(room, Room)
    except ValueError:
        return None
    best = min(reachable, key=lambda each: not _is_neighbour(each, own))
    seats = _SEATS.fullmatch(_text(properties.get(b"seats")))
    places = 0 if seats is None else int(seats[2])
    taken = 0 if seats is None else min(places, int(seats[1]))
    playing = properties.get(b"phase") == b"game"
    address = Address(str(best), port or 0)
    return FoundTable(name, address, room, int(protocol), taken, places, playing)


async def open_zeroconf(interfaces: Sequence[str] | None) -> "AsyncZeroconf":
    """Open zeroconf on the interfaces with these addresses, or on all; raises DiscoveryError."""
    # It takes a while to load, so only who needs it does, and the event loop need not wait.
    await asyncio.to_thread(import_module, "zeroconf.asyncio")
    from zeroconf import InterfaceChoice, IPVersion
    from zeroconf.asyncio import AsyncZeroconf

    try:
        if interfaces is not None:
            return AsyncZeroconf(interfaces=list(interfaces))
        try:
            return AsyncZeroconf(interfaces=InterfaceChoice.All, ip_version=IPVersion.All)
        except (OSError, RuntimeError):
            # IPv6 may be switched off on this machine.
            return AsyncZeroconf(interfaces=InterfaceChoice.All, ip_version=IPVersion.V4Only)
    except OSError as error:
        raise _unavailable(error.strerror or str(error)) from error
    except RuntimeError as error:
        raise DiscoveryError("This machine is in no network.") from error


async def announce(present: Callable[[], Announcement]) -> None:
    """Announce a table on the local network until this is cancelled, and then that it has closed.

    `present` says what there is to announce; that is asked every so often. When this machine gets
    other addresses, the table is announced anew, by them. Raises DiscoveryError, and returns if
    nobody else could reach the table.
    """
    # Nobody else has this name, which tells nothing of the machine.
    label = f"driflamme-{secrets.token_hex(8)}"
    while True:
        told = present()
        addresses = told.addresses()
        if addresses:
            await _announce_at(told, addresses, present, label)
        elif not told.everywhere:
            return
        else:
            # The machine may be in a network later.
            await asyncio.sleep(FOLLOW_S)


async def _announce_at(
    told: Announcement, addresses: list[str], present: Callable[[], Announcement], label: str
) -> None:
    """Announce a table until its addresses are others, or this is cancelled."""
    zeroconf = await open_zeroconf(None if told.everywhere else addresses)
    from zeroconf import Error

    telling = None
    try:
        # Two tables cannot have one name, so there is no need to ask first whether they do.
        begun = await zeroconf.async_register_service(
            _info(told, label), cooperating_responders=True
        )
        # The first announcement is made three times, lest it be lost.
        telling = asyncio.ensure_future(begun)
        while True:
            await asyncio.sleep(FOLLOW_S)
            now = present()
            if now.addresses() != addresses:
                return
            try:
                if now != told:
                    await _cancelled(telling)
                    begun = await zeroconf.async_update_service(_info(now, label))
                    told, telling = now, asyncio.ensure_future(begun)
            except Exception as error:
                # Whatever the library stumbles over, it is told at the next look.
                _log.debug("an announcement could not be changed: %s", described(error))
    except Error as error:
        raise _unavailable(type(error).__name__) from error
    finally:
        await _cancelled(telling)
        await zeroconf.async_close()


def _info(told: Announcement, label: str) -> "ServiceInfo":
    from zeroconf import ServiceInfo

    return ServiceInfo(
        SERVICE_TYPE,
        f"{label}.{SERVICE_TYPE}",
        port=told.port,
        properties=told.properties(),
        server=f"{label}.local.",
        host_ttl=FORGET_S,
        other_ttl=FORGET_S,
        # A scope means something on this machine only.
        parsed_addresses=[each.partition("%")[0] for each in told.addresses()],
    )


class Neighbourhood:
    """The tables of the local network that were heard of."""

    def __init__(
        self, own: Sequence[Interface], changed: Callable[[tuple[FoundTable, ...]], object]
    ) -> None:
        """Know of none yet; `changed` is called in the event loop with all at each change."""
        self._own = own
        self._changed = changed
        self._found: dict[str, FoundTable] = {}
        self.followed: dict[str, asyncio.Task[None]] = {}
        """What asks each for its details, and whether they still hold, by the name of the service.

        The library keeps a name for a quarter of an hour at least, whatever is said, so a table
        whose machine is gone would be shown for as long.
        """

    def heard(
        self,
        zeroconf: "Zeroconf",
        service_type: str,
        name: str,
        state_change: "ServiceStateChange",
    ) -> None:
        """Note that a table was announced, changed or closed."""
        follows = self.followed.get(name)
        if follows is not None:
            follows.cancel()
        if state_change.name == "Removed":
            self.followed.pop(name, None)
            self._know(name, None)
            return
        # A table that changes keeps its place among those that have been there for longest.
        if follows is None and len(self.followed) >= MAXIMUM_FOUND:
            self._drop(self._least_worth())
        self.followed[name] = asyncio.create_task(self._follow(zeroconf, name))

    def _least_worth(self) -> str:
        """Return which table goes for a new one, when there are too many.

        Those that have told nothing of themselves go first, then one at the address with the most
        tables: who makes up many tables at one address loses those.
        """
        silent = [name for name in self.followed if name not in self._found]
        if silent:
            return silent[0]
        at = Counter(table.address.host for table in self._found.values())
        most = max(at.values())
        return _surplus(
            [name for name in self.followed if at[self._found[name].address.host] == most]
        )

    def _drop(self, name: str) -> None:
        """Ask a table no more, and show it no more."""
        self.followed.pop(name).cancel()
        self._know(name, None)

    async def _follow(self, zeroconf: "Zeroconf", name: str) -> None:
        """Ask a table again and again; who is silent is let go."""
        while (table := await self._ask(zeroconf, name)) is not None:
            self._know(name, table)
            await asyncio.sleep(CONFIRM_S)
        del self.followed[name]
        self._know(name, None)

    async def _ask(self, zeroconf: "Zeroconf", name: str) -> FoundTable | None:
        from zeroconf.asyncio import AsyncServiceInfo

        try:
            # What has been told lately comes out of the library's memory.
            info = AsyncServiceInfo(SERVICE_TYPE, name)
            if await info.async_request(zeroconf, ANSWER_MS):
                addresses = info.parsed_scoped_addresses()
                return read_table(info.properties, addresses, info.port, self._own)
        except Exception as error:
            # Whatever strangers can make the library stumble over is no table.
            _log.debug("an announcement could not be read: %s", described(error))
        return None

    def _is_at(self, name: str, host: str) -> bool:
        return name in self._found and self._found[name].address.host == host

    def _know(self, name: str, table: FoundTable | None) -> None:
        if self._found.get(name) == table:
            return
        if table is None:
            del self._found[name]
        else:
            self._found[name] = table
            host = table.address.host
            there = [each for each in self.followed if self._is_at(each, host)]
            if len(there) > MAXIMUM_AT_ONE_ADDRESS:
                surplus = _surplus(there)
                self.followed.pop(surplus).cancel()
                del self._found[surplus]
        found = self._found.values()
        by_name = sorted(found, key=lambda each: (each.name, each.room, str(each.address)))
        self._changed(tuple(by_name))


def _surplus(names: Sequence[str]) -> str:
    """Return which of too many tables goes, the first being followed for longest.

    It is the oldest of the younger half. So a flood pushes out no table that was there before it,
    and a table that opens during a flood is shown, too.
    """
    return names[len(names) // 2]


@asynccontextmanager
async def browsing(
    changed: Callable[[tuple[FoundTable, ...]], object],
) -> AsyncIterator[Neighbourhood]:
    """Find the tables of the local network meanwhile; raises DiscoveryError.

    At each change `changed` is called with all, in the order of their names.
    """
    zeroconf = await open_zeroconf(None)
    from zeroconf.asyncio import AsyncServiceBrowser

    there = Neighbourhood(own_interfaces(), changed)
    browser = AsyncServiceBrowser(zeroconf.zeroconf, SERVICE_TYPE, handlers=[there.heard])
    try:
        yield there
    finally:
        await browser.async_cancel()
        await _cancelled(*there.followed.values())
        await zeroconf.async_close()


async def find_tables(seconds: float) -> list[FoundTable]:
    """Return the tables that answer within that time; raises DiscoveryError."""
    found: list[FoundTable] = []

    def take(tables: tuple[FoundTable, ...]) -> None:
        found[:] = tables

    async with browsing(take):
        await asyncio.sleep(seconds)
    return found


async def _cancelled(*tasks: asyncio.Future[Any] | None) -> None:
    """Cancel those tasks that there are, and wait for their end."""
    there = [task for task in tasks if task is not None]
    for task in there:
        task.cancel()
    await asyncio.gather(*there, return_exceptions=True)


def _text(value: bytes | None) -> str:
    """Return what can be printed of a text."""
    text = (value or b"").decode(errors="replace")
    return "".join(sign for sign in text if sign.isprintable()).strip()


def _number(text: str) -> _Number | None:
    """Return an address by number; None if it is none."""
    try:
        return ip_address(parse_address(text).host)
    except (AddressError, ValueError):
        return None


def _is_reachable(number: _Number | None) -> bool:
    """Return whether others on a network could reach this address, and it means one machine."""
    if number is None or number.is_unspecified or number.is_multicast or number.is_loopback:
        return False
    if isinstance(number, IPv6Address):
        # Every network has the same link-local addresses: a scope says which is meant.
        return not number.is_link_local or number.scope_id is not None
    return number != _BROADCAST


def _is_neighbour(number: _Number, own: Iterable[Interface]) -> bool:
    """Return whether an address is in a network that this machine is in, and not its own.

    Networks within machines, as of containers, look the same on many, so ours is not meant.
    """
    return any(number in each.network for each in own) and all(number != each.ip for each in own)


def _unavailable(why: str) -> DiscoveryError:
    return DiscoveryError(
        "Tables can neither be announced on the local network nor found there: {why}.", why=why
    )
