"""Lists the wings of the network, its optional parts.

A seam is a place where the core uses wings. For each of its seams, a wing has a module with the
seam's name and a value `SEAM`. An entry has the name of a wing and the names of its seams. To
remove a wing, delete its folder and its entry here.
"""

from typing import Final

WINGS: Final[dict[str, tuple[str, ...]]] = {
    "sealed": ("messages", "routes", "kind", "records"),
    "relay": ("messages",),
    "router": (),
    "clubs": ("messages",),
    "days": ("messages", "routes", "settings", "table_parts"),
}
