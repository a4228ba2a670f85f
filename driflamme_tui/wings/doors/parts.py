"""Adds doors to the parts of a host, for guests who have only SSH or a browser."""

from typing import Final

from driflamme_tui.hosting.parts import HostParts, PartKind
from driflamme_tui.wings.doors.open_doors import DoorsOfHost

SEAM: Final = HostParts((PartKind("doors", DoorsOfHost),))
