"""The wings of the network: optional parts. Delete a wing by its folder and its line here.

A line has the name of a wing and the names of its seams. For each seam the wing has a module with
the seam's name.
"""

from typing import Final

WINGS: Final[dict[str, tuple[str, ...]]] = {
    "sealed": ("messages", "routes", "kind", "records"),
    "relay": ("messages",),
    "router": (),
    "clubs": ("messages",),
}
