"""The way to a host whose addresses change while the table is open.

Its certificate stays, so whoever shows that is the host, wherever it is.
"""

from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import TypeAlias

from netcode.client.connectors import CONNECT_TIMEOUT_S, connect_first, connector, reaching
from netcode.joining.discovery import SEARCH_S, DiscoveryError, find_tables
from netcode.joining.invitation import Invitation, InvitationError, parse_invitation
from netcode.joining.spoken_code import room_of
from netcode.protocol.messages import Lobby
from netcode.transport.address import MOST_ADDRESSES, Address, is_inside
from netcode.transport.channel import Channel

FindRoom: TypeAlias = Callable[[str], Awaitable[Sequence[Address]]]
"""Returns the addresses of the tables on the local network that announce a room."""


async def find_room(room: str) -> Sequence[Address]:
    """Return where tables of a room are announced on the local network; none if nothing is."""
    with suppress(DiscoveryError):
        return [each.address for each in await find_tables(SEARCH_S) if each.room == room]
    return ()


class FollowedHost:
    """The host of an invitation, by all addresses that are known of it."""

    def __init__(self, invitation: Invitation, find: FindRoom = find_room) -> None:
        """Know of the invitation's addresses."""
        self.invitation = invitation
        """The invitation, with the addresses that the host has told of since."""
        self._typed = invitation.addresses
        self._find = find
        self._room = ""
        self._was_there = False

    def see(self, lobby: Lobby) -> None:
        """Take note by what others come to the table now, as its host says."""
        self._room = room_of(lobby.code or "")
        told = self.told_by(lobby)
        if told is not None:
            # What has led there once may do so again, whatever the host knows of it.
            known = dict.fromkeys((*told.addresses, *self._typed))
            addresses = tuple(known)[:MOST_ADDRESSES]
            self.invitation = replace(
                self.invitation, addresses=addresses, relays=told.relays or self.invitation.relays
            )

    def told_by(self, lobby: Lobby) -> Invitation | None:
        """Return the invitation to its table that the host tells of, if that leads to this host."""
        try:
            told = parse_invitation(lobby.invitation)
        except InvitationError:
            return None
        return told if told.pin == self.invitation.pin else None

    async def connect(self) -> Channel:
        """Connect to the host; raises ConnectError.

        Once it has been reached in its home, it is looked for on the local network, too.
        """
        direct = connector(self.invitation)
        is_near = any(is_inside(each.host) for each in self.invitation.addresses)
        nearby = [self._nearby] if self._was_there and self._room and is_near else []
        channel = await (connect_first([direct], nearby) if nearby else direct())
        self._was_there = True
        return channel

    async def _nearby(self) -> Channel:
        found = await self._find(self._room)
        return await reaching(self.invitation.pin, found, (), CONNECT_TIMEOUT_S)()
