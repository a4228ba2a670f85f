"""The messages that the relay wing adds to the protocol of a table."""

from typing import Annotated, Final

from msgspec import Meta

from netcode.protocol.fields import MAXIMUM_LINK, Messages, TableNotice


class RelayPass(TableNotice, frozen=True):
    """A pass with which the receiver's program may register at the table's relay for 12 hours."""

    link: Annotated[str, Meta(max_length=MAXIMUM_LINK)]
    """The link of the relay. It contains a pass instead of the relay's secret."""


SEAM: Final = Messages(from_client=(), from_host=(RelayPass,))
