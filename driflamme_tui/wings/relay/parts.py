"""Adds the parts of the relay to hosts: a table's connection to a relay, and a club's own relay."""

from typing import Final

from driflamme_tui.hosting.parts import HostParts, PartKind
from driflamme_tui.wings.relay.open_relay import ConnectionToRelay, HostedRelay, record_of_notice

SEAM: Final = HostParts(
    (
        PartKind("relay", ConnectionToRelay, record_of_notice=record_of_notice),
        PartKind("own_relay", HostedRelay),
    )
)
