"""The way to a host whose addresses may change while its guests are away or at the table.

The host keeps its certificate, so the owner of that certificate is the host's machine at any
address. Another table of that machine has the same certificate. So an address from a search counts
as the host's new address only after the table there has let the client in.
"""

import asyncio
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager, suppress
from dataclasses import replace
from functools import partial
from ipaddress import ip_address
from typing import Final, NamedTuple, TypeAlias

from engine.texts import ONLY_WHY
from netcode.client.connection import ConnectError
from netcode.client.connectors import connect_first, connect_tcp, connector
from netcode.client.reconnection import HostMoved, Route
from netcode.joining.discovery import SEARCH_S, DiscoveryError
from netcode.joining.host_search import searching
from netcode.joining.invitation import Invitation, InvitationError, parse_invitation
from netcode.joining.spoken_code import prefix_of
from netcode.protocol.messages import Lobby
from netcode.protocol.refusal_sentences import NO_SUCH_TABLE
from netcode.transport.address import MOST_ADDRESSES, Address
from netcode.transport.certificate import client_context
from netcode.transport.channel import Channel

NEARBY_TIMEOUT_S: Final = 2.5
"""Seconds for an announced address to answer: enough on a local network."""

MOST_TRIED: Final = 256
"""Maximum number of announced addresses that one attempt tries: as many as a home network has."""

MOST_AT_ONE_HOST: Final = 8
"""Maximum number of ports that one attempt tries at one machine."""

MOST_AT_ONCE: Final = 32
"""Maximum number of announced addresses that are tried at the same time."""

AVOIDED_S: Final = 60.0
"""Seconds for which searches leave out the addresses of another table of the host's machine."""

Search: TypeAlias = Callable[
    [bytes, str, Callable[[tuple[Address, ...]], object]], AbstractAsyncContextManager[object]
]
"""A search for a table by its host's pin and the prefix of its code, which is "" if unknown.

It calls the function with the addresses of each announcement. It lasts while the context is open,
and raises DiscoveryError if this machine has no usable network.
"""


class _Found(NamedTuple):
    """A connection to an announced address."""

    channel: Channel
    address: Address
    announced: tuple[Address, ...]
    """All addresses of the announcement."""


