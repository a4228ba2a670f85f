"""Sentences about people who can connect to an open table or club, and about opening it further."""

from typing import TYPE_CHECKING

from driflamme_tui.hosting.host_plans import LOOPBACK
from driflamme_tui.text.i18n import _
from netcode.transport.address import is_inside

if TYPE_CHECKING:
    from driflamme_tui.wings.router.router import Router, What


def who_comes_in(outside: "Router", opens: str) -> str:
    """Return who can connect; `opens` is the action that lets friends outside in."""
    location = outside.listening.location
    addresses = outside.addresses("table")
    by_4 = next((each for each in addresses if ":" not in each.host), None)
    own = [each.host for each in outside.listening.addresses if each not in addresses]
    if outside.is_asking:
        return _("Your router is asked to let friends in other homes in.")
    if by_4 is not None:
        text = _("Friends in other homes can come in: by the link, or {address} and the code.")
        return text.format(address=by_4)
    if outside.listening.indirect and not addresses:
        text = _("Friends in other homes can come in through the relay at {address}.")
        return text.format(address=outside.listening.indirect[0])
    if addresses:
        sentence = _("Friends in other homes can come in where they have IPv6.")
    elif location.public is not None:
        text = _("Friends in other homes can come in if {address} leads to this machine.")
        return text.format(address=", ".join(map(str, outside.listening.public)))
    elif location.bind in ("localhost", LOOPBACK, "::1"):
        return _("Only this machine can come in.")
    elif any(":" not in host and not is_inside(host) for host in own):
        text = _("Friends in other homes can come in if no firewall bars TCP port {port} here.")
        return text.format(port=outside.port)
    else:
        sentence = _("Friends in this home can come in.")
    if outside.error is not None:
        return f"{sentence} {outside.error.sentence(_)}"
    text = _("Friends in this home can come in, those in other homes not yet: {opens} opens it.")
    return sentence if addresses else text.format(opens=opens)


def question(outside: "Router") -> "tuple[What, str] | None":
    """Return the next port that can be opened, and the question before it; None if all are open."""
    from netcode.wings.router.routers import PermanentOnlyError

    ports = outside.open_ports
    if not outside.addresses("table"):
        if isinstance(outside.error, PermanentOnlyError):
            text = _(
                "Your router lets a port in only until it is closed again. Driflamme closes it "
                "with the table, or at its next start. Go on?"
            )
        else:
            text = _(
                "Your router will let TCP port {port} in to this machine while the table is open. "
                "Go on?"
            )
        return "table", text.format(port=outside.port)
    if "ssh" in ports and not outside.addresses("ssh"):
        text = _(
            "Open the SSH door to other homes, too? Anybody on the internet may then knock at TCP "
            "port {port} here. Only the code lets in, and this machine sees their cards."
        )
        return "ssh", text.format(port=ports["ssh"])
    if "web" in ports and not outside.addresses("web"):
        text = _(
            "Open the web page to other homes, too? Anybody on the internet may then ask for it at "
            "TCP port {port} here. Only the code lets in, and this machine sees their cards."
        )
        return "web", text.format(port=ports["web"])
    return None
