"""One table as a state machine without I/O: seats, games, chat, clock, absence and host.

`server`, `storage` and `transport` have the sockets, disks and tasks.
"""
