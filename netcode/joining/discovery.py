"""Announces tables on the local network, and finds announced ones.

Everybody nearby can read multicast DNS (zeroconf), so announcements contain no secret. Everybody
can send it too, so nothing in them is trusted. A player joins a found table with its spoken code,
which proves that it is the right one. Guests with a link find its host by `host_mark.py`.
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
from typing import TYPE_CHECKING, Any, Final, TypeAlias, TypeVar

from msgspec import Struct

from engine.cards import MAXIMUM_PLAYERS
from engine.texts import ExplainedError
from netcode.joining.host_mark import AT, MARK, addresses_of, marked_addresses
from netcode.protocol.fields import CodePrefix, checked_struct, is_name
from netcode.protocol.messages import PROTOCOL
from netcode.tracebacks import error_line
from netcode.transport.address import Address, AddressError, is_reachable, parse_address
from netcode.transport.machine_addresses import Interface, machine_interfaces, machine_numbers

if TYPE_CHECKING:
    from zeroconf import ServiceInfo, ServiceStateChange, Zeroconf
    from zeroconf.asyncio import AsyncZeroconf

SERVICE_TYPE: Final = "_driflamme._tcp.local."
"""The service type in multicast DNS."""

PREFIX: Final = "prefix"
"""The announced field with the prefix of the table's code; servers of several tables have none."""

SEARCH_S: Final = 2.0
"""Seconds for a single search. Tables answer within one second."""

MAXIMUM_FOUND: Final = 50
"""Maximum number of found tables; `_surplus` chooses the one that a new table replaces.

If one network has more tables, an attacker has invented them, or no player can choose among them.
"""

MAXIMUM_AT_ONE_ADDRESS: Final = 5
"""Maximum number of tables at one address, since anybody can invent tables."""

FORGET_S: Final = 60
"""Seconds after which a table disappears if its details were not confirmed, since its machine may
be gone.
"""

CONFIRM_S: Final = 10.0
"""Seconds between two attempts to confirm the details of a table."""

FOLLOW_S: Final = 2.0
"""Seconds between two checks of this program's table for changes, and so between announcements."""

MAXIMUM_ADDRESSES: Final = 16
"""Maximum number of addresses of a table. A machine has one or two in each of its networks."""

ANSWER_MS: Final = 3_000
"""Milliseconds to wait for the details of a table. They usually arrive with its name."""

_PROTOCOL: Final = re.compile(r"[1-9][0-9]{0,4}", re.ASCII)

_SEATS: Final = re.compile(r"([0-9])/([1-9])", re.ASCII)

_log = logging.getLogger(__name__)

_Number: TypeAlias = IPv4Address | IPv6Address
_Details = TypeVar("_Details")


class DiscoveryError(ExplainedError):
    """Raised if announcing or searching failed. The error's sentence has the reason."""


class Announcement(Struct, frozen=True):
    """The data that a table announces about itself."""

    name: str
    """The name of the host player; "" for tables that only guests with a link can find."""
    prefix: str
    """The prefix of the table's code; "" for tables that only guests with a link can find."""
    port: int
    listens: tuple[str, ...]
    """The IP addresses on which the table listens. The unspecified address stands for all."""
    taken: int = 0
    """Number of taken seats, by persons or bots."""
    places: int = MAXIMUM_PLAYERS
    """Number of seats."""
    playing: bool = False
    """True if newcomers can only watch: a game is running or its result is shown."""
    pin: bytes = b""
    """The pin of the host's certificate, which is not announced itself."""

    @property
    def everywhere(self) -> bool:
        """True if the table listens on all addresses of this machine."""
        numbers = map(_number, self.listens)
        return any(each is not None and each.is_unspecified for each in numbers)

    def properties(self) -> dict[str, str | bytes | None]:
        """Return the announced fields besides the address, in the form of multicast DNS.

        Without a prefix, these are only the protocol version and the marked addresses.
        """
        seats = f"{self.taken}/{self.places}"
        phase = "game" if self.playing else "lobby"
        own = {PREFIX: self.prefix, "host": self.name, "seats": seats, "phase": phase}
        if not self.prefix:
            own = {}
        ways = (Address(each, self.port) for each in self.addresses())
        return {"v": str(PROTOCOL), **own, **marked_addresses(self.pin, ways)}

    def addresses(self) -> list[str]:
        """Return the addresses at which other machines can reach the table, perhaps none."""
        listens: Sequence[str] = self.listens
        if self.everywhere:
            # Announce all addresses: the best one may belong to a tunnel that does not lead to the
            # neighbours.
            listens = machine_numbers() + [str(each.ip) for each in machine_interfaces()]
        found = dict.fromkeys(map(str, _reachable(listens)))
        return list(found)[:MAXIMUM_ADDRESSES]


