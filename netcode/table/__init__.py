"""A table as a state machine without I/O: seats, games, chat, clock, absence and host.

The packages `server`, `storage` and `transport` do the I/O.
"""
