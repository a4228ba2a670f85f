"""The wings of the network: optional parts, each a folder that can be deleted with its line here.

A line has the name of a wing and of the seams that it serves. For each seam the wing has a module
of that name.
"""

from typing import Final

WINGS: Final[dict[str, tuple[str, ...]]] = {
    "sealed": ("messages", "routes", "kind", "records"),
    "relay": ("messages",),
    "router": (),
    "clubs": ("messages",),
}