class FoundTable(Struct, frozen=True):
    """A table that was found on the local network. Its fields are not proven, but safe to show."""

    name: str
    """The name of the host, which fulfils `fields.is_name`."""
    address: Address
    prefix: str
    protocol: int
    """The protocol version. A client with another version cannot join."""
    taken: int = 0
    """Number of taken seats."""
    places: int = 0
    """Number of seats; 0 if unknown."""
    playing: bool = False
    """True if newcomers can only watch: a game is running or its result is shown."""
    marked: tuple[bytes, bytes] = (b"", b"")
    """The addresses and their mark, by which guests recognise their host."""

    def is_of(self, pin: bytes) -> bool:
        """Return True if the host of a pin seems to announce this table."""
        at, mark = self.marked
        return bool(addresses_of(pin, {AT.encode(): at, MARK.encode(): mark}))

    @property
    def is_free(self) -> bool:
        """True if a seat seems to be free."""
        return not self.playing and (not self.places or self.taken < self.places)


def read_table(
    properties: Mapping[bytes, bytes | None],
    addresses: Iterable[str],
    port: int | None,
    own: Sequence[Interface] = (),
) -> FoundTable | None:
    """Return the table of an announcement; None if the announcement is invalid.

    Of several addresses it uses the first that is in a network of this machine; if none is, it uses
    the first of all.
    """
    name, prefix, protocol = (_text(properties.get(each)) for each in (b"host", b"prefix", b"v"))
    reachable = _reachable(addresses)
    if not (
        reachable and is_name(name) and _PROTOCOL.fullmatch(protocol) and 1 <= (port or 0) <= 65_535
    ):
        return None
    try:
        checked_struct(prefix, CodePrefix)
    except ValueError:
        return None
    best = min(reachable, key=lambda each: not _is_neighbour(each, own))
    seats = _SEATS.fullmatch(_text(properties.get(b"seats")))
    places = 0 if seats is None else int(seats[2])
    taken = 0 if seats is None else min(places, int(seats[1]))
    playing = properties.get(b"phase") == b"game"
    address = Address(str(best), port or 0)
    marked = properties.get(AT.encode()) or b"", properties.get(MARK.encode()) or b""
    return FoundTable(name, address, prefix, int(protocol), taken, places, playing, marked)


async def open_zeroconf(interfaces: Sequence[str] | None) -> "AsyncZeroconf":
    """Open zeroconf on the interfaces with these addresses, or with None on all interfaces.

    Raises DiscoveryError if this machine has no usable network.
    """
    # This import is slow, so do it on demand and in a thread.
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
        raise DiscoveryError("This machine is not on a network: connect it first.") from error


async def announce(present: Callable[[], Announcement]) -> None:
    """Announce a table on the local network until cancelled; then announce that it has closed.

    `present` returns the present announcement and is called regularly. When the addresses of this
    machine change, the table is announced again. Returns at once if no other machine could ever
    reach the table. Raises DiscoveryError if zeroconf cannot announce it.
    """
    # A unique name that reveals nothing about the machine.
    label = f"driflamme-{secrets.token_hex(8)}"
    while True:
        announcement = present()
        addresses = announcement.addresses()
        if addresses:
            await _announce_at(announcement, addresses, present, label)
        elif not announcement.everywhere:
            return
        else:
            # Check again later: the machine may join a network.
            await asyncio.sleep(FOLLOW_S)


