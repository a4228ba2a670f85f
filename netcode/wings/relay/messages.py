"""The messages that the relay wing adds to the protocol of a table."""

from typing import Annotated, Final

from msgspec import Meta

from netcode.protocol.fields import MAXIMUM_LINK, Messages, TableNotice


class RelayPass(TableNotice, frozen=True):
    """Lets the receiver's program use the table's relay too, for an evening."""

    link: Annotated[str, Meta(max_length=MAXIMUM_LINK)]
    """The relay's link, with a pass instead of its secret."""


SEAM: Final = Messages(from_client=(), from_host=(RelayPass,))
