"""Runs the doors of a host: starts their process, sends it orders, and receives its answers.

Guests at a door need no program of their own. The process knows the table's invitation and decides
on admission. It sees cards only on its visitors' screens.
"""

import asyncio
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import Mapping, Sequence
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Final

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import replace
from platformdirs import user_data_path

from driflamme_tui.hosting.hosted_table import OpenServer
from driflamme_tui.hosting.open_server import Listening, Notify
from driflamme_tui.hosting.parts import OpenPlace, Part
from driflamme_tui.text.i18n import PROGRAM, _, language, started_as
from driflamme_tui.wings.doors.door_limits import BESIDE_A_DOOR
from driflamme_tui.wings.doors.origins import is_origin
from driflamme_tui.wings.doors.strangers import environment_for_strangers
from engine.texts import ONLY_WHY, ExplainedError
from netcode.child_process import program_command
from netcode.server.server import Server
from netcode.server.table_registry import TableEntry
from netcode.transport.address import Address
from netcode.transport.sockets import open_unix

MODULE: Final = "driflamme_tui.wings.doors.door_process"
"""The module that the process runs."""

SSH_PORT: Final = 22
"""The default port of `ssh`."""

HTTPS_PORT: Final = 443
"""The default port of a browser."""

RESTART_S: Final = 1.0
"""Seconds before the doors are opened again after their process has ended unexpectedly."""


_Port = Annotated[int, Meta(ge=0, le=65_535)]


class Doors(Struct, frozen=True):
    """The doors that a host wants, as the journal stores them.

    None stands for a door that is not wanted.
    """

    ssh: _Port | None = None
    web: _Port | None = None
    proxy: str | None = None
    """The origin at which a proxy publishes the page; None if browsers connect directly."""


class DoorError(ExplainedError):
    """Raised if doors cannot be opened, or if their record is damaged. The sentence says why."""


def parse_doors(record: str) -> Doors:
    """Return the doors of a record; raises DoorError if the record is malformed."""
    with suppress(msgspec.DecodeError, UnicodeError, RecursionError):
        doors = msgspec.json.decode(record, type=Doors)
        if doors.proxy is None or is_origin(doors.proxy):
            return doors
    raise DoorError("The record of the doors is damaged: open a new table to have doors.")


class Order(Struct):
    """An order to the process of the doors.

    The host sends an order at the start and after each change.
    """

    table: str
    """The path of the host's socket for visitors."""
    secret: bytes
    code: str
    """The spoken code; "" at a club."""
    bind: str | None
    """The address to listen on; None for all addresses."""
    doors: Doors
    folder: str
    """The folder of the doors' keys and the visitors' folders."""
    language: str
    hosts: tuple[str, ...] = ()
    """The addresses of this machine, most likely first."""
    page_outside: str = ""
    """The origin of the page for browsers outside; "" unless a router lets them in."""
    former: tuple[bytes, ...] = ()
    """The secrets of earlier invitations."""


class DoorsAnswer(Struct):
    """The answer of the process of the doors: the open doors, or the reason why none are open."""

    failure: str = ""
    ssh_port: int | None = None
    fingerprint: str = ""
    """The fingerprint of the SSH door's key; "" without that door."""
    web_port: int = 0
    page: str = ""
    """The address of the web door's page; "" without that door."""


class OpenDoors:
    """Opens and closes the doors of a server. A separate process serves them."""

    def __init__(self, order: Order, notify: Notify) -> None:
        """Store an order. Call `open` to open the doors."""
        self.ssh_outside = ""
        """The SSH command for guests outside; "" unless a router lets them in."""
        self._order = order
        self.opened = DoorsAnswer()
        """The last answer of the process that serves the doors."""
        self._notify = notify
        self._process: Process | None = None
        self._watching: asyncio.Task[None] | None = None

    async def open(self) -> None:
        """Start the process, and wait until the doors are open.

        If the process ends later, the doors are opened again.

        Raises:
            DoorError: The doors cannot be opened.
        """
        process = self._process = await asyncio.create_subprocess_exec(
            *program_command(MODULE),
            stdin=PIPE,
            stdout=PIPE,
            stderr=DEVNULL,
            env=environment_for_strangers(),
        )
        assert process.stdout is not None
        self._send_order()
        answer = await process.stdout.readline()
        if not answer:
            raise DoorError("The doors for visitors cannot be opened: try driflamme doctor.")
        opened = msgspec.json.decode(answer, type=DoorsAnswer)
        if opened.failure:
            raise DoorError(ONLY_WHY, why=opened.failure)
        self.opened = opened
        self._watching = asyncio.create_task(self._watch_process(process.stdout))

    def move(self, addresses: Sequence[Address]) -> None:
        """Send the present addresses of this machine to the doors; update the page's address."""
        order, page = self._order, self.opened.page
        order.hosts = _hosts(addresses)
        if page.startswith("https://") and not self.has_proxy:
            where = Address(order.hosts[0], self.opened.web_port)
            self.opened.page = f"https://{_with_port(where)}"
        self._send_order()

    def reach(self, ssh: Sequence[Address], web: Sequence[Address]) -> None:
        """Use these addresses for guests outside from now on.

        Without an address, the door has no command or page for such guests.
        """
        self.ssh_outside = _ssh_line(*ssh[:1])
        page = f"https://{_with_port(web[0])}" if web else ""
        if page != self.page_outside:
            self._order.page_outside = page
            self._send_order()

    @property
    def ssh(self) -> str:
        """The command for guests who have only SSH, in which `{name}` stands for the guest's name.

        "" without a door for SSH.
        """
        port = self.opened.ssh_port
        return "" if port is None else _ssh_line(Address(self._order.hosts[0], port))

    @property
    def page_outside(self) -> str:
        """The address of the page for guests outside; "" unless a router lets them in."""
        return self._order.page_outside

    @property
    def ports(self) -> dict[str, int]:
        """The ports that a router may open. A door behind a proxy has none."""
        web = None if self.has_proxy else self.opened.web_port
        found = {"ssh": self.opened.ssh_port, "web": web}
        return {name: port for name, port in found.items() if port}

    @property
    def listening_ports(self) -> dict[str, int]:
        """The ports on which the doors listen, by name of the field in their record."""
        wanted, opened = self._order.doors, self.opened
        ssh = {} if opened.ssh_port is None else {"ssh": opened.ssh_port}
        return ssh if wanted.web is None or not opened.web_port else ssh | {"web": opened.web_port}

    @property
    def has_proxy(self) -> bool:
        """True if a proxy publishes the page with a certificate that browsers trust."""
        return self._order.doors.proxy is not None

    def link(self, invitation: str) -> str:
        """Return the link that admits a browser without the code; "" if there is no page.

        Browsers send the part after # to no server.
        """
        token = invitation.rpartition("/")[2]
        page = self.page_outside or self.opened.page
        return f"{page}/#{token}" if page else ""

    def invite(self, entry: TableEntry) -> None:
        """Use another invitation from now on. Present visitors stay."""
        order = self._order
        order.secret, order.code, order.former = entry.secret, entry.code, entry.opened.former
        self._send_order()

    async def close(self) -> None:
        """Close the doors. Their visitors lose their connection."""
        if self._watching is not None:
            self._watching.cancel()
        if self._process is not None and self._process.stdin is not None:
            self._process.stdin.close()
            await self._process.wait()

    def _send_order(self) -> None:
        """Send the present order to the process."""
        assert self._process is not None
        assert self._process.stdin is not None
        if not self._process.stdin.is_closing():
            self._process.stdin.write(msgspec.json.encode(self._order) + b"\n")

    async def _watch_process(self, lines: asyncio.StreamReader) -> None:
        """Wait until the process ends, then open the doors again; show the host any error."""
        await lines.read()
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
    """Return an address in the form for browsers, without the default port."""
    host = f"[{address.host}]" if ":" in address.host else address.host
    return host if address.port == HTTPS_PORT else f"{host}:{address.port}"


