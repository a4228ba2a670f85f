"""Runs the program with a guest that soon notices the loss of its host."""

from driflamme_tui.cli.main import run
from netcode.client import connection, reconnection

vars(connection)["HEARTBEAT_S"] = 0.2
vars(connection)["HEARTBEAT_TIMEOUT_S"] = 0.5
vars(reconnection)["FIRST_WAIT_S"] = 0.1

if __name__ == "__main__":
    run()
