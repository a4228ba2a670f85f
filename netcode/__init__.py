"""The network part of the program: protocol, table, server and client.

It imports the engine and no widget. Modules with the logic of a table, such as `table.py` and
`session.py`, do no I/O, read no clock and start no task. Modules with sockets, clocks and tasks,
such as `server.py` and `reconnection.py`, decide nothing.
"""
