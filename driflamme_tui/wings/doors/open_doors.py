"""The doors of a host that has some: the process that keeps them is started, told and heard here.

Who comes by a door needs no program of this one. What is behind a door, and who is let in, is the
other process's: it knows the table's invitation, and no card but those on its visitors' screens.
"""

import asyncio
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct
from msgspec.structs import replace
from platformdirs import user_data_path

from driflamme_tui.hosting.hosted_table import OpenServer
from driflamme_tui.hosting.open_server import Listening, Notify
from driflamme_tui.hosting.parts import OpenPlace, Part
from driflamme_tui.text.i18n import _, language
from driflamme_tui.wings.doors.door_limits import BESIDE_A_DOOR
from engine.words import AS_TOLD, ExplainedError
from netcode.own_process import environment_for_strangers, own_command
from netcode.server.server import Server
from netcode.server.table_registry import TableEntry
from netcode.transport.address import Address
from netcode.transport.sockets import open_unix

MODULE: Final = "driflamme_tui.wings.doors.door_process"
"""What the process runs."""

SSH_PORT: Final = 22
"""The port that `ssh` takes if it is told none."""

HTTPS_PORT: Final = 443
"""The port that a browser takes if it is told none."""

RESTART_S: Final = 1.0
"""Seconds after which doors are opened again that have fallen shut."""


class Doors(Struct, frozen=True):
    """What is asked of the doors: the record that the journal keeps. None for no such door."""

    ssh: int | None = None
    """The port of the one for SSH."""
    web: int | None = None
    """The port of the one for browsers."""
    proxy: str | None = None
    """The origin at which a proxy shows the page; None where browsers come here themselves."""


class DoorError(ExplainedError):
    """Why there are no doors, as a sentence."""


class Order(Struct):
    """What the process is told: at first, and anew whenever some of it has changed."""

    table: str
    """The path of the host's socket for visitors."""
    secret: bytes
    code: str
    """The spoken code; empty at a club."""
    bind: str | None
    """On which address to listen; None for all."""
    doors: Doors
    folder: str
    """Where keys and visitors' folders are kept."""
    language: str
    hosts: tuple[str, ...] = ()
    """Where others may reach this machine, the likeliest first."""
    page_outside: str = ""
    """By what origin browsers in other homes come to the page, if they can."""
    former: tuple[bytes, ...] = ()
    """The secrets of earlier invitations."""


class Opened(Struct):
    """What the process tells: the doors are open, or why they are not."""

    failure: str = ""
    ssh_port: int | None = None
    fingerprint: str = ""
    """Of the SSH door's key."""
    web_port: int = 0
    page: str = ""
    """Where browsers find the page of the web door."""


class OpenDoors:
    """The doors of a server that is open."""

    def __init__(self, order: Order, notify: Notify) -> None:
        """Open none yet: use `open_doors`."""
        self.ssh_outside = ""
        """What those in other homes type who have nothing but SSH, where a router lets them in."""
        self._order = order
        self.opened = Opened()
        """How the process has opened them."""
        self._notify = notify
        self._process: Process | None = None
        self._hearing: asyncio.Task[None] | None = None

    async def open(self) -> None:
        """Start the process; raises DoorError if the doors cannot be opened."""
        process = self._process = await asyncio.create_subprocess_exec(
            *own_command(MODULE),
            stdin=PIPE,
            stdout=PIPE,
            stderr=DEVNULL,
            env=environment_for_strangers(),
        )
        assert process.stdout is not None
        self._tell()
        told = await process.stdout.readline()
        if not told:
            raise DoorError("The doors for visitors cannot be opened.")
        opened = msgspec.json.decode(told, type=Opened)
        if opened.failure:
            raise DoorError(AS_TOLD, why=opened.failure)
        self.opened = opened
        self._hearing = asyncio.create_task(self._hear(process.stdout))

    def move(self, addresses: Sequence[Address]) -> None:
        """Take note that others reach this machine at other addresses."""
        order, page = self._order, self.opened.page
        order.hosts = _hosts(addresses)
        if page.startswith("https://") and not self.has_proxy:
            where = Address(order.hosts[0], self.opened.web_port)
            self.opened.page = f"https://{_with_port(where)}"
        self._tell()

    def reach(self, ssh: Sequence[Address], web: Sequence[Address]) -> None:
        """Take note by which addresses others come in from other homes."""
        self.ssh_outside = _ssh_line(*ssh[:1])
        page = f"https://{_with_port(web[0])}" if web else ""
        if page != self.page_outside:
            self._order.page_outside = page
            self._tell()

    @property
    def ssh(self) -> str:
        """What others type who have nothing but SSH; {name} is to be their name."""
        port = self.opened.ssh_port
        return "" if port is None else _ssh_line(Address(self._order.hosts[0], port))

    @property
    def page_outside(self) -> str:
        """What those in other homes open in a browser, where a router lets them in."""
        return self._order.page_outside

    @property
    def ports(self) -> dict[str, int]:
        """On which each listens that a router may let others in to: without a proxy."""
        web = None if self.has_proxy else self.opened.web_port
        found = {"ssh": self.opened.ssh_port, "web": web}
        return {name: port for name, port in found.items() if port}

    @property
    def own_ports(self) -> dict[str, int]:
        """The ports on which the doors listen, by the fields of their record."""
        asked, opened = self._order.doors, self.opened
        ssh = {} if opened.ssh_port is None else {"ssh": opened.ssh_port}
        return ssh if asked.web is None or not opened.web_port else ssh | {"web": opened.web_port}

    @property
    def has_proxy(self) -> bool:
        """Whether a proxy shows the page, with a certificate that browsers know."""
        return self._order.doors.proxy is not None

    def link(self, invitation: str) -> str:
        """Return what lets others in by a browser without the code; empty if nothing does.

        No server is told what stands behind its #.
        """
        token = invitation.rpartition("/")[2]
        page = self.page_outside or self.opened.page
        return f"{page}/#{token}" if page else ""

    def invite(self, entry: TableEntry) -> None:
        """Let people in by another invitation from now on; who is there stays."""
        order = self._order
        order.secret, order.code, order.former = entry.secret, entry.code, entry.opened.former
        self._tell()

    async def close(self) -> None:
        """Close the doors: those who came by them lose their line."""
        if self._hearing is not None:
            self._hearing.cancel()
        if self._process is not None and self._process.stdin is not None:
            self._process.stdin.close()
            await self._process.wait()

    def _tell(self) -> None:
        """Tell the process the order as it is now."""
        assert self._process is not None
        assert self._process.stdin is not None
        if not self._process.stdin.is_closing():
            self._process.stdin.write(msgspec.json.encode(self._order) + b"\n")

    async def _hear(self, told: asyncio.StreamReader) -> None:
        """Open the doors again once the process is gone, which tells nothing more."""
        await told.read()
        self._notify(_("The doors for visitors have closed; they are being reopened."))
        await asyncio.sleep(RESTART_S)
        try:
            await self.open()
        except (DoorError, OSError) as error:
            why = error.sentence(_) if isinstance(error, DoorError) else str(error)
            self._notify(why)


