"""Lists the wings of the user interface, its optional parts.

To remove a wing, delete its folder and its line. A line has the name of a wing and the names of its
seams, the places where the core accepts parts. For each seam, the wing has a module of that name.
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
    "days": (
        "app_parts",
        "commands",
        "guide",
        "keys",
        "options",
        "panels",
        "parts",
        "plain",
        "seat_parts",
        "sections",
        "settings",
        "start_rows",
        "table_keys",
    ),
}
