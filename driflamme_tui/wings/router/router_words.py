"""Builds sentences about friends who can connect, and questions before a port is opened."""

from typing import TYPE_CHECKING

from driflamme_tui.hosting.host_plans import LOOPBACK
from driflamme_tui.text.i18n import _
from netcode.transport.address import is_inside

if TYPE_CHECKING:
    from driflamme_tui.wings.router.router import Router, What


def who_comes_in(outside: "Router", opens: str) -> str:
    """Return a sentence about the friends who can connect.

    `opens` is the key or command that lets the router open a port.
    """
    location = outside.listening.location
    addresses = outside.addresses("table")
    by_4 = next((each for each in addresses if ":" not in each.host), None)
    own = [each.host for each in outside.listening.addresses if each not in addresses]
    if outside.is_asking:
        return _("Asking your router to let in friends from outside your home.")
    if by_4 is not None:
        text = _("Friends outside your home can join: with the link, or {address} and the code.")
        return text.format(address=by_4)
    if outside.listening.indirect and not addresses:
        text = _("Friends outside your home can join through the relay at {address}.")
        return text.format(address=outside.listening.indirect[0])
    if addresses:
        sentence = _("Friends outside your home can join if they have IPv6.")
    elif location.public is not None:
        text = _("Friends outside your home can join if {address} leads to this machine.")
        return text.format(address=", ".join(map(str, outside.listening.public)))
    elif location.bind in ("localhost", LOOPBACK, "::1"):
        return _("Only players on this machine can join.")
    elif any(":" not in host and not is_inside(host) for host in own):
        text = _("Friends outside your home can join if no firewall blocks TCP port {port} here.")
        return text.format(port=outside.port)
    else:
        sentence = _("Friends on your network can join.")
    if outside.error is not None:
        return f"{sentence} {outside.error.sentence(_)}"
    text = _("Friends on your network can join, those outside not yet: {opens} opens the way.")
    return sentence if addresses else text.format(opens=opens)


def question(outside: "Router") -> "tuple[What, str] | None":
    """Return the next port that can be opened, and the question to ask first.

    Returns None if all are open.
    """
    from netcode.wings.router.routers import PermanentOnlyError

    ports = outside.open_ports
    if not outside.addresses("table"):
        if isinstance(outside.error, PermanentOnlyError):
            text = _(
                "Your router opens ports only until they are closed, not for a set time."
                " Driflamme closes this one with the table, or at its next start. Continue?"
            )
        else:
            text = _(
                "Your router will forward TCP port {port} to this machine while the table is"
                " open. Continue?"
            )
        return "table", text.format(port=outside.port)
    if "ssh" in ports and not outside.addresses("ssh"):
        text = _(
            "Open the SSH door to the outside, too? Anybody on the internet may then "
            "try to connect to TCP port {port}. Only the code lets them in, and this "
            "machine sees their cards."
        )
        return "ssh", text.format(port=ports["ssh"])
    if "web" in ports and not outside.addresses("web"):
        text = _(
            "Open the web page to the outside, too? Anybody on the internet may then "
            "load it from TCP port {port}. Only the code lets them in, and this "
            "machine sees their cards."
        )
        return "web", text.format(port=ports["web"])
    return None
