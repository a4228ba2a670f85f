"""The messages of laughs."""

from typing import Final

from netcode.protocol.fields import Messages, PartMessage, ShownName


class Laugh(PartMessage, frozen=True):
    """A player's request to laugh."""


class Laughed(PartMessage, frozen=True):
    """The notification that another player has laughed."""

    name: ShownName


SEAM: Final = Messages(
    from_client=(Laugh,),
    from_host=(Laughed,),
    sentences={"no_more_laughs": "This table has laughed enough."},
)
