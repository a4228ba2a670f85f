"""The host's side of the network: admits connections, runs tables and bots, reports its status.

`table` decides what happens at a table.
"""
