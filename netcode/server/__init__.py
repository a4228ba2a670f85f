"""The host's side of the network: admits connections, runs tables and bots, and reports status.

`table` decides what happens at a table.
"""
