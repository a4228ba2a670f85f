"""The optional parts of what is open in this program, as screens and the command line show them."""

from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from driflamme_tui.hosting.parts import OpenPlace, Part
    from driflamme_tui.wings.doors.open_doors import DoorsOfHost, OpenDoors
    from driflamme_tui.wings.relay.open_relay import OpenRelay, OwnRelay
    from driflamme_tui.wings.router.router import Router


def router_of(place: "OpenPlace | None") -> "Router | None":
    """Return the way for friends outside; None where there can be none."""
    return cast("Router | None", _part(place, "router"))


def doors_of(place: "OpenPlace | None") -> "OpenDoors | None":
    """Return the doors, if there are some."""
    doors = cast("DoorsOfHost | None", _part(place, "doors"))
    return None if doors is None else doors.doors


def own_relay_of(place: "OpenPlace | None") -> "OpenRelay | None":
    """Return the relay that a club is too, if it is one."""
    relay = cast("OwnRelay | None", _part(place, "own_relay"))
    return None if relay is None else relay.relay


def _part(place: "OpenPlace | None", name: str) -> "Part | None":
    return None if place is None else place.parts.get(name)
