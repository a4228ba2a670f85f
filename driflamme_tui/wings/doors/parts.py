"""What the doors add to a host: ways in for those who have SSH or a browser alone."""

from typing import Final

from driflamme_tui.hosting.parts import HostParts, PartKind
from driflamme_tui.wings.doors.open_doors import DoorsOfHost

SEAM: Final = HostParts((PartKind("doors", DoorsOfHost),))
