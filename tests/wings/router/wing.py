"""Describes the router for the tests of all wings, as `scripts/lib/wing.py` defines."""

from typing import Final

from scripts.lib.wing import Wing

WING: Final = Wing(
    (
        r"\boutside\b(?! their)",
        r"Outside\b",
        "_outside",
        "outside_",
        "[Rr]outer",
        "upnp",
        "UPnP",
        r"PCP\b",
        "port_lease",
    ),
    exceptions={
        "driflamme_tui/cli/shared_options.py": "a host may have opened a port by hand",
    },
)
