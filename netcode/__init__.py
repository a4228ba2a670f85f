"""The network part of the program: protocol, table, server and client.

It imports the engine and no widget. Modules that decide (`table.py`, `session.py`) do no I/O, read
no clock and start no task. Modules that own sockets, clocks and tasks (`server.py`,
`reconnection.py`) decide nothing.
"""
