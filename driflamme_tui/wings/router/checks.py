"""Checks for `driflamme doctor` that friends outside can connect."""

from collections.abc import Sequence
from functools import partial

from driflamme_tui.cli.findings import Finding
from driflamme_tui.text.i18n import _
from driflamme_tui.wings.router.router import kept_leases
from netcode.transport.address import DEFAULT_PORT, Address, is_inside
from netcode.transport.sockets import open_tcp
from netcode.wings.router.port_leases import WayIn
from netcode.wings.router.routers import OutsideError
from netcode.wings.router.upnp import PACKAGE as UPNP_PACKAGE


def check_outside(
    own: Sequence[str],
    outside: Sequence[Address] = (),
    error: OutsideError | None = None,
    *,
    has_upnp: bool = True,
) -> Finding:
    """Return the finding about connections of friends outside.

    `own` has this machine's addresses. If the router was tested, `outside` has its external
    addresses, and `error` its error. `has_upnp` is True if the library for UPnP is installed.
    """
    find = partial(Finding, "outside", _("Outside"))
    if outside:
        sentence = _(
            "Your router lets in friends from outside, at {address}: press x in the lobby."
        )
        return find(sentence.format(address=outside[0].host))
    if any(":" not in each and not is_inside(each) for each in own):
        sentence = _(
            "Friends outside your home can join if no firewall blocks TCP port {port} here."
        )
        return find(sentence.format(port=DEFAULT_PORT), "hint")
    if error is not None:
        return find(error.sentence(_), "hint")
    if not has_upnp:
        sentence = _(
            "Without {package}, a router that knows only UPnP cannot let friends in: "
            "reinstall the program."
        )
        return find(sentence.format(package=UPNP_PACKAGE), "hint")
    sentence = _("Friends outside your home cannot join yet: --outside asks your router.")
    return find(sentence, "hint")


async def ask_router() -> tuple[tuple[Address, ...], OutsideError | None]:
    """Let the router open a port at which nothing listens, and close it at once.

    Returns the external addresses, and an error. The error is None if the router has opened a port
    by IPv4.
    """
    listening = await open_tcp(None, 0)
    way = WayIn(listening[0].getsockname()[1], kept_leases)
    for each in listening:
        each.close()
    await way.open()
    findings = way.addresses, way.error
    await way.close()
    return findings
