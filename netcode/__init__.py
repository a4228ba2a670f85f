"""A table on the network: the protocol, the host's table, and the thin shells around sockets.

Knows the engine and no widget. What decides anything (`table.py`, `session.py`) does no I/O,
reads no clock and starts no task; `server.py` and `reconnection.py` own sockets, clocks and tasks
and decide nothing.
"""
