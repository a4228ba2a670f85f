"""The relay: a machine that connects guests with hosts whom they cannot reach directly.

It forwards bytes without reading them. The connection from guest to host is encrypted, so a relay
sees only addresses, times and sizes. `relay.py` is the relay; `relay_connection.py` is a host's
connection to it.
"""
