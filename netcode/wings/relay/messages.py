"""The messages that the relay wing adds to the protocol of a table."""

from typing import Annotated, Final

from msgspec import Meta

from netcode.protocol.fields import MAXIMUM_LINK, Messages, TableNotice


class RelayPass(TableNotice, frozen=True):
    """The receiver's program may be reached through the table's relay too, for an evening."""

    link: Annotated[str, Meta(max_length=MAXIMUM_LINK)]
    """The relay's, with a pass in the place of its secret."""


SEAM: Final = Messages(from_client=(), from_host=(RelayPass,))