async def _announce_at(
    announcement: Announcement,
    addresses: list[str],
    present: Callable[[], Announcement],
    label: str,
) -> None:
    """Announce a table until this machine's addresses change or the task is cancelled.

    Raises DiscoveryError if zeroconf fails.
    """
    zeroconf = await open_zeroconf(None if announcement.everywhere else addresses)
    from zeroconf import Error

    announcing = None
    try:
        # The random name is unique, so the library need not probe for conflicts first.
        begun = await zeroconf.async_register_service(
            _info(announcement, label), cooperating_responders=True
        )
        # The library sends the first announcement three times. Let it do so in the background.
        announcing = asyncio.ensure_future(begun)
        while True:
            await asyncio.sleep(FOLLOW_S)
            now = present()
            if now.addresses() != addresses:
                return
            try:
                if now != announcement:
                    await _cancelled(announcing)
                    begun = await zeroconf.async_update_service(_info(now, label))
                    announcement, announcing = now, asyncio.ensure_future(begun)
            except Exception as error:
                # If the library fails here, the next check announces the change.
                _log.debug("an announcement could not be changed: %s", error_line(error))
    except Error as error:
        raise _unavailable(type(error).__name__) from error
    finally:
        await _cancelled(announcing)
        await zeroconf.async_close()


def _info(announcement: Announcement, label: str) -> "ServiceInfo":
    from zeroconf import ServiceInfo

    return ServiceInfo(
        SERVICE_TYPE,
        f"{label}.{SERVICE_TYPE}",
        port=announcement.port,
        properties=announcement.properties(),
        server=f"{label}.local.",
        host_ttl=FORGET_S,
        other_ttl=FORGET_S,
        # The scope of an IPv6 address is valid on this machine only.
        parsed_addresses=[each.partition("%")[0] for each in announcement.addresses()],
    )


async def details_of(
    zeroconf: "Zeroconf", name: str, read: Callable[["ServiceInfo"], _Details]
) -> _Details | None:
    """Ask for the details of an announcement, and return the result of `read` for them.

    Returns None if nobody answers, or if the announcement makes the library or `read` fail.
    """
    from zeroconf.asyncio import AsyncServiceInfo

    try:
        # The library answers from its cache if it has received the details recently.
        info = AsyncServiceInfo(SERVICE_TYPE, name)
        return read(info) if await info.async_request(zeroconf, ANSWER_MS) else None
    except Exception as error:
        _log.debug("an announcement could not be read: %s", error_line(error))
        return None


