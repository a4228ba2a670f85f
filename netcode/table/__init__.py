"""One table as a state machine without I/O: seats, games, chat, clock, absence and its host.

Sockets, disks and tasks are left to `server`, `storage` and `transport`.
"""
