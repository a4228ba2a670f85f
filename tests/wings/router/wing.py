"""Describes the router for the tests of all wings, as `scripts/lib/wing.py` defines."""

import re
from typing import Final

from scripts.lib.wing import Wing

WING: Final = Wing(
    re.compile(
        r"\boutside\b(?! their)|Outside\b|_outside|outside_|[Rr]outer|upnp|UPnP|PCP\b"
        r"|port_lease|PortLease"
    ),
    exceptions={
        "driflamme_tui/cli/shared_options.py": "a host may have opened a port by hand",
    },
)
