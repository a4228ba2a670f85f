"""The program, which asks a router for no more than two seconds."""

from driflamme_tui.cli.main import run
from netcode.outside import routers

routers.LEASE_S = 2  # type: ignore[misc]
run()
