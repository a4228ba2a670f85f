"""The host's side: admits connections, runs tables and bots, and tells how it is doing.

What happens at a table is left to `table`.
"""
