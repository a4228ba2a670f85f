"""What a router is asked for, what it grants, and why it grants nothing."""

from ipaddress import ip_address
from typing import Final, Literal

from msgspec import Struct

from engine.words import N_, ExplainedError
from netcode.outside.routers import Router
from netcode.transport.address import Address, is_inside

LEASE_S: Final = 3_600
"""Seconds for which a router is asked to let a port in; renewed at half of that."""


class Wish(Struct, frozen=True):
    """A TCP port of this machine that is to be let in."""

    port: int
    nonce: bytes
    """Twelve bytes that show later that what was granted is one's own."""
    permanent: bool = False
    """Whether it may be until it is ended, where a router knows nothing else."""


class Lease(Struct, frozen=True):
    """That a router lets a TCP port of this machine in for a while."""

    way: Literal["control", "upnp"]
    """How the router was asked: by PCP or NAT-PMP, or by UPnP."""
    router: Router
    port: int
    """Of this machine."""
    outside: Address
    """Where others reach it."""
    seconds: int
    """For how long; 0 for as long as nobody ends it."""
    nonce: bytes = b""
    url: str = ""
    """By UPnP: the router's description of itself."""


NO_WAY: Final = N_(
    "Your router opens no port by itself: forward one to this machine in its settings, let a "
    "friend host, or use a relay."
)
ONLY_PERMANENTLY: Final = N_("Your router opens ports only permanently, not for a limited time.")
REFUSED: Final = N_(
    "Your router refuses to open a port: allow it in its settings (UPnP or PCP), let a friend "
    "host, or use a relay."
)
NO_ADDRESS: Final = N_(
    "Your provider or a second router stands above yours, so nobody outside can call you: let a "
    "friend host, or use a relay."
)


class OutsideError(ExplainedError):
    """Why nobody comes in from other homes, as a sentence."""


class SilenceError(OutsideError):
    """The router does not know that way of being asked."""


class PermanentOnlyError(OutsideError):
    """The router lets a port in for good or not at all."""


def usable(host: str) -> bool:
    """Return whether others in other homes can call a number that a router calls its own."""
    try:
        number = ip_address(host)
    except ValueError:
        return False
    nowhere = number.is_unspecified or number.is_loopback or number.is_multicast
    return not (nowhere or is_inside(host) or host == "255.255.255.255")