def _hosts(addresses: Sequence[Address]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(each.host for each in addresses))


def _ssh_line(address: Address | None = None) -> str:
    if address is None:
        return ""
    port = "" if address.port == SSH_PORT else f"-p {address.port} "
    return f"ssh {port}{{name}}@{address.host}"


def _with_port(address: Address) -> str:
    """Return what browsers call an address: nobody's usual port is theirs."""
    host = f"[{address.host}]" if ":" in address.host else address.host
    return host if address.port == HTTPS_PORT else f"{host}:{address.port}"


def check_doors() -> None:
    """Raise DoorError if there is no having doors here."""
    if sys.platform == "win32":
        raise DoorError("There are no doors on Windows: host on Linux or macOS for them.")
    elif not all(find_spec(each) for each in ("asyncssh", "aiohttp", "textual_serve")):
        raise DoorError(
            "A door needs the extra \"doors\": install it with pip install '.[doors]' in the clone."
        )


class DoorsOfHost(Part):
    """The doors of a place as a part of it; its record is a `Doors`, as JSON."""

    doors: OpenDoors | None = None

    def __init__(self, record: str) -> None:
        """Parse the record; raises DoorError if there can be no doors here."""
        check_doors()
        try:
            self._asked = msgspec.json.decode(record, type=Doors)
        except msgspec.DecodeError:
            raise DoorError("What was kept of the doors makes no sense.") from None

    def saved_record(self) -> str:
        """Return what was asked, with the ports that the system has chosen."""
        ports = {} if self.doors is None else self.doors.own_ports
        return msgspec.json.encode(replace(self._asked, **ports)).decode()

    def start(self, listening: Listening) -> None:
        """Begin with the sockets; raises DoorError where nothing is encrypted."""
        if listening.identity is None:
            raise DoorError("A door needs a code, and a table with --insecure or --unix has none.")
        self._listening = listening
        listening.subscribers.append(self._reach)

    def add_table(self, entry: TableEntry) -> None:
        """Let no game of a table be sealed: programs with cards run on this machine."""
        if self._listening.opened.code:
            entry.guess_weight = BESIDE_A_DOOR
        if entry.table is not None:
            entry.table.allow_local_guests()

    async def open(self, place: OpenPlace) -> None:
        """Start the process of the doors; raises DoorError and ListenError."""
        assert isinstance(place, OpenServer)
        self.doors = await open_doors(self._asked, self._listening, place.server, place.notify)

    def ports(self) -> Mapping[str, int]:
        """Return the ports that a router may open for them."""
        return {} if self.doors is None else self.doors.ports

    def invited(self, entry: TableEntry) -> None:
        """Let people in by another invitation."""
        if self.doors is not None:
            self.doors.invite(entry)

    async def close(self) -> None:
        """Close the doors."""
        if self.doors is not None:
            await self.doors.close()

    def _reach(self) -> None:
        """Have the doors tell by which addresses others come."""
        listening = self._listening
        if self.doors is not None:
            self.doors.move(listening.inside)
            self.doors.reach(
                listening.port_forwards.get("ssh", ()), listening.port_forwards.get("web", ())
            )


async def open_doors(
    doors: Doors, listening: Listening, server: Server, notify: Notify
) -> OpenDoors:
    """Open the doors of a server that listens; raises DoorError and ListenError."""
    path = await listen_for_visitors(server)
    opened = listening.opened
    order = Order(
        str(path),
        opened.secret,
        opened.code,
        listening.location.bind,
        doors,
        str(path.parent),
        language(),
        _hosts(listening.inside),
        former=opened.former,
    )
    open_ones = OpenDoors(order, notify)
    try:
        await open_ones.open()
    except BaseException:
        await open_ones.close()
        raise
    return open_ones


async def listen_for_visitors(server: Server) -> Path:
    """Have a server listen on a socket for visitors, and return its path; raises ListenError.

    By it come only those whom the doors have let in, so nothing is encrypted once more.
    """
    path = user_data_path("driflamme", appauthor=False) / f"visitors-{server.port}.sock"
    socket = open_unix(path)
    path.chmod(0o600)
    await server.listen([socket])
    return path