class Neighbourhood:
    """The tables of the local network."""

    def __init__(
        self, own: Sequence[Interface], changed: Callable[[tuple[FoundTable, ...]], object]
    ) -> None:
        """Begin without tables.

        At each change, `changed` is called in the event loop with all tables.
        """
        self._own = own
        self._changed = changed
        self._found: dict[str, FoundTable] = {}
        self._doubted: set[str] = set()
        """The tables that are asked whether they are still there, by service name."""
        self.followed: dict[str, asyncio.Task[None]] = {}
        """The tasks that regularly ask each table for its details, by service name.

        The library keeps a name for a quarter of an hour or more. Without these tasks, a table
        whose machine is gone would be shown just as long.
        """

    def on_announcement(
        self,
        zeroconf: "Zeroconf",
        service_type: str,
        name: str,
        state_change: "ServiceStateChange",
    ) -> None:
        """Handle an announcement, a change or the end of a table, as the library reports it."""
        follows = self.followed.get(name)
        if follows is not None:
            follows.cancel()
        self._doubted.discard(name)
        if state_change.name == "Removed":
            self.followed.pop(name, None)
            self._know(name, None)
            return
        # A changed table keeps its rank by age, since its key stays in the dictionary.
        if follows is None and len(self.followed) >= MAXIMUM_FOUND:
            self._drop(self._least_worth())
        self.followed[name] = asyncio.create_task(self._follow(zeroconf, name))

    def _least_worth(self) -> str:
        """Return the name of the table that a new one replaces when there are too many.

        If there are tables without details, it is the first of these. Otherwise it is a table at
        the address with the most tables, so an attacker with many tables at one address loses them.
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
        """Stop asking a table, and remove it from the list."""
        self.followed.pop(name).cancel()
        self._know(name, None)

    async def _follow(self, zeroconf: "Zeroconf", name: str) -> None:
        """Ask a table for its details regularly; remove the table when it gives no valid answer."""

        def read(info: "ServiceInfo") -> FoundTable | None:
            addresses = info.parsed_scoped_addresses()
            return read_table(info.properties, addresses, info.port, self._own)

        while (table := await details_of(zeroconf, name, read)) is not None:
            self._doubted.discard(name)
            if self._found.get(name) != table:
                self._know(name, table)
                self._doubt_others(zeroconf, name, table)
            await asyncio.sleep(CONFIRM_S)
        self._doubted.discard(name)
        del self.followed[name]
        self._know(name, None)

    def _doubt_others(self, zeroconf: "Zeroconf", name: str, table: FoundTable) -> None:
        """Ask the tables again that `table` seems to replace, without the library's stored answers.

        A host who was killed has not taken leave, and has the same port or code after a restart. A
        table that answers stays, so that nobody can hide it by announcing another one.
        """
        for other, there in [*self._found.items()]:
            if other == name or other in self._doubted or not _may_replace(table, there):
                continue
            self._doubted.add(other)
            self.followed[other].cancel()
            cache = zeroconf.cache
            cache.async_remove_records([*cache.async_entries_with_name(other)])
            self.followed[other] = asyncio.create_task(self._follow(zeroconf, other))

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
        by_name = sorted(found, key=lambda each: (each.name, each.prefix, str(each.address)))
        self._changed(tuple(by_name))


def _may_replace(new: FoundTable, old: FoundTable) -> bool:
    """Return True if two tables are on one machine, with the same port or the same code."""
    is_one_machine = new.address.host == old.address.host
    return is_one_machine and (new.address.port == old.address.port or new.prefix == old.prefix)


def _surplus(names: Sequence[str]) -> str:
    """Return the name to remove from `names`, oldest first, when there are too many.

    It is the oldest of the younger half. So a flood removes no table that opened before the flood,
    and a table that opens during the flood still appears.
    """
    return names[len(names) // 2]


@asynccontextmanager
async def browsing(
    changed: Callable[[tuple[FoundTable, ...]], object],
) -> AsyncIterator[Neighbourhood]:
    """Find the tables of the local network while the context is open.

    `changed` is called at each change with all tables, ordered by name. Raises DiscoveryError if
    this machine has no usable network.
    """
    zeroconf = await open_zeroconf(None)
    from zeroconf.asyncio import AsyncServiceBrowser

    there = Neighbourhood(machine_interfaces(), changed)
    browser = AsyncServiceBrowser(zeroconf.zeroconf, SERVICE_TYPE, handlers=[there.on_announcement])
    try:
        yield there
    finally:
        await browser.async_cancel()
        await _cancelled(*there.followed.values())
        await zeroconf.async_close()


async def find_tables(seconds: float) -> list[FoundTable]:
    """Return the tables that answer within `seconds`; raises DiscoveryError without a network."""
    found: list[FoundTable] = []

    def take(tables: tuple[FoundTable, ...]) -> None:
        found[:] = tables

    async with browsing(take):
        await asyncio.sleep(seconds)
    return found


async def _cancelled(*tasks: asyncio.Future[Any] | None) -> None:
    """Cancel tasks, and wait until they have ended."""
    there = [task for task in tasks if task is not None]
    for task in there:
        task.cancel()
    await asyncio.gather(*there, return_exceptions=True)


def _text(value: bytes | None) -> str:
    """Return the printable part of a text from the network."""
    text = (value or b"").decode(errors="replace")
    return "".join(sign for sign in text if sign.isprintable()).strip()


def _number(text: str) -> _Number | None:
    """Return the IP address in a text, which may also have a port; None for another text."""
    try:
        return ip_address(parse_address(text).host)
    except (AddressError, ValueError):
        return None


def _reachable(texts: Iterable[str]) -> list[_Number]:
    """Return the IP addresses in texts that other machines can reach; other texts are left out."""
    return [each for each in map(_number, texts) if each is not None and is_reachable(each)]


def is_neighbour(host: str, own: Iterable[Interface]) -> bool:
    """Return True if a host is the IP address of another machine in a network of this machine."""
    number = _number(host)
    return number is not None and _is_neighbour(number, own)


def _is_neighbour(number: _Number, own: Iterable[Interface]) -> bool:
    """Return True if an address is in a network of this machine, but not one of its own.

    A network within another machine, such as one of containers, often has the same addresses as one
    within this machine. So an announced address may be one of this machine's own.
    """
    return any(number in each.network for each in own) and all(number != each.ip for each in own)


def _unavailable(why: str) -> DiscoveryError:
    return DiscoveryError(
        "Tables cannot be announced or found on the local network: {why}. Check the network"
        " and the firewall.",
        why=why,
    )
