"""The host's side of the network: admits connections, runs tables and bots, and reports a status.

`table` has the logic of a table.
"""
