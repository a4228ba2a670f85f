"""Opens a relay on this machine, and connects tables to relays."""

import re
import secrets
import time
from collections.abc import Callable, Mapping
from contextlib import AsyncExitStack
from typing import TYPE_CHECKING, Any, Final

from msgspec.structs import replace
from platformdirs import user_data_path

from driflamme_tui.hosting.core_parts import LINKS, STATUS, LinkRenewal, StatusAnswers
from driflamme_tui.hosting.host_plans import OpenPlan
from driflamme_tui.hosting.hosted_table import OpenServer
from driflamme_tui.hosting.open_server import Listening, Notify, listen
from driflamme_tui.hosting.parts import OpenPlace, Part, build_parts, start_parts
from driflamme_tui.text.i18n import _
from engine.texts import ExplainedError, Text
from netcode.joining.invitation import MOST_INDIRECT, InvitationError
from netcode.private_files import UnsafeFolderError
from netcode.protocol.fields import SECRET_BYTES, TableNotice
from netcode.server.table_registry import TableEntry
from netcode.table.snapshot import Location
from netcode.transport.address import Address, parse_addresses
from netcode.whole_file import kept_secret
from netcode.wings.relay.messages import RelayPass
from netcode.wings.relay.relay_link import RelayLink, parse_relay_link

if TYPE_CHECKING:
    from netcode.wings.relay.relay import Relay
    from netcode.wings.relay.relay_connection import RelayConnection
    from netcode.wings.relay.relay_messages import Registered

FILE: Final = "relay.key"
"""The name of the file with the secret that admits hosts. The link stays valid as long as the file
exists.
"""


class OpenRelay(OpenPlace, kw_only=True):
    """A relay that is open in this program."""

    relay: "Relay"
    listening: Listening
    secret: bytes
    """The secret that admits hosts."""
    began: float
    """The time at which the relay was opened, by the monotonic clock."""

    @property
    def port(self) -> int:
        """The TCP port of the relay."""
        return self.relay.port

    @property
    def link(self) -> RelayLink:
        """The link by which hosts register at the relay."""
        assert self.listening.identity is not None
        return RelayLink(self.listening.addresses, self.listening.identity.pin, self.secret)

    def current_status(self) -> dict[str, Any]:
        """Return the figures of `driflamme relay --status`."""
        up_s = round(time.monotonic() - self.began)
        return {"up_s": up_s, **self.relay.status(), **super().current_status()}

    def pass_for(self, entry: TableEntry) -> str:
        """Return a link for the players of one table. Its pass is valid for `EVENING_S` seconds."""
        return str(replace(self.link, secret=self.relay.pass_for(entry.secret)))

    def send_links(self) -> None:
        """Show the operator the new link after a change of addresses, if the relay is open."""
        if self.is_open:
            sentence = _("The relay's address has changed, and its link with it: {link}")
            self.notify(sentence.format(link=self.link))

    async def close(self) -> None:
        """Close the relay and its parts. Hosts try to reconnect until the relay is open again."""
        await self.stop_parts()
        await self.close_parts()
        await self.relay.close()


async def open_relay(
    plan: OpenPlan, notify: Notify, *, fresh: bool = False, has_parts: bool = True
) -> OpenRelay:
    """Open and return a relay.

    Args:
        plan: The addresses and parts of the relay.
        notify: Receives sentences for the operator.
        fresh: True to replace the link, so that the former link admits nobody.
        has_parts: True if the relay opens parts and a status socket. False in a club, which has
            them already.

    Raises:
        ExplainedError: The key, the sockets, the certificate or a part cannot be used.
    """
    from netcode.wings.relay.relay import Relay

    secret = _secret(fresh=fresh)
    parts: dict[str, Part] = {LINKS: LinkRenewal()}
    if has_parts:
        parts |= build_parts(plan.parts, notify, plan.parts)
        parts[STATUS] = StatusAnswers()
    listening = await listen(plan.opened(secret))
    assert listening.identity is not None
    async with AsyncExitStack() as undo:
        undo.callback(listening.close)
        start_parts(parts, listening, notify, plan.parts)
        relay = Relay(listening.identity, secret)
        await relay.listen(listening.sockets)
        opened = OpenRelay(
            relay=relay,
            listening=listening,
            parts=parts,
            notify=notify if has_parts else lambda _sentence: None,
            secret=secret,
            began=time.monotonic(),
        )
        undo.pop_all()
        undo.push_async_callback(opened.close)
        await opened.open_parts(plan.parts)
        undo.pop_all()
    return opened


def _secret(*, fresh: bool) -> bytes:
    """Return the secret that admits hosts. Create it if it is missing, and replace it if `fresh`.

    Raises:
        ExplainedError: The file cannot be used, or its content is malformed.
    """
    path = user_data_path("driflamme", appauthor=False) / FILE
    try:
        secret = kept_secret(path, lambda: secrets.token_hex(SECRET_BYTES), anew=fresh)
        secret = bytes.fromhex(secret.decode("ascii"))
        if len(secret) != SECRET_BYTES:
            raise ValueError("it is cut off")
        return secret
    except UnsafeFolderError:
        raise
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or str(error)
        template: Text = (
            "The relay's key {path} cannot be used: {why}. Check the permissions of "
            "the file, or delete it for a new link."
        )
        raise ExplainedError(template, path=str(path), why=why) from None


