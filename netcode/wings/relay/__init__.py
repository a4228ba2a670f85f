"""A machine that can be reached leads guests to hosts that cannot: it passes bytes on, unread.

What is said at a table is encrypted from guest to host, so whoever relays sees addresses, times and
sizes. `relay.py` is the relay, `relay_line.py` the line that a host keeps to it.
"""
