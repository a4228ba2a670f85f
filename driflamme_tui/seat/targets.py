"""Defines the plans of the app: to host, to join, to play alone, or to study."""

import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final, Protocol

from msgspec import Struct

from driflamme_tui.hosting.host_plans import Host, SoloPlan
from driflamme_tui.seat.seat_keys import seat_at
from engine.texts import ExplainedError, Text
from netcode.client.connection import Connect
from netcode.joining.spoken_code import CodeError, parse_code, prefix_of
from netcode.protocol.fields import CODE_LENGTH
from netcode.transport.address import Address, parse_address

if TYPE_CHECKING:
    from netcode.client.connectors import Target, Unix
    from netcode.client.followed_host import FollowedHost
    from netcode.joining.discovery import FoundTable
    from netcode.transport.channel import Channel
    from netcode.workers.worker_pool import WorkerPool


class CodeTarget(Struct, frozen=True):
    """A table that a spoken code and an address lead to."""

    address: Address
    code: str
    others: tuple[Address, ...] = ()
    """Other tables that announce the same prefix of the code.

    Only one of all these tables has the code.
    """

    def __repr__(self) -> str:
        return f"CodeTarget({self.address!r})"


COMMAND: Final = r"^\s*\S*driflamme join "
"""Matches the beginning of the command that leads to a table. Only the text after it is parsed."""


class TargetError(ExplainedError):
    """Raised if a typed text leads to no table. The error's sentence has the reason."""


class ResolvedTarget(Struct, frozen=True):
    """Another person's table, and the way to it."""

    connect: Connect
    secret: bytes | None
    """The secret for the hello; None if the table needs none."""
    typed: str
    """The text that leads to the table again when it is typed."""
    place: str
    """The name of the table's place for a seat's key; it contains no secret."""
    secure: bool | None
    """True if nobody between player and table can read along; None without a connection."""
    addresses: "tuple[Address, ...]" = ()
    """All addresses of an invitation; () for a table without an invitation."""
    host: "FollowedHost | None" = None
    """The host of an invitation, with all its later addresses; None without an invitation."""
    is_on_behalf: bool = False
    """True if this program plays for a person whose screen is on another machine."""

    @property
    def typed_now(self) -> str:
        """The text that leads to the table by the host's present addresses.

        For a table without an invitation, it is `typed`.
        """
        return self.typed if self.host is None else str(self.host.invitation)

    def typed_at(self, secret: bytes | None) -> str:
        """Return the text that leads to the table of a secret, also among several tables."""
        if secret is None or self.host is None:
            return self.typed
        return str(replace(self.host.invitation, secret=secret))

    def seat_at(self, secret: bytes | None) -> str:
        """Return the name under which the key to a seat is stored, at the table of a secret."""
        return seat_at(self.place, secret)


class Join(Struct, frozen=True):
    """A plan to sit down at another person's table, or to watch it."""

    target: "Target | CodeTarget | ResolvedTarget"
    watch: bool = False


class TableWithoutServer(Protocol):
    """A table on this machine without a server: of the lesson, of puzzles, or of the board."""

    workers: "WorkerPool"

    async def connect(self) -> "Channel":
        """Return a connection to the table."""


class Study(Struct, frozen=True):
    """A plan to study alone, at a table without a server."""

    table: TableWithoutServer


Plan = Host | SoloPlan | Join | Study
"""A plan that leads the player to a table."""


async def resolve(target: "Target | CodeTarget | ResolvedTarget") -> ResolvedTarget:
    """Return the way to a target.

    Raises:
        ConnectError: A spoken code leads to no table.
    """
    if isinstance(target, ResolvedTarget):
        return target
    # Import here: playing alone needs no network, and starts faster without it.
    from netcode.client.code_join import invitation_by_any
    from netcode.client.connectors import Plain, Unix, connector
    from netcode.client.followed_host import FollowedHost
    from netcode.joining.invitation import INSECURE, UNIX, Invitation

    if isinstance(target, CodeTarget):
        target = await invitation_by_any((target.address, *target.others), target.code)
    connect = connector(target)
    match target:
        case Invitation():
            pin = target.pin.hex()
            host = FollowedHost(target)
            return ResolvedTarget(
                host.connect,
                target.secret,
                str(target),
                pin,
                secure=True,
                addresses=target.ways,
                host=host,
            )
        case Plain():
            where = str(target.address)
            typed = f"{INSECURE} {where}"
            return ResolvedTarget(connect, None, typed, where, secure=False)
        case Unix():
            where = str(target.path)
            return ResolvedTarget(connect, None, f"{UNIX} {where}", where, secure=False)


def parse_target(text: str, found: "Sequence[FoundTable]") -> "Target | CodeTarget":
    """Return the target of a typed text: a link, a code, or an address and a code.

    For a table without encryption the text is the command on the host's screen.

    Args:
        text: The typed text.
        found: The tables of the local network. A code without an address is searched among them.

    Raises:
        ExplainedError: The text leads to no table.
    """
    from netcode.joining.invitation import INSECURE, UNIX, is_invitation, parse_invitation

    text = re.sub(COMMAND, "", text, count=1).strip()
    if is_invitation(text):
        return parse_invitation(text)
    option, _, where = text.partition(" ")
    if option in (INSECURE, UNIX) and where:
        from netcode.client.connectors import Plain

        return Plain(parse_address(where)) if option == INSECURE else _at_path(where)
    if code := code_alone(text):
        there = dict.fromkeys(each.address for each in found if each.prefix == prefix_of(code))
        if there:
            first, *others = there
            return CodeTarget(first, code, tuple(others))
        raise TargetError(
            "No table on this network has that code: type the host's address before it."
        )
    where, _, code = text.partition(" ")
    if code.strip():
        return CodeTarget(parse_address(where), parse_code(code))
    template: Text = "Type the table's spoken code after its address: {address} K7Q-F2MXR."
    if where.isalnum() and len(where) <= CODE_LENGTH:
        template = (
            "{address} is not a complete spoken code, such as K7Q-F2MXR; if it is the host's "
            "machine, type the code after it."
        )
    raise TargetError(template, address=str(parse_address(where)))


def _at_path(text: str) -> "Unix":
    from netcode.client.connectors import Unix
    from netcode.joining.invitation import parse_path

    try:
        return Unix(Path(parse_path(text)))
    except ValueError:
        raise TargetError(
            "{path!r} is not the path of a table's socket: such a path begins with a /.", path=text
        ) from None


def code_alone(text: str) -> str:
    """Return the spoken code in a text, in any case and grouping; "" if the text is no code."""
    with suppress(CodeError):
        return parse_code(text)
    return ""
