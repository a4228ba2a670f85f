"""Lists the wings of the network, its optional parts.

To remove a wing, delete its folder and its entry here.

An entry has the name of a wing and the names of its seams. For each seam, the wing has a module
with the seam's name.
"""

from typing import Final

WINGS: Final[dict[str, tuple[str, ...]]] = {
    "sealed": ("messages", "routes", "kind", "records"),
    "relay": ("messages",),
    "router": (),
    "clubs": ("messages",),
    "days": ("messages", "routes", "settings", "table_parts"),
}
