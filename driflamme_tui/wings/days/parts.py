"""Adds to hosts the part that calls absent players."""

from typing import Final

from driflamme_tui.hosting.parts import HostParts, PartKind
from driflamme_tui.wings.days.calls import Calls
from netcode.wings.days.settings import NAME

SEAM: Final = HostParts((PartKind(NAME, Calls),))