def check_doors() -> None:
    """Raise DoorError if this machine cannot have doors."""
    if sys.platform == "win32":
        raise DoorError("Doors do not work on Windows: host on Linux or macOS.")
    elif not all(find_spec(each) for each in ("asyncssh", "aiohttp", "textual_serve")):
        if started_as() != PROGRAM:
            # The script of a clone installs what its options need, except into a foreign .venv.
            raise DoorError(
                'Doors need the extra "doors": run driflamme host --ssh, which installs it. Into a'
                " .venv that you made, install it with pip install -e '.[doors]'."
            )
        raise DoorError(
            "Doors need the extra \"doors\": install it with pipx install --force '.[doors]' in"
            " the clone."
        )


class DoorsOfHost(Part):
    """The doors as a part of an open place. The record is a `Doors` in JSON."""

    doors: OpenDoors | None = None

    def __init__(self, record: str) -> None:
        """Parse the record.

        Raises:
            DoorError: This machine cannot have doors, or the record is malformed.
        """
        check_doors()
        self._wanted = parse_doors(record)

    def saved_record(self) -> str:
        """Return the requested doors in JSON, with the ports on which they listen."""
        ports = {} if self.doors is None else self.doors.listening_ports
        return msgspec.json.encode(replace(self._wanted, **ports)).decode()

    def start(self, listening: Listening) -> None:
        """Subscribe to changes of addresses. Raises DoorError if connections are not encrypted."""
        if listening.identity is None:
            raise DoorError(
                "Doors need a code, which a table with --insecure or --unix does not have:"
                " omit that option."
            )
        self._listening = listening
        listening.subscribers.append(self._reach)

    def add_table(self, entry: TableEntry) -> None:
        """Forbid sealed games at a table, because guests' programs would run on this machine.

        A wrong guess of the code counts more, because the doors allow guesses too.
        """
        if self._listening.opened.code:
            entry.guess_weight = BESIDE_A_DOOR
        if entry.table is not None:
            entry.table.allow_local_guests()

    async def open(self, place: OpenPlace) -> None:
        """Open the doors; raises DoorError or ListenError if that fails."""
        assert isinstance(place, OpenServer)
        self.doors = await open_doors(self._wanted, self._listening, place.server, place.notify)

    def ports(self) -> Mapping[str, int]:
        """Return the ports of the doors that a router may open."""
        return {} if self.doors is None else self.doors.ports

    def invited(self, entry: TableEntry) -> None:
        """Use another invitation from now on."""
        if self.doors is not None:
            self.doors.invite(entry)

    async def close(self) -> None:
        """Close the doors. Their visitors lose their connections."""
        if self.doors is not None:
            await self.doors.close()

    def _reach(self) -> None:
        """Update the addresses by which others reach the doors."""
        listening = self._listening
        if self.doors is not None:
            self.doors.move(listening.inside)
            self.doors.reach(
                listening.port_forwards.get("ssh", ()), listening.port_forwards.get("web", ())
            )


async def open_doors(
    doors: Doors, listening: Listening, server: Server, notify: Notify
) -> OpenDoors:
    """Open the doors of a listening server; raises DoorError or ListenError if that fails."""
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
    """Open a server's socket for visitors, and return its path. Raises ListenError.

    The doors admit its users, so its connections are not encrypted again.
    """
    path = user_data_path("driflamme", appauthor=False) / f"visitors-{server.port}.sock"
    socket = open_unix(path)
    path.chmod(0o600)
    await server.listen([socket])
    return path
