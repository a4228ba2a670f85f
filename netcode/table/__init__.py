"""A table as a state machine without I/O: seats, games, chat, clock, absence and host.

`server`, `storage` and `transport` use sockets, disks and tasks.
"""