class FollowedHost(Route):
    """The host of an invitation, with all its known addresses."""

    def __init__(self, invitation: Invitation, search: Search | None = None) -> None:
        """Begin with the addresses of the invitation.

        If the host does not answer there, `search` finds its new addresses. If `search` is None,
        the local network is searched, unless all addresses belong to this machine.
        """
        self.invitation = invitation
        """The invitation, updated with later addresses of the host."""
        self._worked = invitation.addresses
        """The addresses of the invitation, and the addresses at which the host was found later."""
        # Search for a host name too: it is looked up anew each time, but may give an old address.
        may_move = any(_may_change(each.host) for each in invitation.addresses)
        self._search = search or (searching if may_move else None)
        self._moved: HostMoved | None = None
        self._prefix = ""
        """The prefix of the table's code; "" before the first lobby, or if there is no code."""
        self._on_trial: _Found | None = None
        """The latest connection if a search found its address and the table there has not let the
        client in yet; otherwise None.
        """
        self._avoided: dict[Address, float] = {}
        """The addresses of other tables, with the times until which searches leave them out."""
        self._is_astray = False
        """True after another table has answered at a known address, until a table lets the client
        in. The search then comes before the known addresses.
        """

    def see(self, lobby: Lobby) -> None:
        """Store the addresses of the host in a lobby, and the prefix of the table's code."""
        announced = self.announced_by(lobby)
        if announced is not None:
            self._prefix = "" if lobby.code is None else prefix_of(lobby.code)
            # Keep an address that has worked, even if the host does not announce it.
            known = dict.fromkeys((*announced.addresses, *self._worked))
            self.invitation = replace(
                self.invitation,
                addresses=tuple(known)[:MOST_ADDRESSES],
                indirect=announced.indirect or self.invitation.indirect,
            )

    def announced_by(self, lobby: Lobby) -> Invitation | None:
        """Return the invitation in a lobby if it leads to this host; otherwise None."""
        try:
            announced = parse_invitation(lobby.invitation)
        except InvitationError:
            return None
        return announced if announced.pin == self.invitation.pin else None

    def moved(self) -> HostMoved | None:
        """Return the news of a new address once; None without such news."""
        moved, self._moved = self._moved, None
        return moved

    def accept(self) -> None:
        """Store the latest address, whose table has let the client in, if a search found it."""
        found, self._on_trial = self._on_trial, None
        self._is_astray = False
        if found is not None:
            self._move(found.address)

    def reject(self, code: str) -> bool:
        """Record the refusal `code` at the latest address; return True if it does not count.

        If a search found the address, later searches leave it out. If a known address answers that
        it lacks the table, the next connection searches the local network first. Any other refusal
        counts.
        """
        found, self._on_trial = self._on_trial, None
        if found is not None:
            until = asyncio.get_running_loop().time() + AVOIDED_S
            self._avoided |= dict.fromkeys(found.announced, until)
            return True
        if self._search is None or self._is_astray or code != NO_SUCH_TABLE:
            return False
        self._is_astray = True
        return True

    async def connect(self) -> Channel:
        """Connect to the host; raises ConnectError if no address answers.

        If no known address answers within a second, it searches the local network too. After
        another table has answered at a known address, it searches first.
        """
        self._on_trial = None
        if self._search is None:
            return await connector(self.invitation)()
        if self._is_astray:
            known_failed = asyncio.Event()
            known_failed.set()
            with suppress(ConnectError):
                self._on_trial = await self._nearby(self._search, known_failed)
                return self._on_trial.channel
            return await connector(self.invitation)()
        failed: list[ConnectError] = []
        ended = asyncio.Event()
        found: list[_Found] = []

        async def directly() -> Channel:
            try:
                return await connector(self.invitation)()
            except ConnectError as error:
                failed.append(error)
                raise
            finally:
                ended.set()

        async def nearby(search: Search) -> Channel:
            found.append(await self._nearby(search, ended))
            return found[-1].channel

        try:
            channel = await connect_first([directly], [partial(nearby, self._search)])
        except ConnectError:
            raise failed[0] from None
        for each in found:
            if each.channel is channel and each.address not in self._worked:
                self._on_trial = each
        return channel

    def _move(self, address: Address) -> None:
        """Store the address at which a search found the host, before all other addresses.

        If the address is new, the next call of `moved` returns it.
        """
        if address not in self.invitation.addresses:
            self._moved = HostMoved(address)
        self._worked = tuple(dict.fromkeys((address, *self._worked)))[:MOST_ADDRESSES]
        known = dict.fromkeys((address, *self.invitation.addresses))
        self.invitation = replace(self.invitation, addresses=tuple(known)[:MOST_ADDRESSES])

    async def _nearby(self, search: Search, ended: asyncio.Event) -> _Found:
        """Connect to the host at an announced address; raises ConnectError if none answers.

        The search ends after two seconds, but not before `ended` is set: until then a known address
        may still answer.
        """
        reached: asyncio.Future[_Found]
        reached = asyncio.get_running_loop().create_future()
        tried: dict[Address, asyncio.Task[None]] = {}
        turns = asyncio.Semaphore(MOST_AT_ONCE)
        context = client_context(self.invitation.pin)

        async def call(address: Address, announced: tuple[Address, ...]) -> None:
            async with turns:
                try:
                    channel = await connect_tcp(address, context, NEARBY_TIMEOUT_S)
                except ConnectError:
                    return
            if reached.done():
                channel.abort()
            else:
                reached.set_result(_Found(channel, address, announced))

        def take(announced: tuple[Address, ...]) -> None:
            for address in announced:
                ports = sum(each.host == address.host for each in tried)
                is_new = address not in tried and not self._is_avoided(address)
                if is_new and len(tried) < MOST_TRIED and ports < MOST_AT_ONE_HOST:
                    tried[address] = asyncio.create_task(call(address, announced))

        async def give_up() -> None:
            await asyncio.gather(asyncio.sleep(SEARCH_S), ended.wait())
            await asyncio.gather(*tried.values())
            if not reached.done():
                reached.set_exception(ConnectError(ONLY_WHY, why="no host is announced"))

        try:
            async with search(self.invitation.pin, self._prefix, take):
                waiting = asyncio.create_task(give_up())
                try:
                    return await reached
                except asyncio.CancelledError:
                    if not reached.cancelled():
                        # The search is cancelled, mostly because a known address has answered. So
                        # nobody will use this connection.
                        reached.result().channel.abort()
                    raise
                finally:
                    waiting.cancel()
        except DiscoveryError as error:
            raise ConnectError(error.template, **error.values) from None
        finally:
            for task in tried.values():
                task.cancel()

    def _is_avoided(self, address: Address) -> bool:
        """Return True if an announced address seems to have another table."""
        until = self._avoided.get(address)
        return until is not None and asyncio.get_running_loop().time() < until


def _may_change(host: str) -> bool:
    """Return True for an IP address or a host name of another machine, False for this machine."""
    try:
        return not ip_address(host.partition("%")[0]).is_loopback
    except ValueError:
        return host.rstrip(".").casefold() != "localhost"
