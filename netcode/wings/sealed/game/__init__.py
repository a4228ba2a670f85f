"""Sealed play: a deal that nobody sees or steers, and a signed log of a game on sealed cards.

Sockets, files, clocks and what a table does with a log are left to `table`, `storage` and `client`.
"""
