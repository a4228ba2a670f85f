"""The game part of sealed play: a deal that nobody controls, and a signed log on sealed cards.

The other modules of the wing use it with sockets, files and clocks.
"""
