"""Defines the parts of a place that the core adds: links, announcement and status."""

import asyncio
from collections.abc import Coroutine
from typing import Final

from driflamme_tui.hosting.hosted_table import HostedTable, OpenServer
from driflamme_tui.hosting.open_server import (
    Listening,
    announce_place,
    announce_table,
    watch_addresses,
)
from driflamme_tui.hosting.parts import OpenPlace, Part
from netcode.server.status import StatusSocket, status_path
from netcode.server.table_registry import TableEntry
from netcode.table.snapshot import Location

LINKS: Final = "links"
ANNOUNCEMENT: Final = "announcement"
STATUS: Final = "status"


class BackgroundPart(Part):
    """A part that runs a task until the place stops."""

    _task: asyncio.Task[None] | None = None

    def run(self, work: Coroutine[None, None, None]) -> None:
        """Start a task that is cancelled when the place stops."""
        self._task = asyncio.create_task(work)

    async def stop(self) -> None:
        """Cancel the task, and wait for its end."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait([self._task])


class LinkRenewal(BackgroundPart):
    """Renews the links of a place when this machine gets other addresses."""

    def start(self, listening: Listening) -> None:
        """Store the sockets and addresses to watch."""
        self._listening = listening

    async def open(self, place: OpenPlace) -> None:
        """Renew the links of the place from now on when this machine's addresses change."""
        self._listening.renew_links = place.send_links
        self.run(watch_addresses(self._listening))


class Announcement(BackgroundPart):
    """Announces a table on the local network, unless its host has turned that off."""

    def __init__(self, host: str, location: Location) -> None:
        """Store the host's name, and the location with the host's wishes."""
        self._host = host
        self._is_wanted = location.announced is not False
        self._is_possible = location.encrypted

    def start(self, listening: Listening) -> None:
        """Store the certificate, by which guests recognise their host."""
        self._identity = listening.identity

    def add_table(self, entry: TableEntry) -> None:
        """Store the table to announce."""
        self._entry = entry

    async def open(self, place: OpenPlace) -> None:
        """Announce the table from now on, if the host wants that and connections are encrypted."""
        assert isinstance(place, HostedTable)
        if self._is_wanted and self._is_possible:
            self.run(announce_table(self._host, self._entry, place.server, self._identity))


class MarkAnnouncement(BackgroundPart):
    """Announces a server to guests who have its link, on a private network."""

    def __init__(self, location: Location) -> None:
        """Begin with the location that the operator has chosen."""
        self._is_wanted = location.announced is not False

    def start(self, listening: Listening) -> None:
        """Store the certificate, by which guests recognise their host."""
        self._identity = listening.identity

    async def open(self, place: OpenPlace) -> None:
        """Announce the server from now on, if the operator wants that and it has a certificate."""
        assert isinstance(place, OpenServer)
        if self._is_wanted and self._identity is not None:
            self.run(announce_place(place.server, self._identity))


class StatusAnswers(Part):
    """Answers programs on this machine that ask for the status of a place."""

    _socket: StatusSocket | None = None

    async def open(self, place: OpenPlace) -> None:
        """Open the socket; notify the host if that fails."""
        try:
            path = status_path(place.port)
            self._socket = await StatusSocket.open(path, place.current_status)
        except OSError as error:
            place.notify(error.strerror or str(error))

    async def stop(self) -> None:
        """Close the socket."""
        if self._socket is not None:
            await self._socket.close()
