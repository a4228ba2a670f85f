"""Adds the router to the parts of a host, for friends outside."""

from typing import Final

from driflamme_tui.hosting.parts import HostParts, PartKind
from driflamme_tui.wings.router.router import Router

SEAM: Final = HostParts((PartKind("router", Router, is_everywhere=True),))
