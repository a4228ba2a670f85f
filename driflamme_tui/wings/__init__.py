"""The wings of the face: optional parts, each a folder that can be deleted with its line here.

A line has the name of a wing and of the seams that it serves. For each seam the wing has a module
of that name.
"""

from typing import Final

WINGS: Final[dict[str, tuple[str, ...]]] = {
    "clubs": ("app_parts", "commands", "guide", "keys", "plain", "seat_parts", "start_rows"),
    "sealed": (
        "app_parts",
        "commands",
        "guide",
        "keys",
        "kind_words",
        "moved_tables",
        "options",
        "plain",
        "seat_parts",
        "sections",
        "settings",
        "tables",
    ),
    "hints": ("panels", "plain", "table_keys"),
    "relay": ("commands", "options", "parts"),
    "doors": ("guide", "options", "parts", "sections"),
    "router": ("guide", "options", "parts", "sections"),
}
