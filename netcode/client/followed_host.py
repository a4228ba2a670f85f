"""The way to a host whose addresses may change while the table is open.

The host keeps its certificate, so the owner of that certificate is the host at any address.
"""

from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import TypeAlias

from netcode.client.connectors import CONNECT_TIMEOUT_S, connect_first, connector, reaching
from netcode.joining.discovery import SEARCH_S, DiscoveryError, find_tables
from netcode.joining.invitation import Invitation, InvitationError, parse_invitation
from netcode.joining.spoken_code import prefix_of
from netcode.protocol.messages import Lobby
from netcode.transport.address import MOST_ADDRESSES, Address, is_inside
from netcode.transport.channel import Channel

FindAddresses: TypeAlias = Callable[[str], Awaitable[Sequence[Address]]]
"""A function that returns the addresses of tables on the local network with a code prefix."""


async def find_addresses(prefix: str) -> Sequence[Address]:
    """Return the addresses of announced tables on the local network with a code prefix."""
    with suppress(DiscoveryError):
        return [each.address for each in await find_tables(SEARCH_S) if each.prefix == prefix]
    return ()


class FollowedHost:
    """The host of an invitation, with all its known addresses."""

    def __init__(self, invitation: Invitation, find: FindAddresses = find_addresses) -> None:
        """Begin with the addresses of the invitation."""
        self.invitation = invitation
        """The invitation, with later addresses from the host."""
        self._typed = invitation.addresses
        self._find = find
        self._prefix = ""
        self._was_there = False

    def see(self, lobby: Lobby) -> None:
        """Store the addresses in a lobby from the host."""
        self._prefix = prefix_of(lobby.code or "")
        announced = self.announced_by(lobby)
        if announced is not None:
            # Keep an address that has worked, even if the host does not know it.
            known = dict.fromkeys((*announced.addresses, *self._typed))
            addresses = tuple(known)[:MOST_ADDRESSES]
            self.invitation = replace(
                self.invitation,
                addresses=addresses,
                indirect=announced.indirect or self.invitation.indirect,
            )

    def announced_by(self, lobby: Lobby) -> Invitation | None:
        """Return the invitation in a lobby if it leads to this host, or None."""
        try:
            announced = parse_invitation(lobby.invitation)
        except InvitationError:
            return None
        return announced if announced.pin == self.invitation.pin else None

    async def connect(self) -> Channel:
        """Connect to the host; raises ConnectError.

        After the first success it also searches the local network, if an address of the host is
        inside a home.
        """
        direct = connector(self.invitation)
        is_near = any(is_inside(each.host) for each in self.invitation.addresses)
        nearby = [self._nearby] if self._was_there and self._prefix and is_near else []
        channel = await (connect_first([direct], nearby) if nearby else direct())
        self._was_there = True
        return channel

    async def _nearby(self) -> Channel:
        found = await self._find(self._prefix)
        return await reaching(self.invitation.pin, found, (), CONNECT_TIMEOUT_S)()
