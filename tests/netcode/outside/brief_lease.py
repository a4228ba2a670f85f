"""The program, which asks a router for no more than two seconds."""

from driflamme_tui.cli.main import run
from netcode.outside import leases

leases.LEASE_S = 2  # type: ignore[misc]
run()
