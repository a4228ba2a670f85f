"""A relay on this machine, for hosts whom nobody reaches, and a table's line to a relay."""

import asyncio
import secrets
import time
from typing import TYPE_CHECKING, Any, Final

from msgspec import Struct
from msgspec.structs import replace
from platformdirs import user_data_path

from driflamme_tui.hosting.host_plans import Location
from driflamme_tui.hosting.open_server import Listening, Notify, keep_links, listen, tells_status
from driflamme_tui.hosting.outside import Outside
from driflamme_tui.text.i18n import _
from engine.words import ExplainedError, Text
from netcode.own_files import UnsafeFolderError
from netcode.protocol.fields import SECRET_BYTES
from netcode.server.server import Server
from netcode.server.status import StatusSocket
from netcode.server.table_registry import TableEntry
from netcode.whole_file import kept_secret
from netcode.wings.relay.relay_link import RelayLink, parse_relay_link

if TYPE_CHECKING:
    from netcode.wings.relay.relay import Relay
    from netcode.wings.relay.relay_line import RelayLine
    from netcode.wings.relay.relay_messages import Registered

FILE: Final = "relay.key"
"""Name of the file with what lets hosts in, so that the link lasts."""


class OpenRelay(Struct):
    """A relay that is open."""

    relay: "Relay"
    listening: Listening
    secret: bytes
    """What lets hosts in."""
    began: float
    """When, by the monotonic clock."""
    outside: Outside | None = None
    """The way for hosts and guests in other homes; None for a club's, which has its own."""
    following: asyncio.Task[None] | None = None
    """Looks for other addresses of this machine, until it is cancelled."""
    status: StatusSocket | None = None
    """Answers those who ask for its status; None if its socket could not be opened."""

    @property
    def link(self) -> RelayLink:
        """What hosts are given."""
        assert self.listening.identity is not None
        return RelayLink(self.listening.addresses, self.listening.identity.pin, self.secret)

    def current_status(self) -> dict[str, Any]:
        """Return what `driflamme relay --status` tells."""
        return {"up_s": round(time.monotonic() - self.began), **self.relay.status()}

    def pass_for(self, entry: TableEntry) -> str:
        """Return the link by which the players of a table may come, for an evening."""
        return str(replace(self.link, secret=self.relay.pass_for(entry.secret)))

    async def close(self) -> None:
        """Lead nobody any more; hosts look for it until it is there again."""
        if self.following is not None:
            self.following.cancel()
        if self.status is not None:
            await self.status.close()
        if self.outside is not None:
            await self.outside.close()
        await self.relay.close()


async def open_relay(
    plan: Location, notify: Notify, *, fresh: bool = False, tells: bool = True
) -> OpenRelay:
    """Open a relay; raises ListenError, CertificateError and ExplainedError.

    Args:
        plan: Where it listens.
        notify: Is given sentences for whoever runs it.
        fresh: Whether its former link is to let nobody in any more.
        tells: Whether it answers those who ask for its status, as a club does for its own.
    """
    from netcode.wings.relay.relay import Relay

    secret = _secret(fresh=fresh)
    listening = await listen(plan.opened(secret), "relay")
    assert listening.identity is not None
    relay = Relay(listening.identity, secret)
    await relay.listen(listening.sockets)
    opened = OpenRelay(relay, listening, secret, time.monotonic())
    if not tells:
        opened.following = asyncio.create_task(keep_links(listening, lambda: None))
        return opened

    def changed() -> None:
        # The first link is told with all else once the relay is open.
        if opened.status is not None:
            told = _("The relay has another address now, and so its link is another: {link}")
            notify(told.format(link=opened.link))

    opened.outside = Outside(listening, relay.port, wanted=plan.outside, changed=changed)
    opened.following = asyncio.create_task(keep_links(listening, changed))
    await opened.outside.start(notify, owned=False)
    opened.status = await tells_status(relay.port, opened.current_status, notify)
    return opened


def _secret(*, fresh: bool) -> bytes:
    """Return what lets hosts in, made if need be; raises ExplainedError."""
    path = user_data_path("driflamme", appauthor=False) / FILE
    try:
        said = kept_secret(path, lambda: secrets.token_hex(SECRET_BYTES), anew=fresh)
        secret = bytes.fromhex(said.decode("ascii"))
        if len(secret) != SECRET_BYTES:
            raise ValueError("it is cut off")
        return secret
    except UnsafeFolderError:
        raise
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or str(error)
        template: Text = "The relay's key {path} cannot be used: {why}."
        raise ExplainedError(template, path=str(path), why=why) from None


async def open_relay_line(
    listening: Listening, entry: TableEntry, server: Server, notify: Notify
) -> "RelayLine | None":
    """Have the relay of a table, if it has one, lead others here; raises RelayError."""
    if listening.opened.relay is None or listening.identity is None:
        return None
    from netcode.wings.relay.relay_line import RelayLine

    link = parse_relay_link(listening.opened.relay)
    where = str(link.addresses[0])

    def changed() -> None:
        if line.is_replaced:
            told = _(
                "Another table of yours now uses the relay at {address}; this one no longer does."
            )
            notify(told.format(address=where))
        elif line.registered is None:
            notify(_("The connection to the relay at {address} is lost.", address=where))
        else:
            notify(_("The relay at {address} can be reached again.", address=where))
            welcome(line.registered)

    def welcome(said: "Registered") -> None:
        if not said.has_room:
            notify(_("Another table at the relay has a code like yours: give others the link."))
        if said.evening_pass and entry.table is not None:
            entry.table.set_relay_pass(str(replace(link, secret=said.evening_pass)))

    line = RelayLine(link, listening.identity, entry.room, server.adopt, changed)
    await line.open()
    if line.registered is not None:
        welcome(line.registered)
    return line