class ConnectionToRelay(Part):
    """The connection of a table to a relay, through which guests come. The record is a link."""

    connection: "RelayConnection | None" = None

    def __init__(self, record: str) -> None:
        """Parse the link; raises InvitationError if it is malformed."""
        self.link: Final = parse_relay_link(record)

    def saved_record(self) -> str:
        """Return the relay's link."""
        return str(self.link)

    def start(self, listening: Listening) -> None:
        """Let invitations contain the relay's addresses, at most `MOST_INDIRECT`."""
        listening.indirect = self.link.addresses[:MOST_INDIRECT]

    def add_table(self, entry: TableEntry) -> None:
        """Store the table that guests of the relay reach."""
        self._entry = entry

    async def open(self, place: OpenPlace) -> None:
        """Register at the relay.

        If that fails for a resumed table, notify the host and try again later, since the relay may
        come back.

        Raises:
            RelayError: The table is new, and the relay refuses it or cannot be reached.
        """
        from netcode.wings.relay.relay_connection import RelayConnection, RelayError

        assert isinstance(place, OpenServer)
        assert place.listening is not None
        assert place.listening.identity is not None
        entry, notify, adopt = self._entry, place.notify, place.server.adopt
        set_notice = place.server.set_notice
        identity = place.listening.identity
        where = str(self.link.addresses[0])

        def changed() -> None:
            if connection.is_replaced:
                sentence = _(
                    "Another table of yours now uses the relay at {address}; this one no longer"
                    " does."
                )
                notify(sentence.format(address=where))
            elif connection.registered is None:
                notify(
                    _(
                        "The connection to the relay at {address} is lost; trying again.",
                        address=where,
                    )
                )
            else:
                notify(_("The relay at {address} can be reached again.", address=where))
                welcome(connection.registered)

        def welcome(registered: "Registered") -> None:
            if not registered.by_code:
                notify(_("Another table at the relay has a code like yours: give others the link."))
            if registered.evening_pass:
                link = str(replace(self.link, secret=registered.evening_pass))
                set_notice(entry, RelayPass(link))

        connection = self.connection = RelayConnection(
            self.link, identity, entry.prefix, adopt, changed
        )
        try:
            await connection.open()
        except RelayError as error:
            if not place.is_resumed:
                raise
            notify(error.sentence(_))
            connection.keep()
        if connection.registered is not None:
            welcome(connection.registered)

    async def stop(self) -> None:
        """Close the connection to the relay."""
        if self.connection is not None:
            await self.connection.close()


def record_of_notice(notice: TableNotice, is_allowed: Callable[[Address], bool]) -> str | None:
    """Return the link of a relay pass with only the allowed addresses.

    Returns "" if the link is malformed or no address is allowed, and None for other notices.
    """
    match notice:
        case RelayPass(link=link):
            return _allowed_link(link, is_allowed)
        case _:
            return None


def _allowed_link(link: str, is_allowed: Callable[[Address], bool]) -> str:
    try:
        parsed = parse_relay_link(link)
    except InvitationError:
        return ""
    addresses = tuple(filter(is_allowed, parsed.addresses))
    return str(replace(parsed, addresses=addresses)) if addresses else ""


class HostedRelay(Part):
    """A relay that belongs to a club. Its record is the port."""

    relay: OpenRelay | None = None

    def __init__(self, record: str) -> None:
        """Parse the port; raises ExplainedError if it is malformed."""
        if not re.fullmatch("[0-9]{1,5}", record) or int(record) > 65_535:
            raise ExplainedError(
                "The record of the club's own relay is damaged: start the club with --relay again."
            )
        self._port: Final = int(record)

    def saved_record(self) -> str:
        """Return the port as a number in digits."""
        return str(self._port)

    def add_table(self, entry: TableEntry) -> None:
        """Make a pass for a table, by which players of a sealed game can use the relay.

        Before the relay is open, do nothing.
        """
        if self.relay is not None and entry.table is not None:
            entry.table.set_notice(RelayPass(self.relay.pass_for(entry)))

    async def open(self, place: OpenPlace) -> None:
        """Open the relay at the club's addresses; raises ExplainedError as `open_relay` does."""
        assert place.listening is not None
        location = place.listening.location
        there = Location(location.bind, self._port, _hosts_only(location.public))
        self.relay = await open_relay(OpenPlan(there), place.notify, has_parts=False)

    def status(self) -> Mapping[str, Any]:
        """Return the figures of the relay; {} before it is open."""
        return {} if self.relay is None else {"relay": self.relay.relay.status()}

    async def close(self) -> None:
        """Close the relay. Its hosts and guests lose their connections."""
        if self.relay is not None:
            await self.relay.close()


def _hosts_only(addresses: str | None) -> str | None:
    """Return comma-separated addresses without their ports; None for None."""
    if addresses is None:
        return None
    return ",".join(each.host for each in parse_addresses(addresses))
