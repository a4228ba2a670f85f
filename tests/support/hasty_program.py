"""The program with shorter waits, for tests on a real local network.

It notices a silent host, a changed address and a lost connection earlier, and searches the network
for a shorter time.
"""

from driflamme_tui.cli.main import run
from driflamme_tui.hosting import open_server
from netcode.client import connection, followed_host, reconnection
from netcode.joining import discovery

vars(connection).update(HEARTBEAT_S=0.4, HEARTBEAT_TIMEOUT_S=1.6)
vars(discovery).update(FOLLOW_S=0.4)
vars(followed_host).update(SEARCH_S=1.0)
vars(open_server).update(ADDRESSES_EVERY_S=0.4)
vars(reconnection).update(FIRST_WAIT_S=0.1, LONGEST_WAIT_S=2.0)

if __name__ == "__main__":
    run()
