"""Sealed play: a deal that nobody sees or controls, and a signed log of a game on sealed cards.

Sockets, files, clocks and a table's use of a log are in `table`, `storage` and `client`.
"""
